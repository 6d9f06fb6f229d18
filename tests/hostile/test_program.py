#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A program under --run that gets away without a verdict: its kernel ends it, or it was never checked."""

import pathlib
import subprocess
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "end_to_end"))

from kernel_support import NOTHING_FOUND, RUNTIME, RunTest, for_the_device  # noqa: E402 (the path is set above)
from puzzle_runs import PROGRAM, has_landlock, without  # noqa: E402
from sampling import long  # noqa: E402 (the path is set above)
from skips import main  # noqa: E402

# The kernel, or the program after it, ends in the way that the first word names.
ENDS = RUNTIME + "#include <unistd.h>\n" + for_the_device("_exit", "execl", "exit", "quick_exit", "strcmp") + """\
static __host__ __device__ void end(const char* way) {
  if (strcmp(way, "_exit") == 0) _exit(0);
  if (strcmp(way, "quick_exit") == 0) quick_exit(0);
  if (strcmp(way, "exit") == 0) exit(0);
  if (strcmp(way, "execl") == 0) execl("/bin/true", "true", nullptr);
}
__global__ void ends(const char* way) {
  if (threadIdx.x == 7 && way != nullptr) end(way);
}
__global__ void does_nothing() {}
int main(int count, char** words) {
  if (count < 3) return 9;
  does_nothing<<<1, 32>>>();
  const bool in_kernel = strcmp(words[2], "kernel") == 0;
  if (in_kernel) ends<<<1, 32>>>(words[1]);
  if (std::fclose(stdout) == 0) end(words[1]);
  return 0;
}
"""


# What it tries, and what became of it. Its kernel has a finding.
TRIES = RUNTIME + """\
#include <fcntl.h>
#include <signal.h>
#include <unistd.h>
#include <fstream>
#include <iostream>
#include <string>
#include <thread>
__global__ void reads(int* data) { data[threadIdx.x + 1] = 1; }
static void tell(const char* name, long code) { std::printf("%s: %s\\n", name, code >= 0 ? "granted" : "denied"); }
int main(int, char** words) {
  tell("write", open("numbers", O_WRONLY));
  tell("create", open("created", O_WRONLY | O_CREAT, 0600));
  tell("signal", kill(getppid(), 0));
  const pid_t child = fork();
  if (child == 0) _exit(0);
  tell("fork", child);
  tell("read elsewhere", open(words[1], O_RDONLY));
  std::ifstream numbers("numbers");
  int first = 0, sum = 0, given = 0;
  numbers >> first;
  std::cin >> given;
  std::thread([&] { sum = first + given; }).join();
  std::cout << "sum " << sum << std::endl;
  int* data = nullptr;
  if (hipMalloc(&data, 128) != hipSuccess) return 1;
  reads<<<1, 32>>>(data);
  return hipFree(data) == hipSuccess ? 0 : 1;
}
"""


class ProgramTest(RunTest):
    def test_a_confined_program(self):
        self.write(TRIES, "inner/p.hip")
        self.write("40", "inner/numbers")
        self.write("somebody's", "elsewhere")
        self.folder = self.folder / "inner"
        words = ["p.hip", "--confine", "--", "../elsewhere"]
        out, err, code = self.run_program(*words, stdin="2")
        self.folder = self.folder.parent
        self.assertEqual(code, 3, err)
        denied = ["write", "create", "signal", "fork"] + (["read elsewhere"] if has_landlock() else [])
        self.assertEqual([line.split(":")[0] for line in out.splitlines() if line.endswith(": denied")], denied)
        self.assertIn("sum 42\n", out)
        self.assertIn("a lane accesses memory past the end of a buffer", err)
        self.assertFalse((self.folder / "inner/created").exists())

    def test_where_it_cannot_be_confined_it_is_not_run(self):
        self.write(RUNTIME + 'int main() { std::printf("ran\\n"); }\n', "p.hip")
        for call in ("seccomp", "landlock_create_ruleset"):
            done = subprocess.run([PROGRAM, "--run", "p.hip", "--confine"], cwd=self.folder, env=self.environment,
                                  timeout=120, capture_output=True, text=True, check=False, preexec_fn=without(call))
            self.assertEqual((done.stdout, done.returncode), ("", 4), done.stderr)
            self.assertIn("warpz: --confine: this system cannot sandbox a program: ", done.stderr)

    def test_a_kernel_that_ends_the_program_is_a_finding(self):
        self.write(ENDS, "p.hip")
        for way in ("_exit", "quick_exit", "exit", "execl"):
            with self.subTest(way):
                out, err, code = self.run_program("p.hip", "--check", "collectives", "--", way, "kernel")
                self.assertEqual((out, code), ("", 3), err)
                self.assertIn("the program ended while a kernel was running, with exit code 0", err)
                out, err, code = self.run_program("p.hip", "--check", "collectives", "--", way, "program")
                self.assertEqual((out, err, code), ("", "", 0))

    @long
    def test_a_program_that_was_compiled_unchecked_says_so(self):
        self.write(RUNTIME + "__global__ void k() {}\n"
                   'int main() {\n  k<<<1, 1>>>();\n  std::printf("ran\\n");\n}\n', "p.hip")
        for level, note in (("off", "warpz: p was not compiled with --check all: its accesses to memory are not checked\n"),
                            ("all", NOTHING_FOUND)):
            self.assertEqual(self.run_shell(f"{PROGRAM} --run p.hip --check {level} --output p"), ("", "", 0))
            self.assertEqual(self.run_shell(f"{PROGRAM} --run p"), ("ran\n", note, 0))


if __name__ == "__main__":
    main()
