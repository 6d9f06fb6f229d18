# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Names of HIP's beside the usual ones: numbers of 8 bits, atomic additions of pairs, calls that do what others do."""

import math
import struct

from kernel_support import RUNTIME, RunTest
from skips import main

NUMBERS = (0.0, 1.0, -1.0, 0.3, 240.0, 447.9, 1e6, -1e6, 0.001, -0.0001, 17.0, 19.0, 57344.0, 1.5 / 1024, -3.3, 2.0 ** -17)
# Bits of the exponent and of the fraction, the bias, and what is no finite number.
FORMATS = {"e4m3_fnuz": (4, 3, 8, lambda code: code == 0x80), "e5m2_fnuz": (5, 2, 16, lambda code: code == 0x80),
           "e4m3": (4, 3, 7, lambda code: code & 0x7F == 0x7F), "e5m2": (5, 2, 15, lambda code: code & 0x7F >= 0x7C)}

BYTES = """\
#include <hip/hip_fp8.h>
""" + RUNTIME + """\
template <class T>
__global__ void convert(const float* in, unsigned char* out, float* back) {
  const T number(in[threadIdx.x]);
  out[threadIdx.x] = number.__x;
  back[threadIdx.x] = number;
}
int main() {
  const float numbers[] = {NUMBERS};
  constexpr int n = sizeof numbers / sizeof *numbers;
  float *in, *back;
  unsigned char* out;
  hipMallocManaged(&in, sizeof numbers);
  hipMallocManaged(&back, sizeof numbers);
  hipMallocManaged(&out, n);
  for (int i = 0; i < n; ++i) in[i] = numbers[i];
  const auto print = [&] {
    hipDeviceSynchronize();
    for (int i = 0; i < n; ++i) printf("%d %.9g\\n", out[i], back[i]);
  };
  CALLS
  hipFree(in), hipFree(back), hipFree(out);
}
""".replace("NUMBERS", ", ".join(f"{number!r}f" for number in NUMBERS)).replace("CALLS", "\n  ".join(
    f"convert<__hip_fp8_{name}><<<1, n>>>(in, out, back);\n  print();" for name in FORMATS))

ENDS = """\
#include <hip/hip_fp8.h>
#include <cstdio>
int main() {
  const float inf = __builtin_inff();
  for (const auto format : {__HIP_E4M3_FNUZ, __HIP_E5M2_FNUZ, __HIP_E4M3, __HIP_E5M2}) {
    for (const float each : {-1e6f, inf, __builtin_nanf("")}) {
      for (const auto saturation : {__HIP_NOSAT, __HIP_SATFINITE}) {
        printf(" %02x", __hip_cvt_float_to_fp8(each, saturation, format) & (each != each ? 0x7f : 0xff));
      }
    }
    printf("\\n");
  }
  const __hip_fp8x4_e4m3 four(float4{1, 2, 3, -4});
  const float4 back = four;
  printf("%08x %g %g %d %d\\n", four.__x, back.y, back.w, int(__hip_fp8_e4m3_fnuz(-3.5f)), bool(__hip_fp8_e5m2(0.0f)));
}
"""

PAIRS = """\
#include <hip/hip_fp16.h>
#include <hip/hip_bf16.h>
""" + RUNTIME + """\
__global__ void add(__half2* halves, __hip_bfloat162* others) {
  unsafeAtomicAdd(halves, __half2{__half(1), __half(0.5f)});
  unsafeAtomicAdd(others, __hip_bfloat162{__hip_bfloat16(2), __hip_bfloat16(-1)});
}
int main() {
  __half2* halves;
  __hip_bfloat162* others;
  hipMallocManaged(&halves, sizeof *halves);
  hipMallocManaged(&others, sizeof *others);
  *halves = {__half(0), __half(0)};
  *others = {__hip_bfloat16(0), __hip_bfloat16(0)};
  add<<<2, 48>>>(halves, others);
  hipDeviceSynchronize();
  printf("%g %g %g %g\\n", float(halves->x), float(halves->y), float(others->x), float(others->y));
  hipFree(halves), hipFree(others);
}
"""

