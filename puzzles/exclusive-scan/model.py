# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What --exclusive-scan computes, from its task alone: tests/models/puzzle.py explains it."""

from floats import total
from puzzle import Puzzle
from tolerances import of_magnitudes_before


def model(warp, pivot):
    return [total(warp[:lane]) for lane in range(len(warp))]


PUZZLE = Puzzle(
    title="Warp exclusive prefix sum",
    model=model,
    numbers=lambda size: [float((17 * i + 3) % 29 - 11) for i in range(size)],
    fixed_size=80,
    tolerance=of_magnitudes_before,
)
