#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The lines that the plugin lists as written for warps of one size."""

import re
import unittest

from plugin_support import ARITHMETIC_CHECKS, compiled
from skips import main

BEGIN = """#include <hip/hip_runtime.h>
#include <warpz/warp/shuffle.hpp>
#define FULL 0xffffffffull
constexpr int W = 32;
template <int width> __device__ int thirty_second() { return threadIdx.x / width; }
__device__ int warp_of_thread() { return threadIdx.x / 32; }
__device__ int side_of_tile() { return threadIdx.x / 32; }
__device__ void use(...) {}
__device__ int shuffle_row(int value, int lane, int, int) { return value + lane; }
"""
MASK, SIZE, LOOP = "a mask names 32 lanes", "a width or a lane is that of 32 lanes", "a loop goes over 32 lanes"
KEPT, NUMBER = "a set of lanes is kept in 32 bits", "a lane's or a warp's number is computed for 32 lanes"
BIT, LAST, STEP = "a lane's bit is shifted in 32 bits", "31 is taken for the last lane", ""
FOR_64 = {each: each.replace("32", "64").replace("31", "63") for each in (SIZE, LOOP, NUMBER, LAST)}


def of_32(reason, line=0):
    return [(line, 32, reason)]


def of_64(reason, line=0):
    return [(line, 64, FOR_64.get(reason, reason))]


