# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What --conditional-max computes, from its task alone: tests/models/puzzle.py explains it."""

import itertools

from floats import f32, greatest, least
from puzzle import Puzzle


def model(warp, pivot):
    return list(itertools.islice(itertools.cycle([greatest(warp), least(warp)]), len(warp)))


def numbers(size):
    start = [3, 1, 7, 2, 9, 4, 8, 5, 6]
    return [f32(start[i] if i < len(start) else i % 10 if i < 32 else i) for i in range(size)]


PUZZLE = Puzzle(
    title="Butterfly conditional max",
    model=model,
    numbers=numbers,
    fixed_size=64,
    label="SIZE_2",
)
