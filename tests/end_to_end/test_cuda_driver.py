# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""CUDA: the driver's own type of errors, its attributes and its linker; hints about memory, streams and limits, by the
names of CUDA 12 and 13; NVTX. The expected numbers and names are those of CUDA's reference."""

from kernel_support import RunTest
from skips import main

ERRORS = """\
#include <cuda.h>
#include <cstdio>
const char* of(CUresult) { return "driver"; }
const char* of(cudaError_t) { return "runtime"; }
void print(CUresult error) {
  const char *name = "none", *text = "none";
  const CUresult named = cuGetErrorName(error, &name);
  cuGetErrorString(error, &text);
  std::printf("%d %s %s %d\\n", error, name ? name : "null", text ? text : "null", named);
}
int main() {
  std::printf("%s %s\\n", of(cuInit(0)), of(cudaFree(0)));
  print(cuDeviceGet(nullptr, 0));
  CUmodule module;
  print(cuModuleLoad(&module, "nofile"));
  print(cuMemFree(12345));  // the runtime has another number for it
  print(CUresult(12345));
  // A driver's function has an address, and a literal 0 may be a pointer.
  CUresult (*begin)(unsigned) = cuInit;
  CUresult (*get)(CUdevice*, int) = &cuDeviceGet;
  CUdevice device;
  CUstream stream;
  std::printf("%d %d %d\\n", begin(0), get(&device, 0), cuLaunchKernel(0, 1, 1, 1, 1, 1, 1, 0, 0, 0, 0));
  std::printf("%d\\n", cuStreamCreate(&stream, 0) + cuStreamDestroy(stream));
  switch (cuStreamQuery(0)) {
    case CUDA_SUCCESS:
      return 0;
    case CUDA_ERROR_NOT_READY:
    default:
      return 1;
  }
}
"""

HINTS = """\
#include <cuda.h>
#include <nvtx3/nvToolsExt.h>
#include <cstdio>
int main() {
  nvtxRangePushA("all");
  // What NVTX's C++ header, which CUB has, asks for.
  nvtxEventAttributes_t attributes = {};
  const nvtxEventAttributes_t::payload_t payload = {};
  attributes.payload = payload;
  const nvtxDomainHandle_t domain = nvtxDomainCreateW(L"mine");
  nvtxDomainRangePushEx(domain, &attributes);
  nvtxDomainRangePop(domain);
  cudaStream_t stream;
  cudaStreamCreate(&stream);
  cudaStreamAttrValue given = {}, got = {};
  given.accessPolicyWindow.num_bytes = 4096;
  given.accessPolicyWindow.hitRatio = 0.5f;
  given.accessPolicyWindow.hitProp = cudaAccessPropertyPersisting;
  std::printf("%d", cudaStreamSetAttribute(stream, cudaStreamAttributeAccessPolicyWindow, &given));
  std::printf(" %d", cudaStreamGetAttribute(stream, cudaStreamAttributeAccessPolicyWindow, &got));
  std::printf(" %zu %g", got.accessPolicyWindow.num_bytes, got.accessPolicyWindow.hitRatio);
  cudaStreamGetAttribute(nullptr, cudaStreamAttributeAccessPolicyWindow, &got);
  std::printf(" %zu", got.accessPolicyWindow.num_bytes);
  given.syncPolicy = cudaSyncPolicyYield;
  std::printf(" %d", cudaStreamSetAttribute(stream, cudaStreamAttributeSynchronizationPolicy, &given));
  cudaStreamGetAttribute(stream, cudaStreamAttributeSynchronizationPolicy, &got);
  std::printf(" %d", got.syncPolicy == cudaSyncPolicyYield);
  given.accessPolicyWindow = {};
  given.accessPolicyWindow.hitRatio = 2;
  std::printf(" %d\\n", cudaStreamSetAttribute(stream, cudaStreamAttributeAccessPolicyWindow, &given));

  int *p, place = 7;
  cudaMallocManaged(&p, 4096);
  const cudaMemLocation host = {cudaMemLocationTypeHost, 0}, device = {cudaMemLocationTypeDevice, 0};
  const cudaMemLocation nowhere = {cudaMemLocationTypeInvalid, 0};
  const auto last = [&] {
    cudaMemRangeGetAttribute(&place, sizeof place, cudaMemRangeAttributeLastPrefetchLocation, p, 4096);
    return place;
  };
  std::printf("%d %d", cudaMemPrefetchAsync(p, 4096, device, 0, stream), last());
  std::printf(" %d %d", cudaMemPrefetchAsync(p, 4096, host, 0), last());
  std::printf(" %d %d", cudaMemPrefetchAsync(p, 4096, 0), last());
  std::printf(" %d", cudaMemPrefetchAsync(p, 4096, device, 1, stream) != cudaSuccess);
  std::printf(" %d", cudaMemPrefetchAsync(p, 4096, nowhere, 0, stream) != cudaSuccess);
  cudaMemAdvise(p, 4096, cudaMemAdviseSetPreferredLocation, host);
  cudaMemRangeGetAttribute(&place, sizeof place, cudaMemRangeAttributePreferredLocation, p, 4096);
  std::printf(" %d", place);
  const CUdeviceptr address = reinterpret_cast<CUdeviceptr>(p);
  std::printf(" %d %d", cuMemPrefetchAsync(address, 4096, device, 0, stream), last());
  std::printf(" %d\\n", cuMemAdvise(address, 4096, CU_MEM_ADVISE_SET_READ_MOSTLY, CUdevice(0)));

  size_t bytes = 0;
  std::printf("%d", cudaDeviceSetLimit(cudaLimitPersistingL2CacheSize, 4096) + cudaCtxResetPersistingL2Cache());
  cudaDeviceGetLimit(&bytes, cudaLimitPersistingL2CacheSize);
  std::printf(" %zu %d\\n", bytes, cudaDeviceSetLimit(cudaLimitDevRuntimeSyncDepth, 4));
  cudaFree(p);
  cudaStreamDestroy(stream);
  return nvtxRangePop();
}
"""

