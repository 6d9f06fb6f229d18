#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""--kernel with the files of each puzzle: the same results as with the built-in kernels and the modules."""

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
                    # What is still to do may be the very barrier that the checks miss.
                    check = "collectives" if name == "problem" else "all"
                    out, err, code = self.run_kernel("--warp-size", warp_size, "--check", check, file=file, puzzle=flag)
                    with self.subTest(file=file.relative_to(SOURCE), warp_size=warp_size):
                        self.assertEqual(code, 1 if name == "problem" else 0, err)
                        expected = (SOURCE / f"expected/warp{warp_size}/{flag}.txt").read_text()
                        self.assertEqual(out == expected, name != "problem")


if __name__ == "__main__":
    main()
