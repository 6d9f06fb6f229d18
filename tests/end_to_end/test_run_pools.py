# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Whole programs that allocate memory in the order of streams, from pools, and that make handles for other processes; in
HIP's and in CUDA's form."""

import re

from kernel_support import RunTest
from skips import main

CHECK = """\
#define CHECK(call) if (const hipError_t code = (call)) { printf("%s: %s\\n", #call, hipGetErrorName(code)); return 1; }
"""

POOLS = """\
#include <hip/hip_runtime.h>
#include <cstdint>
#include <cstdio>
""" + CHECK + """\
__global__ void fill(int* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = 3 * i;
}
hipMemPool_t pool;
unsigned long long bytes(hipMemPoolAttr attribute) {
  std::uint64_t value = 77;
  return hipMemPoolGetAttribute(pool, attribute, &value) == hipSuccess ? value : 99;
}
int main() {
  int there = 0;
  CHECK(hipDeviceGetAttribute(&there, hipDeviceAttributeMemoryPoolsSupported, 0));
  hipMemPool_t own, seen;
  CHECK(hipDeviceGetDefaultMemPool(&own, 0));
  CHECK(hipDeviceGetMemPool(&seen, 0));
  hipMemPoolProps properties{};
  properties.allocType = hipMemAllocationTypePinned;
  properties.location.type = hipMemLocationTypeDevice;
  properties.location.id = 0;
  properties.maxSize = 1 << 20;
  CHECK(hipMemPoolCreate(&pool, &properties));
  std::uint64_t keep = 8192, none = 0;
  CHECK(hipMemPoolSetAttribute(pool, hipMemPoolAttrReleaseThreshold, &keep));
  hipStream_t stream;
  CHECK(hipStreamCreateWithFlags(&stream, hipStreamNonBlocking));
  int *a, *b, *c;
  CHECK(hipMallocFromPoolAsync(&a, 4096 * sizeof(int), pool, stream));
  CHECK(hipMallocAsync(&b, 1024 * sizeof(int), pool, stream));
  printf("%d %d %s\\n", there, own == seen, hipGetErrorName(hipMallocFromPoolAsync(&c, 1 << 20, pool, stream)));
  fill<<<16, 256, 0, stream>>>(a, 4096);
  fill<<<4, 256, 0, stream>>>(b, 1024);
  int host[4096];
  CHECK(hipMemcpyAsync(host, a, sizeof host, hipMemcpyDeviceToHost, stream));
  CHECK(hipStreamSynchronize(stream));
  long sum = 0;
  for (int each : host) sum += each;
  const auto used = bytes(hipMemPoolAttrUsedMemCurrent);
  CHECK(hipFreeAsync(a, stream));
  // What is freed stays reserved until the host waits; then the threshold stays.
  printf("%ld %llu %llu %llu %llu\\n", sum, used, bytes(hipMemPoolAttrUsedMemCurrent), bytes(hipMemPoolAttrUsedMemHigh),
         bytes(hipMemPoolAttrReservedMemCurrent));
  CHECK(hipStreamSynchronize(stream));
  printf("%llu %llu\\n", bytes(hipMemPoolAttrReservedMemCurrent), bytes(hipMemPoolAttrReservedMemHigh));
  CHECK(hipMemPoolTrimTo(pool, 0));
  CHECK(hipMemPoolSetAttribute(pool, hipMemPoolAttrReservedMemHigh, &none));
  printf("%llu %llu\\n", bytes(hipMemPoolAttrReservedMemCurrent), bytes(hipMemPoolAttrReservedMemHigh));
  // The current pool is where hipMallocAsync allocates; the pool of a device takes over from one that is destroyed.
  CHECK(hipDeviceSetMemPool(0, pool));
  CHECK(hipMallocAsync(&c, 100, stream));
  CHECK(hipDeviceGetMemPool(&seen, 0));
  printf("%d %llu\\n", seen == pool, bytes(hipMemPoolAttrUsedMemCurrent));
  CHECK(hipFree(c));
  CHECK(hipMemPoolDestroy(pool));
  CHECK(hipDeviceGetMemPool(&seen, 0));
  printf("%d %s\\n", seen == own, hipGetErrorName(hipMemPoolDestroy(pool)));
  // Its memory is still there.
  CHECK(hipMemcpyAsync(host, b, 4096, hipMemcpyDeviceToHost, stream));
  CHECK(hipFreeAsync(b, stream));
  CHECK(hipStreamSynchronize(stream));
  printf("%d\\n", host[1023]);
  CHECK(hipStreamDestroy(stream));
}
"""

# 20 KiB in use; 16 of them are freed, 8 stay reserved, then the 4 in use.
EXPECTED = f"1 1 {{error}}\n{3 * 4096 * 4095 // 2} 20480 4096 20480 20480\n8192 20480\n4096 4096\n1 4196\n1 {{value}}\n3069\n"

REFUSED = """\
#include <hip/hip_runtime.h>
#include <cstdint>
#include <cstdio>
void tell(hipError_t code) { printf("%s\\n", hipGetErrorName(code)); }
int main() {
  hipMemPool_t own, pool;
  hipMemPoolProps properties{};
  tell(hipMemPoolCreate(&pool, &properties));
  properties.allocType = hipMemAllocationTypePinned;
  properties.location.type = hipMemLocationTypeDevice;
  properties.location.id = 9;
  tell(hipMemPoolCreate(&pool, &properties));
  properties.location.id = 0;
  properties.handleTypes = hipMemHandleTypePosixFileDescriptor;
  tell(hipMemPoolCreate(&pool, &properties));
  tell(hipDeviceGetDefaultMemPool(&own, 9));
  tell(hipDeviceGetDefaultMemPool(&own, 0));
  tell(hipMemPoolDestroy(own));
  std::uint64_t one = 1;
  tell(hipMemPoolSetAttribute(own, hipMemPoolAttrUsedMemHigh, &one));
  tell(hipMemPoolSetAttribute(own, hipMemPoolAttrUsedMemCurrent, &one));
  hipMemAccessDesc access{};
  access.location.type = hipMemLocationTypeDevice;
  access.flags = hipMemAccessFlagsProtNone;
  tell(hipMemPoolSetAccess(own, &access, 1));
  access.flags = hipMemAccessFlagsProtReadWrite;
  tell(hipMemPoolSetAccess(own, &access, 1));
  hipMemAccessFlags flags = hipMemAccessFlagsProtNone;
  tell(hipMemPoolGetAccess(&flags, own, &access.location));
  int handle = 0;
  tell(hipMemPoolExportToShareableHandle(&handle, own, hipMemHandleTypePosixFileDescriptor, 0));
  tell(hipFreeAsync(nullptr, nullptr));
  printf("%d\\n", flags);
}
"""
VALUE, DEVICE, SUPPORT = "hipErrorInvalidValue", "hipErrorInvalidDevice", "hipErrorNotSupported"
REFUSALS = [VALUE, VALUE, SUPPORT, DEVICE, "hipSuccess", VALUE, VALUE, VALUE, DEVICE, "hipSuccess", "hipSuccess", SUPPORT, VALUE, "3"]

HANDLES = """\
#include <hip/hip_runtime.h>
#include <cstdio>
#include <cstring>
""" + CHECK + """\
int main() {
  int *memory, *other, host[4] = {};
  CHECK(hipMalloc(&memory, 64));
  hipIpcMemHandle_t handle, none;
  std::memset(&none, 0, sizeof none);
  CHECK(hipIpcGetMemHandle(&handle, memory));
  printf("%s\\n", hipGetErrorName(hipIpcGetMemHandle(&none, host)));
  printf("%s\\n", hipGetErrorName(hipIpcOpenMemHandle((void**)&other, none, hipIpcMemLazyEnablePeerAccess)));
  printf("%s\\n", hipGetErrorName(hipIpcOpenMemHandle((void**)&other, handle, hipIpcMemLazyEnablePeerAccess)));
  printf("%s\\n", hipGetErrorName(hipIpcCloseMemHandle(memory)));
  hipEvent_t timed, shared, opened;
  hipIpcEventHandle_t of_event;
  CHECK(hipEventCreate(&timed));
  CHECK(hipEventCreateWithFlags(&shared, hipEventInterprocess | hipEventDisableTiming));
  printf("%s\\n", hipGetErrorName(hipIpcGetEventHandle(&of_event, timed)));
  CHECK(hipIpcGetEventHandle(&of_event, shared));
  printf("%s\\n", hipGetErrorName(hipIpcOpenEventHandle(&opened, of_event)));
  CHECK(hipEventDestroy(timed));
  CHECK(hipEventDestroy(shared));
  CHECK(hipFree(memory));
}
"""

USED_AFTER = """\
#include <hip/hip_runtime.h>
__global__ void fill(int* out) { out[threadIdx.x] = 1; }
int main() {
  hipStream_t stream;
  hipStreamCreate(&stream);
  int *a, *lost;
  hipMallocAsync(&a, 128, stream);
  hipMallocAsync(&lost, 256, stream);
  hipFreeAsync(a, stream);
  fill<<<1, 32, 0, stream>>>(a);
  hipStreamSynchronize(stream);
  hipStreamDestroy(stream);
}
"""

# The same addresses may come again: what another stream did to the memory before is forgotten.
AGAIN = """\
#include <hip/hip_runtime.h>
#include <cstdio>
__global__ void fill(int* out, int n) { for (int i = threadIdx.x; i < n; i += blockDim.x) out[i] = i; }
int main() {
  const int n = 1 << 23;
  hipStream_t streams[2];
  for (hipStream_t& each : streams) hipStreamCreateWithFlags(&each, hipStreamNonBlocking);
  for (int i = 0; i < 24; ++i) {
    int* a;
    hipMallocAsync(&a, n * sizeof(int), streams[i % 2]);
    hipMemsetAsync(a, 0, n * sizeof(int), streams[i % 2]);
    fill<<<1, 64, 0, streams[i % 2]>>>(a, 64);
    hipFreeAsync(a, streams[i % 2]);
  }
  hipDeviceSynchronize();
  for (hipStream_t& each : streams) hipStreamDestroy(each);
}
"""


def in_cuda(text):
    """The same program by CUDA's names."""
    text = text.replace("hipDeviceAttributeMemoryPools", "cudaDevAttrMemoryPools")
    return re.sub(r"#include <hip/hip_runtime.h>\n|\bhip(?=[A-Z])", lambda found: "cuda" if found[0] == "hip" else "", text)


