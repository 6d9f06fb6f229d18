# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Inputs on which wrong kernels show themselves. The documents' own numbers let many pass: they rise, so the maximum
sits in the last lane; they fill whole warps; nothing in them is negative or equal to the pivot."""

import itertools
import math
from dataclasses import dataclass
from typing import Optional

from floats import after, f32, from_bits
from splitmix import random_numbers

PIVOT = 5.0  # the documented one

SMALLEST = from_bits(1)
SMALLEST_NORMAL = from_bits(0x00800000)
GREATEST = from_bits(0x7F7FFFFF)


@dataclass(frozen=True)
class Input:
    """Numbers for all puzzles, and the pivot for the one that takes it (None: the documented one)."""

    name: str
    numbers: list
    pivot: Optional[float] = None


def sizes(warp_size):
    """The lengths at which a kernel's guards matter, without the large ones."""
    around = (warp_size - 1, warp_size, warp_size + 1, 2 * warp_size, 3 * warp_size + 5)
    return (1, 2, 3, 4, 5, 7, 8, 9, *around)


def one_lane_in_turn(warp_size, number, others):
    """One warp for each lane, in which that lane alone has `number`."""
    return [number if lane == chosen else others(lane) for chosen in range(warp_size) for lane in range(warp_size)]


def _orders(warp_size):
    several = 3 * warp_size + 5
    yield Input("rising", [float(i) for i in range(several)])
    yield Input("falling", [float(several - i) for i in range(several)])
    yield Input("all negative", [-1.0 - (i * 7 % 23) for i in range(several)])
    yield Input("negative and falling", [-1.0 - i for i in range(several)])
    yield Input("all equal", [2.5] * several)
    yield Input("all zero", [0.0] * several)
    yield Input("alternating signs", [(-1.0) ** i * (i + 1) for i in range(several)])
    yield Input("the maximum in each lane in turn", one_lane_in_turn(warp_size, 7.0, lambda lane: -1.0 - lane))
    yield Input("the minimum in each lane in turn", one_lane_in_turn(warp_size, -7.0, lambda lane: 1.0 + lane))
    for lane in range(5):
        numbers = [-3.0 - i for i in range(5)]
        numbers[lane] = -1.0
        yield Input(f"the maximum in lane {lane} of a partial warp", numbers)


def _halves(warp_size):
    """Around half the maximum of the first eight elements, and greater ones behind them."""
    eight = [6.0, 3.0, 2.0, 8.0, 1.0, 7.0, 5.0, 4.0]
    near = [4.0, after(4.0, 1), after(4.0, -1), 100.0, -4.0]
    numbers = (eight + near * warp_size)[: warp_size - 3] + [50.0, 51.0, 4.0]
    yield Input("half the maximum", numbers)
    negative = [-number for number in numbers]
    yield Input("half of a negative maximum", negative + negative[: warp_size // 2])


def _sides(warp_size):
    """What is left and right of a pivot."""
    w = warp_size
    yield Input("all left of the pivot", [4.0 - i % 3 for i in range(2 * w + 3)])
    yield Input("all right of the pivot", [6.0 + i % 3 for i in range(2 * w + 3)])
    yield Input("all equal to the pivot", [PIVOT] * (2 * w + 3))
    yield Input("already partitioned", [1.0 + i % 3 for i in range(w // 2)] + [7.0 + i % 3 for i in range(w // 2)])
    yield Input("the wrong way round", [7.0 + i % 3 for i in range(w // 2)] + [1.0 + i % 3 for i in range(w // 2)])
    yield Input("one left in each lane in turn", one_lane_in_turn(w, 1.0, lambda lane: 9.0 + lane))
    yield Input("one right in each lane in turn", one_lane_in_turn(w, 9.0, lambda lane: 1.0 - lane))
    yield Input("next to the pivot", list(itertools.islice(itertools.cycle(
        [PIVOT, after(PIVOT, -1), after(PIVOT, 1), -PIVOT]), w + 5)))
    mixed = random_numbers(11, 2 * w + 3)
    yield Input("a pivot that is negative", mixed, -12.25)
    yield Input("a pivot below everything", mixed, -math.inf)
    yield Input("a pivot above everything", mixed, math.inf)
    yield Input("a pivot of zero among both zeros", [(-0.0, 0.0, 1.0, -1.0)[i % 4] for i in range(w + 5)], 0.0)


def thirds(count):
    """Numbers whose sums round."""
    return [f32((-1) ** i * (i + 1) / 3) for i in range(count)]


def _unusual(warp_size):
    """Floats at the ends of their range, and those that are no numbers."""
    several = 2 * warp_size + 3
    in_thirds = thirds(several)
    yield Input("thirds", in_thirds)
    yield Input("large and small", [(1e8, 1.0, -1e8, 3.0)[i % 4] for i in range(several)])
    yield Input("negative zeros", [-0.0] * several)
    yield Input("denormals", [SMALLEST * (i % 9 - 4) for i in range(several)])
    yield Input("around the smallest normal", [
        (SMALLEST_NORMAL, after(SMALLEST_NORMAL, -1), -SMALLEST_NORMAL)[i % 3] for i in range(several)])
    yield Input("huge", [f32((-1) ** i * GREATEST / (2 * warp_size)) for i in range(several)])
    yield Input("overflowing", [GREATEST] * several)
    yield Input("overflowing downwards", [-GREATEST] * several)
    yield Input("one infinity", [math.inf if i % warp_size == 6 else in_thirds[i] for i in range(several)])
    yield Input("infinities", [(math.inf, 1.0, -math.inf, 2.0)[i % 4] for i in range(several)])
    yield Input("one that is no number", [math.nan if i % warp_size == 5 else in_thirds[i] for i in range(several)])
    yield Input("the first is no number", [math.nan] + in_thirds[1:])
    yield Input("nothing is a number", [math.nan] * several)


def inputs(warp_size):
    """All named inputs for a warp size."""
    for size in sizes(warp_size):
        yield Input(f"{size} random numbers", random_numbers(size, size))
    yield from _orders(warp_size)
    yield from _halves(warp_size)
    yield from _sides(warp_size)
    yield from _unusual(warp_size)


def inputs_of_block(threads):
    """Inputs for kernels whose blocks have so many threads."""
    for size in (threads - 1, threads, threads + 1, 2 * threads, 3 * threads + 5):
        yield Input(f"{size} random numbers", random_numbers(size, size))
    # Of a large block not each, but threads at all places of a warp.
    peaks = [7.0 if thread == chosen else -1.0 - thread % 5
             for chosen in range(0, threads, 1 if threads <= 200 else 5) for thread in range(threads)]
    yield Input("the maximum in each thread in turn", peaks)
    yield Input("the minimum in each thread in turn", [-number for number in peaks])
    yield Input("opposites", [(-1.0) ** (i + i // threads) * (i // 2 % 9) for i in range(2 * threads + 5)])
    yield Input("the last block has nothing but NaNs", [1.5] * threads + [math.nan] * 3)


def named(name, warp_size):
    """The input of this name."""
    return next(each for each in inputs(warp_size) if each.name == name)
