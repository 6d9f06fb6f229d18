# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Models of the ten puzzles that the documents describe, and their numbers. As in puzzles.py, a model takes the
elements of one warp and gives what belongs in their places."""

import itertools

from floats import f32, greatest, least, total


def neighbor(warp, pivot):
    return [f32(right - left) for left, right in zip(warp, warp[1:])] + [0.0]


def average(warp, pivot):
    windows = [warp[lane : lane + 3] for lane in range(len(warp))]
    return [f32(total(window) / len(window)) for window in windows]


def broadcast_basic(warp, pivot):
    first_four = total(warp[:4])
    return [f32(first_four + number) for number in warp]


def broadcast_conditional(warp, pivot):
    decision = warp[0]
    for number in warp[1:8]:
        if number > decision:
            decision = number
    threshold = f32(decision / 2)
    return [f32(number * 2) if number >= threshold else f32(number / 2) for number in warp]


def broadcast_shuffle_coordination(warp, pivot):
    mean = f32(total(warp[:4]) / 4)
    return [f32(f32(left + right) * mean) for left, right in zip(warp, warp[1:])] + [f32(warp[-1] * mean)]


def pair_swap(warp, pivot):
    pairs = [warp[lane : lane + 2] for lane in range(0, len(warp), 2)]
    return [number for pair in pairs for number in reversed(pair)]


def parallel_max(warp, pivot):
    return [greatest(warp)] * len(warp)


def conditional_max(warp, pivot):
    return list(itertools.islice(itertools.cycle([greatest(warp), least(warp)]), len(warp)))


def prefix_sum(warp, pivot):
    return list(itertools.accumulate(warp, lambda before, number: f32(before + number)))


def partition(warp, pivot):
    return [number for number in warp if number < pivot] + [number for number in warp if not number < pivot]


def repeating(pattern):
    return lambda size: [float(pattern[i % len(pattern)]) for i in range(size)]


def two_patterns(size):
    return [float([2, 4, 6, 8][i]) if i < 4 else float([1, 3, 5, 7][i % 4]) for i in range(size)]


def evens_and_thousand(size):
    return [1000.0 if i == size - 1 else f32(2 * i) for i in range(size)]


def disorder(size):
    start = [3, 1, 7, 2, 9, 4, 8, 5, 6]
    return [f32(start[i] if i < len(start) else i % 10 if i < 32 else i) for i in range(size)]
