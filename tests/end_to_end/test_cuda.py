# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""CUDA: .cu files are compiled as nvcc compiles them, run and checked."""

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

# Two allocations in one line.
LEAKING = """\
__global__ void set(int* to) { to[threadIdx.x] = threadIdx.x; }
int main() {
  int *first, *second;
  cudaMalloc(&first, 64 * sizeof(int)), cudaMalloc(&second, 64 * sizeof(int));
  set<<<1, 64>>>(second);
  cudaFree(first);
  set<<<1, 64>>>(first);
  cudaDeviceSynchronize();
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


def in_one_line(text):
    """Messages are broken into lines where a terminal ends."""
    return " ".join(text.split())


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

    def test_functions_of_c_need_no_declaration(self):
        self.write("twice(number) { return abs(number) * 2; }\n", "twice.c")
        self.write('#include <cstdio>\nextern "C" int twice(int);\nint main() { std::printf("%d\\n", twice(-4)); }\n', "main.cu")
        out, err, code = self.run_program("main.cu", "twice.c")
        self.assertEqual((out, code), ("8\n", 0), err)
        self.assertIn("warning: ", err)

    def test_advice_names_functions_of_cuda(self):
        self.write(LEAKING, "leaks.cu")
        _, err, code = self.run_program("leaks.cu")
        self.assertEqual(code, 3)
        self.assertIn("  first[0]; first has 64 elements\n", err)
        self.assertIn(" Call cudaFree when the last kernel that uses the memory has ended. ", in_one_line(err))
        self.assertIn(" Call cudaFree (cudaFreeHost) for it before the program ends, on every way out. ", in_one_line(err))

    def test_a_kernel_for_a_puzzle(self):
        self.write(KERNEL.replace("MASK", "0xffffffff"), "my.cu")
        out, err, code = self.run_kernel("--warp-size", "32", file="my.cu")
        self.assertIn("\nOK Basic neighbor difference test passed!\n", out)
        self.assertEqual((err, code), ("", 0))

    def test_a_kernel_with_constraints_that_only_ptx_has(self):
        subtract = ("__device__ float less(float a, float b) {\n  float r;\n"
                    '  asm("sub.f32 %0, %1, %2;" : "=f"(r) : "f"(a), "f"(b));\n  return r;\n}\n')
        self.write(subtract + KERNEL.replace("MASK", "0xffffffff").replace("next - mine", "less(next, mine)"), "my.cu")
        self.assertEqual(self.run_kernel("--warp-size", "32", file="my.cu")[1:], ("", 0))

    def test_a_mask_of_32_bits_is_found_with_64_lanes(self):
        self.write(KERNEL.replace("MASK", "0xffffffff"), "my.cu")
        _, err, code = self.run_kernel("--warp-size", "64", file="my.cu")
        self.assertEqual(code, 3)
        self.assertIn("does not name it: the mask has 32 lanes, the warp has 64", in_one_line(err))
        self.assertIn("my.cu:4\n", err)
        self.write(KERNEL.replace("MASK", "~0ull"), "my.cu")
        self.assertEqual(self.run_kernel("--warp-size", "64", file="my.cu")[1:], ("", 0))

    def test_a_file_with_headers_of_hip_is_hip(self):
        self.write("#include <hip/hip_runtime.h>\nvoid use(int* p);\n", "parts.h")
        self.write('#include <hip/hip_runtime.h>\n#include "parts.h"\n#include <cstdio>\nint main() {\n  int* p;\n'
                   "  hipMallocManaged(&p, 256);\n  use(p);\n  hipDeviceSynchronize();\n"
                   "#ifndef __CUDACC__\n  printf(\"%d\\n\", p[63]);\n#endif\n}\n", "main.cu")
        self.write('#include "parts.h"\n__global__ void fill(int* p) { p[threadIdx.x] = 2 * warpSize; }\n'
                   "void use(int* p) { fill<<<1, 64>>>(p); }\n", "part.cu")
        out, err, code = self.run_program("main.cu", "part.cu", "--leaks", "error")
        self.assertEqual((out, code), ("64\n", 3))
        self.assertIn("Call hipFree ", in_one_line(err))

    def test_headers_of_hip_count_where_the_compiler_reads_them(self):
        self.write("#pragma once\n#include <hip/hip_runtime.h>\n", "cuda_compat.h")
        self.write('#include <cstdio>\n#include "cuda_compat.h"\nint main() {\n  void* p;\n  hipMalloc(&p, 4);\n'
                   '  printf("HIP\\n");\n}\n', "by_another.cu")
        out, err, code = self.run_program("by_another.cu", "--leaks", "error")
        self.assertEqual((out, code), ("HIP\n", 3))
        self.assertIn("Call hipFree ", in_one_line(err))
        self.write("/*\n#include <hip/hip_runtime.h>\n*/\n#if 0\n#include <hip/hip_runtime.h>\n#endif\n"
                   "#ifndef __CUDACC__\n#include <hip/hip_runtime.h>\n#endif\n#ifdef AS_HIP\n"
                   "#include <hip/hip_runtime.h>\n#endif\n#include <cstdio>\nint main() {\n  cudaDeviceProp device;\n"
                   "  cudaGetDeviceProperties(&device, 0);\n  printf(\"CUDA on sm_%d0\\n\", device.major);\n}\n", "skips.cu")
        self.assertEqual(self.run_program("skips.cu"), ("CUDA on sm_90\n", "", 0))
        _, err, code = self.run_program("skips.cu", "--cxxflags", "-DAS_HIP")
        self.assertEqual(code, 5)
        self.assertIn("unknown type name 'cudaDeviceProp'", err)
        # What is compiled already says what it is.
        self.assertEqual(self.run_program("skips.cu", "--output", "skips")[2], 0)
        self.assertEqual(self.run_program("skips"), ("CUDA on sm_90\n", "", 0))

    def test_the_devices_name_is_no_difference_of_the_warp_sizes(self):
        self.write("#include <cstdio>\nint main() {\n  cudaDeviceProp device;\n  cudaGetDeviceProperties(&device, 0);\n"
                   '  printf("On %s\\n", device.name);\n}\n', "name.cu")
        out, err, code = self.run_program("name.cu", "--warp-size", "both")
        self.assertEqual(code, 0, err)
        self.assertRegex(out, r"^On CPU, 32 lanes.*\nOn CPU, 64 lanes.*\n$")

    def test_a_file_of_cuda_by_another_name_is_told_of(self):
        self.write("int main() { return cudaFree(0); }\n", "x.hip")
        _, err, code = self.run_program("x.hip")
        self.assertEqual(code, 5)
        self.assertIn("compiles a file as CUDA if its name ends with .cu, and as HIP otherwise: x.cu", in_one_line(err))


if __name__ == "__main__":
    main()
