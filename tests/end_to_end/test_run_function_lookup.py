# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Whole programs that ask for HIP's functions by their names, and call them."""

from kernel_support import RunTest
from skips import main
from test_run_pools import CHECK

PROGRAM = """\
#include <hip/hip_runtime.h>
#include <cstdio>
""" + CHECK + """\
void tell(hipError_t code) { printf("%s\\n", hipGetErrorName(code)); }
__global__ void fill(int* out) { out[threadIdx.x] = 3 * threadIdx.x; }
int main() {
  void* found = nullptr;
  hipDriverProcAddressQueryResult result = HIP_GET_PROC_ADDRESS_VERSION_NOT_SUFFICIENT;
  CHECK(hipGetProcAddress("hipMalloc", &found, HIP_VERSION, hipEnableDefault, &result));
  const auto allocate = (hipError_t (*)(void**, size_t))found;
  printf("%d\\n", result == HIP_GET_PROC_ADDRESS_SUCCESS);
  CHECK(hipGetProcAddress("hipMemcpy", &found, HIP_VERSION, hipEnableLegacyStream, nullptr));
  const auto copy = (hipError_t (*)(void*, const void*, size_t, hipMemcpyKind))found;
  hipDriverEntryPointQueryResult entry = hipDriverEntryPointVersionNotSufficent;
  CHECK(hipGetDriverEntryPoint("hipFree", &found, hipEnablePerThreadDefaultStream, &entry));
  const auto release = (hipError_t (*)(void*))found;
  CHECK(hipGetProcAddress("hipGetDevicePropertiesR0600", &found, 600, 0, nullptr));
  const auto properties = (hipError_t (*)(hipDeviceProp_t*, int))found;
  void* data;
  int host[64];
  hipDeviceProp_t seen;
  CHECK(allocate(&data, sizeof host));
  fill<<<1, 64>>>((int*)data);
  CHECK(copy(host, data, sizeof host, hipMemcpyDeviceToHost));
  CHECK(release(data));
  CHECK(properties(&seen, 0));
  int lanes = 0;
  CHECK(hipDeviceGetAttribute(&lanes, hipDeviceAttributeWarpSize, 0));
  printf("%d %d %d\\n", entry == hipDriverEntryPointSuccess, host[63], seen.warpSize == lanes);
  // A name that others begin with, and what is none.
  for (const char* name : {"hipMemcpyNone", "hipMem", "", "main"}) {
    result = HIP_GET_PROC_ADDRESS_SUCCESS;
    tell(hipGetProcAddress(name, &found, HIP_VERSION, 0, &result));
    printf("%d %d\\n", result == HIP_GET_PROC_ADDRESS_SYMBOL_NOT_FOUND, found == nullptr);
  }
  tell(hipGetProcAddress("hipFree", nullptr, HIP_VERSION, 0, nullptr));
  tell(hipGetProcAddress(nullptr, &found, HIP_VERSION, 0, nullptr));
  tell(hipGetProcAddress("hipFree", &found, HIP_VERSION, 3, nullptr));
  tell(hipGetDriverEntryPoint("hipNone", &found, 0, &entry));
  printf("%d\\n", entry == hipDriverEntryPointSymbolNotFound);
}
"""
VALUE = "hipErrorInvalidValue"
EXPECTED = ["1", "1 189 1", *[VALUE, "1 1"] * 4, *[VALUE] * 4, "1"]

CUDA = """\
#include <cuda.h>
#include <cuda_runtime.h>
#include <cstdio>
#define CHECK(call) if (const int code = (int)(call)) { printf("%s: %d\\n", #call, code); return 1; }
__global__ void fill(int* out) { out[threadIdx.x] = 3 * threadIdx.x; }
template <class Function>
Function function(const char* name) {
  void* found = nullptr;
  CUdriverProcAddressQueryResult result;
  return cuGetProcAddress(name, &found, CUDA_VERSION, CU_GET_PROC_ADDRESS_DEFAULT, &result) == CUDA_SUCCESS &&
         result == CU_GET_PROC_ADDRESS_SUCCESS ? (Function)found : nullptr;
}
int main() {
  CHECK(cudaFree(nullptr));
  const auto allocate = function<CUresult (*)(CUdeviceptr*, size_t)>("cuMemAlloc");
  const auto copy = function<CUresult (*)(void*, CUdeviceptr, size_t)>("cuMemcpyDtoH_v2");
  void* found = nullptr;
  cudaDriverEntryPointQueryResult entry;
  CHECK(cudaGetDriverEntryPoint("cuMemFree", &found, cudaEnableDefault, &entry));
  CUdeviceptr data = 0;
  int host[64];
  CHECK(allocate(&data, sizeof host));
  fill<<<1, 64>>>((int*)data);
  CHECK(copy(host, data, sizeof host));
  CHECK(((CUresult (*)(CUdeviceptr))found)(data));
  printf("%d %d %d\\n", host[63], entry == cudaDriverEntryPointSuccess, function<void*>("cuNone") == nullptr);
}
"""


class FunctionLookup(RunTest):
    def assert_prints(self, program, file, lines):
        self.write(program, file)
        for options in (["--warp-size", "32"], ["--warp-size", "64"], ["--check", "off"]):
            self.assertEqual(self.run_program(file, *options), ("".join(f"{each}\n" for each in lines), "", 0))

    def test_finds_functions(self):
        self.assert_prints(PROGRAM, "f.hip", EXPECTED)

    def test_finds_the_driver_s(self):
        self.assert_prints(CUDA, "f.cu", ["189 1 1"])


if __name__ == "__main__":
    main()
