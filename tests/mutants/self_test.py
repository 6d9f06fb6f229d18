#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The mutants' driver on a small tree: a mutant that is caught, and each way of not being caught."""

import os
import pathlib
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import unittest

RUN = pathlib.Path(__file__).resolve().parent / "run"

TREE = {
    "CMakeLists.txt": """cmake_minimum_required(VERSION 3.25)
# The compiler works, and nobody asks for its ABI: trying takes most of a configuration's time.
set(CMAKE_CXX_COMPILER_WORKS ON)
set(CMAKE_CXX_ABI_COMPILED ON)
project(small LANGUAGES CXX)
enable_testing()
add_executable(sum sum.cpp)
add_test(NAME small.sum COMMAND sum 2 3 5)
add_test(NAME small.zero COMMAND sum 0 0 0)
add_test(NAME "small.pair(1, 2)" COMMAND sum 1 2 3)
set_tests_properties(small.sum PROPERTIES SKIP_RETURN_CODE 77)
add_test(NAME small.tool COMMAND sum 77 0 77)
add_test(NAME small.option COMMAND sum 0 1 ${EXPECTED})
set_tests_properties(small.tool small.option PROPERTIES SKIP_RETURN_CODE 77)
""",
    "CMakePresets.json": """{"version": 6, "configurePresets": [
  {"name": "mutants", "generator": "Ninja", "cacheVariables": {"EXPECTED": "1"}},
  {"name": "other", "inherits": "mutants", "cacheVariables": {"EXPECTED": "2"}}
]}""",
    "sum.cpp": """#include <cstdlib>
int sum(int a, int b) { return a + b; }
int main(int, char** argv) {
  static_assert(sizeof(int) == 4);
  // A tool that is not here, without which one part of the test can't be run.
  if (std::atoi(argv[1]) == 77) return sum(1, 1) == 2 ? 77 : 1;
  return sum(std::atoi(argv[1]), std::atoi(argv[2])) == std::atoi(argv[3]) ? 0 : 1;
}
""",
}


def mutant(name="product", old="a + b", new="a * b", caught_by='"small.sum"', more='targets = ["sum"]', file="sum.cpp"):
    caught = f"caught_by = {caught_by}\n" if caught_by else ""
    return f"[[mutant]]\nname = '{name}'\nfile = '{file}'\nold = '{old}'\nnew = '{new}'\n{caught}{more}\n"


