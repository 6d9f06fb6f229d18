#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""--run: the precompiled headers of HIP and CUDA, which save time and change nothing else; and what the C++ library's
headers have for device code."""

import pathlib
import subprocess

from kernel_support import RUNTIME, RunTest
from puzzle_runs import PROGRAM
from sampling import long, sample
from skips import main

MAIN = """
__global__ void fill(int* out) { out[threadIdx.x] = VALUE; }
int main() {
  int* out;
  int seen = 0;
  if (hipMalloc(&out, 64 * sizeof(int)) != hipSuccess) return 1;
  fill<<<1, 64>>>(out);
  if (hipMemcpy(&seen, out, sizeof seen, hipMemcpyDeviceToHost) != hipSuccess) return 1;
  std::printf("%d\\n", seen);
  return hipFree(out) != hipSuccess;
}
"""
PROGRAM_TEXT = RUNTIME + MAIN

# With both of Clang's own headers in front of the C++ library's, which Clang leaves out where it finds no ROCm.
STANDARD = RUNTIME + """
#include <complex>
#include <new>
struct pair { int first, second; };
__global__ void make(float* out) {
  __shared__ alignas(pair) char room[sizeof(pair)];
  if (threadIdx.x != 0) return;
  const pair* const made = new (room) pair{3, 4};
  const std::complex<float> product = std::complex<float>(made->first, made->second) * std::complex<float>(0, 1);
  out[0] = product.imag();
}
int main() {
  float* out;
  float seen = 0;
  if (hipMalloc(&out, sizeof seen) != hipSuccess) return 1;
  make<<<1, 64>>>(out);
  if (hipMemcpy(&seen, out, sizeof seen, hipMemcpyDeviceToHost) != hipSuccess) return 1;
  std::printf("%g\\n", seen);
  return hipFree(out) != hipSuccess;
}
"""


class HeadersTest(RunTest):
    def setUp(self):
        super().setUp()
        self.compiler, self.log = self.noting()

    def with_own_headers(self):
        """A cache without those that the tests share."""
        headers = self.cache / "warpz/headers"
        headers.unlink()
        headers.mkdir(mode=0o700)

    def compile(self, text, *options, code=0, name="my.hip", others=(), expected="7\n", flags=(), **variables):
        """Standard error, and how many headers were made and used."""
        self.log.write_text("")
        self.write(text, name)
        out, err, ended = self.run_program(name, *others, "--compiler", self.compiler, *options,
                                           *(f"--cxxflags={each}" for each in ("-DVALUE=7", *flags)), **variables)
        self.assertEqual((out, ended), (expected, code), err)
        calls = self.log.read_text().splitlines()
        return err, sum("-emit-pch" in each for each in calls), sum("-include-pch" in each for each in calls)


class StandardTest(RunTest):
    def test_in_device_code_without_a_rocm(self):
        self.write(STANDARD)
        out, err, ended = self.run_program("my.hip", ROCM_PATH="/nonexistent")
        self.assertEqual((out, ended), ("3\n", 0), err)


class Made(HeadersTest):
    def test_once_for_both_sides_and_all_programs(self):
        self.with_own_headers()
        self.assertEqual(self.compile(PROGRAM_TEXT), ("", 2, 2))
        self.assertEqual(self.compile("// Another one.\n" + PROGRAM_TEXT), ("", 0, 2))
        self.assertNotIn("-shared", self.log.read_text(), "the compiler has told before how it links")
        self.assertEqual(self.compile("// For another GPU.\n" + PROGRAM_TEXT, "--arch", "gfx942"), ("", 0, 2))

    @long
    def test_once_for_all_sources_of_a_program(self):
        self.with_own_headers()
        others = [self.write(f"#include <hip/hip_runtime.h>\n__global__ void k{i}(int* x) {{ *x = {i}; }}\n", f"{i}.hip")
                  for i in range(3)]
        self.assertEqual(self.compile(PROGRAM_TEXT, others=others), ("", 2, 8))

    @long
    def test_none_without_a_cache(self):
        self.assertEqual(self.compile(PROGRAM_TEXT, "--no-cache"), ("", 0, 0))

    def test_for_cuda(self):
        text = "#define hip_is_nothing 1\n#include <cstdio>\n" + MAIN.replace("hip", "cuda")
        err, _, used = self.compile(text, name="my.cu")
        self.assertEqual((err, used), ("", 2))

    @long
    def test_for_a_build(self):
        self.write(PROGRAM_TEXT)
        words = [pathlib.Path(PROGRAM).parent / "warpz-hipcc", "-DVALUE=7", "-O3", "-MD", "-MF", "my.d", "my.hip", "-o", "my"]
        subprocess.run(words, cwd=self.folder, env={**self.environment, "WARPZ_CXX": self.compiler}, check=True)
        self.assertEqual(self.log.read_text().count("-include-pch"), 2)
        self.assertIn("hip_runtime.h", (self.folder / "my.d").read_text())
        self.assertNotIn(".pch", (self.folder / "my.d").read_text())
        self.assertEqual(self.run_program("my")[:2], ("7\n", ""))


class Used(HeadersTest):
    """By sources that cannot tell."""

    def test_behind_what_is_the_programs_own(self):
        self.write("#ifndef OWN_H\n#define OWN_H\n#include <hip/hip_runtime.h>\n#endif\n", "own.h")
        self.write('#pragma once\n#define SIZE 3\n', "include/plain.h")
        for text in sample((f'#include "own.h"\n#include <cstdio>\n{MAIN}', f"#include <vector>\n#define N 3\n{PROGRAM_TEXT}",
                            f'#include <plain.h>\n{PROGRAM_TEXT}static_assert(SIZE == 3);\n'), 2):
            err, _, used = self.compile(text, flags=["-Iinclude"])
            self.assertEqual((err, used), ("", 2), text)


class NotUsed(HeadersTest):
    """Where the source can tell, it is compiled as it stands."""

    def compiles_without(self, text, **more):
        err, _, used = self.compile(text, **more)
        self.assertEqual(used, 0, text)
        return err

    def test_where_a_macro_may_matter(self):
        asserts = PROGRAM_TEXT.replace("int seen = 0;", "int seen = 0;\n  assert(seen == 1);")
        self.compiles_without(asserts, flags=["-DNDEBUG"])
        for text in sample(("#ifdef HIP_VERSION\n#define VALUE 8\n#endif\n", "#if 1\n#endif\n", "#define __MINE 1\n"), 3):
            self.compiles_without(text + PROGRAM_TEXT)

    def test_where_the_header_may_be_another_one_or_is_not_included_for_certain(self):
        self.write("#pragma once\n#define OWN 1\n#include_next <hip/hip_runtime.h>\n", "include/hip/hip_runtime.h")
        for more in sample(({"flags": ["-Iinclude"]}, {"CPATH": "include"}), 2):
            self.compiles_without(PROGRAM_TEXT + "static_assert(OWN == 1);\n", **more)
        self.write("#include <hip/hip_runtime.h>\n", "own.h")
        for text in sample(('#ifndef NONE\n#include "own.h"\n#endif\n#include <cstdio>\n',
                            "#ifdef __HIPCC__\n#include <hip/hip_runtime.h>\n#endif\n#include <cstdio>\n"), 2):
            self.compiles_without(text + MAIN)
        err = self.compiles_without(MAIN, code=5, expected="")
        self.assertIn("hipMalloc", err)

    def test_a_mistake_and_a_warning_are_told_as_without(self):
        wrong = PROGRAM_TEXT.replace("VALUE;", "VALUF;")
        err, _, used = self.compile(wrong, code=5, expected="")
        self.assertEqual(used, 2)
        self.assertEqual(self.compile(wrong, "--no-cache", code=5, expected="")[0], err)
        twice = "#define CHAR_BIT 3\n" + PROGRAM_TEXT + "static_assert(CHAR_BIT == 8);\n"
        err, _, used = self.compile(twice)
        self.assertEqual((used, self.compile(twice, "--no-cache")[0]), (2, err))


if __name__ == "__main__":
    main()
