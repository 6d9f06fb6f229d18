# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What --broadcast-shuffle-coordination computes, from its task alone: tests/models/puzzle.py explains it."""

from floats import f32, total
from puzzle import Puzzle


def model(warp, pivot):
    mean = f32(total(warp[:4]) / 4)
    return [f32(f32(left + right) * mean) for left, right in zip(warp, warp[1:])] + [f32(warp[-1] * mean)]


def numbers(size):
    return [float([2, 4, 6, 8][i]) if i < 4 else float([1, 3, 5, 7][i % 4]) for i in range(size)]


PUZZLE = Puzzle(
    title="Broadcast + Shuffle coordination",
    model=model,
    numbers=numbers,
    boxed=True,
)
