# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What --vote computes, from its task alone: tests/models/puzzle.py explains it."""

from puzzle import Puzzle
from sequences import around_a_circle


def model(warp, pivot):
    answers = [number > pivot for number in warp]
    return [float(answers.count(answer)) for answer in answers]


PUZZLE = Puzzle(
    title="Warp vote",
    model=model,
    numbers=around_a_circle(7, 11, -5),
    fixed_size=80,
    pivot=-2.0,
)
