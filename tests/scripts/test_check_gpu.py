#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""scripts/check-gpu's own judgment, without a GPU, with stand-ins for the programs: what it lets pass, and what not."""

import contextlib
import importlib.machinery
import importlib.util
import json
import os
import pathlib
import sys
import tempfile
import unittest
import unittest.mock

from skips import main

SOURCE = pathlib.Path(os.environ.get("WARPZ_SOURCE_DIR", pathlib.Path(__file__).resolve().parents[2]))
sys.dont_write_bytecode = True
loader = importlib.machinery.SourceFileLoader("check_gpu", str(SOURCE / "scripts/check-gpu"))
check_gpu = importlib.util.module_from_spec(importlib.util.spec_from_loader("check_gpu", loader))
loader.exec_module(check_gpu)

CLEAN = {"racecheck": "========= RACECHECK SUMMARY: 0 hazards displayed (0 errors, 0 warnings)",
         "synccheck": "========= ERROR SUMMARY: 0 errors", "initcheck": "========= ERROR SUMMARY: 0 errors"}
# As CUDA 12 and 13 print them, shortened.
REPORTS = {
    "racecheck": """========= Error: Race reported between Write access at race(float *, const float *)+0xf0 in unsafe.hip:17
=========     and Read access at race(float *, const float *)+0x130 in unsafe.hip:18 [508 hazards]
========= RACECHECK SUMMARY: 1 hazard displayed (1 error, 0 warnings)""",
    "synccheck": """========= Barrier error detected. Divergent thread(s) in block
=========     at divergence(float *, const float *)+0xa0 in unsafe.hip:23
========= ERROR SUMMARY: 64 errors""",
    "initcheck": """========= Uninitialized __global__ memory read of size 4 bytes
=========     at uninitialized(float *, const float *)+0xb0 in unsafe.hip:28
========= ERROR SUMMARY: 128 errors""",
}

TESTS = '''#!/bin/sh
for each in "$@"; do case $each in --gtest_output=json:*) cp "{report}" "${{each#--gtest_output=json:}}" ;; esac; done
exit {code}
'''


def case(name, result="COMPLETED", **more):
    return {"name": name, "status": "RUN", "result": result, **more}


class PathTest(unittest.TestCase):
    def test_only_the_way_taken_may_differ(self):
        same = check_gpu.comparable
        self.assertEqual(same("output: [1.0]\npath: nvidia\nOK"), same("output: [1.0]\npath: portable\nOK"))
        for other in ("output: [2.0]\npath: portable\nOK", "output: [1.0]\nOK", "output: [1.0]\npath: portable\nFAIL"):
            self.assertNotEqual(same("output: [1.0]\npath: nvidia\nOK"), same(other))


class DeviceTestsTest(unittest.TestCase):
    def setUp(self):
        self.build = pathlib.Path(self.enterContext(tempfile.TemporaryDirectory()))
        os.environ.setdefault("WARPZ_PROGRAM", "")
        os.environ.setdefault("WARPZ_MODULES", "")

    def said(self, suites, code=0):
        (self.build / "report").write_text(json.dumps({"testsuites": suites}))
        program = self.build / "device_tests"
        program.write_text(TESTS.format(report=self.build / "report", code=code))
        program.chmod(0o755)
        checks = check_gpu.Checks.__new__(check_gpu.Checks)
        checks.build, checks.reports = self.build, self.build / "reports"
        return checks.device_tests("device_tests")

    def test_all_passed(self):
        suites = [{"name": "block", "testsuite": [case("a"), case("b")]},
                  {"name": "sums/0", "testsuite": [case("c")]}, {"name": "sums/1", "testsuite": [case("c")]}]
        self.assertEqual(self.said(suites), "4 tests: block 2, sums 2")

    def test_a_report_is_kept_whatever_it_says(self):
        for bad in (case("a"), case("a", failures=[{"failure": "no"}])):
            suites = [{"name": "block", "testsuite": [bad]}]
            with contextlib.suppress(check_gpu.Failed):
                self.said(suites)
            self.assertEqual(json.loads((self.build / "reports/device_tests.json").read_text()), {"testsuites": suites})

    def test_what_did_not_pass(self):
        for bad, words in ((case("b", failures=[{"failure": "no"}]), "block.b"), (case("b", "SKIPPED"), "skipped"),
                           (case("b", "SUPPRESSED"), "suppressed")):
            with self.assertRaisesRegex(check_gpu.Failed, words):
                self.said([{"name": "block", "testsuite": [case("a"), bad]}])
        with self.assertRaises(check_gpu.Failed):
            self.said([{"name": "block", "testsuite": [case("a")]}], code=1)
        with self.assertRaisesRegex(check_gpu.Failed, "no test"):
            self.said([])


class SanitizerTest(unittest.TestCase):
    def setUp(self):
        folder = pathlib.Path(self.enterContext(tempfile.TemporaryDirectory()))
        self.said, tool = folder / "said", folder / "bin/compute-sanitizer"
        tool.parent.mkdir()
        tool.write_text(f"#!/bin/sh\ncat '{self.said}'\n")
        tool.chmod(0o755)
        # The script sets variables and a path for what it imports.
        self.enterContext(unittest.mock.patch.dict(os.environ, {"PATH": f"{tool.parent}:{os.environ['PATH']}"}))
        self.enterContext(unittest.mock.patch.object(sys, "path", list(sys.path)))
        self.checks = check_gpu.Checks(folder / "build")

    def test_a_report_about_the_puzzles_fails(self):
        for tool, clean in CLEAN.items():
            self.said.write_text(clean)
            self.assertIn("no report", self.checks.sanitizer(tool))
            self.said.write_text(REPORTS[tool])
            with self.assertRaises(check_gpu.Failed):
                self.checks.sanitizer(tool)

    def test_a_tool_that_says_nothing_of_unsafe_code_fails(self):
        for tool, report in REPORTS.items():
            self.said.write_text(report)
            self.assertIn("of tests/gpu/unsafe.hip", self.checks.sanitizer_sees_unsafe_code(tool))
            kernel, _ = check_gpu.UNSAFE[tool]
            for silent in (f"{kernel}(float *) is run\n{CLEAN[tool]}", report.replace("(float", "_of_another(float")):
                self.said.write_text(silent)
                with self.assertRaises(check_gpu.Failed):
                    self.checks.sanitizer_sees_unsafe_code(tool)

    def test_every_tool_is_shown_something_that_it_is_for(self):
        source = (SOURCE / "tests/gpu/unsafe.hip").read_text()
        self.assertEqual({"memcheck", *check_gpu.UNSAFE}, set(check_gpu.SANITIZERS))
        for kernel, _ in check_gpu.UNSAFE.values():
            self.assertIn(f"__global__ void {kernel}(", source)
            self.assertIn(f'"{kernel}"', source)


if __name__ == "__main__":
    main()
