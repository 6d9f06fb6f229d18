# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What --device-partition computes, from its task alone: tests/models/puzzle.py explains it."""

from puzzle import Puzzle
from sequences import around_a_circle


def model(numbers, pivot):
    return [number for number in numbers if number < pivot] + [number for number in numbers if not number < pivot]


PUZZLE = Puzzle(
    title="Device-wide partition",
    model=model,
    numbers=around_a_circle(55, 89, -30.25),
    fixed_size=50000,
    whole=True,
    pivot=5.0,
)
