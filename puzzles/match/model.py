# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What --match computes, from its task alone: tests/models/puzzle.py explains it."""

from floats import bits
from puzzle import Puzzle
from sequences import squares_around_a_circle


def model(warp, pivot):
    patterns = [bits(number) for number in warp]
    return [float(patterns.count(pattern)) for pattern in patterns]


PUZZLE = Puzzle(
    title="Warp match",
    model=model,
    numbers=squares_around_a_circle(1, 0, 7, -2),
    fixed_size=80,
)
