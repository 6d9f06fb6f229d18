# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""CUDA: arithmetic on the parts of a word, compared with Python's; numbers of 8 bits; the driver's names for
attributes of a device, arrays and textures."""

import random

from kernel_support import RunTest
from skips import main


def wrapped(value, bits):
    return value & ((1 << bits) - 1)


def within(value, bits, signed):
    low, high = (-(1 << (bits - 1)), (1 << (bits - 1)) - 1) if signed else (0, (1 << bits) - 1)
    return wrapped(min(max(value, low), high), bits)


def average(total):
    """Half of it, to the nearest integer; halves away from 0."""
    return (abs(total) + 1) // 2 * (1 if total >= 0 else -1)


# For each name whether the parts are signed, and a part of the result.
ONE = {"__vabs": (True, lambda x, bits: wrapped(abs(x), bits)), "__vabsss": (True, lambda x, bits: within(abs(x), bits, True)),
       "__vneg": (True, lambda x, bits: wrapped(-x, bits)), "__vnegss": (True, lambda x, bits: within(-x, bits, True))}
TWO = {"__vadd": (False, lambda x, y, bits: wrapped(x + y, bits)), "__vsub": (False, lambda x, y, bits: wrapped(x - y, bits)),
       "__vhaddu": (False, lambda x, y, bits: (x + y) // 2)}
for letter, is_signed in (("s", True), ("u", False)):
    TWO |= {f"__vadd{letter}s": (is_signed, lambda x, y, bits, s=is_signed: within(x + y, bits, s)),
            f"__vsub{letter}s": (is_signed, lambda x, y, bits, s=is_signed: within(x - y, bits, s)),
            f"__vabsdiff{letter}": (is_signed, lambda x, y, bits: abs(x - y)),
            f"__vavg{letter}": (is_signed, lambda x, y, bits: wrapped(average(x + y), bits)),
            f"__vmax{letter}": (is_signed, lambda x, y, bits: wrapped(max(x, y), bits)),
            f"__vmin{letter}": (is_signed, lambda x, y, bits: wrapped(min(x, y), bits))}
COMPARISONS = {"eq": (False, lambda x, y: x == y), "ne": (False, lambda x, y: x != y)}
for letter, is_signed in (("s", True), ("u", False)):
    COMPARISONS |= {f"ge{letter}": (is_signed, lambda x, y: x >= y), f"gt{letter}": (is_signed, lambda x, y: x > y),
                    f"le{letter}": (is_signed, lambda x, y: x <= y), f"lt{letter}": (is_signed, lambda x, y: x < y)}
for name, (is_signed, holds) in COMPARISONS.items():
    TWO |= {f"__vcmp{name}": (is_signed, lambda x, y, bits, f=holds: (1 << bits) - 1 if f(x, y) else 0),
            f"__vset{name}": (is_signed, lambda x, y, bits, f=holds: int(f(x, y)))}


def parts(word, bits, signed):
    for shift in range(0, 32, bits):
        part = word >> shift & ((1 << bits) - 1)
        yield part - (1 << bits) if signed and part >> (bits - 1) else part


def joined(results, bits):
    return sum(each << bits * place for place, each in enumerate(results))


def expected_lines(words):
    for a, b in words:
        for count, bits in ((2, 16), (4, 8)):
            for name, (signed, part) in ONE.items():
                yield f"{name}{count} {joined((part(x, bits) for x in parts(a, bits, signed)), bits):08x}"
            for name, (signed, part) in TWO.items():
                pairs = zip(parts(a, bits, signed), parts(b, bits, signed))
                yield f"{name}{count} {joined((part(x, y, bits) for x, y in pairs), bits):08x}"
            for letter, signed in (("s", True), ("u", False)):
                pairs = zip(parts(a, bits, signed), parts(b, bits, signed))
                yield f"__vsad{letter}{count} {sum(abs(x - y) for x, y in pairs):08x}"


def program(words):
    calls = []
    for count in (2, 4):
        calls += [f"{name}{count}(a)" for name in ONE] + [f"{name}{count}(a, b)" for name in TWO]
        calls += [f"__vsads{count}(a, b)", f"__vsadu{count}(a, b)"]
    return f"""#include <cstdio>
