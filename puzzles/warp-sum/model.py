# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What --warp-sum computes, from its task alone: tests/models/puzzle.py explains it."""

from floats import total
from puzzle import Puzzle
from tolerances import of_all_magnitudes


def model(warp, pivot):
    return [total(warp)] * len(warp)


def numbers(size):
    return [13 * i % 32 / 2 - 6 for i in range(size)]


PUZZLE = Puzzle(
    title="Warp sum",
    model=model,
    numbers=numbers,
    fixed_size=80,
    tolerance=of_all_magnitudes,
)