CALLS = """\
#include <hip/hip_runtime.h>
#include <cstdio>
#include <cstring>
#define CHECK(call) if (const hipError_t code = (call)) { printf("%s: %s\\n", #call, hipGetErrorName(code)); return 1; }
extern __shared__ float parts[];
__global__ void use(float* p) { parts[threadIdx.x] = 1; *p = 2; }
__global__ void look(hipTextureObject_t t, float* out) { out[threadIdx.x] = tex1Dfetch<float>(t, threadIdx.x); }
int main() {
  // Devices.
  char id[16];
  int device = -1, other = -1;
  CHECK(hipDeviceGetPCIBusId(id, sizeof id, 0));
  CHECK(hipDeviceGetByPCIBusId(&device, id));
  hipDeviceProp_t properties;
  CHECK(hipGetDevicePropertiesR0600(&properties, 0));
  CHECK(hipChooseDevice(&other, &properties));
  hipUUID_t uuid;
  CHECK(hipDeviceGetUuid(&uuid, 0));
  printf("%s %d %d %d %d\\n", id, device, other, std::memcmp(&uuid, &properties.uuid, sizeof uuid) == 0,
         hipGetStreamDeviceId(nullptr));
  // Rows of memory: 3 of 4 elements, 256 bytes apart.
  char* rows;
  CHECK(hipMalloc(&rows, 768));
  CHECK(hipMemset(rows, 0, 768));
  CHECK(hipMemsetD2D16(rows, 256, 0x1234, 4, 3));
  CHECK(hipMemsetD2D32(rows, 256, 0x89abcdef, 1, 2));
  CHECK(hipMemsetD2D8(rows, 256, 7, 1, 1));
  unsigned char bytes[768];
  CHECK(hipMemcpy(bytes, rows, 768, hipMemcpyDeviceToHost));
  printf("%02x%02x%02x%02x %02x%02x %02x %02x%02x %02x\\n", bytes[0], bytes[1], bytes[2], bytes[3], bytes[256], bytes[260],
         bytes[512], bytes[518], bytes[519], bytes[520]);
  // Arrays.
  const float four[] = {1, 2, 3, 4};
  float back[4] = {};
  const hipChannelFormatDesc element = hipCreateChannelDesc<float>();
  hipArray_t one, two;
  CHECK(hipMallocArray(&one, &element, 4));
  CHECK(hipMallocArray(&two, &element, 4));
  CHECK(hipMemcpyHtoAAsync(one, 0, four, 16, nullptr));
  CHECK(hipMemcpyAtoD(rows, one, 4, 12));
  CHECK(hipMemcpyDtoA(two, 0, rows, 12));
  CHECK(hipMemcpyAtoA(two, 12, one, 0, 4));
  CHECK(hipMemcpyAtoHAsync(back, two, 0, 16, nullptr));
  CHECK(hipDeviceSynchronize());
  printf("%g %g %g %g\\n", back[0], back[1], back[2], back[3]);
  // A texture as the driver makes it: of bytes, read as floats from 0 to 1 unless they are to stay integers.
  const unsigned char texels[] = {0, 51, 255};
  CHECK(hipMemcpy(rows, texels, 3, hipMemcpyHostToDevice));
  HIP_RESOURCE_DESC resource{};
  resource.resType = HIP_RESOURCE_TYPE_LINEAR;
  resource.res.linear = {rows, HIP_AD_FORMAT_UNSIGNED_INT8, 1, 3};
  HIP_TEXTURE_DESC sampling{};
  hipTextureObject_t texture;
  CHECK(hipTexObjectCreate(&texture, &resource, &sampling, nullptr));
  float* seen;
  CHECK(hipExtHostAlloc((void**)&seen, 3 * sizeof *seen, 0));
  look<<<1, 3>>>(texture, seen);
  CHECK(hipDeviceSynchronize());
  printf("%g %g %g\\n", seen[0], seen[1], seen[2]);
  CHECK(hipTexObjectDestroy(texture));
  // Blocks whose shared memory grows with them: 64 KiB hold two blocks of 1024 threads with 32 bytes each.
  int grid = 0, block = 0, blocks = 0;
  CHECK(hipOccupancyMaxPotentialBlockSizeVariableSMem(&grid, &block, use, [](int size) { return 32 * size; }));
  CHECK(hipDeviceGetAttribute(&blocks, hipDeviceAttributeMultiprocessorCount, 0));
  printf("%d %d\\n", block, grid / blocks);
  CHECK(hipOccupancyMaxPotentialBlockSizeVariableSMem(&grid, &block, use, [](int size) { return 64 * size; }, 512));
  printf("%d %d\\n", block, grid / blocks);
  hipFreeHost(seen), hipFreeArray(one), hipFreeArray(two), hipFree(rows);
}
"""


def nearest(number, name):
    """(bits, value) of the number that is nearest, the largest one where it is too large; of two, the even one."""
    exponent_bits, fraction_bits, bias, is_none = FORMATS[name]
    best = None
    for code in range(128):
        if is_none(code):
            continue
        exponent, fraction = code >> fraction_bits, code & (1 << fraction_bits) - 1
        value = math.ldexp(fraction + (1 << fraction_bits if exponent else 0), max(exponent, 1) - bias - fraction_bits)
        key = (abs(value - abs(number)), code & 1)
        if best is None or key < best[0]:
            best = (key, code, value)
    code, value = best[1:]
    if number < 0 and (code != 0 or not name.endswith("fnuz")):
        return code | 0x80, -value
    return code, value


