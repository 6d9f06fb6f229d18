# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What --block-walsh-transform computes, from its task alone: tests/models/puzzle.py explains it."""

from puzzle import Puzzle
from sequences import around_a_circle
from tolerances import of_all_magnitudes
from transforms import walsh_transform


def model(numbers, pivot):
    return walsh_transform(numbers)


PUZZLE = Puzzle(
    title="Block Walsh transform",
    model=model,
    numbers=around_a_circle(28, 67, -33),
    fixed_size=400,
    block=256,
    tolerance=of_all_magnitudes,
)
