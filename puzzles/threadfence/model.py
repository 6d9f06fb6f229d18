# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What --threadfence computes, from its task alone: tests/models/puzzle.py explains it."""

from floats import total
from puzzle import Puzzle
from sequences import around_a_circle
from tolerances import of_all_magnitudes


def model(numbers, pivot):
    return [total(numbers)]


PUZZLE = Puzzle(
    title="Sum by the last block",
    model=model,
    numbers=around_a_circle(13, 47, -8, divisor=2),
    fixed_size=1000,
    whole=True,
    tolerance=of_all_magnitudes,
)
