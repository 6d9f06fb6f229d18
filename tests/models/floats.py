# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""32-bit floats in plain Python: rounding, sums and extremes, and the shortest text that reads back to the same
float."""

import math
import struct
from fractions import Fraction


_pack, _unpack = struct.Struct("<f").pack, struct.Struct("<f").unpack  # looked up millions of times


def f32(x):
    """The float nearest to the Python number x, as a Python number; an infinity where it is out of range."""
    try:
        return _unpack(_pack(x))[0]
    except OverflowError:
        return math.copysign(math.inf, x)


def bits(x):
    """The 32 bits of the float x."""
    return struct.unpack("<I", struct.pack("<f", x))[0]


def from_bits(pattern):
    """The float with these 32 bits."""
    return struct.unpack("<f", struct.pack("<I", pattern))[0]


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


def in_order(numbers):
    """From the smallest to the greatest, NaNs last."""
    real = sorted(number for number in numbers if not math.isnan(number))
    return real + [math.nan] * (len(numbers) - len(real))


def after(x, steps):
    """The float that many steps above (below, if negative) the finite float x, not across zero."""
    return from_bits(bits(x) + steps if x > 0 else bits(x) - steps)


def _readers_of(x):
    """The ends of the interval of real numbers that are rounded to the positive float x, and whether the ends
    belong to it."""
    exact = Fraction(x)
    above = 2 * exact - Fraction(after(x, -1)) if bits(x) == 0x7F7FFFFF else Fraction(after(x, 1))
    return (Fraction(after(x, -1)) + exact) / 2, (exact + above) / 2, bits(x) % 2 == 0


def _shortest_digits(x):
    """(digits, exponent): the shortest integer `digits` with digits * 10**exponent reading back to the positive
    float x; of several, the one nearest to x."""
    exact = Fraction(x)
    low, high, closed = _readers_of(x)
    magnitude = math.floor(math.log10(x)) + 1
    for count in range(1, 10):
        exponent = magnitude - count
        scaled = exact / Fraction(10) ** exponent
        below = scaled.numerator // scaled.denominator
        candidates = [
            digits
            for digits in (below, below + 1)
            if low < digits * Fraction(10) ** exponent < high
            or closed and digits * Fraction(10) ** exponent in (low, high)
        ]
        if candidates:
            return min(candidates, key=lambda digits: abs(digits - scaled)), exponent
    raise AssertionError(f"nine digits tell any float apart, but not {x!r}")


def text(x):
    """The float x as warpz prints it: the shortest decimal that reads back to x, `.0` where it is whole, and an
    exponent below 1e-4 and from 1e16."""
    if math.isnan(x):
        return "nan"
    sign = "-" if math.copysign(1.0, x) < 0 else ""
    if math.isinf(x):
        return sign + "inf"
    if x == 0:
        return sign + "0.0"
    digits, exponent = _shortest_digits(abs(x))
    figures = str(digits).rstrip("0")
    exponent += len(str(digits)) - len(figures)
    point = len(figures) + exponent  # figures stand for 0.figures * 10**point
    if -4 < point <= 16:
        if point <= 0:
            return sign + "0." + "0" * -point + figures
        if point >= len(figures):
            return sign + figures + "0" * (point - len(figures)) + ".0"
        return sign + figures[:point] + "." + figures[point:]
    mantissa = figures[0] + ("." + figures[1:] if len(figures) > 1 else "")
    return f"{sign}{mantissa}e{point - 1:+03d}"
