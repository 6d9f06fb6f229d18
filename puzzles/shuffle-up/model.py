# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What --shuffle-up computes, from its task alone: tests/models/puzzle.py explains it."""

from floats import f32
from puzzle import Puzzle
from sequences import around_a_circle


def model(warp, pivot):
    return warp[:1] + [f32(right - left) for left, right in zip(warp, warp[1:])]


PUZZLE = Puzzle(
    title="Delta encoding",
    model=model,
    numbers=around_a_circle(37, 101, -50),
    fixed_size=80,
)
