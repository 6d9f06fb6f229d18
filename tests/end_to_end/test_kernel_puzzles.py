#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""--kernel with the files of each puzzle: the same results as with the built-in kernels and the modules."""

import re

from kernel_support import KernelTest
from puzzle_runs import PUZZLES, SOURCE, WARP_SIZES
from skips import main


class PuzzleFilesTest(KernelTest):
    def test_solutions_pass_and_problems_fail_with_both_warp_sizes(self):
        for flag in PUZZLES:
            for name in ("solution", "shared", "problem"):
                file = SOURCE / f"puzzles/{flag}/{name}.hip"
                if not file.exists():
                    continue
                for warp_size in WARP_SIZES:
                    out, err, code = self.run_kernel("--warp-size", warp_size, file=file, puzzle=flag)
                    with self.subTest(file=file.relative_to(SOURCE), warp_size=warp_size):
                        expected = (SOURCE / f"expected/warp{warp_size}/{flag}.txt").read_text()
                        self.assertEqual(out == expected, name != "problem")
                        # They are for both sizes, also where a tile has a side of 32.
                        self.assertNotIn("written for", err)
                        if name == "problem":
                            self.judge_problem(file, err, code)
                        else:
                            self.assertEqual(code, 0, err)

    def test_solutions_of_warps_alone_are_right_in_larger_blocks(self):
        bounds = "__global__ void __launch_bounds__(256) "
        for flag in PUZZLES:
            definition = (SOURCE / f"puzzles/{flag}/puzzle.cpp").read_text()
            if re.search(r"\.(plan_for|block_threads|independent_warps) = ", definition):
                continue
            text = (SOURCE / f"puzzles/{flag}/solution.hip").read_text()
            self.write(re.sub("^__global__ void ", bounds, text, flags=re.MULTILINE))
            for warp_size in WARP_SIZES:
                _, err, code = self.run_kernel("--warp-size", warp_size, "--random", 3, "--size", 1000, "--schedules", 7,
                                               puzzle=flag)
                with self.subTest(flag, warp_size=warp_size):
                    self.assertEqual((err, code), ("", 0))

    def judge_problem(self, file, err, code):
        """What is still to do makes the result wrong. Where it is what orders the lanes, the finding says so: it is about
        memory that others write, at lines of this file, and its advice names what is missing."""
        if code != 3:
            self.assertEqual(code, 1, err)
            self.assertNotIn("broken rule", err)
            return
        rules = re.findall(r"^(?:broken rule: \S+|also): (.*)", err, re.MULTILINE)
        for rule in rules:
            self.assertRegex(rule, "that nobody has written$|, and nothing orders them$")
        places = re.findall(r" at (\S+):(\d+)$", err, re.MULTILINE)
        self.assertGreaterEqual(len(places), len(rules))
        self.assertEqual({name for name, _ in places}, {str(file)})
        self.assertRegex(err, "barrier|syncthreads|syncwarp|[Ff]ence|atomic|Write it before it is read")


if __name__ == "__main__":
    main()