ATTRIBUTES = """\
#include <cuda.h>
#include <cstdio>
int main() {
  cudaDeviceProp properties;
  cudaGetDeviceProperties(&properties, 0);
  int width = 0, layers = 0, by_driver = 0, compressed = 7, node = 0;
  cudaDeviceGetAttribute(&width, cudaDevAttrMaxTexture2DLayeredHeight, 0);
  cudaDeviceGetAttribute(&layers, cudaDevAttrMaxTexture2DLayeredLayers, 0);
  cuInit(0);
  cuDeviceGetAttribute(&by_driver, CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE2D_LAYERED_LAYERS, 0);
  cuDeviceGetAttribute(&compressed, CU_DEVICE_ATTRIBUTE_GENERIC_COMPRESSION_SUPPORTED, 0);
  cuDeviceGetAttribute(&node, CU_DEVICE_ATTRIBUTE_NUMA_ID, 0);
  std::printf("%d %d %d %d %d", width == properties.maxTexture2DLayered[1], layers == properties.maxTexture2DLayered[2],
              by_driver == layers && layers > 0 && layers != width, compressed, node);
  std::printf(" %d %d", cuDeviceGetAttribute(&node, CU_DEVICE_ATTRIBUTE_NUMA_ID, 99),
              cuDeviceGetAttribute(&node, CUdevice_attribute(40000), 0));
  // Memory that was to be compressed is not.
  CUmemAllocationProp wanted = {}, made = {};
  wanted.type = CU_MEM_ALLOCATION_TYPE_PINNED;
  wanted.location.type = CU_MEM_LOCATION_TYPE_DEVICE;
  wanted.allocFlags.compressionType = CU_MEM_ALLOCATION_COMP_GENERIC;
  CUmemGenericAllocationHandle memory;
  size_t bytes = 0;
  cuMemGetAllocationGranularity(&bytes, &wanted, CU_MEM_ALLOC_GRANULARITY_MINIMUM);
  cuMemCreate(&memory, bytes, &wanted, 0);
  made.allocFlags.compressionType = 7;
  cuMemGetAllocationPropertiesFromHandle(&made, memory);
  cuMemRelease(memory);
  std::printf(" %d\\n", made.allocFlags.compressionType);
}
"""

