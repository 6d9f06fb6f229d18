# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What --device-scan computes, from its task alone: tests/models/puzzle.py explains it.

Sums are of Python's floats and rounded once: those of many 32-bit floats, one after the other, would be far off."""

import itertools

from floats import f32
from puzzle import Puzzle
from sequences import around_a_circle
from tolerances import allowed, unit_of


def model(numbers, pivot):
    return [f32(number) for number in itertools.accumulate(numbers)]


def tolerance(numbers, expected):
    unit = unit_of(numbers)
    return [allowed(magnitudes, unit) for magnitudes in itertools.accumulate(map(abs, numbers))]


PUZZLE = Puzzle(
    title="Device-wide prefix sum",
    model=model,
    numbers=around_a_circle(23, 55, -24),
    fixed_size=60000,
    whole=True,
    tolerance=tolerance,
)
