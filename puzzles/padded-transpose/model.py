# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What --padded-transpose computes, from its task alone: tests/models/puzzle.py explains it."""

from puzzle import Puzzle
from sequences import around_a_circle


def model(tile, pivot):
    rows = [tile[i : i + 32] for i in range(0, 1024, 32)]
    return [row[i] for i in range(32) for row in rows]


PUZZLE = Puzzle(
    title="Padded transpose",
    model=model,
    numbers=around_a_circle(277, 1009, -500),
    fixed_size=1100,
    block=1024,
    padded=True,
)
