#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Puzzles of one's own: folders that --puzzles loads, by the real program.

The environment names the program: WARPZ_PROGRAM."""

import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import unittest

from kernel_support import cache_with_headers
from sampling import long, sample
from skips import main

PROGRAM = pathlib.Path(os.environ["WARPZ_PROGRAM"]).resolve()
SECONDS = 240

# Another way to solve what `warpz new` writes.
MINE = """#include <hip/hip_runtime.h>
__global__ void anything(float* output, const float* input, int size) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x, lane = threadIdx.x % warpSize;
  const float own = i < size ? input[i] : 0.0f;
  const float next = __shfl(own, lane + 1 < warpSize && i + 1 < size ? lane + 1 : 0);
  if (i < size) output[i] = next;
}
"""
PLAIN = """__global__ void reference(float* output, const float* input, int size) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= size) return;
  const int first = i / warpSize * warpSize, end = min(first + warpSize, size);
  output[i] = input[i + 1 < end ? i + 1 : first];
}
"""
# A sum of products for each block of 64.
DOT_README = "# Dot product of mine\n\nDifficulty: medium.\n\nOne number for each block.\n"
DOT = """__global__ void dot(float* output, const float* a, const float* b, int size) {
  __shared__ float parts[64];
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  parts[threadIdx.x] = i < size ? a[i] * b[i] : 0.0f;
  __syncthreads();
  if (threadIdx.x != 0) return;
  float sum = 0;
  for (int k = 63; k >= 0; --k) sum += parts[k];
  output[blockIdx.x] = sum;
}
"""
DOT_REFERENCE = """def reference(a, b):
    products = [x * y for x, y in zip(a, b)]
    return [sum(products[i:i + 64]) for i in range(0, len(a), 64)]
