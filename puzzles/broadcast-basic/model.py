# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What --broadcast-basic computes, from its task alone: tests/models/puzzle.py explains it."""

from floats import f32, total
from puzzle import Puzzle


def model(warp, pivot):
    first_four = total(warp[:4])
    return [f32(first_four + number) for number in warp]


PUZZLE = Puzzle(
    title="Basic broadcast",
    model=model,
    numbers=lambda size: [f32(i + 1) for i in range(size)],
    boxed=True,
)
