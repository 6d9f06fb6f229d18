#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A class's submissions, judged by `warpz grade`: whatever one student hands in, the others are judged.

The environment names the program: WARPZ_PROGRAM."""

import csv
import io
import json
import os
import pathlib
import re
import shutil
import subprocess
import tempfile
import unittest
import xml.etree.ElementTree as xml

from kernel_support import cache_with_headers
from skips import main

PROGRAM = pathlib.Path(os.environ["WARPZ_PROGRAM"]).resolve()
PUZZLES = pathlib.Path(__file__).resolve().parents[2] / "puzzles"
SECONDS = 300

ENDLESS = "  for (volatile int i = 0; i >= 0;) {}\n"
# What a kernel prints is limited, and nothing of its file may write to one.
PRINTS = '  for (int i = 0; i < 100000000; ++i) printf("%0512d\\n", i);\n'
WRITES = """#include <cstdio>
struct fills { fills() { std::FILE* file = std::fopen("filled", "w"); for (int i = 0; i < (1 << 20); ++i) std::fputs("full", file); } } one;
"""
# The compiler would write it, byte for byte.
FILLS = "__device__ char fills[64ull << 30] = {1};\n"


def solution(name, before="  const int lane", added=""):
    text = (PUZZLES / name / "solution.hip").read_text()
    assert before in text or not added
    return text.replace(before, added + before, 1)


class Grade(unittest.TestCase):
    def setUp(self):
        holder = tempfile.TemporaryDirectory()
        self.addCleanup(holder.cleanup)
        self.folder = pathlib.Path(holder.name)
        (self.folder / "temporary").mkdir()
        self.cache = str(cache_with_headers(self.folder))

    def hand_in(self, student, **files):
        """Files by their puzzle, with underscores."""
        folder = self.folder / "class" / student
        folder.mkdir(parents=True, exist_ok=True)
        for name, text in files.items():
            (folder / (name.replace("_", "-") + ".hip")).write_text(text)
        return folder

    def grade(self, *words, code=1, stderr=""):
        done = subprocess.run([PROGRAM, "grade", *(words or ["class"])], cwd=self.folder, capture_output=True, text=True,
                              env={**os.environ, "XDG_CACHE_HOME": self.cache, "TMPDIR": str(self.folder / "temporary")}, timeout=SECONDS,
                              check=False)
        self.assertEqual((done.returncode, done.stderr), (code, stderr), done.stdout)
        self.assertEqual(list((self.folder / "temporary").iterdir()), [])
        return done.stdout

    def marks(self, output):
        """Of each student, by puzzle, from the table."""
        head, *rows = [re.split(r" {2,}", line.strip()) for line in output.splitlines() if not line.startswith(("alike:", "left out:"))]
        return {row[0]: dict(zip(head[1:], row[1:])) for row in rows}

    def test_thirty_at_once_with_malicious_ones(self):
        for number in range(30):
            self.hand_in(f"s{number:02}", neighbor=solution("neighbor"))
        self.hand_in("s03", neighbor=solution("neighbor", added=ENDLESS))
        self.hand_in("s07", neighbor=solution("neighbor", added=PRINTS))
        self.hand_in("s11", neighbor=WRITES + solution("neighbor"))
        self.hand_in("s13", neighbor='#include "neighbor.hip"\n')
        self.hand_in("s17", neighbor=FILLS + solution("neighbor"))
        marks = self.marks(self.grade())
        self.assertEqual(len(marks), 30)
        wrong = {student: each["neighbor"] for student, each in marks.items() if each["neighbor"] != "✓"}
        # A kernel's file has no host code that runs: the global object of s11 opens nothing.
        self.assertEqual(set(wrong), {"s03", "s07", "s13", "s17"})
        # On a slow disk, the time of s17 is over before the file is as large as one may be.
        self.assertIn(wrong.pop("s17"), ("does not compile", "timeout"))
        self.assertEqual([wrong[student] for student in sorted(wrong)], ["timeout", "timeout", "does not compile"])
        self.assertEqual(list(self.folder.rglob("filled")), [])

    def test_a_row_for_each_student_in_every_format(self):
        self.hand_in("ann", neighbor=solution("neighbor"), vote=solution("vote"))
        self.hand_in("bob", neighbor=solution("neighbor").replace("warp::size() - 1", "31"))
        self.hand_in("cem, \"c\"", neighbor=(PUZZLES / "neighbor/problem.hip").read_text(), vote="int x = <&>;\n")
        self.hand_in("=dan")
        output = self.grade("class", "--csv", "c.csv", "--json", "c.json", "--junit", "c.xml", "--html", "c.html")
        self.assertEqual(self.marks(output), {
            "=dan": {"neighbor": "missing", "vote": "missing", "right": "0/2"},
            "ann": {"neighbor": "✓", "vote": "✓", "right": "2/2"},
            "bob": {"neighbor": "wrong", "vote": "missing", "right": "1/2"} | {"right": "0/2"},
            'cem, "c"': {"neighbor": "not attempted", "vote": "does not compile", "right": "0/2"}})
        rows = list(csv.DictReader(io.StringIO((self.folder / "c.csv").read_text())))
        self.assertEqual([(row["student"], row["neighbor"], row["right"]) for row in rows], [
            ("'=dan", "missing", "0"), ("ann", "right", "2"), ("bob", "wrong", "0"), ('cem, "c"', "not attempted", "0")])
        document = json.loads((self.folder / "c.json").read_text())
        bob = document["students"][2]
        self.assertEqual((bob["student"], bob["files"][0]["outcome"]), ("bob", "hidden_case"))
        self.assertTrue(bob["files"][0]["words"].startswith("WRONG with 64 lanes, right with 32: "))
        suites = xml.parse(self.folder / "c.xml").getroot()
        self.assertEqual([(suite.get("name"), suite.get("tests"), suite.get("failures")) for suite in suites],
                         [("=dan", "2", "2"), ("ann", "2", "0"), ("bob", "2", "2"), ('cem, "c"', "2", "2")])
        self.assertIn("int x = <&>;", suites[3][1][0].text)
        page = (self.folder / "c.html").read_text()
        self.assertIn("<th>cem, &quot;c&quot;</th>", page)
        self.assertIn("int x = &lt;&amp;&gt;;", page)
        self.assertNotIn("<&>", page)

    def test_answers_that_are_taken_from_elsewhere_do_not_pass(self):
        answers = ", ".join(f"{2 * i + 1}.0f" for i in range(31))
        self.hand_in("copied", neighbor=f'#include "{PUZZLES}/neighbor/solution.hip"\n')
        self.hand_in("linked", neighbor='#include "mine.hpp"\n')
        (self.folder / "class/linked/mine.hpp").symlink_to(PUZZLES / "neighbor/solution.hip")
        (self.hand_in("itself") / "neighbor.hip").symlink_to(PUZZLES / "neighbor/solution.hip")
        (self.hand_in("another's") / "neighbor.hip").symlink_to("../right/neighbor.hip")
        self.hand_in("beside", neighbor='#include "mine.hpp"\n')
        shutil.copy(PUZZLES / "neighbor/solution.hip", self.folder / "class/beside/mine.hpp")
        self.hand_in("up", neighbor='#include "../right/neighbor.hip"\n')
        # As seen from the folder in which it is compiled.
        self.hand_in("over", neighbor='#include "../../class/right/neighbor.hip"\n')
        self.hand_in("asked", neighbor='#if __has_include("/etc/passwd")\n#endif\n' + solution("neighbor"))
        self.hand_in("table", neighbor="__global__ void neighbor_difference(float* output, const float* input, int size) {\n"
                     f"  const float answers[] = {{{answers}, 0.0f}};\n"
                     "  if (threadIdx.x < 32 && threadIdx.x < size) output[threadIdx.x] = answers[threadIdx.x];\n}\n")
        self.hand_in("right", neighbor=solution("neighbor"))
        self.hand_in("own", neighbor='#include "parts/part.hpp"\n' + solution("neighbor"))
        (self.folder / "class/own/parts").mkdir()
        (self.folder / "class/own/parts/part.hpp").write_text("#include <cmath>\n")
        found = {student: each["neighbor"] for student, each in self.marks(self.grade()).items()}
        self.assertEqual(found, {"another's": "does not compile", "asked": "does not compile", "beside": "does not compile",
                                 "copied": "does not compile", "itself": "does not compile", "linked": "does not compile",
                                 "over": "does not compile", "own": "✓", "right": "✓", "table": "wrong", "up": "does not compile"})
        # The first time it was compiled; the second time it comes from the cache.
        self.assertEqual({student: each["neighbor"] for student, each in self.marks(self.grade()).items()}, found)

    def test_near_copies_are_named(self):
        own = """#include "warpz/kernel.hpp"