# A function's body, and what is listed: line from the body's first, lanes, reason.
CASES = [
    # Sizes and lanes in calls.
    ("v = __shfl_down(v, 16);", of_32(STEP)),
    ("v = __shfl_down(v, 32);", of_32(STEP) + of_64(STEP)),
    ("v = __shfl(v, 31);", of_32(SIZE)),
    ("v = __shfl(v, 63);", of_64(SIZE)),
    ("v = __shfl_xor(v, 1, 32);", of_32(SIZE)),
    ("v = __shfl(v, 0, W);", of_32(SIZE)),
    ("v = __shfl(v, 0, 64);", of_64(SIZE)),
    ("v = warpz::warp::shuffle_idx(v, 31);", of_32(SIZE)),
    ("v = warpz::warp::broadcast(v, 31);", of_32(SIZE)),
    ("v = __shfl_sync(0xffffffffull, v, 0);", of_32(MASK)),
    ("v = __shfl_sync(FULL, v, 0);", of_32(MASK)),
    ("use(__ballot_sync(4294967295ull, n));", of_32(MASK)),
    ("__syncwarp(0xffffffffull);", of_32(MASK)),
    ("int w = 32;\nw = warpSize;\nv = __shfl(v, 0, w);", []),
    ("v = __shfl(v, n + 31); v = __shfl_xor(v, 1); n = 31 + 16;", []),
    ("n = __shfl(31, 0); n = __shfl_sync(~0ull, 31, 0);", []),
    ("v = __shfl(v, warpSize - 1);", []),
    ("n = shuffle_row(n, 31, 0, 0);", []),
    # Loops around a call.
    ("for (int d = 16; d > 0; d /= 2)\n  v += __shfl_down(v, d);", of_32(LOOP)),
    ("\nfor (int d = W / 2; d > 0; d >>= 1) v += __shfl_down(v, d);", of_32(LOOP, 1)),
    ("for (int d = 32; d > 0; d /= 2) v += __shfl_down(v, d);", of_64(LOOP)),
    ("for (int d = 1; d < 32; d *= 2) {\n  v += __shfl_up(v, d);\n}", of_32(LOOP)),
    ("for (unsigned d = 1; d <= 16; d <<= 1) v += __shfl_up(v, d);", of_32(LOOP)),
    ("int d = 16;\nwhile (d > 0) { v += __shfl_xor(v, d); d /= 2; }", of_32(LOOP, 1)),
    ("for (int d = 16; d > 0; d /= 2) v += d;\nv = __shfl(v, 0);", []),
    ("for (int k = 0; k < 16; ++k) v += __shfl_down(v, 1);", []),
    ("for (int i = threadIdx.x; i < n; i += 32) v += i;\nv = __shfl(v, 0);", of_32(LOOP)),
    ("for (unsigned i = threadIdx.x; i < n; i += 64) v += i;\nv = __shfl(v, 0);", of_64(LOOP)),
    ("int t = threadIdx.x;\nfor (int i = t; i < n; i += W) v += i;\nv = __shfl(v, 0);", of_32(LOOP, 1)),
    ("for (int i = threadIdx.x; i < n; i += 32) v += i;", []),
    ("for (int i = threadIdx.x; i < n; i += warpSize) v += i;", []),
    ("for (int i = 0; i < n; i += 32) v += i;", []),
    # A loop over a warp of any size, as this file has 32 as a number.
    ("for (int d = warpSize / 2; d > 0; d /= 2) v += __shfl_down(v, d);", [(0, 0, STEP)]),
    ("for (int d = 1; d < warpSize; d *= 2) v += __shfl_xor(v, d);", [(0, 0, STEP)]),
    ("for (int d = warpSize / 2; d > 0; d /= 2) v += __shfl_down(v, d, 16);", []),
    # Numbers of lanes and warps.
    *((f"n = {text};\nv = __shfl(v, 0);", of_32(NUMBER)) for text in
      ("threadIdx.x % 32", "threadIdx.x / 32", "threadIdx.x & 31", "threadIdx.x >> 5", "(int)threadIdx.x % 32u",
       "static_cast<int>(threadIdx.x) / 32", "threadIdx.x % W")),
    ("n = threadIdx.x >> 6;\nv = __shfl(v, 0);", of_64(NUMBER)),
    ("const int t = threadIdx.x;\nconst int lane = t % 32; n = lane;", of_32(NUMBER, 1)),
    # Where nothing is about warps, 32 may be anything. An operation or a name decides.
    *((f"{text}", []) for text in
      ("n = threadIdx.x % 32;", "const int column = threadIdx.x % 32, row = threadIdx.x / 32; use(column, row);",
       "const int plane = threadIdx.x / 32, warped = threadIdx.x % 32; use(plane, warped);",
       "n = threadIdx.x / 32; __syncthreads();")),
    *((text, of_32(NUMBER)) for text in
      ("const int warpId = threadIdx.x / 32; use(warpId);", "unsigned wid = threadIdx.x >> 5; use(wid);",
       "n = threadIdx.x / 32; n += warpSize;", "n = threadIdx.x / 32; if (__any(n)) n = 0;",
       "n = threadIdx.x / 32; n = warpz::warp::broadcast(n, 0);")),
    *((f"n = {text};\nv = __shfl(v, 0);", []) for text in
      ("threadIdx.y % 32", "threadIdx.x % 16", "threadIdx.x & 32", "threadIdx.x >> 4", "threadIdx.x + 32",
       "threadIdx.x % warpSize", "n % 32", "blockIdx.x % 32")),
    # A lane's bit, and the last lane.
    ("const int lane = n + 1; n = 1u << lane;", of_32(BIT)),
    ("const unsigned lane = threadIdx.x % warpSize; n = 1u << lane;", of_32(BIT)),
    ("n = 1u << (threadIdx.x & (warpSize - 1));", []),
    ("const int lane = n + 1; use(1ull << lane);", []),
    ("const int bit = n + 1; n = 1u << bit;", []),
    ("const int lane_id = n + 1; if (lane_id == 31) n = 7;", of_32(LAST)),
    ("n = (threadIdx.x & 31) == 31;\nv = __shfl(v, 0);", of_32(NUMBER)),
    ("n = (threadIdx.x & 31) == 31; n += 1u << (threadIdx.x & 31);", []),
    ("const int lane = n + 1; if (lane == 63) n = 7;", of_64(LAST)),
    ("const int row = n + 1; if (row == 31) n = 7;", []),
    ("const int lane = n + 1; if (lane == 0) n = 7;", []),
    # Sets of lanes in 32 bits.
    *((f"{kind} above = __ballot(n); use(above);", of_32(KEPT)) for kind in
      ("unsigned", "int", "unsigned int", "uint32_t", "const unsigned")),
    *((f"{kind} above = __ballot(n); use(above);", []) for kind in ("unsigned long long", "auto", "uint64_t", "bool")),
    ("use((unsigned)__activemask());", of_32(KEPT)),
    ("unsigned m;\nm = __ballot(n); use(m);", of_32(KEPT, 1)),
    ("n = __popc(__ballot(n));", of_32(KEPT)),
    ("auto m = __ballot(n);\nn = __popc(m & 15);", of_32(KEPT, 1)),
    ("n = __popcll(__ballot(n)); use((bool)__ballot(n));", []),
    ("auto m = __ballot(n); n = __popc((unsigned)m) + __popc((unsigned)(m >> 32));", []),
]
# At the lines of the functions: one is told because its caller is about warps, and one because of its name.
CALLS = "n = thirty_second<32>() + warp_of_thread(); v = __shfl(v, 0);"
CALLS_OF_TILE = "n = side_of_tile();"

