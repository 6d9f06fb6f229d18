# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What header libraries for GPUs count on: each of these stood in the way of one that is public."""

from kernel_support import CLANG, RUNTIME, RunTest
from skips import main

# Before ROCm 7 the warp size was a constant. A wavefront's number of lanes is a template's argument.
CONSTANT = RUNTIME + """\
constexpr unsigned lanes() { return warpSize; }
template <unsigned Lanes>
struct in_a_warp {
  __device__ static int sum(int value) {
    for (unsigned i = 1; i < Lanes; i *= 2) value += __shfl_xor(value, i);
    return value;
  }
};
__global__ void sums(int* out) { out[threadIdx.x] = in_a_warp<lanes()>::sum(threadIdx.x); }
int main() {
  int* out;
  hipMallocManaged(&out, 128 * sizeof(int));
  sums<<<1, 128>>>(out);
  hipDeviceSynchronize();
  printf("%d %d\\n", out[0], out[127]);
  hipFree(out);
}
"""

# In a system's header, of which the compiler only says that no template has such an argument.
SPECIALIZED_HEADER = """\
#pragma GCC system_header
__device__ constexpr unsigned lanes() { return warpSize; }
template <unsigned Lanes>
__device__ unsigned place(unsigned thread) { return thread / Lanes * 1000 + thread % Lanes; }
template <>
__device__ inline unsigned place<lanes()>(unsigned thread) { return thread % warpSize + 1; }
"""
SPECIALIZED = RUNTIME + """\
#include "specialized.hpp"
__global__ void places(unsigned* out) { out[threadIdx.x] = place<32>(threadIdx.x); }
int main() {
  unsigned* out;
  hipMallocManaged(&out, 128 * sizeof(unsigned));
  places<<<1, 128>>>(out);
  hipDeviceSynchronize();
  printf("%u %u\\n", out[0], out[127]);
  hipFree(out);
}
"""

# A bound that is a member of a temporary; a name after `template` without arguments; waiting for counters; the name
# of the processor; an error that only stands for others.
DEVICE = RUNTIME + """\
struct parameters {
  struct { unsigned threads; } kernel;
};
template <unsigned Threads>
constexpr auto chosen() {
  return parameters{{2 * Threads}};
}
template <class T>
struct helper {
  template <class U>
  __device__ int twice(U value) { return value + value; }
};
template <unsigned Threads, class T>
__global__ __launch_bounds__(chosen<Threads>().kernel.threads) void run(T* out) {
  out[threadIdx.x] = helper<T>().template twice(static_cast<T>(threadIdx.x));
  __builtin_amdgcn_fence(__ATOMIC_RELEASE, "workgroup");
  __builtin_amdgcn_s_waitcnt(0xf70);
#ifdef __amdgcn_processor__
  if (threadIdx.x == 0) out[0] = sizeof __amdgcn_processor__;
#endif
}
int main() {
  int* out;
  hipMallocManaged(&out, 128 * sizeof(int));
  run<32><<<1, 64>>>(out);
  hipDeviceSynchronize();
  printf("%d %d %d %s\\n", out[0], out[63], static_cast<int>(hipErrorTbd), hipGetErrorName(hipErrorTbd));
  hipFree(out);
}
"""

