# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""CUDA: .cu files are compiled as nvcc compiles them, run and checked. What is expected is computed here."""

import functools
import operator

from kernel_support import RunTest
from skips import main

ADD = """\
#include <cstdio>

__constant__ float factor;
__device__ int launches;
__managed__ int last;

__global__ void scaled_sum(const float* a, const float* b, float* c, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) c[i] = factor * (a[i] + b[i]);
  if (i == 0) atomicAdd(&launches, 1);
  if (i == n - 1) last = i;
}

int main() {
  const int n = 1000;
  float *a, *b, *c, host[n];
  for (int i = 0; i < n; ++i) host[i] = static_cast<float>(i);
  cudaMalloc(&a, sizeof host);
  cudaMalloc((void**)&b, sizeof host);
  cudaMalloc(&c, sizeof host);
  cudaMemcpy(a, host, sizeof host, cudaMemcpyHostToDevice);
  cudaMemcpy(b, a, sizeof host, cudaMemcpyDeviceToDevice);
  const float three = 3;
  cudaMemcpyToSymbol(factor, &three, sizeof three);
  cudaStream_t stream;
  cudaEvent_t begin, end;
  cudaStreamCreate(&stream);
  cudaEventCreate(&begin);
  cudaEventCreate(&end, cudaEventBlockingSync);
  cudaEventRecord(begin, stream);
  scaled_sum<<<(n + 255) / 256, 256, 0, stream>>>(a, b, c, n);
  cudaEventRecord(end, stream);
  const cudaError_t ended = cudaStreamSynchronize(stream);
  float milliseconds = -1;
  cudaEventElapsedTime(&milliseconds, begin, end);
  cudaMemcpyAsync(host, c, sizeof host, cudaMemcpyDeviceToHost, 0);
  int count;
  cudaMemcpyFromSymbol(&count, launches, sizeof count);
  std::printf("%s %d %d %d %g %g\\n", cudaGetErrorName(ended), milliseconds >= 0, count, last, host[1], host[n - 1]);
  cudaEventDestroy(begin);
  cudaEventDestroy(end);
  cudaStreamDestroy(stream);
  for (float* each : {a, b, c}) cudaFree(each);
}
"""

# What nvcc defines, and what it does not.
MACROS = """\
#include <cstdio>
#if !defined(__CUDACC__) || !defined(__NVCC__) || __CUDACC_VER_MAJOR__ < 12
#error "it is not nvcc"
#endif
#if defined(__HIP__) || defined(__HIPCC__) || defined(__HIP_PLATFORM_AMD__) || defined(__HIP_DEVICE_COMPILE__)
#error "it is HIP"
#endif
#if !defined(__CUDA_RUNTIME_H__) || !defined(__DRIVER_TYPES_H__)
#error "cuda_runtime.h is not included"
#endif
__global__ void architecture(int* out) {
#ifdef __CUDA_ARCH__
  *out = __CUDA_ARCH__;
#endif
}
int main() {
  int* out;
  cudaMallocManaged(&out, sizeof *out);
  architecture<<<1, 1>>>(out);
  cudaDeviceSynchronize();
  struct cudaDeviceProp properties;
  cudaGetDeviceProperties(&properties, 0);
#ifdef __CUDA_ARCH__
  std::printf("on the host ");
#endif
  std::printf("%d %d.%d\\n", *out, properties.major, properties.minor);
  cudaFree(out);
}
"""

ERRORS = """\
#include <cstdio>
int main() {
  int* p;
  std::printf("%s\\n", cudaGetErrorName(cudaMalloc(&p, size_t(1) << 60)));
  std::printf("%s\\n", cudaGetErrorName(cudaStreamQuery(reinterpret_cast<cudaStream_t>(&p))));
  std::printf("%s\\n", cudaGetErrorName(cudaMemcpy(nullptr, p, 4, cudaMemcpyHostToDevice)));
  std::printf("%s\\n", cudaGetErrorName(cudaGetLastError()));
  std::printf("%s\\n", cudaGetErrorName(cudaGetLastError()));
  std::printf("%s\\n", cudaGetErrorName(static_cast<cudaError_t>(12345)));
  cudaFree(0);
}
"""

