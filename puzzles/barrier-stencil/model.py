# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What --barrier-stencil computes, from its task alone: tests/models/puzzle.py explains it."""

from floats import total
from puzzle import Puzzle
from sequences import around_a_circle


def model(numbers, pivot):
    return [total(numbers[max(0, i - 2) : i + 3]) for i in range(len(numbers))]


PUZZLE = Puzzle(
    title="Stencil with a barrier",
    model=model,
    numbers=around_a_circle(19, 61, -6, divisor=4),
    fixed_size=250,
    whole=True,
)
