#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The kernels of tests/corpus/checks under --check all: the bad ones give the reports that stand beside them, the good
ones no finding.

With a class of findings, as in `test_check_corpus.py race`, only the kernels whose names begin with it. With --write the
reports are written anew: read them before you believe them."""

import collections
import functools
import pathlib
import re
import sys
import unittest

from kernel_support import cache_with_headers
from puzzle_runs import PROGRAM, SOURCE
from sampling import sample
from skips import main

sys.path.insert(0, str(SOURCE / "tests/corpus/checks"))

import corpus

WRITE = "--write"
CLASS = next((word for word in sys.argv[1:] if word != WRITE), "")
KERNELS = [kernel for kernel in corpus.kernels() if kernel.name.startswith(CLASS)]
# Twins stay together: of a class those pairs that are far apart in the alphabet, unless the reports are written anew.
PAIRS = sorted({kernel.name.rpartition("-")[0] for kernel in KERNELS})
CHOSEN = PAIRS if WRITE in sys.argv else sample(PAIRS, 5)
KERNELS = [kernel for kernel in KERNELS if kernel.name.rpartition("-")[0] in CHOSEN]
BAD = [kernel for kernel in KERNELS if kernel.is_bad]



@functools.cache
def found(kernel, warp_size):
    return corpus.findings(PROGRAM, kernel, warp_size)


def report(kernel, warp_size):
    """What standard error says of a kernel, and the exit code. Without the last lines, which draw it: test_trace_findings
    has that."""
    done = corpus.run(PROGRAM, kernel, warp_size)
    text = re.sub(r"^see: .*\n(      .*\n)?", "", done.stderr, flags=re.MULTILINE)
    return re.sub(r"^next: ('[^']*'|\S+) ", "next: warpz ", text, flags=re.MULTILINE), done.returncode


class CorpusTest(unittest.TestCase):
    maxDiff = None

    @classmethod
    def setUpClass(cls):
        cache_with_headers(pathlib.Path(corpus.CACHE_FOLDER.name))

    def test_each_bad_kernel_is_found_at_its_lanes_and_lines(self):
        for kernel in BAD:
            for warp_size in kernel.warp_sizes:
                with self.subTest(kernel.name, warp_size=warp_size):
                    told, code = found(kernel, warp_size)
                    self.assertEqual(corpus.complaints(kernel, warp_size, told), [])
                    self.assertIn(code, kernel.exit_codes)

    def test_each_bad_kernel_is_told_as_it_stands_beside_it(self):
        for kernel in BAD:
            for warp_size in kernel.warp_sizes:
                with self.subTest(kernel.name, warp_size=warp_size):
                    text, _ = report(kernel, warp_size)
                    self.assertEqual(text, kernel.golden(warp_size).read_text())

    def test_a_repair_leaves_no_finding(self):
        for kernel in BAD:
            for warp_size in kernel.warp_sizes:
                with self.subTest(kernel.name, warp_size=warp_size):
                    first = found(kernel, warp_size)[0][0]
                    if first.get("repair"):
                        self.assertEqual(corpus.left_after_repair(PROGRAM, kernel, warp_size, first), [])
                    else:
                        self.assertFalse(corpus.advises_order(first), first.get("advice"))

    def test_what_has_no_repair_says_why(self):
        for kernel in BAD:
            for warp_size in kernel.warp_sizes:
                with self.subTest(kernel.name, warp_size=warp_size):
                    first = found(kernel, warp_size)[0][0]
                    if first["kind"] in corpus.MENDED:
                        self.assertNotEqual(bool(first["repair"]), bool(kernel.no_repair), kernel.no_repair)
                    else:
                        self.assertIsNone(kernel.no_repair)

    def test_no_good_kernel_has_a_finding(self):
        for kernel in filter(lambda each: not each.is_bad, KERNELS):
            for warp_size in kernel.warp_sizes:
                with self.subTest(kernel.name, warp_size=warp_size):
                    told, code = found(kernel, warp_size)
                    self.assertEqual(told, [])
                    self.assertIn(code, (0, 1))

    def test_each_bad_kernel_has_a_good_twin(self):
        names = {kernel.name for kernel in KERNELS}
        self.assertTrue(names, f"no kernel's name begins with {CLASS}")
        for name in names:
            if name.endswith("-bad"):
                self.assertIn(name.replace("-bad", "-good"), names)

    def test_the_document_counts_the_kernels(self):
        every = corpus.kernels()
        bad = [kernel for kernel in every if kernel.is_bad]
        alone = {kernel.name for kernel in every} - {name for kernel in bad for name in (
            kernel.name, kernel.name.replace("-bad", "-good"))}
        text = " ".join((SOURCE / "docs/checks.md").read_text().split())
        counted = re.search(r"has (\d+) wrong kernels, each with a correct twin, and (\d+) correct kernels", text)
        self.assertEqual(counted and tuple(map(int, counted.groups())), (len(bad), len(alone)))
        kinds = collections.Counter(kernel.kind for kernel in bad)
        told = set(re.findall(r'finding_kind{WARPZ_\w+, "(\w+)"', (SOURCE / "src/findings/kinds.cpp").read_text()))
        # Of these a test makes what the corpus cannot: a crash of the process, a puzzle that is about a finding, ...
        elsewhere = {"crash", "not_shown", "block_size_dependence", "over_limit", "backend_dependence"}
        self.assertEqual({kind for kind in told if kinds[kind] < 4}, elsewhere)


if __name__ == "__main__":
    if WRITE in sys.argv:
        for each in BAD:
            for size in each.warp_sizes:
                each.golden(size).write_text(report(each, size)[0])
    else:
        main(argv=sys.argv[:1])
