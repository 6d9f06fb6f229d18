# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The installed device library is enough for kernels for NVIDIA: for another project that finds it and compiles them
as CMake's CUDA language, and for hipcc alone."""

import shutil
import unittest

from installed_support import CONSUMER, CUDA, InstalledTest
from skips import main

HIPCC, NVCC = shutil.which("hipcc"), CUDA / "bin/nvcc"
AS_LANGUAGE = ("-DFOR_NVIDIA=ON", f"-DCMAKE_CUDA_COMPILER={NVCC}", "-DCMAKE_CUDA_ARCHITECTURES=90")


@unittest.skipUnless(HIPCC and NVCC.exists(), "there is no nvcc, or no hipcc, to compile for NVIDIA with")
class ForNvidia(InstalledTest):
    def test_a_project_finds_it(self):
        self.build_and_run("found", *AS_LANGUAGE)

    def test_hipcc_includes_what_fixes_hip(self):
        program = self.folder / "sm_90"
        self.succeed(HIPCC, "-x", "cu", "-std=c++17", "-arch=sm_90", f"-I{self.prefix}/include", "-include",
                     "warpz/hip_on_cuda.hpp", CONSUMER / "consumer.hip", "-o", program, HIP_PLATFORM="nvidia",
                     CUDA_PATH=str(CUDA))
        self.run_consumer(program, LD_LIBRARY_PATH=f"{CUDA}/lib64")


if __name__ == "__main__":
    main()
