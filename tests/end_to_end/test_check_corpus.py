#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The kernels of tests/corpus/checks under --check all: the bad ones with their reports as they stand beside them, the good
ones without any finding.

With --write the reports are written anew: read them before you believe them."""

import re
import sys
import unittest

from puzzle_runs import PROGRAM, SOURCE
from skips import main

sys.path.insert(0, str(SOURCE / "tests/corpus/checks"))

import corpus

WRITE = "--write"


def report(kernel, warp_size):
    """What standard error says of a kernel, and the exit code."""
    done = corpus.run(PROGRAM, kernel, warp_size)
    return re.sub(r"^next: ('[^']*'|\S+) ", "next: warpz ", done.stderr, flags=re.MULTILINE), done.returncode


class CorpusTest(unittest.TestCase):
    maxDiff = None

    def test_each_bad_kernel_is_found_at_its_lanes_and_lines(self):
        for kernel in filter(lambda each: each.is_bad, corpus.kernels()):
            for warp_size in kernel.warp_sizes:
                with self.subTest(kernel.name, warp_size=warp_size):
                    found, code = corpus.findings(PROGRAM, kernel, warp_size)
                    self.assertEqual(corpus.complaints(kernel, warp_size, found), [])
                    self.assertEqual(code, kernel.exit_code)

    def test_each_bad_kernel_is_told_as_it_stands_beside_it(self):
        for kernel in filter(lambda each: each.is_bad, corpus.kernels()):
            for warp_size in kernel.warp_sizes:
                with self.subTest(kernel.name, warp_size=warp_size):
                    text, _ = report(kernel, warp_size)
                    self.assertEqual(text, kernel.golden(warp_size).read_text())

    def test_no_good_kernel_has_a_finding(self):
        for kernel in filter(lambda each: not each.is_bad, corpus.kernels()):
            for warp_size in kernel.warp_sizes:
                with self.subTest(kernel.name, warp_size=warp_size):
                    found, code = corpus.findings(PROGRAM, kernel, warp_size)
                    self.assertEqual(found, [])
                    self.assertIn(code, (0, 1))

    def test_each_bad_kernel_has_a_good_twin(self):
        names = {kernel.name for kernel in corpus.kernels()}
        for name in names:
            if name.endswith("-bad"):
                self.assertIn(name.replace("-bad", "-good"), names)


if __name__ == "__main__":
    if WRITE in sys.argv:
        for each in filter(lambda one: one.is_bad, corpus.kernels()):
            for size in each.warp_sizes:
                each.golden(size).write_text(report(each, size)[0])
    else:
        main()
