#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""warpz-hipcc: builds programs of several parts, as makefiles call hipcc and nvcc, and what it builds runs checked."""

import pathlib
import shutil
import subprocess

from kernel_support import NOTHING_FOUND, RUNTIME, SECONDS, RunTest
from puzzle_runs import PROGRAM
from skips import main

HIPCC = pathlib.Path(PROGRAM).parent / "warpz-hipcc"
NVCC = HIPCC.parent / "platform/bin/nvcc"

# A kernel with its launch: `n` elements become their double. LATE reads one element too many.
DOUBLE = RUNTIME + """
#include "double.hpp"
__device__ int twice(int);
__global__ void make_double(int* x, int n) {
  const int i = threadIdx.x;
  if (i < n + LATE) x[i] = twice(x[i]);
}
int doubled(int value) {
  int* x;
  if (hipMallocManaged(&x, sizeof(int)) != hipSuccess) return -1;
  *x = value;
  make_double<<<1, 32>>>(x, 1);
  if (hipDeviceSynchronize() != hipSuccess) return -1;
  const int result = *x;
  if (hipFree(x) != hipSuccess) return -1;
  return result;
}
"""
TWICE = "__device__ int twice(int x) { return 2 * x; }\n"
MAIN = """
#include <cstdio>
#include <cstdlib>
#include "double.hpp"
int main(int count, char** words) {
  std::printf("%d %d\\n", count, doubled(count > 1 ? std::atoi(words[1]) : 0));
  return count > 2 ? std::atoi(words[2]) : 0;
}
"""
LANES = RUNTIME + """
__global__ void count(int* lanes) { *lanes = warpSize; }
int main() {
  int* lanes;
  if (hipMallocManaged(&lanes, sizeof(int)) != hipSuccess) return 1;
  count<<<1, 1>>>(lanes);
  if (hipDeviceSynchronize() != hipSuccess) return 1;
  std::printf("%d lanes\\n", *lanes);
  return hipFree(lanes) != hipSuccess;
}
"""


