# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Each main header of the device library compiles alone with hipcc for AMD, with the vendor's shorter ways and without
them."""

import unittest

from headers_support import COMMON, HeadersTest, first_found
from skips import main

HIPCC = first_found("hipcc")

# Each of the shorter ways. Without optimization all of them are translated, also those that are not taken.
USES = """
template <class T>
__device__ T all_ways(T v) {
  using namespace warpz::warp;
  for (unsigned bits = 1; bits < 32; ++bits) v += shuffle_xor(v, bits);
  v += shuffle_xor(v, 1) + shuffle_xor(v, 2) + shuffle_xor(v, 4) + shuffle_xor(v, 8) + shuffle_xor(v, 16);
  v += shuffle_up(v, 1) + shuffle_down(v, 1) + broadcast(v) + broadcast(v, 3U);
  v += sum(v) + max(v) + min(v) + prefix_sum(v) + prefix_sum<true>(v);
  return v;
}
__global__ void uses(float* f, int* i, double* d) {
  f[threadIdx.x] = all_ways(f[threadIdx.x]);
  i[threadIdx.x] = all_ways(i[threadIdx.x]);
  d[threadIdx.x] = all_ways(d[threadIdx.x]);
}
"""


@unittest.skipUnless(HIPCC, "there is no hipcc to compile for AMD with")
class ForAmd(HeadersTest):
    def test_each_alone(self):
        self.compile_main(HIPCC, *COMMON, "--offload-arch=gfx90a", "-Wall", "-Wextra", "-Werror", "-fsyntax-only", "-c",
                          HIP_PLATFORM="amd")

    def test_for_64_and_for_32_lanes(self):
        self.compile_together(HIPCC, *COMMON, "--offload-arch=gfx90a", "--offload-arch=gfx1030", "-Wall", "-Wextra",
                              "-Werror", "-c", HIP_PLATFORM="amd")

    def test_in_a_build_without_optimization(self):
        self.compile_together(HIPCC, *COMMON, "-O0", "-g", "--offload-arch=gfx90a", "--offload-arch=gfx1030",
                              "--cuda-device-only", "-c", text=USES, HIP_PLATFORM="amd")

    def test_the_portable_ways(self):
        self.compile_together(HIPCC, *COMMON, "-DWARPZ_PORTABLE", "--offload-arch=gfx90a", "-Wall", "-Wextra",
                              "-Werror", "-c", HIP_PLATFORM="amd")


if __name__ == "__main__":
    main()
