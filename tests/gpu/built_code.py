#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The code in the module that was built for AMD, as it is shipped, is what scripts/check-amd-code wants it to be, for
each architecture that it was built for. Ends with 77, skipped, where the module was not built or can't be read."""

import os
import pathlib
import re
import subprocess
import sys

import amd_readers

SOURCE = pathlib.Path(__file__).resolve().parents[2]
MODULE = pathlib.Path(os.environ["WARPZ_PROGRAM"]).parent / "libwarpz-amd.so"


def main():
    if not MODULE.exists():
        print(f"skipped: {MODULE.name} was not built: CMake says why, as 'No kernels for AMD GPUs: ...'")
        return 77
    if amd_readers.MISSING:
        print(f"skipped: {amd_readers.WHY}")
        return 77
    done = subprocess.run([sys.executable, SOURCE / "scripts/check-amd-code", MODULE], capture_output=True, text=True,
                          timeout=300, check=False)
    print(done.stdout + done.stderr)
    # One kernel for each solution and each variant, and those that --bench measures beside them, or what was looked at is
    # not the module.
    kernels = sum(len(list(SOURCE.glob(f"puzzles/*/{variant}.hip"))) for variant in ("solution", "shared", "tuned"))
    kernels += sum(len(re.findall(r"^WARPZ_KERNEL\(", file.read_text(), re.MULTILINE))
                   for file in SOURCE.glob("src/bench/*.hip") if file.name != "vendor_library.hip")
    count, architectures = (int(word) for word in done.stdout.splitlines()[-1].split() if word.isdigit())
    return 0 if done.returncode == 0 and architectures > 0 and count == kernels * architectures else 1


if __name__ == "__main__":
    sys.exit(main())
