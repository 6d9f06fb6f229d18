# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Each main header of the device library compiles alone with hipcc for NVIDIA, after what fixes HIP's own headers,
with the vendor's shorter ways and without them."""

import os
import pathlib
import unittest

from headers_support import COMMON, SOURCE, HeadersTest, first_found
from skips import main

HIPCC, CUDA = first_found("hipcc"), pathlib.Path(os.environ.get("CUDA_PATH", "/usr/local/cuda"))


@unittest.skipUnless(HIPCC and (CUDA / "bin/nvcc").exists(), "there is no nvcc, or no hipcc, for NVIDIA")
class ForNvidia(HeadersTest):
    def command(self, architecture, *options):
        return (HIPCC, "-x", "cu", *COMMON, *options, f"-arch=sm_{architecture}", "-include",
                SOURCE / "src/gpu/hip_on_cuda.hpp", "-Xcompiler=-Wall,-Wextra", "-c")

    def test_each_alone_for_sm_90(self):
        self.compile_main(*self.command(90), HIP_PLATFORM="nvidia", CUDA_PATH=str(CUDA))

    def test_the_portable_ways_for_sm_75(self):
        self.compile_together(*self.command(75, "-DWARPZ_PORTABLE"), HIP_PLATFORM="nvidia", CUDA_PATH=str(CUDA))


if __name__ == "__main__":
    main()
