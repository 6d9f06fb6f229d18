# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What --group-semaphore computes, from its task alone: tests/models/puzzle.py explains it."""

from puzzle import Puzzle
from sequences import around_a_circle


def model(numbers, pivot):
    seen = {True: 0, False: 0}
    output = []
    for number in numbers:
        output.append(float(seen[number < 0]))
        seen[number < 0] += 1
    return output


PUZZLE = Puzzle(
    title="Semaphores of warps",
    model=model,
    numbers=around_a_circle(9, 23, -8),
    fixed_size=200,
    whole=True,
)
