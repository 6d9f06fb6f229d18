# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What --reverse computes, from its task alone: tests/models/puzzle.py explains it."""

from puzzle import Puzzle
from sequences import around_a_circle


def model(warp, pivot):
    return warp[::-1]


PUZZLE = Puzzle(
    title="Warp reverse",
    model=model,
    numbers=around_a_circle(31, 83, -41),
    fixed_size=80,
)
