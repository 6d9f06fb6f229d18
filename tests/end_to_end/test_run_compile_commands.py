#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""--run with a compile_commands.json: each file has the headers and macros that its build gives it."""

import json

from kernel_support import RunTest
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
        self.entries = [
            {"directory": str(self.folder / "build"), "file": "../source/main.hip",
             "arguments": ["hipcc", "-O3", "--offload-arch=gfx90a", "-I", "../include", "-DADDED=2", "-std=c++20", "-o",
                           "main.o", "-c", "../source/main.hip"]},
            {"directory": str(self.folder / "build"), "file": str(self.folder / "source/other.cpp"),
             "command": "nvcc -forward-unknown-to-host-compiler -gencode arch=compute_90,code=sm_90 -DADDED='\"x\"[0] - 113' "
                        "-Xcompiler=-Wall -c ../source/other.cpp"}]

    def write_entries(self, name, entries=None):
        self.write(json.dumps(self.entries if entries is None else entries), name)

    def test_found_and_named(self):
        """Either file has its own macros."""
        self.write_entries("build/compile_commands.json")
        self.write_entries("elsewhere/commands.json", [{**each, "directory": "../build"} for each in self.entries])
        files = ("source/main.hip", "source/other.cpp")
        named = f"warpz: compiled as {self.folder}/build/compile_commands.json says\n"
        self.assertEqual(self.run_program(*files), ("42 7 202002\n", named, 0))
        # The user's own flags count more, and a change of the file is seen.
        self.assertEqual(self.run_program(*files, "--quiet", "--cxxflags", "-UADDED", "-DADDED=5"), ("45 5 202002\n", "", 0))
        self.assertEqual(self.run_program(*files, "--compile-commands", "elsewhere/commands.json"), ("42 7 202002\n", "", 0))
        self.entries[0]["arguments"][5] = "-DADDED=3"
        self.write_entries("build/compile_commands.json")
        self.assertEqual(self.run_program(*files)[0], "43 7 202002\n")

    def test_refusals(self):
        self.write_entries("some.json", [self.entries[0]])
        self.write("[{", "broken.json")
        self.write('[{"file": 1}]', "other.json")
        for name, message in (("some.json", "some.json does not name source/other.cpp"), ("none.json", "there is no such file"),
                              ("broken.json", "it is no list in JSON"), ("other.json", "cannot read other.json")):
            out, err, code = self.run_program("source/main.hip", "source/other.cpp", "--compile-commands", name)
            self.assertEqual((out, code), ("", 2))
            self.assertIn(message, err)

    def test_a_file_that_is_not_named_is_compiled_as_ever(self):
        self.write_entries("compile_commands.json")
        self.write('#include <cstdio>\nint main() { std::puts("alone"); }\n', "alone.hip")
        self.assertEqual(self.run_program("alone.hip"), ("alone\n", "", 0))


if __name__ == "__main__":
    main()