LINKING = """\
#include <cuda.h>
#include <nvrtc.h>
#include <cstdio>
#include <string>
std::string compiled(const char* source) {
  nvrtcProgram program;
  nvrtcCreateProgram(&program, source, "part.cu", 0, nullptr, nullptr);
  const char* const options[] = {"-rdc=true"};
  size_t bytes = 0;
  if (nvrtcCompileProgram(program, 1, options) != NVRTC_SUCCESS || nvrtcGetPTXSize(program, &bytes) != NVRTC_SUCCESS) return "";
  std::string code(bytes, ' ');
  nvrtcGetPTX(program, code.data());
  nvrtcDestroyProgram(&program);
  return code;
}
int main() {
  std::string one = compiled("__device__ int twice(int i) { return 2 * i; }");
  std::string other = compiled("__device__ int twice(int);"
                               "extern \\"C\\" __global__ void k(int* p) { p[threadIdx.x] = twice(p[threadIdx.x]); }");
  CUlinkState state;
  CUmodule module;
  CUfunction function;
  CUdevice device;
  CUcontext context;
  void* code = nullptr;
  size_t bytes = 0;
  cuInit(0);
  cuDeviceGet(&device, 0);
  cuCtxCreate(&context, 0, device);
  char log[200] = "";
  CUjit_option options[] = {CU_JIT_ERROR_LOG_BUFFER, CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES};
  void* values[] = {log, (void*)sizeof log};
  std::printf("%d", cuLinkCreate(2, options, values, &state));
  char ptx[] = ".version 8.0\\n.target sm_90\\n";
  std::printf(" %d", cuLinkAddData(state, CU_JIT_INPUT_PTX, ptx, sizeof ptx, "bad", 0, nullptr, nullptr));
  std::printf(" %d", std::string(log).rfind("bad is code for a GPU, or none", 0) == 0);
  std::printf(" %d", cuLinkAddFile(state, CU_JIT_INPUT_PTX, "none.ptx", 0, nullptr, nullptr));
  std::printf(" %d", cuLinkAddData(state, CU_JIT_INPUT_PTX, one.data(), one.size(), "one", 0, nullptr, nullptr));
  std::printf(" %d", cuLinkAddData(state, CU_JIT_INPUT_PTX, other.data(), other.size(), "other", 0, nullptr, nullptr));
  std::printf(" %d", cuLinkComplete(state, &code, &bytes));
  std::printf(" %d\\n", cuModuleLoadData(&module, code) + cuModuleGetFunction(&function, module, "k") + cuLinkDestroy(state));
  int host[32] = {1, 2, 3};
  CUdeviceptr p;
  void* arguments[] = {&p};
  cuMemAlloc(&p, sizeof host);
  cuMemcpyHtoD(p, host, sizeof host);
  std::printf("%d", cuLaunchKernel(function, 1, 1, 1, 32, 1, 1, 0, 0, arguments, 0));
  cuMemcpyDtoH(host, p, sizeof host);
  std::printf(" %d %d %d\\n", host[0], host[2], host[3]);
  cuMemFree(p);
  cuModuleUnload(module);
}
"""


class DriverTest(RunTest):
    def printed(self, text, *options):
        out, err, code = self.run_program(self.write(text, "my.cu"), *options)
        self.assertEqual((err, code), ("", 0))
        return out.splitlines()

    def test_errors_are_of_a_type_of_their_own(self):
        lines = self.printed(ERRORS)
        self.assertEqual(lines[0], "driver runtime")
        self.assertRegex(lines[1], "^1 CUDA_ERROR_INVALID_VALUE an argument .* 0$")
        self.assertRegex(lines[2], "^301 CUDA_ERROR_FILE_NOT_FOUND the file .* 0$")
        self.assertRegex(lines[3], "^1 CUDA_ERROR_INVALID_VALUE ")
        self.assertEqual(lines[4:], ["12345 null null 1", "0 0 400", "0"])

    def test_hints(self):
        self.assertEqual(self.printed(HINTS), ["0 0 4096 0.5 0 0 1 1", "0 0 0 -1 0 0 1 1 -1 0 0 0", "0 4096 215"])

    def test_attributes(self):
        self.assertEqual(self.printed(ATTRIBUTES), ["1 1 1 0 -1 101 1 0"])

    def test_programs_are_linked(self):
        out, err, code = self.run_program(self.write(LINKING, "my.cu"))
        self.assertEqual((out.splitlines(), code), (["0 218 1 301 0 0 0 0", "0 2 6 0"], 0), err)
        self.assertRegex(err, r"\Awarpz: bad is code for a GPU, or none, and cannot be linked .*\n\Z")


if __name__ == "__main__":
    main()
