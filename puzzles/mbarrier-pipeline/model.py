# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What --mbarrier-pipeline computes, from its task alone: tests/models/puzzle.py explains it."""

from floats import f32
from puzzle import Puzzle
from sequences import squares_around_a_circle


def model(tile, pivot):
    whole = tile + [0.0] * (64 - len(tile))
    return [f32(own + mirrored) for own, mirrored in zip(tile, reversed(whole))]


PUZZLE = Puzzle(
    title="Pipeline with mbarriers",
    model=model,
    numbers=squares_around_a_circle(7, 3, 73, -30),
    fixed_size=384,
    block=64,
)
