# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""CUDA in kernels: votes, groups, atomics, barriers, statements of PTX and numbers. What is expected is computed here."""

import functools
import math
import operator

from kernel_support import RunTest
from skips import main

# Votes and matches of 32 bits, and what has another type than in HIP.
VOTES = """\
#include <cstdio>
#include <type_traits>
__global__ void votes(const int* in, unsigned* out) {
  const unsigned all = 0xffffffff;
  const int mine = in[threadIdx.x];
  static_assert(std::is_same<decltype(__ballot_sync(all, 1)), unsigned>::value, "");
  static_assert(std::is_same<decltype(__activemask()), unsigned>::value, "");
  static_assert(std::is_same<decltype(__popc(all)), int>::value, "");
  unsigned* const to = out + 8 * threadIdx.x;
  int same;
  to[0] = ~__ballot_sync(-1, mine % 3 == 0) == 0;
  to[1] = __ballot_sync(all, mine % 3 == 0);
  to[2] = __match_any_sync(all, mine % 5);
  to[3] = __match_all_sync(all, mine, &same) + same;
  to[4] = __reduce_add_sync(all, static_cast<unsigned>(mine));
  to[5] = __reduce_max_sync(all, static_cast<unsigned>(mine));
  to[6] = __shfl_xor_sync(all, mine, 16);
  to[7] = umin(mine, 7) + umax(mine, 9);
}
int main() {
  int* in;
  unsigned* out;
  cudaMallocManaged(&in, 32 * sizeof *in);
  cudaMallocManaged(&out, 8 * 32 * sizeof *out);
  for (int i = 0; i < 32; ++i) in[i] = i * i % 37;
  votes<<<1, 32>>>(in, out);
  cudaDeviceSynchronize();
  for (int i = 0; i < 8 * 32; ++i) std::printf(i % 8 < 7 ? "%u " : "%u\\n", out[i]);
  cudaFree(in);
  cudaFree(out);
}
"""

GROUPS = """\
#include <cooperative_groups.h>
#include <cooperative_groups/memcpy_async.h>
#include <cooperative_groups/reduce.h>
#include <cooperative_groups/scan.h>
#include <cstdio>
namespace cg = cooperative_groups;
struct large {
  double a;
  int b;
  float c;
};
__global__ void groups(const int* in, double* out) {
  const cg::thread_block block = cg::this_thread_block();
  const cg::thread_block_tile<32> tile = cg::tiled_partition<32>(block);
  __shared__ int copied[64];
  cg::memcpy_async(block, copied, in, sizeof copied);
  cg::wait(block);
  const int mine = copied[threadIdx.x];
  const cg::coalesced_group part = cg::labeled_partition(tile, mine % 4);
  const double2 two = cg::reduce(tile, make_double2(mine, -mine),
                                 [](double2 a, double2 b) { return make_double2(a.x + b.x, a.y + b.y); });
  const large got = tile.shfl(large{mine * 0.5, mine, mine * 2.0f}, 5);
  double* const to = out + 10 * threadIdx.x;
  to[0] = cg::reduce(tile, mine, cg::plus<int>());
  to[1] = cg::reduce(tile, mine, [](int a, int b) { return a ^ b; });
  to[2] = cg::reduce(part, mine, cg::greater<int>());
  to[3] = part.thread_rank();
  to[4] = part.num_threads();
  to[5] = cg::inclusive_scan(tile, mine);
  to[6] = cg::exclusive_scan(tile, mine, cg::plus<int>());
  to[7] = tile.ballot(mine % 3 == 0);
  to[8] = two.x + two.y / 1024;
  to[9] = got.a + got.b + got.c;
}
int main() {
  int* in;
  double* out;
  cudaMallocManaged(&in, 64 * sizeof *in);
  cudaMallocManaged(&out, 10 * 64 * sizeof *out);
  for (int i = 0; i < 64; ++i) in[i] = i * i % 37;
  groups<<<1, 64>>>(in, out);
  cudaDeviceSynchronize();
  for (int i = 0; i < 10 * 64; ++i) std::printf(i % 10 < 9 ? "%.10g " : "%.10g\\n", out[i]);
  cudaFree(in);
  cudaFree(out);
}
"""

