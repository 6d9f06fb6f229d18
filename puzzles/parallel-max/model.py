# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What --parallel-max computes, from its task alone: tests/models/puzzle.py explains it."""

from floats import f32, greatest
from puzzle import Puzzle


def model(warp, pivot):
    return [greatest(warp)] * len(warp)


def numbers(size):
    return [1000.0 if i == size - 1 else f32(2 * i) for i in range(size)]


PUZZLE = Puzzle(
    title="Butterfly parallel max",
    model=model,
    numbers=numbers,
)
