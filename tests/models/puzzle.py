# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What puzzles/NAME/model.py describes: a puzzle, written down a second time, from its task alone.

A model takes the elements of one warp and gives what belongs in their places, with every operation rounded to a
32-bit float; where a puzzle has larger blocks, it takes those of one block, or all. It shares nothing with the program
that it judges.
"""

import math
from dataclasses import dataclass
from typing import Callable, Optional

from tolerances import exact


@dataclass(frozen=True)
class Puzzle:
    title: str
    model: Callable  # (the warp's elements, pivot) -> what belongs in their places
    numbers: Callable  # size -> the documented input, carried on
    boxed: bool = False  # HostBuffer([...]) instead of [...]
    fixed_size: Optional[int] = None  # None: as many as a warp has lanes
    label: str = "SIZE"  # before the number of elements
    pivot: Optional[float] = None
    tolerance: Callable = exact  # (the warp's elements, expected ones) -> by how much each may differ
    block: Optional[int] = None  # threads of a block, whose elements the model takes; None: those of a warp
    per_thread: int = 1  # elements of a thread
    padded: bool = False  # the model takes zeros for what the last block lacks
    has_fractions: bool = False  # results of whole numbers round, too
    whole: bool = False  # the model takes all elements at once, and gives as many as the output has
    shape: Optional[tuple] = None  # (m, n, k) of the documented matrices; the model takes a shape behind the pivot
    path: Optional[str] = None  # of its ways the one that the kernel takes on the CPU machine

    def size(self, warp_size):
        return self.fixed_size or warp_size

    def blocks(self):
        """How many blocks the documented input is given: enough where a warp has 32 lanes, with 64 lanes too."""
        return -(-self.fixed_size // self.unit(32)) if self.fixed_size else 1

    def unit(self, warp_size):
        """The elements of a block, or of a warp."""
        return (self.block or warp_size) * self.per_thread

    def shape_for(self, size):
        """The matrices that so many numbers are shared out to: the smallest squares."""
        if self.shape is None:
            return None
        side = math.isqrt(-(-size // 2) - 1) + 1
        return (side, side, side)

    def _parts(self, x, warp_size, pivot, shape):
        unit = len(x) if self.whole else self.unit(warp_size)
        more = (shape or self.shape_for(len(x)),) if self.shape else ()
        for start in range(0, len(x), unit):
            part = x[start : start + unit]
            given = part + [0.0] * (unit - len(part)) if self.padded else part
            expected = self.model(given, self.pivot if pivot is None else pivot, *more)
            yield part, expected[: len(part)] if self.padded else expected, more

    def expected(self, x, warp_size, pivot=None, shape=None):
        return [number for _, expected, _ in self._parts(x, warp_size, pivot, shape) for number in expected]

    def differences(self, output, x, warp_size, pivot=None, shape=None):
        """The indices where `output` is not what belongs there."""
        wrong = []
        start = 0
        for part, expected, more in self._parts(x, warp_size, pivot, shape):
            here = output[start : start + len(expected)]
            if here != expected:
                allowed = self.tolerance(part, expected, *more)
                pairs = enumerate(zip(here, expected, allowed), start)
                wrong += [i for i, (output, right, tolerance) in pairs if not same(output, right, tolerance)]
            start += len(expected)
        if len(output) != start:
            raise ValueError(f"{len(output)} elements instead of {start}")
        return wrong


def same(output, expected, tolerance):
    """Whether an output is right; None is one that nobody has written, and is not. An infinite tolerance: any is."""
    if output is None or tolerance == math.inf:
        return output is not None
    if math.isfinite(output) and math.isfinite(expected):
        return abs(output - expected) <= tolerance
    return output == expected or (math.isnan(output) and math.isnan(expected))