# What libcu++ has for threads that wait for each other.
SYNCHRONIZATION = """\
#include <cooperative_groups.h>
#include <cstdio>
#include <cuda/atomic>
#include <cuda/barrier>
#include <cuda/pipeline>
namespace cg = cooperative_groups;
using total = cuda::atomic<int, cuda::thread_scope_device>;
__global__ void mirrored(int* out, total* sum, unsigned* greatest) {
  __shared__ cuda::barrier<cuda::thread_scope_block> barrier;
  __shared__ int tile[64];
  if (threadIdx.x == 0) init(&barrier, blockDim.x);
  __syncthreads();
  tile[threadIdx.x] = threadIdx.x;
  auto token = barrier.arrive();
  barrier.wait(std::move(token));
  const int other = tile[63 - threadIdx.x];
  barrier.arrive_and_wait();
  tile[threadIdx.x] = 2 * other;
  barrier.arrive_and_wait();
  out[threadIdx.x] = tile[(threadIdx.x + 5) % 64];
  sum->fetch_add(other, cuda::memory_order_relaxed);
  cuda::atomic_ref<unsigned, cuda::thread_scope_block>(*greatest).fetch_max(3 * threadIdx.x);
}
// The first warps copy, the others add up.
__global__ void staged(const int* in, int* out) {
  constexpr int rounds = 6;
  __shared__ int stages[2][32];
  __shared__ cuda::pipeline_shared_state<cuda::thread_scope_block, 2> state;
  const auto role = threadIdx.x < 32 ? cuda::pipeline_role::producer : cuda::pipeline_role::consumer;
  auto pipe = cuda::make_pipeline(cg::this_thread_block(), &state, role);
  int sum = 0;
  for (int i = 0; i < rounds; ++i) {
    if (role == cuda::pipeline_role::producer) {
      pipe.producer_acquire();
      cuda::memcpy_async(&stages[i % 2][threadIdx.x], in + 32 * i + threadIdx.x, sizeof(int), pipe);
      pipe.producer_commit();
    } else {
      pipe.consumer_wait();
      sum += stages[i % 2][63 - threadIdx.x];
      pipe.consumer_release();
    }
  }
  if (threadIdx.x >= 32) out[threadIdx.x - 32] = sum;
}
int main() {
  int *in, *out;
  total* sum;
  unsigned* greatest;
  cudaMallocManaged(&in, 192 * sizeof *in);
  cudaMallocManaged(&out, 64 * sizeof *out);
  cudaMallocManaged(&sum, sizeof *sum);
  cudaMallocManaged(&greatest, sizeof *greatest);
  new (sum) total(5);
  *greatest = 100;
  for (int i = 0; i < 192; ++i) in[i] = i * i % 37;
  mirrored<<<1, 64>>>(out, sum, greatest);
  cudaDeviceSynchronize();
  std::printf("%d %u %d %d\\n", sum->load(), *greatest, out[0], out[63]);
  staged<<<1, 64>>>(in, out);
  cudaDeviceSynchronize();
  std::printf("%d %d\\n", out[0], out[31]);
  cudaFree(in);
  cudaFree(out);
  cudaFree(sum);
  cudaFree(greatest);
}
"""

PTX = """\
#include <cstdio>
__device__ unsigned lane() {
  unsigned number;
  asm volatile("mov.u32 %0, %%laneid;" : "=r"(number));
  return number;
}
__device__ unsigned lanes_below() {
  unsigned mask;
  asm("mov.u32  %0, %%lanemask_lt;\\n\\t" : "=r"(mask));
  return mask;
}
__global__ void statements(unsigned* out) {
  __shared__ unsigned tile[64];
  tile[threadIdx.x] = lane() << 8 | __popc(lanes_below());
  asm volatile("bar.sync 0;" ::: "memory");
  asm volatile("membar.gl;");
  asm volatile("" ::: "memory");
  unsigned warp;
  asm("mov.u32 %0, %%warpid;" : "=r"(warp));
  out[threadIdx.x] = warp << 16 | tile[threadIdx.x ^ 1];
}
int main() {
  unsigned* out;
  cudaMallocManaged(&out, 64 * sizeof *out);
  statements<<<1, 64>>>(out);
  cudaDeviceSynchronize();
  std::printf("%x %x\\n", out[0], out[62]);
  cudaFree(out);
  unsigned low, high;
  asm volatile("movl $7, %0; movl $8, %1" : "=r"(low), "=r"(high));
  return low + 1 == high ? 0 : 1;
}
"""

REFUSED = """\
__global__ void found(unsigned* out) {
  asm volatile("griddepcontrol.wait; mov.u32 %0, %1;" : "=r"(*out) : "r"(threadIdx.x));
}
int main() {}
"""

