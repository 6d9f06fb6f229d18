#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""scripts/lint on what this tree has changed since its last commit in common with origin/main, if it has."""

import os
import pathlib
import shutil
import subprocess
import tempfile
import unittest

from skips import main

SOURCE = pathlib.Path(os.environ["WARPZ_SOURCE_DIR"])
HAS_BASE = subprocess.run(["git", "merge-base", "HEAD", "origin/main"], cwd=SOURCE, capture_output=True,
                          check=False).returncode == 0


@unittest.skipUnless(HAS_BASE, "there is no origin/main to compare with")
@unittest.skipUnless(shutil.which("clang-tidy-diff"), "clang-tidy is not installed")
class LintTest(unittest.TestCase):
    def test_there_is_nothing_to_change(self):
        with tempfile.TemporaryDirectory() as folder:
            done = subprocess.run([SOURCE / "scripts/lint"], capture_output=True, text=True, check=False,
                                  env={**os.environ, "WARPZ_BUILD_DIR": folder})
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)


if __name__ == "__main__":
    main()
