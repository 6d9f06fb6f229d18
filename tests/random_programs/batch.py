# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Many small programs in one source, so that the compiler is started once for all of them, and which of them warpz has
found something in."""

import dataclasses
import json
import os
import pathlib
import re
import subprocess

HEAD = """\
#include <hip/hip_runtime.h>
#include <cstdio>
#include <cstdlib>
"""


@dataclasses.dataclass(frozen=True)
class Case:
    """A program: `text(name)` is its lines, among them a function of that name that runs it."""
    text: object
    kind: str = None  # of the finding that has to come; None: no finding may come
    size: int = None  # of its output, where it is a puzzle's kernel
    about: str = ""  # for people who look at a disagreement


def source(cases, prelude=""):
    """The text, and for each case the lines that it has there."""
    lines = (HEAD + prelude).splitlines()
    ranges = []
    for number, case in enumerate(cases):
        first = len(lines) + 1
        lines += case.text(f"c{number}")
        ranges.append(range(first, len(lines) + 1))
    lines.append("static void (*const cases[])() = {" + ", ".join(f"c{i}" for i in range(len(cases))) + "};")
    lines += ["int main(int count, char** words) {",
              "  if (count == 1) for (auto* each : cases) each();",
              "  for (int i = 1; i < count; ++i) cases[std::atoi(words[i])]();",
              "}", ""]
    return "\n".join(lines), ranges


class Batch:
    """Cases in a folder of their own."""

    def __init__(self, program, folder, cases, warp_size, prelude="", options=()):
        self.program, self.folder, self.cases, self.warp_size = program, pathlib.Path(folder), cases, warp_size
        self.options = options
        self.folder.mkdir(parents=True, exist_ok=True)
        text, self.ranges = source(cases, prelude)
        (self.folder / "cases.hip").write_text(text)

    def run(self, numbers=(), options=()):
        """What warpz says of these cases, or of all: its JSON's one run. `numbers`, given as arguments, choose."""
        words = [self.program, "--run", "cases.hip", "--format", "json", "--findings-limit", "256", "--warp-size",
                 str(self.warp_size), *self.options, *options, "--cxxflags", "-fno-strict-aliasing", "-w", "--",
                 *map(str, numbers)]
        done = subprocess.run(words, cwd=self.folder, stdin=subprocess.DEVNULL, capture_output=True, text=True,
                              check=False, env={**os.environ, "XDG_CACHE_HOME": str(self.folder / "cache")})
        try:
            document = json.loads(done.stdout)
        except ValueError:
            raise SystemExit(f"{' '.join(map(str, words))}\n{done.stderr}") from None
        if document["error"]:
            raise SystemExit(f"{self.folder}: {document['error']['message']}\n{done.stderr[:2000]}")
        return document["runs"]

    def case_of(self, finding):
        """The number of the case that a finding is about, by the kernel's name or by the lines; None: of no one."""
        named = re.match(r"c(\d+)_", finding.get("kernel") or "")
        if named:
            return int(named.group(1))
        text = json.dumps(finding)
        lines = [int(line) for line in re.findall(r"cases\.hip:(\d+)", text)]
        lines += [each["line"] for each in finding.get("stack", []) + finding.get("groups", []) if each.get("line")]
        for line in lines:
            for number, own in enumerate(self.ranges):
                if line in own:
                    return number
        return None

    def kinds(self, numbers=(), options=()):
        """The kinds and severities of findings of these cases, or of all, by their numbers."""
        found = {}
        for run in self.run(numbers, options):
            for finding in run["findings"]:
                # Found in the text, wherever the lanes are: docs/checks.md, "Lines written for 32 lanes".
                if finding["kind"] == "warp_size_assumption":
                    continue
                number = numbers[0] if len(numbers) == 1 else self.case_of(finding)
                found.setdefault(number, []).append((finding["kind"], finding["severity"]))
        return found

    def all_kinds(self, alone=False):
        """The same of every case: faulty ones in which a run of all has not found the fault are run again, each by itself,
        and with `alone` all of them. A finding may hide others, behind a limit or because it ends the program."""
        found = {} if alone else self.kinds()
        for number, case in enumerate(self.cases):
            if case.kind and case.kind not in [kind for kind, _ in found.get(number, ())]:
                found.update(self.kinds((number,)))
        return found
