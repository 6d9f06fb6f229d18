# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Documented inputs of several puzzles: each gives a function from a size to so many numbers."""


def around_a_circle(step, circle, offset, divisor=1):
    """Steps around a circle of so many whole numbers, each divided by `divisor`, and then moved by `offset`."""
    return lambda size: [step * i % circle / divisor + offset for i in range(size)]


def squares_around_a_circle(squares, steps, circle, offset, divisor=1):
    return lambda size: [(squares * i * i + steps * i) % circle / divisor + offset for i in range(size)]


def repeating(pattern):
    return lambda size: [float(pattern[i % len(pattern)]) for i in range(size)]
