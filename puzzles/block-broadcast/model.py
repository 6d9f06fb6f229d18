# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What --block-broadcast computes, from its task alone: tests/models/puzzle.py explains it."""

from floats import f32
from puzzle import Puzzle
from sequences import around_a_circle


def model(block, pivot):
    return [f32(block[-1] - number) for number in block]


PUZZLE = Puzzle(
    title="Block broadcast",
    model=model,
    numbers=around_a_circle(23, 83, -40),
    fixed_size=120,
    block=48,
)
