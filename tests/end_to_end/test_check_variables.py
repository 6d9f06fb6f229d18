#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""--check all: who misses a variable of the kernel's file, in shared memory or in the device's, and who does not."""

import json

from kernel_support import TAKES, KernelTest
from sampling import long, sample
from skips import main

DECLARED = """
  __shared__ float first[8];
  __shared__ float tile[32];
  __shared__ unsigned char letters[5];
  __shared__ int count;
"""
# So that compilers keep all of them.
FILLED = """
  const int lane = threadIdx.x;
  if (lane < 8) first[lane] = input[0];
  if (lane < 32) tile[lane] = input[0];
  if (lane < 5) letters[lane] = 'a';
  if (lane == 0) count = size;
  __syncthreads();
"""
OUTSIDE = """
__constant__ float weights[5] = {1, 2, 3, 4, 5};
__device__ int counts[7];
__device__ double totals[3];
"""
USED = """
  if (lane < size) output[lane] = first[lane % 8] + tile[lane % 32] + letters[lane % 5] + count + weights[lane % 5];
  if (lane == 0) counts[6] = totals[2] = 1;
"""


class VariablesTest(KernelTest):
    def found(self, body, compiler=None):
        """(kind, lane, variable, index, number of elements) of each finding in a kernel with this in it."""
        self.write(f"{OUTSIDE}__global__ void mine({TAKES}) {{{DECLARED}{FILLED}{body};{USED}}}\n")
        out, _, _ = self.run_kernel("--format", "json", *(("--compiler", compiler) if compiler else ()))
        (run,) = json.loads(out)["runs"]
        return [(each["kind"], each["groups"][0]["lanes"][0], each["memory"]["name"], each["memory"]["index"],
                 each["memory"]["elements"]) for each in run["findings"]]

    def test_past_the_end_and_before_the_beginning(self):
        for body, lane, name, index, elements in sample((
                ("output[0] = tile[lane + 1]", 31, "tile", 32, 32),
                ("output[0] = tile[lane + 32]", 0, "tile", 32, 32),
                ("output[0] = tile[lane - 1]", 0, "tile", -1, 32),
                ("output[0] = first[lane % 8 - 1]", 0, "first", -1, 8),
                ("if (lane == 5) letters[lane] = 0", 5, "letters", 5, 5),
                ("if (lane == 3) (&count)[1] = 0", 3, "count", 1, 1),
                ("if (lane == 2) atomicAdd(&counts[9], 1)", 2, "counts", 9, 7),
                ("output[0] = weights[lane % 6]", 5, "weights", 5, 5),
                ("output[0] = weights[lane % 5 - 1]", 0, "weights", -1, 5),
                ("if (lane == 4) counts[lane + 3] = 1", 4, "counts", 7, 7),
                ("if (lane == 4) totals[lane - 1] = 1", 4, "totals", 3, 3)), 5):
            with self.subTest(body):
                found = [each for each in self.found(body) if each[0] != "data_race"]
                self.assertEqual(found, [("out_of_bounds", lane, name, index, elements)])

    @long
    def test_an_access_that_begins_within(self):
        found = self.found("""struct wide { float it[40]; };
            wide made;
            memset(&made, 0, sizeof made);
            if (lane == 6) memcpy(first + lane, &made, sizeof made)""")
        self.assertEqual([each[:3] for each in found if each[0] != "data_race"], [("out_of_bounds", 6, "first")])

    def test_who_stays_within_is_told_nothing(self):
        self.assertEqual(self.found("""
            if (lane == 0) {
              for (int i = 0; i < 8; ++i) first[i] += 1;
              for (int i = 0; i < 32; ++i) tile[i] += weights[i % 5];
              for (int i = 0; i < 5; ++i) letters[i] = counts[i + 2];
            }
            __syncthreads()"""), [])

    @long
    def test_constant_arrays(self):
        self.write(f"""
            static const float table[4] = {{1, 2, 3, 4}};
            constexpr unsigned char letters[] = {{'a', 'b', 'c'}};
            inline constexpr short shared[2] = {{5, 6}};
            template <class T> struct of {{ static constexpr T values[2] = {{7, 8}}; }};
            __device__ const char* const names[] = {{"one", "two", "three"}};
            static const int sparse[16] = {{1, 2, 3}};
            struct wrapped {{ int values[4]; }};
            constexpr wrapped within{{{{1, 2, 3, 4}}}};
            __global__ void mine({TAKES}) {{
              static const double inner[3] = {{1, 2, 3}};
              const int i = threadIdx.x, next = i + 1;
              switch (size) {{
                case 10: output[i] = table[next]; break;
                case 11: output[i] = letters[next]; break;
                case 12: output[i] = shared[next]; break;
                case 13: output[i] = of<int>::values[next]; break;
                case 14: output[i] = names[next][0]; break;
                case 15: output[i] = static_cast<float>(inner[next]); break;
                case 17: output[i] = sparse[next]; break;
                case 18: output[i] = within.values[next]; break;
                default: output[i] = table[i] + letters[i % 3] + shared[i % 2] + names[i % 3][0] + inner[i % 3];
              }}
            }}
            """)
        for size, name, elements in ((10, "table", 4), (11, "letters", 3), (12, "shared", 2), (13, "values", 2),
                                     (14, "names", 3), (15, "inner", 3), (17, "sparse", 16),
                                     (18, "within", 4)):
            with self.subTest(name):
                out, err, _ = self.run_kernel("--format", "json", "--size", size)
                one = json.loads(out)["runs"][0]["findings"][0]
                self.assertEqual((one["kind"], one["groups"][0]["lanes"], one["memory"]["name"], one["memory"]["index"],
                                  one["memory"]["elements"]),
                                 ("out_of_bounds", [elements - 1], name, elements, elements), err)
        out, err, _ = self.run_kernel("--size", 4, "--quiet")
        self.assertNotIn("broken rule", err)

    @long
    def test_tables_in_sections_of_their_own(self):
        self.write(f"""
            struct shape {{ __device__ virtual float sides() const = 0; }};
            struct triangle : shape {{ __device__ float sides() const override {{ return 3; }} }};
            struct square : shape {{ __device__ float sides() const override {{ return 4; }} }};
            __device__ const char* const names[] = {{"one", "two", "three"}};
            __attribute__((section("own_section"))) __device__ int apart[4] = {{1, 2, 3, 4}};
            __global__ void mine({TAKES}) {{
              const int lane = threadIdx.x;
              const triangle three;
              const square four;
              const shape* const chosen = lane % 2 ? static_cast<const shape*>(&three) : &four;
              const int apart_sum = apart[lane % 4];
              if (lane < size) output[lane] = chosen->sides() + names[lane % 3][1] + apart_sum + input[0];
            }}
            """)
        _, err, code = self.run_kernel("--quiet")
        self.assertEqual((err, code), ("", 1))

    def test_an_unsigned_index_below_0(self):
        # It is 2^32 elements beyond the one that is meant, where nothing is.
        for body, name in (("output[lane] = tile[threadIdx.x - 2]", "tile"), ("tile[threadIdx.x - 2] = 1", "tile"),
                           ("output[lane] = input[threadIdx.x - 2]", "input"),
                           ("output[threadIdx.x - 2] = 1", "output"), ("letters[threadIdx.x - 2] = 1", "letters")):
            with self.subTest(body):
                self.write(f"__global__ void mine({TAKES}) {{{DECLARED}{FILLED}{body};{USED}}}\n".replace(
                    " + weights[lane % 5]", "").replace("counts[6] = totals[2] = 1", "return"))
                out, _, code = self.run_kernel("--format", "json")
                (run,) = json.loads(out)["runs"]
                one = run["findings"][-1]
                self.assertEqual((code, one["kind"], one["rule"]), (
                    3, "out_of_bounds", "a lane accesses memory by an unsigned index that went below 0"))
                self.assertEqual((one["memory"]["name"], one["memory"]["index"], one["groups"][0]["lanes"]),
                                 (name, -2, [0]))
                self.assertEqual(one["repeats"], 0)

    @long
    def test_members(self):
        self.write(f"""
            #include <array>
            struct base {{ int first; }};
            struct inner {{ short a; float weights[4]; }};
            struct state : base {{
              int count;
              inner part;
              int table[2][8];
              union {{ int number; float real; }} either;
              union {{ int x; float y; }};
              unsigned low : 4, high : 12;
              std::array<int, 6> list;
              float4 place;
              inner parts[3];
            }};
            __device__ state kept;
            __global__ void mine({TAKES}) {{
              __shared__ state s;
              __shared__ float tile[4][33];
              __shared__ int flag;
              const int lane = threadIdx.x;
              for (int i = lane; i < sizeof s / 4; i += warpSize) reinterpret_cast<int*>(&s)[i] = 0;
              for (int i = lane; i < 132; i += warpSize) tile[i / 33][i % 33] = 0;
              flag = 0;
              __syncthreads();
              const bool is_first = lane == 0;
              switch (size) {{
                case 1: s.first = lane; break;
                case 2: s.count = lane; break;
                case 3: s.part.a = lane; break;
                case 4: s.part.weights[lane % 3 + 1] = lane; break;
                case 5: s.table[1][lane % 3 + 2] = lane; break;
                case 6: s.either.real = lane; break;
                case 7: s.x = lane; break;
                case 8: s.high = lane; break;
                case 9: s.list[lane % 3] = lane; break;
                case 10: s.place.z = lane; break;
                case 11: s.parts[2].weights[lane % 3] = lane; break;
                case 12: kept.part.weights[lane % 3] = lane; break;
                case 13: tile[2][lane % 3 + 4] = lane; break;
                case 14: flag = lane; break;
                case 15: if (is_first) tile[3][lane + 33] = 1; break;
                case 16: if (is_first) tile[0][lane - 1] = 1; break;
                case 17: if (is_first) (&s.first)[-1] = 1; break;
                case 18: if (is_first) (&kept.first)[-2] = 1; break;
              }}
              __syncthreads();
              if (lane < size) output[lane] = s.count + s.first + kept.count + tile[0][lane] + flag + input[0];
            }}
            """)
        for size, element, extent in (
                (1, "s.first", ""), (2, "s.count", ""), (3, "s.part.a", ""), (4, "s.part.weights[1]", "4 elements"),
                (5, "s.table[1][2]", "2 x 8 elements"), (6, "s.either", ""), (7, "s", ""), (8, "s", ""),
                (9, "s.list[0]", "6 elements"), (10, "s.place.z", ""), (11, "s.parts[2]", "3 elements"),
                (12, "kept.part.weights[0]", "4 elements"), (13, "tile[2][4]", "4 x 33 elements"), (14, "flag", ""),
                (15, "tile[4][0]", "4 x 33 elements"), (16, "tile[-1][32]", "4 x 33 elements"),
                (17, "s.first[-1]", "1 element"), (18, "kept.first[-2]", "1 element")):
            with self.subTest(element):
                out, err, _ = self.run_kernel("--format", "json", "--size", size)
                self.assertEqual(json.loads(out)["runs"][0]["findings"][0]["memory"]["element"], element, err)
                name = element.split("[")[0]
                place = "the device's memory" if name.startswith("kept") else "shared memory"
                words = f"{element}; {name} has {extent}" if extent else f"{element} in {place}"
                _, err, _ = self.run_kernel("--size", size)
                self.assertIn(f"  {words}\n", err)
                if extent == "1 element":
                    self.assertIn("memory before the beginning of a variable\n", err)

    def test_what_it_says(self):
        self.found("output[lane] = tile[lane + 1];\n output[lane] += tile[lane - 1]")
        _, err, _ = self.run_kernel()
        self.assertIn("also: a lane accesses memory past the end of an array\n", err)
        self.assertIn("neighbor: a lane accesses memory before the beginning of an array\n", err)
        self.assertIn("  tile[32]; tile has 32 elements\n", err)


if __name__ == "__main__":
    main()
