#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs fuzz targets one after another, each for so many seconds of CPU time. What they find worth keeping stays in the
build folder, and is where the next run begins; so does an input that ends a target, which reads it again as its argument."""

import argparse
import pathlib
import re
import resource
import subprocess
import sys

SEEDS = pathlib.Path(__file__).resolve().parent / "seeds"
# What is asked for at once is little, whatever an input claims.
OPTIONS = ["-print_funcs=0", "-max_len=6000", "-timeout=300", "-malloc_limit_mb=16", "-rss_limit_mb=2048"]
RUNS = re.compile(r"^#(\d+): cov: \d+ .*oom/timeout/crash: (\d+)/(\d+)/(\d+)", re.MULTILINE)


def cpu_seconds():
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def fuzz(target, seconds, processes):
    """True where nothing was found."""
    name = target.name.removeprefix("fuzz_")
    folder = target.parent
    corpus = folder / "corpora" / name
    corpus.mkdir(parents=True, exist_ok=True)
    begin = cpu_seconds()
    runs = crashes = 0
    # libFuzzer counts the time that passes: on a busy machine that is more.
    while crashes == 0 and (left := seconds - (cpu_seconds() - begin)) >= processes:
        done = subprocess.run([target, f"-fork={processes}", f"-max_total_time={left // processes:.0f}", *OPTIONS,
                               f"-artifact_prefix={folder}/{name}-", corpus, SEEDS / name], cwd=folder, check=False,
                              stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
        said = done.stdout.decode(errors="replace")
        *_, (more, *found) = RUNS.findall(said) or [("0", "1")]
        runs += int(more)
        crashes = max(sum(map(int, found)), int(done.returncode != 0))
        if crashes != 0:
            print(said, file=sys.stderr)
    print(f"fuzz: {name:15} {runs:11,} runs, {cpu_seconds() - begin:6.0f} seconds of CPU time, {crashes} crashes, "
          f"{len(list(corpus.iterdir()))} inputs kept", file=sys.stderr, flush=True)
    return runs > 0 and crashes == 0


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seconds", type=int, required=True, help="of CPU time, for each")
    parser.add_argument("--processes", type=int, default=1, help="at once; 1 without this")
    parser.add_argument("targets", nargs="+", type=pathlib.Path)
    arguments = parser.parse_args()
    results = [fuzz(each.resolve(), arguments.seconds, arguments.processes) for each in arguments.targets]
    sys.exit(0 if all(results) else 1)


if __name__ == "__main__":
    main()
