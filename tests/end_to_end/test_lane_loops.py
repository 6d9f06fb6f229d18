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

from kernel_support import cache_with_headers
from puzzle_runs import PROGRAM, SOURCE
from sampling import FULL
from skips import main

sys.path.insert(0, str(SOURCE / "tests/random_programs"))

import lanes

# One folder and one cache: what several tests run is compiled once.
FOLDER = tempfile.TemporaryDirectory()
os.environ["XDG_CACHE_HOME"] = str(cache_with_headers(pathlib.Path(FOLDER.name)))

KERNELS = """\
#include <hip/hip_runtime.h>
#include <hip/hip_cooperative_groups.h>
#include <cstdio>
__device__ __noinline__ int met(int value) { return __shfl_xor(value, 1); }
__device__ int elsewhere(int value);
__global__ void regular(int* out, int n) {
  const int i = threadIdx.x;
  if (i >= n) return;
  for (int k = 0; k < n % 3; ++k) { out[i] += k; __syncthreads(); }
}
__global__ void called(int* out, int) { out[threadIdx.x] = met(threadIdx.x); }
__global__ void linked(int* out, int) { out[threadIdx.x] = elsewhere(threadIdx.x); }
__global__ void sums(int* out, int) { if (threadIdx.x % 3 == 0) atomicAdd(out, 5); }
__global__ void numbers(int* out, int) { if (threadIdx.x % 3 == 0) out[threadIdx.x] = atomicAdd(out, 1); }
__global__ void broken(int* out, int n) {
  int* const wrong = reinterpret_cast<int*>(threadIdx.x == 37 ? 64 : 0);
  __syncthreads();
  (wrong != nullptr ? wrong : out + threadIdx.x)[n / 1000] = 1;
}
__global__ void timed(int* out, int) { if (threadIdx.x == 3) out[3] = clock() > 0; }
__global__ void together(int* out, int) { cooperative_groups::this_grid().sync(); out[threadIdx.x] = 1; }
int main(int count, char** words) {
  int* out;
  if (hipMalloc(&out, 4096) != hipSuccess) return 1;
  regular<<<1, 64>>>(out, 50);
  called<<<1, 64>>>(out, 50);
  linked<<<1, 64>>>(out, 50);
  sums<<<1, 64>>>(out, 50);
  numbers<<<1, 64>>>(out, 50);
  timed<<<1, 64>>>(out, 50);
  int n = 50;
  void* arguments[] = {&out, &n};
  hipLaunchCooperativeKernel(reinterpret_cast<const void*>(together), 2, 64, arguments, 0, nullptr);
  if (count > 1) broken<<<1, 64>>>(out, 50);
  return hipDeviceSynchronize() != hipSuccess;
}
"""


OTHER_SOURCE = """\
#include <hip/hip_runtime.h>
__device__ int elsewhere(int value) { return __shfl_xor(value, 1); }
"""
WHERE = """\
#include <hip/hip_runtime.h>
__global__ void forever(int* out) {
  for (;;) {
    *out = __shfl_xor(*out, 1);
  }
}
__global__ void fills(int* out, int n) {
  int* own = nullptr;
  if (threadIdx.x % 3 == 1) {
    own = static_cast<int*>(malloc(n * sizeof(int)));
    for (int i = 0; i < n; ++i) own[i] = i;
  }
  __syncthreads();
  if (threadIdx.x % 3 != 1) return;
  for (int i = 0; i < n; ++i) out[threadIdx.x] += own[(i * 7) % n];
  free(own);
}
__global__ void astray(int* out) {
  const int i = threadIdx.x, rounds = i < 37 ? 10 : 1 << 24;
  int sum = 0;
  for (int k = 0; k < rounds; ++k) sum += out[k * 64 + i];
  __syncthreads();
  out[i] = sum;
}
int main(int count, char**) {
  int *out, sum = 0, results[64];
  if (hipMalloc(&out, 4096) != hipSuccess || hipMemset(out, 0, 4096) != hipSuccess) return 1;
  if (count == 2) forever<<<1, 64>>>(out);
  if (count > 2) astray<<<1, 64>>>(out + 64 * (count - 3));
  fills<<<1, 64>>>(out, 100);
  if (hipMemcpy(results, out, sizeof results, hipMemcpyDeviceToHost) != hipSuccess) return 1;
  for (int each : results) sum += each;
  return sum == 21 * 4950 ? 0 : 1;
}
"""

