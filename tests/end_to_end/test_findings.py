#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Kernels that break rules, crash or do not end: each is stopped, exit code 3, and the report names the kernel, the
block, the lanes and the line."""

import dataclasses
import json
import os
import pathlib
import subprocess
import tempfile
import time
import unittest
from typing import Callable

from puzzle_runs import PROGRAM, SANITIZED, SOURCE, WARP_SIZES, module, warpz
from skips import main

KERNEL = "neighbor_difference"


def marked(name, mark):
    """The number of the line of a wrong kernel that ends with this comment."""
    lines = (SOURCE / f"tests/corpus/wrong_solutions/{name}.hip").read_text().splitlines()
    found = [number for number, line in enumerate(lines, 1) if line.endswith(f"// {mark}")]
    assert len(found) == 1, (name, mark, found)
    return found[0]


@dataclasses.dataclass(frozen=True)
class Group:
    """Lanes of block 0, warp 0: which ones (a function of the warp size), what they do, and the comment that marks
    the line where."""

    lanes: Callable
    state: str
    operation: str = None
    mark: str = None
    mask: str = None


@dataclasses.dataclass(frozen=True)
class Finding:
    """A kernel of tests/corpus/wrong_solutions and what has to be said about it."""

    name: str
    kind: str
    groups: tuple = ()
    rule: str = ""  # a part of the sentence that tells the rule
    signal: str = None
    stack_mark: str = None  # marks a line of the call stack
    options: tuple = ()
    warp_sizes: tuple = WARP_SIZES


def lower(size):
    return range(size // 2)


def upper(size):
    return range(size // 2, size)


def just(*lanes):
    return lambda size: lanes

FINDINGS = (
    Finding("half-a-warp", "diverged_collective", (
        Group(lower, "waiting", "shuffle_down", "here the lower half waits"),
        Group(upper, "exited"))),
    Finding("two-places", "diverged_collective", (
        Group(lambda size: range(0, size, 2), "waiting", "shuffle_down", "here the even lanes wait"),
        Group(lambda size: range(1, size, 2), "waiting", "shuffle_up", "here the odd lanes wait"))),
    Finding("early-return", "diverged_collective", (
        Group(just(*range(5)), "waiting", "shuffle_down", "here the others wait"),
        Group(lambda size: range(5, size), "exited")), options=("--size", 5)),
    Finding("two-barriers", "diverged_barrier", (
        Group(lower, "waiting", "__syncthreads", "here the lower half waits"),
        Group(upper, "waiting", "__syncthreads", "here the upper half waits"))),
    Finding("barrier-and-shuffle", "diverged_collective", (
        Group(lower, "waiting", "__syncthreads", "here the lower half waits"),
        Group(upper, "waiting", "shuffle_down", "here the upper half waits"))),
    Finding("mask-without-caller", "wrong_mask", (
        Group(just(4), "running", "shuffle_down", "the wrong mask", mask="0xf"),), rule="mask"),
    Finding("32-bit-mask", "wrong_mask", (
        Group(just(32), "running", "shuffle_down", "the wrong mask", mask="0xffffffff"),), rule="mask",
            warp_sizes=(64,)),
    Finding("endless-loop", "no_progress", (
        Group(just(0, 1, 2), "waiting", "shuffle_down"),
        Group(just(3), "running"),
        Group(lambda size: range(4, size), "ready")), stack_mark="the endless loop", options=("--timeout", 0.3)),
    Finding("null-write", "crash", (Group(just(5), "running"),), signal="SIGSEGV", stack_mark="the wild write"),
    Finding("write-past-the-end", "crash", (Group(just(0), "running"),), signal="SIGSEGV", stack_mark="the wild write"),
    Finding("read-before-begin", "crash", (Group(just(0), "running"),), signal="SIGSEGV", stack_mark="the wild read"),
    Finding("endless-recursion", "crash", (Group(just(0), "running"),), rule="stack", signal="SIGSEGV"),
    Finding("assertion", "assertion", (Group(just(7), "running", "assert", "the assertion"),), rule="threadIdx.x != 7"),
    Finding("division-by-zero", "crash", (Group(just(2), "running"),), rule="zero", signal="SIGFPE",
            stack_mark="the division"),
    Finding("abort", "crash", (Group(just(4), "running"),), rule="abort", signal="SIGABRT", stack_mark="the call"),
    Finding("trap", "crash", (Group(just(6), "running"),), rule="trap", signal="SIGILL", stack_mark="the trap"),
    Finding("exception", "crash", (Group(just(1), "running"),), signal="SIGABRT", stack_mark="the exception"),
    Finding("exit", "crash", rule="exit code 0"),
    Finding("killed", "crash", rule="signal 9", signal="SIGKILL"),
)


def run(finding, warp_size, *options):
    return warpz("--neighbor", "--warp-size", warp_size, *finding.options, *options,
                 *module(f"wrong-finding-{finding.name}"))


def lanes_text(lanes):
    """Lanes as the report writes them: "lanes 0-3, 7"."""
    lanes, parts = list(lanes), []
    while lanes:
        count = 1
        while count < len(lanes) and lanes[count] == lanes[0] + count:
            count += 1
        parts.append(str(lanes[0]) if count == 1 else f"{lanes[0]}-{lanes[count - 1]}")
        lanes = lanes[count:]
    one = len(parts) == 1 and "-" not in parts[0]
    return ("lane " if one else "lanes ") + ", ".join(parts)


class FindingTest(unittest.TestCase):
    maxDiff = None

    def test_each_is_told_in_json(self):
        for finding in FINDINGS:
            for warp_size in finding.warp_sizes:
                with self.subTest(finding.name, warp_size=warp_size):
                    self.check_json(finding, warp_size)

    def check_json(self, finding, warp_size):
        done = run(finding, warp_size, "--format", "json")
        self.assertEqual(done.returncode, 3, done.stderr.decode())
        (one_run,) = json.loads(done.stdout)["runs"]
        self.assertEqual((one_run["verdict"], one_run["output"]), ("broken_rule", []))
        found = one_run["findings"][0]
        self.assertEqual((found["kind"], found["kernel"], found["signal"]), (finding.kind, KERNEL, finding.signal))
        self.assertIn(finding.rule, found["rule"])
        file = f"tests/corpus/wrong_solutions/finding-{finding.name}.hip"
        groups = {tuple(group["lanes"]): group for group in found["groups"]}
        self.assertEqual(set(groups), {tuple(group.lanes(warp_size)) for group in finding.groups})
        for expected in finding.groups:
            group = groups[tuple(expected.lanes(warp_size))]
            self.assertEqual((group["block"], group["warp"]), ([0, 0, 0], 0))
            self.assertEqual((group["state"], group["operation"]), (expected.state, expected.operation))
            if expected.mask:
                self.assertEqual(group["mask"], expected.mask)
            if expected.mark:
                self.assertTrue(group["file"].endswith(file), group["file"])
                self.assertEqual(group["line"], marked(f"finding-{finding.name}", expected.mark))
        if finding.stack_mark:
            frames = [(frame["file"].endswith(file), frame["line"]) for frame in found["stack"]]
            self.assertIn((True, marked(f"finding-{finding.name}", finding.stack_mark)), frames, found["stack"])
            # What lies below the kernel is none of a learner's business.
            self.assertTrue(found["stack"][-1]["function"].startswith(KERNEL), found["stack"])

    def test_each_is_told_in_words(self):
        for finding in FINDINGS:
            for warp_size in finding.warp_sizes:
                with self.subTest(finding.name, warp_size=warp_size):
                    self.check_words(finding, warp_size)

    def check_words(self, finding, warp_size):
        done = run(finding, warp_size)
        self.assertEqual(done.returncode, 3)
        self.assertEqual(done.stdout.decode().splitlines()[-1], "FAIL Basic neighbor difference test failed!")
        told = done.stderr.decode()
        self.assertIn(f"in kernel {KERNEL}", told)
        if finding.signal:
            self.assertIn(finding.signal, told)
        if finding.groups:
            self.assertIn("block 0, warp 0:", told)
        for group in finding.groups:
            lanes = f"{lanes_text(group.lanes(warp_size))} "
            (line,) = [line for line in told.splitlines() if line.strip().startswith(lanes)]
            if group.mark:
                place = f"tests/corpus/wrong_solutions/finding-{finding.name}.hip:{marked(f'finding-{finding.name}', group.mark)}"
                self.assertTrue(line.endswith(place), line)
                self.assertIn(group.operation, line)
        if finding.stack_mark:
            line = marked(f"finding-{finding.name}", finding.stack_mark)
            self.assertIn(f"tests/corpus/wrong_solutions/finding-{finding.name}.hip:{line}\n", told)

    def test_a_recursion_names_the_function_that_calls_itself(self):
        done = warpz("--neighbor", "--format", "json", *module("wrong-finding-endless-recursion"))
        (found,) = json.loads(done.stdout)["runs"][0]["findings"]
        # A sanitizer's own function may be the one that finds no room.
        self.assertTrue(SANITIZED or any("deeper" in frame["function"] for frame in found["stack"]), found["stack"])

    def test_a_spin_says_where_each_lane_is(self):
        for warp_size in WARP_SIZES:
            with self.subTest(warp_size=warp_size):
                done = warpz("--neighbor", "--warp-size", warp_size, "--timeout", 0.3, "--format", "json",
                             *module("wrong-finding-spin"))
                self.assertEqual(done.returncode, 3)
                (found,) = json.loads(done.stdout)["runs"][0]["findings"]
                self.assertEqual(found["kind"], "no_progress")
                line = marked("finding-spin", "the spin")
                # One lane was executing, perhaps between two passes; the others stood at the atomic.
                standing = [lane for group in found["groups"] for lane in group["lanes"]
                            if (group["operation"], group["line"]) == ("atomicAdd", line)]
                self.assertGreaterEqual(len(standing), warp_size - 1, found["groups"])
                self.assertEqual(sorted(lane for group in found["groups"] for lane in group["lanes"]),
                                 list(range(warp_size)))

    def test_the_time_limit_is_kept(self):
        begin = time.monotonic()
        done = warpz("--neighbor", "--timeout", 0.3, *module("wrong-finding-endless-loop"))
        took = time.monotonic() - begin
        self.assertEqual(done.returncode, 3)
        self.assertGreater(took, 0.3)
        self.assertIn(b"made no progress for 0.3 seconds (--timeout)", done.stderr)

    def test_a_mask_of_32_bits_is_right_for_32_lanes(self):
        done = warpz("--neighbor", *module("wrong-finding-32-bit-mask"))
        self.assertEqual((done.returncode, done.stderr), (0, b""))
        self.assertEqual(done.stdout, (SOURCE / "expected/warp32/neighbor.txt").read_bytes())

    def test_lanes_of_a_later_block_are_told_as_such(self):
        # Only the last warp is partial, so only its block breaks the rule.
        for warp_size in WARP_SIZES:
            with self.subTest(warp_size=warp_size):
                done = warpz("--neighbor", "--warp-size", warp_size, "--size", 20 * warp_size + 3, "--format", "json",
                             *module("wrong-finding-early-return"))
                (found,) = json.loads(done.stdout)["runs"][0]["findings"]
                self.assertEqual({tuple(group["block"]) for group in found["groups"]}, {(20, 0, 0)})
                self.assertEqual([group["lanes"] for group in found["groups"]],
                                 [[0, 1, 2], list(range(3, warp_size))])

    def test_a_stopped_kernel_does_not_stop_the_next(self):
        for name in ("half-a-warp", "null-write", "exit", "killed"):
            with self.subTest(name):
                done = warpz("--neighbor", "--neighbor", "--format", "json", *module(f"wrong-finding-{name}"))
                runs = json.loads(done.stdout)["runs"]
                self.assertEqual([one["verdict"] for one in runs], ["broken_rule"] * 2)
                self.assertEqual(runs[0]["findings"][0]["kind"], runs[1]["findings"][0]["kind"])
                self.assertEqual(done.returncode, 3)

    def test_a_report_without_lines_says_why_once(self):
        with tempfile.TemporaryDirectory() as folder:
            (pathlib.Path(folder) / "libdw.so.1").touch()
            command = [PROGRAM, "--neighbor", "--neighbor", *map(str, module("wrong-finding-null-write"))]
            done = subprocess.run(command, capture_output=True, check=False, timeout=60,
                                  env={**os.environ, "LD_LIBRARY_PATH": folder})
        self.assertEqual(done.returncode, 3)
        self.assertNotIn(b"finding-null-write.hip", done.stderr)
        self.assertEqual(done.stderr.count(b"No lines of source are known: libdw.so.1 is missing"), 1)

    def test_every_kernel_of_this_kind_is_in_the_table(self):
        files = {file.stem.removeprefix("finding-") for file in (SOURCE / "tests/corpus/wrong_solutions").glob("finding-*.hip")}
        self.assertEqual(files, {finding.name for finding in FINDINGS} | {"spin"})


class ModuleTest(unittest.TestCase):
    """Modules that do not fit the puzzle: exit code 4, since no kernel has run."""

    def test_a_module_without_the_puzzles_kernel(self):
        done = warpz("--neighbor", *module("wrong-other-kernel"))
        self.assertEqual(done.returncode, 4)
        self.assertIn(KERNEL.encode(), done.stderr)

    def test_a_kernel_with_other_arguments(self):
        done = warpz("--neighbor", *module("wrong-other-arguments"))
        self.assertEqual(done.returncode, 4)
        self.assertIn(b"arguments", done.stderr)


if __name__ == "__main__":
    main()
