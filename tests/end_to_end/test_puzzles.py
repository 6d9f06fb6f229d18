#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The puzzles as a user runs them: right ones pass, on all kinds of data, and wrong ones are caught.

What is right comes from tests/models, never from the program; with --long also of 100,000 numbers, alone."""

import dataclasses
import os
import re
import shlex
import subprocess
import sys
import tempfile
import unittest

from puzzle_runs import (MODULES, PROGRAM, PUZZLES, SANITIZED, SOURCE, WARP_SIZES, Data, adversarial, documented, few,
                         module, random_data, some, typed, warpz)
from skips import main

import adversarial as inputs_of  # tests/models, found through puzzle_runs

LONG = "--long"


@dataclasses.dataclass(frozen=True)
class Wrong:
    """A kernel of tests/corpus/wrong_solutions, data on which it is found out, and data on which it passes for right."""

    name: str
    caught: tuple
    passes: tuple = ()

    @property
    def flag(self):
        return max((flag for flag in PUZZLES if self.name.startswith(flag + "-")), key=len)


BOTH = (documented(32), documented(64))
NEXT_TO_WARP = tuple(adversarial(f"{size + 1} random numbers", size) for size in WARP_SIZES)
TWO_WARPS = tuple(adversarial(f"{2 * size} random numbers", size) for size in WARP_SIZES)
FIVE = tuple(adversarial("5 random numbers", size) for size in WARP_SIZES)


def at_both(name):
    return tuple(adversarial(name, size) for size in WARP_SIZES)


def random_at_both(count):
    return tuple(random_data(count, count, size) for size in WARP_SIZES)


def typed_at_both(what, numbers):
    return tuple(typed(what, numbers, size) for size in WARP_SIZES)


def shaped(m, n, k, warp_size):
    """The documented pattern in matrices of this shape."""
    shape = f"{m}x{n}x{k}"
    numbers = PUZZLES["tiled-matmul"].numbers(m * k + k * n)
    return Data(f"--shape {shape}", warp_size, ("--shape", shape), given=tuple(numbers))


def shaped_at_both(m, n, k):
    return tuple(shaped(m, n, k, size) for size in WARP_SIZES)


BOTH_ZEROS = tuple(typed("both zeros", [(0.0, -0.0, 1.0)[i % 3] for i in range(size + 5)], size) for size in WARP_SIZES)
OPPOSITES = typed_at_both("opposites", [-3.0, 3.0, 2.0, 1.0, -1.0])
WITHIN_TILES = shaped_at_both(33, 17, 50)
BLOCK_PUZZLES = [flag for flag, puzzle in PUZZLES.items() if puzzle.block]

FALLING_HALVES = typed_at_both("falling halves", [-0.5 - i for i in range(200)])
MANY_THIRDS = typed_at_both("many thirds", inputs_of.thirds(500))

# The documents' numbers let many wrong kernels pass: `passes` records which.
WRONG = (
    Wrong("neighbor-no-guard", caught=FIVE + NEXT_TO_WARP, passes=BOTH + TWO_WARPS),
    Wrong("neighbor-across-warps", caught=NEXT_TO_WARP + TWO_WARPS, passes=BOTH + FIVE),
    Wrong("neighbor-32-lanes", caught=(documented(64),), passes=(documented(32), NEXT_TO_WARP[0])),
    Wrong("average-array-end-only", caught=(documented(32),) + TWO_WARPS, passes=(documented(64),) + FIVE),
    Wrong("average-empty-block-writes", caught=(documented(64),), passes=(documented(32),) + TWO_WARPS),
    Wrong("average-warp-end-only", caught=FIVE + NEXT_TO_WARP, passes=BOTH + TWO_WARPS),
    Wrong("broadcast-basic-first-block", caught=TWO_WARPS, passes=BOTH + FIVE),
    Wrong("broadcast-basic-at-least-four", caught=at_both("3 random numbers") + NEXT_TO_WARP, passes=BOTH + FIVE),
    Wrong("broadcast-conditional-from-zero", caught=at_both("all negative"), passes=BOTH),
    Wrong("broadcast-conditional-whole-warp", caught=at_both("half the maximum"), passes=BOTH + FIVE),
    Wrong("broadcast-conditional-above-half", caught=at_both("half the maximum"), passes=BOTH),
    Wrong("broadcast-shuffle-coordination-mean-of-fewer", caught=at_both("3 random numbers") + NEXT_TO_WARP,
          passes=BOTH + FIVE),
    Wrong("broadcast-shuffle-coordination-array-end-only", caught=TWO_WARPS, passes=BOTH + FIVE),
    Wrong("pair-swap-number-of-lane", caught=FIVE, passes=BOTH),
    Wrong("pair-swap-no-guard", caught=FIVE + NEXT_TO_WARP, passes=BOTH + TWO_WARPS),
    Wrong("parallel-max-from-16", caught=(documented(64),), passes=(documented(32), TWO_WARPS[0])),
    Wrong("parallel-max-from-8", caught=BOTH, passes=at_both("all equal")),
    Wrong("parallel-max-shuffle-down", caught=at_both("the maximum in each lane in turn") + at_both("falling"),
          passes=BOTH + at_both("rising")),
    Wrong("parallel-max-zero-for-missing", caught=at_both("all negative"), passes=BOTH + TWO_WARPS),
    Wrong("parallel-max-writes-nothing", caught=BOTH + at_both("nothing is a number") + at_both("all zero")),
    Wrong("conditional-max-from-16", caught=(documented(64),), passes=(documented(32), TWO_WARPS[0])),
    Wrong("conditional-max-shuffle-down", caught=(documented(32),) + at_both("the maximum in each lane in turn"),
          passes=(documented(64),) + at_both("rising")),
    Wrong("conditional-max-zero-for-missing", caught=at_both("rising") + at_both("negative and falling"),
          passes=BOTH + TWO_WARPS),
    Wrong("prefix-sum-formula", caught=FIVE, passes=BOTH + tuple(
        typed("counting on", [float(i + 1) for i in range(3 * size + 5)], size) for size in WARP_SIZES)),
    Wrong("prefix-sum-whole-array", caught=TWO_WARPS, passes=BOTH + FIVE),
    Wrong("prefix-sum-five-steps", caught=(documented(64),), passes=(documented(32), TWO_WARPS[0])),
    Wrong("partition-boundary-from-last-lane", caught=at_both("one left in each lane in turn"), passes=BOTH),
    Wrong("partition-no-boundary", caught=BOTH, passes=at_both("all right of the pivot")),
    Wrong("partition-unstable", caught=BOTH, passes=at_both("all equal to the pivot")),
    Wrong("partition-pivot-goes-left", caught=at_both("next to the pivot"), passes=BOTH),
    Wrong("partition-counts-missing-lanes", caught=FIVE + NEXT_TO_WARP, passes=BOTH + TWO_WARPS),
    Wrong("partition-fixed-pivot", caught=at_both("a pivot that is negative"), passes=BOTH + FIVE),
    Wrong("shuffle-up-no-guard", caught=BOTH + FIVE, passes=at_both("all zero")),
    Wrong("shuffle-up-array-start-only", caught=BOTH + TWO_WARPS, passes=FIVE),
    Wrong("shuffle-up-32-lanes", caught=(documented(64),), passes=(documented(32), TWO_WARPS[0])),
    Wrong("shuffle-idx-whole-warp", caught=BOTH + FIVE, passes=TWO_WARPS),
    Wrong("shuffle-idx-interleave", caught=BOTH + FIVE, passes=at_both("all equal")),
    Wrong("shuffle-idx-32-lanes", caught=(documented(64),), passes=(documented(32),) + FIVE),
    Wrong("rotate-whole-warp", caught=BOTH + FIVE, passes=TWO_WARPS),
    Wrong("rotate-to-the-right", caught=BOTH + FIVE, passes=at_both("all equal")),
    Wrong("rotate-no-ring", caught=BOTH + TWO_WARPS, passes=at_both("all zero")),
    Wrong("rotate-32-lanes", caught=(documented(64),), passes=(documented(32),) + FIVE),
    Wrong("reverse-whole-warp", caught=BOTH + FIVE, passes=TWO_WARPS),
    Wrong("reverse-partnerless-stay", caught=BOTH + FIVE, passes=TWO_WARPS),
    Wrong("reverse-xor-31", caught=(documented(64),), passes=(documented(32), TWO_WARPS[0])),
    Wrong("warp-sum-tree", caught=BOTH + FIVE, passes=at_both("all zero")),
    Wrong("warp-sum-scan", caught=BOTH + FIVE, passes=at_both("all zero")),
    Wrong("warp-sum-repeats-last", caught=BOTH + FIVE, passes=TWO_WARPS),
    Wrong("warp-sum-from-16", caught=(documented(64),), passes=(documented(32), TWO_WARPS[0])),
    Wrong("warp-max-zero-for-missing", caught=BOTH + at_both("all negative"), passes=TWO_WARPS),
    Wrong("warp-max-tree", caught=BOTH + at_both("falling"), passes=at_both("rising")),
    Wrong("warp-max-from-16", caught=(documented(64),), passes=(documented(32), TWO_WARPS[0])),
    Wrong("warp-min-zero-for-missing", caught=BOTH + at_both("falling"), passes=TWO_WARPS),
    Wrong("warp-min-last-lane", caught=BOTH + at_both("all equal"), passes=at_both("falling")),
    Wrong("warp-min-32-bits", caught=(adversarial("the minimum in each lane in turn", 64),),
          passes=BOTH + (adversarial("the minimum in each lane in turn", 32),)),
    Wrong("exclusive-scan-inclusive", caught=BOTH + FIVE, passes=at_both("all zero")),
    Wrong("exclusive-scan-lane-0", caught=BOTH + FIVE, passes=at_both("all zero")),
    Wrong("exclusive-scan-subtracts", caught=at_both("one infinity"), passes=BOTH + TWO_WARPS),
    Wrong("exclusive-scan-32-lanes", caught=(documented(64),), passes=(documented(32),) + FIVE),
    Wrong("vote-complement", caught=BOTH + FIVE, passes=(TWO_WARPS[1],)),
    Wrong("vote-counts-missing", caught=BOTH + at_both("all right of the pivot"), passes=TWO_WARPS),
    Wrong("vote-pivot-is-above", caught=BOTH, passes=FIVE),
    Wrong("vote-32-bits", caught=(documented(64),), passes=(documented(32), TWO_WARPS[0])),
    Wrong("match-counts-missing", caught=BOTH + at_both("all zero"), passes=at_both("all equal")),
    Wrong("match-neighbors-only", caught=BOTH + at_both("all equal"), passes=at_both("rising")),
    Wrong("match-numbers", caught=BOTH_ZEROS + at_both("nothing is a number"), passes=BOTH + TWO_WARPS),
    Wrong("match-32-bits", caught=(documented(64),), passes=(documented(32), TWO_WARPS[0])),
    Wrong("stream-compaction-no-zeros", caught=BOTH + TWO_WARPS, passes=at_both("all right of the pivot")),
    Wrong("stream-compaction-zeros-in-place", caught=BOTH + TWO_WARPS, passes=at_both("all right of the pivot")),
    Wrong("stream-compaction-counts-missing", caught=BOTH + FIVE, passes=TWO_WARPS),
    Wrong("stream-compaction-32-bits", caught=(documented(64),), passes=(documented(32), TWO_WARPS[0])),
    Wrong("bitonic-sort-all-rise", caught=BOTH + TWO_WARPS, passes=at_both("rising")),
    Wrong("bitonic-sort-zero-for-missing", caught=BOTH + FIVE, passes=TWO_WARPS),
    Wrong("bitonic-sort-32-lanes", caught=(documented(64),), passes=(documented(32), TWO_WARPS[0])),
    Wrong("bitonic-sort-fmin", caught=at_both("one that is no number"), passes=BOTH + TWO_WARPS + FIVE),
    Wrong("dot-product-first-warp", caught=BOTH, passes=FIVE),
    Wrong("dot-product-no-barrier", caught=BOTH),
    Wrong("dot-product-whole-warps", caught=(documented(64),), passes=(documented(32),) + FIVE),
    Wrong("dot-product-32-lanes", caught=(documented(64),), passes=(documented(32), FIVE[0])),
    Wrong("block-sum-thread-0", caught=BOTH, passes=at_both("all zero")),
    Wrong("block-sum-early-return", caught=BOTH, passes=random_at_both(192)),
    Wrong("block-sum-32-lanes", caught=(documented(64),), passes=(documented(32), FIVE[0])),
    Wrong("block-max-zero-for-missing", caught=BOTH, passes=random_at_both(240)),
    Wrong("block-max-from-16", caught=(documented(64),), passes=(documented(32),) + FIVE),
    Wrong("block-max-by-x", caught=BOTH, passes=at_both("rising")),
    Wrong("block-min-last-thread", caught=BOTH, passes=typed_at_both("200 times the same", [2.5] * 200)),
    Wrong("block-min-zero-for-missing", caught=BOTH, passes=random_at_both(400)),
    Wrong("block-min-infinity", caught=at_both("nothing is a number"), passes=BOTH),
    Wrong("block-min-whole-warps", caught=BOTH, passes=FIVE),
    Wrong("block-broadcast-warp", caught=(documented(32),), passes=(documented(64),)),
    Wrong("block-broadcast-block-end", caught=BOTH, passes=random_at_both(96)),
    Wrong("block-broadcast-no-barrier", caught=BOTH, passes=at_both("all zero")),
    Wrong("block-prefix-sum-exclusive", caught=BOTH, passes=at_both("all zero")),
    Wrong("block-prefix-sum-warp-before", caught=(documented(32),), passes=(documented(64),) + FIVE),
    Wrong("block-prefix-sum-lane-31", caught=(documented(64),), passes=(documented(32),) + FIVE),
    Wrong("hybrid-reduction-one-barrier", caught=BOTH, passes=at_both("all equal")),
    Wrong("hybrid-reduction-zero-for-missing", caught=at_both("nothing is a number"), passes=BOTH),
    Wrong("hybrid-reduction-eight-warps", caught=(documented(32),), passes=(documented(64),) + FIVE),
    Wrong("hybrid-reduction-first-of-opposites", caught=OPPOSITES, passes=BOTH),
    Wrong("tiled-matmul-no-first-barrier", caught=BOTH + WITHIN_TILES),
    Wrong("tiled-matmul-no-second-barrier", caught=BOTH, passes=shaped_at_both(40, 33, 16)),
    Wrong("tiled-matmul-square-only", caught=WITHIN_TILES, passes=BOTH + shaped_at_both(3, 5, 5)),
    Wrong("tiled-matmul-whole-tiles", caught=WITHIN_TILES, passes=BOTH + shaped_at_both(33, 17, 48)),
    Wrong("tiled-matmul-early-return", caught=WITHIN_TILES, passes=BOTH),
    Wrong("tiled-matmul-transposed", caught=BOTH + WITHIN_TILES, passes=at_both("all zero")),
    Wrong("race-and-atomic-sign-bit", caught=at_both("negative zeros") + BOTH_ZEROS, passes=BOTH + FIVE),
    Wrong("race-and-atomic-no-barrier", caught=BOTH + at_both("all negative"), passes=at_both("rising")),
    Wrong("race-and-atomic-counts-missing", caught=BOTH + at_both("rising"), passes=random_at_both(96)),
    Wrong("syncwarp-missing", caught=BOTH + FIVE, passes=at_both("1 random numbers")),
    Wrong("syncwarp-in-branches", caught=BOTH + FIVE, passes=TWO_WARPS),
    Wrong("syncwarp-32-lanes", caught=(documented(64),), passes=(documented(32), TWO_WARPS[0])),
    Wrong("barrier-stencil-missing", caught=BOTH + FIVE, passes=at_both("all zero")),
    Wrong("barrier-stencil-no-halo", caught=BOTH, passes=random_at_both(96) + FIVE),
    Wrong("barrier-stencil-from-the-right", caught=at_both("large and small") + at_both("thirds"), passes=BOTH),
    Wrong("ticket-semaphore-from-zero", caught=BOTH + at_both("all negative"), passes=at_both("rising")),
    Wrong("ticket-semaphore-whole-numbers", caught=FALLING_HALVES, passes=BOTH + FIVE),
    Wrong("ticket-semaphore-own-record", caught=BOTH + at_both("falling"), passes=TWO_WARPS + FIVE),
    Wrong("named-barrier-one-warp", caught=(documented(32),), passes=(documented(64),) + FIVE),
    Wrong("named-barrier-whole-tiles", caught=BOTH + at_both("rising"), passes=at_both("all negative")),
    Wrong("mbarrier-pipeline-no-wait", caught=FIVE + NEXT_TO_WARP),
    Wrong("mbarrier-pipeline-partial-mirror", caught=FIVE, passes=BOTH),
    Wrong("async-copy-no-wait", caught=BOTH + FIVE, passes=at_both("all zero")),
    Wrong("async-copy-no-barrier", caught=BOTH + FIVE, passes=at_both("all zero")),
    Wrong("async-copy-first-group-only", caught=BOTH, passes=FIVE),
    Wrong("async-copy-mirror-of-64", caught=FIVE + NEXT_TO_WARP, passes=BOTH),
    Wrong("threadfence-own-sum", caught=BOTH + random_at_both(5000), passes=FIVE),
    Wrong("threadfence-32-sums", caught=random_at_both(5000), passes=BOTH + FIVE),
    Wrong("threadfence-one-short", caught=BOTH + random_at_both(5000), passes=FIVE),
    Wrong("schedule-barrier-for-barrier", caught=BOTH, passes=at_both("all zero")),
    Wrong("schedule-barrier-in-pairs", caught=MANY_THIRDS, passes=BOTH + FIVE),
    Wrong("schedule-barrier-last-row", caught=BOTH, passes=FIVE),
    Wrong("waitcnt-no-barrier", caught=BOTH + FIVE, passes=at_both("1 random numbers")),
    Wrong("waitcnt-barrier-in-branch", caught=FIVE + NEXT_TO_WARP, passes=BOTH),
    Wrong("waitcnt-half-a-block", caught=FIVE, passes=BOTH),
    Wrong("adaptive-from-16", caught=(documented(64),), passes=(documented(32), TWO_WARPS[0])),
    Wrong("adaptive-counts-missing", caught=BOTH + FIVE, passes=TWO_WARPS),
    Wrong("adaptive-up-to-the-lane", caught=BOTH + TWO_WARPS, passes=at_both("nothing is a number")),
    Wrong("group-semaphore-forgets", caught=BOTH, passes=TWO_WARPS + FIVE),
    Wrong("group-semaphore-sign-bit", caught=BOTH_ZEROS, passes=BOTH),
    Wrong("group-semaphore-whole-warps", caught=BOTH + TWO_WARPS, passes=at_both("rising") + FIVE),
    Wrong("lane-groups-zero-for-missing", caught=BOTH + at_both("all negative"), passes=random_at_both(96)),
    Wrong("lane-groups-two-judges", caught=at_both("2 random numbers"), passes=BOTH + FIVE),
    Wrong("lane-groups-whole-warp", caught=BOTH + TWO_WARPS, passes=FIVE),
)


# The wrong kernels that are built: all of them but under a sanitizer, which has nothing to say about most.
BUILT = [wrong for wrong in WRONG if (MODULES / f"wrong-{wrong.name}.so").is_file()]
PROBLEMS = [flag for flag in PUZZLES if (MODULES / f"problem-{flag}.so").is_file()]


class GoldenTest(unittest.TestCase):
    """What is printed for the documented numbers, byte for byte."""

    def test_each_puzzle_prints_its_expected_file(self):
        for warp_size in WARP_SIZES:
            for flag in some([*PUZZLES]):
                with self.subTest(flag=flag, warp_size=warp_size):
                    done = warpz(f"--{flag}", "--warp-size", warp_size)
                    self.assertEqual(done.stderr, b"")
                    self.assertEqual(done.stdout, (SOURCE / f"expected/warp{warp_size}/{flag}.txt").read_bytes())
                    self.assertEqual(done.returncode, 0)

    def test_all_of_them_print_theirs_at_once(self):
        for warp_size in WARP_SIZES:
            with self.subTest(warp_size=warp_size):
                done = warpz("--all", "--warp-size", warp_size)
                files = [(SOURCE / f"expected/warp{warp_size}/{flag}.txt").read_text() for flag in PUZZLES]
                places = [done.stdout.decode().find(text) for text in files]
                self.assertNotIn(-1, places)
                self.assertEqual(places, sorted(places))
                self.assertEqual((done.stderr, done.returncode), (b"", 0))

    def test_without_a_warp_size_there_are_32_lanes(self):
        done = warpz("--partition")
        self.assertEqual(done.stdout, (SOURCE / "expected/warp32/partition.txt").read_bytes())

    def test_several_puzzles_are_printed_in_the_order_given(self):
        flags = ("prefix-sum", "neighbor", "conditional-max")
        done = warpz(*(f"--{flag}" for flag in flags), "--warp-size", 64)
        files = [(SOURCE / f"expected/warp64/{flag}.txt").read_text() for flag in flags]
        places = [done.stdout.decode().find(text) for text in files]
        self.assertNotIn(-1, places)
        self.assertEqual(places, sorted(places))
        self.assertEqual((done.stderr, done.returncode), (b"", 0))

    def test_every_puzzle_has_a_model_and_every_model_a_puzzle(self):
        folders = {folder.parent.name for folder in (SOURCE / "puzzles").glob("*/puzzle.cpp")}
        self.assertEqual(folders, set(PUZZLES))


class DataTest(unittest.TestCase):
    """The kernels and their references on other data, against the models."""

    def check(self, data, flags=None):
        with self.subTest(str(data), flags=flags):
            runs, done = data.judged(*(f"--{flag}" for flag in flags or ["all"]))
            self.assertEqual([run["puzzle"] for run in runs], flags or list(PUZZLES))
            self.assertEqual({run["verdict"] for run in runs}, {"passed"})
            self.assertEqual((done.stderr, done.returncode), (b"", 0))

    def test_documented_numbers(self):
        for warp_size in WARP_SIZES:
            self.check(documented(warp_size))

    def test_documented_pattern_at_other_sizes(self):
        for warp_size in WARP_SIZES:
            for size in (1, 2, warp_size - 1, warp_size + 1, 3 * warp_size + 5) if not SANITIZED else (5,):
                self.check(Data(f"--size {size}", warp_size, ("--size", size), size=size))

    def test_random_numbers(self):
        for warp_size in WARP_SIZES:
            for seed in some([0, 1, 2**64 - 1]):
                for size in some((*inputs_of.sizes(warp_size), 1000)):
                    self.check(random_data(seed, size, warp_size))

    def test_a_hundred_thousand_random_numbers(self):
        for warp_size in WARP_SIZES:
            size = 10_000 if SANITIZED else 100_000
            done = warpz("--all", "--random", 7, "--size", size, "--warp-size", warp_size, "--quiet")
            self.assertEqual((done.stderr, done.returncode), (b"", 0), "against the program's own reference")
            self.assertEqual(len(done.stdout.splitlines()), len(PUZZLES))
            if SANITIZED:
                continue
            if LONG not in sys.argv:
                self.check(random_data(7, 10_000, warp_size))
                continue
            # A product of matrices has eleven million terms then, which is more than a model in Python is good for.
            flags = [flag for flag, puzzle in PUZZLES.items() if not puzzle.shape]
            self.check(random_data(7, 100_000, warp_size), flags)

    def test_numbers_that_matter_to_blocks(self):
        for warp_size in WARP_SIZES:
            for flag in BLOCK_PUZZLES:
                for one in few([*inputs_of.inputs_of_block(PUZZLES[flag].block)]):
                    # Of two vectors the first has these numbers.
                    second = [1.0] * len(one.numbers) if flag == "dot-product" else []
                    self.check(typed(one.name, one.numbers + second, warp_size), [flag])

    def test_matrices_of_any_shape(self):
        for warp_size in WARP_SIZES:
            for shape in ((1, 1, 1), (1, 100, 1), (100, 1, 1), (1, 1, 100), (16, 16, 16), (17, 15, 16), (33, 17, 50),
                          (15, 33, 31)):
                self.check(shaped(*shape, warp_size), ["tiled-matmul"])

    def test_adversarial_numbers(self):
        for warp_size in WARP_SIZES:
            for one in few([*inputs_of.inputs(warp_size)]):
                self.check(typed(one.name, one.numbers, warp_size, one.pivot))

    def test_the_maximum_in_each_lane_of_each_partial_warp(self):
        for warp_size in WARP_SIZES:
            for size in (warp_size - 1, warp_size + 3):
                for lane in few(range(size)):
                    numbers = [-1.0 if i == lane else -2.0 - i for i in range(size)]
                    data = typed(f"the maximum at {lane} of {size}", numbers, warp_size)
                    with self.subTest(str(data)):
                        runs, _ = data.judged("--parallel-max", "--conditional-max")
                        self.assertEqual([run["verdict"] for run in runs], ["passed"] * 2)

    def test_a_pivot_of_ones_own(self):
        for warp_size in WARP_SIZES:
            for pivot in (-3.25, 0.0, 2.5, 1e30):
                data = dataclasses.replace(documented(warp_size), options=(f"--pivot={pivot}",), pivot=pivot)
                with self.subTest(str(data), pivot=pivot):
                    runs, done = data.judged("--partition")
                    self.assertEqual((runs[0]["verdict"], done.stderr, done.returncode), ("passed", b"", 0))
                    self.assertEqual(runs[0]["pivot"], pivot)


class ReadmeTest(unittest.TestCase):
    """The commands of puzzles/README.md."""

    def test_a_learners_kernel_is_built_and_run_as_told(self):
        (block,) = re.findall(r"```sh\n(cp .*?)```", (SOURCE / "puzzles/README.md").read_text(), re.DOTALL)
        with tempfile.TemporaryDirectory() as folder:
            # The commands are for the source folder; what they write belongs elsewhere.
            script = block.replace("my-neighbor", f"{folder}/my-neighbor").replace("scripts/warpz", shlex.quote(PROGRAM))
            done = subprocess.run(["sh", "-c", script], cwd=SOURCE, capture_output=True, text=True, check=False,
                                  env={**os.environ, "XDG_CACHE_HOME": folder})
        self.assertEqual(done.returncode, 1, done.stderr)
        self.assertIn("FAIL Basic neighbor difference test failed!", done.stdout)
        self.assertIn("differ", done.stderr)


class VariantTest(unittest.TestCase):
    """The kernels that go through shared memory: the same results."""

    FLAGS = sorted(folder.parent.name for folder in (SOURCE / "puzzles").glob("*/shared.hip"))

    def test_the_documents_text(self):
        self.assertGreaterEqual(len(self.FLAGS), 5)
        for warp_size in WARP_SIZES:
            for flag in self.FLAGS:
                with self.subTest(flag=flag, warp_size=warp_size):
                    done = warpz(f"--{flag}", "--variant", "shared", "--warp-size", warp_size)
                    self.assertEqual(done.stdout, (SOURCE / f"expected/warp{warp_size}/{flag}.txt").read_bytes())
                    self.assertEqual((done.stderr, done.returncode), (b"", 0))

    def test_other_data(self):
        for warp_size in WARP_SIZES:
            everything = [random_data(seed, size, warp_size) for seed, size in enumerate((1, 2, 31, 33, 63, 65, 1000))]
            without_pivot = [one for one in inputs_of.inputs(warp_size) if one.pivot is None]
            everything += [adversarial(one.name, warp_size) for one in some(without_pivot)]
            for data in everything:
                with self.subTest(str(data)):
                    runs, done = data.judged("--all", "--variant", "shared")
                    self.assertEqual(sorted(run["puzzle"] for run in runs), self.FLAGS)
                    self.assertEqual({run["verdict"] for run in runs}, {"passed"})
                    self.assertEqual((done.stderr, done.returncode), (b"", 0))

    def test_it_is_another_kernel_that_runs(self):
        # A module without that kernel says which one it lacks.
        done = warpz("--neighbor", "--variant", "shared", *module("problem-neighbor"))
        self.assertEqual(done.returncode, 4)
        self.assertIn(b"the module has no kernel named neighbor_difference_shared", done.stderr)

    def test_a_puzzle_without_one_names_those_that_have_it(self):
        done = warpz("--neighbor", "--average", "--variant", "shared")
        self.assertEqual((done.stdout, done.returncode), (b"", 2))
        for flag in ("average", *self.FLAGS):
            self.assertIn(f"--{flag}".encode(), done.stderr)

    def test_a_suggestion_keeps_the_variant(self):
        done = warpz("--pair-swap", "--variant", "shared", *module("wrong-other-shared"))
        self.assertEqual(done.returncode, 1, done.stderr)
        self.assertRegex(done.stderr.decode(), r"next: .* --variant shared ")


class WrongTest(unittest.TestCase):
    """Kernels that are wrong."""

    def test_each_problem_is_wrong_on_the_documented_numbers(self):
        for warp_size in WARP_SIZES:
            for flag in PROBLEMS:
                with self.subTest(flag=flag, warp_size=warp_size):
                    done = warpz(f"--{flag}", "--warp-size", warp_size, *module(f"problem-{flag}"))
                    self.assertEqual(done.returncode, 1)
                    lines = done.stdout.decode().splitlines()
                    self.assertEqual(lines[-1], f"FAIL {PUZZLES[flag].title} test failed!")
                    expected = (SOURCE / f"expected/warp{warp_size}/{flag}.txt").read_text().splitlines()
                    self.assertEqual(lines[:2] + lines[3:-1], expected[:2] + expected[3:-1])
                    self.assertNotEqual(done.stderr, b"")

    def test_each_problem_breaks_no_rule_on_other_data(self):
        for data in (random_data(5, 3 * 64 + 5, 64), random_data(5, 3, 32)):
            for flag in PROBLEMS:
                with self.subTest(str(data), flag=flag):
                    runs, done = data.judged(f"--{flag}", *module(f"problem-{flag}"))
                    self.assertIn((runs[0]["verdict"], done.returncode), (("wrong_result", 1), ("passed", 0)))

    def test_wrong_kernels_are_caught(self):
        for wrong in BUILT:
            for data in few(wrong.caught):
                with self.subTest(wrong.name, data=str(data)):
                    runs, done = data.judged(f"--{wrong.flag}", *module(f"wrong-{wrong.name}"))
                    # Some of them read or write past the end as well.
                    self.assertIn((runs[0]["verdict"], done.returncode), (("wrong_result", 1), ("broken_rule", 3)))

    def test_what_lets_wrong_kernels_pass(self):
        for wrong in BUILT:
            for data in few(wrong.passes):
                with self.subTest(wrong.name, data=str(data)):
                    runs, done = data.judged(f"--{wrong.flag}", *module(f"wrong-{wrong.name}"))
                    self.assertEqual((runs[0]["verdict"], done.returncode), ("passed", 0))

    def test_a_shuffle_in_a_branch_is_caught_where_a_warp_is_partial(self):
        for size, code in ((32, 0), (5, 3), (33, 3)):
            with self.subTest(size=size):
                done = warpz("--neighbor", "--size", size, *module("wrong-neighbor-shuffle-in-branch"))
                self.assertEqual(done.returncode, code, done.stderr.decode())

    def test_every_wrong_kernel_is_in_a_test(self):
        files = {file.stem for file in (SOURCE / "tests/corpus/wrong_solutions").glob("*.hip")}
        elsewhere = {name for name in files if name.startswith(("finding-", "other-"))}
        here = [wrong.name for wrong in WRONG] + ["neighbor-shuffle-in-branch"]
        self.assertEqual(sorted(here), sorted(files - elsewhere))
        self.assertTrue(SANITIZED or (BUILT, PROBLEMS) == (list(WRONG), list(PUZZLES)))
        self.assertGreater(len(BUILT), 10)
        self.assertGreater(len(PROBLEMS), 7)

    def test_every_puzzle_has_two_wrong_kernels_and_one_that_the_documents_let_pass(self):
        for flag in PUZZLES:
            with self.subTest(flag):
                mine = [wrong for wrong in WRONG if wrong.flag == flag]
                self.assertGreaterEqual(len(mine), 2)
                self.assertTrue(any(data.given is None for wrong in mine for data in wrong.passes))
                self.assertTrue(all(wrong.caught for wrong in mine))


if __name__ == "__main__":
    main(argv=sys.argv[:1] + ["DataTest.test_a_hundred_thousand_random_numbers"] if LONG in sys.argv else None)
