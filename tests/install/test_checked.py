# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""warpz_add_checked_executable() of the installed package: another project's programs are built, and its ctest fails on
a finding."""

import os

from installed_support import PROGRAM, InstalledTest, call
from skips import main

PROJECT = """\
cmake_minimum_required(VERSION 3.25)
project(another LANGUAGES NONE)
find_package(warpz REQUIRED)
enable_testing()
warpz_add_checked_executable(good SOURCES main.hip CXXFLAGS -DREADS=0 WARP_SIZE 64)
warpz_add_checked_executable(bad SOURCES main.hip CXXFLAGS -DREADS=1)
add_test(NAME good COMMAND good 64)
add_test(NAME bad COMMAND bad 32)
"""
SOURCE = """\
#include <hip/hip_runtime.h>
#include <cstdlib>
#include "lanes.hpp"
int main(int, char** words) {
  int *in, *out;
  hipMalloc(&in, 4);
  hipMallocManaged(&out, 4);
  if (!READS) hipMemset(in, 0, 4);
  lanes<<<1, 1>>>(in, out);
  const int found = *out;
  hipFree(in);
  hipFree(out);
  return found != std::atoi(words[1]);
}
"""
HEADER = "__global__ void lanes(const int* in, int* out) { *out = *in == 0 ? EXPECTED : 0; }\n"


class Checked(InstalledTest):
    def test_a_project_builds_and_tests_its_programs(self):
        # The headers and objects that programs are compiled with.
        self.succeed("cmake", "--install", PROGRAM.parent, "--prefix", self.prefix, "--component", "Unspecified")
        project, build = self.folder / "another", self.folder / "another build"
        project.mkdir()
        (project / "CMakeLists.txt").write_text(PROJECT)
        (project / "main.hip").write_text(SOURCE)
        (project / "lanes.hpp").write_text(HEADER.replace("EXPECTED", "warpSize"))
        environment = {"XDG_CACHE_HOME": str(self.folder / "cache")}
        self.succeed("cmake", "-S", project, "-B", build, f"-DCMAKE_PREFIX_PATH={self.prefix}",
                     "-DCMAKE_FIND_USE_PACKAGE_REGISTRY=OFF", **environment)
        self.succeed("cmake", "--build", build, **environment)
        self.succeed("ctest", "--test-dir", build, "-R", "good", **environment)
        done = call("ctest", "--test-dir", build, "-R", "bad", "--output-on-failure", **environment)
        self.assertNotEqual(done.returncode, 0)
        self.assertIn("a lane reads memory that nobody has written", done.stdout)
        self.assertIn("lanes.hpp:1\n", done.stdout)
        self.assertEqual(call(build / "bad", "32").returncode, 3)
        # A header that has changed is compiled again.
        (project / "lanes.hpp").write_text(HEADER.replace("EXPECTED", "5"))
        os.utime(project / "lanes.hpp")
        self.succeed("cmake", "--build", build, **environment)
        self.assertEqual(call(build / "good", "5").returncode, 0)
        self.assertEqual(call(build / "good", "64").returncode, 1)


if __name__ == "__main__":
    main()
