# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The kernels in this folder, and what --check all has to say of each.

A file's first lines say how it is run and, of a bad one, what is found first:

    // run: --neighbor --size 40        the puzzle, and more options
    // finds: out_of_bounds             the kind of the first finding
    // lane: 7 39                       whose access it is, with 32 and with 64 lanes
    // other lane: 0 0                  of a race: whose access came before

Comments `// first` and `// second` mark the lines of the two. The report of a bad kernel stands beside it, in
NAME.warp32.txt and NAME.warp64.txt."""

import dataclasses
import json
import os
import pathlib
import re
import subprocess
import tempfile

FOLDER = pathlib.Path(__file__).resolve().parent
WARP_SIZES = (32, 64)
SECONDS = 120


@dataclasses.dataclass(frozen=True)
class Kernel:
    file: pathlib.Path
    options: tuple
    kind: str
    lanes: tuple
    other_lanes: tuple
    first: int
    second: int

    @property
    def name(self):
        return self.file.stem

    @property
    def is_bad(self):
        return self.kind is not None


def kernels():
    return [read(file) for file in sorted(FOLDER.glob("*.hip"))]


def read(file):
    lines = file.read_text().splitlines()
    found = (re.fullmatch(r"// (run|finds|lane|other lane): (.*)", line) for line in lines)
    told = dict(match.groups() for match in found if match)

    def marked(word):
        found = [number for number, line in enumerate(lines, 1) if re.search(rf"// .*\b{word}\b", line[2:])]
        found = [number for number in found if not lines[number - 1].startswith("//")]
        assert len(found) <= 1, (file, word, found)
        return found[0] if found else None

    def pair(name):
        return tuple(map(int, told[name].split())) if name in told else None

    kernel = Kernel(file, tuple(told["run"].split()), told.get("finds"), pair("lane"), pair("other lane"),
                    marked("first"), marked("second"))
    assert file.stem.endswith("-bad" if kernel.is_bad else "-good"), file
    assert not kernel.is_bad or kernel.lanes and kernel.first, f"{file} does not say what has to be found"
    return kernel


CACHE = tempfile.TemporaryDirectory()  # for this process: a kernel is compiled once for both warp sizes


def run(program, kernel, warp_size, *options):
    """The kernel's run, in its folder."""
    return subprocess.run(
        [program, *kernel.options, "--kernel", kernel.file.name, "--backend", "cpu", "--warp-size", str(warp_size),
         *options], cwd=FOLDER, env={**os.environ, "XDG_CACHE_HOME": CACHE.name}, stdin=subprocess.DEVNULL,
        capture_output=True, text=True, timeout=SECONDS, check=False)


def findings(program, kernel, warp_size, *options):
    """(findings as JSON has them, the exit code)"""
    done = run(program, kernel, warp_size, "--format", "json", *options)
    try:
        (one,) = json.loads(done.stdout)["runs"]
    except (ValueError, KeyError) as error:
        raise AssertionError(f"{kernel.name}, {warp_size} lanes: {done.stderr}") from error
    return one["findings"], done.returncode


def complaints(kernel, warp_size, found):
    """What is wrong with the findings of a bad kernel: empty if the right thing was found at the right place."""
    same_kind = [each for each in found if each["kind"] == kernel.kind]
    if not same_kind:
        return [f"no {kernel.kind}, but {[each['kind'] for each in found]}"]
    which = WARP_SIZES.index(warp_size)
    expected = [(kernel.lanes[which], kernel.first)]
    if kernel.other_lanes:
        expected.append((kernel.other_lanes[which], kernel.second))
    told = [(group["lanes"][0], group["line"]) for group in same_kind[0]["groups"]]
    return [] if told[:len(expected)] == expected else [f"lanes and lines {told}, expected {expected}"]
