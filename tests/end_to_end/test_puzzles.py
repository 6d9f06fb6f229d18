#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The puzzles as a user runs them: right ones pass, on all kinds of data, and wrong ones are caught.

What is right comes from tests/models, never from the program."""

import dataclasses
import itertools
import os
import re
import shlex
import subprocess
import tempfile
import unittest

from puzzle_runs import (MODULES, PROGRAM, PUZZLES, SANITIZED, SOURCE, WARP_SIZES, Data, adversarial, documented, few,
                         module, random_data, some, typed, warpz)
from sampling import FULL, sample
from skips import main
from wrong_solution_data import data_named, shaped

import adversarial as inputs_of  # tests/models, found through puzzle_runs


@dataclasses.dataclass(frozen=True)
class Wrong:
    """A kernel of tests/corpus/wrong_solutions, named after its puzzle. The comments at its beginning declare on which
    data it is caught, and on which it passes:

        // caught on: documented (64 lanes); all negative
        // passes on: documented (32 lanes)

    The names are those of wrong_solution_data.py; without a number of lanes both warp sizes are meant."""

    name: str
    flag: str
    caught: tuple
    passes: tuple

    @staticmethod
    def read(file):
        comments = list(itertools.takewhile(lambda line: line.startswith("//"), file.read_text().splitlines()))

        def declared(label):
            lines = (line.removeprefix(label) for line in comments if line.startswith(label))
            return tuple(data for line in lines for name in line.split(";") for data in data_named(name.strip()))

        flag = max((flag for flag in PUZZLES if file.stem.startswith(flag + "-")), key=len)
        return Wrong(file.stem, flag, declared("// caught on:"), declared("// passes on:"))


BLOCK_PUZZLES = [flag for flag, puzzle in PUZZLES.items() if puzzle.block]

# Those that begin with finding- and other- belong to other tests.
WRONG = [Wrong.read(file) for file in sorted((SOURCE / "tests/corpus/wrong_solutions").glob("*.hip"))
         if not file.name.startswith(("finding-", "other-"))]
# The wrong kernels that are built: all of them, but with a sanitizer only a few.
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
                for size in sample(some((*inputs_of.sizes(warp_size), 1000)), 4):
                    self.check(random_data(seed, size, warp_size))

    def test_a_hundred_thousand_random_numbers(self):
        for warp_size in WARP_SIZES:
            size = 10_000 if SANITIZED else 100_000
            done = warpz("--all", "--random", 7, "--size", size, "--warp-size", warp_size, "--quiet")
            self.assertEqual((done.stderr, done.returncode), (b"", 0), "against the program's own reference")
            self.assertEqual(len(done.stdout.splitlines()), len(PUZZLES) + 1)  # and the total
            if SANITIZED:
                continue
            if not FULL:
                self.check(random_data(7, 10_000, warp_size))
                continue
            # A product of matrices has eleven million terms then, which is more than a model in Python is good for.
            flags = [flag for flag, puzzle in PUZZLES.items() if not puzzle.shape]
            self.check(random_data(7, 100_000, warp_size), flags)

    def test_numbers_that_matter_to_blocks(self):
        for warp_size in WARP_SIZES:
            for flag in BLOCK_PUZZLES:
                for one in sample(few([*inputs_of.inputs_of_block(PUZZLES[flag].unit(warp_size))]), 5):
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
            for one in sample(few([*inputs_of.inputs(warp_size)]), 5):
                self.check(typed(one.name, one.numbers, warp_size, one.pivot))

    def test_the_maximum_in_each_lane_of_each_partial_warp(self):
        for warp_size in WARP_SIZES:
            for size in (warp_size - 1, warp_size + 3):
                for lane in sample(few(range(size)), 7):
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
    """The kernels that go through shared memory, and those that are tuned for speed: the same results."""

    FLAGS = {variant: sorted(folder.parent.name for folder in (SOURCE / "puzzles").glob(f"*/{variant}.hip"))
             for variant in ("shared", "tuned")}

    def test_the_documents_text(self):
        self.assertGreaterEqual(len(self.FLAGS["shared"]), 5)
        self.assertEqual(len(self.FLAGS["tuned"]), 10)
        for warp_size, (variant, flags) in itertools.product(WARP_SIZES, self.FLAGS.items()):
            for flag in flags:
                with self.subTest(flag=flag, variant=variant, warp_size=warp_size):
                    done = warpz(f"--{flag}", "--variant", variant, "--warp-size", warp_size)
                    self.assertEqual(done.stdout, (SOURCE / f"expected/warp{warp_size}/{flag}.txt").read_bytes())
                    self.assertEqual((done.stderr, done.returncode), (b"", 0))

    def test_other_data(self):
        for warp_size, (variant, flags) in itertools.product(WARP_SIZES, self.FLAGS.items()):
            everything = [random_data(seed, size, warp_size)
                          for seed, size in enumerate(sample((1025, 1, 2, 3, 31, 33, 63, 65, 1000, 1023), 4))]
            without_pivot = [one for one in inputs_of.inputs(warp_size) if one.pivot is None]
            everything += [adversarial(one.name, warp_size) for one in sample(some(without_pivot), 6)]
            for data in everything:
                with self.subTest(f"{variant}, {data}"):
                    runs, done = data.judged("--all", "--variant", variant)
                    self.assertEqual(sorted(run["puzzle"] for run in runs), flags)
                    self.assertEqual({run["verdict"] for run in runs}, {"passed"})
                    self.assertEqual((done.stderr, done.returncode), (b"", 0))

    def test_tuned_kernels_break_no_rule(self):
        for warp_size, size in itertools.product(WARP_SIZES, (1, 30, 1029)):
            with self.subTest(warp_size=warp_size, size=size):
                done = warpz("--all", "--variant", "tuned", "--check", "all", "--random", "5", "--size", str(size), "--quiet",
                             "--warp-size", warp_size)
                self.assertEqual((done.stderr, done.returncode), (b"", 0))

    def test_it_is_another_kernel_that_runs(self):
        # A module without that kernel says which one it lacks.
        for variant in self.FLAGS:
            done = warpz("--neighbor", "--variant", variant, *module("problem-neighbor"))
            self.assertEqual(done.returncode, 4)
            self.assertIn(f"the module has no kernel named neighbor_difference_{variant}".encode(), done.stderr)

    def test_a_puzzle_without_one_names_those_that_have_it(self):
        for variant, lacking in (("shared", "average"), ("tuned", "warp-sum")):
            done = warpz("--neighbor", f"--{lacking}", "--variant", variant)
            self.assertEqual((done.stdout, done.returncode), (b"", 2))
            self.assertIn(f"--variant {variant}: --{lacking} has no ".encode(), done.stderr)
            for flag in self.FLAGS[variant]:
                self.assertIn(f"--{flag}".encode(), done.stderr)

    def test_a_suggestion_keeps_the_variant(self):
        done = warpz("--pair-swap", "--variant", "shared", *module("wrong-other-shared"))
        self.assertEqual(done.returncode, 1, done.stderr)
        self.assertRegex(done.stderr.decode(), r"next: .* --variant shared ")


class WrongTest(unittest.TestCase):
    """Kernels that are wrong."""

    def test_each_problem_is_wrong_on_the_documented_numbers(self):
        for warp_size in WARP_SIZES:
            for flag in sample(PROBLEMS, 4):
                with self.subTest(flag=flag, warp_size=warp_size):
                    done = warpz(f"--{flag}", "--warp-size", warp_size, *module(f"problem-{flag}"))
                    self.assertEqual(done.returncode, 1)
                    lines = done.stdout.decode().splitlines()
                    self.assertEqual(lines[-1], f"FAIL {PUZZLES[flag].title} test failed!")
                    expected = (SOURCE / f"expected/warp{warp_size}/{flag}.txt").read_text().splitlines()
                    self.assertEqual(lines[:2] + lines[3:-1], expected[:2] + expected[3:-1])
                    self.assertNotEqual(done.stderr, b"")

    def test_each_problem_breaks_no_rule_on_other_data(self):
        for data, flags in ((random_data(5, 3 * 64 + 5, 64), sample(PROBLEMS, 6)), (random_data(5, 3, 32), PROBLEMS)):
            for flag in flags:
                with self.subTest(str(data), flag=flag):
                    runs, done = data.judged(f"--{flag}", *module(f"problem-{flag}"))
                    self.assertIn((runs[0]["verdict"], done.returncode), (("wrong_result", 1), ("passed", 0)))

    def test_wrong_kernels_are_caught(self):
        for wrong in sample(BUILT, 6):
            for data in few(wrong.caught):
                with self.subTest(wrong.name, data=str(data)):
                    runs, done = data.judged(f"--{wrong.flag}", *module(f"wrong-{wrong.name}"))
                    # Some of them read or write past the end as well.
                    self.assertIn((runs[0]["verdict"], done.returncode), (("wrong_result", 1), ("broken_rule", 3)))

    def test_what_lets_wrong_kernels_pass(self):
        for wrong in sample(BUILT, 6):
            for data in few(wrong.passes):
                with self.subTest(wrong.name, data=str(data)):
                    runs, done = data.judged(f"--{wrong.flag}", *module(f"wrong-{wrong.name}"))
                    self.assertEqual((runs[0]["verdict"], done.returncode), ("passed", 0))

    def test_a_shuffle_in_a_branch_is_caught_where_a_warp_is_partial(self):
        for size, code in ((32, 0), (5, 3), (33, 3)):
            with self.subTest(size=size):
                done = warpz("--neighbor", "--size", size, *module("wrong-neighbor-shuffle-in-branch"))
                self.assertEqual(done.returncode, code, done.stderr.decode())

    def test_most_are_built_also_under_a_sanitizer(self):
        self.assertTrue(SANITIZED or (BUILT, PROBLEMS) == (WRONG, list(PUZZLES)))
        self.assertGreater(len(BUILT), 3)
        self.assertGreater(len(PROBLEMS), 1)

    def test_each_declares_where_it_is_caught(self):
        for wrong in WRONG:
            with self.subTest(wrong.name):
                self.assertTrue(wrong.caught)

    def test_every_puzzle_has_two_wrong_kernels_and_one_that_the_documents_let_pass(self):
        for flag in PUZZLES:
            with self.subTest(flag):
                mine = [wrong for wrong in WRONG if wrong.flag == flag]
                self.assertGreaterEqual(len(mine), 2)
                self.assertTrue(any(data.given is None for wrong in mine for data in wrong.passes))


if __name__ == "__main__":
    main()
