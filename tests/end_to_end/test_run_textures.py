# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Whole programs with arrays, textures and surfaces, in HIP and in CUDA form. What is expected is computed here."""

import math

from kernel_support import RunTest
from skips import main

WIDTH, HEIGHT = 8, 4

# A texture by an object and by a reference, and a surface of the same array. CUDA has the same names but for a prefix.
PROGRAM = """\
#include <cstdio>
texture<float, 2, RUNTIME(ReadModeElementType)> bound;
__global__ void by_object(RUNTIME(TextureObject_t) read, float* out) {
  out[threadIdx.x] = tex2D<float>(read, threadIdx.x * 0.3f, 1.3f);
}
__global__ void by_reference(float* out) { out[threadIdx.x] = tex2D(bound, threadIdx.x * 0.3f, 1.3f); }
__global__ void add_one(RUNTIME(SurfaceObject_t) surface) {
  float value;
  surf2Dread(&value, surface, threadIdx.x * 4, 0);
  surf2Dwrite(value + 1, surface, threadIdx.x * 4, 3);
}
template <class T>
void print(const T* numbers, int count) {
  for (int i = 0; i < count; ++i) std::printf("%.9g ", numbers[i]);
  std::puts("");
}
#define CHECK(call) if (call != RUNTIME(Success)) return __LINE__
int main() {
  const int width = 8, height = 4, count = 32;
  float numbers[count], *out, back[count];
  for (int i = 0; i < count; ++i) numbers[i] = i * i;
  const auto element = RUNTIME(CreateChannelDesc)<float>();
  RUNTIME(Array_t) array;
  CHECK(RUNTIME(MallocArray)(&array, &element, width, height));
  CHECK(RUNTIME(Memcpy2DToArray)(array, 0, 0, numbers, width * 4, width * 4, height, RUNTIME(MemcpyHostToDevice)));
  RUNTIME(ResourceDesc) resource = {};
  resource.resType = RUNTIME(ResourceTypeArray);
  resource.res.array.array = array;
  RUNTIME(TextureDesc) sampling = {};
  sampling.addressMode[0] = sampling.addressMode[1] = RUNTIME(AddressModeClamp);
  sampling.filterMode = RUNTIME(FilterModeLinear);
  RUNTIME(TextureObject_t) object = 0;
  CHECK(RUNTIME(CreateTextureObject)(&object, &resource, &sampling, NULL));
  bound.addressMode[0] = bound.addressMode[1] = RUNTIME(AddressModeClamp);
  bound.filterMode = RUNTIME(FilterModeLinear);
  CHECK(RUNTIME(BindTextureToArray)(bound, array, element));
  RUNTIME(SurfaceObject_t) surface;
  CHECK(RUNTIME(CreateSurfaceObject)(&surface, &resource));
  CHECK(RUNTIME(Malloc)(&out, sizeof back));
  by_object<<<1, count>>>(object, out);
  CHECK(RUNTIME(Memcpy)(back, out, sizeof back, RUNTIME(MemcpyDeviceToHost)));
  print(back, count);
  by_reference<<<1, count>>>(out);
  CHECK(RUNTIME(Memcpy)(back, out, sizeof back, RUNTIME(MemcpyDeviceToHost)));
  print(back, count);
  add_one<<<1, width>>>(surface);
  CHECK(RUNTIME(Memcpy2DFromArray)(back, width * 4, array, 0, 3, width * 4, 1, RUNTIME(MemcpyDeviceToHost)));
  print(back, width);
  CHECK(RUNTIME(UnbindTexture)(bound));
  CHECK(RUNTIME(DestroySurfaceObject)(surface));
  CHECK(RUNTIME(DestroyTextureObject)(object));
  CHECK(RUNTIME(FreeArray)(array));
  CHECK(RUNTIME(Free)(out));
}
"""

HIP = "#include <hip/hip_runtime.h>\n#define RUNTIME(name) hip##name\n" + PROGRAM
CUDA = "#define RUNTIME(name) cuda##name\n" + PROGRAM

