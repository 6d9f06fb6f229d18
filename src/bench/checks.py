#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Measures what checking costs and prints the figures as Markdown: against the unchecked machine, in memory, and on more
and more cores.

Called by scripts/bench-checks with the folder of a build. What is compared is the least of several runs, each as the
process's whole time, as the time of its processors and as the kernel's own time: the second says most where something
else runs beside it."""

import argparse
import json
import os
import pathlib
import resource
import sys
import tempfile
import time
from dataclasses import dataclass

from cpu import MIB, Problem, call, heading, peak_memory, progress, table, target

KERNELS = pathlib.Path(__file__).resolve().parent / "peers/kernels.hip"
PUZZLES = ("neighbor", "prefix-sum", "tiled-matmul")
MOST_SLOWDOWN, MOST_SHADOW = 6, 16
# Of these, the blocks of device-scan alone meet in memory.
ON_CORES = ("neighbor", "average", "tiled-matmul", "prefix-sum", "dot-product", "hybrid-reduction", "block-min",
            "named-barrier", "device-scan", "bitonic-sort")


@dataclass
class Times:
    """Seconds; of several runs the least of each."""
    whole: float
    processors: float
    kernel: float

    def least(self, other):
        return Times(min(self.whole, other.whole), min(self.processors, other.processors),
                     min(self.kernel, other.kernel))


def timed(*command):
    """What it prints, and the seconds of the whole process and of its processors."""
    before, begin = resource.getrusage(resource.RUSAGE_CHILDREN), time.monotonic()
    printed = call(*command)
    whole, after = time.monotonic() - begin, resource.getrusage(resource.RUSAGE_CHILDREN)
    return printed, whole, after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def of_puzzle(*command):
    """JSON alone has the kernel's time, and takes longer to print than some kernels take to run."""
    kernel = json.loads(call(*command, "--format", "json"))["runs"][0]["milliseconds"] / 1000
    _, whole, processors = timed(*command, "--quiet")
    return Times(whole, processors, kernel)


def measure(commands, once, runs):
    """The least times by name. The commands take turns, so that none has all of a bad while."""
    found = {}
    for _ in range(runs):
        for name, command in commands.items():
            progress(f"measuring {name}")
            times = once(*command)
            found[name] = found[name].least(times) if name in found else times
    return found


# Against the unchecked machine.


def print_slowdown(warpz, size, runs):
    rows = []
    for puzzle in PUZZLES:
        command = [warpz, f"--{puzzle}", "--size", size, "--random", 1, "--timeout", 3600, "--check"]
        found = measure({level: [*command, level] for level in ("off", "all")}, of_puzzle, runs)
        off, checked = found["off"], found["all"]
        slower = checked.kernel / off.kernel
        rows.append([puzzle, f"{off.kernel:.3f}", f"{checked.kernel:.3f}", f"{slower:.1f}",
                     f"{checked.whole / off.whole:.1f}", f"{checked.processors / off.processors:.1f}",
                     target(slower <= MOST_SLOWDOWN, f"at most {MOST_SLOWDOWN} times")])
    print(f"`--check all` against `--check off`, `--size {size} --random 1`, least of {runs} runs. Kernel's seconds,\n"
          "and how many times longer:\n")
    print(table(["puzzle", "off", "all", "kernel", "process", "processors", "target"], rows))


# Memory.


def checked_program(warpz, folder, level):
    """The command that runs KERNELS, without its last words. Compiled before anything is measured."""
    program = folder / f"kernels.{level}"
    call(warpz, "--run", KERNELS, "--no-cache", "--timeout", 3600, "--check", level, "--output", program)
    return [warpz, "--run", program, "--timeout", 3600, "--check", level, "--"]


def print_memory(warpz, folder, sizes):
    programs = [checked_program(warpz, folder, level) for level in ("off", "all")]
    rows = []
    for name, touched in (("neighbor", 8), ("bytes", 2)):
        first = None
        for size in sizes:
            progress(f"measuring memory of {name} {size}")
            if name == "neighbor":
                commands = [(warpz, "--neighbor", "--quiet", "--timeout", 3600, "--size", size, "--check", level)
                            for level in ("off", "all")]
            else:
                commands = [(*program, name, size, 1) for program in programs]
            off, checked = (peak_memory(*command)[0] for command in commands)
            more = checked - off
            # Of the sizes' differences, which leave out what checking takes whatever the size is.
            growth = "" if first is None else f"{(more - first[1]) / (touched * (size - first[0])):.1f}"
            first = first or (size, more)
            rows.append([name, size, f"{touched * size / MIB:.2f}", f"{off / MIB:.1f}", f"{checked / MIB:.1f}",
                         f"{more / (touched * size):.1f}", growth])
    print("Memory in MiB of all processes at once, `--check off` and `--check all`. Its target is at most "
          f"{MOST_SHADOW} bytes\nmore for each byte that the kernel touches:\n")
    print(table(["kernel", "elements", "touched", "off", "all", "more per byte", "per byte beyond the first size"],
                rows))


# On more and more cores.


def on_cores(cores, measured):
    """What the function returns while it and what it starts may use so many of the cores."""
    usable = os.sched_getaffinity(0)
    try:
        os.sched_setaffinity(0, sorted(usable)[:cores])
        return measured()
    finally:
        os.sched_setaffinity(0, usable)


def print_cores(warpz, size, runs):
    most = len(os.sched_getaffinity(0))
    numbers = [number for number in (1, 2, 4, 8, 16, 32) if number <= most]
    rows = []
    for puzzle in ON_CORES:
        for level in ("off", "all"):
            command = [warpz, f"--{puzzle}", "--size", size, "--random", 1, "--timeout", 3600, "--warp-size", 64,
                       "--check", level, "--format", "json"]
            times = {}
            # The numbers take turns.
            for _ in range(runs):
                for number in numbers:
                    progress(f"measuring {puzzle} on {number} cores")
                    one = json.loads(on_cores(number, lambda: call(*command)))["runs"][0]["milliseconds"]
                    times[number] = min(one, times.get(number, one))
            rows.append([puzzle, level, *(f"{times[number]:.1f}" for number in numbers),
                         f"{times[1] / times[numbers[-1]]:.1f}"])
    print(f"`--size {size} --random 1 --warp-size 64`, the kernel's milliseconds by the number of cores, least of {runs} "
          "runs,\nand how many times faster it is on the most cores than on one:\n")
    print(table(["puzzle", "--check", *map(str, numbers), "times"], rows))


def arguments():
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n", maxsplit=1)[0])
    parser.add_argument("build", type=pathlib.Path, help="the build's folder")
    parser.add_argument("--runs", type=int, default=3, metavar="N", help="of each measurement (default: %(default)s)")
    parser.add_argument("--size", type=int, default=1 << 20, metavar="N", help="of the puzzles (default: %(default)s)")
    parser.add_argument("--only", choices=("slowdown", "memory", "cores"), help="one of the three parts")
    return parser.parse_args()


def main():
    asked = arguments()
    warpz = asked.build.resolve() / "warpz"
    print(heading("bench-checks", warpz))
    with tempfile.TemporaryDirectory() as folder:
        if asked.only in (None, "slowdown"):
            print_slowdown(warpz, asked.size, asked.runs)
        if asked.only in (None, "memory"):
            print_memory(warpz, pathlib.Path(folder), (1 << 18, 1 << 20, 1 << 22))
        if asked.only in (None, "cores"):
            print_cores(warpz, asked.size, asked.runs)
    progress("")


if __name__ == "__main__":
    try:
        main()
    except Problem as problem:
        sys.exit(f"scripts/bench-checks: {problem}")
