# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What --fft computes, from its task alone: tests/models/puzzle.py explains it."""

from puzzle import Puzzle
from sequences import tones
from tolerances import of_fractions
from transforms import fourier_transform


def model(parts, pivot):
    return fourier_transform(parts)


PUZZLE = Puzzle(
    title="Warp FFT",
    model=model,
    numbers=tones(64),
    fixed_size=161,
    per_thread=2,
    padded=True,
    tolerance=of_fractions,
    has_fractions=True,
)
