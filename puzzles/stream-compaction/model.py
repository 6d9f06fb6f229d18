# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What --stream-compaction computes, from its task alone: tests/models/puzzle.py explains it."""

from puzzle import Puzzle
from sequences import around_a_circle


def model(warp, pivot):
    kept = [number for number in warp if number > pivot]
    return kept + [0.0] * (len(warp) - len(kept))


PUZZLE = Puzzle(
    title="Warp stream compaction",
    model=model,
    numbers=around_a_circle(5, 13, -6),
    fixed_size=80,
    pivot=-1.0,
)
