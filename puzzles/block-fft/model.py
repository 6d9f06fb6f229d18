# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What --block-fft computes, from its task alone: tests/models/puzzle.py explains it."""

from puzzle import Puzzle
from sequences import tones
from tolerances import of_fractions
from transforms import fourier_transform


def model(parts, pivot):
    return fourier_transform(parts)


PUZZLE = Puzzle(
    title="Block FFT",
    model=model,
    numbers=tones(256),
    fixed_size=769,
    block=256,
    per_thread=2,
    padded=True,
    tolerance=of_fractions,
    has_fractions=True,
)
