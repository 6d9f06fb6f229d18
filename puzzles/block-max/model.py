# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What --block-max computes, from its task alone: tests/models/puzzle.py explains it."""

from floats import greatest
from puzzle import Puzzle
from sequences import around_a_circle


def model(block, pivot):
    return [greatest(block)] * len(block)


PUZZLE = Puzzle(
    title="Block maximum",
    model=model,
    numbers=around_a_circle(107, 331, -340),
    fixed_size=300,
    block=120,
)
