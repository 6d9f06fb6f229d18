# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What --shuffle-idx computes, from its task alone: tests/models/puzzle.py explains it."""

from puzzle import Puzzle


def model(warp, pivot):
    return warp[0::2] + warp[1::2]


def numbers(size):
    """1 - 1i, 2 - 2i, 3 - 3i, …"""
    return [float(i // 2 + 1) * (-1) ** i for i in range(size)]


PUZZLE = Puzzle(
    title="Deinterleave",
    model=model,
    numbers=numbers,
    fixed_size=80,
)
