#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What a terminal shows of work that takes long, and that nobody else sees it."""

import fcntl
import os
import re
import struct
import subprocess
import termios

from kernel_support import RIGHT, SECONDS, TAKES, KernelTest
from puzzle_runs import PROGRAM
from skips import main

ORDERS = 10
# The line appears after a second, however fast the machine is.
SLEEPS = f"extern \"C\" __device__ int usleep(unsigned);\n__global__ void mine({TAKES}) {{\n  if (threadIdx.x == 0) usleep(200'000);\n{RIGHT}}}\n"
SLOW = ("--neighbor", "--kernel", "sleeps.hip", "--schedules", ORDERS)
LINE = r"\r\x1b\[Kchecking: run again (\d+) times?"
INPUTS = r"\r\x1b\[Kchecking: tried on (\d+) other inputs?"


LONG = """#include <hip/hip_runtime.h>
#include <unistd.h>
extern "C" __device__ int usleep(unsigned);
__global__ void waits() { usleep(6'500'000); }
int main() { waits<<<1, 1>>>(); }
"""


class ProgressTest(KernelTest):
    def setUp(self):
        super().setUp()
        self.write(SLEEPS, "sleeps.hip")

    def at_a_terminal(self, *options, columns=80):
        """What standard error shows, where it is a terminal, and the exit code."""
        try:
            screen, end = os.openpty()
        except OSError as error:
            self.skipTest(f"there are no terminals to be had: {error}")
        fcntl.ioctl(end, termios.TIOCSWINSZ, struct.pack("HHHH", 24, columns, 0, 0))
        shown = b""
        with subprocess.Popen([PROGRAM, *map(str, options)], cwd=self.folder, env=self.environment, stderr=end,
                              stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL) as process:
            os.close(end)
            try:
                while piece := os.read(screen, 4096):
                    shown += piece
            except OSError:
                pass  # so a terminal says that nobody writes to it any more
            code = process.wait(SECONDS)
        os.close(screen)
        return shown.decode(), code

    def test_a_terminal_shows_how_often_it_was_run_again(self):
        shown, code = self.at_a_terminal(*SLOW, "--documented-only", "--color", "never")
        counts = [int(count) for count in re.findall(LINE, shown)]
        self.assertEqual(code, 0, shown)
        self.assertEqual(counts, sorted(set(counts)))
        self.assertGreater(len(counts), 0, shown)
        self.assertLessEqual(counts[-1], ORDERS)
        self.assertRegex(shown.replace("\r\n", "\n"), rf"\A(running on .*\n(  not on .*\n)*)?({LINE})+\r\x1b\[K\Z")

    def test_lines_fit_the_terminal_and_commands_can_be_copied(self):
        self.write(f"__global__ void mine({TAKES}) {{ if (threadIdx.x < size) output[threadIdx.x] = input[0]; }}\n", "it's a copy.hip")
        options = ("--neighbor", "--kernel", "it's a copy.hip", "--color", "never")
        widest = 0
        for columns in (72, 1000):
            shown, code = self.at_a_terminal(*options, columns=columns)
            self.assertEqual(code, 1, shown)
            lines = re.sub(r"\r\x1b\[K[^\r\n]*", "", shown).replace("\r\n", "\n").splitlines()
            # The program's own path may be longer than that.
            self.assertLessEqual(max(len(line) for line in lines if PROGRAM not in line), columns)
            command = re.search(r"^next: ((?:.*\\\n)*.*)$", "\n".join(lines), re.MULTILINE)[1]
            self.assertEqual("\\\n" in command, columns == 72, command)
            again = subprocess.run(["sh", "-c", command], cwd=self.folder, env=self.environment, capture_output=True, text=True,
                                   timeout=SECONDS, check=False)
            self.assertIn("elements differ", again.stderr)
            widest = max(widest, max(map(len, lines)))
        self.assertGreater(widest, 72)

    def test_a_terminal_shows_in_which_line_a_kernel_runs(self):
        endless = f"__global__ void mine({TAKES}) {{\n  for (volatile int i = 0; i >= 0;) {{}}\n{RIGHT}}}\n"
        self.write(endless, "endless.hip")
        for check in ("all", "off"):
            shown, code = self.at_a_terminal("--neighbor", "--kernel", "endless.hip", "--time-limit", 4, "--check", check)
            self.assertEqual(code, 3, shown)
            self.assertRegex(shown, r"\r\x1b\[Kstill running: line 2, [0-9]+ s\. It is stopped after 4 s")

    def test_a_terminal_shows_that_a_program_runs_for_long(self):
        self.write(LONG, "long.hip")
        shown, code = self.at_a_terminal("--run", "long.hip", "--check", "off", "--color", "never")
        self.assertEqual(code, 0, shown)
        self.assertRegex(shown, r"\Awarpz: long.hip has run for \d+ seconds; a kernel is running \(--time-limit ends\r\n"
                                r"  one that takes too long\)\r\n")

    def test_a_terminal_shows_on_how_many_inputs_it_was_tried(self):
        self.write(SLEEPS.replace("200'000", "40'000"), "naps.hip")
        shown, code = self.at_a_terminal("--neighbor", "--kernel", "naps.hip", "--color", "never")
        counts = [int(count) for count in re.findall(INPUTS, shown)]
        self.assertEqual(code, 0, shown)
        self.assertEqual(counts, sorted(set(counts)))
        self.assertGreater(len(counts), 3, shown)
        self.assertRegex(shown.replace("\r\n", "\n"), rf"\A(running on .*\n(  not on .*\n)*)?({LINE})*({INPUTS})+\r\x1b\[Kright on .*\n\Z")

    def test_nobody_else_sees_it(self):
        self.assertEqual(self.at_a_terminal(*SLOW, "--documented-only", "--quiet"), ("", 0))
        self.assertNotIn("checking", self.at_a_terminal("--neighbor", "--check", "all", "--schedules", 2)[0])


if __name__ == "__main__":
    main()
