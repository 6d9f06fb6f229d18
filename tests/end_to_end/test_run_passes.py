# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""--run with Clang: host code and device code come from compilations of their own, each with its macros, and refer to
each other as with hipcc."""

import string

from kernel_support import RUNTIME, RunTest
from sampling import long, sample
from skips import main

# What is one thing for the host and another for the device.
SIDES = RUNTIME + """\
#include <algorithm>
#include <vector>
#ifdef __HIP_DEVICE_COMPILE__
#define SIDE 'd'
#else
#define SIDE 'h'
#endif
__host__ __device__ char side() { return SIDE; }
template <class Number> __host__ __device__ Number numbered(Number x) { return side() == 'd' ? x + 1000 : x; }
struct shape {
  int edges;
  __host__ __device__ explicit shape(int n) : edges(numbered(n)) {}
  static __global__ void count(int* out, shape s) { out[threadIdx.x] = s.edges + shape(threadIdx.x).edges; }
};
__device__ int total = 7;
__constant__ int factor[2] = {3, 4};
__managed__ int shown = 1;
__device__ int twice(int x) { return 2 * x + (side() == 'd' ? 500 : 0); }
typedef int (*function)(int);
__device__ function chosen = twice;
static const int table[] = {5, 6, 7, 8};
struct announced { announced() { puts("constructed"); } } once;
inline int& counter() { static int count = 0; return count; }
namespace { __global__ void hidden(int* out) { out[threadIdx.x] = table[threadIdx.x % 4] * factor[1]; } }
static __global__ void add(int* out) { out[threadIdx.x] += atomicAdd(&total, 1) >= 0 ? 42 : 0; if (threadIdx.x == 0) shown = 2; }
__global__ void call(int* out, function f) { out[threadIdx.x] = f(threadIdx.x); }
template <class Lambda> __global__ void each(int* out, Lambda f) { out[threadIdx.x] = f(threadIdx.x); }
template <int Scale> void scaled(int* out) {
  each<<<1, 32>>>(out, [=] __device__(int x) { return numbered(x * Scale); });
}
#ifdef __HIP_DEVICE_COMPILE__
__device__ int earlier(int x) { auto f = [](int y) { return y + 1; }; return f(x); }
#endif
static void print(const char* name, const int* out) {
  int copy[32];
  hipMemcpy(copy, out, sizeof copy, hipMemcpyDeviceToHost);
  printf("%s %d %d\\n", name, copy[0], copy[31]);
}
int main() {
  std::vector<int> sorted = {3, 1, 2};
  std::sort(sorted.begin(), sorted.end(), [](int a, int b) { return a < b; });
  printf("host %c %d %d\\n", side(), numbered(sorted[0]), shape(1).edges);
  int* out;
  hipMalloc(&out, 128);
  each<<<1, 32>>>(out, [=] __device__(int x) { return x; }); print("lambda", out);
  each<<<1, 32>>>(out, [=] __host__ __device__(int x) { return numbered(x); }); print("lambda", out);
  scaled<2>(out); print("scaled", out);
  scaled<3>(out); print("scaled", out);
  shape::count<<<1, 32>>>(out, shape(10)); print("class", out);
  const int factors[] = {1, 100};
  hipMemcpyToSymbol(HIP_SYMBOL(factor), factors, sizeof factors);
  hidden<<<1, 32>>>(out); print("constant", out);
  function f = nullptr;
  hipMemcpyFromSymbol(&f, HIP_SYMBOL(chosen), sizeof f);
  call<<<1, 32>>>(out, f); print("function", out);
  void (*kernel)(int*) = add;
  kernel<<<1, 32>>>(out); print("pointer", out);
  void* arguments[] = {&out};
  hipLaunchKernel(reinterpret_cast<const void*>(hidden), 1, 32, arguments, 0, nullptr); print("address", out);
  int value = 0;
  hipMemcpyFromSymbol(&value, total, sizeof value);
  printf("total %d shown %d counter %d\\n", value, shown, ++counter());
  hipFree(out);
}
"""
SIDES_OUTPUT = """\
constructed
host h 1 1
lambda 0 31
lambda 1000 1031
scaled 1000 1062
scaled 1000 1093
class 1010 1041
constant 500 800
function 500 562
pointer 542 604
address 500 800
total 39 shown 2 counter 1
"""

# Functions of C's names: the device's, both sides', and one for each side.
OF_C = """\
#include <hip/hip_runtime.h>
extern "C" __device__ int twice(int x);
extern "C" __host__ __device__ int thrice(int x);
extern "C" __host__ int scaled(int x);
extern "C" __device__ int scaled(int x);
"""
USES_C = OF_C + """\
#include <cstdio>
__global__ void use(int* out) { out[threadIdx.x] = twice(threadIdx.x) + thrice(1) + scaled(2); }
int main() {
  int *out, copy[32];
  if (hipMalloc(&out, sizeof copy) != hipSuccess) return 1;
  use<<<1, 32>>>(out);
  if (hipMemcpy(copy, out, sizeof copy, hipMemcpyDeviceToHost) != hipSuccess) return 2;
  std::printf("%d %d %d\\n", copy[31], thrice(4), scaled(5));
  return hipFree(out) == hipSuccess ? 0 : 3;
}
"""
DEFINES_C = OF_C + """\
extern "C" __device__ int twice(int x) { return 2 * x; }
extern "C" __host__ __device__ int thrice(int x) { return 3 * x; }
extern "C" __host__ int scaled(int x) { return x + 1; }
extern "C" __device__ int scaled(int x) { return 10 * x; }
"""

# Two sources whose own names are the same, and which share the rest.
SHARED = """\
#include <hip/hip_runtime.h>
#include <cstdio>
extern __device__ int total;
__device__ int by_other(int x);
__global__ void fill(int* out);
int run_other();
struct announced { announced() { puts("constructed"); } };
template <class T> struct counted { static int made; };
template <class T> int counted<T>::made = 10;
inline int& counter() { static int count = 0; return ++count; }
template <class T> __global__ void set(T* out, T value) { out[threadIdx.x] = by_other(value); }
"""
FIRST = """\
#include "shared.hpp"
static announced first;
__device__ int total;
static __device__ int own = 1;
static int scale() { return 2; }
static __global__ void local(int* out) { out[threadIdx.x] = by_other(own + threadIdx.x); atomicAdd(&total, 1); }
int main() {
  int* out;
  hipMalloc(&out, 128);
  int copy[32], sum, mine;
  local<<<1, 32>>>(out);
  hipMemcpy(copy, out, 128, hipMemcpyDeviceToHost);
  printf("first %d %d\\n", copy[0], copy[31]);
  fill<<<1, 32>>>(out);
  hipMemcpy(copy, out, 128, hipMemcpyDeviceToHost);
  printf("fill %d %d\\n", copy[0], copy[31]);
  set<<<1, 32>>>(out, 5);
  const int other = run_other();
  hipMemcpyFromSymbol(&sum, total, 4);
  hipMemcpyFromSymbol(&mine, own, 4);
  printf("other %d total %d own %d counter %d made %d scale %d\\n", other, sum, mine, counter(),
         ++counted<int>::made, scale());
  hipFree(out);
}
"""
SECOND = """\
#include "shared.hpp"
static announced second;
static __device__ int own = 100;
static int scale() { return 3; }
static __device__ int helper(int x) { return x * 10; }
__device__ int by_other(int x) {
#ifdef __HIP_DEVICE_COMPILE__
  return helper(x) + 1;
#else
  return -1;
#endif
}
__global__ void fill(int* out) { out[threadIdx.x] = own; }
static __global__ void local(int* out) { out[threadIdx.x] = own++; total += 1; }
int run_other() {
  int* out;
  hipMalloc(&out, 4);
  local<<<1, 1>>>(out);
  set<<<1, 1>>>(out, 7);
  int copy;
  hipMemcpy(&copy, out, 4, hipMemcpyDeviceToHost);
  hipFree(out);
  return copy + scale() * 1000 + counter() * 10000 + ++counted<int>::made * 100000;
}
"""

# A million elements sorted by hand: what the host computes costs the same with and without checks.
SORTS = RUNTIME + """\
#include <ctime>
#include <vector>
__global__ void fill(int* out) { out[threadIdx.x] = threadIdx.x; }
int main() {
  std::vector<int> list(4000);
  for (std::size_t i = 0; i < list.size(); ++i) list[i] = static_cast<int>(i * 7919 % list.size());
  const std::clock_t begin = std::clock();
  for (std::size_t i = 0; i < list.size(); ++i) {
    for (std::size_t k = i + 1; k < list.size(); ++k) {
      if (list[k] < list[i]) std::swap(list[k], list[i]);
    }
  }
  const std::clock_t end = std::clock();
  int* out;
  hipMallocManaged(&out, 128);
  fill<<<1, 32>>>(out);
  const bool right = list[17] == 17 && out[31] == 31;
  hipFree(out);
  printf("%g\\n", right ? double(end - begin) / CLOCKS_PER_SEC : 1e9);
}
"""

LANES = RUNTIME + """\
__global__ void lanes(int* out) {
#ifdef __GFX9__
  out[threadIdx.x] = 64;
#else
  out[threadIdx.x] = __AMDGCN_WAVEFRONT_SIZE;
#endif
}
int main() {
  int* out;
  hipMallocManaged(&out, 256);
  lanes<<<1, 64>>>(out);
  hipDeviceSynchronize();
  printf("%d\\n", out[63] * 100 + warpSize);
  hipFree(out);
}
"""


class PassesTest(RunTest):
    maxDiff = None

    def runs(self, *words, output):
        self.assertEqual(self.run_program(*words), (output, "", 0))

    def test_each_side_has_its_own_code_and_both_have_the_same_memory(self):
        self.write(SIDES)
        # Macros that a program may well have: no name in warpz's own headers is one of them.
        macros = [f"-D{letter}=4" for letter in string.ascii_uppercase] + ["-DType=1", "-DMask=2", "-DKernel=3"]
        self.runs("my.hip", "--cxxflags", "-Wno-unused", *macros, output=SIDES_OUTPUT)

    @long
    def test_unchecked_code_has_two_sides_as_well(self):
        self.write(SIDES)
        self.runs("my.hip", "--check", "collectives", "--cxxflags", "-Wno-unused", output=SIDES_OUTPUT)

    @long
    def test_sources_share_what_is_not_their_own(self):
        self.write(SHARED, "shared.hpp")
        self.write(FIRST, "first.hip")
        self.write(SECOND, "second.hip")
        # The order of static objects in different sources is up to the linker.
        self.runs("first.hip", "second.hip", "--cxxflags", "-Wno-unused", output="""\
