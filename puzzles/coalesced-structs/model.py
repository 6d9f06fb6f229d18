# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What --coalesced-structs computes, from its task alone: tests/models/puzzle.py explains it."""

from floats import greatest
from puzzle import Puzzle
from sequences import around_a_circle


def model(block, pivot):
    whole = block + [0.0] * (-len(block) % 3)
    return [greatest(whole[i : i + 3]) for i in range(0, len(whole), 3)]


PUZZLE = Puzzle(
    title="Coalesced structs",
    model=model,
    numbers=around_a_circle(61, 157, -100),
    fixed_size=450,
    block=64,
    per_thread=3,
)
