# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Documented inputs of several puzzles: each gives a function from a size to so many numbers."""


def around_a_circle(step, circle, offset, divisor=1):
    """Steps around a circle of so many whole numbers, each divided by `divisor`, and then moved by `offset`."""
    return lambda size: [step * i % circle / divisor + offset for i in range(size)]


def squares_around_a_circle(squares, steps, circle, offset, divisor=1):
    return lambda size: [(squares * i * i + steps * i) % circle / divisor + offset for i in range(size)]


def repeating(pattern):
    return lambda size: [float(pattern[i % len(pattern)]) for i in range(size)]


def tones(length):
    """Complex numbers, real and imaginary parts in turn: a tone in stretches of that length, as long a silence between
    them, and an impulse in every quarter of it."""

    def parts(size):
        tone = ((1.0, 0.0), (0.0, 1.0), (-1.0, 0.0), (0.0, -1.0))
        found = []
        for i in range((size + 1) // 2):
            re, im = tone[i % 4] if i // length % 2 == 0 else (0.0, 0.0)
            impulse = i // (length // 4) % 10
            found += [re, im] if i % (length // 4) else [re + 5 + 2 * impulse, im + 2 + impulse]
        return found[:size]

    return parts
