# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What --dot-product computes, from its task alone: tests/models/puzzle.py explains it."""

from floats import f32, total
from puzzle import Puzzle
from sequences import around_a_circle
from tolerances import RELATIVE_TOLERANCE


BLOCK = 160  # threads


def vectors(numbers):
    """The first half of the numbers and the second; of an odd number of them, a zero is the second's last."""
    length = -(-len(numbers) // 2)
    return numbers[:length], numbers[length:] + [0.0] * (2 * length - len(numbers))


def products_by_block(numbers):
    products = [a * b for a, b in zip(*vectors(numbers))]
    return [products[start : start + BLOCK] for start in range(0, len(products), BLOCK)]


def model(numbers, pivot):
    return [total(map(f32, products)) for products in products_by_block(numbers)]


def tolerance(numbers, expected):
    return [RELATIVE_TOLERANCE * sum(map(abs, products)) for products in products_by_block(numbers)]


PUZZLE = Puzzle(
    title="Dot product",
    model=model,
    numbers=around_a_circle(19, 31, -13),
    fixed_size=500,
    block=BLOCK,
    whole=True,
    tolerance=tolerance,
)
