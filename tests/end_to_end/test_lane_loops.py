#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Kernels that run as loops over lanes compute and find what they do on stacks, bit by bit, and it is known which do."""

import os
import pathlib
import random
import subprocess
import sys
import tempfile
import unittest

from puzzle_runs import PROGRAM, SOURCE
from sampling import FULL
from skips import main

sys.path.insert(0, str(SOURCE / "tests/random_programs"))

import lanes

KERNELS = """\
#include <hip/hip_runtime.h>
#include <cstdio>
__device__ __noinline__ int met(int value) { return __shfl_xor(value, 1); }
__global__ void regular(int* out, int n) {
  const int i = threadIdx.x;
  if (i >= n) return;
  for (int k = 0; k < n % 3; ++k) { out[i] += k; __syncthreads(); }
}
__global__ void called(int* out, int) { out[threadIdx.x] = met(threadIdx.x); }
__global__ void sums(int* out, int) { if (threadIdx.x % 3 == 0) atomicAdd(out, 5); }
__global__ void numbers(int* out, int) { if (threadIdx.x % 3 == 0) out[threadIdx.x] = atomicAdd(out, 1); }
__global__ void broken(int* out, int n) {
  int* const wrong = reinterpret_cast<int*>(threadIdx.x == 37 ? 64 : 0);
  __syncthreads();
  (wrong != nullptr ? wrong : out + threadIdx.x)[n / 1000] = 1;
}
int main(int count, char** words) {
  int* out;
  if (hipMalloc(&out, 4096) != hipSuccess) return 1;
  regular<<<1, 64>>>(out, 50);
  called<<<1, 64>>>(out, 50);
  sums<<<1, 64>>>(out, 50);
  numbers<<<1, 64>>>(out, 50);
  if (count > 1) broken<<<1, 64>>>(out, 50);
  return hipDeviceSynchronize() != hipSuccess;
}
"""


def run(file, way, check="off", words=()):
    command = [PROGRAM, "--run", file, "--check", check, "--warp-size", "64", "--cxxflags", "-w", "--", *words]
    return subprocess.run([str(each) for each in command], stdin=subprocess.DEVNULL, capture_output=True, text=True,
                          check=False, env={**os.environ, "WARPZ_LANES": way})


class LaneLoopsTest(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.file = pathlib.Path(folder.name) / "kernels.hip"

    def test_which_way_a_launch_takes_is_told(self):
        self.file.write_text(KERNELS)
        done = run(self.file, "tell")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(done.stderr.splitlines(), [
            "warpz: regular: loops over lanes",
            "warpz: called: lanes on stacks: a function that is not inlined needs a lane's stack",
            "warpz: sums: loops over lanes",
            "warpz: numbers: lanes on stacks: only some lanes of a warp may pass an atomic"])
        self.assertNotIn("loops over lanes", run(self.file, "tell", "all").stderr)
        self.assertEqual(run(self.file, "stacks").stderr, "")

    def test_a_fault_names_its_lane(self):
        self.file.write_text(KERNELS)
        expected, found = (run(self.file, way, words=("fail",)) for way in ("stacks", "loops"))
        self.assertIn("lane 37", expected.stderr)
        # The stack has the name of the region's function, and where the loop was when it failed first.
        text = found.stderr.replace("broken(int*, int) [clone .region1]", "broken")
        text = "".join(line for line in text.splitlines(True) if not line.startswith("  called from: broken"))
        self.assertEqual((found.returncode, text), (expected.returncode, expected.stderr))

    def test_random_kernels_compute_and_find_the_same(self):
        for number in range(20 if FULL else 2):
            parts = number % 2 == 1
            count = 3 if parts else 25
            self.file.write_text(lanes.source(random.Random(f"a test's {number}"), count, parts))
            for warp_size in (32, 64):
                with self.subTest(number=number, warp_size=warp_size):
                    self.assertEqual(lanes.compare(PROGRAM, self.file, warp_size, count, parts), [])


if __name__ == "__main__":
    main()
