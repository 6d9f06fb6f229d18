# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What --async-copy computes, from its task alone: tests/models/puzzle.py explains it."""

from puzzle import Puzzle
from sequences import around_a_circle


def model(half, pivot):
    return list(reversed(half))


PUZZLE = Puzzle(
    title="Asynchronous copy",
    model=model,
    numbers=around_a_circle(41, 97, -50),
    fixed_size=256,
    block=64,
)