# References of a module, by the driver's calls: an array, read between and at its elements and beside it, and bytes.
REFERENCES = """\
#include <hip/hip_runtime.h>
texture<float, 2, hipReadModeElementType> plane;
texture<unsigned char, 1, hipReadModeNormalizedFloat> line;
extern "C" __global__ void sample(float* out) { out[threadIdx.x] = tex2D(plane, threadIdx.x * 0.3f, 1.3f); }
extern "C" __global__ void fetch(float* out) { out[threadIdx.x] = tex1Dfetch(line, threadIdx.x); }
"""
USES_REFERENCES = """\
#include <hip/hip_runtime.h>
#include <cstdio>
#define CHECK(call) if (const hipError_t code = (call)) { printf("%s: %s\\n", #call, hipGetErrorName(code)); return 1; }
hipModule_t module;
float *out, back[32];
hipError_t launch(const char* kernel) {
  hipFunction_t function;
  void* arguments[] = {&out};
  if (const hipError_t code = hipModuleGetFunction(&function, module, kernel)) return code;
  if (const hipError_t code = hipModuleLaunchKernel(function, 1, 1, 1, 32, 1, 1, 0, nullptr, arguments, nullptr)) return code;
  return hipMemcpy(back, out, sizeof back, hipMemcpyDeviceToHost);
}
hipError_t print(const char* kernel) {
  const hipError_t code = launch(kernel);
  for (const float each : back) printf("%.9g ", each);
  puts("");
  return code;
}
int main() {
  float numbers[32];
  unsigned char bytes[32], *memory;
  for (int i = 0; i < 32; ++i) numbers[i] = i * i, bytes[i] = 8 * i;
  const auto element = hipCreateChannelDesc<float>();
  hipArray_t array, bound;
  CHECK(hipMalloc(&out, sizeof back));
  CHECK(hipMalloc(&memory, sizeof bytes));
  CHECK(hipMemcpy(memory, bytes, sizeof bytes, hipMemcpyHostToDevice));
  CHECK(hipMallocArray(&array, &element, 8, 4));
  CHECK(hipMemcpy2DToArray(array, 0, 0, numbers, 32, 32, 4, hipMemcpyHostToDevice));
  CHECK(hipModuleLoad(&module, "references.co"));
  hipTexRef plane, line, none;
  printf("%s\\n", hipGetErrorName(hipModuleGetTexRef(&none, module, "nothing")));
  CHECK(hipModuleGetTexRef(&plane, module, "plane"));
  CHECK(hipModuleGetTexRef(&line, module, "line"));
  for (int i = 0; i < 2; ++i) CHECK(hipTexRefSetAddressMode(plane, i, hipAddressModeClamp));
  CHECK(hipTexRefSetFilterMode(plane, hipFilterModeLinear));
  CHECK(hipTexRefSetFlags(plane, 0));
  CHECK(hipTexRefSetArray(plane, array, HIP_TRSA_OVERRIDE_FORMAT));
  CHECK(print("sample"));
  // What is set once it is bound counts from the next launch on.
  CHECK(hipTexRefSetFilterMode(plane, hipFilterModePoint));
  float color[4] = {-5, 0, 0, 0};
  CHECK(hipTexRefSetBorderColor(plane, color));
  CHECK(hipTexRefSetAddressMode(plane, 0, hipAddressModeBorder));
  CHECK(print("sample"));
  CHECK(hipTexRefSetFormat(line, HIP_AD_FORMAT_UNSIGNED_INT8, 1));
  CHECK(hipTexRefSetFlags(line, 0));
  CHECK(hipTexRefSetAddress(nullptr, line, memory, sizeof bytes));
  CHECK(print("fetch"));
  hipTextureAddressMode mode;
  hipTextureFilterMode filter;
  hipArray_Format format;
  hipDeviceptr_t address;
  int components = 0;
  unsigned flags = 9;
  CHECK(hipTexRefGetAddressMode(&mode, plane, 0));
  CHECK(hipTexRefGetFilterMode(&filter, plane));
  CHECK(hipTexRefGetFormat(&format, &components, plane));
  CHECK(hipTexRefGetFlags(&flags, plane));
  CHECK(hipTexRefGetArray(&bound, plane));
  CHECK(hipTexRefGetAddress(&address, line));
  color[0] = 0;
  CHECK(hipTexRefGetBorderColor(color, plane));
  printf("%d %d %d %d %u %d %d %g\\n", mode == hipAddressModeBorder, filter == hipFilterModePoint,
         format == HIP_AD_FORMAT_FLOAT, components, flags, bound == array, address == memory, color[0]);
  printf("%s\\n", hipGetErrorName(hipTexRefGetAddress(&address, plane)));
  CHECK(hipModuleUnload(module));
  CHECK(hipFreeArray(array));
  CHECK(hipFree(memory));
  CHECK(hipFree(out));
}
"""

