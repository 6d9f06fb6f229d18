# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Models of the puzzles whose blocks work together on the whole array. As in puzzles.py, a model takes all elements and
gives what belongs in the output. Sums are of Python's floats and rounded once: those of many 32-bit floats, one after the
other, would be far off."""

import itertools
import math

from floats import f32
from tolerances import RELATIVE_TOLERANCE

EXACT_UNITS = 2.0 ** 24  # a float has each whole number below it


def unit_of(numbers):
    """The power of two that divides all numbers."""
    ratios = [number.as_integer_ratio() for number in numbers if math.isfinite(number) and number != 0]
    return min(((above & -above) / below for above, below in ratios), default=0.0)


def allowed(magnitudes, unit):
    """Nothing where sums are exact in each order."""
    return 0.0 if magnitudes < EXACT_UNITS * unit else RELATIVE_TOLERANCE * magnitudes


def device_reduce(numbers, pivot):
    return [f32(sum(numbers))]


def of_all_magnitudes(numbers, expected):
    return [allowed(sum(map(abs, numbers)), unit_of(numbers))]


def device_scan(numbers, pivot):
    return [f32(number) for number in itertools.accumulate(numbers)]


def of_magnitudes(numbers, expected):
    unit = unit_of(numbers)
    return [allowed(magnitudes, unit) for magnitudes in itertools.accumulate(map(abs, numbers))]


def device_partition(numbers, pivot):
    return [number for number in numbers if number < pivot] + [number for number in numbers if not number < pivot]


def device_compaction(numbers, pivot):
    kept = [number for number in numbers if number > pivot]
    return kept + [0.0] * (len(numbers) - len(kept))


def device_sort(numbers, pivot):
    real = sorted(number for number in numbers if not math.isnan(number))
    return real + [math.nan] * (len(numbers) - len(real))


def quarters_in_disorder(size):
    return [i * 373 % 1004 / 4 - 100 for i in range(size)]
