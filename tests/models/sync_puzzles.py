# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Models of the puzzles about synchronization, and their documented numbers. As in puzzles.py, a model takes the
elements of one warp or block, or all of them, and gives what belongs in the output."""

import itertools

from floats import f32, greatest, least, total
from tolerances import RELATIVE_TOLERANCE



def parts(numbers, length):
    return [numbers[start : start + length] for start in range(0, len(numbers), length)]


def race_and_atomic(block, pivot):
    negatives = [number for number in block if number < 0]
    return [float(len(negatives)), 1.0 if negatives else 0.0]


def syncwarp(warp, pivot):
    made = [f32(number * 2) if lane % 2 == 0 else -number for lane, number in enumerate(warp)]
    return made[::-1]


def barrier_stencil(numbers, pivot):
    return [total(numbers[max(0, i - 2) : i + 3]) for i in range(len(numbers))]


def ticket_semaphore(numbers, pivot):
    return list(itertools.accumulate(numbers, lambda before, number: greatest([before, number])))


def named_barrier(tile, pivot):
    return [float(sum(other < own for other in tile)) for own in tile]


def mbarrier_pipeline(tile, pivot):
    whole = tile + [0.0] * (64 - len(tile))
    return [f32(own + mirrored) for own, mirrored in zip(tile, reversed(whole))]


def async_copy(half, pivot):
    return list(reversed(half))


def threadfence(numbers, pivot):
    return [total(numbers)]


def of_all_magnitudes(numbers, expected):
    return [RELATIVE_TOLERANCE * sum(abs(number) for number in numbers)]


def schedule_barrier(block, pivot):
    sums = [total(block[column::64]) for column in range(64)]
    return [f32(own - mirrored) for own, mirrored in zip(sums, reversed(sums))]


def waitcnt(block, pivot):
    half = len(block) // 2
    return [f32(across - own) for across, own in zip(block[half:] + block[:half], block)]


def adaptive(warp, pivot):
    return [float(sum(number >= 0 for number in warp))] * len(warp)


def group_semaphore(numbers, pivot):
    seen = {True: 0, False: 0}
    output = []
    for number in numbers:
        output.append(float(seen[number < 0]))
        seen[number < 0] += 1
    return output


def lane_groups(jury, pivot):
    if len(jury) <= 2:
        return [total(jury)]
    return [f32(f32(total(jury) - greatest(jury)) - least(jury))]


def around_a_circle(step, circle, offset, divisor=1):
    """Steps around a circle of so many whole numbers, each divided by `divisor`, and then moved by `offset`."""
    return lambda size: [step * i % circle / divisor + offset for i in range(size)]


def squares_around_a_circle(squares, steps, circle, offset, divisor=1):
    return lambda size: [(squares * i * i + steps * i) % circle / divisor + offset for i in range(size)]


def up_and_down(size):
    return [float(17 * i % 29 + i // 29 * 20 % 31 - 80) for i in range(size)]
