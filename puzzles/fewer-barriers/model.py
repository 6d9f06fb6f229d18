# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What --fewer-barriers computes, from its task alone: tests/models/puzzle.py explains it."""

import itertools

from floats import greatest
from puzzle import Puzzle


def model(block, pivot):
    return list(itertools.accumulate(block, lambda so_far, x: greatest([so_far, x])))


PUZZLE = Puzzle(
    title="Fewer barriers",
    model=model,
    numbers=lambda size: [(i * 41 % 113 + i % 128) / 2 - 50 for i in range(size)],
    fixed_size=300,
    block=128,
)
