#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Measures warpz beside other CPU runtimes, on the same kernels in turn, and prints one table as Markdown.

Called by scripts/bench-cpu --peers with the folder of a build. PoCL and Oclgrind run the kernels in OpenCL C; HIP-CPU
compiles the HIP source, where a checkout of its headers is named. The table leaves out those that are not there, and a line
below it names them."""

import argparse
import pathlib
import re
import shutil
import sys
import tempfile

from cpu import MIB, WARP_SIZES, Problem, call, heading, peak_memory, progress, table

HERE = pathlib.Path(__file__).resolve().parent / "peers"
# Elements, or a side's for the two of squares: unchecked, and checked, where Oclgrind takes seconds.
KERNELS = {"neighbor": (1 << 22, 1 << 18), "block-sums": (1 << 22, 1 << 18), "matmul": (512, 128),
           "histogram": (1 << 22, 1 << 18), "scan": (1 << 22, 1 << 18), "reduction": (1 << 22, 1 << 18),
           "stencil": (2048, 512)}
# The last of so many launches counts. A check takes as long each time.
UNCHECKED_LAUNCHES, CHECKED_LAUNCHES = 3, 1


def warpz_command(warpz, folder, level, warp_size):
    program = folder / f"kernels.{level}"
    if not program.exists():
        call(warpz, "--run", HERE / "kernels.hip", "--no-cache", "--check", level, "--output", program)
    return [warpz, "--run", program, "--timeout", 3600, "--check", level, "--warp-size", warp_size, "--"]


def opencl_command(folder, platform):
    host = folder / "opencl"
    if not host.exists():
        call("c++", "-std=c++17", "-O2", HERE / "opencl.cpp", "-lOpenCL", "-o", host)
    return [host, platform, HERE / "kernels.cl"]


def hip_cpu_command(folder, checkout):
    program = folder / "hip-cpu"
    call("c++", "-std=c++17", "-O3", "-x", "c++", HERE / "kernels.hip", f"-I{checkout}/include", "-ltbb", "-pthread",
         "-o", program)
    return [program]


def is_installed(platform):
    return bool(list(pathlib.Path("/etc/OpenCL/vendors").glob(f"*{platform}*")))


def commands_of(warpz, folder, hip_cpu):
    """Who is measured, by whether it checks: the commands by column, without kernel, size and launches."""
    unchecked = {f"warpz, {size} lanes": warpz_command(warpz, folder, "off", size) for size in WARP_SIZES}
    if hip_cpu:
        unchecked["HIP-CPU"] = hip_cpu_command(folder, hip_cpu)
    if is_installed("pocl"):
        unchecked["PoCL"] = opencl_command(folder, "Portable")
    checked = {f"warpz, {size} lanes": warpz_command(warpz, folder, "all", size) for size in WARP_SIZES}
    if shutil.which("oclgrind"):
        checked["Oclgrind"] = ["oclgrind", "--data-races", "--uninitialized", *opencl_command(folder, "Oclgrind")]
    return unchecked, checked


def milliseconds(command):
    printed = re.search(r"^(right|wrong) ([\d.]+) ms$", call(*command), re.MULTILINE)
    if printed is None or printed[1] != "right":
        raise Problem(f"{' '.join(map(str, command))} did not give the right result")
    return float(printed[2])


def measured(commands, kernels, size_index, launches, runs):
    """By kernel and column: the least time in ms, and the most memory of all processes in MiB."""
    found = {}
    for kernel in kernels:
        words = {column: [*command, kernel, KERNELS[kernel][size_index], launches] for column, command in commands.items()}
        times = {column: [] for column in words}
        for _ in range(runs):
            for column, command in words.items():
                progress(f"measuring {kernel} on {column}")
                times[column].append(milliseconds(command))
        found[kernel] = {column: (min(times[column]), peak_memory(*command)[0] / MIB)
                         for column, command in words.items()}
    return found


def print_table(found, size_index, columns, peers):
    rows = []
    for kernel, values in found.items():
        ours = min(values[column][0] for column in columns if column not in peers)
        behind = [peer for peer in peers if values[peer][0] < ours]
        rows.append([f"{kernel} {KERNELS[kernel][size_index]}",
                     *(f"{values[column][0]:.2f} ({values[column][1]:.0f})" for column in columns),
                     f"no: {', '.join(behind)}" if behind else "yes" if peers else ""])
    print(table(["kernel", *columns, "warpz ahead"], rows))


def kernel_list(text):
    names = text.split(",")
    for name in names:
        if name not in KERNELS:
            raise argparse.ArgumentTypeError(f"{name} is none of {', '.join(KERNELS)}")
    return names


def arguments():
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n", maxsplit=1)[0])
    parser.add_argument("build", type=pathlib.Path, help="the build's folder")
    parser.add_argument("--hip-cpu", type=pathlib.Path, metavar="FOLDER", help="a checkout of HIP-CPU")
    parser.add_argument("--runs", type=int, default=5, metavar="N", help="of each measurement (default: %(default)s)")
    parser.add_argument("--kernels", type=kernel_list, default=list(KERNELS), metavar="LIST", help="only these")
    return parser.parse_args()


def main():
    options = arguments()
    warpz = options.build.resolve() / "warpz"
    print(heading("bench-cpu --peers", warpz))
    with tempfile.TemporaryDirectory() as folder:
        unchecked, checked = commands_of(warpz, pathlib.Path(folder), options.hip_cpu)
        for title, commands, index, launches in (("Without checks", unchecked, 0, UNCHECKED_LAUNCHES),
                                                 ("With checks", checked, 1, CHECKED_LAUNCHES)):
            found = measured(commands, options.kernels, index, launches, options.runs)
            peers = [column for column in commands if not column.startswith("warpz")]
            print(f"{title}: ms of the kernel, the least of {options.runs} processes, and in parentheses the most MiB "
                  "of all its processes.\n")
            print_table(found, index, list(commands), peers)
    missing = [name for name, there in (("HIP-CPU", options.hip_cpu), ("PoCL", is_installed("pocl")),
                                        ("Oclgrind", shutil.which("oclgrind"))) if not there]
    if missing:
        print(f"Not there, and so not measured: {', '.join(missing)}.")
    progress("")


if __name__ == "__main__":
    try:
        main()
    except Problem as problem:
        sys.exit(f"scripts/bench-cpu: {problem}")
