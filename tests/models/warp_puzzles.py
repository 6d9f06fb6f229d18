# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Models of the puzzles that exercise one warp operation each, and their documented numbers. As in puzzles.py, a model
takes the elements of one warp and gives what belongs in their places."""

import math

from floats import bits, f32, greatest, least, total


def shuffle_up(warp, pivot):
    return warp[:1] + [f32(right - left) for left, right in zip(warp, warp[1:])]


def shuffle_idx(warp, pivot):
    return warp[0::2] + warp[1::2]


def rotate(warp, pivot):
    return warp[1:] + warp[:1]


def reverse(warp, pivot):
    return warp[::-1]


def warp_sum(warp, pivot):
    return [total(warp)] * len(warp)


def warp_max(warp, pivot):
    return [f32(number - greatest(warp)) for number in warp]


def warp_min(warp, pivot):
    lanes = [lane for lane, number in enumerate(warp) if number == least(warp)]
    return [float(lanes[0]) if lanes else -1.0] * len(warp)


def exclusive_scan(warp, pivot):
    return [total(warp[:lane]) for lane in range(len(warp))]


def vote(warp, pivot):
    answers = [number > pivot for number in warp]
    return [float(answers.count(answer)) for answer in answers]


def match(warp, pivot):
    patterns = [bits(number) for number in warp]
    return [float(patterns.count(pattern)) for pattern in patterns]


def stream_compaction(warp, pivot):
    kept = [number for number in warp if number > pivot]
    return kept + [0.0] * (len(warp) - len(kept))


def in_order(warp, pivot):
    numbers = sorted(number for number in warp if not math.isnan(number))
    return numbers + [math.nan] * (len(warp) - len(numbers))


def sliding_extrema(warp, pivot):
    windows = [warp[lane : lane + 8] for lane in range(len(warp))]
    return [f32(greatest(window) - least(window)) for window in windows]


def walsh_transform(warp, pivot):
    """By J. J. Sylvester's construction of a Hadamard matrix: four of half its size, the last one negative."""
    if len(warp) == 1:
        return warp
    half = 1 << (len(warp) - 1).bit_length() - 1
    first, second = (walsh_transform(part + [0.0] * (half - len(part)), pivot) for part in (warp[:half], warp[half:]))
    pairs = list(zip(first, second))
    return ([f32(a + b) for a, b in pairs] + [f32(a - b) for a, b in pairs])[: len(warp)]


def around_a_circle(step, circle, offset):
    """Numbers in disorder: steps around a circle of so many whole numbers from `offset` on."""
    return lambda size: [float(step * i % circle + offset) for i in range(size)]


def complex_numbers(size):
    """1 - 1i, 2 - 2i, 3 - 3i, …"""
    return [float(i // 2 + 1) * (-1) ** i for i in range(size)]


def halves(size):
    return [13 * i % 32 / 2 - 6 for i in range(size)]


def often_the_same(size):
    return [float((7 * i + 5) % 11 + 3) for i in range(size)]


def squares_around_a_circle(size):
    return [float(i * i % 7 - 2) for i in range(size)]
