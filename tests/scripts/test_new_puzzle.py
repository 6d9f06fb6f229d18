#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""scripts/new-puzzle: the folder that it writes is a puzzle, and puzzles/README.md's table is what it writes."""

import os
import pathlib
import re
import shutil
import subprocess
import tempfile
import unittest

from skips import main

SOURCE = pathlib.Path(os.environ["WARPZ_SOURCE_DIR"])
PROGRAM = pathlib.Path(os.environ["WARPZ_PROGRAM"])
SECONDS = 120


class NewPuzzleTest(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.tree = pathlib.Path(folder.name)
        for part in ("scripts/new-puzzle", "puzzles/README.md"):
            (self.tree / part).parent.mkdir(exist_ok=True)
            shutil.copy(SOURCE / part, self.tree / part)
        shutil.copytree(SOURCE / "tests/models", self.tree / "tests/models")
        for file in SOURCE.glob("puzzles/*/puzzle.cpp"):
            (self.tree / file.relative_to(SOURCE)).parent.mkdir()
            shutil.copy(file, self.tree / file.relative_to(SOURCE))

    def new_puzzle(self, *arguments):
        return subprocess.run([self.tree / "scripts/new-puzzle", *arguments], capture_output=True, text=True,
                              timeout=SECONDS, check=False)

    def table(self):
        text = (self.tree / "puzzles/README.md").read_text()
        return [line for line in text.splitlines() if line.startswith("| [")]

    def test_the_table_of_the_puzzles_is_up_to_date(self):
        self.assertEqual(self.new_puzzle("--table").returncode, 0)
        self.assertEqual((self.tree / "puzzles/README.md").read_text(), (SOURCE / "puzzles/README.md").read_text())
        self.assertEqual(len(self.table()), len([*SOURCE.glob("puzzles/*/puzzle.cpp")]))

    def test_documents_have_the_number_of_puzzles(self):
        count = str(len(self.table()))
        for file, words in (("README.md", r"(\d+) puzzles teach"), ("CHANGELOG.md", r"- (\d+) puzzles, each"),
                            ("docs/learning.md", r"0 of (\d+) done")):
            self.assertEqual(re.findall(words, (SOURCE / file).read_text()), [count], file)

    def linked_with(self, folder):
        """The program, linked once more with what is in the folder: quicker than to configure and build it all again."""
        plugin = PROGRAM.parent / "toolchain/instrument.so"
        compilers = {
            "puzzle.cpp": [os.environ.get("CXX", "c++"), "-std=c++20"],
            "solution.hip": [os.environ["WARPZ_CLANG"], *os.environ["WARPZ_DEVICE_CODE_OPTIONS"].split(), "-g", "-Xclang",
                             "-load", "-Xclang", plugin, f"-fpass-plugin={plugin}", "-fPIE"],
        }
        objects = []
        for source, compiler in compilers.items():
            objects.append(folder / f"{source}.o")
            includes = [f"-I{SOURCE / path}" for path in ("src", "src/device", "src/simt/include")]
            built = subprocess.run([*compiler, "-Wall", "-Wextra", "-Werror", *includes, "-c", folder / source, "-o",
                                    objects[-1]], capture_output=True, text=True, timeout=SECONDS, check=False)
            self.assertEqual((built.returncode, built.stderr), (0, ""))
        commands = subprocess.run(["ninja", "-t", "commands", PROGRAM.name], cwd=PROGRAM.parent, capture_output=True,
                                  text=True, timeout=SECONDS, check=True)
        link = commands.stdout.splitlines()[-1].replace(f" -o {PROGRAM.name} ", f" -o {folder}/warpz ")
        linked = subprocess.run(link.replace(" -o ", f" {objects[0]} {objects[1]} -o ", 1), shell=True,
                                cwd=PROGRAM.parent, capture_output=True, text=True, timeout=SECONDS, check=False)
        self.assertEqual(linked.returncode, 0, linked.stderr)
        (folder / "toolchain").symlink_to(PROGRAM.parent / "toolchain")  # what --kernel needs
        return folder / "warpz"

    def printed_by_the_model(self, folder, warp_size):
        subprocess.run([self.tree / "tests/models/expected.py"], timeout=SECONDS, check=True)
        return (self.tree / f"expected/warp{warp_size}/{folder.name}.txt").read_text()

    def test_a_new_puzzle_builds_and_runs_as_it_is(self):
        done = self.new_puzzle("odd-turn")
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        self.assertIn("scripts/warpz --odd-turn", done.stdout)
        self.assertRegex(self.table()[-1], r"^\| \[odd-turn\]\(odd-turn/README.md\) \| .+ \|$")
        folder = self.tree / "puzzles/odd-turn"
        program = self.linked_with(folder)
        problem = ("--backend", "cpu", "--kernel", str(folder / "problem.hip"), "--check", "collectives")
        for options, code, last in (((), 0, "OK Odd turn test passed!"), (problem, 1, "FAIL Odd turn test failed!")):
            for warp_size in ("32", "64"):
                run = subprocess.run([program, "--odd-turn", "--warp-size", warp_size, *options], capture_output=True,
                                     text=True, timeout=SECONDS, check=False,
                                     env={**os.environ, "XDG_CACHE_HOME": str(self.tree)})
                self.assertEqual((run.returncode, run.stdout.splitlines()[-1:]), (code, [last]), run.stderr)
                if code == 0:
                    self.assertEqual(run.stdout, self.printed_by_the_model(folder, warp_size))

    def test_the_next_puzzle_has_the_next_number(self):
        for name in ("first-one", "second-one"):
            self.assertEqual(self.new_puzzle(name).returncode, 0)
        self.assertEqual([row.split("]")[0] for row in self.table()[-2:]], ["| [first-one", "| [second-one"])

    def test_a_name_that_is_no_new_flag_is_refused(self):
        for name, reason in (("neighbor", "there is a puzzle neighbor already"), ("Odd_Turn", "cannot name a puzzle"),
                             ("-x", ""), ("../x", "cannot name a puzzle")):
            done = self.new_puzzle(name)
            self.assertEqual(done.returncode, 2, name)
            self.assertIn(reason, done.stderr)


if __name__ == "__main__":
    main()
