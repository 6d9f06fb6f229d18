# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What --tiled-matmul computes, from its task alone: tests/models/puzzle.py explains it."""

from floats import f32
from puzzle import Puzzle
from tolerances import RELATIVE_TOLERANCE


def matrices(numbers, shape):
    """The rows of the first and the columns of the second matrix; numbers that are missing are zeros."""
    m, n, k = shape
    padded = list(numbers) + [0.0] * (m * k + k * n - len(numbers))
    first, second = padded[: m * k], padded[m * k :]
    return [first[i * k : (i + 1) * k] for i in range(m)], [second[j::n] for j in range(n)]


def fused(row, column):
    """The sum of the products from the left, each rounded together with its addition."""
    result = 0.0
    for a, b in zip(row, column):
        result = f32(a * b + result)
    return result


def model(numbers, pivot, shape):
    rows, columns = matrices(numbers, shape)
    return [fused(row, column) for row in rows for column in columns]


def tolerance(numbers, expected, shape):
    rows, columns = matrices(numbers, shape)
    return [RELATIVE_TOLERANCE * sum(abs(a * b) for a, b in zip(row, column)) for row in rows for column in columns]


PUZZLE = Puzzle(
    title="Tiled matrix multiplication",
    model=model,
    numbers=lambda size: [float(29 * i % 43 % 11 - 5) for i in range(size)],
    fixed_size=2 * 64 * 64,
    whole=True,
    shape=(64, 64, 64),
    tolerance=tolerance,
)
