# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""--bench: that each variant is measured and told in each format. How fast anything is, is no matter here."""

import csv
import json
import pathlib
import tempfile
import unittest

from puzzle_runs import SOURCE, warpz
from skips import main

SIZE = ("--size", 5000)


def rows_of(document):
    return {(row["puzzle"], row["variant"]): row for row in document["benchmarks"]}


class BenchTest(unittest.TestCase):
    def test_each_variant_and_the_copy(self):
        for warp_size in (32, 64):
            done = warpz("--prefix-sum", "--warp-sum", "--bench", "--format", "json", "--warp-size", warp_size, *SIZE)
            self.assertEqual((done.stderr, done.returncode), (b"", 0))
            document = json.loads(done.stdout)
            rows = rows_of(document)
            self.assertEqual(list(rows), [("copy", "copy"), ("prefix-sum", "warp"), ("prefix-sum", "shared"),
                                          ("prefix-sum", "tuned"), ("warp-sum", "warp")])
            self.assertEqual((document["runs"], document["verdict"], document["exit_code"]), ([], "passed", 0))
            for row in rows.values():
                self.assertEqual((row["warp_size"], row["size"], row["bytes"]), (warp_size, 5000, 40000))
                times = row["milliseconds"]
                self.assertGreater(times["least"], 0)
                self.assertLessEqual(times["least"], times["median"])
                self.assertLessEqual(times["median"], times["greatest"])
                self.assertGreaterEqual(row["runs"], 5)
                self.assertAlmostEqual(row["gigabytes_per_second"], 40000 / times["median"] / 1e6)
                self.assertAlmostEqual(row["share_of_copy"], row["gigabytes_per_second"] /
                                       rows["copy", "copy"]["gigabytes_per_second"])

    def test_what_moves_fewer_bytes(self):
        done = warpz("--device-reduce", "--tiled-matmul", "--bench", "--format", "json")
        rows = rows_of(json.loads(done.stdout))
        reduced = rows["device-reduce", "warp"]
        self.assertEqual(reduced["bytes"], 4 * (reduced["size"] + 1))
        self.assertEqual(rows["tiled-matmul", "warp"]["bytes"], 3 * 4 * 64 * 64)

    def test_the_schema_has_all_of_its_keys(self):
        schema = json.loads((SOURCE / "docs/output.schema.json").read_text())
        done = warpz("--neighbor", "--bench", "--format", "json", *SIZE)
        document = json.loads(done.stdout)
        self.assertLessEqual(set(document), set(schema["properties"]))
        self.assertLessEqual(set(schema["required"]), set(document))
        for row in document["benchmarks"]:
            self.assertEqual(set(row), set(schema["$defs"]["benchmark"]["required"]))

    def test_the_table_has_a_bar_for_each(self):
        done = warpz("--neighbor", "--bench", *SIZE)
        lines = done.stdout.decode().splitlines()
        self.assertEqual([line.split()[:3] for line in lines[4:]],
                         [["copy", "copy", "5000"], *(["neighbor", kind, "5000"] for kind in ("warp", "shared", "tuned"))])
        self.assertTrue(lines[4].endswith("100.0%  " + 30 * "#"), lines[4])

    def test_csv_has_the_same_rows(self):
        with tempfile.TemporaryDirectory() as folder:
            file = pathlib.Path(folder) / "bench.csv"
            done = warpz("--neighbor", "--bench", "--csv", file, "--format", "json", *SIZE)
            told = list(csv.DictReader(file.read_text().splitlines()))
        rows = json.loads(done.stdout)["benchmarks"]
        self.assertEqual([(one["puzzle"], one["variant"], one["kernel"]) for one in told],
                         [(one["puzzle"], one["variant"], one["kernel"]) for one in rows])
        for one, row in zip(told, rows):
            self.assertEqual(int(one["bytes"]), row["bytes"])
            self.assertAlmostEqual(float(one["median_ms"]), row["milliseconds"]["median"], places=5)

    def test_numbers_of_ones_own(self):
        done = warpz("--neighbor", "--bench", "--format", "json", "--input", "-", stdin="1 2 3 4 5 6 7")
        self.assertEqual({row["size"] for row in json.loads(done.stdout)["benchmarks"]}, {7})

    def test_what_does_not_go_with_it(self):
        for words, said in ((("--neighbor", "--csv", "x.csv"), "--csv does nothing without --bench"),
                            (("--neighbor", "--bench", "--variant", "tuned"), "--variant does nothing with --bench"),
                            (("--neighbor", "--bench", "--trace"), "--trace does nothing with --bench"),
                            (("--neighbor", "--bench", "--warp-size", "both"), "--bench measures one warp size"),
                            (("--neighbor", "--bench", "--kernel", "x.hip"), "--kernel does nothing with --bench")):
            done = warpz(*words)
            self.assertEqual((done.stdout, done.returncode), (b"", 2), words)
            self.assertIn(said.encode(), done.stderr)

    def test_an_error_is_told_in_json_too(self):
        done = warpz("--neighbor", "--bench", "--format", "json", "--size", 5000, "--memory-limit", 1, "--backend", "amd")
        self.assertNotEqual(done.returncode, 0)
        self.assertEqual(json.loads(done.stdout)["exit_code"], done.returncode)


if __name__ == "__main__":
    main()