# Managed memory whose hints are asked for, a kernel by its symbol, a box between devices, what can be set of a pointer.
ASKED = RUNTIME + """\
__global__ void fill(int* out, int value) { out[threadIdx.x] = value + threadIdx.x; }
void tell(hipError_t code) { printf("%s\\n", hipGetErrorName(code)); }
#define CHECK(call) if ((call) != hipSuccess) { printf("line %d\\n", __LINE__); return 1; }
int main() {
  int *managed, *box, value = 9;
  CHECK(hipMallocManaged(&managed, 4096));
  CHECK(hipMemAdvise(managed, 4096, hipMemAdviseSetReadMostly, 0));
  CHECK(hipMemAdvise(managed, 4096, hipMemAdviseSetAccessedBy, hipCpuDeviceId));
  CHECK(hipMemAdvise(managed, 4096, hipMemAdviseSetPreferredLocation, 0));
  CHECK(hipMemPrefetchAsync(managed, 4096, hipCpuDeviceId));
  int mostly = 9, preferred = 9, prefetched = 9, users[3] = {9, 9, 9}, mode = 9;
  void* values[] = {&mostly, &preferred, &prefetched, users};
  size_t sizes[] = {4, 4, 4, sizeof users};
  hipMemRangeAttribute asked[] = {hipMemRangeAttributeReadMostly, hipMemRangeAttributePreferredLocation,
                                  hipMemRangeAttributeLastPrefetchLocation, hipMemRangeAttributeAccessedBy};
  CHECK(hipMemRangeGetAttributes(values, sizes, asked, 4, managed, 4096));
  CHECK(hipMemRangeGetAttribute(&mode, 4, hipMemRangeAttributeCoherencyMode, managed, 4096));
  printf("%d %d %d %d %d %d %d\\n", mostly, preferred, prefetched, users[0], users[1], users[2], mode);
  CHECK(hipMemAdvise(managed, 4096, hipMemAdviseUnsetReadMostly, 0));
  CHECK(hipMemRangeGetAttribute(&mostly, 4, hipMemRangeAttributeReadMostly, managed, 100));
  printf("%d\\n", mostly);
  tell(hipMemRangeGetAttribute(&mostly, 2, hipMemRangeAttributeReadMostly, managed, 4096));
  tell(hipMemRangeGetAttribute(&mostly, 4, hipMemRangeAttributeReadMostly, &value, 4));
  tell(hipStreamAttachMemAsync(nullptr, managed));
  tell(hipStreamAttachMemAsync(nullptr, managed + 1));

  hipFunction_t function;
  CHECK(hipGetFuncBySymbol(&function, (const void*)fill));
  void* arguments[] = {&managed, &value};
  CHECK(hipModuleLaunchKernel(function, 1, 1, 1, 32, 1, 1, 0, nullptr, arguments, nullptr));
  CHECK(hipDeviceSynchronize());
  printf("%d\\n", managed[31]);
  tell(hipGetFuncBySymbol(&function, &value));

  // Four rows of 8 ints into rows of 16.
  CHECK(hipMalloc(&box, 4 * 64));
  hipMemcpy3DPeerParms copy{};
  copy.srcPtr = make_hipPitchedPtr(managed, 32, 8, 4);
  copy.dstPtr = make_hipPitchedPtr(box, 64, 8, 4);
  copy.extent = make_hipExtent(32, 4, 1);
  CHECK(hipMemcpy3DPeer(&copy));
  CHECK(hipMemcpy(&value, box + 3 * 16 + 7, 4, hipMemcpyDeviceToHost));
  const int yes = 1;
  CHECK(hipPointerSetAttribute(&yes, HIP_POINTER_ATTRIBUTE_SYNC_MEMOPS, box));
  tell(hipPointerSetAttribute(&yes, HIP_POINTER_ATTRIBUTE_MEMORY_TYPE, box));
  printf("%d\\n", value);
  CHECK(hipFree(box));
  CHECK(hipFree(managed));
}
"""
VALUE = "hipErrorInvalidValue"
# 9 + 31 twice: by the kernel, and at the end of the fourth row.
OF_ASKED = f"1 0 -1 -1 -2 -2 0\n0\n{VALUE}\n{VALUE}\nhipSuccess\n{VALUE}\n40\nhipErrorInvalidDeviceFunction\n{VALUE}\n40\n"


class NamesTest(RunTest):
    maxDiff = None

    def runs(self, text, output, *words):
        self.write(text)
        self.assertEqual(self.run_program("my.hip", *words), (output, "", 0))

    def test_numbers_of_8_bits(self):
        numbers = [struct.unpack("f", struct.pack("f", number))[0] for number in NUMBERS]
        expected = "".join("%d %.9g\n" % nearest(number, name) for name in FORMATS for number in numbers)
        self.runs(BYTES, expected)

    def test_what_is_too_large_for_8_bits(self):
        # Without and with saturation: -10^6, an infinity, a NaN.
        self.runs(ENDS, " 80 ff 80 80 00 00\n 80 ff 80 80 00 00\n ff fe 7f 7e 7f 7f\n fc fb 7c 7b 7f 7f\n"
                        "c8444038 2 -4 -3 0\n")

    def test_pairs_are_added_atomically(self):
        self.runs(PAIRS, "96 48 192 -96\n", "--warp-size", "64")

    def test_what_is_asked_and_set(self):
        self.runs(ASKED, OF_ASKED)

    def test_calls_that_do_what_others_do(self):
        self.runs(CALLS, "0000:00:00.0 0 0 1 0\n07cdab89 ef34 34 3412 00\n2 3 4 1\n0 0.2 1\n1024 2\n512 2\n")


if __name__ == "__main__":
    main()
