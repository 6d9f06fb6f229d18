#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""warpz's JSON against docs/output.schema.json, its JUnit file by an XML parser, its exit codes' table."""

import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import unittest
import xml.etree.ElementTree

from closed_schema import closed
from skips import main

try:
    import jsonschema
except ImportError:
    jsonschema = None

SOURCE = pathlib.Path(os.environ.get("WARPZ_SOURCE_DIR", pathlib.Path(__file__).resolve().parents[2]))
sys.path.insert(0, str(SOURCE / "tests/models"))
from puzzles import PUZZLES as MODELS

PROGRAM = os.environ.get("WARPZ_PROGRAM", "")
MODULES = pathlib.Path(os.environ.get("WARPZ_MODULES", ""))
PUZZLE_COUNT = len(list((SOURCE / "puzzles").glob("*/puzzle.cpp")))
SCHEMA = json.loads((SOURCE / "docs/output.schema.json").read_text())



def beginning(value):
    """The value with no more than 100 elements of each list: a validator takes long for 60,000 numbers."""
    if isinstance(value, dict):
        return {name: beginning(each) for name, each in value.items()}
    return [beginning(each) for each in value[:100]] if isinstance(value, list) else value


def violations(value, schema):
    """What in the value breaks the schema, one text each."""
    if jsonschema is None:
        raise unittest.SkipTest("python3-jsonschema is not installed")
    validator = jsonschema.Draft202012Validator(closed(schema))
    return [f"{error.json_path}: {error.message[:200]}" for error in validator.iter_errors(beginning(value))]


def run(*arguments, **more):
    return subprocess.run([PROGRAM, *arguments], capture_output=True, text=True, timeout=120, check=False, **more)


def json_of(test, *arguments):
    done = run("--format", "json", *arguments)
    document = json.loads(done.stdout)
    test.assertEqual(violations(document, SCHEMA), [])
    test.assertEqual(document["exit_code"], done.returncode)
    return document


class ObjectTest(unittest.TestCase):
    """--format json prints an object, whatever happens."""

    def test_a_command_line_that_is_not_understood(self):
        for words, message in ((["--neigbor"], "unknown option --neigbor"), (["--size", "x", "--all"], "--size takes"),
                               ([], "no puzzle is named"), (["--all", "--size"], "--size needs a value")):
            document = json_of(self, *words)
            self.assertEqual((document["runs"], document["verdict"], document["exit_code"]), ([], "error", 2))
            self.assertIn(message, document["error"]["message"])
        done = run("--all", "--format", "json", "--format", "text", "--size", "x")
        self.assertEqual((done.stdout, done.returncode), ("", 2))

    def test_what_is_text_for_people(self):
        for words in (["--help"], ["--version"], ["--completion", "bash"]):
            for more in ([], ["--neighbor"]) if words[0] != "--completion" else ([],):
                document = json.loads(run(*words, *more, "--format", "json").stdout)
                self.assertEqual(sorted(document), ["text", "version", "warpz"])
                self.assertEqual(document["text"], run(*words, *more).stdout)

    def test_the_list(self):
        document = json.loads(run("--list", "--format", "json").stdout)
        self.assertEqual((document["version"], [sorted(each) for each in document["puzzles"]]),
                         (1, [["kernel", "parameters", "puzzle", "summary", "title"]] * PUZZLE_COUNT))
        first = next(each for each in document["puzzles"] if each["puzzle"] == "neighbor")
        self.assertEqual((first["title"], first["kernel"], first["parameters"]),
                         ("Basic neighbor difference", "neighbor_difference", "float* output, const float* input, int size"))

    def test_the_devices(self):
        devices = json.loads(run("--devices", "--format", "json", "--backend", "cpu").stdout)["devices"]
        self.assertEqual([(each["backend"], each["device"], each["warp_size"], each["problem"]) for each in devices],
                         [("cpu", 0, 32, None), ("cpu", 1, 64, None)])
        for each in json.loads(run("--devices", "--format", "json").stdout)["devices"]:
            self.assertEqual(each["device"] is None, each["name"] is None)
            self.assertTrue(each["problem"] or each["device"] is not None)


