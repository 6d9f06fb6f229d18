# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What --ticket-semaphore computes, from its task alone: tests/models/puzzle.py explains it."""

import itertools

from floats import greatest
from puzzle import Puzzle


def model(numbers, pivot):
    return list(itertools.accumulate(numbers, lambda before, number: greatest([before, number])))


def numbers(size):
    return [float(17 * i % 29 + i // 29 * 20 % 31 - 80) for i in range(size)]


PUZZLE = Puzzle(
    title="Ticket and semaphore",
    model=model,
    numbers=numbers,
    fixed_size=200,
    whole=True,
)
