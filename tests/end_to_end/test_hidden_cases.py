#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A user's kernel that is right on the documented input alone is not right."""

import json
import re

from kernel_support import KERNEL, RIGHT, TAKES, RunTest
from puzzle_runs import PROGRAM, PUZZLES, SOURCE
from sampling import FULL, long
from skips import main

WRONG = SOURCE / "tests/corpus/wrong_solutions"
# What learners write: a shuffle within the guard, 0 for lanes without a number, one warp size, many blocks.
FEW = ["neighbor-shuffle-in-branch", "conditional-max-zero-for-missing", "schedule-barrier-in-pairs", "threadfence-32-sums"]


class HiddenCasesTest(RunTest):
    def test_kernels_that_pass_the_documented_input_only(self):
        files = sorted(WRONG.glob("*.hip")) if FULL else [WRONG / f"{name}.hip" for name in FEW]
        caught = 0
        for file in files:
            flag = max((flag for flag in PUZZLES if file.stem.startswith(flag + "-")), key=len, default=None)
            if flag is None:
                continue
            with self.subTest(file.stem):
                _, _, code = self.run_kernel("--documented-only", file=file, puzzle=flag)
                _, err, judged = self.run_kernel(file=file, puzzle=flag)
                self.assertIn(judged, (1, 3), err)
                caught += code == 0
                if code == 0 and judged == 1:
                    command = re.search(r"next: \S+ (.*)\n", err)[1]
                    _, again, repeated = self.run_shell(f"{PROGRAM} {command}")
                    self.assertEqual(repeated, judged, command)
                    # The same elements of the same numbers.
                    self.assertEqual(*(re.findall(r"^ +\d+ .*$", each, re.M) for each in (again, err)))
        self.assertGreater(caught, len(files) // 4)

    def test_the_smallest_failure_is_shown_and_can_be_repeated(self):
        # Right for full warps of 32.
        self.write(KERNEL.replace("threadIdx.x % warpSize + 1 < warpSize", "threadIdx.x % 32 < 31"))
        out, err, code = self.run_kernel()
        self.assertEqual(code, 1)
        self.assertIn("WARP_SIZE:  64\nSIZE:  33\n", out)
        self.assertIn("right with 32 lanes, wrong with 64: 1 of 33 elements differs", err)
        # Around the element that is wrong, as nobody reads a long list.
        around = ", ".join(str(float(number * number)) for number in range(23, 33))
        self.assertIn(f"\n  input, elements 23 to 32 of 33: [{around}]\n", err)
        command = re.search(r"next: \S+ (.*)\n", err)[1]
        self.assertEqual(command, "--neighbor --kernel my.hip --warp-size 64 --size 33")
        self.assertEqual(self.run_kernel("--warp-size", 64, "--size", 33)[2], 1)
        self.write("// warpz: --warp-size 32\n" + (self.folder / "my.hip").read_text(), "says.hip")
        self.assertEqual(self.run_kernel(file="says.hip")[2], 0)
        # With data of one's own, or one warp size, just that is judged.
        for options in (["--warp-size", 32], ["--size", 32], ["--random", 1], ["--documented-only"]):
            self.assertEqual(self.run_kernel(*options)[2], 0, options)

    def test_what_the_kernel_prints_is_printed_once(self):
        self.write(KERNEL.replace("{", '{ if (threadIdx.x == 0) printf("of %d\\n", size);', 1))
        _, err, code = self.run_kernel()
        self.assertEqual((code, re.findall("^of .*$", err, re.M)), (0, ["of 32"]), err)

    def test_the_kind_of_numbers_is_in_the_command(self):
        self.write(f"__global__ void mine({TAKES}) {{\n" +
                   RIGHT.replace("? next - mine", "? (mine == next ? 7.0f : next - mine)") + "}\n")
        _, err, code = self.run_kernel()
        self.assertEqual(code, 1)
        command = re.search(r"next: \S+ (.*)\n", err)[1]
        self.assertEqual(command, "--neighbor --kernel my.hip --pattern equal --size 2", err)
        out, err, code = self.run_shell(f"{PROGRAM} {command}")
        self.assertEqual(code, 1, err)
        self.assertIn("output: [7.0, 0.0]\nexpected: [0.0, 0.0]\n", out)

    def test_without_a_puzzle_a_file_runs_in_those_that_it_is_for(self):
        right = KERNEL.replace("void mine", "void neighbor_difference")
        other = KERNEL.replace("void mine", "void butterfly_pair_swap").replace("__shfl_down(mine, 1)", "mine + 1")
        self.write(right + other)
        for options, total in (([], []), (["--all"], ["1 of 2 passed"])):
            out, err, code = self.run_options("--kernel", "my.hip", "--quiet", *options)
            self.assertEqual((out.splitlines(), code), (["OK Basic neighbor difference test passed!",
                                                         "FAIL Butterfly pair swap test failed!", *total], 1), err)
        self.write(KERNEL)
        _, err, code = self.run_options("--kernel", "my.hip")
        self.assertEqual((err.splitlines()[-2], code),
                         ("warpz: no puzzle is named, and no kernel in my.hip has the name of a puzzle's kernel", 2))
        self.assertLess(len(err.splitlines()), 4)
        self.write(KERNEL + "int main() { mine<<<1, 32>>>(nullptr, nullptr, 0); }\n")
        _, err, code = self.run_options("my.hip")
        self.assertEqual((err.splitlines()[-2:], code),
                         (["warpz: my.hip is a whole program: it has a main",
                           "warpz --run my.hip runs it."], 2))

    def run_options(self, *options):
        process = self.start(*options)
        out, err = process.communicate(timeout=300)
        return out.decode(), err.decode(), process.returncode

    @long
    def test_a_part_that_is_less_than_rounding_is_missed(self):
        text = (SOURCE / "puzzles/threadfence/solution.hip").read_text()
        self.write(text)
        options = ("--size", 2000000, "--random", 1, "--check", "off", "--format", "json")
        run, = json.loads(self.run_kernel(*options, puzzle="threadfence")[0])["runs"]
        self.assertEqual((run["verdict"], run["input"]["source"]), ("passed", "random"))
        self.write(text.replace("i < gridDim.x", "i + 1 < gridDim.x"))
        self.assertNotEqual((self.folder / "my.hip").read_text(), text)
        run, = json.loads(self.run_kernel(*options, puzzle="threadfence")[0])["runs"]
        self.assertEqual((run["verdict"], run["input"]["pattern"]), ("wrong_result", "whole"))

    def test_json_has_the_input_and_says_that_it_was_hidden(self):
        self.write(KERNEL.replace("i + 1 < size", "i + 2 < size + (size == 32)"))
        out, _, code = self.run_kernel("--format", "json")
        run, = json.loads(out)["runs"]
        self.assertEqual((code, run["hidden_case"], run["size"]), (1, True, 2))
        self.assertEqual(run["input_values"], [0, 1])
        self.write(KERNEL)
        run, = json.loads(self.run_kernel("--format", "json")[0])["runs"]
        self.assertEqual((run["hidden_case"], run["input_values"], run["verdict"]), (False, None, "passed"))


if __name__ == "__main__":
    main()