# One mistake, chosen by a macro.
MISTAKES = """\
#include <hip/hip_runtime.h>
__global__ void read(hipTextureObject_t object, float* out) {
  out[threadIdx.x] = tex1D<float>(object, threadIdx.x);
}
__global__ void pass_on(hipSurfaceObject_t surface, float* out) {
  surf1Dwrite(1.0f, surface, threadIdx.x * 4);
#ifndef RACE
  __syncthreads();
#endif
  out[threadIdx.x] = surf1Dread<float>(surface, (63 - threadIdx.x) * 4);
}
int main() {
  [[maybe_unused]] float numbers[64] = {};
  float* out;
  const hipChannelFormatDesc element = hipCreateChannelDesc<float>();
  hipArray_t array;
  if (hipMallocArray(&array, &element, 64) != hipSuccess || hipMalloc(&out, 256) != hipSuccess) return 1;
#ifndef UNWRITTEN
  if (hipMemcpyToArray(array, 0, 0, numbers, 256, hipMemcpyHostToDevice) != hipSuccess) return 1;
#endif
  hipResourceDesc resource = {};
  resource.resType = hipResourceTypeArray;
  resource.res.array.array = array;
  hipTextureDesc sampling = {};
  hipTextureObject_t object;
  hipSurfaceObject_t surface;
  if (hipCreateTextureObject(&object, &resource, &sampling, nullptr) != hipSuccess) return 1;
  if (hipCreateSurfaceObject(&surface, &resource) != hipSuccess) return 1;
#ifdef DESTROYED
  if (hipDestroyTextureObject(object) != hipSuccess) return 1;
#endif
#ifdef FREED
  if (hipFreeArray(array) != hipSuccess) return 1;
#endif
#ifdef NOTHING
  object = nullptr;
#endif
#if defined(RACE) || defined(ORDERED)
  pass_on<<<1, 64>>>(surface, out);
#else
  read<<<1, 64>>>(object, out);
#endif
  return hipDeviceSynchronize() == hipSuccess ? 0 : 1;
}
"""


def sampled(i):
    """What the kernels read, by CUDA's formulas: weights in multiples of 1/256, elements beside the texture clamped."""
    def element(x, y):
        x, y = min(max(x, 0), WIDTH - 1), min(max(y, 0), HEIGHT - 1)
        return (y * WIDTH + x) ** 2

    def place(coordinate):
        steps = math.floor((coordinate - 0.5) * 256 + 0.5)
        return steps // 256, steps % 256 / 256

    x, a = place(i * 0.3)
    y, b = place(1.3)
    return ((1 - a) * (1 - b) * element(x, y) + a * (1 - b) * element(x + 1, y) +
            (1 - a) * b * element(x, y + 1) + a * b * element(x + 1, y + 1))


class Textures(RunTest):
    def test_references_of_a_module(self):
        self.write(REFERENCES, "references.hip")
        self.write(USES_REFERENCES, "uses.hip")
        out, err, code = self.run_program("uses.hip")
        self.assertEqual((err, code), ("", 0))
        missing, between, at, fetched, told, refused = out.splitlines()
        self.assertEqual((missing, told, refused), ("hipErrorNotFound", "1 1 1 1 0 1 1 -5", "hipErrorInvalidValue"))
        for i, number in enumerate(between.split()):
            self.assertAlmostEqual(float(number), sampled(i), delta=1e-5 * max(1, sampled(i)))
        columns = [math.floor(i * 0.3 + 1e-6) for i in range(32)]
        self.assertEqual([float(each) for each in at.split()], [(8 + x) ** 2 if x < WIDTH else -5 for x in columns])
        for i, number in enumerate(fetched.split()):
            self.assertAlmostEqual(float(number), 8 * i / 255, places=6)

    def expect_values(self, file):
        for warp_size in (32, 64):
            with self.subTest(warp_size=warp_size):
                out, err, code = self.run_program(file, "--warp-size", warp_size)
                self.assertEqual((err, code), ("", 0))
                by_object, by_reference, row = ([float(word) for word in line.split()] for line in out.splitlines())
                for found in (by_object, by_reference):
                    self.assertEqual(len(found), WIDTH * HEIGHT)
                    for i, value in enumerate(found):
                        self.assertAlmostEqual(value, sampled(i), delta=1e-4)
                self.assertEqual(row, [float(i * i + 1) for i in range(WIDTH)])

    def test_hip(self):
        self.expect_values(self.write(HIP))

    def test_cuda(self):
        self.expect_values(self.write(CUDA, "my.cu"))

    def expect_finding(self, mistake, kind, line):
        _, err, code = self.run_program("my.hip", "--leaks", "off", "--cxxflags", f"-D{mistake}", "--")
        self.assertEqual(code, 3, err)
        self.assertIn(kind, err.splitlines()[0])
        self.assertIn(f"my.hip:{line}", err)

    def test_mistakes_are_found(self):
        self.write(MISTAKES)
        for mistake, kind, line in (("FREED", "accesses memory that was freed", 3),
                                    ("DESTROYED", "accesses memory that was freed", 3),
                                    ("NOTHING", "null pointer", 3),
                                    ("UNWRITTEN", "memory that nobody has written", 3),
                                    ("RACE", "nothing orders them", 10)):
            with self.subTest(mistake):
                self.expect_finding(mistake, kind, line)

    def test_what_a_barrier_orders_is_right(self):
        self.write(MISTAKES)
        _, err, code = self.run_program("my.hip", "--leaks", "off", "--cxxflags", "-DORDERED", "--")
        self.assertEqual((err, code), ("", 0))


if __name__ == "__main__":
    main()
