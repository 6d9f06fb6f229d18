#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""--run with --backend amd or nvidia: compiled by hipcc or nvcc, run as a program of its own. The programs here work
without a GPU, whose module is a stand-in; tests/gpu runs kernels where there is one."""

import json
import shutil
import signal
import unittest

from skips import main
from stand_in import StandInTest

# Prints what it was given, and whose compiler read it.
HIP = """\
#include <hip/hip_runtime.h>
#include <cstdio>
#include <cstdlib>
#include <csignal>
#include <unistd.h>
__global__ void kernel(int* out) { out[threadIdx.x] = warpSize; }
int other();
int main(int count, char** words) {
  int number = 0;
  if (std::scanf("%d", &number) != 1) number = 1;
  if (number == 77) std::raise(SIGSEGV);
  if (number == 78) { for (;;) pause(); }
#if defined(__HIP_PLATFORM_AMD__)
  const char* const vendor = "amd";
#else
  const char* const vendor = "nvidia";
#endif
  const char* const visible = std::getenv(VISIBLE);
  std::printf("%s %s %s %d\\n", vendor, words[count - 1], visible ? visible : "all", other());
  std::fprintf(stderr, "to the error stream\\n");
  return number;
}
"""
CUDA = """\
#include <cstdio>
__global__ void kernel(int* out) { out[threadIdx.x] = warpSize; }
int main() { std::printf("CUDA %d\\n", CUDART_VERSION >= 11000); }
"""


class GpuProgramTest(StandInTest):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        (cls.folder / "program.hip").write_text(HIP)
        (cls.folder / "other.cpp").write_text("int other() { return OTHER; }\n")
        (cls.folder / "program.cu").write_text(CUDA)
        cls.variables = {"XDG_CACHE_HOME": str(cls.folder / "cache"), "HIP_VISIBLE_DEVICES": "4,5"}.items()

    def run_hip(self, number, *options):
        return self.run_with("", "--run", "program.hip", "other.cpp", "--backend", "amd", *options, "--cxxflags", "-DOTHER=9",
                             '-DVISIBLE="HIP_VISIBLE_DEVICES"', "-Wall", "--", "a", "b", stdin=str(number),
                             variables=self.variables)

    @unittest.skipUnless(shutil.which("hipcc"), "there is no hipcc")
    def test_amd(self):
        """Input, arguments, output and exit code are the program's, also of one that is kept."""
        self.assertEqual(self.run_hip(5), ("amd b 4,5 9\n", "to the error stream\n", 5))
        self.assertEqual(self.run_hip(0, "--device", "1"), ("amd b 5 9\n", "to the error stream\n", 0))
        out, err, code = self.run_hip(6, "--format", "json")
        self.assertEqual((sorted(err.splitlines()), code), (["amd b 4,5 9", "to the error stream"], 6))
        run, = json.loads(out)["runs"]
        self.assertEqual((run["backend"], run["warp_size"], run["exit_code"], run["findings"]), ("amd", 64, 6, []))
        _, err, code = self.run_hip(77)
        self.assertEqual(code, 128 + signal.SIGSEGV)
        self.assertIn("SIGSEGV", err)
        _, err, code = self.run_hip(78, "--time-limit", "0.5")
        self.assertEqual(code, 3, err)
        self.assertIn("the program took longer than 0.5 s, and was stopped", err)

    @unittest.skipUnless(shutil.which("hipcc"), "there is no hipcc")
    def test_a_program_that_does_not_compile_is_5(self):
        (self.folder / "broken.hip").write_text("#include <hip/hip_runtime.h>\nint main() { return x; }\n")
        out, err, code = self.run_with("", "--run", "broken.hip", "--backend", "amd")
        self.assertEqual((out, code), ("", 5), err)
        self.assertIn("broken.hip:2:", err)

    @unittest.skipUnless(shutil.which("nvcc"), "there is no nvcc")
    def test_cuda(self):
        """nvcc alone compiles it: no hipcc is asked for."""
        program = ("--run", "program.cu", "--backend", "nvidia")
        self.assertEqual(self.run_with("", *program, variables=self.variables), ("CUDA 1\n", "", 0))

    def test_refusals(self):
        shutil.copy(self.folder / "warpz", self.folder / "compiled")
        for words, message in ((("program.cu", "--backend", "amd"), "program.cu is CUDA, and an AMD GPU takes HIP"),
                               (("program.hip", "--backend", "amd", "--check", "all"), "only the CPU machine checks"),
                               (("program.hip", "--backend", "amd", "--arch", "gfx942"), "only the CPU machine poses"),
                               (("program.hip", "--backend", "amd", "--confine"), "only the CPU machine sandboxes"),
                               (("program.hip", "--backend", "amd", "--timeout", "3"), "--time-limit stops the whole"),
                               (("program.hip", "--backend", "amd", "--output", "x"), "only the CPU machine runs what"),
                               (("compiled", "--backend", "amd"), "compiled is compiled already")):
            with self.subTest(words):
                out, err, code = self.run_with("", "--run", *words)
                self.assertEqual((out, code), ("", 2), err)
                self.assertIn(message, " ".join(err.split()))

    def test_no_device_is_4_before_anything_is_compiled(self):
        out, err, code = self.run_with("no-device", "--run", "program.hip", "--backend", "amd")
        self.assertEqual((out, code), ("", 4))
        self.assertIn("hipErrorNoDevice", err)
        _, err, code = self.run_with("", "--run", "program.hip", "--backend", "amd", variables={"PATH": "/nowhere",
                                                                                              "ROCM_PATH": "/nowhere"}.items())
        self.assertEqual(code, 4)
        self.assertIn("--run needs hipcc to compile for a GPU", " ".join(err.split()))


if __name__ == "__main__":
    main()
