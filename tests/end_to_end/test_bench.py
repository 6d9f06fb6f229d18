# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""--bench: that each variant is measured and told in each format. How fast anything is, is no matter here."""

import csv
import json
import math
import pathlib
import re
import tempfile
import unittest
import xml.etree.ElementTree

from puzzle_runs import SOURCE, warpz
from skips import main

SIZE = ("--size", 5000)
SVG = "{http://www.w3.org/2000/svg}"


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

    def test_the_roofline_shows_each_kernel_below_its_roofs(self):
        with tempfile.TemporaryDirectory() as folder:
            file = pathlib.Path(folder) / "bench.svg"
            done = warpz("--neighbor", "--tiled-matmul", "--bench", "-o", file, "--format", "json", *SIZE)
            picture = file.read_text()
        root = xml.etree.ElementTree.fromstring(picture)
        self.assertEqual(set(re.findall(r"\w+://[^\"' ]*", picture)), {"http://www.w3.org/2000/svg"})
        self.assertFalse([each.tag for each in root.iter() if each.tag.endswith(("script", "image", "foreignObject"))])
        self.assertEqual(len(root.findall(f".//{SVG}path[@class='roof']")), 1)
        kernels = root.findall(f".//{SVG}g[@class='kernel']")
        rows = rows_of(json.loads(done.stdout))
        self.assertEqual({(each.get("data-puzzle"), each.get("data-variant")) for each in kernels}, set(rows))

        def place(puzzle, variant):
            kernel = next(each for each in kernels if (each.get("data-puzzle"), each.get("data-variant")) == (puzzle, variant))
            path = kernel.find(f"{SVG}path[@class='lead']").get("d")
            return [float(number) for number in re.match(r"M(\S+) (\S+)L", path).groups()]
        # As many operations for each byte; more a second are farther up.
        copy = place("copy", "copy")
        for variant in ("warp", "shared", "tuned"):
            x, y = place("neighbor", variant)
            self.assertEqual(x, copy[0])
            rate = rows["neighbor", variant]["gigabytes_per_second"] - rows["copy", "copy"]["gigabytes_per_second"]
            self.assertLessEqual((y - copy[1]) * rate, 0.1 * abs(rate))
        # 50 rows of 50 numbers, twice: 2 * 50 operations for each of three numbers of 4 bytes.
        decade = float(root.findall(f".//{SVG}path[@class='grid']")[1].get("d")[1:].split()[0]) - float(
            root.findall(f".//{SVG}path[@class='grid']")[0].get("d")[1:].split()[0])
        self.assertAlmostEqual(place("tiled-matmul", "warp")[0] - copy[0], decade * math.log10(100 / 12 * 8), delta=0.3)

    def test_latency_has_each_operation_and_what_the_documents_say(self):
        tables = {}
        for warp_size in (32, 64):
            done = warpz("--bench", "latency", "--format", "json", "--warp-size", warp_size)
            self.assertEqual((done.stderr, done.returncode), (b"", 0))
            document = json.loads(done.stdout)
            self.assertEqual((document["runs"], document["verdict"], document["exit_code"]), ([], "passed", 0))
            tables[warp_size] = {row["operation"]: row for row in document["latencies"]}
            for name, row in tables[warp_size].items():
                self.assertEqual((row["unit"], row["warp_size"]), ("nanoseconds", warp_size))
                self.assertEqual(row["threads"], 256 if name.startswith(("block", "__")) else warp_size)
                self.assertGreater(row["least"], 0)
                self.assertLessEqual(row["least"], row["median"])
                self.assertLessEqual(row["median"], row["greatest"])
        told = {name: row["documented_cycles"] for name, row in tables[64].items() if row["documented_cycles"]}
        self.assertEqual(told, {"warp::shuffle_down": "1", "warp::shuffle_up": "1", "warp::shuffle_xor": "1",
                                "warp::shuffle_idx": "1", "warp::broadcast": "1", "warp::max": "6",
                                "warp::prefix_sum": "1-2"})
        self.assertEqual(tables[32]["warp::max"]["documented_cycles"], "5")
        schema = json.loads((SOURCE / "docs/output.schema.json").read_text())["$defs"]["latency"]
        for row in tables[32].values():
            self.assertEqual(set(row), set(schema["required"]))
            self.assertEqual(set(row), set(schema["properties"]))

    def test_latency_as_text_and_csv(self):
        with tempfile.TemporaryDirectory() as folder:
            file = pathlib.Path(folder) / "latency.csv"
            done = warpz("--bench", "latency", "--csv", file)
            told = list(csv.DictReader(file.read_text().splitlines()))
        lines = done.stdout.decode().splitlines()[4:]
        self.assertEqual([line[:24].strip() for line in lines], [row["operation"] for row in told])
        self.assertTrue(lines[0].endswith(" 1 cycle"), lines[0])
        self.assertTrue(lines[-1].endswith(" -"), lines[-1])

    def test_numbers_of_ones_own(self):
        done = warpz("--neighbor", "--bench", "--format", "json", "--input", "-", stdin="1 2 3 4 5 6 7")
        self.assertEqual({row["size"] for row in json.loads(done.stdout)["benchmarks"]}, {7})

    def test_what_does_not_go_with_it(self):
        for words, said in ((("--neighbor", "--csv", "x.csv"), "--csv works only with --bench"),
                            (("--neighbor", "--bench", "--variant", "tuned"), "--variant does nothing with --bench"),
                            (("--neighbor", "--bench", "--trace"), "--trace does nothing with --bench"),
                            (("--neighbor", "--bench", "--warp-size", "both"), "--bench and --warp-size both cannot be combined: "),
                            (("--neighbor", "--bench", "--kernel", "x.hip"), "--kernel does nothing with --bench"),
                            (("--neighbor", "--bench", "-o", "x.png"), "ends with .svg"),
                            (("--neighbor", "-o", "x.svg"), "--trace-file works only with --trace"),
                            (("--bench", "latency", "--size", 5), "--size does nothing with --bench latency"),
                            (("--neighbor", "--bench", "latency"), "--neighbor does nothing with --bench latency"),
                            (("--bench",), "no puzzle is named")):
            done = warpz(*words)
            self.assertEqual((done.stdout, done.returncode), (b"", 2), words)
            self.assertIn(said.encode(), done.stderr)

    def test_an_error_is_told_in_json_too(self):
        done = warpz("--neighbor", "--bench", "--format", "json", "--size", 5000, "--memory-limit", 1, "--backend", "amd")
        self.assertNotEqual(done.returncode, 0)
        self.assertEqual(json.loads(done.stdout)["exit_code"], done.returncode)


if __name__ == "__main__":
    main()
