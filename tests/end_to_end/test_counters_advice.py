#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""--counters: the sentence behind a line that costs too much."""

from counters_support import CountersTest, on_buffers
from skips import main


class Advice(CountersTest):
    def test_idle_lanes_are_told_with_their_spread(self):
        # 255 additions: with 32 lanes by 8 warps in 5 rounds and 7 in the last three, over 831 lanes.
        kernels = """template <bool apart> __global__ void add(int* out, const int* in) {
  __shared__ int s[256];
  s[threadIdx.x] = in[threadIdx.x];
  __syncthreads();
  for (int step = 1; step < 256; step *= 2) {
    const int i = apart ? threadIdx.x : 2 * step * threadIdx.x;
    if (apart ? i % (2 * step) == 0 : i < 256) s[i] += s[i + step];
    __syncthreads();
  }
  if (threadIdx.x == 0) *out = s[0];
}"""
        sentence = "{} of {} lanes are active, spread over {}: let neighboring threads do it, so that whole warps are left out"
        for apart, told in (("true", (sentence.format("5.4", 32, "17.7"), sentence.format("9.4", 64, "39.2"))),
                            ("false", 2 * ("8-way bank conflict: lanes are 32 bytes apart; neighbors should access "
                                           "neighboring words",))):
            runs = self.run_of(on_buffers(kernels, f"add<{apart}><<<1, 256>>>(a, b);"), "--warp-size", "both")
            for costs, expected in zip(runs, told):
                self.assertEqual(self.advice_on(costs, "s[i + step]"), [expected])

    def test_idle_lanes_are_the_cause_of_scattered_addresses(self):
        kernels = """template <bool apart> __global__ void take(int* out, const int* in) {
  const int i = threadIdx.x;
  if (apart ? i % 8 == 0 : i < 32) out[i] = in[i];
}"""
        for apart, told in (("true", ("4.0 of 32 lanes are active, spread over 25.0", "8.0 of 64 lanes are active, spread over 57.0")),
                            ("false", ("", ""))):
            runs = self.run_of(on_buffers(kernels, f"take<{apart}><<<1, 256>>>(a, b);"), "--warp-size", "both")
            for costs, expected in zip(runs, told):
                self.assertEqual([text.partition(":")[0] for text in self.advice_on(costs, "in[i]")], [expected] if expected else [])

    def test_rows_that_meet_in_one_bank_are_no_matter_of_padding(self):
        # Rows of 17 words, 16 of which two rows of lanes use: words 0 and 32 are in one bank.
        kernels = """__global__ void turn(int* out, const int* in) {
  __shared__ int tile[16][17];
  const int x = threadIdx.x % 16, y = threadIdx.x / 16;
  tile[y][x] = in[threadIdx.x];
  __syncthreads();
  out[threadIdx.x] = tile[x][y];
}"""
        for costs in self.run_of(on_buffers(kernels, "turn<<<1, 256>>>(a, b);"), "--warp-size", "both"):
            for code, apart in (("tile[y][x]", 4), ("tile[x][y]", 68)):
                self.assertEqual(self.advice_on(costs, code), [
                    f"2-way bank conflict: lanes {apart} bytes apart have banks of their own, but rows meet in one"])

    def test_a_conflict_of_half_a_warp_is_told_by_the_lanes_that_conflict(self):
        kernels = """__global__ void mine(int* out, const int*) {
  __shared__ int s[512];
  if (threadIdx.x < 32) s[8 * threadIdx.x] = threadIdx.x;
  __syncthreads();
  out[threadIdx.x] = threadIdx.x < 32 ? s[8 * threadIdx.x] : 0;
}"""
        for costs in self.run_of(on_buffers(kernels, "mine<<<1, 64>>>(a, b);"), "--warp-size", "both"):
            told, = self.advice_on(costs, "s[8")
            self.assertTrue(told.startswith("8-way bank conflict"), told)

    def test_arrays_of_structs_and_histograms_are_named(self):
        kernels = """struct point { int x, y, z; };
__global__ void move(int* a, const int* b) {
  a[threadIdx.x] = reinterpret_cast<const point*>(b)[threadIdx.x].x;
  atomicAdd(&a[1024 + threadIdx.x % 8], 1);
  atomicAdd(&a[2048 + threadIdx.x], 1);
}"""
        costs, = self.run_of(on_buffers(kernels, "move<<<1, 32>>>(a, b);"))
        self.assertIn("lanes are 12 bytes apart, in an array of structs", self.advice_on(costs, "point*")[0])
        self.assertIn("in 4.0 steps: as of a histogram, give each block private copies", self.advice_on(costs, "1024")[0])
        self.assertEqual(self.advice_on(costs, "2048"), [])

    def test_a_histogram_in_shared_memory_may_need_more_copies_than_warps(self):
        # 16 bins, and a copy for each warp: each bin has 2 or 4 of a warp's lanes.
        kernels = """__global__ void count(int* out, const int*) {
  __shared__ int bins[8][16];
  if (threadIdx.x < 128) bins[threadIdx.x / 16][threadIdx.x % 16] = 0;
  __syncthreads();
  atomicAdd(&bins[threadIdx.x / warpSize][threadIdx.x % 16], 1);
  __syncthreads();
  if (threadIdx.x < 16) out[threadIdx.x] = bins[0][threadIdx.x];
}"""
        for costs, steps in zip(self.run_of(on_buffers(kernels, "count<<<1, 256>>>(a, b);"), "--warp-size", "both"), (2, 4)):
            self.assertEqual(self.advice_on(costs, "atomicAdd"), [
                f"lanes change the same addresses, one after the other in {steps}.0 steps: as of a histogram, give each warp, or "
                "each few of its lanes, private copies, and add them up at the end"])


if __name__ == "__main__":
    main()
