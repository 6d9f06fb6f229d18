#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""--kernel with the vendor's real compilers, with or without such a GPU: a puzzle's solution is compiled, linked and
loaded. On a GPU it passes; without one it tells the vendor's reason why there is none.

Usage: own_kernel.py amd|nvidia. Ends with 77, skipped, where the kernels for the vendor were not built."""

import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

PROGRAM = pathlib.Path(os.environ["WARPZ_PROGRAM"])
MODULES = pathlib.Path(os.environ["WARPZ_MODULES"])
SOURCE = pathlib.Path(__file__).resolve().parents[2]


def main(vendor):
    if not (PROGRAM.parent / f"toolchain/module-{vendor}.o").exists():
        print(f"skipped: the kernels for {vendor.upper()} were not built")
        return 77
    listed = subprocess.run([PROGRAM, "--devices", "--backend", vendor], capture_output=True, timeout=120, check=False)
    with tempfile.TemporaryDirectory() as name:
        folder, program = pathlib.Path(name), PROGRAM
        temporary = folder / "temporary"
        temporary.mkdir()
        if listed.returncode != 0:
            # A stand-in says which device it would be.
            program = folder / "warpz"
            shutil.copy(PROGRAM, program)
            shutil.copytree(PROGRAM.parent / "toolchain", folder / "toolchain")
            shutil.copy(MODULES / f"stand-in-{vendor}.so", folder / f"libwarpz-{vendor}.so")
        done = subprocess.run([program, "--neighbor", "--backend", vendor, "--no-cache", "--kernel",
                               SOURCE / "puzzles/neighbor/solution.hip"], capture_output=True, text=True, timeout=300,
                              check=False, env={**os.environ, "TMPDIR": str(temporary)})
        left_behind = os.listdir(temporary)
    print(done.stdout + done.stderr)
    if left_behind:
        print("left behind:", *left_behind)
        return 1
    if listed.returncode == 0:
        return done.returncode
    words = ("warpz: hipGetDeviceCount(&found): ", {"amd": "hipError", "nvidia": "cudaError"}[vendor], " (")
    return 0 if done.returncode == 4 and all(word in done.stderr for word in words) else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
