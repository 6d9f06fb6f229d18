#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs the small programs of src/bench/programs with --check off and prints the processor time of each one's kernels as
Markdown. With another warpz to compare with, both take turns.

Called by scripts/bench-cpu --programs with the folder of a build."""

import argparse
import math
import pathlib
import re
import subprocess
import sys

PROGRAMS = pathlib.Path(__file__).resolve().parent / "programs"
WARP_SIZES = (32, 64)


class Problem(Exception):
    """A program did not end as it should."""


def milliseconds(warpz, program, warp_size, options):
    command = [str(warpz), "--run", str(program), "--check", "off", "--warp-size", str(warp_size), *options]
    done = subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False)
    found = re.fullmatch(r"right, ([0-9.]+) ms\n", done.stdout)
    if done.returncode != 0 or found is None:
        raise Problem(f"{' '.join(command)} ended with {done.returncode}:\n{done.stdout}{done.stderr}")
    return float(found[1])


def arguments():
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n", maxsplit=1)[0])
    parser.add_argument("build", type=pathlib.Path, help="the build's folder")
    parser.add_argument("--beside", type=pathlib.Path, metavar="WARPZ", help="another warpz, to compare with")
    parser.add_argument("--runs", type=int, default=3, metavar="N", help="of each, of which the least counts (default: %(default)s)")
    parser.add_argument("--kernels", type=lambda text: text.split(","), metavar="LIST", help="only the programs of these names")
    return parser.parse_args()


def main():
    asked = arguments()
    programs = [each for each in sorted(PROGRAMS.glob("*.hip")) if not asked.kernels or each.stem in asked.kernels]
    peers = [asked.build / "warpz"] + ([asked.beside] if asked.beside else [])
    columns = [f"{size} lanes, ms" for size in WARP_SIZES for _ in peers]
    print("| program | " + " | ".join(columns) + " |\n|" + " --- |" * (len(columns) + 1))
    ratios = []
    for program in programs:
        cells = []
        for warp_size in WARP_SIZES:
            least = [math.inf] * len(peers)
            for _ in range(asked.runs):
                for i, peer in enumerate(peers):
                    least[i] = min(least[i], milliseconds(peer, program, warp_size, []))
            cells += [f"{each:.2f}" for each in least]
            if asked.beside:
                ratios.append(least[1] / max(least[0], 0.01))
        print(f"| {program.stem} | " + " | ".join(cells) + " |", flush=True)
    if ratios:
        mean = math.exp(sum(map(math.log, (max(each, 0.01) for each in ratios))) / len(ratios))
        print(f"\nThe second of each pair is {asked.beside}; it takes {mean:.2f} times as long (geometric mean).")


if __name__ == "__main__":
    try:
        main()
    except Problem as problem:
        sys.exit(f"scripts/bench-cpu: {problem}")
