# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Transforms that several puzzles compute."""

import cmath
import math

from floats import f32


def walsh_transform(numbers):
    """By J. J. Sylvester's construction of a Hadamard matrix: four of half its size, the last one negative."""
    if len(numbers) == 1:
        return numbers
    half = 1 << (len(numbers) - 1).bit_length() - 1
    first, second = (walsh_transform(part + [0.0] * (half - len(part))) for part in (numbers[:half], numbers[half:]))
    pairs = list(zip(first, second))
    return ([f32(a + b) for a, b in pairs] + [f32(a - b) for a, b in pairs])[: len(numbers)]


def fourier_transform(parts):
    """By its definition, of complex numbers that are two parts each."""
    if not all(map(math.isfinite, parts)):
        return [math.nan] * len(parts)
    length = len(parts) // 2
    numbers = [(i, complex(*pair)) for i, pair in enumerate(zip(parts[::2], parts[1::2])) if pair != (0, 0)]
    # A quarter of a circle is exact.
    roots = [cmath.exp(-2j * cmath.pi * i / length) * (-1j) ** quarter
             for quarter in range(4) for i in range(length // 4)]
    results = [sum((number * roots[i * k % length] for i, number in numbers), 0j) for k in range(length)]
    return [f32(part) for result in results for part in (result.real, result.imag)]
