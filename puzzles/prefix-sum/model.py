# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What --prefix-sum computes, from its task alone: tests/models/puzzle.py explains it."""

import itertools

from floats import f32
from puzzle import Puzzle
from tolerances import of_magnitudes


def model(warp, pivot):
    return list(itertools.accumulate(warp, lambda before, number: f32(before + number)))


PUZZLE = Puzzle(
    title="Warp inclusive prefix sum",
    model=model,
    numbers=lambda size: [f32(i + 1) for i in range(size)],
    tolerance=of_magnitudes,
)
