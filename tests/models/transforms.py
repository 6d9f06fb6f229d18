# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Transforms that several puzzles compute."""

from floats import f32


def walsh_transform(numbers):
    """By J. J. Sylvester's construction of a Hadamard matrix: four of half its size, the last one negative."""
    if len(numbers) == 1:
        return numbers
    half = 1 << (len(numbers) - 1).bit_length() - 1
    first, second = (walsh_transform(part + [0.0] * (half - len(part))) for part in (numbers[:half], numbers[half:]))
    pairs = list(zip(first, second))
    return ([f32(a + b) for a, b in pairs] + [f32(a - b) for a, b in pairs])[: len(numbers)]
