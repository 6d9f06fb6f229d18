#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Times work in pieces (docs/many-machines.md) by 1, 4, … ranks of mpirun, each on a core of its own, beside as many
processes that share nothing, and prints the least times as Markdown. N ranks have N times the work of one process. In
brackets the efficiency: the time of one process by that of N.

Called by scripts/bench-cpu --ranks with the folder of a build."""

import argparse
import os
import pathlib
import subprocess
import sys
import tempfile
import time

PUZZLES = pathlib.Path(__file__).resolve().parents[2] / "puzzles"
HANDED_IN = ("neighbor", "vote", "prefix-sum", "dot-product")
# Of one process; warpz takes at most a million orders.
MOST_SCHEDULES, ALL_SCHEDULES, STUDENTS = 60_000, 1_000_000, 20


class Problem(Exception):
    """A run did not end as it should, or printed something else."""


def hand_in(folder, students):
    for number in range(students):
        student = folder / f"student{number}"
        student.mkdir(parents=True)
        for name in HANDED_IN:
            # No two are the same, so that none is in the cache.
            (student / f"{name}.hip").write_text((PUZZLES / name / "solution.hip").read_text() + f"// {number}\n")


def start(command, folder, core=None):
    """With an empty cache, which is what machines begin with."""
    return subprocess.Popen(command, cwd=folder, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                            env={**os.environ, "XDG_CACHE_HOME": tempfile.mkdtemp(dir=folder), "COLUMNS": "200", "NO_COLOR": "1"},
                            preexec_fn=None if core is None else lambda: os.sched_setaffinity(0, {core}))


def run_side_by_side(commands):
    """Seconds from the start of the first to the end of the last, and what each has printed; each is a command, its
    folder and perhaps its core."""
    begin = time.monotonic()
    processes = [start(*each) for each in commands]
    printed = [process.communicate()[0] for process in processes]
    seconds = time.monotonic() - begin
    for process, text in zip(processes, printed):
        if process.returncode != 0:
            raise Problem(f"{' '.join(map(str, process.args))} ended with {process.returncode}:\n{text}")
    return seconds, [[line for line in text.splitlines() if " ms" not in line] for text in printed]


def least_seconds(commands, runs):
    """And what was printed then."""
    return min((run_side_by_side(commands) for _ in range(runs)), key=lambda one: one[0])


def under_mpirun(ranks, command):
    as_root = ["--allow-run-as-root"] if os.geteuid() == 0 else []
    return ["mpirun", *as_root, "-q", "--bind-to", "core", "-n", str(ranks), *command]


def arguments():
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n", maxsplit=1)[0])
    parser.add_argument("build", type=pathlib.Path, help="the build's folder")
    parser.add_argument("--runs", type=int, default=2, metavar="N", help="of each, of which the least counts (default: %(default)s)")
    return parser.parse_args()


def main():
    asked = arguments()
    warpz = (asked.build / "warpz").resolve()
    cores = sorted(os.sched_getaffinity(0))
    counts = sorted({1, len(cores)} | {4**i for i in range(1, 6) if 4**i < len(cores)})
    schedules = min(MOST_SCHEDULES, ALL_SCHEDULES // len(cores))
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        for count in counts:
            hand_in(folder / f"class{count}", STUDENTS * count)

        def orders(count):
            return [warpz, "--dot-product", "--backend", "cpu", "--check", "all", "--schedules", str(schedules * count)]

        def grade(count):
            return [warpz, "grade", f"class{count}"]

        works = {f"`--schedules`, {schedules} each": orders, f"`grade`, {STUDENTS * len(HANDED_IN)} files each": grade}
        print("| | " + " | ".join("1 process, 1 rank" if count == 1 else f"{count} processes, {count} ranks" for count in counts) + " |")
        print("| --- |" + " --- |" * len(counts))
        for words, command in works.items():
            cells, alone = [], None
            for count in counts:
                apart, printed = least_seconds([(command(1), folder, core) for core in cores[:count]], asked.runs)
                ranks, printed_by_ranks = least_seconds([(under_mpirun(count, command(count)), folder)], asked.runs)
                if count == 1 and printed_by_ranks != printed:
                    raise Problem("a rank printed something else than one process")
                alone = alone or apart
                cells.append(", ".join(f"{seconds:.1f} s ({alone / seconds:.2f})" for seconds in (apart, ranks)))
            print(f"| {words} | " + " | ".join(cells) + " |", flush=True)


if __name__ == "__main__":
    try:
        main()
    except Problem as problem:
        sys.exit(f"scripts/bench-cpu: {problem}")
