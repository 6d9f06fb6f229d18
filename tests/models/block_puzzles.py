# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Models of the puzzles whose blocks have several warps. As in puzzles.py, a model takes the elements of one block, or
all of them, and gives what belongs in the output."""

import itertools
import math

from floats import f32, greatest, least, total
from tolerances import RELATIVE_TOLERANCE


DOT_BLOCK = 160


def vectors(numbers):
    """The first half of the numbers and the second; of an odd number of them, a zero is the second's last."""
    length = -(-len(numbers) // 2)
    return numbers[:length], numbers[length:] + [0.0] * (2 * length - len(numbers))


def products_by_block(numbers):
    products = [a * b for a, b in zip(*vectors(numbers))]
    return [products[start : start + DOT_BLOCK] for start in range(0, len(products), DOT_BLOCK)]


def dot_product(numbers, pivot):
    return [total(map(f32, products)) for products in products_by_block(numbers)]


def of_dot_products(numbers, expected):
    return [RELATIVE_TOLERANCE * sum(map(abs, products)) for products in products_by_block(numbers)]


def block_sum(block, pivot):
    return [total(block)] * len(block)


def block_max(block, pivot):
    return [greatest(block)] * len(block)


def block_min(block, pivot):
    return [least(block)]


def block_broadcast(block, pivot):
    return [f32(block[-1] - number) for number in block]


def block_prefix_sum(block, pivot):
    return list(itertools.accumulate(block, lambda before, number: f32(before + number)))


def hybrid_reduction(block, pivot):
    real = [number for number in block if not math.isnan(number)]
    farthest = max(real, key=lambda number: (abs(number), number)) if real else math.nan
    return [farthest] * len(block)


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


def tiled_matmul(numbers, pivot, shape):
    rows, columns = matrices(numbers, shape)
    return [fused(row, column) for row in rows for column in columns]


def of_products(numbers, expected, shape):
    rows, columns = matrices(numbers, shape)
    return [RELATIVE_TOLERANCE * sum(abs(a * b) for a, b in zip(row, column)) for row in rows for column in columns]
