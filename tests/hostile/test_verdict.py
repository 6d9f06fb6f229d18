#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A kernel that tries to write its own verdict."""

import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "end_to_end"))

from kernel_support import KernelTest, TAKES  # noqa: E402 (the path is set above)
from skips import main  # noqa: E402

# Makes its input writable and puts a number there that would allow any result to be far from what is right.
WIDENED = f"""\
#include <sys/mman.h>
#include <unistd.h>
#include <cstdint>
__global__ void mine({TAKES}) {{
  if (threadIdx.x == 0 && blockIdx.x == 0) {{
    const auto page = static_cast<std::uintptr_t>(sysconf(_SC_PAGESIZE));
    void* const begin = reinterpret_cast<void*>(reinterpret_cast<std::uintptr_t>(input) / page * page);
    float* const writable = const_cast<float*>(input);
    if (mprotect(begin, page, PROT_READ | PROT_WRITE) == 0) {{
      for (int i = 0; i < size; ++i) writable[i] = 1e30f;
    }}
  }}
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < size) output[i] = 12345.0f;
}}
"""


class VerdictTest(KernelTest):
    def test_a_changed_input_does_not_widen_the_tolerance(self):
        self.write(WIDENED)
        for puzzle in ("neighbor", "average", "prefix-sum"):
            out, err, code = self.run_kernel("--check", "off", puzzle=puzzle)
            self.assertEqual(code, 1, err)
            self.assertRegex(out, "FAIL .* test failed!")


if __name__ == "__main__":
    main()
