# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What --partition computes, from its task alone: tests/models/puzzle.py explains it."""

from puzzle import Puzzle
from sequences import repeating


def model(warp, pivot):
    return [number for number in warp if number < pivot] + [number for number in warp if not number < pivot]


PUZZLE = Puzzle(
    title="Warp partition",
    model=model,
    numbers=repeating([3, 7, 1, 8, 2, 9, 4, 6, 0, 10, 3, 11, 1, 12, 4, 13]),
    boxed=True,
    pivot=5.0,
)