"""


# One for all tests.
FOLDER = tempfile.TemporaryDirectory()
CACHE = str(cache_with_headers(pathlib.Path(FOLDER.name)))
# Python itself comes first: what a version manager puts on PATH takes longer to start than it.
PATH = f"{pathlib.Path(sys.executable).parent}:{os.environ['PATH']}"


class OwnPuzzles(unittest.TestCase):
    """In a folder with a puzzle as `warpz new` writes it."""

    def setUp(self):
        holder = tempfile.TemporaryDirectory()
        self.addCleanup(holder.cleanup)
        self.home = pathlib.Path(holder.name)
        self.environment = {**os.environ, "XDG_CACHE_HOME": CACHE, "NO_COLOR": "1", "PATH": PATH}
        self.warpz("new", "own/rotate-left")
        self.puzzle = self.home / "own/rotate-left"

    def warpz(self, *words, code=0, folder=None):
        done = subprocess.run([PROGRAM, *map(str, words)], cwd=folder or self.home, env=self.environment, capture_output=True,
                              text=True, timeout=SECONDS, check=False, stdin=subprocess.DEVNULL)
        self.assertEqual(done.returncode, code, done.stdout + done.stderr)
        return done

    def judge(self, *words, code=0, puzzle="rotate-left"):
        return self.warpz(puzzle, "--puzzles", "own", *words, code=code)

    def write(self, text, name="mine.hip"):
        path = self.home / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
        return name

    def facts(self, **changes):
        facts = {"kernel": "rotate_left", "size": 80, **changes}
        (self.puzzle / "puzzle.json").write_text(json.dumps(facts))

    def replace_reference(self, name, text):
        for path in self.puzzle.glob("reference*"):
            path.unlink()
        (self.puzzle / name).write_text(text)

    def refused(self, *parts):
        """The puzzle is: plainly, at once, and without a trace of how warpz works."""
        said = self.judge("--backend", "cpu", code=2).stderr
        self.assertLess(len(said.splitlines()), 30, said)
        for part in parts:
            self.assertIn(part, said)
        self.assertTrue(said.startswith("warpz: own/"), said)
        return said


class Judged(OwnPuzzles):
    def test_a_new_one_passes_with_its_solution_and_fails_with_its_problem(self):
        said = self.judge()
        self.assertIn("OK Rotate left test passed!", said.stdout)
        self.assertRegex(said.stderr, r"right on \d\d+ inputs that you have not seen, with 32 and with 64 lanes")
        for warp_size in (32, 64):
            self.judge("--documented-only", "--warp-size", warp_size)
            said = self.judge("--warp-size", warp_size, "--kernel", self.puzzle / "problem.hip", code=1)
            self.assertIn("FAIL Rotate left test failed!", said.stdout + said.stderr)

    def test_the_numbers_are_those_of_the_task(self):
        (self.puzzle / "input.txt").write_text("5 3 8")
        self.facts(size=4)
        said = json.loads(self.judge("--documented-only", "--format", "json").stdout)["runs"][0]
        self.assertEqual((said["expected"], said["output"]), ([3, 8, 5, 5], [3, 8, 5, 5]))
        said = json.loads(self.judge("--format", "json", "--size", 34).stdout)["runs"][0]
        self.assertEqual((said["output"][31], said["output"][33]), (5, 8))

    def test_kernels_are_judged_on_hidden_inputs(self):
        self.judge("--kernel", self.write(MINE))
        # By its arguments and its kernel's name alone.
        self.warpz(self.write(MINE.replace("anything", "rotate_left")), "--puzzles", "own")
        wrong = MINE.replace("warpSize && i + 1 < size", "32 && i + 1 < size").replace("% warpSize", "% 32")
        said = self.judge("--kernel", self.write(wrong), code=1).stderr
        self.assertIn("64", said)
        # Right on the documented 80 numbers, which end within a warp, and on no others.
        table = MINE.replace("output[i] = next;", "output[i] = size == 80 && warpSize == 32 ? next : 0;")
        self.judge("--kernel", self.write(table), "--documented-only")
        self.judge("--kernel", self.write(table), code=1)

    def test_a_rule_is_broken_as_in_any_puzzle(self):
        early = MINE.replace("  const float own", "  if (i >= size) return;\n  const float own")
        said = self.judge("--kernel", self.write(early), "--size", 40, code=3).stderr
        self.assertIn("lanes of one warp wait in an operation that the others never reach", " ".join(said.split()))
        self.assertIn("--puzzles own", said)

    def test_traces_and_counters(self):
        said = self.judge("--documented-only", "--trace", "text").stdout
        self.assertIn("own/rotate-left/solution.hip", said)
        self.assertRegex(said, r"(?m)^ *\d+  (warp 0: )?shuffle_idx|collective")
        said = self.judge("--documented-only", "--trace", "-o", "lanes.svg")
        self.assertIn("<svg", (self.home / "lanes.svg").read_text())
        said = self.judge("--documented-only", "--counters")
        self.assertIn("in all\n", said.stderr + said.stdout)

    def test_all_and_lists(self):
        listed = json.loads(self.warpz("--list", "--puzzles", "own", "--format", "json").stdout)["puzzles"]
        self.assertEqual(listed[-1]["puzzle"], "rotate-left")
        self.assertEqual(listed[-1]["parameters"], "float* output, const float* input, int size")
        self.assertIn("rotate-left", self.warpz("--help", "--rotate-left", "--puzzles", "own").stdout)
        self.assertIn("rotates its elements", self.warpz("help", "rotate-left", "--puzzles", "own").stdout)
        said = self.warpz("neighbor", "rotate-left", "vote", "--puzzles", "own", "--quiet").stdout
        self.assertEqual(re.findall(r"OK (.*) test passed", said), ["Basic neighbor difference", "Rotate left", "Warp vote"])
        self.assertIn("OK Rotate left test passed!", self.warpz("--puzzles", "own").stdout)
        self.warpz("rotate-left", code=2)

    def test_one_folder_is_a_puzzle_too(self):
        for path in (self.puzzle, f"{self.puzzle}/"):
            self.warpz("rotate-left", "--puzzles", path, "--documented-only")
        self.warpz("rotate-left", "--puzzles", ".", "--documented-only", folder=self.puzzle)


class Time(OwnPuzzles):
    def test_a_kernel_without_end_is_stopped_after_five_seconds(self):
        endless = MINE.replace("  if (i < size) output", "  for (volatile int k = 0; k >= 0;) {}\n  if (i < size) output")
        kernel = self.write(endless.replace("anything", "mine"))
        for more in sample(((), ("--size", 40)), 2):
            said = self.warpz("neighbor", "--kernel", kernel, *more, code=3).stderr
            self.assertRegex(said, r"4\.5 (s|seconds)")
            self.assertIn("mine.hip:6", said)


class References(OwnPuzzles):
    def test_a_kernel(self):
        self.replace_reference("reference.hip", PLAIN)
        self.judge()
        self.judge("--kernel", self.write(MINE), "--size", 1000, "--random", 3, "--warp-size", 64)
        self.judge("--kernel", self.puzzle / "problem.hip", code=1)
        # It is the reference that decides.
        self.replace_reference("reference.hip", PLAIN.replace("i + 1 < end", "i + 2 < end"))
        self.judge(code=1)

    def test_a_list(self):
        self.facts(size=3)
        self.replace_reference("reference.txt", "1, 2, 0\n")
        self.judge()
        self.assertIn("has one input", self.judge("--size", 2, code=2).stderr)
        self.replace_reference("reference.txt", "1, 2, 1\n")
        self.judge(code=1)
        self.replace_reference("reference.txt", "1, 2\n")
        self.refused("own/rotate-left/reference.txt: it has 2 numbers, and the output has 3 elements")

    @long
    def test_a_list_for_each_warp_size(self):
        self.facts(size=34)
        rotated = {32: [*range(1, 32), 0, 33, 32], 64: [*range(1, 34), 0]}
        self.replace_reference("reference.txt", " ".join(map(str, rotated[32])))
        self.judge(code=1)  # with 64 lanes
        (self.puzzle / "reference-64.txt").write_text(" ".join(map(str, rotated[64])))
        self.judge()

    def test_several_inputs_and_a_result_for_each_block(self):
        for name, text in (("README.md", DOT_README), ("problem.hip", DOT.replace("a[i] * b[i]", "a[i]")),
                           ("solution.hip", DOT), ("reference.py", DOT_REFERENCE),
                           ("puzzle.json", json.dumps({"inputs": 2, "outputs": "blocks", "threads": 64, "size": 300,
                                                       "rounding": "sums"}))):
            self.write(text, f"own/dot/{name}")
        self.judge(puzzle="dot")
        self.judge("--kernel", "own/dot/problem.hip", code=1, puzzle="dot")
        nearly = DOT.replace("k = 63; k >= 0", "k = 62; k >= 0")
        self.judge("--kernel", self.write(nearly), code=1, puzzle="dot")

    def test_a_pivot(self):
        self.facts(pivot=2.5)
        self.replace_reference("reference.py", "def reference(x, pivot):\n    return [float(v > pivot) for v in x]\n")
        kernel = """__global__ void rotate_left(float* output, const float* input, int size, float pivot) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < size) output[i] = input[i] > pivot ? 1.0f : 0.0f;
}
"""
        self.judge("--kernel", self.write(kernel))
        self.judge("--kernel", self.write(kernel.replace("> pivot", "> 2.5f")), code=1)
        self.judge("--kernel", self.write(kernel), "--pivot", 60)


class Refused(OwnPuzzles):
    """Folders that are broken, or mean harm."""

    def test_what_is_missing(self):
        for name in ("README.md", "problem.hip", "solution.hip"):
            with self.subTest(name):
                path = self.puzzle / name
                kept = path.read_text()
                path.unlink()
                self.refused(f"own/rotate-left/{name}: there is no such file")
                path.write_text(kept)
        (self.puzzle / "reference.py").unlink()
        self.refused("own/rotate-left: nothing says what is right")
        self.assertIn("no folder that can be read", self.warpz("x", "--puzzles", "nowhere", code=2).stderr)
        (self.home / "empty").mkdir()
        self.assertIn("there is no puzzle in it", self.warpz("x", "--puzzles", "empty", code=2).stderr)

    def test_two_references(self):
        (self.puzzle / "reference.txt").write_text("1")
        self.refused("keep one of the two")

    def test_puzzle_json(self):
        for text, said in (("{", "it is not JSON"), ("[]", "it is no object"), ('{"sizes": 3}', "Did you mean size?"),
                           ('{"size": 0}', "'size' has to be a whole number from 1"), ('{"size": 99999999}', "'size' has"),
                           ('{"size": -1}', "'size' has"), ('{"threads": 2000}', "'threads' has"),
                           ('{"kernel": "a(); b"}', "'kernel' has to be"), ('{"kernel": 3}', "'kernel' has to be"),
                           ('{"rounding": "all"}', "'rounding' has to be none, sums or fractions"),
                           ('{"summary": "%s"}' % ("x" * 49), "'summary' has to be"),
                           ('{"pivot": "x"}', "'pivot' has to be"), ("[" * 100_000, "it is not JSON")):
            with self.subTest(text[:40]):
                (self.puzzle / "puzzle.json").write_text(text)
                self.refused("own/rotate-left/puzzle.json: ", said)

    def test_readme(self):
        for text in ("", "Rotate\n\nDifficulty: easy.\n", "# Rotate\n\nHow it is done.\n", "# R\n\nDifficulty: awful.\n\nText\n",
                     "# R\n\nDifficulty: easy. Goal: at most many barriers.\n\nText\n",
                     "# R\n\nDifficulty: easy. Goal: no smoke.\n\nText\n"):
            with self.subTest(text):
                (self.puzzle / "README.md").write_text(text)
                self.refused("own/rotate-left/README.md: ")

    def test_files_that_are_none(self):
        readme = self.puzzle / "README.md"
        readme.write_bytes(b"# \x1b[2J\n\nDifficulty: easy.\n\nText\n")
        self.refused("README.md: it is no plain text")
        readme.write_bytes(b"x" * (2 << 20))
        self.refused("README.md: it is larger than 1 MiB")
        readme.unlink()
        for make in (lambda: os.mkfifo(readme), lambda: readme.symlink_to("/dev/zero"), readme.mkdir):
            make()
            self.refused("README.md: it cannot be read")
            readme.rmdir() if readme.is_dir() else readme.unlink()

    def test_names(self):
        for name, said in (("neighbor", "there is a puzzle of warpz's called neighbor"), ("list", "there is an option called"),
                           ("learn", "there is a command called"), ("Rotate", "'Rotate' cannot name a puzzle"),
                           ("a--b", "cannot name a puzzle"), ("a b", "cannot name a puzzle")):
            with self.subTest(name):
                moved = self.puzzle.rename(self.home / "own" / name)
                self.assertIn(said, self.warpz("--list", "--puzzles", "own", code=2).stderr)
                moved.rename(self.puzzle)
        self.assertIn("cannot name a puzzle", self.warpz("new", "A", code=2).stderr)
        self.assertIn("there is a puzzle of warpz's called neighbor", self.warpz("new", "own/neighbor", code=2).stderr)
        self.assertFalse((self.home / "own/neighbor").exists())
        self.assertIn("there is such a folder", self.warpz("new", "own/rotate-left", code=2).stderr)
        self.assertIn("def reference", (self.puzzle / "reference.py").read_text())

    def test_python_that_fails(self):
        for text, said in (("def reference(x):\n    return 1 / 0\n", "line 2: ZeroDivisionError: division by zero"),
                           ("x = (\n", "SyntaxError"), ("", "it has no function called reference"),
                           ("def reference(x): return x[1:]\n", "reference returns 79 numbers, and the output has 80"),
                           ("def reference(x): return ['a'] * len(x)\n", "TypeError"),
                           ("def reference(x): return None\n", "TypeError"),
                           ("import os\nos._exit(3)\n", "python3 ended with exit code 3"),
                           ("import os, signal\nos.kill(os.getpid(), signal.SIGSEGV)\n", "ended by signal 11"),
                           ("import os\nos._exit(0)\n", "python3 ended without a result"),
                           ("x = ' ' * (8 << 30)\n", "MemoryError"),
                           ("while True: print('x' * 100000)\n", "reference.py: ")):
            with self.subTest(text):
                self.replace_reference("reference.py", text)
                self.refused("own/rotate-left/reference.py: ", said)

    @long
    def test_python_without_end(self):
        self.replace_reference("reference.py", "import os, signal\nif os.fork() == 0:\n    os.setsid()\n    signal.pause()\n"
                                              "while True: pass\n")
        self.refused("reference.py: the reference takes longer than 10 s of processor time on 80 numbers")
        left = [path for path in pathlib.Path("/proc").glob("[0-9]*/cmdline") if str(self.puzzle).encode() in self.read(path)
                or b"own/rotate-left/reference.py" in self.read(path)]
        self.assertEqual(left, [])

    def read(self, path):
        try:
            return path.read_bytes()
        except OSError:
            return b""

    def test_a_kernel_that_is_no_reference(self):
        for text, said in (("__global__ void f(", "the reference does not compile"), ("", "has no kernel"),
                           (PLAIN.replace("if (i >= size) return;", "if (i >= size || i == 7) return;"),
                            "the reference does not write element 7"),
                           (PLAIN.replace("output[i] =", "output[i + 100000] ="), "breaks a rule itself: out-of-bounds")):
            with self.subTest(text):
                self.replace_reference("reference.hip", text)
                self.refused("own/rotate-left/reference.hip", said)

    @long
    def test_a_kernel_without_end_is_no_reference(self):
        endless = PLAIN.replace("  const int first", "  for (volatile int k = 0; k >= 0;) {}\n  const int first")
        self.replace_reference("reference.hip", endless)
        self.refused("own/rotate-left/reference.hip", "breaks a rule itself: kernel that did not end")


class Taught(OwnPuzzles):
    def test_a_course(self):
        said = self.warpz("learn", "--puzzles", "own").stdout
        self.assertRegex(said, r"\ARotate left: puzzle 1 of \d+, chapter own, easy\ngoal: no more collectives than the solution\n")
        self.assertIn("watch --puzzles own\n", said)
        course = self.home / "warpz-course"
        self.assertEqual((course / "rotate-left.hip").read_text(), (self.puzzle / "problem.hip").read_text())
        self.assertIn("--puzzles", (course / ".vscode/tasks.json").read_text())
        self.assertIn("Hint 1 of 2: one operation", self.warpz("hint", "rotate-left", "--puzzles", "own").stdout)
        self.assertIn("def", (self.puzzle / "reference.py").read_text())
        self.assertEqual(self.warpz("hint", "rotate-left", "--solution", "--yes", "--puzzles", "own").stdout,
                         (self.puzzle / "solution.hip").read_text())
        (course / "rotate-left.hip").write_text(MINE)
        said = self.warpz("warpz-course/rotate-left.hip", "--rotate-left", "--puzzles", "own").stderr
        self.assertIn("costs: 3 collectives", said)
        self.assertRegex(self.warpz("status", "--puzzles", "own").stdout, r"\Aown: 1 of 1 done\n  rotate-left +easy +done\n")
        self.warpz("reset", "rotate-left", "--yes", "--puzzles", "own")
        self.assertEqual((course / "rotate-left.hip.1~").read_text(), MINE)

    @long
    def test_a_course_that_was_begun_before(self):
        self.warpz("learn")
        self.assertFalse((self.home / "warpz-course/rotate-left.hip").exists())
        self.warpz("learn", "--puzzles", "own")
        self.assertTrue((self.home / "warpz-course/rotate-left.hip").exists())

    def test_its_solution_is_no_answer(self):
        self.write('#include "../../own/rotate-left/solution.hip"\n', "class/ann/rotate-left.hip")
        said = self.warpz("rotate-left", "--puzzles", "own", "--kernel", "class/ann/rotate-left.hip", code=5).stderr
        self.assertIn("solution.hip, which is the puzzle's own solution ", " ".join(said.split()))

    def test_a_class(self):
        slow = MINE.replace("  if (i < size) output", "  if (!__all(true)) return;\n  if (i < size) output")
        for student, text in (("ann", MINE), ("bob", (self.puzzle / "problem.hip").read_text()), ("cem", slow)):
            self.write(text, f"class/{student}/rotate-left.hip")
        (self.home / "class/dan").mkdir()
        said = self.warpz("grade", "class", "--puzzles", "own", "--puzzles", "vote", code=1).stdout
        rows = [re.split(r" {2,}", line.strip()) for line in said.splitlines() if not line.startswith("alike:")]
        self.assertEqual(rows, [["student", "rotate-left", "vote", "right"], ["ann", "✓", "missing", "1/2"],
                                ["bob", "not attempted", "missing", "0/2"], ["cem", "cost", "missing", "0/2"],
                                ["dan", "missing", "missing", "0/2"]])


if __name__ == "__main__":
    main()
