# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What --device-sort computes, from its task alone: tests/models/puzzle.py explains it."""

from floats import in_order
from puzzle import Puzzle


def model(numbers, pivot):
    return in_order(numbers)


def numbers(size):
    return [i * 373 % 1004 / 4 - 100 for i in range(size)]


PUZZLE = Puzzle(
    title="Device-wide sort",
    model=model,
    numbers=numbers,
    fixed_size=10000,
    whole=True,
)
