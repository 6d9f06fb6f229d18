# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Whole programs that reserve addresses, create memory apart from them, and map it there; in HIP's form and in that of
CUDA's driver. Errors are those of HIP's own tests."""

from kernel_support import RunTest
from skips import main
from test_run_pools import CHECK

BEGIN = """\
#include <hip/hip_runtime.h>
#include <cstdio>
#include <cstdint>
""" + CHECK + """\
void tell(hipError_t code) { printf("%s\\n", hipGetErrorName(code)); }
hipMemAllocationProp own() {
  hipMemAllocationProp asked{};
  asked.type = hipMemAllocationTypePinned;
  asked.location.type = hipMemLocationTypeDevice;
  asked.location.id = 0;
  return asked;
}
hipMemAllocationProp of_device = own();
hipMemAccessDesc both{{hipMemLocationTypeDevice, 0}, hipMemAccessFlagsProtReadWrite};
hipMemAccessDesc reads{{hipMemLocationTypeDevice, 0}, hipMemAccessFlagsProtRead};
hipMemAccessDesc none{{hipMemLocationTypeDevice, 0}, hipMemAccessFlagsProtNone};
"""

# An array that grows: its memory is two pieces, and rows of 12 bytes lie on both.
GROWS = BEGIN + """\
struct row { int x, y, z; };
__global__ void fill(row* out, int from, int n) {
  const int i = from + blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = {i, 2 * i, 3 * i};
}
__global__ void reverse(row* out, const row* in, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = in[n - 1 - i];
}
int main() {
  int there = 0;
  size_t piece = 0, most = 0;
  CHECK(hipDeviceGetAttribute(&there, hipDeviceAttributeVirtualMemoryManagementSupported, 0));
  CHECK(hipMemGetAllocationGranularity(&piece, &of_device, hipMemAllocationGranularityMinimum));
  CHECK(hipMemGetAllocationGranularity(&most, &of_device, hipMemAllocationGranularityRecommended));
  void *at, *second;
  CHECK(hipMemAddressReserve(&at, 4 * piece, 0, nullptr, 0));
  CHECK(hipMemAddressReserve(&second, 4 * piece, 8 * piece, nullptr, 0));
  printf("%d %d %d\\n", there, most % piece == 0, (int)((uintptr_t)second % (8 * piece)));
  hipMemGenericAllocationHandle_t pieces[2];
  for (int i = 0; i < 2; ++i) {
    CHECK(hipMemCreate(&pieces[i], piece, &of_device, 0));
    CHECK(hipMemMap((char*)at + i * piece, piece, 0, pieces[i], 0));
    CHECK(hipMemSetAccess((char*)at + i * piece, piece, &both, 1));
    const int from = i * piece / sizeof(row) - i, n = (i + 1) * piece / sizeof(row);
    fill<<<(n - from + 255) / 256, 256>>>((row*)at, from, n);
  }
  const int n = 2 * piece / sizeof(row);
  row *turned, *host = new row[n];
  CHECK(hipMalloc(&turned, n * sizeof(row)));
  reverse<<<(n + 255) / 256, 256>>>(turned, (row*)at, n);
  CHECK(hipMemcpy(host, turned, n * sizeof(row), hipMemcpyDeviceToHost));
  int wrong = 0;
  for (int i = 0; i < n; ++i) wrong += host[i].x != n - 1 - i || host[i].y != 2 * host[i].x || host[i].z != 3 * host[i].x;
  // To other addresses, where it is the same memory; and at both at a time.
  CHECK(hipMemUnmap(at, 2 * piece));
  for (int i = 0; i < 2; ++i) CHECK(hipMemMap((char*)second + i * piece, piece, 0, pieces[i], 0));
  CHECK(hipMemSetAccess(second, 2 * piece, &both, 1));
  CHECK(hipMemcpy(host, second, n * sizeof(row), hipMemcpyDeviceToHost));
  for (int i = 0; i < n; ++i) wrong += host[i].x != i || host[i].y != 2 * i;
  CHECK(hipMemMap(at, piece, 0, pieces[1], 0));
  CHECK(hipMemSetAccess(at, piece, &reads, 1));
  CHECK(hipMemset((char*)second + piece, 7, piece));
  int seven = 0;
  CHECK(hipMemcpy(&seven, at, sizeof seven, hipMemcpyDeviceToHost));
  printf("%d %x\\n", wrong, seven);
  CHECK(hipMemUnmap(at, piece));
  // What is mapped stays when its handle is released.
  for (int i = 0; i < 2; ++i) CHECK(hipMemRelease(pieces[i]));
  hipMemGenericAllocationHandle_t again;
  hipMemAllocationProp seen{};
  CHECK(hipMemRetainAllocationHandle(&again, (char*)second + piece + 1));
  CHECK(hipMemGetAllocationPropertiesFromHandle(&seen, again));
  printf("%d %d\\n", again == pieces[1], seen.type == hipMemAllocationTypePinned && seen.location.id == 0);
  CHECK(hipMemRelease(again));
  CHECK(hipMemUnmap(second, piece));
  CHECK(hipMemUnmap((char*)second + piece, piece));
  CHECK(hipMemAddressFree(at, 4 * piece));
  CHECK(hipMemAddressFree(second, 4 * piece));
  CHECK(hipFree(turned));
  delete[] host;
}
"""

REFUSED = BEGIN + """\
int main() {
  size_t piece = 0;
  CHECK(hipMemGetAllocationGranularity(&piece, &of_device, hipMemAllocationGranularityMinimum));
  hipMemAllocationProp nowhere = own(), pinned_not = own(), shared = own();
  nowhere.location.id = 7;
  pinned_not.type = hipMemAllocationTypeInvalid;
  shared.requestedHandleType = hipMemHandleTypePosixFileDescriptor;
  size_t unused;
  tell(hipMemGetAllocationGranularity(nullptr, &of_device, hipMemAllocationGranularityMinimum));
  tell(hipMemGetAllocationGranularity(&unused, nullptr, hipMemAllocationGranularityMinimum));
  tell(hipMemGetAllocationGranularity(&unused, &nowhere, hipMemAllocationGranularityMinimum));
  tell(hipMemGetAllocationGranularity(&unused, &of_device, (hipMemAllocationGranularity_flags)7));
  hipMemGenericAllocationHandle_t memory, other;
  tell(hipMemCreate(nullptr, piece, &of_device, 0));
  tell(hipMemCreate(&memory, 0, &of_device, 0));
  tell(hipMemCreate(&memory, piece - 1, &of_device, 0));
  tell(hipMemCreate(&memory, piece, &pinned_not, 0));
  tell(hipMemCreate(&memory, piece, &of_device, 1));
  void* at;
  tell(hipMemAddressReserve(nullptr, piece, 0, nullptr, 0));
  tell(hipMemAddressReserve(&at, 0, 0, nullptr, 0));
  tell(hipMemAddressReserve(&at, piece, 3, nullptr, 0));
  tell(hipMemAddressReserve(&at, piece - 1, 0, nullptr, 0));
  CHECK(hipMemCreate(&memory, 2 * piece, &shared, 0));
  CHECK(hipMemAddressReserve(&at, 4 * piece, 0, nullptr, 0));
  char* const begin = (char*)at;
  printf("map:\\n");
  tell(hipMemMap(nullptr, piece, 0, memory, 0));
  tell(hipMemMap(at, 0, 0, memory, 0));
  tell(hipMemMap(at, piece, piece, memory, 0));
  tell(hipMemMap(at, piece, 0, nullptr, 0));
  tell(hipMemMap(at, piece, 0, memory, 1));
  tell(hipMemMap(at, 3 * piece, 0, memory, 0));
  tell(hipMemMap(begin + 3 * piece, 2 * piece, 0, memory, 0));
  tell(hipMemMap(begin + 1, piece, 0, memory, 0));
  CHECK(hipMemMap(at, 2 * piece, 0, memory, 0));
  tell(hipMemMap(begin + piece, 2 * piece, 0, memory, 0));
  printf("access:\\n");
  unsigned long long flags = 9;
  tell(hipMemGetAccess(nullptr, &both.location, at));
  tell(hipMemGetAccess(&flags, nullptr, at));
  tell(hipMemGetAccess(&flags, &both.location, begin + 2 * piece));
  CHECK(hipMemGetAccess(&flags, &both.location, begin + 2 * piece - 1));
  printf("%llu\\n", flags);
  tell(hipMemSetAccess(nullptr, piece, &both, 1));
  tell(hipMemSetAccess(at, 0, &both, 1));
  tell(hipMemSetAccess(at, 2 * piece, nullptr, 1));
  tell(hipMemSetAccess(at, 2 * piece, &both, 0));
  tell(hipMemSetAccess(at, 4 * piece, &both, 1));
  // What cannot be accessed cannot be copied.
  int value = 5;
  tell(hipMemcpy(at, &value, sizeof value, hipMemcpyHostToDevice));
  CHECK(hipMemSetAccess(at, 2 * piece, &both, 1));
  CHECK(hipMemcpy(at, &value, sizeof value, hipMemcpyHostToDevice));
  CHECK(hipMemSetAccess(at, 2 * piece, &reads, 1));
  CHECK(hipMemGetAccess(&flags, &both.location, at));
  tell(hipMemcpy(at, &value, sizeof value, hipMemcpyHostToDevice));
  tell(hipMemset(at, 0, piece));
  value = 0;
  CHECK(hipMemcpy(&value, at, sizeof value, hipMemcpyDeviceToHost));
  printf("%llu %d\\n", flags, value);
  printf("shared:\\n");
  int file = -1;
  tell(hipMemExportToShareableHandle(&file, memory, hipMemHandleTypePosixFileDescriptor, 1));
  CHECK(hipMemExportToShareableHandle(&file, memory, hipMemHandleTypePosixFileDescriptor, 0));
  CHECK(hipMemImportFromShareableHandle(&other, (void*)(uintptr_t)file, hipMemHandleTypePosixFileDescriptor));
  CHECK(hipMemMap(begin + 2 * piece, 2 * piece, 0, other, 0));
  CHECK(hipMemSetAccess(begin + 2 * piece, 2 * piece, &both, 1));
  CHECK(hipMemcpy(&value, begin + 2 * piece, sizeof value, hipMemcpyDeviceToHost));
  printf("%d\\n", value);
  tell(hipMemImportFromShareableHandle(&other, (void*)(uintptr_t)1, hipMemHandleTypePosixFileDescriptor));
  CHECK(hipMemRelease(other));
  printf("gone:\\n");
  tell(hipMemUnmap(nullptr, piece));
  tell(hipMemUnmap(at, 0));
  tell(hipMemUnmap(at, piece));
  tell(hipMemAddressFree(at, 4 * piece));
  tell(hipFree(at));
  CHECK(hipMemUnmap(at, 4 * piece));
  tell(hipMemUnmap(at, 4 * piece));
  tell(hipMemRetainAllocationHandle(&other, at));
  CHECK(hipMemRelease(memory));
  tell(hipMemRelease(memory));
  tell(hipMemGetAllocationPropertiesFromHandle(&shared, memory));
  tell(hipMemMap(at, piece, 0, memory, 0));
  tell(hipMemAddressFree(at, piece));
  CHECK(hipMemAddressFree(at, 4 * piece));
  tell(hipMemAddressFree(at, 4 * piece));
  CHECK(hipMemAddressReserve(&at, piece, 0, begin, 0));
  CHECK(hipMemAddressFree(at, piece));
}
"""
VALUE = "hipErrorInvalidValue"
OF_REFUSED = [*[VALUE] * 13, "map:", *[VALUE] * 9, "access:", *[VALUE] * 3, "0", *[VALUE] * 8, "1 5", "shared:", VALUE, "5",
              VALUE, "gone:", *[VALUE] * 12]

WRONG = BEGIN + """\
__global__ void touch(int* at, int i) { at[i] = threadIdx.x; }
__global__ void add(const int* at, int* sum) { atomicAdd(sum, at[threadIdx.x]); }
int main() {
  size_t piece = 0;
  int* sum;
  CHECK(hipMemGetAllocationGranularity(&piece, &of_device, hipMemAllocationGranularityMinimum));
  void* at;
  hipMemGenericAllocationHandle_t memory;
  CHECK(hipMemAddressReserve(&at, 2 * piece, 0, nullptr, 0));
  CHECK(hipMemCreate(&memory, piece, &of_device, 0));
  CHECK(hipMemMap(at, piece, 0, memory, 0));
  CHECK(hipMemSetAccess(at, piece, &both, 1));
  CHECK(hipMalloc(&sum, sizeof *sum));
  CHECK(hipMemset(sum, 0, sizeof *sum));
  int* const ints = (int*)at;
  [[maybe_unused]] const int n = piece / sizeof(int);
  USE
  CHECK(hipDeviceSynchronize());
  CHECK(hipFree(sum));
  LEAVE
}
"""
LEAVE = "CHECK(hipMemUnmap(at, piece)); CHECK(hipMemRelease(memory)); CHECK(hipMemAddressFree(at, 2 * piece));"

CUDA = """\
#include <cuda.h>
#include <cstdio>
__global__ void fill(int* out) { out[threadIdx.x] = 3 * threadIdx.x; }
#define CHECK(call) if (const CUresult code = (call)) { printf("%s: %d\\n", #call, code); return 1; }
int main() {
  CUdevice device;
  CUcontext context;
  int there = 0;
  CHECK(cuInit(0));
  CHECK(cuDeviceGet(&device, 0));
  CHECK(cuDevicePrimaryCtxRetain(&context, device));
  CHECK(cuCtxSetCurrent(context));
  CHECK(cuDeviceGetAttribute(&there, CU_DEVICE_ATTRIBUTE_VIRTUAL_MEMORY_MANAGEMENT_SUPPORTED, device));
  CUmemAllocationProp asked = {}, seen = {};
  asked.type = CU_MEM_ALLOCATION_TYPE_PINNED;
  asked.location.type = CU_MEM_LOCATION_TYPE_DEVICE;
  asked.location.id = device;
  asked.requestedHandleTypes = CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR;
  size_t piece = 0;
  CHECK(cuMemGetAllocationGranularity(&piece, &asked, CU_MEM_ALLOC_GRANULARITY_MINIMUM));
  CUdeviceptr at = 0;
  CUmemGenericAllocationHandle memory, again;
  CHECK(cuMemAddressReserve(&at, 2 * piece, 0, 0, 0));
  CHECK(cuMemCreate(&memory, piece, &asked, 0));
  CHECK(cuMemMap(at + piece, piece, 0, memory, 0));
  CUmemAccessDesc access = {};
  access.location = asked.location;
  access.flags = CU_MEM_ACCESS_FLAGS_PROT_READWRITE;
  CHECK(cuMemSetAccess(at + piece, piece, &access, 1));
  unsigned long long flags = 0;
  CHECK(cuMemGetAccess(&flags, &access.location, at + piece));
  fill<<<1, 64>>>((int*)(at + piece));
  int host[64];
  CHECK(cuMemcpyDtoH(host, at + piece, sizeof host));
  CHECK(cuMemRetainAllocationHandle(&again, (void*)(at + piece)));
  CHECK(cuMemGetAllocationPropertiesFromHandle(&seen, again));
  CHECK(cuMemRelease(again));
  int file = -1;
  CHECK(cuMemExportToShareableHandle(&file, memory, CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR, 0));
  CHECK(cuMemImportFromShareableHandle(&again, (void*)(size_t)file, CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR));
  CHECK(cuMemRelease(again));
  printf("%d %zu %d %d %d\\n", there, piece, host[63], flags == CU_MEM_ACCESS_FLAGS_PROT_READWRITE,
         seen.requestedHandleTypes == asked.requestedHandleTypes);
  CHECK(cuMemUnmap(at + piece, piece));
  CHECK(cuMemRelease(memory));
  printf("%d\\n", cuMemAddressFree(at, piece));
  CHECK(cuMemAddressFree(at, 2 * piece));
  CHECK(cuDevicePrimaryCtxRelease(device));
}
"""


def line_of(text):
    return 1 + WRONG[:WRONG.index(text)].count("\n")


class VirtualMemory(RunTest):
    def assert_prints(self, program, lines, file="v.hip"):
        self.write(program, file)
        for options in (["--warp-size", "32"], ["--warp-size", "64"], ["--check", "off"]):
            self.assertEqual(self.run_program(file, *options), ("".join(f"{each}\n" for each in lines), "", 0))

    def found(self, use, *words, leave=LEAVE):
        """What is found in a program that uses the memory so."""
        self.write(WRONG.replace("USE\n", use + "\n").replace("LEAVE\n", leave + "\n"), "wrong.hip")
        _, err, code = self.run_program("wrong.hip", *words)
        self.assertEqual(code, 3, err)
        return err

    def test_grows(self):
        self.assert_prints(GROWS, ["1 1 0", "0 7070707", "1 1"])

    def test_has_hip_s_errors(self):
        self.assert_prints(REFUSED, OF_REFUSED)

    def test_has_cuda_s_names(self):
        self.assert_prints(CUDA, ["1 4096 189 1 1", "1"], "v.cu")

    def test_right_uses_find_nothing(self):
        self.write(WRONG.replace("USE\n", "touch<<<1, 1>>>(ints, n - 1);\n").replace("LEAVE\n", LEAVE), "right.hip")
        self.assertEqual(self.run_program("right.hip", "--leaks", "error"), ("", "", 0))

    def test_is_not_where_nothing_is_mapped(self):
        err = self.found("touch<<<1, 1>>>(ints, n);")
        self.assertIn("a lane accesses reserved addresses that no memory is mapped to\n", err)
        self.assertIn("Map memory there by hipMemMap, and let the device access it by hipMemSetAccess.", err)
        self.assertIn(f"wrong.hip:{line_of('__global__ void touch')}", err)
        self.assertIn(f"allocated at wrong.hip:{line_of('CHECK(hipMemAddressReserve')}", err)

    def test_ends_with_its_addresses(self):
        self.assertIn("accesses memory past the end of a buffer", self.found("touch<<<1, 1>>>(ints, 2 * n);"))
        self.assertIn("accesses memory before the beginning of a buffer", self.found("touch<<<1, 1>>>(ints, -1);"))

    def test_has_to_be_made_accessible(self):
        err = self.found("CHECK(hipMemSetAccess(at, piece, &none, 1)); touch<<<1, 1>>>(ints, 0);")
        self.assertIn("a lane accesses mapped memory that hipMemSetAccess has not made accessible\n", err)
        self.assertIn(f"allocated at wrong.hip:{line_of('CHECK(hipMemMap')}", err)

    def test_may_be_readable_alone(self):
        err = self.found("CHECK(hipMemset(at, 0, piece)); CHECK(hipMemSetAccess(at, piece, &reads, 1));\n"
                         "  add<<<1, 64>>>(ints, sum); touch<<<1, 1>>>(ints, 0);")
        self.assertIn("touch", err)
        self.assertNotIn("add(", err)

    def test_is_unset_at_first(self):
        err = self.found("add<<<1, 64>>>(ints, sum);")
        self.assertIn("reads memory that nobody has written", err)
        self.assertIn(f"allocated at wrong.hip:{line_of('CHECK(hipMemMap')}", err)

    def test_is_gone_when_it_is_unmapped(self):
        err = self.found("CHECK(hipMemUnmap(at, piece));\n touch<<<1, 1>>>(ints, 0);", leave="")
        self.assertIn("a lane accesses memory that was freed\n", err)
        self.assertIn("freed at wrong.hip:", err)

    def test_is_unmapped_behind_its_use(self):
        err = self.found("hipStream_t stream; CHECK(hipStreamCreateWithFlags(&stream, hipStreamNonBlocking));\n"
                         "  touch<<<1, 1, 0, stream>>>(ints, 0);\n  CHECK(hipMemUnmap(at, piece));", leave="")
        self.assertIn("memory is freed that the kernel touch may still write, as nothing orders the two", err)

    def test_is_a_leak_where_nobody_releases_it(self):
        for leave in ("CHECK(hipMemUnmap(at, piece)); CHECK(hipMemAddressFree(at, 2 * piece));", "CHECK(hipMemRelease(memory));"):
            err = self.found("", "--leaks", "error", leave=leave)
            self.assertIn(f"wrong.hip:{line_of('CHECK(hipMemCreate')}", err)


if __name__ == "__main__":
    main()
