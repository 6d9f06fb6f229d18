# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What --block-fft computes, from its task alone: tests/models/puzzle.py explains it."""

from puzzle import Puzzle
from tolerances import of_fractions
from transforms import fourier_transform


def model(parts, pivot):
    return fourier_transform(parts)


def numbers(size):
    """A tone in 256 complex numbers of 512, and an impulse in every 64."""
    tone = ((1.0, 0.0), (0.0, 1.0), (-1.0, 0.0), (0.0, -1.0))
    parts = []
    for i in range((size + 1) // 2):
        re, im = tone[i % 4] if i // 256 % 2 == 0 else (0.0, 0.0)
        impulse = i // 64 % 10
        parts += [re, im] if i % 64 else [re + 5 + 2 * impulse, im + 2 + impulse]
    return parts[:size]


PUZZLE = Puzzle(
    title="Block FFT",
    model=model,
    numbers=numbers,
    fixed_size=769,
    block=256,
    per_thread=2,
    padded=True,
    tolerance=of_fractions,
    has_fractions=True,
)
