#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What kernels include compiles as C++17 with each compiler here, without a warning: every solution and variant, every
problem and the module source. The tests as a whole are built by the distribution's own compilers."""

import pathlib
import shutil
import subprocess
import unittest

from skips import main

SOURCE = pathlib.Path(__file__).resolve().parents[3]
OPTIONS = ("-std=c++17", "-fsyntax-only", "-Wall", "-Wextra", "-Werror", "-x", "c++", "-",
           *(f"-I{SOURCE / folder}" for folder in ("src", "src/device", "src/simt/include")))


class CompilersTest(unittest.TestCase):
    def compile_together(self, compiler, patterns, least):
        """As kernels are for GPUs, where which of them are in one file changes with each new puzzle."""
        files = [file for pattern in patterns for file in sorted(SOURCE.glob(pattern))]
        self.assertGreaterEqual(len(files), least)
        done = subprocess.run([compiler, *OPTIONS], input="".join(f'#include "{file}"\n' for file in files),
                              capture_output=True, text=True, timeout=300, check=False)
        self.assertEqual((done.returncode, done.stderr), (0, ""), compiler)

    def compile_everything(self, compiler):
        self.compile_together(compiler, ["puzzles/*/solution.hip", "puzzles/*/shared.hip", "puzzles/*/tuned.hip",
                                         "src/module/module.hip"], 59)
        self.compile_together(compiler, ["puzzles/*/problem.hip"], 43)

    def test_gcc(self):
        self.compile_everything("g++")

    def test_clang(self):
        self.compile_everything("clang++")

    @unittest.skipUnless(shutil.which("clang++-19"), "there is no clang++-19, so nothing is compiled with it")
    def test_newer_clang(self):
        self.compile_everything("clang++-19")


if __name__ == "__main__":
    main()
