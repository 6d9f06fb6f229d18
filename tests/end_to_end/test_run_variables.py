#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""--run: who misses a variable of the program's files, or the dynamic shared memory."""

import json
import shutil
import subprocess
import unittest

from kernel_support import RUNTIME, RunTest
from sampling import long, sample
from skips import main


class ProgramTest(RunTest):
    def findings(self, text):
        self.write(RUNTIME + text, "it.hip")
        out, _, _ = self.run_program("it.hip", "--format", "json")
        (run,) = json.loads(out)["runs"]
        return [(each["kind"], each["groups"][0]["warp"], each["groups"][0]["lanes"][0], each["memory"]["name"],
                 each["memory"]["index"], each["memory"]["elements"]) for each in run["findings"]]

    @long
    def test_variables_of_several_files(self):
        self.write(RUNTIME + """
            __device__ int before[4] = {1, 1, 1, 1}, table[4] = {1, 2, 3, 4}, after[4] = {1, 1, 1, 1};
            __device__ int from_table(int i) { return table[i] + before[i % 4] + after[i % 4]; }
            """, "other.hip")
        self.write(RUNTIME + """
            __device__ int from_table(int);
            __global__ void mine(int* out) {
              __shared__ int tile[16];
              tile[threadIdx.x] = from_table(threadIdx.x / 4);
              __syncthreads();
              out[threadIdx.x] = tile[15 - threadIdx.x] + from_table(threadIdx.x == 9 ? 4 : 0);
            }
            int main() {
              int* out;
              hipMalloc(&out, 16 * sizeof(int));
              mine<<<1, 16>>>(out);
              hipFree(out);
            }
            """, "it.hip")
        out, _, _ = self.run_program("it.hip", "other.hip", "--format", "json")
        (run,) = json.loads(out)["runs"]
        (one,) = run["findings"]
        self.assertEqual((one["kind"], one["groups"][0]["lanes"], one["memory"]["name"], one["memory"]["index"]),
                         ("out_of_bounds", [9], "table", 4))

    DYNAMIC = """
        __global__ void mine(int* out, int at) {
          extern __shared__ int tile[];
          tile[static_cast<int>(threadIdx.x) + at] = 1;
          __syncthreads();
          out[threadIdx.x] = tile[static_cast<int>(threadIdx.x) + at];
        }
        int main() {
          int* out;
          hipMalloc(&out, 32 * sizeof(int));
          mine<<<1, 32, BYTES>>>(out, AT);
          hipFree(out);
        }
        """

    def test_dynamic_shared_memory(self):
        name = "dynamic shared memory"
        for size, at, lane, index in sample(((128, 1, 31, 32), (128, -2, 0, -2), (64, 0, 16, 16), (0, 0, 0, 0),
                                             (128, 9000, 0, 9000)), 3):
            text = self.DYNAMIC.replace("BYTES", str(size)).replace("AT", str(at))
            with self.subTest(size=size, at=at):
                found = set(self.findings(text))
                self.assertEqual(found, {("out_of_bounds", 0, lane, name, index, size // 4)})
        self.assertEqual(self.findings(self.DYNAMIC.replace("BYTES", "128").replace("AT", "0")), [])

    @long
    @unittest.skipUnless(shutil.which("strip"), "strip is not there")
    def test_a_program_without_symbols_is_run_as_ever(self):
        self.write(RUNTIME + """
            __device__ int count;
            __global__ void mine(int* out) {
              __shared__ int tile[32];
              tile[threadIdx.x] = count;
              __syncthreads();
              out[threadIdx.x] = tile[31 - threadIdx.x];
            }
            int main() {
              int* out;
              hipMalloc(&out, 32 * sizeof(int));
              mine<<<1, 32>>>(out);
              hipFree(out);
            }
            """, "it.hip")
        self.run_program("it.hip", "--output", "it")
        subprocess.run(["strip", "--strip-all", self.folder / "it"], check=True)
        self.assertEqual(self.run_program("it"), ("", "", 0))


if __name__ == "__main__":
    main()
