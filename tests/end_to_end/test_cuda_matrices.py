# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""CUDA's nvcuda::wmma: products of small matrices of all types, shapes and layouts, compared with Python's; and what is
found where lanes do not come together, name different matrices, or go beyond one."""

import random
import re

from kernel_support import RunTest
from sampling import sample
from skips import main

# d = a * b + 2 * c, by each warp of 32 lanes for itself. All numbers are small integers, so that each sum is exact.
PRODUCTS = """\
#include <cstdio>
#include <mma.h>
using namespace nvcuda;
using bfloat = __nv_bfloat16;
template <class T, class C, class D, class LayoutA, class LayoutB, int M, int N, int K, class P>
__global__ void multiply(const P* a, const P* b, const C* c, D* d) {
  const int matrix = threadIdx.x / 32;
  wmma::fragment<wmma::matrix_a, M, N, K, T, LayoutA> first;
  wmma::fragment<wmma::matrix_b, M, N, K, T, LayoutB> second;
  wmma::fragment<wmma::accumulator, M, N, K, C> summand;
  wmma::fragment<wmma::accumulator, M, N, K, D> sum;
  wmma::load_matrix_sync(first, a + matrix * M * K, std::is_same_v<LayoutA, wmma::row_major> ? K : M);
  wmma::load_matrix_sync(second, b + matrix * K * N, std::is_same_v<LayoutB, wmma::row_major> ? N : K);
  wmma::load_matrix_sync(summand, c + matrix * M * N, M, wmma::mem_col_major);
  wmma::fill_fragment(sum, D(2));
  // Accumulators have their elements in the same places.
  for (int i = 0; i < sum.num_elements; ++i) summand.x[i] = summand.x[i] * C(sum.x[i]);
  wmma::mma_sync(sum, first, second, summand);
  wmma::store_matrix_sync(d + matrix * M * N, sum, N, wmma::mem_row_major);
}
template <class P>
P* numbers(int count, bool are_read) {
  P* all;
  cudaMallocManaged(&all, count * sizeof(P));
  for (int i = 0, next; are_read && i < count; ++i) all[i] = std::scanf("%d", &next) == 1 ? P(next) : P(0);
  return all;
}
template <class T, class C, class D, class LayoutA, class LayoutB, int M, int N, int K, class P>
void run() {
  P *a = numbers<P>(2 * M * K, true), *b = numbers<P>(2 * K * N, true);
  C* c = numbers<C>(2 * M * N, true);
  D* d = numbers<D>(2 * M * N, false);
  multiply<T, C, D, LayoutA, LayoutB, M, N, K><<<1, 64>>>(a, b, c, d);
  cudaDeviceSynchronize();
  for (int i = 0; i < 2 * M * N; ++i) std::printf("%d ", static_cast<int>(static_cast<double>(d[i])));
  std::printf("\\n");
  cudaFree(a);
  cudaFree(b);
  cudaFree(c);
  cudaFree(d);
}
int main() {
  using wmma::row_major, wmma::col_major, wmma::precision::tf32;
  CALLS
}
"""

SHAPES = ((16, 16, 16), (32, 8, 16), (8, 32, 16))
# Of the factors, the summand and the sum, and the factors' numbers.
TYPES = [(types, shape) for shape in SHAPES for types in (
    "half float float half", "half half half half", "half float half half", "half half float half",
    "bfloat float float bfloat", "signed_char int int signed_char", "unsigned_char int int unsigned_char")]
TYPES += [("tf32 float float float", (16, 16, 8)), ("double double double double", (8, 8, 4))]
LAYOUTS = [(a, b) for a in ("row", "col") for b in ("row", "col")]

# One number of each kind that rounding meets, times 1, and a summand: the bits of the result.
NUMBERS = """\
#include <cstdio>
#include <mma.h>
using namespace nvcuda;
template <class T, class P, class C, int K>
__global__ void scale(const P* a, const P* one, C summand, C* d, bool rounds) {
  wmma::fragment<wmma::matrix_a, 16, 16, K, T, wmma::row_major> first;
  wmma::fragment<wmma::matrix_b, 16, 16, K, T, wmma::row_major> second;
  wmma::fragment<wmma::accumulator, 16, 16, K, C> sum;
  wmma::load_matrix_sync(first, a, K);
  wmma::load_matrix_sync(second, one, 16);
  if constexpr (std::is_same_v<T, wmma::precision::tf32>)
    for (auto& each : first.x) each = rounds ? wmma::__float_to_tf32(each) : each;
  wmma::fill_fragment(sum, summand);
  if constexpr (std::is_same_v<C, int>) {
    wmma::mma_sync(sum, first, second, sum, rounds);
  } else {
    wmma::mma_sync(sum, first, second, sum);
  }
  wmma::store_matrix_sync(d, sum, 16, wmma::mem_row_major);
}
template <class T, class P, class C, int K>
void run(const P (&numbers)[4], C summand, bool rounds) {
  P *a, *one;
  C* d;
  cudaMallocManaged(&a, 16 * K * sizeof(P));
  cudaMallocManaged(&one, 16 * K * sizeof(P));
  cudaMallocManaged(&d, 256 * sizeof(C));
  for (int i = 0; i < 16 * K; ++i) a[i] = i % K == 0 && i / K < 4 ? numbers[i / K] : P(0);
  for (int i = 0; i < 16 * K; ++i) one[i] = P(i < 16 ? 1 : 0);
  scale<T, P, C, K><<<1, 32>>>(a, one, summand, d, rounds);
  cudaDeviceSynchronize();
  for (int i = 0; i < 4; ++i) std::printf("%a%c", static_cast<double>(d[16 * i]), i < 3 ? ' ' : '\\n');
  cudaFree(a);
  cudaFree(one);
  cudaFree(d);
}
half of_bits(unsigned short bits) { return __ushort_as_half(bits); }
int main() {
  // The least half, a subnormal one, infinity, the largest.
  const half halves[] = {of_bits(0x0001), of_bits(0x83ff), of_bits(0x7c00), of_bits(0x7bff)};
  run<half, half, float, 16>(halves, 0.0f, false);
  run<half, half, half, 16>({half(2048.0f), half(2050.0f), half(-2048.0f), half(65504.0f)}, half(1.0f), false);
  const float floats[] = {1.0f + 0x1p-11f, 1.0f + 0x1p-12f, -1.0f - 0x1.8p-11f, 0x1.ffep-3f};
  run<wmma::precision::tf32, float, float, 8>(floats, 0.0f, true);
  run<wmma::precision::tf32, float, float, 8>(floats, 0.0f, false);
  run<signed char, signed char, int, 16>({127, -128, 1, 0}, 2147483600, true);
  run<signed char, signed char, int, 16>({127, -128, 1, 0}, 2147483600, false);
}
"""

FAULTS = """\
#include <mma.h>
using namespace nvcuda;
__global__ void faulty(half* a, float* d) {
  wmma::fragment<wmma::matrix_a, 16, 16, 16, half, wmma::row_major> first;
  wmma::fragment<wmma::matrix_b, 16, 16, 16, half, wmma::col_major> second;
  wmma::fragment<wmma::accumulator, 16, 16, 16, float> sum;
  __shared__ float shared[256];
  wmma::load_matrix_sync(second, a, 16);
  if (FAULT != 1) wmma::fill_fragment(sum, 0.0f);
  wmma::load_matrix_sync(first, FAULT == 2 ? a + 16 : a, 16);
  if (FAULT == 3) wmma::load_matrix_sync(first, a + 8, 8);
  if (FAULT == 4) wmma::load_matrix_sync(first, a + threadIdx.x / 16 * 16, 8);
  if (FAULT == 5) wmma::load_matrix_sync(first, a, 4);
  if (FAULT != 6 || threadIdx.x < 16) wmma::mma_sync(sum, first, second, sum);
  if (FAULT == 7) shared[31 - threadIdx.x] = 1.0f;
  wmma::store_matrix_sync(shared, sum, 16, wmma::mem_row_major);
  if (FAULT != 8) __syncwarp();
  if (FAULT != 9) sum.x[0] = shared[255 - threadIdx.x];
  wmma::store_matrix_sync(d, sum, 16, wmma::mem_col_major);
}
int main() {
  half* a;
  float* d;
  cudaMalloc(&a, 256 * sizeof *a);
  cudaMallocManaged(&d, 256 * sizeof *d);
  cudaMemset(a, 0, 256 * sizeof *a);
  faulty<<<1, FAULT == 10 ? 48 : 32>>>(a, d);
  cudaDeviceSynchronize();
  const float sum = d[0] + d[17];
  cudaFree(a);
  cudaFree(d);
  return sum == 0 ? 0 : 1;
}
"""


def factor(numbers, rows, columns, layout):
    return [[numbers[i * columns + j if layout == "row" else j * rows + i] for j in range(columns)] for i in range(rows)]



class MatricesTest(RunTest):
    def test_products(self):
        rng = random.Random(5)
        cases = sample(((*each, layout) for each in TYPES for layout in LAYOUTS), 7)
        calls, given, expected = [], [], []
        for types, (m, n, k), (a_layout, b_layout) in cases:
            calls.append("run<{}, {}, {}, {}_major, {}_major, {}, {}, {}, {}>();".format(
                *types.split()[:3], a_layout, b_layout, m, n, k, types.split()[3]).replace("_char", " char"))
            least = 0 if "unsigned" in types else -6
            a, b, c = ([rng.randint(least, 6) for _ in range(2 * count)] for count in (m * k, k * n, m * n))
            given += a + b + c
            line = []
            for w in range(2):
                x = factor(a[w * m * k:(w + 1) * m * k], m, k, a_layout)
                y = factor(b[w * k * n:(w + 1) * k * n], k, n, b_layout)
                z = factor(c[w * m * n:(w + 1) * m * n], m, n, "col")
                line += [sum(x[i][l] * y[l][j] for l in range(k)) + 2 * z[i][j] for i in range(m) for j in range(n)]
            expected.append(line)
        self.write(PRODUCTS.replace("CALLS", "\n  ".join(calls)), "my.cu")
        for options in ((), ("--warp-size", 64, "--check", "collectives")):
            out, err, code = self.run_program("my.cu", *options, stdin=" ".join(map(str, given)))
            self.assertEqual((err, code), ("", 0))
            for case, line, wanted in zip(cases, out.splitlines(), expected, strict=True):
                with self.subTest(case=case, options=options):
                    self.assertEqual(list(map(int, line.split())), wanted)

    def test_rounding(self):
        out, err, code = self.run_program(self.write(NUMBERS, "my.cu"))
        self.assertEqual((err, code), ("", 0))
        lines = [[float.fromhex(each) for each in line.split()] for line in out.splitlines()]
        infinity = float("inf")
        self.assertEqual(lines, [
            [2.0**-24, -1023 * 2.0**-24, infinity, 65504],
            # A half has 11 bits: 2049 lies between 2048 and 2050, and goes to the even one.
            [2048, 2052, -2047, 65504],
            # tf32 has 11 bits, too. Halves go away from 0; what nobody has rounded is cut off.
            [1 + 2.0**-10, 1, -1 - 2.0**-10, 0.25],
            [1, 1, -1, 0x1ffc * 2.0**-15],
            [2**31 - 1, 2147483472, 2147483601, 2147483600],
            [2147483727 - 2**32, 2147483472, 2147483601, 2147483600]])

    def test_faults(self):
        expected = {
            1: "uses a variable that was never set",
            2: "reads 2 bytes at my.cu:10",
            3: "the address of such a matrix has to be a multiple of 32 bytes",
            4: "lanes of a warp name different matrices",
            5: "the stride of such a matrix has to be a multiple of 16 bytes",
            6: "lanes 0-15   wait in mma_sync (mask 0xffffffff: lanes 0-31) at my.cu:14",
            8: "nothing orders them",
            10: "a matrix is spread over 32 lanes, of which this block's last warp has 16",
        }
        # Numbers 0, 7 and 9 are right: a store waits for all lanes, and shared memory need not be read.
        for fault in sample(range(11), 2):
            out, err, code = self.run_program(self.write(FAULTS, "my.cu"), "--cxxflags", f"-DFAULT={fault}")
            with self.subTest(fault=fault):
                self.assertEqual(code, 3 if fault in expected else 0, err)
                self.assertIn(expected.get(fault, ""), re.sub(r"\n  (?=\S)", " ", err))
                self.assertTrue(fault in expected or err == "", err)

    def test_refusals(self):
        wrong = {"accumulator, 16, 16, 8, double": "accumulators are 16x16x16", "matrix_a, 16, 16, 16, half": "row_major",
                 "matrix_a, 16, 8, 16, half, wmma::row_major": "factors are 16x16x16",
                 "matrix_a, 8, 8, 32, wmma::experimental::precision::u4, wmma::row_major": "1 or 4 bits"}
        for words, expected in wrong.items():
            text = f"#include <mma.h>\nusing namespace nvcuda;\n__global__ void k() {{\n  wmma::fragment<wmma::{words}> f;\n}}\n"
            out, err, code = self.run_program(self.write(text + "int main() {}\n", "my.cu"))
            with self.subTest(words=words):
                self.assertEqual(code, 5, err)
                self.assertIn(expected, err)
                self.assertIn("my.cu:4", err)


if __name__ == "__main__":
    main()
