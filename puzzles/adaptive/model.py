# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What --adaptive computes, from its task alone: tests/models/puzzle.py explains it."""

from puzzle import Puzzle
from sequences import around_a_circle


def model(warp, pivot):
    return [float(sum(number >= 0 for number in warp))] * len(warp)


PUZZLE = Puzzle(
    title="Adaptive algorithm",
    model=model,
    numbers=around_a_circle(5, 19, -11),
    fixed_size=80,
    path="portable",
)
