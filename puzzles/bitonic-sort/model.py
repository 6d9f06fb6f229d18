# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What --bitonic-sort computes, from its task alone: tests/models/puzzle.py explains it."""

from floats import in_order
from puzzle import Puzzle
from sequences import around_a_circle


def model(numbers, pivot):
    return in_order(numbers)


PUZZLE = Puzzle(
    title="Warp bitonic sort",
    model=model,
    numbers=around_a_circle(31, 73, -36),
    fixed_size=80,
)
