# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What --device-reduce computes, from its task alone: tests/models/puzzle.py explains it.

Sums are of Python's floats and rounded once: those of many 32-bit floats, one after the other, would be far off."""

from floats import f32
from puzzle import Puzzle
from sequences import around_a_circle
from tolerances import allowed, unit_of


def model(numbers, pivot):
    return [f32(sum(numbers))]


def tolerance(numbers, expected):
    return [allowed(sum(map(abs, numbers)), unit_of(numbers))]


PUZZLE = Puzzle(
    title="Device-wide sum",
    model=model,
    numbers=around_a_circle(37, 71, -20),
    fixed_size=60000,
    whole=True,
    tolerance=tolerance,
)