CUDA = """#include <cuda_runtime.h>
__device__ void use(unsigned) {}
extern "C" __device__ __attribute__((used)) void one(int n, float v) {
  unsigned m = __ballot_sync(0xffffffff, n); use(m);
  v = __shfl_sync(0xffffffff, v, 0); use(v);
  __ballot_sync(0xf, n);
}
"""


def listed(code, *options):
    """(line, lanes, reason) of each row of the object's list."""
    text = compiled(code, *options, "-S", "-emit-llvm").decode()
    found = re.search(r'(?:constant|global) \[\d+ x i8\] c"([^"]*)", section "warpz_warp_size_list"', text)
    rows = re.sub(r"\\([0-9A-F]{2})", lambda code: chr(int(code[1], 16)), found[1]).splitlines()
    lines = [row.split("\t") for row in rows]
    return [(int(line), int(lanes), reason) for _, _, line, lanes, reason, _ in
            (row for row in lines if len(row) == 6 and row[0].endswith("it.cpp"))]


class WarpSizesTest(unittest.TestCase):
    maxDiff = None

    def check(self, *options):
        source = BEGIN
        first_lines = []
        for number, (body, _) in enumerate([*CASES, (CALLS, []), (CALLS_OF_TILE, [])]):
            first_lines.append(source.count("\n") + 2)
            source += (f'extern "C" __device__ __attribute__((used)) void case_{number}(int n, float v) {{\n'
                       f"{body} use(n, v);\n}}\n")
        found = listed(source, *options)
        self.assertEqual([each for each in found if each[0] in range(5, 8)], [(5, 32, NUMBER), (6, 32, NUMBER)])
        for (body, expected), first in zip(CASES, first_lines):
            lines = range(first, first + body.count("\n") + 1)
            with self.subTest(body):
                self.assertEqual([(line - first, *rest) for line, *rest in found if line in lines], expected)

    def test_without_checks(self):
        self.check()

    def test_with_checks(self):
        self.check("-mllvm", "-warpz-checked", ARITHMETIC_CHECKS)

    def test_a_template_s_number(self):
        """It is an argument where it is another one in another instance, and else as good as written there."""
        kernel = (BEGIN + "template <int W, class T> __device__ void groups(T v, T* out) {\n"
                  "  const int warp_id = threadIdx.x / W;\n"
                  "  for (int d = W / 2; d > 0; d /= 2) v += __shfl_down(v, d);\n"
                  "  out[warp_id] = __shfl(v, threadIdx.x % 32);\n"
                  "  if (__popc(__ballot(v)) != 0) __syncwarp();\n}\n")
        first = kernel.count("\n") - 4
        written = [(first + 2, 32, NUMBER), (first + 3, 32, KEPT)]
        by_argument = [(first, 32, NUMBER), (first + 1, 32, LOOP)]

        def of_instances(*instances):
            text = "".join(f"template __device__ void groups{each}({type}, {type}*);\n" for each, type in instances)
            return [row for row in listed(kernel + text) if row[0] >= first and row[1] == 32]

        one, another, wide = ("<32, int>", "int"), ("<16, int>", "int"), ("<32, float>", "float")
        self.assertEqual(of_instances(one), sorted(by_argument + written))
        self.assertEqual(of_instances(one, wide), sorted(by_argument + written))
        self.assertEqual(of_instances(one, wide, another), written)

    def test_cuda(self):
        """Its sets of lanes have 32 bits wherever they are used."""
        self.assertEqual(listed(CUDA, "-D__WARPZ_CUDA__=1"), [(4, 32, MASK), (5, 32, MASK)])


if __name__ == "__main__":
    main()
