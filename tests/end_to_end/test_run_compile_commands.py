#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""--run with a compile_commands.json: each file has the headers and macros that its build gives it."""

import json

from kernel_support import RUNTIME, RunTest
from skips import main

MAIN = """\
#include <cstdio>
#include "value.hpp"
int other();
int main() { std::printf("%d %d %ld\\n", VALUE + ADDED, other(), __cplusplus); }
"""


class CompileCommandsTest(RunTest):
    def setUp(self):
        super().setUp()
        self.write("#define VALUE 40\n", "include/value.hpp")
        self.write(MAIN, "source/main.hip")
        self.write("int other() { return ADDED; }\n", "source/other.cpp")
        self.files = ("source/main.hip", "source/other.cpp")
        self.entries = [
            {"directory": str(self.folder / "build"), "file": "../source/main.hip",
             "arguments": ["hipcc", "-O3", "--offload-arch=gfx90a", "-I", "../include", "-DADDED=2", "-std=c++20", "-o",
                           "main.o", "-c", "../source/main.hip"]},
            {"directory": str(self.folder / "build"), "file": str(self.folder / "source/other.cpp"),
             "command": "nvcc -forward-unknown-to-host-compiler -gencode arch=compute_90,code=sm_90 -DADDED='\"x\"[0] - 113' "
                        "-Xcompiler=-Wall -c ../source/other.cpp"}]

    def write_entries(self, name, entries=None):
        self.write(json.dumps(self.entries if entries is None else entries), name)

    def write_entry(self, *words, source="my.hip"):
        """One file's, in the folder build."""
        self.write_entries("build/compile_commands.json", [
            {"directory": str(self.folder / "build"), "file": f"../{source}", "arguments": ["clang++", *words, f"../{source}"]}])

    def test_found_and_named(self):
        """Either file has its own macros."""
        self.write_entries("build/compile_commands.json")
        self.write_entries("elsewhere/commands.json", [{**each, "directory": "../build"} for each in self.entries])
        told = "warpz: compiled with the include folders and macros in build/compile_commands.json\n"
        self.assertEqual(self.run_program(*self.files), ("42 7 202002\n", told, 0))
        self.assertEqual(self.run_program(*self.files, "--compile-commands", "elsewhere/commands.json"),
                         ("42 7 202002\n", "", 0))
        # The user's own flags count more, and a change of the file is seen.
        self.assertEqual(self.run_program(*self.files, "--quiet", "--cxxflags", "-UADDED", "-DADDED=5"),
                         ("45 5 202002\n", "", 0))
        self.entries[0]["arguments"][5] = "-DADDED=3"
        self.write_entries("build/compile_commands.json")
        self.assertEqual(self.run_program(*self.files)[0], "43 7 202002\n")

    def test_refusals(self):
        self.write_entries("some.json", [self.entries[0]])
        self.write("[{", "broken.json")
        self.write('[{"directory": ".", "file": "a", "command": "a"}, {"file": 1}]', "other.json")
        for name, message in (("some.json", "some.json does not name source/other.cpp\n"),
                              ("none.json", "cannot read none.json: there is no such file\n"),
                              ("broken.json", "cannot read broken.json: it is no list in JSON\n"),
                              ("other.json", "cannot read other.json: entry 2 lacks ")):
            out, err, code = self.run_program(*self.files, "--compile-commands", name)
            self.assertEqual((out, code), ("", 2))
            self.assertIn(f"warpz: {message}", err)
        # Nobody has asked for one that is only found.
        self.write("[{", "source/compile_commands.json")
        self.write('#include <cstdio>\nint main() { std::puts("alone"); }\n', "source/alone.hip")
        self.assertEqual(self.run_program("source/alone.hip"), ("alone\n", "", 0))

    def test_none(self):
        """As for a file that it does not name."""
        self.write_entries("compile_commands.json")
        self.write('#include <cstdio>\nint main() { std::puts("alone"); }\n', "alone.hip")
        self.assertEqual(self.run_program("alone.hip"), ("alone\n", "", 0))
        out, err, code = self.run_program(*self.files, "--compile-commands", "none")
        self.assertEqual((out, code), ("", 5))
        self.assertIn("value.hpp", err)

    def test_both_warp_sizes(self):
        """The second compilation has the same flags, and the file is told of once."""
        self.write_entry("-DLANES=__AMDGCN_WAVEFRONT_SIZE")
        self.write(RUNTIME + """
            int main() {
              hipDeviceProp_t known{};
              if (hipGetDeviceProperties(&known, 0) == hipSuccess) std::printf("%d\\n", LANES == known.warpSize);
            }""")
        out, err, code = self.run_program("my.hip", "--warp-size", "both")
        self.assertEqual((out, code), ("1\n1\n", 0), err)
        self.assertEqual(err.count("compiled with the include folders"), 1)

    def test_files_of_options(self):
        """Named from the build's folder on, as CMake has them for nvcc."""
        self.write("-DFIRST=1", "build/a.rsp")
        self.write("--define-macro SECOND=2", "build/b.rsp")
        self.write_entry("@a.rsp", "--options-file", "b.rsp")
        self.write("#include <cstdio>\nint main() { std::printf(\"%d\\n\", FIRST + SECOND); }\n")
        self.assertEqual(self.run_program("my.hip")[::2], ("3\n", 0))

    def test_a_vendors_headers(self):
        """Those of ROCm and CUDA in a build's include folders do not take the place of warpz's, but others there count."""
        self.write("#error\n", "rocm/include/hip/hip_runtime.h")
        self.write("#define OTHER 4\n", "rocm/include/other.h")
        self.write_entry("-I../rocm/include")
        self.write(RUNTIME + "#include <other.h>\nint main() { std::printf(\"%d\\n\", OTHER); }\n")
        self.assertEqual(self.run_program("my.hip")[::2], ("4\n", 0))


if __name__ == "__main__":
    main()
