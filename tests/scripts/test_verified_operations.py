#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""scripts/verified-operations: what it joins, from reports as the checks leave them, and what it refuses."""

import json
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

from skips import main

SOURCE = pathlib.Path(os.environ.get("WARPZ_SOURCE_DIR", pathlib.Path(__file__).resolve().parents[2]))
HEADINGS = "| operation | type | "


def of_test(operations, types="", device="cpu", sizes="32 64 ", **more):
    return {"name": "t", "status": "RUN", "result": "COMPLETED", "type_param": "float", "operations": operations,
            "types": types, "device": device, "warp_sizes": sizes, **more}


def of_tests(*tests):
    return {"testsuites": [{"name": "s", "testsuite": list(tests)}]}


def counts(right, wrong=0, not_judged=0):
    return {"right": right, "wrong": wrong, "not judged": not_judged}


def emulated(lanes=64, **operations):
    return {"emulated": {"gfx90a": {"lanes": lanes, "operations": operations}}}


class JoinTest(unittest.TestCase):
    def join(self, *reports):
        """Its exit code, the lines of its table, and what it says."""
        with tempfile.TemporaryDirectory() as folder:
            files = []
            for number, report in enumerate(reports):
                files.append(pathlib.Path(folder) / f"{number}.json")
                files[-1].write_text(report if isinstance(report, str) else json.dumps(report))
            done = subprocess.run([sys.executable, SOURCE / "scripts/verified-operations", *files], text=True,
                                  capture_output=True, check=False)
        return done.returncode, done.stdout.splitlines(), done.stderr

    def rows(self, *reports):
        code, lines, told = self.join(*reports)
        self.assertEqual((code, told), (0, ""))
        return lines[0].removeprefix(HEADINGS), lines[2:]

    def test_what_was_not_run_stays_empty(self):
        headings, rows = self.rows(of_tests(of_test("sum max"), of_test("sum", "int32_t", sizes="64 ")),
                                   of_tests(of_test("max", device="nvidia", sizes="32 ")),
                                   emulated(sum_f32=counts(7), sum_i64=counts(0, 0, 7)))
        self.assertEqual(headings, "CPU, 32 | CPU, 64 | NVIDIA, 32 | gfx90a, 64 |")
        self.assertEqual(rows, ["| `sum` | `int32_t` |  | right |  |  |",
                                "| `sum` | `int64_t` |  |  |  | not judged |",
                                "| `sum` | `float` | right | right |  | right |",
                                "| `max` | `float` | right | right | right |  |"])

    def test_the_same_answers_stand_together(self):
        _, rows = self.rows(of_tests(of_test("min sum", "float double any"), of_test("any", "bool")))
        self.assertEqual(rows, ["| `sum`, `min` | `float`, `double`, any | right | right |",
                                "| `any` | `bool` | right | right |"])

    def test_kernels_are_for_what_their_names_say(self):
        _, rows = self.rows(emulated(
            exclusive_prefix_sum_i32=counts(1), by_xor_4_f64=counts(1), shuffle_up_16_words=counts(1),
            group_hash_64_1_u32=counts(1), block_exclusive_prefix_sum_f32=counts(1), wait_barrier_u32=counts(1),
            vote_u32=counts(1), block_repeated_f32=counts(1), distributed_exclusive_prefix_sum_u64=counts(1),
            distributed_merging_sort_i64=counts(1)))
        self.assertEqual(rows, ["| `shuffle_up` | any | right |", "| `shuffle_xor` | `double` | right |",
                                "| `reduce` | `uint32_t` | right |", "| `prefix_sum` | `int32_t` | right |",
                                "| `vote` | `bool` | right |", "| `block::prefix_sum` | `float` | right |",
                                "| `barrier` | - | right |", "| `distributed::prefix_sum` | `uint64_t` | right |",
                                "| `distributed::sort` | `int64_t` | right |"])

    def test_what_is_wrong_shows_whatever_else_is_right(self):
        for report in (of_tests(of_test("sum", sizes="64 "), of_test("sum", sizes="64 ", failures=[{"failure": "f"}])),
                       emulated(sum_f32=counts(9, 1), sum_of_products_f32=counts(3))):
            code, lines, _ = self.join(report)
            self.assertEqual((code, lines[2]), (1, "| `sum` | `float` | WRONG |"))

    def test_a_test_that_was_skipped_shows_nothing(self):
        _, rows = self.rows(of_tests(of_test("sum", sizes="64 ", result="SKIPPED"), of_test("max", sizes="64 ")))
        self.assertEqual(rows, ["| `sum` | `float` |  |", "| `max` | `float` | right |"])

    def test_reports_that_do_not_fit(self):
        good = of_tests(of_test("sum"))
        for reports, words in (
                ((good, good), "CPU, 32 is in 0.json already"),
                ((of_tests(of_test("summ")),), "the library has no operation summ"),
                ((of_tests(of_test("sum", "int33_t")),), "there is no type int33_t"),
                ((of_tests(of_test("sum", device="tpu")),), "0.json: s.t: it is from tpu"),
                ((of_tests(of_test("sum", sizes="")),), "it has no lanes"),
                ((of_tests({"name": "t", "result": "COMPLETED"}),), "it covers no operation"),
                ((emulated(sum_f16=counts(1)),), "there is no type f16"),
                ((emulated(summ_f32=counts(1)),), "the library has no operation summ"),
                (({},), "it is no report"), (("[",), "0.json: ")):
            code, lines, told = self.join(*reports)
            self.assertEqual((code, lines), (2, []), told)
            self.assertIn(words, told)


if __name__ == "__main__":
    main()
