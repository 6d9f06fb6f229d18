#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Times the kernels of puzzles on 1, 4, … and all cores of this machine, unchecked and checked, and prints the least
times as Markdown. Beside them: checked in the fixed order, as where blocks meet in memory.

Called by scripts/bench-cpu --cores with the folder of a build."""

import argparse
import json
import os
import pathlib
import subprocess
import sys

PUZZLES = ("average", "bitonic-sort", "block-min", "dot-product", "hybrid-reduction", "named-barrier", "neighbor", "prefix-sum",
           "tiled-matmul", "device-scan")
UNCHECKED, SMALL, LARGE = 1 << 20, 1 << 16, 1 << 22
# A kernel whose checked run takes minutes at the large size, and one whose blocks meet in memory.
SMALLER = {"tiled-matmul": 1 << 18, "named-barrier": 1 << 20, "device-scan": 1 << 20}


class Problem(Exception):
    """A run did not end as it should."""


def cores_to_try():
    cores = sorted(os.sched_getaffinity(0))
    counts = {1, len(cores)} | {4**i for i in range(1, 6) if 4**i < len(cores)}
    return [cores[:count] for count in sorted(counts)]


def milliseconds(warpz, puzzle, size, check, cores, runs, trials=None):
    command = [str(warpz), f"--{puzzle}", "--size", str(size), "--check", check, "--warp-size", "64", "--backend", "cpu",
               "--format", "json", "--quiet"]
    environment = {**os.environ, **({} if trials is None else {"WARPZ_TEST_TRIALS": trials})}
    least = None
    for _ in range(runs):
        done = subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False, env=environment,
                              preexec_fn=lambda: os.sched_setaffinity(0, cores))
        if done.returncode != 0:
            raise Problem(f"{' '.join(command)} ended with {done.returncode}:\n{done.stderr}")
        took = json.loads(done.stdout)["runs"][0]["milliseconds"]
        least = took if least is None else min(least, took)
    return f"{least:.1f}"


def arguments():
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n", maxsplit=1)[0])
    parser.add_argument("build", type=pathlib.Path, help="the build's folder")
    parser.add_argument("--runs", type=int, default=3, metavar="N", help="of each, of which the least counts (default: %(default)s)")
    parser.add_argument("--kernels", type=lambda text: text.split(","), metavar="LIST", help="only these puzzles")
    return parser.parse_args()


def main():
    asked = arguments()
    warpz = asked.build / "warpz"
    sets = cores_to_try()
    counts = " / ".join(str(len(cores)) for cores in sets)
    print(f"Milliseconds of the kernel on {counts} cores, 64 lanes.\n")
    print("| | `--check off`, 2^20 | `--check all`, 2^16 | `--check all`, 2^22 | there in the fixed order |")
    print("| --- | --- | --- | --- | --- |")
    for puzzle in asked.kernels or PUZZLES:
        large = SMALLER.get(puzzle, LARGE)
        cells = [" / ".join(milliseconds(warpz, puzzle, size, check, cores, asked.runs) for cores in sets)
                 for size, check in ((UNCHECKED, "off"), (SMALL, "all"), (large, "all"))]
        if large != LARGE:
            cells[-1] += f" (2^{large.bit_length() - 1})"
        cells.append(milliseconds(warpz, puzzle, large, "all", sets[0], 1, trials="0"))
        print(f"| {puzzle} | " + " | ".join(cells) + " |", flush=True)


if __name__ == "__main__":
    try:
        main()
    except Problem as problem:
        sys.exit(f"scripts/bench-cpu: {problem}")
