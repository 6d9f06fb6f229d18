# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What --race-and-atomic computes, from its task alone: tests/models/puzzle.py explains it."""

from puzzle import Puzzle
from sequences import around_a_circle


def model(block, pivot):
    negatives = [number for number in block if number < 0]
    return [float(len(negatives)), 1.0 if negatives else 0.0]


PUZZLE = Puzzle(
    title="Race and atomic",
    model=model,
    numbers=around_a_circle(17, 41, -23),
    fixed_size=250,
    block=96,
)
