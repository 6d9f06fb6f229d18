# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What --neighbor computes, from its task alone: tests/models/puzzle.py explains it."""

from floats import f32
from puzzle import Puzzle


def model(warp, pivot):
    return [f32(right - left) for left, right in zip(warp, warp[1:])] + [0.0]


PUZZLE = Puzzle(
    title="Basic neighbor difference",
    model=model,
    numbers=lambda size: [f32(i * i) for i in range(size)],
)