__device__ unsigned words[][2] = {{{", ".join(f"{{{a}u, {b}u}}" for a, b in words)}}};
__global__ void compute() {{
  for (auto& [a, b] : words) {{
    {" ".join(f'printf("{call.partition("(")[0]} %08x{chr(92)}n", {call});' for call in calls)}
  }}
}}
int main() {{
  compute<<<1, 1>>>();
  return cudaDeviceSynchronize();
}}
"""


BYTES = """\
#include <cuda_fp8.h>
#include <cstdio>
__global__ void round(float* values, __nv_fp8_storage_t* bits) {
  const float value = values[threadIdx.x];
  bits[threadIdx.x] = __nv_cvt_float_to_fp8(value, __NV_SATFINITE, __NV_E4M3);
  values[threadIdx.x] = static_cast<float>(__nv_fp8_e5m2(value));
}
int main() {
  float* values;
  __nv_fp8_storage_t* bits;
  cudaMallocManaged(&values, 4 * sizeof(float));
  cudaMallocManaged(&bits, 4);
  const float given[] = {1.0f, -0.3f, 1000.0f, 0.0f};
  for (int i = 0; i < 4; ++i) values[i] = given[i];
  round<<<1, 4>>>(values, bits);
  cudaDeviceSynchronize();
  for (int i = 0; i < 4; ++i) std::printf("%02x %g\\n", bits[i], values[i]);
  cudaFree(values);
  cudaFree(bits);
}
"""

ATTRIBUTES = """\
#include <cuda.h>
#include <cstdio>
int main() {
  int registers = 0, by_runtime = 0, atomics = -1;
  cuInit(0);
  cuDeviceGetAttribute(&registers, CU_DEVICE_ATTRIBUTE_MAX_REGISTERS_PER_BLOCK, 0);
  cudaDeviceGetAttribute(&by_runtime, cudaDevAttrMaxRegistersPerBlock, 0);
  const cudaError_t same = cudaDeviceGetP2PAttribute(&atomics, cudaDevP2PAttrNativeAtomicSupported, 0, 0);
  std::printf("%d %d %d\\n", registers > 0, registers == by_runtime, same == cudaErrorInvalidDevice);
}
"""

# The middle between each two elements of a row, by the driver's calls alone.
TEXTURE = """\
#include <cuda.h>
#include <cstdio>
__global__ void sample(float* out, cudaTextureObject_t texture) {
  out[threadIdx.x] = tex2D<float>(texture, threadIdx.x + 1.0f, 1.5f);
}
int main() {
  cuInit(0);
  float image[2][4] = {{0, 1, 2, 3}, {10, 20, 40, 80}}, out[4];
  CUDA_ARRAY_DESCRIPTOR shape = {};
  shape.Width = 4, shape.Height = 2, shape.Format = CU_AD_FORMAT_FLOAT, shape.NumChannels = 1;
  CUarray array;
  cuArrayCreate(&array, &shape);
  CUdeviceptr memory;
  cuMemAlloc(&memory, sizeof image);
  cuMemcpyHtoD(memory, image, sizeof image);
  CUDA_MEMCPY2D copy = {};
  copy.srcMemoryType = CU_MEMORYTYPE_DEVICE, copy.srcDevice = memory, copy.srcPitch = sizeof image[0];
  copy.dstMemoryType = CU_MEMORYTYPE_ARRAY, copy.dstArray = array;
  copy.WidthInBytes = sizeof image[0], copy.Height = 2;
  cuMemcpy2D(&copy);
  CUDA_RESOURCE_DESC resource = {};
  resource.resType = CU_RESOURCE_TYPE_ARRAY, resource.res.array.hArray = array;
  CUDA_TEXTURE_DESC how = {};
  how.addressMode[0] = how.addressMode[1] = CU_TR_ADDRESS_MODE_CLAMP, how.filterMode = CU_TR_FILTER_MODE_LINEAR;
  CUtexObject texture;
  const CUresult made = cuTexObjectCreate(&texture, &resource, &how, nullptr);
  sample<<<1, 4>>>(reinterpret_cast<float*>(memory), texture);
  cuMemcpyDtoH(out, memory, sizeof out);
  std::printf("%d: %g %g %g %g\\n", made == CUDA_SUCCESS, out[0], out[1], out[2], out[3]);
  cuTexObjectDestroy(texture);
  cuArrayDestroy(array);
  cuMemFree(memory);
}
"""


class NumbersTest(RunTest):
    def printed(self, text):
        out, err, code = self.run_program(self.write(text, "my.cu"))
        self.assertEqual((err, code), ("", 0))
        return out.splitlines()

    def test_parts_of_a_word(self):
        rng = random.Random(7)
        edges = (0, 0xffffffff, 0x80008000, 0x7fff8000, 0x807f0180, 0x00ff7f80)
        words = [(a, b) for a in edges for b in edges] + [(rng.getrandbits(32), rng.getrandbits(32)) for _ in range(40)]
        self.assertEqual(self.printed(program(words)), list(expected_lines(words)))

    def test_numbers_of_8_bits(self):
        # By the tables of the Open Compute Project: 4 and 3 bits, 5 and 2 bits; the greatest of the first is 448.
        self.assertEqual(self.printed(BYTES), ["38 1", "aa -0.3125", "7e 1024", "00 0"])

    def test_attributes_of_a_device(self):
        self.assertEqual(self.printed(ATTRIBUTES), ["1 1 1"])

    def test_arrays_and_textures_of_the_driver(self):
        self.assertEqual(self.printed(TEXTURE), ["1: 15 30 60 80"])


if __name__ == "__main__":
    main()