constructed
constructed
first 11 321
fill 100 100
other 1113071 total 33 own 1 counter 2 made 12 scale 2
""")

    def test_sources_share_functions_of_c_s_names(self):
        self.write(USES_C, "uses.hip")
        self.write(DEFINES_C, "defines.hip")
        for words in ((), ("--check", "off")):
            # 2 * 31 + 3 * 1 + 10 * 2; 3 * 4; 5 + 1.
            self.assertEqual(self.run_program("uses.hip", "defines.hip", *words), ("85 12 6\n", "", 0))
        self.write(DEFINES_C.replace('extern "C" __device__ int twice(int x) {', "static __device__ int twice_of_own(int x) {"),
                   "defines.hip")
        _, err, code = self.run_program("uses.hip", "defines.hip")
        self.assertEqual(code, 5)
        self.assertIn("undefined symbol: twice\n", err)

    def test_what_the_host_computes_is_not_checked(self):
        self.write(SORTS)
        seconds = [float(self.run_program("my.hip", "--check", check)[0]) for check in ("off", "all")]
        # Checked code would take ten times as long.
        self.assertLess(seconds[1], 4 * seconds[0])

    @long
    def test_the_device_knows_how_many_lanes_a_warp_has(self):
        self.write(LANES)
        self.runs("my.hip", output="3232\n")
        self.runs("my.hip", "--warp-size", 64, output="6464\n")
        # From the cache.
        self.runs("my.hip", "--warp-size", 32, output="3232\n")
        out, err, code = self.run_program("my.hip", "--warp-size", "both")
        self.assertEqual((out, code), ("3232\n6464\n", 3), err)
        self.assertIn("  with 32 lanes: 3232\n  with 64 lanes: 6464\n", err)

    def test_only_kernels_can_be_launched(self):
        text = RUNTIME + """\
