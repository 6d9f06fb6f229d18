# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What --warp-max computes, from its task alone: tests/models/puzzle.py explains it."""

from floats import f32, greatest
from puzzle import Puzzle
from sequences import around_a_circle


def model(warp, pivot):
    return [f32(number - greatest(warp)) for number in warp]


PUZZLE = Puzzle(
    title="Warp maximum",
    model=model,
    numbers=around_a_circle(29, 97, -97),
    fixed_size=80,
)
