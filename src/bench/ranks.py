#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Times work in pieces (docs/many-machines.md) by 1, 4, … ranks of mpirun, each on one core, beside warpz alone on one
core, and prints the least times and the efficiency as Markdown: the time alone, divided by ranks times their time.

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
SCHEDULES, STUDENTS = 100_000, 60


class Problem(Exception):
    """A run did not end as it should, or printed something else."""


def hand_in(folder):
    for number in range(STUDENTS):
        student = folder / "class" / f"student{number}"
        student.mkdir(parents=True)
        for name in HANDED_IN:
            # No two are the same, so that none is in the cache.
            (student / f"{name}.hip").write_text((PUZZLES / name / "solution.hip").read_text() + f"// {number}\n")


def command_before(ranks):
    if ranks is None:
        return []
    as_root = ["--allow-run-as-root"] if os.geteuid() == 0 else []
    return ["mpirun", *as_root, "-q", "--bind-to", "core", "-n", str(ranks)]


def run_once(command, ranks, folder):
    """Seconds, and what was printed. An empty cache is what machines begin with."""
    with tempfile.TemporaryDirectory(dir=folder) as cache:
        core = {min(os.sched_getaffinity(0))}
        begin = time.monotonic()
        done = subprocess.run([*command_before(ranks), *command], cwd=folder, stdin=subprocess.DEVNULL, capture_output=True,
                              text=True, check=False, env={**os.environ, "XDG_CACHE_HOME": cache, "COLUMNS": "200", "NO_COLOR": "1"},
                              preexec_fn=(lambda: os.sched_setaffinity(0, core)) if ranks is None else None)
        seconds = time.monotonic() - begin
    if done.returncode != 0:
        raise Problem(f"{' '.join(map(str, command))} ended with {done.returncode}:\n{done.stdout}{done.stderr}")
    return seconds, [line for line in done.stdout.splitlines() if " ms" not in line]


def arguments():
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n", maxsplit=1)[0])
    parser.add_argument("build", type=pathlib.Path, help="the build's folder")
    parser.add_argument("--runs", type=int, default=2, metavar="N", help="of each, of which the least counts (default: %(default)s)")
    return parser.parse_args()


def main():
    asked = arguments()
    warpz = (asked.build / "warpz").resolve()
    cores = len(os.sched_getaffinity(0))
    counts = [None, *sorted({1, cores} | {4**i for i in range(1, 6) if 4**i < cores})]
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        hand_in(folder)
        kernel = ["--dot-product", "--kernel", str(PUZZLES / "dot-product/solution.hip"), "--backend", "cpu", "--documented-only"]
        works = {f"`--schedules {SCHEDULES}`": [warpz, *kernel, "--schedules", str(SCHEDULES)],
                 f"`grade`, {STUDENTS * len(HANDED_IN)} files": [warpz, "grade", "class"]}
        print("| | alone, one core | " + " | ".join(f"{ranks} ranks" for ranks in counts[1:]) + " |")
        print("| --- |" + " --- |" * len(counts))
        for words, command in works.items():
            cells, alone, expected = [], None, None
            for ranks in counts:
                seconds, printed = min((run_once(command, ranks, folder) for _ in range(asked.runs)), key=lambda one: one[0])
                alone, expected = alone or seconds, expected or printed
                if printed != expected:
                    raise Problem(f"{ranks} ranks printed something else than one process")
                cells.append(f"{seconds:.1f} s" + (f", {alone / ranks / seconds:.2f}" if ranks else ""))
            print(f"| {words} | " + " | ".join(cells) + " |", flush=True)


if __name__ == "__main__":
    try:
        main()
    except Problem as problem:
        sys.exit(f"scripts/bench-cpu: {problem}")