struct pair {
  int a, b;
  __host__ __device__ pair(int x) : a(x), b(x) {}
  __host__ __device__ pair(const pair& p) : a(p.a), b(p.b) {}
  __host__ __device__ ~pair() { a = 0; }
};
__device__ void helper(int* p) { *p = 1; }
template <class T> __device__ int typed(T* p, pair b) { return *p = b.a; }
__device__ void elsewhere(int* p);
__global__ void kernel(int* p) { helper(p); }
static __global__ void of_file(int* p, pair b) { typed(p, b); }
template <class T> __global__ void of_type(T* p) { helper(p); }
__global__ void elsewhere_kernel(int* p);
int main() {
  int* p;
  hipMalloc(&p, 4);
  void* arguments[] = {&p};
  auto pointer = kernel;
  kernel<<<1, 1>>>(p);
  of_file<<<1, 1>>>(p, pair(4));
  of_type<int><<<1, 1>>>(p);
  elsewhere_kernel<<<1, 1>>>(p);
  pointer<<<1, 1>>>(p);
  hipLaunchKernelGGL(of_file, 1, 1, 0, 0, p, 7);
  hipLaunchKernel((void*)kernel, 1, 1, arguments, 0, 0);
  WRONG;
  hipFree(p);
}
"""
        self.write(RUNTIME + "__device__ void elsewhere(int* p) { *p = 2; }\n"
                   "__global__ void elsewhere_kernel(int* p) { elsewhere(p); }\n", "other.hip")
        line = text[:text.index("WRONG")].count("\n") + 1
        for wrong, said in sample([
                ("", None), ("helper<<<1, 1>>>(p)", "reference to __device__ function 'helper'"),
                ("typed<<<1, 1>>>(p, pair(1))", "no matching function for call to 'typed'"),
                ("elsewhere<<<1, 1>>>(p)", "reference to __device__ function 'elsewhere'"),
                ("[&](auto x) { helper<<<1, 1>>>(x); }(p)", "kernel call to non-global function 'helper'"),
                ("hipLaunchKernelGGL(helper, 1, 1, 0, 0, p)", "reference to __device__ function 'helper'"),
                ("hipLaunchKernel((void*)helper, 1, 1, arguments, 0, 0)", "reference to __device__ function 'helper'")], 3):
            with self.subTest(wrong):
                self.write(text.replace("WRONG", wrong), "p.hip")
                out, err, code = self.run_program("p.hip", "other.hip", "--check", "off" if "GGL" in wrong else "all")
                if said is not None:
                    self.assertIn(f"p.hip:{line}:", err)
                    self.assertIn(said, err)
                self.assertEqual((out, code), ("", 0 if said is None else 5), err)

    @long
    def test_an_error_in_both_sides_is_told_once(self):
        self.write(RUNTIME + "__global__ void k() { undeclared(); }\nint main() { k<<<1, 1>>>(); }\n")
        _, err, code = self.run_program("my.hip")
        self.assertEqual((err.count("undeclared identifier"), code), (1, 5))

    def test_an_error_in_one_side_is_told(self):
        self.write(RUNTIME + "__global__ void k() {\n#ifdef __HIP_DEVICE_COMPILE__\n  undeclared();\n#endif\n}\n"
                   "int main() { k<<<1, 1>>>(); }\n")
        _, err, code = self.run_program("my.hip")
        self.assertIn("my.hip:5:3: ", err)
        self.assertEqual(code, 5)

    def test_a_wrong_kernel_is_found_in_the_device_code(self):
        self.write(RUNTIME + """\
template <class F> __global__ void each(int* out, F f) { out[threadIdx.x] = f(threadIdx.x); }
static __device__ int table[4];
int main() {
  int* out;
  hipMalloc(&out, 128);
  each<<<1, 32>>>(out, [=] __device__(int i) { return table[i]; });
  hipFree(out);
}
""")
        _, err, code = self.run_program("my.hip")
        self.assertEqual(code, 3)
        self.assertIn("lane 4  reads 4 bytes at my.hip:8\n", err)
        self.assertIn("\n  table[4]; table has 4 elements\n", err)


if __name__ == "__main__":
    main()
