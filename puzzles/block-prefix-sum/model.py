# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What --block-prefix-sum computes, from its task alone: tests/models/puzzle.py explains it."""

import itertools

from floats import f32
from puzzle import Puzzle
from tolerances import of_magnitudes


def model(block, pivot):
    return list(itertools.accumulate(block, lambda before, number: f32(before + number)))


PUZZLE = Puzzle(
    title="Block prefix sum",
    model=model,
    numbers=lambda size: [float((14 * i + 12) % 23 - 9) for i in range(size)],
    fixed_size=250,
    block=112,
    tolerance=of_magnitudes,
)