# Lanes that do not exchange go on to the loop behind it, which others come to from the exchange: a cycle that is entered
# at two places.
TWO_ENTRIES = """\
#include <hip/hip_runtime.h>
#include <cstdio>
constexpr unsigned threads = 64, exchanging = 16;
__global__ void rounds(unsigned* out, const unsigned* in, unsigned n) {
  const unsigned i = threadIdx.x, lane = i % warpSize;
  unsigned a = i, b = in[i];
  for (unsigned k = 0; k < n; ++k) {
    a += k * 7;
    if (lane < exchanging) b += __shfl_xor_sync(0xffffull, b, 3);
    for (unsigned j = 0; j < lane; ++j) {
      a += in[i] >> (j & 7);
      a += b * j;
    }
  }
  out[i] = a + b;
}
int main() {
  constexpr unsigned n = 5, bytes = threads * sizeof(unsigned);
  unsigned *out, *in, seen[threads], numbers[threads], a[threads], b[threads];
  if (hipMalloc(&out, bytes) != hipSuccess || hipMalloc(&in, bytes) != hipSuccess) return 1;
  for (unsigned i = 0; i < threads; ++i) numbers[i] = b[i] = (a[i] = i) * 2654435761u;
  if (hipMemcpy(in, numbers, bytes, hipMemcpyHostToDevice) != hipSuccess) return 1;
  rounds<<<1, threads>>>(out, in, n);
  if (hipMemcpy(seen, out, bytes, hipMemcpyDeviceToHost) != hipSuccess) return 1;
  hipDeviceProp_t device;
  if (hipGetDeviceProperties(&device, 0) != hipSuccess) return 1;
  const unsigned size = device.warpSize;
  int wrong = 0;
  for (unsigned k = 0; k < n; ++k) {
    unsigned before[threads];
    for (unsigned i = 0; i < threads; ++i) before[i] = b[i];
    for (unsigned i = 0; i < threads; ++i) {
      a[i] += k * 7;
      if (i % size < exchanging) b[i] += before[i ^ 3];
      for (unsigned j = 0; j < i % size; ++j) a[i] += (numbers[i] >> (j & 7)) + b[i] * j;
    }
  }
  for (unsigned i = 0; i < threads; ++i) wrong += seen[i] != a[i] + b[i];
  return wrong == 0 && hipFree(out) == hipSuccess && hipFree(in) == hipSuccess ? 0 : 1;
}
"""