# The device's code is in one file; main and a file in C, which nvcc gives to the host's compiler, are in others.
PARTS = {
    "scale.cuh": "void scale(float4* values, int count, float factor);\n",
    "scale.cu": """\
#include "scale.cuh"
__global__ void scale_each(float4* values, int count, float factor) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < count) values[i].w *= factor;
}
void scale(float4* values, int count, float factor) { scale_each<<<1, count>>>(values, count, factor); }
""",
    "main.cpp": """\
#include <cuda_runtime.h>
#include <cstdio>
#include "scale.cuh"
#if defined(__CUDACC__) || defined(__HIPCC__) || defined(__HIP__)
#error "nvcc gives this file to the host's compiler"
#endif
extern "C" int half_of(int number);
int main() {
  float4 values[2] = {{1, 2, 3, 4}, {5}}, *device;
  cudaMalloc((void**)&device, sizeof values);
  cudaMemcpy(device, values, sizeof values, cudaMemcpyHostToDevice);
  scale(device, 2, 2.5f);
  cudaMemcpy(values, device, sizeof values, cudaMemcpyDeviceToHost);
  cudaFree(device);
  std::printf("%g %g %g %d\\n", values[0].w, values[1].x, values[1].w, half_of(14));
}
""",
    "half.c": "int half_of(int number) { int *new = &number; return *new / 2; }\n",
}

KERNEL = """\
__global__ void neighbor_difference(float* output, const float* input, int size) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  const float mine = i < size ? input[i] : 0.0f;
  const float next = __shfl_down_sync(MASK, mine, 1);
  const bool has_next = threadIdx.x % warpSize + 1 < warpSize && i + 1 < size;
  if (i < size) output[i] = has_next ? next - mine : 0.0f;
}
"""

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


def square(i):
    return i * i % 37


def lanes(of, holds):
    return sum(1 << bit for bit, i in enumerate(of) if holds(i))


class CudaTest(RunTest):
    def assert_prints(self, expected, *words):
        self.assertEqual(self.run_program(*words), (expected, "", 0))

    def test_a_program_runs_with_both_warp_sizes(self):
        self.write(ADD, "add.cu")
        for lanes_of_warp in ("32", "64"):
            self.assert_prints("cudaSuccess 1 1 999 6 5994\n", "add.cu", "--warp-size", lanes_of_warp)

    def test_what_nvcc_defines(self):
        self.write(MACROS, "macros.cu")
        self.assert_prints("900 9.0\n", "macros.cu")

    def test_errors_have_their_names_in_cuda(self):
        self.write(ERRORS, "errors.cu")
        out, _, code = self.run_program("errors.cu", "--check", "off")
        self.assertEqual((out.split("\n"), code), (
            ["cudaErrorMemoryAllocation", "cudaErrorInvalidResourceHandle", "cudaErrorInvalidValue",
             "cudaErrorInvalidValue", "cudaSuccess", "unrecognized error code", ""], 0))

    def test_other_files_of_a_program_are_the_hosts(self):
        for name, text in PARTS.items():
            self.write(text, name)
        out, err, code = self.run_program("main.cpp", "scale.cu", "half.c")
        self.assertEqual((out, err, code), ("10 5 0 7\n", "", 0))

    def test_a_kernel_for_a_puzzle(self):
        self.write(KERNEL.replace("MASK", "0xffffffff"), "my.cu")
        out, err, code = self.run_kernel("--warp-size", "32", file="my.cu")
        self.assertIn("\nOK Basic neighbor difference test passed!\n", out)
        self.assertEqual((err, code), ("", 0))

    def test_a_mask_of_32_bits_is_found_with_64_lanes(self):
        self.write(KERNEL.replace("MASK", "0xffffffff"), "my.cu")
        _, err, code = self.run_kernel("--warp-size", "64", file="my.cu")
        self.assertEqual(code, 3)
        self.assertIn("does not name it: the mask has 32 lanes, the warp has 64", err)
        self.assertIn("my.cu:4\n", err)
        self.write(KERNEL.replace("MASK", "~0ull"), "my.cu")
        self.assertEqual(self.run_kernel("--warp-size", "64", file="my.cu")[1:], ("", 0))

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

    def test_a_file_of_cuda_by_another_name_is_told_of(self):
        self.write("int main() { return cudaFree(0); }\n", "x.hip")
        _, err, code = self.run_program("x.hip")
        self.assertEqual(code, 5)
        self.assertIn("compiles a file as CUDA if its name ends with .cu, and as HIP otherwise: x.cu\n", err)


if __name__ == "__main__":
    main()