class Pools(RunTest):
    def assert_prints(self, program, expected, *options):
        """In both languages, with both warp sizes."""
        self.write(program, "p.hip")
        self.write(in_cuda(program), "p.cu")
        for file in ("p.hip", "p.cu"):
            for lanes in ("32", "64"):
                self.assertEqual(self.run_program(file, "--warp-size", lanes, *options), (expected[file], "", 0))

    def test_give_memory_in_the_order_of_streams(self):
        self.assert_prints(POOLS, {
            "p.hip": EXPECTED.format(error="hipErrorOutOfMemory", value=VALUE),
            "p.cu": EXPECTED.format(error="cudaErrorMemoryAllocation", value="cudaErrorInvalidValue")})

    def test_refuse_what_they_cannot_do(self):
        expected = "".join(f"{each}\n" for each in REFUSALS)
        self.assert_prints(REFUSED, {"p.hip": expected, "p.cu": expected.replace("hip", "cuda")})

    def test_handles_for_other_processes_are_no_use_to_their_own(self):
        expected = [VALUE, VALUE, "hipErrorInvalidContext", VALUE, VALUE, "hipErrorInvalidContext"]
        of_cuda = [each.replace("hip", "cuda").replace("InvalidContext", "DeviceUninitialized") for each in expected]
        self.assert_prints(HANDLES, {"p.hip": "\n".join([*expected, ""]), "p.cu": "\n".join([*of_cuda, ""])})

    def test_memory_is_gone_where_its_stream_frees_it(self):
        self.write(USED_AFTER, "after.hip")
        _, err, code = self.run_program("after.hip")
        self.assertEqual(code, 3)
        self.assertIn("broken rule: after.hip: a lane accesses memory that was freed\n", err)
        for line in ("  allocated at after.hip:7\n", "  freed at after.hip:9\n"):
            self.assertIn(line, err)

    def test_memory_that_is_not_freed_is_a_leak(self):
        self.write(USED_AFTER.replace("  hipFreeAsync(a, stream);\n", "").replace("(a);\n", "(a);\n  hipFreeAsync(a, stream);\n"),
                   "lost.hip")
        _, err, code = self.run_program("lost.hip", "--leaks", "error")
        self.assertEqual(code, 3)
        self.assertIn("at lost.hip:8\n", err)
        self.assertNotIn("lost.hip:7\n", err)

    def test_addresses_that_come_again_have_no_past(self):
        self.write(AGAIN, "again.hip")
        self.assertEqual(self.run_program("again.hip"), ("", "", 0))


if __name__ == "__main__":
    main()
