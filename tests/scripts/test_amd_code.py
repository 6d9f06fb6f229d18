#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The AMD code of all puzzles and of the device library, as scripts/check-amd-code sees it. Needs hipcc.

Of one architecture with 64 lanes and one with 32, or with --all of all that hipcc compiles."""

import shutil
import sys
import unittest

from amd_objects import SOURCE, run_script
from skips import main

ALL = "--all"
ARCHITECTURES = ["gfx1030", "gfx906", "gfx908", "gfx90a"] if ALL in sys.argv else ["gfx1030", "gfx90a"]


@unittest.skipUnless(shutil.which("hipcc"), "hipcc is not installed: no AMD code was looked at (apt-get install hipcc)")
class AmdCodeTest(unittest.TestCase):
    def test_all_code_of_the_project(self):
        which = () if ALL in sys.argv else ("--arch", ",".join(ARCHITECTURES))
        done = run_script("check-amd-code", *which)
        self.assertEqual((done.returncode, done.stderr), (0, ""), done.stdout + done.stderr)
        rows = [line.split() for line in done.stdout.splitlines() if line]
        for path in (SOURCE / "puzzles").glob("*/solution.hip"):
            kernel = path.read_text().rpartition("WARPZ_KERNEL(")[2].partition(")")[0]
            looked_at = [word for row in rows if row[0] == kernel for word in row if word.startswith("gfx")]
            self.assertEqual(sorted(looked_at), ARCHITECTURES, kernel)
        self.assertIn(f"on {len(ARCHITECTURES)} architectures; no complaints\n", done.stdout)


if __name__ == "__main__":
    main(argv=[word for word in sys.argv if word != ALL])