class HipccTest(RunTest):
    def setUp(self):
        super().setUp()
        self.write("#pragma once\nint doubled(int);\n", "include/double.hpp")
        self.write(DOUBLE, "double.hip")
        self.write(TWICE, "twice.hip")
        self.write(MAIN, "main.cpp")

    def call(self, *words, compiler=HIPCC, **variables):
        return subprocess.run([str(word) for word in (compiler, *words)], cwd=self.folder, text=True, capture_output=True,
                              env={**self.environment, **variables}, stdin=subprocess.DEVNULL, timeout=SECONDS, check=False)

    def succeed(self, *words, compiler=HIPCC, **variables):
        done = self.call(*words, compiler=compiler, **variables)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        return done

    def run_built(self, *words, **variables):
        done = self.call(*words[1:], compiler=self.folder / words[0], **variables)
        return done.stdout, done.stderr, done.returncode

    def assert_right(self, program, **variables):
        self.assertEqual(self.run_built(program, "21", "7", **variables), ("3 42\n", NOTHING_FOUND, 7))

    def test_objects_archives_and_response_files(self):
        """A function of the device is in another object; the objects are in an archive."""
        self.write("-c -fgpu-rdc '--offload-arch=gfx90a'\n-Iinclude -DLATE=0", "words")
        self.succeed("@words", "double.hip", "-o", "double.o")
        self.succeed("@words", "twice.hip")
        self.succeed("-x", "c++", "-I", "include", "-c", "main.cpp", "-fvisibility=hidden", "-O3", "-Wall", "-Werror")
        subprocess.run(["ar", "rcs", "libdouble.a", "double.o", "twice.o"], cwd=self.folder, check=True)
        self.succeed("-fgpu-rdc", "--hip-link", "main.o", "-L.", "-ldouble", "-o", "it")
        self.assert_right("it")
        # It is one file, and found from anywhere.
        self.write("", "other/empty")
        shutil.move(self.folder / "it", self.folder / "other/it")
        self.assert_right("other/it")

    def test_objects_for_an_executable_alone(self):
        """As CMake compiles an executable's: a template's shared memory is thread-local there."""
        self.write(RUNTIME + """
template <class T>
__global__ void reverse() {
  __shared__ T all[32];
  all[threadIdx.x] = threadIdx.x;
  __syncthreads();
  if (threadIdx.x == 5) printf("%d\\n", all[31 - threadIdx.x]);
}
int main() {
  reverse<int><<<1, 32>>>();
  return hipDeviceSynchronize();
}
""", "reverse.hip")
        self.succeed("-fPIE", "-c", "reverse.hip", "-o", "reverse.o")
        self.succeed("-fPIE", "reverse.o", "-o", "it")
        self.assertEqual(self.run_built("it"), ("26\n", NOTHING_FOUND, 0))

    def test_findings_in_a_shared_object_have_lines(self):
        """Each of two libraries has code for the device."""
        self.succeed("-shared", "-fPIC", "-fgpu-rdc", "-Iinclude", "-DLATE=1", "double.hip", "twice.hip", "-o", "libdouble.so")
        self.write(LANES.replace("main()", "lanes()"), "lanes.hip")
        self.succeed("-shared", "lanes.hip", "-o", "liblanes.so")
        self.write(MAIN.replace("int main", "int lanes();\nint main").replace("return count", "lanes();\n  return count"), "main.cpp")
        self.succeed("-Iinclude", "main.cpp", "-L.", "-ldouble", "-llanes", "-Wl,-rpath,$ORIGIN", "-o", "it")
        out, err, code = self.run_built("it", "4", "5")
        self.assertEqual((out, code), ("3 8\n32 lanes\n", 3), err)
        self.assertRegex(err, r"(?s)broken rule: \S*double\.hip: .*lane 1 .* at \S*double\.hip:8\n.*x\[i\] = twice\(x\[i\]\)")
        out, err, code = self.run_built("it", "4", "5", WARPZ_WARP_SIZE="64", WARPZ_OPTIONS="--check 'collectives' --quiet")
        self.assertEqual((out, err, code), ("3 8\n64 lanes\n", "", 5))

    def test_nvccs_options(self):
        self.write(LANES.replace("hip/hip_runtime.h", "cuda_runtime.h").replace("hip", "cuda").replace("main()", "lanes()"),
                   "lanes.cu")
        self.write('#include <cuda_runtime_api.h>\n#include <cstdio>\nint lanes();\nint main() {\n  int count = 0;\n'
                   '  if (cudaGetDeviceCount(&count) != cudaSuccess) return 9;\n#ifdef __CUDACC__\n  return 8;\n#endif\n'
                   '  return lanes();\n}\n', "main.cpp")
        options = ("-std=c++17", "-arch", "sm_80", "-gencode", "arch=compute_90,code=sm_90", "--expt-relaxed-constexpr",
                   "-Xptxas", "-v", "-Xcompiler=-Wall,-fPIC", "--use_fast_math", "-lineinfo", "-t", "4")
        for words in (("-dc", "-x", "cu", "lanes.cu", "-o", "lanes.o"), ("-rdc=true", "--compile", "main.cpp"),
                      ("-dlink", "lanes.o", "-o", "link.o"), ("-lib", "lanes.o", "link.o", "-o", "liblanes.a"),
                      ("main.o", "-L.", "--library", "lanes", "-lcudart", "-o", "it")):
            self.succeed(*options, *words, compiler=NVCC)
        self.assertEqual(self.run_built("it"), ("32 lanes\n", NOTHING_FOUND, 0))

    def test_a_cu_file_is_what_its_headers_say(self):
        tells = ("#include <cstdio>\nint main() {\n#ifdef __CUDACC__\n  std::puts(\"CUDA\");\n#else\n"
                 "  std::puts(\"HIP\");\n#endif\n}\n")
        self.write("#include <hip/hip_runtime.h>\n", "own.hpp")
        for begin, flags, language in (('#include "own.hpp"\n', (), "HIP"), ("", (), "CUDA"),
                                       ("/*\n#include <hip/hip_runtime.h>\n*/\n", (), "CUDA"),
                                       ("#ifdef AS_HIP\n#include <hip/hip_runtime.h>\n#endif\n", ("-DAS_HIP",), "HIP")):
            self.write(begin + tells, "tells.cu")
            self.succeed(*flags, "tells.cu", "-o", "tells")
            self.assertEqual(self.run_built("tells")[0], f"{language}\n")

    def test_dependencies(self):
        """Those of the device's side too, under the target that a build asks for."""
        self.write("#ifdef __HIP_DEVICE_COMPILE__\n#include \"of_device.hpp\"\n#endif\n#include \"of_both.hpp\"\n", "it.hip")
        for name in "of_device.hpp", "of_both.hpp":
            self.write("", name)
        self.succeed("-MD", "-MT", "some/it.o", "-MF", "it.d", "-c", "it.hip", "-o", "it.o")
        rules = (self.folder / "it.d").read_text().replace("\\\n", " ")
        self.assertEqual({line.partition(":")[0] for line in rules.splitlines() if line}, {"some/it.o"})
        self.assertLessEqual({"of_device.hpp", "of_both.hpp", "it.hip"}, set(rules.split()))
        self.succeed("-MMD", "-c", "it.hip", "-o", "other.o")
        self.assertIn("other.o: it.hip", (self.folder / "other.d").read_text())

    def test_what_a_machine_need_not_load_is_an_ordinary_program(self):
        self.write('#include <cstdio>\nint main() { std::puts("plain"); }\n', "plain.cpp")
        self.succeed("plain.cpp", "-o", "plain")
        self.assertEqual(self.run_built("plain", WARPZ_OPTIONS="--nonsense"), ("plain\n", "", 0))
        self.assertIn("plain", self.succeed("-E", "plain.cpp").stdout)
        self.assertRegex(self.succeed("--version").stdout, r"(?m)^HIP version: \d+\.\d+\.\d+")
        self.assertRegex(self.succeed("--version", compiler=NVCC).stdout, r"(?m)^nvcc: NVIDIA.*(?s:.*) V\d+\.\d+\.\d+$")

    def test_errors(self):
        for words, message in ((("-c", "main.cpp", "--no-such-option"), "--no-such-option"),
                               (("-ptx", "double.hip"), "warpz: -ptx asks for a GPU's code"),
                               (("-x", "fortran", "main.cpp"), "warpz: -x fortran"), ((), "warpz: no input file is named"),
                               (("-c", "missing.hip"), "warpz: cannot read 'missing.hip'"),
                               (("-Iinclude", "-DLATE=0", "main.cpp", "double.hip", "-o", "it"), "undefined symbol: "),
                               (("-Iinclude", "-c", "double.hip"), "LATE")):
            with self.subTest(words=words):
                done = self.call(*words)
                self.assertNotEqual(done.returncode, 0)
                self.assertIn(message, done.stderr)
                self.assertFalse((self.folder / "it").exists())

    def test_a_program_without_its_warpz_says_so(self):
        self.succeed("-Iinclude", "-DLATE=0", "-fgpu-rdc", "main.cpp", "double.hip", "twice.hip", "-o", "it")
        path = PROGRAM.encode()
        bytes_of_it = (self.folder / "it").read_bytes()
        self.assertEqual(bytes_of_it.count(path), 1)
        (self.folder / "it").write_bytes(bytes_of_it.replace(path, path[:-1] + b"?"))
        out, err, code = self.run_built("it")
        self.assertEqual((out, code), ("", 4))
        self.assertEqual(err, f"warpz: the program that built this one, and has to start it, is gone: {path[:-1].decode()}?\n")


if __name__ == "__main__":
    main()