# Each operation on random numbers and on large ones, beside the host's in the same rounding mode.
ROUNDED = """\
#include <cfenv>
#include <cmath>
#include <cstdio>
#include <cstring>
constexpr int operations = 16, count = 64;
__global__ void rounded(const float* a, const float* b, float* out) {
  const float x = a[threadIdx.x], y = b[threadIdx.x], z = x * 1.7f - y;
  const float results[operations] = {
      __fadd_rz(x, y), __fsub_rz(x, y), __fmul_rz(x, y), __fdiv_rz(x, y), __fmaf_rz(x, y, z),
      __fadd_ru(x, y), __fsub_ru(x, y), __fmul_ru(x, y), __fdiv_ru(x, y), __fmaf_ru(x, y, z),
      __fadd_rd(x, y), __fsub_rd(x, y), __fmul_rd(x, y), __fdiv_rd(x, y), __fmaf_rd(x, y, z), __fsqrt_ru(fabsf(x))};
  for (int i = 0; i < operations; ++i) out[operations * threadIdx.x + i] = results[i];
}
float on_host(int operation, volatile float x, volatile float y) {
  const int modes[] = {FE_TOWARDZERO, FE_UPWARD, FE_DOWNWARD, FE_UPWARD};
  volatile float z = x * 1.7f, result;
  z = z - y;
  std::fesetround(modes[operation / 5]);
  switch (operation % 5 + (operation == 15 ? 5 : 0)) {
    case 0: result = x + y; break;
    case 1: result = x - y; break;
    case 2: result = x * y; break;
    case 3: result = x / y; break;
    case 4: result = std::fma(x, y, z); break;
    default: z = std::fabs(x); result = std::sqrt(z);
  }
  std::fesetround(FE_TONEAREST);
  return result;
}
int main() {
  float *a, *b, *out;
  cudaMallocManaged(&a, count * sizeof *a);
  cudaMallocManaged(&b, count * sizeof *b);
  cudaMallocManaged(&out, operations * count * sizeof *out);
  unsigned seed = 1;
  const auto next = [&seed] {
    seed = seed * 1664525 + 1013904223;
    return std::ldexp(static_cast<int>(seed) / 1e9f, static_cast<int>(seed >> 8) % 40 - 20);
  };
  int differ = 0;
  for (int round = 0; round < 8; ++round) {
    for (int i = 0; i < count; ++i) {
      a[i] = next();
      b[i] = i % 7 == 0 ? -a[i] : next();
    }
    a[1] = b[1] = 3e38f;
    a[2] = -3e38f;
    rounded<<<1, count>>>(a, b, out);
    cudaDeviceSynchronize();
    for (int i = 0; i < operations * count; ++i) {
      const float expected = on_host(i % operations, a[i / operations], b[i / operations]);
      if (std::memcmp(&expected, &out[i], sizeof expected) != 0 && expected == expected) ++differ;
    }
  }
  std::printf("%d of %d differ\\n", differ, 8 * operations * count);
  cudaFree(a);
  cudaFree(b);
  cudaFree(out);
}
"""

NARROW = """\
#include <cstdio>
#include <cuda_bf16.h>
#include <cuda_fp16.h>
__global__ void narrow(float* out) {
  const half2 pair = __hadd2(__floats2half2_rn(1.5f, 2), __float2half2_rn(2));
  const half moved = __shfl_sync(0xffffffff, __high2half(pair), 0);
  if (threadIdx.x != 0) return;
  const __nv_bfloat16 number = __float2bfloat16(-2.5f);
  out[0] = __bfloat162int_rn(number);
  out[1] = __bfloat162int_rz(number);
  out[2] = __bfloat162int_ru(number);
  out[3] = __bfloat162int_rd(number);
  out[4] = __bfloat162float(__int2bfloat16_rn(257));
  out[5] = __bfloat162float(__int2bfloat16_ru(257));
  out[6] = __half2float(static_cast<half>(__float2bfloat16(3.140625f)));
  out[7] = __low2float(pair) + __half2float(moved / half(2));
  out[8] = __half2int_rn(__int2half_rn(2049));
}
int main() {
  float* out;
  cudaMallocManaged(&out, 9 * sizeof *out);
  narrow<<<1, 32>>>(out);
  cudaDeviceSynchronize();
  for (int i = 0; i < 9; ++i) std::printf(i < 8 ? "%.7g " : "%g\\n", out[i]);
  cudaFree(out);
}
"""


def square(i):
    return i * i % 37


def lanes(of, holds):
    return sum(1 << bit for bit, i in enumerate(of) if holds(i))


