#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The toolchain file: CMake builds unchanged HIP and CUDA projects for the CPU machine, and ctest checks their tests."""

import os
import subprocess

from kernel_support import RunTest
from puzzle_runs import PROGRAM
from sampling import long
from skips import main

# A library's function launches a kernel in which each lane stores its number; the test looks at one of the last lane.
# With STRAY a lane more than there are elements stores.
HEADER = "#pragma once\nint last_lane(int lanes);\nint lanes_of_host();\n"
KERNELS = """\
#include <hip/hip_runtime.h>
#include "lanes.hpp"
__device__ int lane();
__global__ void store(int* out, int n) { if (lane() < n + STRAY) out[lane()] = lane() % warpSize; }
int last_lane(int lanes) {
  int* out;
  if (hipMalloc(&out, lanes * sizeof *out) != hipSuccess) return -1;
  store<<<1, 128>>>(out, lanes);
  int last = -1;
  if (hipMemcpy(&last, out + lanes - 1, sizeof last, hipMemcpyDeviceToHost) != hipSuccess) return -1;
  if (hipFree(out) != hipSuccess) return -1;
  return last;
}
"""
LANE = "#include <hip/hip_runtime.h>\n__device__ int lane() { return threadIdx.x; }\n"
# Of the host alone, which calls the runtime, and has a name that is none in device code.
HOST = """\
#include <hip/hip_runtime_api.h>
#include "lanes.hpp"
#ifdef __HIPCC__
#error this is compiled as device code
#endif
static int asm_() { return 0; }
int lanes_of_host() {
  hipDeviceProp_t properties;
  if (hipGetDeviceProperties(&properties, 0) != hipSuccess) return -1;
  return properties.warpSize + asm_();
}
"""
TEST = """\
#include <cstdlib>
#include "lanes.hpp"
int main(int, char** words) {
  const int expected = std::atoi(words[1]);
  return last_lane(64) != expected - 1 || lanes_of_host() != expected;
}
"""
TESTS = """
enable_testing()
add_test(NAME lanes_32 COMMAND test_lanes 32)
add_test(NAME lanes_64 COMMAND test_lanes 64)
"""
HIP = """\
cmake_minimum_required(VERSION 3.21)
project(lanes LANGUAGES CXX HIP)
if(${hip-lang_VERSION} VERSION_LESS 5.5)
  message(FATAL_ERROR "HIP is too old")
endif()
find_package(hip 5.0 REQUIRED)
set(CMAKE_CXX_STANDARD 17)
add_library(host STATIC host.cpp)
target_link_libraries(host PUBLIC hip::host)
target_include_directories(host PUBLIC include)
add_library(kernels SHARED kernels.hip lane.hip)
target_compile_definitions(kernels PRIVATE STRAY=${STRAY})
target_link_libraries(kernels PRIVATE host)
add_executable(test_lanes test.cpp)
target_link_libraries(test_lanes PRIVATE kernels host)
""" + TESTS
# Sources of C++, of which some have kernels.
CXX = """\
cmake_minimum_required(VERSION 3.21)
project(lanes LANGUAGES CXX)
find_package(hip REQUIRED)
add_library(kernels STATIC kernels.cpp lane.cpp)
target_include_directories(kernels PUBLIC include)
target_compile_definitions(kernels PRIVATE STRAY=${STRAY})
target_link_libraries(kernels PUBLIC hip::device)
add_executable(test_lanes test.cpp host.cpp)
target_link_libraries(test_lanes PRIVATE kernels)
""" + TESTS
# As those who let hipcc compile all of it.
HIPCC = CXX.replace("find_package(hip REQUIRED)\n", "").replace("target_link_libraries(kernels PUBLIC hip::device)\n", "")
CUDA = """\
cmake_minimum_required(VERSION 3.21)
project(lanes LANGUAGES CXX CUDA)
find_package(CUDAToolkit 12 REQUIRED)
add_library(kernels STATIC kernels.cu lane.cu)
target_include_directories(kernels PUBLIC include)
set_target_properties(kernels PROPERTIES CUDA_SEPARABLE_COMPILATION ON CUDA_STANDARD 17)
target_compile_definitions(kernels PRIVATE STRAY=${STRAY})
target_compile_options(kernels PRIVATE $<$<COMPILE_LANGUAGE:CUDA>:--expt-relaxed-constexpr -Xcompiler=-Wall>)
add_executable(test_lanes test.cpp host.cpp)
target_link_libraries(test_lanes PRIVATE kernels CUDA::cudart)
""" + TESTS


class CmakeTest(RunTest):
    def project(self, text, kernel_ending, as_cuda=False):
        def written(source):
            if not as_cuda:
                return source
            source = source.replace("hipDeviceProp_t", "cudaDeviceProp").replace("hip/hip_runtime", "cuda_runtime")
            return source.replace("__HIPCC__", "__CUDACC__").replace("hip", "cuda")

        for name, source in (("include/lanes.hpp", HEADER), (f"kernels.{kernel_ending}", KERNELS),
                             (f"lane.{kernel_ending}", LANE), ("test.cpp", TEST), ("host.cpp", HOST)):
            self.write(written(source), f"project/{name}")
        self.write(text, "project/CMakeLists.txt")

    def call(self, *command, **variables):
        return subprocess.run([str(word) for word in command], cwd=self.folder, env={**self.environment, **variables},
                              text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, stdin=subprocess.DEVNULL,
                              timeout=600, check=False)

    def build(self, stray=0):
        toolchain = self.call(PROGRAM, "--toolchain-file").stdout.strip()
        self.assertTrue(os.path.isabs(toolchain), toolchain)
        for words in (("-G", "Ninja", "-S", "project", "-B", "build", f"-DCMAKE_TOOLCHAIN_FILE={toolchain}",
                       f"-DSTRAY={stray}", "-DCMAKE_BUILD_TYPE=Release"), ("--build", "build")):
            done = self.call("cmake", *words)
            self.assertEqual(done.returncode, 0, done.stdout)

    def ctest(self, **variables):
        """The names of the tests that fail, and all output."""
        done = self.call("ctest", "--test-dir", "build", "--output-on-failure", **variables)
        return {name for name in ("lanes_32", "lanes_64") if f"- {name} (" in done.stdout}, done.stdout

    def assert_checked_at_either_size(self):
        for size, failed in (("32", {"lanes_64"}), ("64", {"lanes_32"})):
            self.assertEqual(self.ctest(WARPZ_WARP_SIZE=size)[0], failed)

    def test_languages_cxx_and_hip(self):
        self.project(HIP, "hip")
        self.build()
        self.assert_checked_at_either_size()

    @long
    def test_languages_cxx_and_cuda(self):
        self.project(CUDA, "cu", as_cuda=True)
        self.build()
        self.assert_checked_at_either_size()

    @long
    def test_cxx_with_hips_target_and_a_finding(self):
        """The finding is in the library's source, which lies elsewhere, and ctest fails by it."""
        self.project(CXX, "cpp")
        self.write(HOST.replace("#error", "#define"), "project/host.cpp")
        self.build(stray=1)
        failed, output = self.ctest()
        self.assertEqual(failed, {"lanes_32", "lanes_64"})
        self.assertRegex(output, r"(?s)lane 0 .* at \S*/kernels\.cpp:4\n.*4 \|  __global__ void store")
        self.assertRegex(output, r"out has 64 elements")

    @long
    def test_cxx_by_hipcc(self):
        self.project(HIPCC, "cpp")
        self.write(HOST.replace("#error", "#define"), "project/host.cpp")
        self.build()
        self.assert_checked_at_either_size()


if __name__ == "__main__":
    main()
