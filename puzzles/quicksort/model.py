# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What --quicksort computes, from its task alone: tests/models/puzzle.py explains it."""

from floats import in_order
from puzzle import Puzzle
from sequences import around_a_circle


def model(numbers, pivot):
    return in_order(numbers)


PUZZLE = Puzzle(
    title="Warp quicksort",
    model=model,
    numbers=around_a_circle(15, 41, -20),
    fixed_size=100,
)
