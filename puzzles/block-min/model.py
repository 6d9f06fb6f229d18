# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What --block-min computes, from its task alone: tests/models/puzzle.py explains it."""

from floats import least
from puzzle import Puzzle


def model(block, pivot):
    return [least(block)]


PUZZLE = Puzzle(
    title="Block minimum",
    model=model,
    numbers=lambda size: [float((37 * i + 150) % 509 + 3) for i in range(size)],
    fixed_size=500,
    block=200,
)