class SchemaTest(unittest.TestCase):
    """The checker itself has to see what is wrong."""

    def setUp(self):
        self.good = {"version": 1, "warpz": "1.0.0", "runs": [], "verdict": "passed", "exit_code": 0, "error": None}

    def test_a_good_document(self):
        self.assertEqual(violations(self.good, SCHEMA), [])

    def test_bad_documents(self):
        error = {"message": "m", "advice": None, "exit_code": 2}
        for key, value in (("version", 2), ("warpz", "new"), ("runs", None), ("runs", [{}]), ("verdict", "fine"),
                           ("exit_code", 256), ("exit_code", "0"), ("exit_code", True), ("error", "no"), ("error", {}),
                           ("error", {**error, "exit_code": 1}), ("error", {**error, "more": 1}), ("more", 1)):
            with self.subTest(key=key, value=value):
                self.assertNotEqual(violations({**self.good, key: value}, SCHEMA), [])
        for key in self.good:
            without = {other: self.good[other] for other in self.good if other != key}
            self.assertEqual(len(violations(without, SCHEMA)), 1)

    def test_each_definition_is_used_and_names_all_its_keys(self):
        text = json.dumps(SCHEMA)
        for name, definition in SCHEMA["$defs"].items():
            self.assertIn(f"#/$defs/{name}", text)
            self.assertEqual(definition.get("required"), list(definition["properties"]) if "properties" in definition else None)


def results_of(run):
    """How many elements the output has, by the model."""
    puzzle = MODELS[run["puzzle"]]
    return len(puzzle.expected(puzzle.numbers(run["size"]), run["warp_size"], shape=puzzle.shape))


@unittest.skipUnless(PROGRAM, "WARPZ_PROGRAM is not set")
class JsonTest(unittest.TestCase):
    def test_all_puzzles(self):
        for warp_size in 32, 64:
            document = json_of(self, "--all", "--warp-size", str(warp_size))
            self.assertEqual(document["verdict"], "passed")
            self.assertEqual(len(document["runs"]), PUZZLE_COUNT)
            for each in document["runs"]:
                self.assertEqual((each["warp_size"], each["backend"], each["verdict"]), (warp_size, "cpu", "passed"))
                results = results_of(each)
                self.assertEqual((len(each["output"]), len(each["expected"])), (results, results))
                self.assertGreater(each["milliseconds"], 0)

    def test_long_lists_are_whole_and_the_input_is_named(self):
        each = json_of(self, "--prefix-sum", "--size", "5000", "--random", "7")["runs"][0]
        self.assertEqual((len(each["output"]), len(each["expected"])), (5000, 5000))
        self.assertEqual(each["input"], {"source": "random", "seed": 7, "pattern": None, "file": None})

    def test_a_file_that_holds_what_is_no_number_in_json(self):
        with tempfile.TemporaryDirectory() as folder:
            file = pathlib.Path(folder) / "in.txt"
            file.write_text("1 inf -inf nan 2")
            each = json_of(self, "--pair-swap", "--input", str(file))["runs"][0]
        self.assertEqual(each["output"], ["inf", 1.0, "nan", "-inf", 2.0])
        self.assertEqual(each["input"]["file"], str(file))

    def test_a_wrong_result(self):
        document = json_of(self, "--neighbor", "--size", "20", "--module", str(MODULES / "wrong-neighbor-no-guard.so"))
        self.assertEqual((document["verdict"], document["exit_code"]), ("wrong_result", 1))
        self.assertEqual(document["runs"][0]["first_differences"][0]["lane"], 19)

    def test_findings(self):
        for name, kind in (("finding-half-a-warp", "diverged_collective"), ("finding-two-barriers", "diverged_barrier"),
                           ("finding-mask-without-caller", "wrong_mask"), ("finding-spin", "no_progress"),
                           ("finding-null-write", "crash"), ("finding-assertion", "assertion")):
            with self.subTest(name):
                document = json_of(self, "--neighbor", "--timeout", "1", "--module", str(MODULES / f"wrong-{name}.so"))
                self.assertEqual((document["verdict"], document["exit_code"]), ("broken_rule", 3))
                each = document["runs"][0]
                self.assertEqual((each["output"], each["milliseconds"]), ([], None))
                self.assertEqual(each["findings"][0]["kernel"], "neighbor_difference")
                self.assertEqual(each["findings"][0]["kind"], kind)

    def test_an_error_is_in_the_object(self):
        document = json_of(self, "--neighbor", "--module", "/nonexistent/module.so")
        self.assertEqual((document["verdict"], document["exit_code"], document["runs"]), ("error", 4, []))
        self.assertTrue(document["error"]["message"])

    def test_output_that_cannot_be_written(self):
        with open("/dev/full", "w", encoding="utf-8") as full:
            done = subprocess.run([PROGRAM, "--all", "--format", "json"], stdout=full, stderr=subprocess.PIPE, text=True,
                                  timeout=120, check=False)
        self.assertEqual(done.returncode, 2)
        self.assertIn("standard output cannot be written: No space left on device", done.stderr)


