# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What --block-sum computes, from its task alone: tests/models/puzzle.py explains it."""

from floats import total
from puzzle import Puzzle
from tolerances import of_all_magnitudes


def model(block, pivot):
    return [total(block)] * len(block)


PUZZLE = Puzzle(
    title="Block sum",
    model=model,
    numbers=lambda size: [17 * i % 41 / 2 - 9 for i in range(size)],
    fixed_size=250,
    block=96,
    tolerance=of_all_magnitudes,
)
