#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Measures warpz on the CPU machine and prints the figures as Markdown: starting, the neighbor kernel, memory.

Called by scripts/bench-cpu with the folder of a build that has WARPZ_BENCH on. The measuring itself is hyperfine's and
Google Benchmark's; the memory is read from the kernel's own accounts of warpz and its child."""

import argparse
import datetime
import json
import os
import pathlib
import subprocess
import sys
import time

MIB = 1 << 20
WARP_SIZES = (32, 64)
REPETITIONS = 9
# A buffer of floats each: the input, its copy for the kernel, the output, and what that is compared with.
BUFFERS = 4


class Problem(Exception):
    """Something could not be measured."""


def call(*command):
    done = subprocess.run([str(part) for part in command], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                          stderr=subprocess.PIPE, text=True, check=False)
    if done.returncode != 0:
        raise Problem(f"{' '.join(map(str, command))} ended with {done.returncode}:\n{done.stderr.strip()}")
    return done.stdout


def progress(text):
    if sys.stderr.isatty():
        print(f"\r\033[K{text}", end="", file=sys.stderr, flush=True)


# What is measured.


def start_times(build):
    """Milliseconds of a whole process, by name: median and standard deviation."""
    results = build / "start.json"
    commands = {"warpz --neighbor": [build / "warpz", "--neighbor"],
                "a hello-world of fmt and CLI11": [build / "src/bench/hello"]}
    progress("measuring the start of the program")
    # Without a shell in between, whose own start would be most of what is measured.
    call("hyperfine", "-N", "--warmup", "20", "--runs", "300", "--export-json", results,
         *(" ".join(f"'{part}'" for part in command) for command in commands.values()))
    measured = json.loads(results.read_text())["results"]
    return {name: (1000 * one["median"], 1000 * one["stddev"]) for name, one in zip(commands, measured)}


def kernel_times(build):
    """Milliseconds of the neighbor kernel by (statistic, warp size, elements), the statistics median and fastest."""
    results = build / "neighbor.json"
    progress("measuring the neighbor kernel")
    # The sizes take turns, so that whatever else goes on for a while does not look like a matter of size.
    call(build / "src/bench/bench_neighbor", f"--benchmark_repetitions={REPETITIONS}", "--benchmark_min_time=0.1",
         "--benchmark_enable_random_interleaving=true", "--benchmark_report_aggregates_only=true",
         f"--benchmark_out={results}", "--benchmark_out_format=json")
    times = {}
    for one in json.loads(results.read_text())["benchmarks"]:
        if one.get("error_occurred"):
            raise Problem(f"{one['name']}: {one['error_message']}")
        fields = dict(part.split(":") for part in one["run_name"].split("/") if ":" in part)
        times[one["aggregate_name"], int(fields["lanes"]), int(fields["elements"])] = one["real_time"]
    return times


def family(pid):
    """A process and those that it started."""
    yield pid
    for task in pathlib.Path(f"/proc/{pid}/task").iterdir():
        for child in (task / "children").read_text().split():
            yield from family(int(child))


def resident_bytes(pid):
    """Memory of a process; what it shares with n - 1 others counts for a nth."""
    rows = pathlib.Path(f"/proc/{pid}/smaps_rollup").read_text().splitlines()
    return next(1024 * int(row.split()[1]) for row in rows if row.startswith("Pss:"))


def peak_memory(*command):
    """The most that a command and its children held at once, as seen every millisecond."""
    peak = samples = 0
    with subprocess.Popen([str(part) for part in command], stdin=subprocess.DEVNULL,
                          stdout=subprocess.DEVNULL) as process:
        while process.poll() is None:
            try:
                peak = max(peak, sum(resident_bytes(pid) for pid in family(process.pid)))
                samples += 1
            except (OSError, StopIteration):  # one of them has just ended
                pass
            time.sleep(0.001)
    if process.returncode != 0:
        raise Problem(f"{' '.join(map(str, command))} ended with {process.returncode}")
    return peak, samples


def memory(build, elements):
    """Peak bytes by warp size."""
    measured = {}
    for warp_size in WARP_SIZES:
        progress(f"measuring memory with {warp_size} lanes")
        measured[warp_size] = peak_memory(build / "warpz", "--neighbor", "--quiet", "--size", elements,
                                          "--warp-size", warp_size)
    return measured


# What is printed.


def cpu_model():
    rows = pathlib.Path("/proc/cpuinfo").read_text().splitlines()
    return next((row.split(":", 1)[1].strip() for row in rows if row.startswith("model name")), os.uname().machine)


def heading(script, warpz):
    """What the figures are of."""
    return (f"`scripts/{script}`, {datetime.date.today()}: {cpu_model()}, {len(os.sched_getaffinity(0))} cores,\n"
            f"{call(warpz, '--version').splitlines()[0]}.\n")


def table(head, rows):
    lines = [head, ["---"] * len(head), *rows]
    return "\n".join("| " + " | ".join(str(cell) for cell in line) + " |" for line in lines) + "\n"


def target(met, text):
    return f"{text}: {'met' if met else 'MISSED'}"


def print_start(times):
    warpz, hello = (median for median, _ in times.values())
    targets = [f"{target(warpz < 10, 'under 10 ms')}; {target(warpz < 3 * hello, 'under 3 times the hello-world')}", ""]
    print("A whole process, median of 300 (hyperfine):\n")
    print(table(["command", "ms", "±", "target"],
                [[f"`{name}`" if name.startswith("warpz") else name, f"{median:.2f}", f"{deviation:.2f}", words]
                 for (name, (median, deviation)), words in zip(times.items(), targets)]))
    print(f"`warpz --neighbor` takes {warpz / hello:.2f} times as long as the hello-world.\n")


def print_kernel(times):
    sizes = sorted({elements for _, _, elements in times})
    rows = []
    for elements in sizes:
        row = [f"2^{elements.bit_length() - 1}"]
        for warp_size in WARP_SIZES:
            milliseconds = times["median", warp_size, elements]
            row += [f"{milliseconds:.{3 if milliseconds < 10 else 1}f}", f"{1e6 * milliseconds / elements:.2f}"]
        rows.append(row)
    print(f"The neighbor kernel, one warp per block, median of {REPETITIONS} (Google Benchmark):\n")
    print(table(["floats", "32 lanes, ms", "ns per float", "64 lanes, ms", "ns per float"], rows))
    wanted, fastest = (times[statistic, 64, 1 << 24] for statistic in ("median", "fastest"))
    print(f"2^24 floats with 64 lanes: {wanted:.1f} ms ({target(wanted < 150, 'under 150 ms')}), at best {fastest:.1f} ms.")
    for warp_size in WARP_SIZES:
        costs = [times["fastest", warp_size, elements] / elements for elements in sizes]
        print(f"Cost per float with {warp_size} lanes, at best: {1e6 * min(costs):.2f} to {1e6 * max(costs):.2f} ns.")
    print()


def print_memory(peaks, elements):
    buffers = 4 * BUFFERS * elements
    rows = [[f"`warpz --neighbor --size {elements} --warp-size {warp_size}`", f"{peak / MIB:.1f}",
             f"{buffers / MIB:.1f}", f"{(peak - buffers) / MIB:.1f}", target(peak - buffers < 64 * MIB, "under 64 MiB")]
            for warp_size, (peak, _) in peaks.items()]
    samples = " and ".join(str(count) for _, count in peaks.values())
    print("Memory of the program and its child at once, in MiB: the input, the copy of it that the kernel gets,\n"
          "the output and the expected output are the buffers; shared pages count once; the highest of\n"
          f"{samples} samples:\n")
    print(table(["command", "peak", "buffers", "beyond them", "target"], rows))


def arguments():
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n", maxsplit=1)[0])
    parser.add_argument("build", type=pathlib.Path, help="the build's folder")
    parser.add_argument("--memory-size", type=int, default=1 << 24, metavar="N",
                        help="floats in each buffer when memory is measured (default: %(default)s)")
    return parser.parse_args()


def main():
    options = arguments()
    start = start_times(options.build)
    kernel = kernel_times(options.build)
    peaks = memory(options.build, options.memory_size)
    progress("")
    print(heading("bench-cpu", options.build / "warpz"))
    print_start(start)
    print_kernel(kernel)
    print_memory(peaks, options.memory_size)


if __name__ == "__main__":
    try:
        main()
    except Problem as problem:
        sys.exit(f"scripts/bench-cpu: {problem}")
