# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What --walsh-transform computes, from its task alone: tests/models/puzzle.py explains it."""

from puzzle import Puzzle
from sequences import around_a_circle
from tolerances import of_all_magnitudes
from transforms import walsh_transform


def model(numbers, pivot):
    return walsh_transform(numbers)


PUZZLE = Puzzle(
    title="Warp Walsh transform",
    model=model,
    numbers=around_a_circle(20, 51, -25),
    fixed_size=75,
    tolerance=of_all_magnitudes,
)
