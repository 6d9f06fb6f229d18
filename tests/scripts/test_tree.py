#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The tree's own rules: shell scripts that shellcheck accepts, C++ as clang-format writes it, Python without names that
are not there, folders that include only what the picture in docs/architecture.md has below them, a README that agrees
with the scripts."""

import collections
import graphlib
import importlib.util
import os
import pathlib
import re
import shutil
import subprocess
import sys
import unittest

from skips import main

SOURCE = pathlib.Path(__file__).resolve().parents[2]
# Other versions differ in details.
CLANG_FORMAT = next(filter(None, map(shutil.which, ("clang-format-14", "clang-format"))), None)


def version(tool):
    return subprocess.run([tool, "--version"], capture_output=True, text=True, check=True).stdout


def included_folders():
    """For each folder of src, and of src/simt, the others that its files include. Files beside main.cpp are in none."""
    src = SOURCE / "src"
    found = collections.defaultdict(set)
    for file in sorted(src.rglob("*")):
        if file.suffix not in (".cpp", ".hpp", ".h", ".hip"):
            continue
        for name in re.findall(r'^#include ["<]([^">]+)[">]', file.read_text(), re.MULTILINE):
            places = (root / name for root in (file.parent, src, src / "device", src / "simt/include"))
            included = next((place for place in places if place.is_file()), None)
            if included:
                found[folder_of(file, src)].add(folder_of(included, src))
    return {folder: others - {folder, ""} for folder, others in found.items() if folder}


def folder_of(file, src):
    parts = file.resolve().relative_to(src).parts[:-1]
    return "/".join(parts[:2 if parts[:1] == ("simt",) else 1])


class TreeTest(unittest.TestCase):
    def test_folders_include_only_what_is_below_them_in_the_picture(self):
        picture = (SOURCE / "docs/architecture.md").read_text().partition("## One picture")[2].split("```")[1]
        rows = {name: number for number, row in enumerate(picture.splitlines()) for name in re.findall(r"[a-z/]+", row)}
        included = included_folders()
        self.assertEqual(set(rows) - {"main"}, {*included, *(folder for others in included.values() for folder in others)})
        for folder, others in included.items():
            for other in others:
                self.assertLess(rows[folder], rows[other], f"{folder} includes {other}")

    def test_folders_of_kernels_headers_have_no_circle(self):
        headers = SOURCE / "src/simt/include"
        included = collections.defaultdict(set)
        for file in sorted(path for path in headers.rglob("*") if path.is_file()):
            for name in re.findall(r'^#include ["<]([^">]+)[">]', file.read_text(), re.MULTILINE):
                if (headers / name).is_file() and (headers / name).parent != file.parent:
                    included[file.parent.relative_to(headers)].add((headers / name).parent.relative_to(headers))
        self.assertGreater(len(included), 5)
        graphlib.TopologicalSorter(included).prepare()  # raises CycleError, which names the circle

    @unittest.skipUnless(shutil.which("shellcheck"), "shellcheck is not installed")
    def test_shell_scripts_pass_shellcheck(self):
        scripts = [file for folder in ("scripts", ".ci", "tests") for file in sorted((SOURCE / folder).rglob("*"))
                   if file.is_file() and re.match(rb"#!/usr/bin/env bash|# shellcheck shell=bash", file.read_bytes())]
        self.assertGreaterEqual(len(scripts), 4)
        done = subprocess.run(["shellcheck", "-x", *scripts], cwd=SOURCE, capture_output=True, text=True, check=False)
        self.assertEqual(done.stdout + done.stderr, "")

    @unittest.skipUnless(importlib.util.find_spec("pyflakes"), "pyflakes is not installed")
    def test_python_names_what_there_is_and_uses_what_it_imports(self):
        files = [file for folder in ("scripts", "src", "tests") for file in sorted((SOURCE / folder).rglob("*"))
                 if file.is_file() and (file.suffix == ".py" or file.read_bytes().startswith(b"#!/usr/bin/env python3"))]
        self.assertGreater(len(files), 200)
        done = subprocess.run([sys.executable, "-m", "pyflakes", *files], cwd=SOURCE, capture_output=True, text=True,
                              check=False)
        meant = [line for line in done.stdout.splitlines() if "# noqa" in self.line_at(*line.split(":")[:2])]
        self.assertEqual(done.stdout.splitlines(), meant)

    @staticmethod
    def line_at(file, number):
        return pathlib.Path(file).read_text().splitlines()[int(number) - 1]

    @unittest.skipUnless(CLANG_FORMAT and " 14." in version(CLANG_FORMAT), "clang-format 14 is not installed")
    def test_cpp_is_formatted(self):
        files = [file for folder in ("src", "puzzles", "tests") for file in sorted((SOURCE / folder).rglob("*"))
                 if file.suffix in (".cpp", ".hpp", ".h", ".hip")]
        self.assertGreater(len(files), 500)
        done = subprocess.run([CLANG_FORMAT, "--dry-run", "-Werror", *files], cwd=SOURCE, capture_output=True, text=True,
                              check=False)
        self.assertEqual(done.returncode, 0, done.stderr)

    def test_no_file_of_code_is_long(self):
        files = [file for folder in ("src", "puzzles", "tests", "scripts") for file in sorted((SOURCE / folder).rglob("*"))
                 if file.suffix in (".cpp", ".hpp", ".h", ".hip", ".py", ".js", ".css", ".cmake") or file.name == "CMakeLists.txt"]
        self.assertGreater(len(files), 500)
        self.assertEqual([str(file.relative_to(SOURCE)) for file in files if len(file.read_text().splitlines()) > 500], [])

    def test_the_readmes_commands_exist(self):
        commands = re.findall(r"^(scripts/\S+)", (SOURCE / "README.md").read_text(), re.MULTILINE)
        self.assertEqual(commands[:2], ["scripts/warpz", "scripts/test"])
        for command in commands:
            self.assertTrue(os.access(SOURCE / command, os.X_OK), command)

    def test_the_readme_names_the_packages_of_the_one_list(self):
        rows = [line.split() for line in (SOURCE / "scripts/packages.txt").read_text().splitlines()
                if line and line[0] != "#"]
        program = [row[1] for row in rows if row[0] == "program"]
        self.assertIn("sudo apt-get install " + " ".join(program) + "\n", (SOURCE / "README.md").read_text())
        self.assertEqual({row[0] for row in rows}, {"program", "amd", "nvidia", "tests", "pages", "arm64", "soak", "benchmarks",
                                                    "ranks", "peers"})
        self.assertEqual({len(row) for row in rows}, {4})


if __name__ == "__main__":
    main()
