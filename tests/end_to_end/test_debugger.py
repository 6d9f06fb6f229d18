# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""--debugger: gdb stops in a kernel, as in any other function of the process that it has started."""

import shutil
import subprocess
import unittest

from kernel_support import PROGRAM, RUNTIME, SECONDS, TAKES, RunTest
from sampling import long
from skips import main

KERNEL = f"""\
__global__ void mine({TAKES}) {{
  const float next = __shfl_down(input[threadIdx.x], 1);
  const float difference = next - input[threadIdx.x];
  output[threadIdx.x] = threadIdx.x + 1 < size ? difference : 0.0f;
}}
"""

PROGRAM_WITH_MAIN = RUNTIME + """\
__global__ void twice(int* out, int count) {
  const int value = 2 * threadIdx.x;
  if (threadIdx.x < count) out[threadIdx.x] = value;
}
int main(int count, char**) {
  int* out;
  hipMallocManaged(&out, 32 * sizeof(int));
  twice<<<1, 32>>>(out, count == 1 ? 32 : 33);
  if (count == 3) twice<<<1, 64>>>(out, 33);
  hipDeviceSynchronize();
  std::printf("%d\\n", out[31]);
  hipFree(out);
  return 7;
}
"""


@unittest.skipUnless(shutil.which("gdb"), "gdb is not installed")
class Debugger(RunTest):
    def debug(self, commands, *arguments):
        words = [word for each in ("set breakpoint pending on", *commands) for word in ("-ex", each)]
        done = subprocess.run(["gdb", "-q", "-nx", "-batch", *words, "--args", PROGRAM, *map(str, arguments)],
                              cwd=self.folder, env=self.environment, stdin=subprocess.DEVNULL, text=True,
                              capture_output=True, timeout=SECONDS)
        return done.stdout, done.stderr

    def test_a_breakpoint_in_a_kernel(self):
        self.write(KERNEL)
        for check in ("all", "off"):
            out, err = self.debug(["break my.hip:4", "run", "print size", "delete", "continue"],
                                  "--neighbor", "--kernel", "my.hip", "--check", check, "--debugger")
            self.assertRegex(out, r"Breakpoint 1\S*, mine \(.*\) at \S*my\.hip:4\n", err)
            self.assertIn("$1 = 32\n", out)
            self.assertIn("OK Basic neighbor difference test passed!", out)
            self.assertRegex(out, r"Inferior 1 \(process \d+\) exited normally")

    @long
    def test_a_breakpoint_in_a_program(self):
        self.write(PROGRAM_WITH_MAIN, "twice.hip")
        out, err = self.debug(["break twice.hip:5", "run", "print count", "delete", "continue"],
                              "--run", "twice.hip", "--debugger")
        self.assertRegex(out, r"Breakpoint 1\S*, twice ?\(.*\) at \S*twice\.hip:5\n", err)
        self.assertIn("$1 = 32\n", out)
        self.assertIn("\n62\n", out)
        self.assertRegex(out, r"Inferior 1 \(process \d+\) exited with code 07")

    @long
    def test_without_the_option_a_program_runs_to_its_end(self):
        self.write(PROGRAM_WITH_MAIN, "twice.hip")
        out, err = self.debug(["run"], "--run", "twice.hip")
        self.assertIn("\n62\n", out, err)
        self.assertRegex(out, r"Inferior 1 \(process \d+\) exited with code 07")

    @long
    def test_what_is_found_is_reported(self):
        self.write(PROGRAM_WITH_MAIN, "twice.hip")
        out, err = self.debug(["run"], "--run", "twice.hip", "--debugger", "--", "a", "b")
        self.assertIn("a lane accesses memory past the end of a buffer\n  in kernel twice\n", err)
        self.assertRegex(out, r"Inferior 1 \(process \d+\) exited with code 03")


class Alone(RunTest):
    @long
    def test_it_ends_as_without_a_debugger(self):
        self.write(PROGRAM_WITH_MAIN, "twice.hip")
        self.assertEqual(self.run_program("twice.hip", "--debugger"), ("62\n", "", 7))
        _, err, code = self.run_program("twice.hip", "--debugger", "--", "a", "b")
        self.assertEqual(code, 3)
        self.assertIn("past the end of a buffer", err)
        self.write(KERNEL.replace("next - ", "next + "))
        out, _, code = self.run_kernel("--debugger")
        self.assertEqual(code, 1)

    def test_what_does_not_go_with_it(self):
        self.write(KERNEL)
        for words, said in ((["--schedules", 2], "--schedules does nothing with --debugger: the kernel runs once"),
                            (["--warp-size", "both"],
                             "--warp-size both does nothing with --debugger: the kernel runs once")):
            self.assertEqual(self.run_kernel("--debugger", *words), ("", f"warpz: {said}\n", 2))
        out, err, code = self.run_kernel("--debugger", "--backend", "amd")
        self.assertEqual((out, code), ("", 2))
        self.assertIn("--debugger does nothing with --backend amd: only the CPU machine runs kernels in this process",
                      err)


if __name__ == "__main__":
    main()
