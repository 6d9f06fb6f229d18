#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""CMake's options for the GPU modules: what AUTO leaves out and says, and how ON fails."""

import os
import pathlib
import subprocess
import tempfile
import unittest

from sampling import long
from skips import main

SOURCE = pathlib.Path(__file__).resolve().parents[2]

# src/gpu by itself, with as much of the project around it as it uses.
PROJECT = f"""cmake_minimum_required(VERSION 3.25)
project(warpz LANGUAGES NONE)
set(CMAKE_FIND_USE_CMAKE_SYSTEM_PATH OFF)
set(CMAKE_FIND_USE_SYSTEM_ENVIRONMENT_PATH OFF)
set(CMAKE_INSTALL_LIBDIR lib)
set(kernel_groups)
add_subdirectory("{SOURCE}/src/gpu" gpu)
"""


class GpuOptionsTest(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        (self.folder / "CMakeLists.txt").write_text(PROJECT)

    def program(self, name, body):
        path = self.folder / name
        path.write_text(f"#!/bin/sh\n{body}\n")
        path.chmod(0o755)
        os.utime(path, (1_000_000_000, 1_000_000_000))  # what changes is not hipcc but what it finds
        return path

    def configure(self, hipcc="", nvcc="", again=False, **options):
        """CMake's output and exit code; an empty compiler is one that is not there."""
        options = {"WARPZ_HIPCC": hipcc or "WARPZ_HIPCC-NOTFOUND", "WARPZ_NVCC": nvcc or "WARPZ_NVCC-NOTFOUND", **options}
        done = subprocess.run(["cmake", "-S", self.folder, "-B", self.folder / "build", "-G", "Ninja", *(() if again else ("--fresh",)),
                               *(f"-D{name}={value}" for name, value in options.items())],
                              capture_output=True, text=True, timeout=120, check=False)
        return " ".join((done.stdout + done.stderr).split()), done.returncode

    def test_auto_says_in_a_line_what_is_missing(self):
        said, code = self.configure()
        self.assertEqual(code, 0, said)
        self.assertIn("No kernels for AMD GPUs: there is no hipcc (Debian: hipcc libamdhip64-dev)", said)
        # CUDA is searched for in its usual place, too.
        self.assertRegex(said, "No kernels for NVIDIA GPUs: there is no (nvcc|hipcc)")

    def test_off_says_nothing(self):
        said, code = self.configure(WARPZ_AMD="OFF", WARPZ_NVIDIA="OFF")
        self.assertEqual(code, 0, said)
        self.assertNotIn("GPUs", said)

    def test_on_fails_with_the_reason(self):
        for vendor in ("AMD", "NVIDIA"):
            said, code = self.configure(**{"WARPZ_AMD": "OFF", "WARPZ_NVIDIA": "OFF", f"WARPZ_{vendor}": "ON"})
            self.assertNotEqual(code, 0)
            self.assertIn(f"WARPZ_{vendor} is ON, and its kernels can't be built: there is no", said)

    def test_a_compiler_that_cannot_compile_hip_is_left_out_in_its_own_words(self):
        broken = self.program("hipcc", "echo \"probe.hip:1:10: fatal error: 'hip/hip_runtime.h' file not found\" >&2; exit 1")
        nvcc = self.program("nvcc", "exit 1")
        said, code = self.configure(broken, nvcc)
        self.assertEqual(code, 0, said)
        for vendor in ("AMD", "NVIDIA"):
            self.assertRegex(said, f"No kernels for {vendor} GPUs: .*hip_runtime.h' file not found")

    def test_a_compiler_that_cannot_link_is_left_out_in_the_linker_s_words(self):
        compiles = self.program("hipcc", 'case "$*" in *" -shared "*) echo "ld: cannot find -lcudart" >&2; exit 1 ;; esac')
        nvcc = self.program("nvcc", "exit 1")
        said, code = self.configure(compiles, nvcc)
        self.assertEqual(code, 0, said)
        for vendor in ("AMD", "NVIDIA"):
            self.assertRegex(said, f"No kernels for {vendor} GPUs: .*ld: cannot find -lcudart")

    def test_architectures_that_the_compiler_lacks_are_left_out_unless_they_were_asked_for(self):
        some = self.program("hipcc", 'case "$*" in *gfx90a*|*gfx1030*) exit 0 ;; esac; echo "error: no such target" >&2; exit 1')
        said, code = self.configure(some, WARPZ_NVIDIA="OFF")
        self.assertEqual(code, 0, said)
        self.assertIn("Kernels for AMD GPUs: gfx90a gfx1030; left out, as this hipcc can't build for them: gfx906 gfx908 "
                      "gfx942 gfx1100 gfx1201", said)
        said, code = self.configure(some, WARPZ_NVIDIA="OFF", WARPZ_AMD_ARCHS="gfx90a;gfx942")
        self.assertNotEqual(code, 0)
        self.assertIn("WARPZ_AMD_ARCHS: hipcc can't build for gfx942: error: no such target", said)

    @long
    def test_what_was_missing_may_have_come_meanwhile(self):
        hipcc, nvcc = self.program("hipcc", "echo error: no header >&2; exit 1"), self.program("nvcc", "exit 0")
        self.assertIn("No kernels for AMD GPUs", self.configure(hipcc, nvcc)[0])
        self.program("hipcc", "exit 0")
        said, code = self.configure(hipcc, nvcc, again=True)
        self.assertEqual(code, 0, said)
        for vendor in ("AMD", "NVIDIA"):
            self.assertIn(f"-- Kernels for {vendor} GPUs: ", said)

    def test_other_words_than_auto_on_and_off(self):
        said, code = self.configure(WARPZ_AMD="yes")
        self.assertNotEqual(code, 0)
        self.assertIn("WARPZ_AMD is yes, and has to be AUTO, ON or OFF", said)

    def test_architectures_of_nvidia(self):
        calls = self.folder / "calls"
        fine = self.program("hipcc", f'echo "$*" >>"{calls}"; exit 0')
        nvcc = self.program("nvcc", "exit 0")
        said, code = self.configure(fine, nvcc, WARPZ_AMD="OFF", WARPZ_NVIDIA_ARCHS="75-virtual;80-real;90a")
        self.assertEqual(code, 0, said)
        for call in calls.read_text().splitlines():
            targets = [word for word in call.split() if word.startswith("-gencode")]
            self.assertEqual(targets, ["-gencode=arch=compute_75,code=compute_75", "-gencode=arch=compute_80,code=sm_80",
                                       "-gencode=arch=compute_90a,code=sm_90a",
                                       "-gencode=arch=compute_90a,code=compute_90a"])
        said, code = self.configure(fine, nvcc, WARPZ_AMD="OFF", WARPZ_NVIDIA_ARCHS="sm_90")
        self.assertNotEqual(code, 0)
        self.assertIn("WARPZ_NVIDIA_ARCHS: sm_90 is none", said)


if __name__ == "__main__":
    main()
