# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What --broadcast-conditional computes, from its task alone: tests/models/puzzle.py explains it."""

from floats import f32
from puzzle import Puzzle
from sequences import repeating


def model(warp, pivot):
    decision = warp[0]
    for number in warp[1:8]:
        if number > decision:
            decision = number
    threshold = f32(decision / 2)
    return [f32(number * 2) if number >= threshold else f32(number / 2) for number in warp]


PUZZLE = Puzzle(
    title="Conditional broadcast",
    model=model,
    numbers=repeating([3, 1, 7, 2, 9, 4, 6, 8]),
    boxed=True,
)