# AMD's instructions for bytes and sums of products; counting in a circle, in 32 and 64 bits.
FACTORS = [(0x7f80ff01, 0x80017f02), (0xffffffff, 0x80808080), (0x12345678, 0x9abcdef0), (0, 0x7f7f7f7f)]
SUMMANDS = [5, -7, 0x7fffffff, -0x80000000]
SELECTORS = [0x03020100, 0x07060504, 0x0b0a0908, 0x0dff0c05]
ARITHMETIC = RUNTIME + f"""\
struct sums {{ int signed4, clamped4, signed8, mixed4, mixed8; unsigned unsigned4, clamped_unsigned4, unsigned8, bytes; }};
__constant__ unsigned factors[][2] = {{{", ".join(f"{{{a}u, {b}u}}" for a, b in FACTORS)}}};
__constant__ int summands[] = {{{", ".join(f"static_cast<int>({c & 0xffffffff}u)" for c in SUMMANDS)}}};
__constant__ unsigned selectors[] = {{{", ".join(f"{each}u" for each in SELECTORS)}}};
__global__ void compute(sums* out) {{
  const unsigned a = factors[threadIdx.x / 4][0], b = factors[threadIdx.x / 4][1];
  const int c = summands[threadIdx.x % 4];
  out[threadIdx.x] = {{__builtin_amdgcn_sdot4(a, b, c, false), __builtin_amdgcn_sdot4(a, b, c, true),
                      __builtin_amdgcn_sdot8(a, b, c, true), __builtin_amdgcn_sudot4(true, a, false, b, c, true),
                      __builtin_amdgcn_sudot8(false, a, true, b, c, false), __builtin_amdgcn_udot4(a, b, c, false),
                      __builtin_amdgcn_udot4(a, b, c, true), __builtin_amdgcn_udot8(a, b, c, true),
                      __builtin_amdgcn_perm(a, b, selectors[threadIdx.x % 4])}};
}}
__global__ void count(unsigned* narrow, unsigned long* wide) {{
  __builtin_amdgcn_atomic_inc32(narrow, 6u, __ATOMIC_RELAXED, "agent");
  __builtin_amdgcn_atomic_dec32(narrow + 1, 6u, __ATOMIC_SEQ_CST, "");
  __builtin_amdgcn_atomic_inc64(wide, 1ul << 40, __ATOMIC_RELAXED, "workgroup");
  __builtin_amdgcn_atomic_dec64(wide + 1, 1ul << 40, __ATOMIC_ACQ_REL, "", false);
}}
int main() {{
  sums* out;
  unsigned* narrow;
  unsigned long* wide;
  hipMallocManaged(&out, 16 * sizeof(sums));
  hipMallocManaged(&narrow, 2 * sizeof(unsigned));
  hipMallocManaged(&wide, 2 * sizeof(unsigned long));
  narrow[0] = narrow[1] = wide[1] = 0;
  wide[0] = (1ul << 40) - 10;
  compute<<<1, 16>>>(out);
  count<<<3, 48>>>(narrow, wide);
  hipDeviceSynchronize();
  for (int i = 0; i < 16; ++i)
    printf("%d %d %d %d %d %u %u %u %u\\n", out[i].signed4, out[i].clamped4, out[i].signed8, out[i].mixed4, out[i].mixed8,
           out[i].unsigned4, out[i].clamped_unsigned4, out[i].unsigned8, out[i].bytes);
  printf("%u %u %lu %lu\\n", narrow[0], narrow[1], wide[0], wide[1]);
  hipFree(out);
  hipFree(narrow);
  hipFree(wide);
}}
"""


def parts(value, bits, is_signed):
    """The integers of that many bits that a word of 32 consists of."""
    every = [value >> at & (1 << bits) - 1 for at in range(0, 32, bits)]
    return [each - (1 << bits) if is_signed and each >> bits - 1 else each for each in every]


def dot(a, b, c, bits, signs, clamp):
    """c and the products, as the instruction gives it: a sum of unsigned factors is itself unsigned."""
    has_sign = any(signs)
    total = (c if has_sign else c & 0xffffffff) + sum(map(lambda x, y: x * y, parts(a, bits, signs[0]),
                                                          parts(b, bits, signs[1])))
    least, most = (-2**31, 2**31 - 1) if has_sign else (0, 2**32 - 1)
    return min(max(total, least), most) if clamp else (total - least) % 2**32 + least


def permuted(high, low, selectors):
    chosen = []
    together = (high << 32 | low).to_bytes(8, "little")
    for each in selectors.to_bytes(4, "little"):
        signs = [255 * (together[at] >> 7) for at in (1, 3, 5, 7)]
        chosen.append([*together, *signs, 0][each] if each <= 12 else 255)
    return int.from_bytes(chosen, "little")


# One way leaves two loops that wait for another lane.
WAITING = """\
#include <cstdio>
__global__ void wait(int* flag, int* out) {
  if (threadIdx.x == 32) {
    atomicExch(flag, 3);
  } else if (threadIdx.x == 0) {
    int seen = 0, rounds = 0;
    for (;;) {
      do {
        seen = atomicAdd(flag, 0);
        if (seen > 2 || rounds > 1000000) goto done;
        ++rounds;
      } while (seen == 0);
    }
  done:
    *out = seen;
  }
}
int main() {
  int* data;
  cudaMallocManaged(&data, 2 * sizeof(int));
  data[0] = data[1] = 0;
  wait<<<1, 64>>>(data, data + 1);
  cudaDeviceSynchronize();
  std::printf("%d\\n", data[1]);
  cudaFree(data);
}
"""

# The version that a kernel is for, by which a library chooses how many threads it gets; errors that only CUDA has;
# launching kernels from functions for both sides, which is not there; qualifiers that were taken away; a bfloat16's bits.
CUDA = """\
#if !defined(__HOST_DEFINES_H__)
#undef __host__
#undef __device__
#endif
#include <cuda_bf16.h>
#include <cuda_occupancy.h>
#include <cuda_runtime_api.h>

#include <cstdio>
template <class T>
__global__ void empty() {}
__host__ __device__ inline cudaError_t launch() {
  void* const parameters = cudaGetParameterBuffer(64, 4);
  return cudaLaunchDevice(nullptr, parameters, dim3(1), dim3(1), 0, nullptr);
}
__host__ __device__ inline cudaError_t CUDARTAPI synchronize() { return __cudaDeviceSynchronizeDeprecationAvoidance(); }
int main() {
  cudaFuncAttributes of{};
  cudaFuncGetAttributes(&of, empty<void>);
  const __nv_bfloat16_raw raw{0xc020};
  const __nv_bfloat162_raw pair{0x3f80, 0x7f80};
  if (float(__nv_bfloat16(raw)) != -2.5f || float(__high2bfloat16(pair)) != INFINITY) return 1;
  std::printf("%d %d %d %s\\n", of.ptxVersion, of.binaryVersion, static_cast<int>(launch()),
              cudaGetErrorName(cudaErrorInvalidHostPointer));
  return synchronize();
}
"""


