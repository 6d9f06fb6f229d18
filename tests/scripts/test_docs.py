#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The pages' links lead somewhere, and what CONTRIBUTING.md says that a change touches is what one did touch."""

import json
import os
import pathlib
import re
import unittest

from skips import main

SOURCE = pathlib.Path(os.environ.get("WARPZ_SOURCE_DIR", pathlib.Path(__file__).resolve().parents[2]))
FENCE = re.compile(r"^(```|~~~).*?^\1", re.MULTILINE | re.DOTALL)


def pages():
    return sorted(path for path in [*SOURCE.glob("*.md"), *SOURCE.glob("docs/*.md"), *SOURCE.glob("puzzles/**/*.md"),
                                    *SOURCE.glob("tests/*.md")])


def anchors(page):
    """As GitHub makes them of headings."""
    headings = re.findall(r"^#+ +(.*)$", FENCE.sub("", page.read_text()), re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", heading.strip().lower()).replace(" ", "-") for heading in headings}


class Links(unittest.TestCase):
    def test_lead_to_files_and_headings_that_exist(self):
        for page in pages():
            for target in re.findall(r"\]\(([^)\s]+)\)", FENCE.sub("", page.read_text())):
                if re.match(r"[a-z]+:", target):
                    continue
                path, _, anchor = target.partition("#")
                linked = (page.parent / path).resolve() if path else page
                with self.subTest(page=str(page.relative_to(SOURCE)), target=target):
                    self.assertTrue(linked.exists())
                    if anchor:
                        self.assertIn(anchor, anchors(linked))


class Json(unittest.TestCase):
    """Every key that is printed is described: in the schema, and those of a run on the page, too."""

    SCHEMAS = {"output": ("src/report/json_report.cpp", "src/counters/json.cpp"), "trace": ("src/trace/json.cpp",)}
    # Words in braces that are values.
    VALUES = {"active", "bits", "load", "move", "smallest"}

    @staticmethod
    def schema(name):
        return json.loads((SOURCE / f"docs/{name}.schema.json").read_text())

    def properties(self, part, place=""):
        """Each property, wherever it is: its place, its name and its schema."""
        if isinstance(part, list):
            for each in part:
                yield from self.properties(each, place)
        elif isinstance(part, dict):
            for name, each in part.get("properties", {}).items():
                yield f"{place}/{name}", name, each
            for name, each in part.items():
                yield from self.properties(each, f"{place}/{name}")

    def test_what_is_printed_is_in_the_schema(self):
        for name, files in self.SCHEMAS.items():
            text = "".join((SOURCE / file).read_text() for file in files)
            printed = set(re.findall(r'[{[(]"([a-z_0-9]+)"[,\]]', text)) - self.VALUES
            known = {key for _, key, _ in self.properties(self.schema(name))}
            with self.subTest(schema=name):
                self.assertGreater(len(printed), 40)
                self.assertEqual(printed - known, set())

    def test_each_key_has_a_description(self):
        for name in self.SCHEMAS:
            found = list(self.properties(self.schema(name)))
            self.assertGreater(len(found), 50)
            self.assertEqual([place for place, _, each in found if not {"description", "$ref"} & set(each)], [], name)

    def test_the_page_tells_of_each_key_of_a_run(self):
        page = (SOURCE / "docs/output.md").read_text().partition("\n## JSON\n")[2].partition("\n## ")[0]
        told = set(re.findall(r"`([a-z_]+)`", page))
        runs = self.schema("output")["$defs"]
        for kind in ("run", "program_run", "refused_run"):
            self.assertEqual(set(runs[kind]["properties"]) - told, set(), kind)


class Benchmarks(unittest.TestCase):
    def test_the_puzzles_of_the_vendors_library_are_those_it_has_kernels_for(self):
        section = (SOURCE / "docs/benchmarks.md").read_text().partition("\n### The vendor's library\n")[2].partition("\n### ")[0]
        rows = re.findall(r"^\| [^|]* \| (.*) \|$", section, re.MULTILINE)
        listed = [flag for row in rows for flag in re.findall(r"`([\w-]+)`", row)]
        source = (SOURCE / "src/bench/vendor_library.hip").read_text()
        kernels = set(re.findall(r"\blibrary_(\w+)[,);\"]", source))
        self.assertEqual({flag.replace("-", "_") for flag in listed}, kernels - {"cub", "rocprim"})
        self.assertEqual(len(listed), len(kernels))
        # That of a name that is no puzzle's would never run.
        self.assertEqual([flag for flag in listed if not (SOURCE / "puzzles" / flag).is_dir()], [])


class Contributing(unittest.TestCase):
    """Each section's table names the files of its example."""

    TEXT = (SOURCE / "CONTRIBUTING.md").read_text()

    def listed(self, heading):
        section = self.TEXT.partition(f"\n## {heading}\n")[2].partition("\n## ")[0]
        return {name for row in re.findall(r"^\|.*\|$", section, re.MULTILINE) for name in re.findall(r"`([\w/.]+/[\w.]*)`", row)}

    def mentioning(self, word):
        return {str(path.relative_to(SOURCE)) for path in SOURCE.glob("src/**/*")
                if path.suffix in {".h", ".hpp", ".cpp", ".hip"} and re.search(rf"\b{word}\b", path.read_text())}

    def test_every_file_named_exists(self):
        named = re.findall(r"`((?:src|tests|docs|scripts|puzzles)/[\w/.-]+)`", self.TEXT)
        self.assertGreater(len(named), 10)
        self.assertEqual([name for name in named if name != "puzzles/NAME" and not (SOURCE / name).exists()], [])

    def test_a_kind_of_finding_touches_what_is_listed(self):
        listed = self.listed("A kind of finding")
        self.assertEqual(self.mentioning("WARPZ_MISALIGNED"), {name for name in listed if name.startswith("src/")})
        self.assertLessEqual(len(listed), 8)

    def test_an_option_touches_what_is_listed(self):
        self.assertEqual(self.mentioning(r"(struct finding_options|finding_options::limit|findings[.]limit)"), self.listed("An option"))
        self.assertLessEqual(len(self.listed("An option")), 3)

    def test_a_puzzle_is_its_folder(self):
        self.assertEqual(self.mentioning("dot-product"), set())


if __name__ == "__main__":
    main()
