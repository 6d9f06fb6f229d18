# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The puzzles, written down a second time, from their description alone.

A model takes the elements of one warp and gives what belongs in their places, with every operation rounded to a
32-bit float; where a puzzle has larger blocks, it takes those of one block, or all. It shares nothing with the program
that it judges.
"""

import math
from dataclasses import dataclass
from typing import Callable, Optional

import block_puzzles as of_block
import device_puzzles as of_device
import documented_puzzles as of_documents
import sync_puzzles as of_sync
import warp_puzzles as more
from floats import f32
from tolerances import exact, of_all_magnitudes, of_magnitudes, of_magnitudes_before, relative


@dataclass(frozen=True)
class Puzzle:
    flag: str
    title: str
    model: Callable  # (the warp's elements, pivot) -> what belongs in their places
    numbers: Callable  # size -> the documented input, carried on
    boxed: bool = False  # HostBuffer([...]) instead of [...]
    fixed_size: Optional[int] = None  # None: as many as a warp has lanes
    label: str = "SIZE"  # before the number of elements
    pivot: Optional[float] = None
    tolerance: Callable = exact  # (the warp's elements, expected ones) -> by how much each may differ
    block: Optional[int] = None  # threads of a block, whose elements the model takes; None: those of a warp
    whole: bool = False  # the model takes all elements at once, and gives as many as the output has
    shape: Optional[tuple] = None  # (m, n, k) of the documented matrices; the model takes a shape behind the pivot
    path: Optional[str] = None  # of its ways the one that the kernel takes on the CPU machine

    def size(self, warp_size):
        return self.fixed_size or warp_size

    def blocks(self):
        """How many blocks the documented input is given: enough where a warp has 32 lanes, with 64 lanes too."""
        return -(-self.fixed_size // (self.block or 32)) if self.fixed_size else 1

    def shape_for(self, size):
        """The matrices that so many numbers are shared out to: the smallest squares."""
        if self.shape is None:
            return None
        side = math.isqrt(-(-size // 2) - 1) + 1
        return (side, side, side)

    def _parts(self, x, warp_size, pivot, shape):
        unit = len(x) if self.whole else self.block or warp_size
        more = (shape or self.shape_for(len(x)),) if self.shape else ()
        for start in range(0, len(x), unit):
            part = x[start : start + unit]
            yield part, self.model(part, self.pivot if pivot is None else pivot, *more), more

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
    """Whether an output is right; None is one that nobody has written, and is not."""
    if output is None:
        return False
    if math.isfinite(output) and math.isfinite(expected):
        return abs(output - expected) <= tolerance
    return output == expected or (math.isnan(output) and math.isnan(expected))


PUZZLES = {
    puzzle.flag: puzzle
    for puzzle in (
        Puzzle(
            "neighbor",
            "Basic neighbor difference",
            of_documents.neighbor,
            lambda size: [f32(i * i) for i in range(size)],
        ),
        Puzzle(
            "average",
            "Moving average",
            of_documents.average,
            lambda size: [f32((i + 1) * (i + 2) // 2) for i in range(size)],
            boxed=True,
            fixed_size=64,
            label="SIZE_2",
            tolerance=relative,
        ),
        Puzzle(
            "broadcast-basic",
            "Basic broadcast",
            of_documents.broadcast_basic,
            lambda size: [f32(i + 1) for i in range(size)],
            boxed=True,
        ),
        Puzzle(
            "broadcast-conditional",
            "Conditional broadcast",
            of_documents.broadcast_conditional,
            of_documents.repeating([3, 1, 7, 2, 9, 4, 6, 8]),
            boxed=True,
        ),
        Puzzle(
            "broadcast-shuffle-coordination",
            "Broadcast + Shuffle coordination",
            of_documents.broadcast_shuffle_coordination,
            of_documents.two_patterns,
            boxed=True,
        ),
        Puzzle("pair-swap", "Butterfly pair swap", of_documents.pair_swap, lambda size: [f32(i) for i in range(size)]),
        Puzzle("parallel-max", "Butterfly parallel max", of_documents.parallel_max, of_documents.evens_and_thousand),
        Puzzle(
            "conditional-max",
            "Butterfly conditional max",
            of_documents.conditional_max,
            of_documents.disorder,
            fixed_size=64,
            label="SIZE_2",
        ),
        Puzzle(
            "prefix-sum",
            "Warp inclusive prefix sum",
            of_documents.prefix_sum,
            lambda size: [f32(i + 1) for i in range(size)],
            tolerance=of_magnitudes,
        ),
        Puzzle(
            "partition",
            "Warp partition",
            of_documents.partition,
            of_documents.repeating([3, 7, 1, 8, 2, 9, 4, 6, 0, 10, 3, 11, 1, 12, 4, 13]),
            boxed=True,
            pivot=5.0,
        ),
        Puzzle("shuffle-up", "Delta encoding", more.shuffle_up, more.around_a_circle(37, 101, -50), fixed_size=80),
        Puzzle("shuffle-idx", "Deinterleave", more.shuffle_idx, more.complex_numbers, fixed_size=80),
        Puzzle("rotate", "Warp rotate", more.rotate, more.around_a_circle(29, 97, -48), fixed_size=80),
        Puzzle("reverse", "Warp reverse", more.reverse, more.around_a_circle(31, 83, -41), fixed_size=80),
        Puzzle("warp-sum", "Warp sum", more.warp_sum, more.halves, fixed_size=80, tolerance=of_all_magnitudes),
        Puzzle("warp-max", "Warp maximum", more.warp_max, more.around_a_circle(29, 97, -97), fixed_size=80),
        Puzzle("warp-min", "Lane of the warp minimum", more.warp_min, more.often_the_same, fixed_size=80),
        Puzzle(
            "exclusive-scan",
            "Warp exclusive prefix sum",
            more.exclusive_scan,
            lambda size: [float((17 * i + 3) % 29 - 11) for i in range(size)],
            fixed_size=80,
            tolerance=of_magnitudes_before,
        ),
        Puzzle("vote", "Warp vote", more.vote, more.around_a_circle(7, 11, -5), fixed_size=80, pivot=-2.0),
        Puzzle("match", "Warp match", more.match, more.squares_around_a_circle, fixed_size=80),
        Puzzle(
            "stream-compaction",
            "Warp stream compaction",
            more.stream_compaction,
            more.around_a_circle(5, 13, -6),
            fixed_size=80,
            pivot=-1.0,
        ),
        Puzzle(
            "bitonic-sort",
            "Warp bitonic sort",
            more.in_order,
            more.around_a_circle(31, 73, -36),
            fixed_size=80,
        ),
        Puzzle(
            "dot-product",
            "Dot product",
            of_block.dot_product,
            more.around_a_circle(19, 31, -13),
            fixed_size=500,
            block=of_block.DOT_BLOCK,
            whole=True,
            tolerance=of_block.of_dot_products,
        ),
        Puzzle(
            "block-sum",
            "Block sum",
            of_block.block_sum,
            lambda size: [17 * i % 41 / 2 - 9 for i in range(size)],
            fixed_size=250,
            block=96,
            tolerance=of_all_magnitudes,
        ),
        Puzzle(
            "block-max",
            "Block maximum",
            of_block.block_max,
            more.around_a_circle(107, 331, -340),
            fixed_size=300,
            block=120,
        ),
        Puzzle(
            "block-min",
            "Block minimum",
            of_block.block_min,
            lambda size: [float((37 * i + 150) % 509 + 3) for i in range(size)],
            fixed_size=500,
            block=200,
        ),
        Puzzle(
            "block-broadcast",
            "Block broadcast",
            of_block.block_broadcast,
            more.around_a_circle(23, 83, -40),
            fixed_size=120,
            block=48,
        ),
        Puzzle(
            "block-prefix-sum",
            "Block prefix sum",
            of_block.block_prefix_sum,
            lambda size: [float((14 * i + 12) % 23 - 9) for i in range(size)],
            fixed_size=250,
            block=112,
            tolerance=of_magnitudes,
        ),
        Puzzle(
            "hybrid-reduction",
            "Hybrid reduction",
            of_block.hybrid_reduction,
            lambda size: [float((97 * i + 300) % 1009 - 500) for i in range(size)],
            fixed_size=1000,
            block=416,
        ),
        Puzzle(
            "tiled-matmul",
            "Tiled matrix multiplication",
            of_block.tiled_matmul,
            lambda size: [float(29 * i % 43 % 11 - 5) for i in range(size)],
            fixed_size=2 * 64 * 64,
            whole=True,
            shape=(64, 64, 64),
            tolerance=of_block.of_products,
        ),
        Puzzle(
            "race-and-atomic",
            "Race and atomic",
            of_sync.race_and_atomic,
            of_sync.around_a_circle(17, 41, -23),
            fixed_size=250,
            block=96,
        ),
        Puzzle(
            "syncwarp",
            "Warp synchronization",
            of_sync.syncwarp,
            of_sync.around_a_circle(23, 89, -40),
            fixed_size=80,
        ),
        Puzzle(
            "barrier-stencil",
            "Stencil with a barrier",
            of_sync.barrier_stencil,
            of_sync.around_a_circle(19, 61, -6, divisor=4),
            fixed_size=250,
            whole=True,
        ),
        Puzzle(
            "ticket-semaphore",
            "Ticket and semaphore",
            of_sync.ticket_semaphore,
            of_sync.up_and_down,
            fixed_size=200,
            whole=True,
        ),
        Puzzle(
            "named-barrier",
            "Named barriers",
            of_sync.named_barrier,
            of_sync.around_a_circle(29, 83, -9, divisor=2),
            fixed_size=300,
            block=64,
        ),
        Puzzle(
            "mbarrier-pipeline",
            "Pipeline with mbarriers",
            of_sync.mbarrier_pipeline,
            of_sync.squares_around_a_circle(7, 3, 73, -30),
            fixed_size=384,
            block=64,
        ),
        Puzzle(
            "async-copy",
            "Asynchronous copy",
            of_sync.async_copy,
            of_sync.around_a_circle(41, 97, -50),
            fixed_size=256,
            block=64,
        ),
        Puzzle(
            "threadfence",
            "Sum by the last block",
            of_sync.threadfence,
            of_sync.around_a_circle(13, 47, -8, divisor=2),
            fixed_size=1000,
            whole=True,
            tolerance=of_sync.of_all_magnitudes,
        ),
        Puzzle(
            "schedule-barrier",
            "Schedule barrier",
            of_sync.schedule_barrier,
            of_sync.around_a_circle(43, 103, -20, divisor=2),
            fixed_size=500,
            block=256,
        ),
        Puzzle(
            "waitcnt",
            "Wait counts",
            of_sync.waitcnt,
            of_sync.squares_around_a_circle(3, 5, 67, -33),
            fixed_size=192,
            block=96,
        ),
        Puzzle(
            "adaptive",
            "Adaptive algorithm",
            of_sync.adaptive,
            of_sync.around_a_circle(5, 19, -11),
            fixed_size=80,
            path="portable",
        ),
        Puzzle(
            "group-semaphore",
            "Semaphores of warps",
            of_sync.group_semaphore,
            of_sync.around_a_circle(9, 23, -8),
            fixed_size=200,
            whole=True,
        ),
        Puzzle(
            "lane-groups",
            "Lane groups",
            of_sync.lane_groups,
            of_sync.squares_around_a_circle(5, 3, 19, 1, divisor=2),
            fixed_size=204,
            block=8,
            tolerance=of_sync.of_all_magnitudes,
        ),
        Puzzle(
            "device-reduce",
            "Device-wide sum",
            of_device.device_reduce,
            more.around_a_circle(37, 71, -20),
            fixed_size=60000,
            whole=True,
            tolerance=of_device.of_all_magnitudes,
        ),
        Puzzle(
            "device-scan",
            "Device-wide prefix sum",
            of_device.device_scan,
            more.around_a_circle(23, 55, -24),
            fixed_size=60000,
            whole=True,
            tolerance=of_device.of_magnitudes,
        ),
        Puzzle(
            "device-partition",
            "Device-wide partition",
            of_device.device_partition,
            more.around_a_circle(55, 89, -30.25),
            fixed_size=50000,
            whole=True,
            pivot=5.0,
        ),
        Puzzle(
            "device-compaction",
            "Device-wide compaction",
            of_device.device_compaction,
            more.around_a_circle(44, 67, -31.25),
            fixed_size=50000,
            whole=True,
            pivot=5.0,
        ),
        Puzzle(
            "device-sort",
            "Device-wide sort",
            of_device.device_sort,
            of_device.quarters_in_disorder,
            fixed_size=10000,
            whole=True,
        ),
        Puzzle("quicksort", "Warp quicksort", more.in_order, more.around_a_circle(15, 41, -20), fixed_size=100),
        Puzzle(
            "sliding-extrema",
            "Sliding extrema",
            more.sliding_extrema,
            more.around_a_circle(38, 89, -44),
            fixed_size=90,
        ),
        Puzzle(
            "walsh-transform",
            "Warp Walsh transform",
            more.walsh_transform,
            more.around_a_circle(20, 51, -25),
            fixed_size=75,
            tolerance=of_all_magnitudes,
        ),
        Puzzle(
            "block-walsh-transform",
            "Block Walsh transform",
            more.walsh_transform,
            more.around_a_circle(28, 67, -33),
            fixed_size=400,
            block=256,
            tolerance=of_all_magnitudes,
        ),
    )
}
