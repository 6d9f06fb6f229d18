# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What --schedule-barrier computes, from its task alone: tests/models/puzzle.py explains it."""

from floats import f32, total
from puzzle import Puzzle
from sequences import around_a_circle


def model(block, pivot):
    sums = [total(block[column::64]) for column in range(64)]
    return [f32(own - mirrored) for own, mirrored in zip(sums, reversed(sums))]


PUZZLE = Puzzle(
    title="Schedule barrier",
    model=model,
    numbers=around_a_circle(43, 103, -20, divisor=2),
    fixed_size=500,
    block=256,
)
