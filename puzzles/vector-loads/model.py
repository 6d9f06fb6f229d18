# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What --vector-loads computes, from its task alone: tests/models/puzzle.py explains it."""

from floats import f32, least
from puzzle import Puzzle
from sequences import around_a_circle


def model(group, pivot):
    return [f32(x - least(group)) for x in group]


PUZZLE = Puzzle(
    title="Vector loads",
    model=lambda block, pivot: [x for i in range(0, len(block), 4) for x in model(block[i : i + 4], pivot)],
    numbers=around_a_circle(89, 211, -20, divisor=4),
    fixed_size=500,
    block=64,
    per_thread=4,
)
