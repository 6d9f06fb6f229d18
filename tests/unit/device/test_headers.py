# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Each public header of the device library compiles alone, included twice, and without a warning, with the host's
compilers against the CPU machine's headers; and all of them in two files of one program. Finds the headers itself, but
for those of several GPUs, which launch kernels: only a compiler of HIP reads them, as in test_headers_amd.py."""

import pathlib
import subprocess
import tempfile
import unittest

from headers_support import COMMON, HEADERS, LIBRARY, MAIN, SOURCE, HeadersTest, first_found
from skips import main

WITH_MACHINE = (*COMMON, f"-I{SOURCE}/src/simt/include")
ALONE = (*WITH_MACHINE, "-Wall", "-Wextra", "-Wshadow", "-Werror", "-fsyntax-only", "-x", "c++")
HEADERS = [header for header in HEADERS if header not in ("warpz/distributed.hpp", "warpz/gpu_group.hpp",
                                                          "warpz/distributed_array.hpp")]
GCC, CLANG = first_found("g++-12", "g++"), first_found("clang++-14", "clang++")


class OnTheHost(HeadersTest):
    def test_the_headers_are_found(self):
        self.assertLessEqual(set(MAIN), set(HEADERS))

    @unittest.skipUnless(GCC, "there is no g++")
    def test_the_main_ones_take_in_all_others(self):
        everything = "".join(f'#include "{header}"\n' for header in MAIN)
        done = subprocess.run([GCC, *WITH_MACHINE, "-M", "-x", "c++", "-"], input=everything, text=True,
                              stdout=subprocess.PIPE, check=True)
        read = done.stdout.replace("\\ ", " ")  # as make wants blanks in names
        for header in HEADERS:
            self.assertIn(f" {LIBRARY / header}", read)

    def test_each_begins_with_what_it_owns(self):
        for header in (LIBRARY / "warpz").rglob("*.hpp"):
            lines = header.read_text().splitlines()
            self.assertEqual(lines[0], "// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception", header)
            self.assertRegex(lines[1], r"^// \w", header)

    @unittest.skipUnless(GCC, "there is no g++")
    def test_by_gcc(self):
        self.compile(HEADERS, GCC, *ALONE)

    @unittest.skipUnless(CLANG, "there is no clang++")
    def test_by_clang(self):
        self.compile(HEADERS, CLANG, *ALONE)

    @unittest.skipUnless(GCC, "there is no g++")
    def test_in_two_files_of_one_program(self):
        """What is no template is inline."""
        with tempfile.TemporaryDirectory() as folder:
            everything = "".join(f'#include "{header}"\n' for header in HEADERS)
            for name in ("one", "two"):
                (pathlib.Path(folder) / f"{name}.cpp").write_text(everything)
            done = subprocess.run([GCC, *WITH_MACHINE, "-shared", "-fPIC", "one.cpp", "two.cpp", "-o", "both.so"],
                                  cwd=folder, text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False)
            self.assertEqual(done.returncode, 0, done.stdout)


if __name__ == "__main__":
    main()
