#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The module that hipcc made of the kernels for one vendor, with or without such a GPU: it loads, is of this version
and for this vendor, and either lists devices or tells the vendor's reason why there are none.

Usage: built_module.py amd|nvidia. Ends with 77, skipped, where the module was not built."""

import os
import pathlib
import subprocess
import sys

PROGRAM = pathlib.Path(os.environ["WARPZ_PROGRAM"])


def main(vendor):
    module = PROGRAM.parent / f"libwarpz-{vendor}.so"
    if not module.exists():
        print(f"skipped: {module.name} was not built: CMake says why, as 'No kernels for {vendor.upper()} GPUs: ...'")
        return 77
    done = subprocess.run([PROGRAM, "--devices", "--backend", vendor], capture_output=True, text=True, timeout=120,
                          check=False)
    print(done.stdout + done.stderr)
    if done.returncode == 0:
        return 0 if f"\n{vendor} " in done.stdout else 1
    # Without a GPU: the failed call, its code's name, and its description.
    words = ("warpz: hipGetDeviceCount(&found): ", {"amd": "hipError", "nvidia": "cudaError"}[vendor], " (")
    return 0 if done.returncode == 4 and all(word in done.stderr for word in words) else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