BLOCKS = """\
#include <hip/hip_runtime.h>
#include <cstdio>
#include <vector>
constexpr unsigned width = 21, height = 5, depth = 3, count = width * height * depth;
__host__ __device__ unsigned mixed(unsigned x) {
  for (int k = 0; k < 3; ++k) {
    x ^= x >> 16;
    x *= 0x7feb352d;
    x ^= x >> 15;
    x *= 0x846ca68b;
  }
  return x;
}
__device__ unsigned linear() { return (threadIdx.z * height + threadIdx.y) * width + threadIdx.x; }
__global__ void coordinates(unsigned* out) { out[linear()] = threadIdx.x + 100 * threadIdx.y + 10000 * threadIdx.z; }
__global__ void reversed(unsigned* out) {
  __shared__ unsigned part[count];
  part[linear()] = threadIdx.x * 7 + threadIdx.y * 5 + threadIdx.z;
  __syncthreads();
  out[linear()] = part[count - 1 - linear()];
}
__global__ void returned(unsigned* out) {
  __shared__ unsigned part[count];
  part[linear()] = linear();
  __syncthreads();
  if (threadIdx.y == 1) return;
  for (unsigned round = 0; round < 3; ++round) {
    const unsigned next = part[(linear() + 2 * width) % count];
    __syncthreads();
    part[linear()] = next + round;
    __syncthreads();
  }
  out[linear()] = part[linear()];
}
__global__ void behind(unsigned* out) {
  const unsigned i = linear();
  for (unsigned distance = 1; distance < 40; distance *= 3) out[i] += i >= distance ? i - distance : 1;
}
__global__ void own(unsigned* out) {
  unsigned values[8] = {};
  for (unsigned k = 0; k < 50; ++k) values[mixed(linear() + k) % 8] += k;
  unsigned sum = 0;
  for (unsigned k = 0; k < 8; ++k) sum = sum * 3 + values[(k + out[0]) % 8];
  if (linear() != 0) out[linear()] = sum;
}
__global__ void counted(unsigned* out) {
  __shared__ unsigned bins[8], most, marked;
  if (linear() < 8) bins[linear()] = 0;
  if (linear() == 8) most = marked = 0;
  __syncthreads();
  const unsigned before = atomicAdd(&bins[linear() % 7], 1u);
  atomicMax(&most, before);
  if (linear() % 50 == 3) atomicCAS(&marked, 0u, 9u);
  __syncthreads();
  out[linear()] = linear() == 0 ? most : linear() == 1 ? marked : bins[linear() % 8];
}
unsigned expected(int kernel, unsigned i) {
  const unsigned x = i % width, y = i / width % height, z = i / width / height;
  unsigned sum = 0;
  switch (kernel) {
    case 0: return x + 100 * y + 10000 * z;
    case 1: {
      const unsigned other = count - 1 - i;
      return other % width * 7 + other / width % height * 5 + other / width / height;
    }
    case 2: {
      std::vector<unsigned> part(count), next(count);
      for (unsigned k = 0; k < count; ++k) part[k] = k;
      for (unsigned round = 0; round < 3; ++round) {
        for (unsigned k = 0; k < count; ++k) {
          next[k] = k / width % height == 1 ? part[k] : part[(k + 2 * width) % count] + round;
        }
        part = next;
      }
      return y == 1 ? 0 : part[i];
    }
    case 3:
      for (unsigned distance : {1u, 3u, 9u, 27u}) sum += i >= distance ? i - distance : 1;
      return sum;
    case 4: {
      if (i == 0) return 0;
      unsigned values[8] = {};
      for (unsigned k = 0; k < 50; ++k) values[mixed(i + k) % 8] += k;
      for (unsigned each : values) sum = sum * 3 + each;
      return sum;
    }
    default: return i == 0 ? (count - 1) / 7 : i == 1 ? 9 : i % 8 == 7 ? 0 : count / 7;
  }
}
int main() {
  unsigned* out;
  if (hipMalloc(&out, count * sizeof(unsigned)) != hipSuccess) return 1;
  void (*kernels[])(unsigned*) = {coordinates, reversed, returned, behind, own, counted};
  for (int kernel = 0; kernel < 6; ++kernel) {
    std::vector<unsigned> result(count);
    if (hipMemset(out, 0, count * sizeof(unsigned)) != hipSuccess) return 1;
    hipLaunchKernelGGL(kernels[kernel], dim3(kernel == 3 ? 1 : 3), dim3(width, height, depth), 0, nullptr, out);
    if (hipMemcpy(result.data(), out, count * sizeof(unsigned), hipMemcpyDeviceToHost) != hipSuccess) return 1;
    for (unsigned i = 0; i < count; ++i) {
      if (result[i] != expected(kernel, i))
        std::printf("kernel %d: out[%u] is %u, not %u\\n", kernel, i, result[i], expected(kernel, i));
    }
  }
  return hipFree(out) != hipSuccess;
}
"""


