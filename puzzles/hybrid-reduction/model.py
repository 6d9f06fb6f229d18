# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What --hybrid-reduction computes, from its task alone: tests/models/puzzle.py explains it."""

import math

from puzzle import Puzzle


def model(block, pivot):
    real = [number for number in block if not math.isnan(number)]
    farthest = max(real, key=lambda number: (abs(number), number)) if real else math.nan
    return [farthest] * len(block)


PUZZLE = Puzzle(
    title="Hybrid reduction",
    model=model,
    numbers=lambda size: [float((97 * i + 300) % 1009 - 500) for i in range(size)],
    fixed_size=1000,
    block=416,
)
