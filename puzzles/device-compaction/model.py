# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What --device-compaction computes, from its task alone: tests/models/puzzle.py explains it."""

from puzzle import Puzzle
from sequences import around_a_circle


def model(numbers, pivot):
    kept = [number for number in numbers if number > pivot]
    return kept + [0.0] * (len(numbers) - len(kept))


PUZZLE = Puzzle(
    title="Device-wide compaction",
    model=model,
    numbers=around_a_circle(44, 67, -31.25),
    fixed_size=50000,
    whole=True,
    pivot=5.0,
)