class CudaTest(RunTest):
    def assert_prints(self, expected, *words):
        self.assertEqual(self.run_program(*words), (expected, "", 0))

    def test_sets_of_lanes_have_32_bits(self):
        self.write(VOTES, "votes.cu")
        warp = range(32)
        rows = []
        for i in warp:
            mine = square(i)
            rows.append([int(all(square(j) % 3 == 0 for j in warp)), lanes(warp, lambda j: square(j) % 3 == 0),
                         lanes(warp, lambda j, mine=mine: square(j) % 5 == mine % 5), 0,
                         sum(map(square, warp)), max(map(square, warp)), square(i ^ 16), min(mine, 7) + max(mine, 9)])
        self.assert_prints("".join(" ".join(map(str, row)) + "\n" for row in rows), "votes.cu")

    def test_cooperative_groups(self):
        self.write(GROUPS, "groups.cu")
        rows = []
        for i in range(64):
            tile = range(i // 32 * 32, i // 32 * 32 + 32)
            values = [square(j) for j in tile]
            part = [j for j in tile if square(j) % 4 == square(i) % 4]
            rows.append([sum(values), functools.reduce(operator.xor, values), max(map(square, part)),
                         len([j for j in part if j < i]), len(part), sum(square(j) for j in tile if j <= i),
                         sum(square(j) for j in tile if j < i), lanes(tile, lambda j: square(j) % 3 == 0),
                         sum(values) - sum(values) / 1024, values[5] * 3.5])
        expected = "".join(" ".join(f"{each:.10g}" for each in row) + "\n" for row in rows)
        for lanes_of_warp in ("32", "64"):
            self.assert_prints(expected, "groups.cu", "--warp-size", lanes_of_warp)

    def test_atomics_barriers_and_pipelines(self):
        self.write(SYNCHRONIZATION, "waiting.cu")
        sums = [sum(square(32 * i + j) for i in range(6)) for j in (31, 0)]
        expected = f"{5 + sum(range(64))} {3 * 63} {2 * (63 - 5)} {2 * (63 - 4)}\n{sums[0]} {sums[1]}\n"
        # With 64 lanes a warp has threads of both roles, which wait for each other: AMD's GPUs would hang.
        for lanes_of_warp, rules in (("32", "portable"), ("64", "nvidia")):
            self.assert_prints(expected, "waiting.cu", "--warp-size", lanes_of_warp, "--rules", rules)

    def test_statements_of_ptx(self):
        self.write(PTX, "ptx.cu")
        # Of threads 1 and 63.
        self.assert_prints("101 11f1f\n", "ptx.cu", "--warp-size", "32")
        self.assert_prints("101 3f20\n", "ptx.cu", "--warp-size", "64")

    def test_other_assembly_is_refused_at_its_line(self):
        for name in ("refused.cu", "refused.hip"):
            self.write(REFUSED if name.endswith(".cu") else "#include <hip/hip_runtime.h>\n" + REFUSED, name)
            _, err, code = self.run_program(name)
            self.assertEqual(code, 5)
            self.assertRegex(err, rf"{name}:[23]:\d+: error: .*the CPU machine has no such instruction: 'griddepcontrol.wait")

    def test_directed_rounding(self):
        self.write(ROUNDED, "rounded.cu")
        self.assert_prints("0 of 8192 differ\n", "rounded.cu", "--check", "collectives")

    def test_numbers_of_16_bits(self):
        self.write(NARROW, "narrow.cu")
        # bfloat16 has 8 bits of fraction with the hidden one: 257 lies between 256 and 258, whose last bit is 1.
        self.assert_prints("-2 -2 -2 -3 256 258 3.140625 5.5 2048\n", "narrow.cu")

    def test_special_numbers(self):
        numbers = {"SQRT_HALF": math.sqrt(0.5), "SQRT_TWO": math.sqrt(2), "THIRD": 1 / 3, "PIO4": math.pi / 4,
                   "PIO2": math.pi / 2, "3PIO4": 3 * math.pi / 4, "PI": math.pi, "2_OVER_PI": 2 / math.pi,
                   "SQRT_2_OVER_PI": math.sqrt(2 / math.pi), "L2E": math.log2(math.e), "L2T": math.log2(10),
                   "LG2": math.log10(2), "LGE": math.log10(math.e), "LN2": math.log(2), "LNT": math.log(10),
                   "LNPI": math.log(math.pi), "INF": math.inf}
        printed = "".join(f'  std::printf("%.14g %.6g\\n", CUDART_{name}, CUDART_{name}_F);\n' for name in numbers)
        self.write(f"#include <cstdio>\n#include <math_constants.h>\nint main() {{\n{printed}}}\n", "numbers.cu")
        out, _, code = self.run_program("numbers.cu")
        self.assertEqual((out, code), ("".join(f"{each:.14g} {each:.6g}\n" for each in numbers.values()), 0))


if __name__ == "__main__":
    main()