__global__ void neighbor_difference(float* output, const float* input, int size) {
  const int first = blockIdx.x * blockDim.x;
  const int mine = first + static_cast<int>(threadIdx.x);
  float value = 0.0f;
  while (mine < size) { value = input[mine]; break; }
  int distance = 0;
  for (int step = 0; step < 3; ++step) distance += step == 2 ? 1 : 0;
  const float other = __shfl(value, (warpz::warp::lane_id() + distance) % warpz::warp::size());
  const bool is_last = mine + 1 >= size || warpz::warp::lane_id() + 1 == warpz::warp::size();
  if (mine < size && is_last) output[mine] = 0.0f;
  if (mine < size && !is_last) output[mine] = other - value;
}
"""
        self.hand_in("ann", neighbor=own)
        renamed = re.sub(r"\b(first|mine|value|distance|step|other)\b", r"my_\1", own).replace("  ", "\t").replace(";", "; // mine\n")
        self.hand_in("bob", neighbor=renamed)
        for student in ("cem", "dan"):
            self.hand_in(student, neighbor=solution("neighbor"))
        output = self.grade("class", "--json", "c.json", code=0)
        self.assertEqual(re.findall("^alike: .*", output, re.MULTILINE), ["alike: ann and bob, neighbor (100 %)"])
        self.assertEqual(json.loads((self.folder / "c.json").read_text())["alike"],
                         [{"students": ["ann", "bob"], "puzzle": "neighbor", "percent": 100}])

    def test_folders_by_name_and_the_puzzles_that_are_wanted(self):
        self.hand_in("ann", neighbor=solution("neighbor"))
        self.hand_in("bob", vote=solution("vote"))
        self.assertEqual(self.marks(self.grade("class/ann", "class/bob", "--puzzles", "vote")),
                         {"ann": {"vote": "missing", "right": "0/1"}, "bob": {"vote": "✓", "right": "1/1"}})
        self.assertEqual(self.marks(self.grade("class/ann", code=0)), {"ann": {"neighbor": "✓", "right": "1/1"}})

    def test_the_time_for_all_is_kept(self):
        for student in ("ann", "bob", "cem"):
            self.hand_in(student, neighbor=solution("neighbor", added=ENDLESS))
        # Without the limit, each would be a timeout.
        marks = self.marks(self.grade("class", "--limit", "2", "--jobs", "1"))
        self.assertEqual({each["neighbor"] for each in marks.values()}, {"not judged"})

    def test_files_that_are_no_puzzles_are_told(self):
        self.hand_in("ann", neighbor=solution("neighbor"))
        (self.hand_in("bob") / "week1").mkdir()
        for name in ("week1/neighbor.hip", "nieghbor.hip", "neighbor.cu", "pair_swap.hip", "my own.hip", "notes.txt"):
            (self.folder / "class/bob" / name).write_text(solution("neighbor"))
        output = self.grade("class", "--puzzles", "neighbor", "--json", "c.json", "--html", "c.html")
        self.assertEqual(self.marks(output)["bob"], {"neighbor": "missing", "right": "0/1"})
        told = ["bob/my own.hip", "bob/neighbor.cu (neighbor.hip?)", "bob/nieghbor.hip (neighbor.hip?)",
                "bob/pair_swap.hip (pair-swap.hip?)", "bob/week1/neighbor.hip (neighbor.hip?)"]
        self.assertEqual(re.findall("^left out: (.*)", output, re.MULTILINE), told)
        bob = json.loads((self.folder / "c.json").read_text())["students"][1]
        self.assertEqual(bob["left_out"], [each.removeprefix("bob/").split(" (")[0] for each in told])
        self.assertIn("There is no such file.\nclass/bob/my own.hip is left out: no puzzle has a file of this name\n"
                      "class/bob/neighbor.cu is left out: no puzzle has a file of this name. Did you mean neighbor.hip?\n",
                      bob["files"][0]["words"])
        self.assertIn("left out: bob/week1/neighbor.hip (neighbor.hip?)", (self.folder / "c.html").read_text())

    def test_what_cannot_be_graded_is_said_before_anything_is(self):
        self.hand_in("ann", neighbor=solution("neighbor"))
        self.hand_in("empty/inside")
        for words, said in ((["nowhere"], "warpz: cannot read nowhere: No such file or directory\n"),
                            (["class/empty"], "warpz: no student has a file for any puzzle\n"
                                              "Each student has a folder, and in it files such as neighbor.hip.\n"),
                            (["class/ann", "class/ann"], "warpz: two folders are called ann\n"
                                                         "A student is known by the folder's name: rename one.\n"),
                            (["class", "--puzzles", "nieghbor"], "warpz: no puzzle is called 'nieghbor'\nDid you mean neighbor?\n"),
                            (["class", "--csv", "none/c.csv"], "warpz: --csv none/c.csv cannot be written: No such file or directory\n"
                                                               "Name a file in a folder that exists and that you may write to.\n")):
            self.assertEqual(self.grade(*words, code=2, stderr=said), "", words)


if __name__ == "__main__":
    main()
