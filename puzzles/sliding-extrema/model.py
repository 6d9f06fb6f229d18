# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What --sliding-extrema computes, from its task alone: tests/models/puzzle.py explains it."""

from floats import f32, greatest, least
from puzzle import Puzzle
from sequences import around_a_circle


def model(warp, pivot):
    windows = [warp[lane : lane + 8] for lane in range(len(warp))]
    return [f32(greatest(window) - least(window)) for window in windows]


PUZZLE = Puzzle(
    title="Sliding extrema",
    model=model,
    numbers=around_a_circle(38, 89, -44),
    fixed_size=90,
)
