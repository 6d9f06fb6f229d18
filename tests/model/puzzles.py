# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The ten documented puzzles, written down a second time, from their description alone.

A model takes the elements of one warp and gives what belongs in their places, with every operation rounded to a
32-bit float. It shares nothing with the program that it judges.
"""

import itertools
import math
from dataclasses import dataclass
from typing import Callable, Optional

from floats import f32

RELATIVE_TOLERANCE = 1e-5


def total(numbers):
    """The sum from the left, rounded after each addition."""
    result = 0.0
    for number in numbers:
        result = f32(result + number)
    return result


def greatest(numbers):
    """The maximum that ignores NaN, as long as there is a number."""
    real = [number for number in numbers if not math.isnan(number)]
    return max(real) if real else math.nan


def least(numbers):
    """The minimum that ignores NaN, as long as there is a number."""
    real = [number for number in numbers if not math.isnan(number)]
    return min(real) if real else math.nan


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


def exact(warp, expected):
    return [0.0] * len(warp)


def relative(warp, expected):
    return [RELATIVE_TOLERANCE * abs(number) for number in expected]


def of_magnitudes(warp, expected):
    return [RELATIVE_TOLERANCE * magnitudes for magnitudes in itertools.accumulate(abs(number) for number in warp)]


def repeating(pattern):
    return lambda size: [float(pattern[i % len(pattern)]) for i in range(size)]


def two_patterns(size):
    return [float([2, 4, 6, 8][i]) if i < 4 else float([1, 3, 5, 7][i % 4]) for i in range(size)]


def evens_and_thousand(size):
    return [1000.0 if i == size - 1 else f32(2 * i) for i in range(size)]


def disorder(size):
    start = [3, 1, 7, 2, 9, 4, 8, 5, 6]
    return [f32(start[i] if i < len(start) else i % 10 if i < 32 else i) for i in range(size)]


@dataclass(frozen=True)
class Puzzle:
    flag: str
    title: str
    model: Callable  # (the warp's elements, pivot) -> what belongs in their places
    numbers: Callable  # size -> the documented input, carried on
    boxed: bool = False  # HostBuffer([...]) instead of [...]
    fixed_size: Optional[int] = None  # None: as many as a warp has lanes
    pivot: Optional[float] = None
    tolerance: Callable = exact  # (the warp's elements, expected ones) -> by how much each may differ

    def size(self, warp_size):
        return self.fixed_size or warp_size

    def _warps(self, x, warp_size, pivot):
        for start in range(0, len(x), warp_size):
            warp = x[start : start + warp_size]
            yield warp, self.model(warp, self.pivot if pivot is None else pivot)

    def expected(self, x, warp_size, pivot=None):
        return [number for _, expected in self._warps(x, warp_size, pivot) for number in expected]

    def differences(self, output, x, warp_size, pivot=None):
        """The indices where `output` is not what belongs there."""
        if len(output) != len(x):
            raise ValueError(f"{len(output)} elements instead of {len(x)}")
        wrong = []
        start = 0
        for warp, expected in self._warps(x, warp_size, pivot):
            here = output[start : start + len(warp)]
            if here != expected:
                allowed = self.tolerance(warp, expected)
                pairs = enumerate(zip(here, expected, allowed), start)
                wrong += [i for i, (output, right, tolerance) in pairs if not same(output, right, tolerance)]
            start += len(warp)
        return wrong


def same(output, expected, tolerance):
    """Whether an output is right; None is one that nobody has written, and is not."""
    if output is None:
        return False
    if math.isfinite(output) and math.isfinite(expected):
        return abs(output - expected) <= tolerance
    return output == expected or (math.isnan(output) and math.isnan(expected))


PUZZLES = {
    puzzle.flag: puzzle
    for puzzle in (
        Puzzle("neighbor", "Basic neighbor difference", neighbor, lambda size: [f32(i * i) for i in range(size)]),
        Puzzle(
            "average",
            "Moving average",
            average,
            lambda size: [f32((i + 1) * (i + 2) // 2) for i in range(size)],
            boxed=True,
            fixed_size=64,
            tolerance=relative,
        ),
        Puzzle(
            "broadcast-basic",
            "Basic broadcast",
            broadcast_basic,
            lambda size: [f32(i + 1) for i in range(size)],
            boxed=True,
        ),
        Puzzle(
            "broadcast-conditional",
            "Conditional broadcast",
            broadcast_conditional,
            repeating([3, 1, 7, 2, 9, 4, 6, 8]),
            boxed=True,
        ),
        Puzzle(
            "broadcast-shuffle-coordination",
            "Broadcast + Shuffle coordination",
            broadcast_shuffle_coordination,
            two_patterns,
            boxed=True,
        ),
        Puzzle("pair-swap", "Butterfly pair swap", pair_swap, lambda size: [f32(i) for i in range(size)]),
        Puzzle("parallel-max", "Butterfly parallel max", parallel_max, evens_and_thousand),
        Puzzle("conditional-max", "Butterfly conditional max", conditional_max, disorder, fixed_size=64),
        Puzzle(
            "prefix-sum",
            "Warp inclusive prefix sum",
            prefix_sum,
            lambda size: [f32(i + 1) for i in range(size)],
            tolerance=of_magnitudes,
        ),
        Puzzle(
            "partition",
            "Warp partition",
            partition,
            repeating([3, 7, 1, 8, 2, 9, 4, 6, 0, 10, 3, 11, 1, 12, 4, 13]),
            boxed=True,
            pivot=5.0,
        ),
    )
}
