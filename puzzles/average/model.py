# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What --average computes, from its task alone: tests/models/puzzle.py explains it."""

from floats import f32, total
from puzzle import Puzzle
from tolerances import relative


def model(warp, pivot):
    windows = [warp[lane : lane + 3] for lane in range(len(warp))]
    return [f32(total(window) / len(window)) for window in windows]


PUZZLE = Puzzle(
    title="Moving average",
    model=model,
    numbers=lambda size: [f32((i + 1) * (i + 2) // 2) for i in range(size)],
    boxed=True,
    fixed_size=64,
    label="SIZE_2",
    tolerance=relative,
)
