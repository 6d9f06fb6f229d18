# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Each main header of the device library compiles alone with hipcc for AMD, with the vendor's shorter ways and without
them."""

import unittest

from headers_support import COMMON, HeadersTest, first_found
from skips import main

HIPCC = first_found("hipcc")


@unittest.skipUnless(HIPCC, "there is no hipcc to compile for AMD with")
class ForAmd(HeadersTest):
    def test_each_alone(self):
        self.compile_main(HIPCC, *COMMON, "--offload-arch=gfx90a", "-Wall", "-Wextra", "-Werror", "-fsyntax-only", "-c",
                          HIP_PLATFORM="amd")

    def test_for_64_and_for_32_lanes(self):
        self.compile_together(HIPCC, *COMMON, "--offload-arch=gfx90a", "--offload-arch=gfx1030", "-Wall", "-Wextra",
                              "-Werror", "-c", HIP_PLATFORM="amd")

    def test_the_portable_ways(self):
        self.compile_together(HIPCC, *COMMON, "-DWARPZ_PORTABLE", "--offload-arch=gfx90a", "-Wall", "-Wextra",
                              "-Werror", "-c", HIP_PLATFORM="amd")


if __name__ == "__main__":
    main()
