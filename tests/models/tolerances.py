# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""By how much each element of an output may differ: of what a model takes, and what it gives."""

import itertools
import math

RELATIVE_TOLERANCE = 1e-5
EXACT_UNITS = 2.0 ** 24  # a float has each whole number below it
LEAST_NORMAL, GREATEST = 2.0 ** -126, 2.0 ** 128 - 2.0 ** 104  # floats


def exact(warp, expected):
    return [0.0] * len(expected)


def relative(warp, expected):
    return [RELATIVE_TOLERANCE * abs(number) for number in expected]


def of_magnitudes(warp, expected):
    return [RELATIVE_TOLERANCE * magnitudes for magnitudes in itertools.accumulate(abs(number) for number in warp)]


def of_all_magnitudes(warp, expected):
    return [RELATIVE_TOLERANCE * sum(abs(number) for number in warp)] * len(warp)


def of_fractions(warp, expected):
    """Fractions below the least normal float have fewer digits than others; and where sums may overflow, a later step may
    make anything of that."""
    magnitudes = sum(max(abs(number), LEAST_NORMAL) for number in warp)
    overflows = math.isfinite(magnitudes) and magnitudes > GREATEST
    return [math.inf if overflows else RELATIVE_TOLERANCE * magnitudes] * len(warp)


def of_magnitudes_before(warp, expected):
    return [0.0] + of_magnitudes(warp[:-1], expected)


def unit_of(numbers):
    """The power of two that divides all numbers."""
    ratios = [number.as_integer_ratio() for number in numbers if math.isfinite(number) and number != 0]
    return min(((above & -above) / below for above, below in ratios), default=0.0)


def allowed(magnitudes, unit):
    """Nothing where sums are exact in each order."""
    return 0.0 if magnitudes < EXACT_UNITS * unit else RELATIVE_TOLERANCE * magnitudes
