#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What kernels include compiles with clang 19 too, as C++17: every solution, variant and problem, and the module source.
The tests as a whole are built by the distribution's own clang. Ends with 77, skipped, where clang 19 is not there."""

import concurrent.futures
import os
import pathlib
import shutil
import subprocess
import sys

SOURCE = pathlib.Path(__file__).resolve().parents[2]
COMPILER = "clang++-19"
OPTIONS = ("-std=c++17", "-fsyntax-only", "-Wall", "-Wextra", "-Werror", "-x", "c++",
           *(f"-I{SOURCE / folder}" for folder in ("src", "src/device", "src/simt/include")))


def complaints(file):
    return subprocess.run([COMPILER, *OPTIONS, file], capture_output=True, text=True, timeout=300, check=False).stderr


def main():
    if not shutil.which(COMPILER):
        print(f"skipped: there is no {COMPILER}, so nothing is compiled with it")
        return 77
    files = [*sorted(SOURCE.glob("puzzles/*/*.hip")), SOURCE / "src/module/module.hip"]
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        found = "".join(pool.map(complaints, files))
    print(f"{len(files)} files\n{found}")
    return 1 if found or len(files) < 20 else 0


if __name__ == "__main__":
    sys.exit(main())
