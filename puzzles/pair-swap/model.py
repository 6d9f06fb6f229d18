# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What --pair-swap computes, from its task alone: tests/models/puzzle.py explains it."""

from floats import f32
from puzzle import Puzzle


def model(warp, pivot):
    pairs = [warp[lane : lane + 2] for lane in range(0, len(warp), 2)]
    return [number for pair in pairs for number in reversed(pair)]


PUZZLE = Puzzle(
    title="Butterfly pair swap",
    model=model,
    numbers=lambda size: [f32(i) for i in range(size)],
)
