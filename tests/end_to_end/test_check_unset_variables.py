#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""--check all: variables that a lane uses and has never set."""

import json

from kernel_support import KernelTest
from sampling import long
from skips import main

LANE = 9  # the one that leaves the variable as it is
BEGIN = """#include <hip/hip_runtime.h>
#include <hip/hip_fp16.h>
struct pair { char letter; double number; };
struct element { float few[3]; };
__global__ void mine(float* output, const float* input, int size) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
"""
# What sets a variable x in the other lanes, and what makes a number of it.
VARIABLES = [
    ("bool x;", "x = true;", "x ? 1 : 2"),
    ("char x;", "x = 3;", "x"),
    ("short x;", "x = 3;", "x"),
    ("int x;", "x = 3;", "x"),
    ("unsigned long long x;", "x = 3;", "x >> 40"),
    ("__half x;", "x = __float2half(3);", "__half2float(x)"),
    ("float x;", "x = 3;", "x"),
    ("double x;", "x = 3;", "x"),
    ("const float* x;", "x = input;", "x == input ? 1 : x > input ? 2 : 3"),
    ("float4 x;", "x = make_float4(1, 2, 3, 4);", "x.z"),
    ("float x[4];", "for (int k = 0; k < 4; ++k) x[k] = k;", "x[size % 4]"),
    ("float x[100];", "for (int k = 0; k < 100; ++k) x[k] = k;", "x[size % 100]"),
    ("pair x;", "x.letter = 1; x.number = 2;", "x.number"),
    ("element x[40];", "for (int k = 0; k < 40; ++k) x[k].few[1] = k;", "x[size % 40].few[1]"),
    ("union { int whole; float number; } x;", "x.number = 3;", "x.number"),
    ("struct { unsigned low : 3, high : 5; } x;", "x.low = 1; x.high = 2;", "x.high"),
    ("volatile int x;", "x = 3;", "x"),
    ("unsigned x;", "x = 1;", "x == 1 ? 5 : 6"),
    ("enum { NONE = 7, SOME, ALL } x;", "x = ALL;", "x"),
]


class UnsetVariablesTest(KernelTest):
    def found(self, *options, file="my.hip"):
        out, err, _ = self.run_kernel("--check", "all", "--format", "json", *options, file=file)
        (run,) = json.loads(out)["runs"]
        return run["findings"], err

    def write_kernel(self, body):
        """Each line of it has a number of its own: those of the file."""
        self.write(BEGIN + body + "\n}\n")
        return len(BEGIN.splitlines()) + 1

    def assert_each_is_found(self, variables, *options):
        cases = "".join(f"  if (size == {number}) {{\n    {declared}\n    for (int k = i; k != {LANE}; k = {LANE}) {{ {sets} }}\n"
                        f"    output[i] = static_cast<float>({uses});\n  }}\n"
                        for number, (declared, sets, uses) in enumerate(variables, LANE + 1))
        first = self.write_kernel("  if (i >= size) return;\n" + cases) + 1
        for number, (declared, _, uses) in enumerate(variables):
            with self.subTest(declared):
                (finding,), err = self.found("--size", LANE + 1 + number, *options)
                self.assertEqual(finding["kind"], "undefined_lane_value", err)
                use, variable = finding["groups"]
                line = first + 5 * number
                self.assertEqual((use["state"], use["lanes"], use["line"]), ("wrote", [LANE], line + 3), uses)
                self.assertEqual((variable["state"], variable["lanes"]), ("never_set", [LANE]))
                self.assertEqual(variable["line"], line + 1)

    @long
    def test_of_each_type(self):
        self.assert_each_is_found(VARIABLES)

    def test_of_several_branches_the_one_that_is_taken(self):
        first = self.write_kernel("""  float result = 0;
  switch (size) {
    case 20: { float x;
        result = x; } break;
    case 21: { float y;
        result = y; } break;
    case 22: { float z;
        result = z; } break;
  }
  if (i < size) output[i] = result;""") + 2
        for size in (20, 21, 22):
            (finding,), _ = self.found("--size", size)
            self.assertEqual(finding["groups"][1]["line"], first + 2 * (size - 20))

    def test_an_index_is_told_beside_where_it_has_led(self):
        first = self.write_kernel("""  int at;
  for (int k = i; k < size && k != 3; k += size) at = k;
  if (i < size) output[i] = input[at];""")
        (unset, missed), _ = self.found("--size", 20)
        self.assertEqual((unset["kind"], missed["kind"]), ("undefined_lane_value", "out_of_bounds"))
        self.assertEqual([(each["lanes"], each["line"]) for each in unset["groups"]],
                         [([3], first + 2), ([3], first)])
        self.assertEqual(missed["memory"]["index"], -1)

    def test_what_an_atomic_puts(self):
        first = self.write_kernel("""  float mine;
  for (int k = i; k < size && k != 3; k += size) mine = input[k];
  if (i < size) atomicExch(&output[i], mine);""")
        (finding,), _ = self.found("--size", 32)
        self.assertEqual([(each["state"], each["lanes"], each["line"]) for each in finding["groups"]],
                         [("atomic", [3], first + 2), ("never_set", [3], first)])

    @long
    def test_what_an_atomic_adds_shows_in_another_lane(self):
        first = self.write_kernel("""  __shared__ int sum;
  if (threadIdx.x == 0) sum = 0;
  __syncthreads();
  int mine;
  for (int k = i; k < size && k != 3; k += size) mine = 1;
  atomicAdd(&sum, mine);
  __syncthreads();
  if (i < size) output[i] = static_cast<float>(sum);""")
        (finding,), _ = self.found("--size", 32)
        self.assertEqual([(each["state"], each["lanes"], each["line"]) for each in finding["groups"]],
                         [("wrote", [0], first + 7), ("never_set", [3], first + 3)])

    def test_what_is_read_and_dropped_is_none(self):
        for body in ("float x; for (int k = 0; k < i; ++k) x = input[0]; output[i] = i > 0 ? x : 0;",
                     "pair x, y; x.number = i; y = x; output[i] = static_cast<float>(y.number);",
                     "int x; if (threadIdx.x == 0) x = 5; output[i] = static_cast<float>(__shfl(x, 0));",
                     "struct { unsigned a : 3, b : 5; } x; x.b = 2; output[i] = x.b;",
                     "float x[8]; for (int k = 1; k < 8; ++k) x[k] = k; output[i] = x[1 + i % 7];"):
            with self.subTest(body):
                self.write_kernel(f"if (i >= size) return; {body}")
                self.assertEqual(self.found("--size", 32)[0], [])


if __name__ == "__main__":
    main()
