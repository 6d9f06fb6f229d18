# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""By how much each element of an output may differ: of what a model takes, and what it gives."""

import itertools

RELATIVE_TOLERANCE = 1e-5


def exact(warp, expected):
    return [0.0] * len(warp)


def relative(warp, expected):
    return [RELATIVE_TOLERANCE * abs(number) for number in expected]


def of_magnitudes(warp, expected):
    return [RELATIVE_TOLERANCE * magnitudes for magnitudes in itertools.accumulate(abs(number) for number in warp)]


def of_all_magnitudes(warp, expected):
    return [RELATIVE_TOLERANCE * sum(abs(number) for number in warp)] * len(warp)


def of_magnitudes_before(warp, expected):
    return [0.0] + of_magnitudes(warp[:-1], expected)
