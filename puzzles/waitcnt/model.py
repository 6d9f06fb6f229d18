# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What --waitcnt computes, from its task alone: tests/models/puzzle.py explains it."""

from floats import f32
from puzzle import Puzzle
from sequences import squares_around_a_circle


def model(block, pivot):
    half = len(block) // 2
    return [f32(across - own) for across, own in zip(block[half:] + block[:half], block)]


PUZZLE = Puzzle(
    title="Wait counts",
    model=model,
    numbers=squares_around_a_circle(3, 5, 67, -33),
    fixed_size=192,
    block=96,
)
