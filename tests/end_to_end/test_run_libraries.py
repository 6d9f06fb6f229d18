# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What header libraries for GPUs count on: each of these stood in the way of one that is public."""

from kernel_support import RUNTIME, RunTest
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
# launching kernels from functions for both sides, which is not there; qualifiers that were taken away.
CUDA = """\
#if !defined(__HOST_DEFINES_H__)
#undef __host__
#undef __device__
#endif
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
        # Not in ROCm 7.
        _, err, code = self.run_program("constant.hip", "--rocm", "7")
        self.assertEqual(code, 5)
        self.assertIn("constant.hip:", err)

    def test_what_amds_compiler_takes(self):
        self.write(DEVICE, "device.hip")
        for lanes, name in ((32, "gfx1100"), (64, "gfx90a")):
            self.assertEqual(self.run_program("device.hip", "--warp-size", str(lanes)),
                             (f"{len(name) + 1} 126 1054 hipErrorTbd\n", "", 0))

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