def run(files, way, check="off", words=(), options=()):
    files = files if isinstance(files, tuple) else (files,)
    command = [PROGRAM, "--run", *files, "--check", check, *(options or ("--warp-size", "64")), "--cxxflags", "-w", "--", *words]
    return subprocess.run([str(each) for each in command], stdin=subprocess.DEVNULL, capture_output=True, text=True,
                          check=False, env={**os.environ, "WARPZ_LANES": way})


class LaneLoopsTest(unittest.TestCase):
    def setUp(self):
        self.file = pathlib.Path(FOLDER.name) / "kernels.hip"
        self.other = pathlib.Path(FOLDER.name) / "other.hip"

    def test_which_way_a_launch_takes_is_told(self):
        self.file.write_text(KERNELS)
        self.other.write_text(OTHER_SOURCE)
        both = (self.file, self.other)
        done = run(both, "tell")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(done.stderr.splitlines(), [
            "warpz: regular: loops over lanes",
            "warpz: called: lanes on stacks: a function that is not inlined needs a lane's stack",
            "warpz: linked: lanes on stacks: it calls a function of another source",
            "warpz: sums: loops over lanes",
            "warpz: numbers: lanes on stacks: only some lanes of a warp may pass an atomic or a clock",
            "warpz: timed: lanes on stacks: only some lanes of a warp may pass an atomic or a clock",
            "warpz: together: lanes on stacks: blocks of a cooperative launch wait for each other"])
        self.assertNotIn("loops over lanes", run(both, "tell", "all").stderr)
        self.assertIn("regular: loops over lanes", run(both, "tell", "collectives").stderr)
        self.assertEqual(run(both, "stacks").stderr, "")

    def test_memory_that_a_lane_allocates_is_its_own(self):
        self.file.write_text(WHERE)
        done = run(self.file, "tell")
        self.assertEqual((done.returncode, done.stderr), (0, "warpz: fills: loops over lanes\n"))

    def test_a_time_limit_names_the_operation(self):
        self.file.write_text(WHERE)
        done = run(self.file, "", words=("forever",), options=("--warp-size", "64", "--time-limit", "0.5"))
        self.assertEqual(done.returncode, 3, done.stderr)
        self.assertIn("in kernel forever\n", done.stderr)
        self.assertIn("kernels.hip:4\n", done.stderr)

    def test_a_fault_names_its_lane(self):
        self.file.write_text(KERNELS)
        self.other.write_text(OTHER_SOURCE)
        expected, *others = (run((self.file, self.other), way, words=("fail",)) for way in ("stacks", "avx2", ""))
        self.assertIn("lane 37", expected.stderr)
        for found in others:
            self.assertEqual((found.returncode, found.stderr), (expected.returncode, expected.stderr))

    def test_a_fault_in_rounds_that_lanes_take_in_step_names_its_lane(self):
        self.file.write_text(WHERE)
        for way in ("stacks", "avx2", ""):
            for offset in range(4):  # where memory ends, one or another of several rounds at once fails
                done = run(self.file, way, words=("go", "astray") + ("on",) * offset)
                self.assertEqual(done.returncode, 3, done.stderr)
                self.assertIn("lane 37  runs\n", done.stderr)
                self.assertIn("astray at " + str(self.file) + ":21\n", done.stderr)

    def test_a_block_of_several_rows_computes_what_the_host_does(self):
        self.assert_computes(BLOCKS)

    def test_a_cycle_that_is_entered_at_two_places_computes_what_the_host_does(self):
        self.assert_computes(TWO_ENTRIES)

    def assert_computes(self, program):
        self.file.write_text(program)
        for way in ("stacks", "avx2", ""):
            for warp_size in ("32", "64"):
                with self.subTest(way=way, warp_size=warp_size):
                    done = run(self.file, way, options=("--warp-size", warp_size))
                    self.assertEqual((done.returncode, done.stdout, done.stderr), (0, "", ""))

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
