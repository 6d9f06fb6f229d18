# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What --syncwarp computes, from its task alone: tests/models/puzzle.py explains it."""

from floats import f32
from puzzle import Puzzle
from sequences import around_a_circle


def model(warp, pivot):
    made = [f32(number * 2) if lane % 2 == 0 else -number for lane, number in enumerate(warp)]
    return made[::-1]


PUZZLE = Puzzle(
    title="Warp synchronization",
    model=model,
    numbers=around_a_circle(23, 89, -40),
    fixed_size=80,
)
