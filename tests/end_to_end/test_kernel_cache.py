#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""--kernel: what was compiled is found again, while it is the same."""

import concurrent.futures
import json
import os

from kernel_support import KERNEL, RIGHT, CacheTest
from sampling import long
from skips import main


class FoundAgainTest(CacheTest):
    def test_compiled_once(self):
        self.assert_compiles(True)
        self.assert_compiles(False)
        self.assert_compiles(False, "--warp-size", 64)
        self.assert_compiles(False, "--size", 70)
        self.assertEqual(len(self.entries()), 1)

    @long
    def test_no_cache(self):
        self.assert_compiles(True, "--no-cache")
        self.assertEqual(self.entries(), [])
        self.assert_compiles(True)
        self.assert_compiles(True, "--no-cache")

    def test_what_it_was_made_of_counts(self):
        self.assert_compiles(True)
        text = (self.folder / "my.hip").read_text()
        self.write(text + "// more\n")
        self.assert_compiles(True)
        self.write(text)
        self.assert_compiles(False)
        self.write("#define STEP 2\n", "step.hpp")
        self.assertEqual(self.run_kernel("--compiler", self.compiler)[2], 1, "the header has changed")
        self.write("#define STEP 1\n", "step.hpp")
        self.assert_compiles(True)
        os.utime(self.folder / "step.hpp", (0, 0))
        self.assert_compiles(False)

    @long
    def test_what_it_was_made_with_counts(self):
        self.compiler = self.script(f'exec "{self.compiler}" "$@"')
        self.assert_compiles(True)
        self.assert_compiles(True, CPATH=str(self.folder))
        self.assert_compiles(True, "--entry", "mine")
        self.assert_compiles(True, puzzle="neighbor", file="./my.hip")
        os.utime(self.compiler, (1, 1))
        self.assert_compiles(True)
        self.assert_compiles(False)

    @long
    def test_the_puzzle_counts(self):
        self.write(KERNEL)
        self.assert_compiles(True)
        before = self.calls()
        self.assertEqual(self.run_kernel("--compiler", self.compiler, puzzle="average")[2], 1)
        self.assertGreater(self.calls(), before)

    def test_a_failure_is_not_kept(self):
        self.write("mistake\n")
        for _ in range(2):
            before = self.calls()
            self.assertEqual(self.run_kernel("--compiler", self.compiler)[2], 5)
            self.assertGreater(self.calls(), before)

    def test_warnings_are_told_once(self):
        self.write(KERNEL.replace(RIGHT, "  int idle;\n" + RIGHT))
        out, warnings, code = self.run_kernel("--compiler", self.compiler)
        before = self.calls()
        self.assertEqual(self.run_kernel("--compiler", self.compiler), (out, "", code))
        self.assertEqual(self.calls(), before)
        self.assertRegex(warnings, r"my\.hip:2:7: warning: unused variable .idle.")
        self.assertIn("\x1b[", self.run_kernel("--compiler", self.compiler, "--no-cache", "--color", "always")[1])
        out, err, _ = self.run_kernel("--compiler", self.compiler, "--no-cache", "--format", "json")
        self.assertEqual((json.loads(out)["runs"][0]["verdict"], err), ("passed", warnings))

    def test_who_comes_while_it_is_compiled_waits(self):
        self.write(KERNEL.replace(RIGHT, "  int idle;\n" + RIGHT))
        with concurrent.futures.ThreadPoolExecutor() as threads:
            runs = [threads.submit(self.run_kernel, "--compiler", self.compiler) for _ in range(4)]
            together = {run.result() for run in runs}
        calls = [call for call in (self.folder / "calls").read_text().splitlines() if " -c " in call and "-emit-pch" not in call]
        self.assertIn(len(calls), (1, 2, 3), "one compiles, unless that takes longer than any would wait")
        self.assertEqual(len(together), 1, "all say the same")
        self.assertRegex(together.pop()[1], "unused variable .idle.")


if __name__ == "__main__":
    main()
