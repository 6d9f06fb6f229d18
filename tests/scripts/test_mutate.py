#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""scripts/mutate, on a small tree of its own; and the lines that it changes."""

import os
import pathlib
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import unittest

from sampling import long
from skips import main

SOURCE = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(SOURCE / "scripts/lib"))

from mutate.operators import mutations  # noqa: E402

CMAKE_LISTS = """cmake_minimum_required(VERSION 3.25)
set(CMAKE_CXX_COMPILER_WORKS ON)
set(CMAKE_CXX_ABI_COMPILED ON)
project(small LANGUAGES CXX)
add_executable(check src/code.cpp)
"""
# A mutant for each line with an operator or arguments. Nobody asks below() with equal numbers; pointers have no sum.
CODE = """bool below(int a, int b) { return a < b; }
long distance(int* a, int* b) { return a - b; }
int main() {
  return below(0x4, 0x7) ? 0x0 : 0x1;
}
"""
SURVIVOR = "src/code.cpp:1: `<` becomes `<=`"
MUTANTS = [SURVIVOR, "src/code.cpp:2: `-` becomes `+`", "src/code.cpp:4: `0x4, 0x7` becomes `0x7, 0x4`"]
WAITING = "echo $$ >begun; exec sleep 1000"
SUITES = """options = []
without = ["src/other"]
[[suite]]
folders = ["src/"]
targets = ["check"]
commands = [["./check"]]
"""


class Operators(unittest.TestCase):
    def after(self, line):
        return [after for _, after in mutations(line)]

    def test_operators_numbers_and_conditions(self):
        self.assertEqual(self.after("  if (a < b) {"), ["  if (a <= b) {", "  if (!(a < b)) {"])
        self.assertEqual(self.after("  return a + 1;"), ["  return a - 1;", "  return a + 2;"])
        self.assertEqual(self.after("x = !a && b;"), ["x = !a || b;", "x = a && b;", ";"])
        self.assertEqual(self.after("  return min(a, 0x1f);"), ["  return max(a, 0x1f);", "  return min(0x1f, a);"])
        self.assertEqual(self.after("  f(a, b);"), ["  f(b, a);", "  ;"])
        self.assertEqual(self.after("  ++count;"), ["  --count;", "  ;"])

    def test_what_is_no_code_stays(self):
        for line in ("#if A < B", "// a < b", "", "  call(", "template <int N = 3>", 'return "a < b";',
                     "return ' ';  // 3", "std::vector<int> a;", "      a, b);"):
            self.assertEqual(self.after(line), [], line)

    def test_a_change_is_told(self):
        self.assertEqual([change for change, _ in mutations("  f(a, true);")],
                         ["`true` becomes `false`", "`a, true` becomes `true, a`", "`f(a, true);` is left out"])


# Builds in its own tree, wherever the tests are built.
ENVIRONMENT = {name: value for name, value in os.environ.items() if name != "WARPZ_BUILD_DIR"}


@unittest.skipUnless(shutil.which("ninja") and shutil.which("git"), "ninja or git is not installed")
class Mutate(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.tree = pathlib.Path(folder.name)
        shutil.copytree(SOURCE / "scripts/lib/mutate", self.tree / "scripts/lib/mutate")
        shutil.copy(SOURCE / "scripts/mutate", self.tree / "scripts")
        for name, text in (("CMakeLists.txt", CMAKE_LISTS), ("src/code.cpp", CODE), ("tests/mutate.toml", SUITES),
                           ("src/other.cpp", CODE), (".gitignore", "__pycache__\n/build/\n")):
            (self.tree / name).parent.mkdir(exist_ok=True)
            (self.tree / name).write_text(text)
        self.git("init", "--quiet")
        self.commit()

    def git(self, *arguments):
        done = subprocess.run(["git", "-c", "user.name=a", "-c", "user.email=a@b.example", *arguments], cwd=self.tree,
                              check=True, capture_output=True, text=True)
        return done.stdout

    def commit(self):
        self.git("add", "--all")
        self.git("commit", "--quiet", "--message", "a state")

    def mutate(self, *arguments, code=0):
        done = subprocess.run([self.tree / "scripts/mutate", *arguments], capture_output=True, text=True, timeout=120,
                              check=False, env=ENVIRONMENT)
        self.assertEqual(done.returncode, code, done.stderr)
        return done.stdout.splitlines(), done.stderr

    def test_lists_survivors_and_leaves_the_tree_as_it_is(self):
        (self.tree / "src/code.cpp").write_text("what the user is writing now\n")
        survivors, told = self.mutate(code=1)
        self.assertEqual(survivors, [SURVIVOR])
        lines = re.sub(r" \([0-9]+ (?:s|min) left\)", "", told).splitlines()
        self.assertEqual(lines[0], "scripts/mutate: configuring")
        self.assertIn("building and testing src/ without a change", lines[1])
        self.assertEqual(lines[-4:], [f"1/3 survived: {MUTANTS[0]}", f"2/3 did not compile: {MUTANTS[1]}",
                                      f"3/3 found by a test: {MUTANTS[2]}",
                                      "3 mutants: 1 found by a test, 1 survived, 1 did not compile"])
        self.assertEqual(self.git("status", "--short"), " M src/code.cpp\n")

    @long
    def test_goes_on_after_it_was_killed(self):
        self.mutate(code=1)
        code = self.tree / "build/mutate/tree/src/code.cpp"
        code.write_text("what a run that was killed has left\n")
        self.assertEqual(self.mutate(code=1)[0], [SURVIVOR])
        self.assertEqual(code.read_text(), CODE)

    @long
    def test_ends_what_it_has_started_when_it_is_ended(self):
        (self.tree / "tests/mutate.toml").write_text(SUITES.replace('["./check"]', f'["sh", "-c", "{WAITING}"]'))
        self.commit()
        with subprocess.Popen([self.tree / "scripts/mutate"], stderr=subprocess.DEVNULL, env=ENVIRONMENT) as process:
            begun = self.tree / "build/mutate/build/begun"
            while not begun.exists() or not (test := begun.read_text()):
                self.assertIsNone(process.poll())
                time.sleep(0.02)
            _, told = self.mutate(code=2)
            self.assertIn("another one is at work", told)
            process.terminate()
            self.assertEqual(process.wait(60), 128 + signal.SIGTERM)
        self.assertFalse(pathlib.Path("/proc", test.strip()).exists())

    def test_lists_all_or_some(self):
        self.assertEqual(self.mutate("--list"), (MUTANTS, ""))
        self.assertEqual(self.mutate("--list", "src/none"), ([], ""))
        two, _ = self.mutate("--list", "--count", "2", "--seed", "5")
        self.assertEqual(two, [each for each in MUTANTS if each in two])
        self.assertEqual(len(two), 2)
        self.assertEqual(self.mutate("--list", "--count", "2", "--seed", "5"), (two, ""))

    def test_lists_what_has_changed(self):
        (self.tree / "src/code.cpp").write_text("bool above(int a, int b) { return a > b; }\n" + CODE)
        self.commit()
        self.assertEqual(self.mutate("--list", "--since", "HEAD~1"), (["src/code.cpp:1: `>` becomes `>=`"], ""))

    @long
    def test_says_that_the_tests_fail_without_a_change(self):
        (self.tree / "src/code.cpp").write_text(CODE.replace("a < b", "a > b"))
        self.commit()
        survivors, told = self.mutate(code=2)
        self.assertEqual(survivors, [])
        self.assertTrue(told.endswith("scripts/mutate: without any change the tests do not pass.\n"), told)


if __name__ == "__main__":
    main()
