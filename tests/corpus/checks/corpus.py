# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The kernels in this folder, and what --check all has to say of each.

A file's first lines say how it is run and, of a bad one, what is found first:

    // run: --neighbor --size 40        the puzzle, and more options; `program` and more options for a whole program
    // finds: out_of_bounds             the kind of the first finding; never_written is a wrong result's reason
    // warns: data_race                 the same of a warning, with which the run goes on and passes
    // lane: 7 39                       whose access it is, with 32 and with 64 lanes
    // other lane: 0 0                  of a race: whose access came before
    // modelled on: https://...         the published bug
    // no repair: what only the author knows     why no change of the source is named, of a kind in MENDED; at the end

Comments `// first` and `// second` mark the lines of the two: of memory that is given back wrongly the second is where
it was given back before. The report of a bad kernel stands beside it, in NAME.warp32.txt and NAME.warp64.txt, or in
NAME.both.txt where it is run with `--warp-size both`."""

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
# Kinds whose findings name a change of the source, or are among the kernels that say why there is none.
MENDED = ("diverged_barrier", "diverged_collective", "wait_within_warp", "no_progress")
PROGRAM, BOTH, NEVER_WRITTEN = "program", "both", "never_written"


@dataclasses.dataclass(frozen=True)
class Kernel:
    file: pathlib.Path
    options: tuple
    kind: str
    is_warning: bool
    lanes: tuple
    other_lanes: tuple
    first: int
    second: int
    source: str
    no_repair: str

    @property
    def name(self):
        return self.file.stem

    @property
    def is_bad(self):
        return self.kind is not None

    @property
    def warp_sizes(self):
        if BOTH in self.options:
            return (BOTH,)
        return (int(self.options[-1]),) if self.options[-2:-1] == ("--warp-size",) else WARP_SIZES

    @property
    def exit_codes(self):
        """Of a bad one. After a warning the result decides, which is not the puzzle's in some."""
        if self.is_warning:
            return (0, 1)
        return (1,) if self.kind == NEVER_WRITTEN else (3,)

    def golden(self, warp_size):
        return self.file.with_suffix(".both.txt" if warp_size == BOTH else f".warp{warp_size}.txt")

    def expected(self, warp_size):
        """The lane and the line of each party; None where it has none."""

        def lane(lanes):
            return lanes[0 if warp_size == BOTH else WARP_SIZES.index(warp_size)] if lanes else None

        parties = [(lane(self.lanes), self.first)]
        return parties + [(lane(self.other_lanes), self.second)] if self.second else parties


def kernels(folder=FOLDER):
    return [read(file) for file in sorted(folder.glob("*.hip"))]


def read(file):
    lines = file.read_text().splitlines()
    found = (re.fullmatch(r"// (run|finds|warns|lane|other lane|modelled on|no repair): (.*)", line) for line in lines)
    told = dict(match.groups() for match in found if match)

    def marked(word):
        found = [number for number, line in enumerate(lines, 1) if re.search(rf"// .*\b{word}\b", line[2:])]
        found = [number for number in found if not lines[number - 1].startswith("//")]
        assert len(found) <= 1, (file, word, found)
        return found[0] if found else None

    def pair(name):
        return tuple(map(int, told[name].split())) if name in told else None

    kernel = Kernel(file, tuple(told["run"].split()), told.get("finds", told.get("warns")), "warns" in told,
                    pair("lane"), pair("other lane"), marked("first"), marked("second"), told.get("modelled on"), told.get("no repair"))
    assert file.stem.endswith("-bad" if kernel.is_bad else "-good"), file
    assert not kernel.is_bad or kernel.lanes or kernel.first, f"{file} does not say what has to be found"
    return kernel


# The cache is for this process alone: a kernel is compiled once for both warp sizes.
CACHE_FOLDER = tempfile.TemporaryDirectory()
CACHE = f"{CACHE_FOLDER.name}/cache"


