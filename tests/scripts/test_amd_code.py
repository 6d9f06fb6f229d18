#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The AMD code of the device library, as scripts/check-amd-code sees it, for one architecture with 64 lanes; that of
the puzzles is looked at in their module, for 32 lanes as well (gpu/built_code.py). With scripts/test --full that of
everything, for all architectures that there is a compiler for. Needs hipcc."""

import shutil
import unittest

from amd_objects import SOURCE, run_script
from amd_readers import needs_readers
from sampling import long
from skips import main

from amd_code.toolchain import CLANGS, NEWER, SHIPPED  # scripts/lib, found through amd_objects


@unittest.skipUnless(shutil.which("hipcc"), "hipcc is not installed: no AMD code was looked at (apt-get install hipcc)")
@needs_readers
class AmdCodeTest(unittest.TestCase):
    def output(self, architectures, *arguments):
        done = run_script("check-amd-code", "--arch", ",".join(architectures), *arguments)
        self.assertEqual((done.returncode, done.stderr), (0, ""), done.stdout + done.stderr)
        self.assertIn("; no complaints\n", done.stdout)
        return done.stdout

    def test_the_device_library(self):
        files = sorted((SOURCE / "tests/amd").glob("*.hip"))
        self.assertGreater(len(files), 3)
        output = self.output(["gfx90a"], *(word for file in files for word in ("--kernel", file)))
        self.assertIn("by_xor_4_u32", output)

    @long
    def test_all_code_of_the_project(self):
        newer = NEWER if any(map(shutil.which, CLANGS)) else ()
        architectures = sorted((*SHIPPED, *newer))
        rows = [line.split() for line in self.output(architectures).splitlines() if line]
        for path in (SOURCE / "puzzles").glob("*/solution.hip"):
            kernel = path.read_text().rpartition("WARPZ_KERNEL(")[2].partition(")")[0]
            looked_at = [word for row in rows if row[0] == kernel for word in row if word.startswith("gfx")]
            self.assertEqual(sorted(looked_at), architectures, kernel)


if __name__ == "__main__":
    main()
