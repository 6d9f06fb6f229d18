# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The installed device library is enough for kernels for AMD: for another project that finds it, and hipcc alone."""

import shutil
import unittest

from installed_support import CONSUMER, SOURCE, InstalledTest
from skips import main

HIPCC = shutil.which("hipcc")
AS_COMPILER = (f"-DCMAKE_CXX_COMPILER={HIPCC}", "-DCMAKE_CXX_FLAGS=--offload-arch=gfx90a -Wall -Wextra -Werror")


@unittest.skipUnless(HIPCC, "there is no hipcc to compile for AMD with")
class ForAmd(InstalledTest):
    def test_a_project_finds_it(self):
        self.build_and_run("found", *AS_COMPILER, HIP_PLATFORM="amd")

    def test_a_project_may_hold_the_source_tree(self):
        self.build_and_run("subproject", f"-DWARPZ_SOURCE={SOURCE}", *AS_COMPILER, HIP_PLATFORM="amd")

    def test_hipcc_needs_but_an_include_path(self):
        for architecture in ("gfx90a", "gfx1030"):
            with self.subTest(architecture):
                program = self.folder / architecture
                self.succeed(HIPCC, "-std=c++17", f"--offload-arch={architecture}", f"-I{self.prefix}/include",
                             CONSUMER / "consumer.hip", "-o", program, HIP_PLATFORM="amd")
                self.run_consumer(program)


if __name__ == "__main__":
    main()