def run(program, kernel, warp_size, *options):
    """The kernel's run, in its folder."""
    if kernel.options[0] == PROGRAM:
        words = ["--run", kernel.file.name, *kernel.options[1:]]
    else:
        words = [*kernel.options, "--kernel", kernel.file.name, "--backend", "cpu"]
    if "--warp-size" not in words:
        words += ["--warp-size", str(warp_size)]
    return subprocess.run(
        [program, *words, *options], cwd=kernel.file.parent, env={**os.environ, "XDG_CACHE_HOME": CACHE},
        stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=SECONDS, check=False)


def findings(program, kernel, warp_size, *options):
    """(findings as JSON has them, the exit code)"""
    done = run(program, kernel, warp_size, "--format", "json", *options)
    try:
        runs = json.loads(done.stdout)["runs"]
    except (ValueError, KeyError) as error:
        raise AssertionError(f"{kernel.name}, {warp_size} lanes: {done.stderr}") from error
    found = [each for one in runs for each in one["findings"]]
    for one in runs:
        for difference in one.get("first_differences", [])[:1]:
            if difference["output"] is None:
                found.append({"kind": NEVER_WRITTEN, "groups": [{"lanes": [difference["lane"]], "line": None}]})
    return found, done.returncode


def places(finding):
    """The lane and the line of each party of a finding; None where it has none."""
    parties = [(group["lanes"][0], group["line"]) for group in finding["groups"]]
    stack = [line["line"] for line in finding.get("stack", [])[:1]]
    notes = [int(line) for note in finding.get("notes", []) for line in re.findall(r"^.* at .*:(\d+)$", note)]
    hard_coded = [each["line"] for each in (finding.get("warp_sizes") or {}).get("hard_coded", [])]
    if finding["kind"] == "no_progress":
        return [(lane, stack[0] if stack else None) for lane, _ in parties[:1]]
    if finding["kind"] == "use_after_free":
        return parties + [(None, line) for line in notes[1:]]
    if finding["kind"] == "async_race":
        return [(None, line) for line in stack + notes[:1]]
    if finding["kind"] in ("double_free", "invalid_launch", "uninitialised_read", "unchecked_error") and not parties:
        return [(None, line) for line in stack + notes[1:]]
    if finding["kind"] == "leak":
        return [(None, line) for line in notes]
    return parties or [(None, line) for line in hard_coded + notes]


def repaired(source, repair):
    """The source with the changes that a finding's repair names."""
    lines = source.split("\n")
    for edit in sorted(repair["edits"], key=lambda each: each["line"], reverse=True):
        begin = edit["line"] - 1 if edit["replaces"] else edit["line"]
        lines[begin:edit["line"]] = edit["text"].split("\n")
    return "\n".join(lines)


ADVISES_ORDER = re.compile(r"__sync|binary_partition|loop around|barrier|fence|atomic|mask|reach the call|power of two|(hip|cuda)\w+Synchronize",
                           re.IGNORECASE)


def advises_order(finding):
    """Whether its advice is a barrier, a fence, an atomic, a mask, a call for all lanes, a width or a wait of the host."""
    # That of the other warp size is about numbers.
    return finding["kind"] != "warp_size_dependence" and bool(ADVISES_ORDER.search(finding.get("advice") or ""))


def left_after_repair(program, kernel, warp_size, finding, *options):
    """The findings of the kernel, changed as this one says. After an error, warnings are others."""
    with tempfile.TemporaryDirectory() as folder:
        file = pathlib.Path(folder) / kernel.file.name
        file.write_text(repaired(kernel.file.read_text(), finding["repair"]))
        left, _ = findings(program, dataclasses.replace(kernel, file=file), warp_size, *options)
    return [each for each in left if finding["severity"] == "warning" or each.get("severity") != "warning"]


def complaints(kernel, warp_size, found):
    """What is wrong with the findings of a bad kernel: empty if the right thing was found at the right place."""
    severity = "warning" if kernel.is_warning else "error"
    same_kind = [each for each in found if each["kind"] == kernel.kind and each.get("severity", severity) == severity]
    if not same_kind:
        return [f"no {kernel.kind} ({severity}), but {[each['kind'] for each in found]}"]
    expected = kernel.expected(warp_size)
    told = places(same_kind[0])
    return [] if told[:len(expected)] == expected else [f"lanes and lines {told}, expected {expected}"]
