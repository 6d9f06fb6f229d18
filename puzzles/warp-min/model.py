# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What --warp-min computes, from its task alone: tests/models/puzzle.py explains it."""

from floats import least
from puzzle import Puzzle


def model(warp, pivot):
    lanes = [lane for lane, number in enumerate(warp) if number == least(warp)]
    return [float(lanes[0]) if lanes else -1.0] * len(warp)


def numbers(size):
    return [float((7 * i + 5) % 11 + 3) for i in range(size)]


PUZZLE = Puzzle(
    title="Lane of the warp minimum",
    model=model,
    numbers=numbers,
    fixed_size=80,
)