class LibraryTest(RunTest):
    def test_a_warp_size_that_has_to_be_constant(self):
        self.write(CONSTANT, "constant.hip")
        expected = {32: f"{sum(range(32))} {sum(range(96, 128))}\n", 64: f"{sum(range(64))} {sum(range(64, 128))}\n"}
        # The second time it is in the cache: for that size.
        for lanes in (32, 64, 32):
            self.assertEqual(self.run_program("constant.hip", "--warp-size", str(lanes)), (expected[lanes], "", 0))
        self.write(SPECIALIZED_HEADER, "specialized.hpp")
        self.write(SPECIALIZED, "specialized.hip")
        for lanes, printed in ((32, "1 32\n"), (64, "0 3031\n")):
            self.assertEqual(self.run_program("specialized.hip", "--warp-size", str(lanes)), (printed, "", 0))
        # Not in ROCm 7.
        _, err, code = self.run_program("constant.hip", "--rocm", "7")
        self.assertEqual(code, 5)
        self.assertIn("constant.hip:", err)

    def test_a_constant_takes_one_more_try(self):
        compiler, calls = self.noting()
        self.write(CONSTANT, "constant.hip")
        self.assertEqual(self.run_program("constant.hip", "--compiler", compiler)[2], 0)
        tries = [each for each in calls.read_text().splitlines() if each.endswith(" constant.hip") and " -c " in each]
        # The host's side and the device's: with the precompiled header, and with the constant.
        self.assertEqual(sorted("-D__WARPZ_CONSTANT_WARP_SIZE__=1" in each for each in tries), [False] * 2 + [True] * 2)

    def test_what_amds_compiler_takes(self):
        self.write(DEVICE, "device.hip")
        for lanes, name in ((32, "gfx1100"), (64, "gfx90a")):
            self.assertEqual(self.run_program("device.hip", "--warp-size", str(lanes)),
                             (f"{len(name) + 1} 126 1054 hipErrorTbd\n", "", 0))

    def test_amds_arithmetic(self):
        both, none = (True, True), (False, False)
        expected = []
        for thread in range(16):
            (a, b), c = FACTORS[thread // 4], SUMMANDS[thread % 4]
            expected.append([dot(a, b, c, bits, signs, clamp) for bits, signs, clamp in (
                (8, both, False), (8, both, True), (4, both, True), (8, (True, False), True), (4, (False, True), False),
                (8, none, False), (8, none, True), (4, none, True))] + [permuted(a, b, SELECTORS[thread % 4])])
        expected.append([144 % 7, (0 - 144) % 7, (2**40 - 10 + 144) % (2**40 + 1), (0 - 144) % (2**40 + 1)])
        self.write(ARITHMETIC, "arithmetic.hip")
        for lanes in (32, 64):
            self.assertEqual(self.run_program("arithmetic.hip", "--warp-size", str(lanes)),
                             ("".join(" ".join(map(str, each)) + "\n" for each in expected), "", 0))

    def test_main_in_a_static_library(self):
        self.write("int tests();\nint main() { return tests(); }\n", "main.cpp")
        self.write(RUNTIME + """__global__ void say() { printf("here\\n"); }
int tests() {
  say<<<1, 1>>>();
  return hipDeviceSynchronize();
}
""", "tests.hip")
        self.assertEqual(self.run_shell(f"{CLANG} -c -fPIC main.cpp && ar rcs libtests_main.a main.o"), ("", "", 0))
        self.assertEqual(self.run_program("tests.hip", "--cxxflags", "-L.", "-ltests_main"), ("here\n", "", 0))

    def test_a_bound_of_a_temporary_is_checked(self):
        self.write(DEVICE.replace("<<<1, 64>>>", "<<<1, 128>>>"), "large.hip")
        _, err, code = self.run_program("large.hip")
        self.assertEqual(code, 3)
        self.assertIn("__launch_bounds__ allows 64", " ".join(err.split()))

    def test_one_way_out_of_two_loops(self):
        for text, name in ((WAITING, "loops.cu"), (RUNTIME + WAITING.replace("cuda", "hip"), "loops.hip")):
            self.write(text, name)
            self.assertEqual(self.run_program(name), ("3\n", "", 0))

    def test_what_nvcc_takes(self):
        self.write(CUDA, "names.cu")
        self.assertEqual(self.run_program("names.cu"), ("90 90 801 cudaErrorInvalidHostPointer\n", "", 0))
        self.assertEqual(self.run_program("names.cu", "--arch", "sm_80"),
                         ("80 80 801 cudaErrorInvalidHostPointer\n", "", 0))


if __name__ == "__main__":
    main()
