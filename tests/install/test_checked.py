# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""warpz_add_checked_executable(), of the installed package and of a subdirectory: another project's programs are built,
and its ctest fails on a finding."""

import os
import re

from installed_support import PROGRAM, SOURCE, InstalledTest, call
from skips import main

PROJECT = """\
cmake_minimum_required(VERSION 3.25)
project(another LANGUAGES NONE)
HOW_WARPZ_COMES
enable_testing()
warpz_add_checked_executable(good SOURCES main.hip CXXFLAGS -DREADS=0 WARP_SIZE 64)
warpz_add_checked_executable(bad SOURCES main.hip CXXFLAGS -DREADS=1)
add_test(NAME good COMMAND good 64)
add_test(NAME bad COMMAND bad 32)
"""
SOURCE_OF_MAIN = """\
#include <hip/hip_runtime.h>
#include <cstdlib>
#include "lanes.hpp"
int main(int, char** words) {
  int *in, *out;
  hipMalloc(&in, 4);
  hipMallocManaged(&out, 4);
  if (!READS) hipMemset(in, 0, 4);
  lanes<<<1, 1>>>(in, out);
  hipDeviceSynchronize();
  const int found = *out;
  hipFree(in);
  hipFree(out);
  return found != std::atoi(words[1]);
}
"""
HEADER = "__global__ void lanes(const int* in, int* out) { *out = *in == 0 ? EXPECTED : 0; }\n"


# The program itself takes minutes to build: here one that is built is the target of that name.
PACKAGE = "find_package(warpz REQUIRED)"
SUBDIRECTORY = f"""\
add_executable(warpz IMPORTED GLOBAL)
set_target_properties(warpz PROPERTIES IMPORTED_LOCATION "{PROGRAM}")
add_subdirectory("{SOURCE}" warpz)"""
BUILT_SUBDIRECTORY = f"""\
set(CMAKE_RUNTIME_OUTPUT_DIRECTORY ${{CMAKE_BINARY_DIR}}/bin)
set(WARPZ_PROGRAM ON)
add_subdirectory("{SOURCE}" warpz EXCLUDE_FROM_ALL)"""


class Checked(InstalledTest):
    def project(self, name, how_warpz_comes):
        """A project's folder and the one to build it in."""
        project = self.folder / name
        project.mkdir()
        (project / "CMakeLists.txt").write_text(PROJECT.replace("HOW_WARPZ_COMES", how_warpz_comes))
        (project / "main.hip").write_text(SOURCE_OF_MAIN)
        (project / "lanes.hpp").write_text(HEADER.replace("EXPECTED", "warpSize"))
        return project, self.folder / f"{name} build"

    def test_a_project_builds_and_tests_its_programs(self):
        # The headers and objects that programs are compiled with.
        self.succeed("cmake", "--install", PROGRAM.parent, "--prefix", self.prefix, "--component", "Unspecified")
        project, build = self.project("another", PACKAGE)
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

    def test_a_project_that_has_warpz_as_a_subdirectory(self):
        project, build = self.project("around", SUBDIRECTORY)
        environment = {"XDG_CACHE_HOME": str(self.folder / "cache"), "PATH": "/usr/bin:/bin"}
        self.succeed("cmake", "-S", project, "-B", build, **environment)
        self.succeed("cmake", "--build", build, **environment)
        self.assertEqual(call(build / "good", "64").returncode, 0)
        self.assertEqual(call(build / "bad", "32").returncode, 3)

    def test_a_subdirectorys_program_is_built_before_what_it_builds(self):
        project, build = self.project("builds", BUILT_SUBDIRECTORY)
        self.succeed("cmake", "-S", project, "-B", build, "-G", "Ninja", "-DWARPZ_AMD=OFF", "-DWARPZ_NVIDIA=OFF")
        steps = self.succeed("ninja", "-C", build, "-t", "commands", "good.build")
        linking, building = (steps.index(command) for command in (" -o warpz/warpz ", '/warpz/warpz" --run '))
        self.assertLess(linking, building)
        self.assertIn(f"exec '{build}/warpz/warpz' --run", (build / "good").read_text())

    def test_without_the_program_a_project_is_told_what_to_do(self):
        project, build = self.project("without", f'add_subdirectory("{SOURCE}" warpz)')
        done = call("cmake", "-S", project, "-B", build, PATH="/usr/bin:/bin")
        self.assertNotEqual(done.returncode, 0)
        self.assertIn("set WARPZ_PROGRAM before adding it", re.sub(r"\s+", " ", done.stdout))


if __name__ == "__main__":
    main()
