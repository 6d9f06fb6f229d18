#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""For each kind of finding in tests/corpus/checks: the commands at the end of a report draw what it is about, and the
picture marks the place. Of what no lane does there is no command."""

import os
import pathlib
import re
import shlex
import subprocess
import sys
import unittest
import xml.etree.ElementTree

from kernel_support import cache_with_headers
from puzzle_runs import PROGRAM, SOURCE
from sampling import sample
from skips import main

sys.path.insert(0, str(SOURCE / "tests/corpus/checks"))

import corpus

NOUNS = {"assertion": "failed assertion", "diverged_barrier": "diverged barrier", "misaligned": "misaligned access",
         "diverged_collective": "diverged collective", "data_race": "data race", "no_progress": "kernel that did not end",
         "never_written": "element never written", "out_of_bounds": "out-of-bounds access", "wrong_mask": "wrong mask",
         "schedule_dependence": "schedule dependence", "undefined_lane_value": "undefined lane value",
         "uninitialised_read": "uninitialised read", "use_after_free": "use after free",
         "warp_size_dependence": "wrong result", "misused_operation": "misused operation",
         "undefined_arithmetic": "undefined result", "wait_within_warp": "wait within a warp"}
# What the host does, what a line is written for, what a device refuses, and what a program prints.
OF_NO_LANE = {"async_race", "double_free", "invalid_launch", "leak", "unchecked_error", "warp_size_assumption"}
# Where the value shows, and not where it comes from; and where there is no line.
ELSEWHERE = {"never_written", "undefined_lane_value", "warp_size_dependence"}
BAD = [kernel for kernel in corpus.kernels() if kernel.is_bad]
# One of each kind within a class, of puzzles and of programs.
CHOSEN = {(kernel.name.partition("-")[0], kernel.kind, kernel.options[0] == corpus.PROGRAM): kernel for kernel in BAD}


def is_drawn(finding, kernel):
    if finding["kind"] in OF_NO_LANE:
        return False
    return bool(finding["groups"]) or (finding["kind"] == "warp_size_dependence" and kernel.options[0] != corpus.PROGRAM)


def is_marked(picture, finding):
    """Whether a step of the picture names the finding at the line of one of its lanes."""
    noun, lines = NOUNS[finding["kind"]], {group["line"] for group in finding["groups"]}
    lines |= {each["line"] for each in finding.get("stack", [])[:1]}
    # Warps at one barrier share the words of the first.
    texts = " ".join("".join(each.itertext()) for each in picture.iter() if each.tag.endswith("}g") and
                     each.get("class") == "step" and f"▲ {noun}" in "".join(each.itertext()))
    return bool(texts) and (finding["kind"] in ELSEWHERE or
                            any(re.search(rf":{line}\b", texts) for line in lines))


class PictureTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cache_with_headers(pathlib.Path(corpus.CACHE_FOLDER.name))

    def drawn(self, kernel, report):
        """The pictures that the report's last lines ask for."""
        for command in re.findall(r"^see:  (.*)$", report, re.MULTILINE):
            words = shlex.split(command)
            words[words.index("-o") + 1] = picture = f"{corpus.CACHE_FOLDER.name}/lanes.svg"
            subprocess.run(words, cwd=kernel.file.parent, env={**os.environ, "XDG_CACHE_HOME": corpus.CACHE},
                           stdin=subprocess.DEVNULL, capture_output=True, timeout=corpus.SECONDS, check=False)
            yield xml.etree.ElementTree.fromstring(pathlib.Path(picture).read_text())
            os.unlink(picture)

    def test_each_finding_is_marked_in_a_picture(self):
        for kernel in sample(CHOSEN.values(), 12):
            with self.subTest(kernel.name):
                size = kernel.warp_sizes[-1]
                found, _ = corpus.findings(PROGRAM, kernel, size)
                wanted = [each for each in found if is_drawn(each, kernel)]
                pictures = list(self.drawn(kernel, corpus.run(PROGRAM, kernel, size).stderr))
                self.assertEqual(bool(pictures), bool(wanted))
                for each in wanted:
                    self.assertTrue(any(is_marked(picture, each) for picture in pictures), each)
                for picture in pictures:
                    self.assertTrue([each for each in picture.iter() if each.get("class") == "mark"])


if __name__ == "__main__":
    main()
