# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What --warp-histogram computes, from its task alone: tests/models/puzzle.py explains it."""

from puzzle import Puzzle
from sequences import around_a_circle


def model(block, pivot):
    counts = [0.0] * 4
    for x in block:
        counts[sum(x >= least for least in (0, 16, 32))] += 1
    return counts


PUZZLE = Puzzle(
    title="Histogram in the warp",
    model=model,
    numbers=around_a_circle(23, 59, -12),
    fixed_size=300,
    block=128,
)