class DriverTest(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        self.tree = self.folder / "tree"
        self.tree.mkdir()
        for name, text in TREE.items():
            (self.tree / name).write_text(text)

    def run_driver(self, mutants, *arguments):
        (self.folder / "mutants.toml").write_text(mutants)
        done = subprocess.run([sys.executable, RUN, "--source", self.tree, "--scratch", self.folder / "scratch",
                               "--mutants", self.folder / "mutants.toml", *arguments], capture_output=True, text=True,
                              timeout=120, check=False)
        return done.returncode, done.stdout + done.stderr

    def expect(self, code, words, mutants, *arguments):
        got, text = self.run_driver(mutants, *arguments)
        self.assertIn(words, text)
        self.assertEqual(got, code, text)
        for name, content in TREE.items():
            self.assertEqual((self.tree / name).read_text(), content)
        return text

    def test_a_caught_mutant_passes(self):
        text = self.expect(0, "caught  product: by small.sum (", mutant())
        self.assertIn("1 of 1 mutants caught", text)

    def test_a_surviving_mutant_fails_and_the_others_are_still_tried(self):
        text = self.expect(1, "BAD     survivor: survived small.zero", mutant("survivor", caught_by='"small.zero"') +
                           mutant())
        self.assertIn("caught  product", text)
        self.assertIn("1 of 2 mutants caught", text)

    def test_each_named_test_has_to_catch_it(self):
        self.expect(1, "survived small.zero", mutant(caught_by='["small.sum", "small.zero"]'))
        self.expect(0, "by small.sum, small.zero", mutant(new="a * b + 1", caught_by='["small.sum", "small.zero"]'))

    def test_mutants_do_not_add_up(self):
        self.expect(1, "BAD     second: survived", mutant() + mutant("second", "== 4", ">= 4"))

    def test_a_mutant_that_no_longer_applies_fails(self):
        self.expect(1, "occurs 0 times in sum.cpp", mutant(old="a - b"))
        self.expect(1, "occurs 4 times in sum.cpp", mutant(old="argv["))
        self.expect(1, "occurs 0 times in gone.cpp", mutant(file="gone.cpp"))

    def test_a_mutant_that_does_not_compile_fails_unless_it_is_meant_to(self):
        self.expect(1, "does not compile", mutant(new="nonsense"))
        self.expect(0, "caught  size: by the compiler", mutant("size", "== 4", "== 5", caught_by="",
                                                               more='targets = ["sum"]\ncompiles = false'))
        self.expect(1, "survived: it compiles", mutant(caught_by="", more='targets = ["sum"]\ncompiles = false'))

    def test_a_crash_counts_and_a_test_that_did_not_run_does_not(self):
        self.expect(0, "caught  product", mutant(new="*static_cast<volatile int*>(nullptr) + a + b"))
        self.expect(1, "no test matches small.other", mutant(caught_by='"small.other"'))
        self.expect(1, "survived small.sum", mutant(new="(std::exit(77), a + b)"))
        shutil.rmtree(self.folder / "scratch")
        self.expect(1, "do not pass: small.sum", mutant(more="targets = []"))

    def test_a_mutant_whose_test_is_skipped_anyway_is_skipped_unless_the_rest_of_it_catches_it(self):
        text = self.expect(0, "skipped product: small.tool can't be run here", mutant(old="(argv[2])", new="(argv[3])",
                                                                                      caught_by='"small.tool"'))
        self.assertIn("0 of 1 mutants caught, 1 skipped", text)
        self.expect(0, "caught  product: by small.tool", mutant(caught_by='"small.tool"'))

    def test_each_preset_has_its_own_build(self):
        option = mutant("twice", new="2 * (a + b)", caught_by='"small.option"', more='targets = ["sum"]\npreset = "other"')
        self.expect(1, "without any mutant these tests do not pass: small.option", option)
        self.assertIn("EXPECTED:UNINITIALIZED=2", (self.folder / "scratch/other/CMakeCache.txt").read_text())
        self.expect(0, "caught  twice", option.replace('preset = "other"', 'preset = "mutants"'))

    def test_the_build_is_put_back_after_each_mutant(self):
        self.expect(0, "caught  product", mutant())
        build = self.folder / "scratch/mutants"
        done = subprocess.run(["ninja", "-C", build, "-n"], capture_output=True, text=True, check=True)
        self.assertIn("no work to do", done.stdout)
        self.assertEqual(subprocess.run([build / "sum", "2", "3", "5"], check=False).returncode, 0)

    def test_a_driver_that_was_killed_leaves_nothing_wrong(self):
        (self.folder / "mutants.toml").write_text(mutant())
        copy = self.folder / "scratch/source/sum.cpp"
        for more_seconds in (0, 0.1, 0.2, 0.3):  # before, in and after the build, or in the putting back
            driver = subprocess.Popen([sys.executable, RUN, "--source", self.tree, "--scratch", self.folder / "scratch",
                                       "--mutants", self.folder / "mutants.toml"], start_new_session=True,
                                      stdout=subprocess.DEVNULL)
            deadline = time.monotonic() + 60
            while time.monotonic() < deadline and not (copy.exists() and "a * b" in copy.read_text()):
                time.sleep(0.005)
            time.sleep(more_seconds)
            os.killpg(driver.pid, signal.SIGKILL)
            driver.wait()
            self.expect(0, "1 of 1 mutants caught", mutant())
            self.expect(1, "survived small.zero", mutant(caught_by='"small.zero"'))

    def test_a_tree_that_fails_by_itself_proves_nothing(self):
        broken = TREE["CMakeLists.txt"].replace("2 3 5", "2 3 6")
        (self.tree / "CMakeLists.txt").write_text(broken)
        code, text = self.run_driver(mutant())
        self.assertEqual(code, 1)
        self.assertIn("without any mutant these tests do not pass: small.sum", text)
        many = "".join(mutant(f"{i} more", caught_by=f'"small.su[a-z{i}]"') for i in range(60))
        self.assertIn("without any mutant these tests do not pass: small.sum", self.run_driver(many)[1])

    def test_the_list_is_checked(self):
        self.expect(1, "two mutants have this name", mutant() + mutant())
        self.expect(1, "not a field", mutant(more='target = ["sum"]'))
        self.expect(1, "needs either caught_by", mutant(caught_by=""))
        self.expect(1, "changes nothing", mutant(new="a + b"))
        self.expect(1, "no such mutant: other", mutant(), "other")
        self.expect(1, "no mutant to try", "")

    def test_quick_and_slow_share_the_list(self):
        both = mutant("short", more='targets = ["sum"]\nquick = true') + mutant("long")
        self.assertNotIn("long", self.expect(0, "caught  short", both, "--quick"))
        self.assertNotIn("short", self.expect(0, "caught  long", both, "--slow"))

    def test_names_the_tests_that_no_mutant_watches(self):
        self.expect(0, "1 of 1 mutants caught", mutant())
        build = self.folder / "scratch/mutants"
        self.assertEqual(self.run_driver(mutant(), "--unwatched", build), (
            1, "small.zero\nsmall.pair(1, 2)\nsmall.tool\nsmall.option\n4 of 5 tests have no mutant\n"))
        self.assertEqual(self.run_driver(mutant(caught_by='["small.sum", "small.[ztop]"]'), "--unwatched", build),
                         (0, "0 of 5 tests have no mutant\n"))
        (self.tree / "CMakeLists.txt").write_text("cmake_minimum_required(VERSION 3.25)\nproject(none LANGUAGES NONE)\n")
        subprocess.run(["cmake", "-S", self.tree, "-B", self.folder / "none"], capture_output=True, check=True)
        self.assertEqual(self.run_driver(mutant(), "--unwatched", self.folder / "none")[0], 1)


if __name__ == "__main__":
    unittest.main()
