# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""CUDA: graphs, captured from a stream and built node by node, by the calls of CUDA 11 and of CUDA 12; the driver's calls;
atomic additions of halves."""

from kernel_support import RunTest
from skips import main

GRAPHS = """\
#include <cstdio>
__global__ void add(int* p, int n) { p[threadIdx.x] += n; }
__host__ void print(void* data) { std::printf("host node %d\\n", *static_cast<int*>(data)); }
int main() {
  int* p;
  cudaMalloc(&p, 32 * sizeof(int));
  cudaMemset(p, 0, 32 * sizeof(int));
  // Captured.
  cudaStream_t stream;
  cudaStreamCreate(&stream);
  cudaGraph_t graph;
  cudaGraphExec_t executable;
  int host[32] = {}, number = 7;
  cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal);
  add<<<1, 32, 0, stream>>>(p, 3);
  cudaMemcpyAsync(host, p, sizeof host, cudaMemcpyDeviceToHost, stream);
  cudaLaunchHostFunc(stream, print, &number);
  cudaStreamEndCapture(stream, &graph);
  size_t count = 0;
  cudaGraphGetNodes(graph, nullptr, &count);
  cudaGraphInstantiate(&executable, graph, nullptr, nullptr, 0);
  for (int i = 0; i < 2; ++i) cudaGraphLaunch(executable, stream);
  cudaStreamSynchronize(stream);
  std::printf("%zu nodes, %d\\n", count, host[31]);
  cudaGraphExecDestroy(executable);
  // Node by node.
  cudaGraph_t built;
  cudaGraphCreate(&built, 0);
  cudaGraphNode_t first, second;
  int n = 5;
  void* arguments[] = {&p, &n};
  cudaKernelNodeParams kernel = {};
  kernel.func = (void*)add;
  kernel.gridDim = dim3(1);
  kernel.blockDim = dim3(32);
  kernel.kernelParams = arguments;
  cudaGraphAddKernelNode(&first, built, nullptr, 0, &kernel);
  cudaGraphAddMemcpyNode1D(&second, built, &first, 1, host, p, sizeof host, cudaMemcpyDeviceToHost);
  cudaGraphNodeType type;
  cudaGraphNodeGetType(second, &type);
  cudaGraphInstantiate(&executable, built);
  n = 100;
  cudaGraphExecKernelNodeSetParams(executable, first, &kernel);
  cudaGraphLaunch(executable, stream);
  cudaStreamSynchronize(stream);
  cudaGraphExecUpdateResultInfo info;
  const cudaError_t updated = cudaGraphExecUpdate(executable, built, &info);
  std::printf("%d %d %s %d\\n", host[0], type == cudaGraphNodeTypeMemcpy, cudaGetErrorName(updated), info.result == cudaGraphExecUpdateSuccess);
  cudaGraphExecDestroy(executable);
  cudaGraphDestroy(built);
  cudaGraphDestroy(graph);
  cudaStreamDestroy(stream);
  cudaFree(p);
}
"""

DRIVER = """\
#include <cuda.h>
#include <cstdio>
#include <fstream>
#define CHECK(call) if (const CUresult code = (call); code != CUDA_SUCCESS) { const char* name; cuGetErrorName(code, &name); std::printf("%s: %s\\n", #call, name); return 1; }
int main() {
  std::ofstream("doubled.cu") << "__device__ int factor = 2;\\nextern \\"C\\" __global__ void doubled(int* p, int n) {\\n"
                                 "  if (threadIdx.x < n) p[threadIdx.x] *= factor;\\n}\\n";
  CHECK(cuInit(0));
  CUdevice device;
  CUcontext context;
  CHECK(cuDeviceGet(&device, 0));
  CHECK(cuCtxCreate(&context, CU_CTX_SCHED_AUTO, device));
  int major = 0, lanes = 0;
  CHECK(cuDeviceGetAttribute(&major, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR, device));
  CHECK(cuDeviceGetAttribute(&lanes, CU_DEVICE_ATTRIBUTE_WARP_SIZE, device));
  CUmodule module;
  CUfunction function;
  // The build would have made it.
  CHECK(cuModuleLoad(&module, "doubled.ptx"));
  CHECK(cuModuleGetFunction(&function, module, "doubled"));
  CUdeviceptr p, factor;
  size_t bytes = 0;
  CHECK(cuModuleGetGlobal(&factor, &bytes, module, "factor"));
  CHECK(cuMemsetD32(factor, 3, 1));
  int n = 32, host[32];
  for (int i = 0; i < n; ++i) host[i] = i;
  CHECK(cuMemAlloc(&p, sizeof host));
  CHECK(cuMemcpyHtoD(p, host, sizeof host));
  void* arguments[] = {&p, &n};
  CUstream stream;
  CHECK(cuStreamCreate(&stream, CU_STREAM_NON_BLOCKING));
  CHECK(cuLaunchKernel(function, 1, 1, 1, 32, 1, 1, 0, stream, arguments, nullptr));
  CHECK(cuStreamSynchronize(stream));
  CHECK(cuMemcpyDtoH(host, p, sizeof host));
  std::printf("%d %zu %d lanes\\n", host[31], bytes, lanes);
  CHECK(cuStreamDestroy(stream));
  CHECK(cuMemFree(p));
  CHECK(cuModuleUnload(module));
  CHECK(cuCtxDestroy(context));
}
"""

HALVES = """\
#include <cuda_fp16.h>
#include <cuda_bf16.h>
#include <cstdio>
__global__ void add(__half* one, __half2* two, __nv_bfloat16* b) {
  atomicAdd(one, __float2half(0.5f));
  const __half2 before = atomicAdd(two, __floats2half2_rn(1, 2));
  if (__low2float(before) * 2 != __high2float(before)) printf("wrong\\n");
  atomicAdd(b, __float2bfloat16(1));
}
int main() {
  __half* one; __half2* two; __nv_bfloat16* b;
  cudaMallocManaged(&one, 4); cudaMallocManaged(&two, 4); cudaMallocManaged(&b, 4);
  *one = __float2half(0); *two = __floats2half2_rn(0, 0); *b = __float2bfloat16(0);
  add<<<2, 32>>>(one, two, b);
  cudaDeviceSynchronize();
  char id[16]; cudaDeviceGetPCIBusId(id, 16, 0);
  std::printf("%g %g %g %g %s\\n", __half2float(*one), __low2float(*two), __high2float(*two), __bfloat162float(*b), id);
  cudaFree(one); cudaFree(two); cudaFree(b);
}
"""


# Not a .cu file: the headers say that it is CUDA.
COMPILED_LATER = """\
#include <cuda.h>
#include <nvrtc.h>
#include <cstdio>
#include <cstring>
#include <string>
const char* const source = R"(
#include <cooperative_groups.h>
#include "offset.h"
template <class T> __global__ void scale(T* p) {
  const T sum = __shfl_sync(0xffffffffu, p[threadIdx.x], 1);
  p[threadIdx.x] = FACTOR * sum + offset + cooperative_groups::this_thread_block().size();
}
)";
#define CHECK(call) if (const CUresult failure = (call); failure != CUDA_SUCCESS) { std::printf("%s: %d\\n", #call, failure); return 1; }
int main() {
  nvrtcProgram program;
  int major = 0, minor = 0;
  nvrtcVersion(&major, &minor);
  nvrtcCreateProgram(&program, source, "scale.cu", 0, nullptr, nullptr);
  nvrtcAddNameExpression(program, "scale<int>");
  const char* const without[] = {"--gpu-architecture=sm_90"};
  const char* const with[] = {"--gpu-architecture=sm_90", "--define-macro=FACTOR=10", "--include-path=headers", "--std=c++17"};
  std::printf("%d.%d %s\\n", major, minor, nvrtcGetErrorString(nvrtcCompileProgram(program, 1, without)));
  size_t bytes = 0;
  nvrtcGetProgramLogSize(program, &bytes);
  std::string log(bytes, ' ');
  nvrtcGetProgramLog(program, log.data());
  std::printf("%d\\n", log.find("scale.cu:3:10: fatal error: 'offset.h' file not found") != log.npos);
  std::printf("%s\\n", nvrtcGetErrorString(nvrtcCompileProgram(program, 4, with)));
  nvrtcGetPTXSize(program, &bytes);
  std::string code(bytes, ' ');
  nvrtcGetPTX(program, code.data());
  const char* name = nullptr;
  nvrtcGetLoweredName(program, "scale<int>", &name);
  CUdevice device;
  CUcontext context;
  CUmodule module;
  CUfunction function;
  CUdeviceptr p;
  CHECK(cuInit(0));
  CHECK(cuDeviceGet(&device, 0));
  CUctxCreateParams parameters = {};
  CHECK(cuCtxCreate(&context, &parameters, 0, device));
  CHECK(cuModuleLoadData(&module, code.data()));
  CHECK(cuModuleGetFunction(&function, module, name));
  nvrtcDestroyProgram(&program);
  int host[32] = {0, 4}, grid = 0, block = 0;
  CHECK(cuMemAlloc(&p, sizeof host));
  CHECK(cuMemcpyHtoD(p, host, sizeof host));
  void* arguments[] = {&p};
  CHECK(cuLaunchKernel(function, 1, 1, 1, 32, 1, 1, 0, nullptr, arguments, nullptr));
  CHECK(cuMemcpyDtoH(host, p, sizeof host));
  CHECK(cuOccupancyMaxPotentialBlockSize(&grid, &block, function, nullptr, 0, 256));
  std::printf("%d %d\\n", host[31], block);
  CHECK(cuMemFree(p));
  CHECK(cuModuleUnload(module));
  CHECK(cuCtxDestroy(context));
}
"""


class CudaNamesTest(RunTest):
    def test_compiled_at_run_time(self):
        self.write(COMPILED_LATER, "later.cpp")
        self.write("constexpr int offset = 5;\n", "headers/offset.h")
        self.assertEqual(self.run_program("later.cpp"),
                         ("12.4 NVRTC_ERROR_COMPILATION\n1\nNVRTC_SUCCESS\n77 256\n", "", 0))

    def test_captured_and_built(self):
        self.write(GRAPHS, "graphs.cu")
        self.assertEqual(self.run_program("graphs.cu"),
                         ("host node 7\nhost node 7\n3 nodes, 6\n106 1 cudaSuccess 1\n", "", 0))

    def test_the_driver_s_calls(self):
        self.write(DRIVER, "driver.cu")
        self.assertEqual(self.run_program("driver.cu"), ("93 4 32 lanes\n", "", 0))

    def test_halves_are_added_atomically(self):
        self.write(HALVES, "halves.cu")
        self.assertEqual(self.run_program("halves.cu"), ("32 64 128 64 0000:00:00.0\n", "", 0))


if __name__ == "__main__":
    main()
