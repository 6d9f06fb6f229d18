# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What --lane-groups computes, from its task alone: tests/models/puzzle.py explains it."""

from floats import f32, greatest, least, total
from puzzle import Puzzle
from sequences import squares_around_a_circle
from tolerances import of_all_magnitudes


def model(jury, pivot):
    if len(jury) <= 2:
        return [total(jury)]
    return [f32(f32(total(jury) - greatest(jury)) - least(jury))]


PUZZLE = Puzzle(
    title="Lane groups",
    model=model,
    numbers=squares_around_a_circle(5, 3, 19, 1, divisor=2),
    fixed_size=204,
    block=8,
    tolerance=of_all_magnitudes,
)
