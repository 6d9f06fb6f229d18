# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What --named-barrier computes, from its task alone: tests/models/puzzle.py explains it."""

from puzzle import Puzzle
from sequences import around_a_circle


def model(tile, pivot):
    return [float(sum(other < own for other in tile)) for own in tile]


PUZZLE = Puzzle(
    title="Named barriers",
    model=model,
    numbers=around_a_circle(29, 83, -9, divisor=2),
    fixed_size=300,
    block=64,
)
