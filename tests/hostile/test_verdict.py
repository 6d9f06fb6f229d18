#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A kernel that tries to write its own verdict."""

import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "end_to_end"))

from kernel_support import KernelTest, RIGHT, TAKES, for_the_device  # noqa: E402 (the path is set above)
from skips import main  # noqa: E402

# Makes its input writable and puts a number there that would allow any result to be far from what is right.
WIDENED = "#include <sys/mman.h>\n#include <unistd.h>\n#include <cstdint>\n" + for_the_device("mprotect", "sysconf") + f"""\
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

# Has a finding, and then clears all memory that it shares with other processes, by what the checks do not see.
TAKEN_BACK = "#include <strings.h>\n" + for_the_device("explicit_bzero", "fgets", "fopen", "sscanf") + f"""\
__global__ void mine({TAKES}) {{
  __shared__ int unset[64];
  if (size < 0) unset[threadIdx.x] = size;
  if (unset[threadIdx.x] > 12345) return;
  if (threadIdx.x == 0 && blockIdx.x == 0) {{
    FILE* const maps = fopen("/proc/self/maps", "r");
    char line[1024], last = 0;
    unsigned long begin = 0, end = 0;
    while (fgets(line, sizeof line, maps) != nullptr) {{
      if (sscanf(line, "%lx-%lx rw-s %*s %*s %*s /dev/zer%c", &begin, &end, &last) != 3) continue;
      printf("clears %s", line);
      explicit_bzero(reinterpret_cast<void*>(begin), end - begin);
    }}
  }}
{RIGHT}}}
"""


class VerdictTest(KernelTest):
    def test_a_finding_cannot_be_taken_back(self):
        self.write(TAKEN_BACK)
        _, err, code = self.run_kernel("--documented-only")
        self.assertIn("clears ", err)
        self.assertEqual(code, 3, err)
        self.assertIn("broken rule: neighbor: ", err)
        self.assertIn("unset", err)

    def test_a_changed_input_does_not_widen_the_tolerance(self):
        self.write(WIDENED)
        for puzzle in ("neighbor", "average", "prefix-sum"):
            out, err, code = self.run_kernel("--check", "off", puzzle=puzzle)
            self.assertEqual(code, 1, err)
            self.assertRegex(out, "FAIL .* test failed!")


if __name__ == "__main__":
    main()
