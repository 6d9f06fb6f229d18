#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""HIP's headers for NVIDIA compile with the CUDA that is here, mended by src/gpu/hip_on_cuda.hpp, and the mended
functions link.

Usage: compile_mended.py HIPCC NVCC. Ends with 77, skipped, where one of the two is missing."""

import os
import pathlib
import subprocess
import sys
import tempfile

SOURCE = pathlib.Path(__file__).resolve().parents[2]


def main(hipcc, nvcc):
    for name, program in (("hipcc", hipcc), ("nvcc", nvcc)):
        if not os.access(program, os.X_OK):
            print(f"skipped: there is no {name}, so nothing is compiled for NVIDIA")
            return 77
    cuda = pathlib.Path(nvcc).resolve().parents[1]
    with tempfile.TemporaryDirectory() as folder:
        done = subprocess.run([hipcc, "-x", "cu", "-std=c++17", f"-I{SOURCE}/src", f"-L{cuda}/lib64/stubs",
                               SOURCE / "tests/gpu/mended.hip", "-o", f"{folder}/mended", "-lcuda"],
                              env={**os.environ, "HIP_PLATFORM": "nvidia", "CUDA_PATH": str(cuda)},
                              capture_output=True, text=True, timeout=300, check=False)
    print(done.stdout + done.stderr)
    return 1 if done.returncode else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