@unittest.skipUnless(PROGRAM, "WARPZ_PROGRAM is not set")
class JunitTest(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)
        self.file = pathlib.Path(self.folder.name) / "report.xml"

    def suite(self, *arguments):
        done = run("--junit", str(self.file), *arguments)
        return done, xml.etree.ElementTree.parse(self.file).getroot().find("testsuite")

    def test_all_puzzles(self):
        done, suite = self.suite("--all")
        self.assertEqual(done.returncode, 0)
        self.assertTrue(done.stdout.startswith("WARP_SIZE:  32\n"))
        self.assertEqual((suite.get("tests"), suite.get("failures"), suite.get("errors")), (str(PUZZLE_COUNT), "0", "0"))
        cases = suite.findall("testcase")
        self.assertEqual(len({case.get("name") for case in cases}), PUZZLE_COUNT)
        self.assertTrue(all(len(case) == 0 for case in cases))

    def test_a_wrong_result_and_a_finding(self):
        done, suite = self.suite("--neighbor", "--size", "20", "--module",
                                 str(MODULES / "wrong-neighbor-no-guard.so"))
        self.assertEqual((done.returncode, suite.get("failures")), (1, "1"))
        failure = suite.find("testcase/failure")
        self.assertEqual(failure.get("type"), "wrong_result")
        self.assertIn("\n  index  block  warp  lane", failure.text)
        done, suite = self.suite("--neighbor", "--module", str(MODULES / "wrong-finding-half-a-warp.so"))
        # The run's own case, and the finding's.
        self.assertEqual((done.returncode, suite.get("errors"), suite.get("tests")), (3, "2", "2"))
        self.assertEqual([each.get("type") for each in suite.findall("testcase/error")], ["diverged_collective"] * 2)

    def test_a_place_that_cannot_be_written_stops_before_the_first_kernel(self):
        done = run("--neighbor", "--junit", self.folder.name + "/none/report.xml")
        self.assertEqual((done.returncode, done.stdout), (2, ""))
        self.assertIn("--junit", done.stderr)


class ExitCodeTest(unittest.TestCase):
    @unittest.skipUnless(PROGRAM, "WARPZ_PROGRAM is not set")
    def test_the_help_and_the_page_have_the_same_table(self):
        page = re.findall(r"^\| ([0-9]) \| (.+) \|$", (SOURCE / "docs/exit-codes.md").read_text(), re.MULTILINE)
        shown = re.findall(r"^  ([0-9])  (.+)$", run("help", "exit-codes").stdout, re.MULTILINE)
        self.assertEqual(len(page), 6)
        self.assertEqual(page, shown)


if __name__ == "__main__":
    main()
