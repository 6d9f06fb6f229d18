# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""warpz beside stand-ins for the vendors' modules (tests/gpu/stand_in.cpp), as it is installed beside real ones. A
stand-in's device 0 has 64 lanes, its device 1 has 32."""

import os
import pathlib
import shutil
import subprocess
import tempfile
import unittest

from puzzle_runs import MODULES, PROGRAM, SECONDS


class StandInTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(folder.cleanup)
        cls.folder = pathlib.Path(folder.name)
        shutil.copy(PROGRAM, cls.folder / "warpz")
        # What it compiles and checks kernels with.
        for part in ("toolchain", "libwarpz-checked.so"):
            (cls.folder / part).symlink_to(pathlib.Path(PROGRAM).resolve().parent / part)
        for vendor in ("amd", "nvidia"):
            shutil.copy(MODULES / f"stand-in-{vendor}.so", cls.folder / f"libwarpz-{vendor}.so")

    def run_with(self, behaviour, *options, stdin="", variables=()):
        done = subprocess.run([self.folder / "warpz", *options], capture_output=True, text=True, timeout=SECONDS, input=stdin,
                              check=False, cwd=self.folder,
                              env={**os.environ, "WARPZ_STAND_IN": behaviour, **dict(variables)})
        return done.stdout, done.stderr, done.returncode
