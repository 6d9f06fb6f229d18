# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What a user's code may use of the machine, as a whole program and as a puzzle's kernel: memory, output, processes and
threads; and that nothing of it is left behind."""

import json
import subprocess
import time

from kernel_support import PROGRAM, RUNTIME, SECONDS, TAKES, RunTest
from sampling import long
from skips import main
from test_output_formats import SCHEMA, violations

# What is done without end, once it is asked for.
HEADERS = """\
#include <pthread.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>
#include <cstdio>
#include <cstdlib>
#include <cstring>
"""
GREEDY = HEADERS + """\
inline void take_memory() {
  static char* volatile held;  // so that no compiler leaves it out
  for (;;) {
    held = static_cast<char*>(std::malloc(1 << 20));
    std::memset(held, 1, 1 << 20);
  }
}
inline void share_memory() {
  char* held = static_cast<char*>(mmap(nullptr, 1 << 30, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0));
  for (int i = 0; i < 1 << 30; i += 1 << 20) std::memset(held + i, 1, 1 << 20);
  for (;;) pause();
}
inline void print() {
  for (;;) puts("and so on, and so on, and so on, and so on, and so on, and so on, and so on, and so on");
}
inline void start_processes() {
  for (int i = 0; i < 3000; ++i) {
    if (fork() == 0) for (;;) pause();
  }
  for (;;) pause();
}
inline void start_threads() {
  pthread_attr_t small;
  pthread_attr_init(&small);
  pthread_attr_setstacksize(&small, 1 << 19);
  const auto wait_for_ever = [](void*) -> void* { for (;;) pause(); };
  pthread_t thread;
  for (int i = 0; i < 4500 && pthread_create(&thread, &small, wait_for_ever, nullptr) == 0; ++i) continue;
  for (;;) pause();
}
// Each is gone when it is looked for; beside them one that has cut itself off.
inline void run_away() {
  for (int i = 0; i < 5; ++i) {
    if (fork() != 0) continue;
    for (;;) if (fork() != 0) _exit(0);
  }
  if (fork() == 0) {
    setsid();
    if (fork() == 0) for (;;) pause();
    _exit(0);
  }
  usleep(300000);
}
// A quarter of the memory, in five processes that only look at it.
inline void share_out() {
  constexpr int bytes = 60 << 20;
  char* const held = static_cast<char*>(std::malloc(bytes));
  std::memset(held, 1, bytes);
  for (int i = 0; i < 5; ++i) {
    if (fork() != 0) continue;
    usleep(500000);
    _exit(held[bytes - 1] - 1);
  }
  while (wait(nullptr) > 0) {
  }
}
inline bool is(const char* a, const char* b) {
  while (*a == *b && *a != 0) ++a, ++b;
  return *a == *b;
}
inline void be_greedy(const char* excess) {
  if (is(excess, "take_memory")) take_memory();
  if (is(excess, "share_memory")) share_memory();
  if (is(excess, "print")) print();
  if (is(excess, "start_processes")) start_processes();
  if (is(excess, "start_threads")) start_threads();
  if (is(excess, "run_away")) run_away();
  if (is(excess, "print_behind") && fork() == 0) print();
  if (is(excess, "share_out")) share_out();
}
"""
AS_PROGRAM = RUNTIME + '#include "greedy.hpp"\nint main(int, char** words) { be_greedy(words[1]); return 7; }\n'
# Device code may not call what the system's headers declare; but nothing keeps it from declaring the same itself.
DEVICE = """\
extern "C" {
__device__ int fork() noexcept;
__device__ int pause();
__device__ int puts(const char*);
__device__ int setsid() noexcept;
__device__ int usleep(unsigned);
__device__ int wait(int*);
__device__ void* mmap(void*, size_t, int, int, int, long) noexcept;
__device__ int pthread_attr_init(pthread_attr_t*) noexcept;
__device__ int pthread_attr_setstacksize(pthread_attr_t*, size_t) noexcept;
__device__ int pthread_create(pthread_t*, const pthread_attr_t*, void* (*)(void*), void*) noexcept;
[[noreturn]] __device__ void _exit(int);
}
#pragma clang force_cuda_host_device begin
#include "greedy.hpp"
#pragma clang force_cuda_host_device end
"""
AS_KERNEL = HEADERS + DEVICE + '__global__ void mine(' + TAKES + """) {
  if (threadIdx.x == 0) be_greedy(HOW);
  const float next = __shfl_down(input[threadIdx.x], 1);
  output[threadIdx.x] = threadIdx.x + 1 < size ? next - input[threadIdx.x] : 0.0f;
}
"""
LIMITS = ("--check", "off", "--memory-limit", 200, "--output-limit", 1)
PASSED = {"take_memory": "took more than 200 MiB of memory", "share_memory": "took more than 200 MiB of memory",
          "print": "printed more than 1 MiB", "start_processes": "started more than 1000 processes at once",
          "start_threads": "started more than 4000 threads at once"}


def limits_for(excess):
    """So many threads have stacks of more than the 200 MiB."""
    return (*LIMITS, "--memory-limit", 4000) if excess == "start_threads" else LIMITS


class LimitsTest(RunTest):
    def setUp(self):
        super().setUp()
        self.write(GREEDY, "greedy.hpp")


class Programs(LimitsTest):
    def setUp(self):
        super().setUp()
        self.write(AS_PROGRAM, "greedy.hip")

    @long
    def test_each_limit(self):
        for excess, said in PASSED.items():
            out, err, code = self.run_program("greedy.hip", *limits_for(excess), "--", excess)
            self.assertEqual(code, 3, err)
            stopped = f"broken rule: greedy.hip: the program {said}, and was stopped\n  Check what"
            self.assertTrue(err.startswith(stopped), excess + err)
            self.assertLess(len(out), 4 << 20)
            self.assertEqual(self.processes(), [])
        out, _, code = self.run_program("greedy.hip", *LIMITS, "--format", "json", "--", "take_memory")
        said = json.loads(out)
        self.assertEqual(violations(said, SCHEMA), [])
        run, = said["runs"]
        self.assertEqual((run["exit_code"], run["signal"], [each["kind"] for each in run["findings"]]),
                         (None, None, ["over_limit"]))

    def test_what_is_no_more_than_it_may_have(self):
        self.assertEqual(self.run_program("greedy.hip", *LIMITS, "--", "share_out"), ("", "", 7))

    @long
    def test_processes_that_run_away(self):
        self.assertEqual(self.run_program("greedy.hip", *LIMITS, "--", "run_away"), ("", "", 7))

    def test_what_is_printed_comes_as_it_is(self):
        self.write("#include <cstdio>\n#include <unistd.h>\nint main(int count, char**) {\n"
                   "  for (int i = 0; i < 300000; ++i) std::printf(\"%d\\n\", i);\n  std::fflush(stdout);\n"
                   "  for (int i = 0; i < 3; ++i) {\n    dprintf(2, \"err %d\\n\", i);\n"
                   "    dprintf(1, \"out %d\\n\", i);\n  }\n  return count == 1 ? 7 : 0;\n}\n", "prints.hip")
        numbers = "".join(f"{i}\n" for i in range(300000))
        mixed = "".join(f"err {i}\nout {i}\n" for i in range(3))
        run = f"'{PROGRAM}' --run prints.hip --check off"
        for to in ("2>&1", ">both 2>&1; code=$?; cat both; exit $code", "2>&1 | (sleep 1; cat); exit 7"):
            out, err, code = self.run_shell(f"{run} {to}")
            self.assertTrue(out == numbers + mixed, out[-100:])
            self.assertEqual((err, code), ("", 7))
        # A reader that goes away ends the program, as it would without warpz between them.
        out, err, _ = self.run_shell(f"{run} | head -n 2")
        self.assertEqual(out, "0\n1\n")
        self.assertIn("prints.hip was ended by SIGPIPE", err)
        out, err, code = self.run_shell(f"{run} >/dev/full")
        self.assertEqual((out, code), ("", 2))
        self.assertIn("warpz: standard output cannot be written: No space left on device\n", err)

    @long
    def test_a_reader_that_stalls_keeps_no_signal_waiting(self):
        with subprocess.Popen([PROGRAM, "--run", "greedy.hip", "--check", "off", "--", "print"], cwd=self.folder,
                              stdout=subprocess.PIPE, env=self.environment) as process:
            process.stdout.read(1)
            time.sleep(0.5)
            process.terminate()
            self.assertEqual(process.wait(timeout=SECONDS), -15)


class Kernels(LimitsTest):
    def start_processes(self):
        """As a kernel can that is not confined."""
        self.lacking = ("seccomp",)

    def test_each_limit(self):
        self.start_processes()
        for excess, said in PASSED.items():
            self.write(AS_KERNEL.replace("HOW", f'"{excess}"'))
            out, err, code = self.run_kernel(*limits_for(excess), "--timeout", 60)
            self.assertEqual(code, 3, err)
            self.assertIn(f"broken rule: neighbor: the kernel {said}, and was stopped\n  in kernel mine\n", err)
            self.assertLess(len(err), 4 << 20)
            self.assertEqual(self.processes(), [])

    @long
    def test_processes_that_run_away(self):
        self.start_processes()
        self.write(AS_KERNEL.replace("HOW", '"run_away"'))
        _, err, code = self.run_kernel(*LIMITS, "--documented-only", "--quiet")
        self.assertEqual((err, code), ("", 0))

    def test_a_busy_kernel_has_a_time_limit(self):
        self.write(f"__global__ void mine({TAKES}) {{\n  float most = input[size - 1];\n"
                   "  for (int offset = 16; offset >= 0; offset /= 2) most = fmaxf(most, __shfl_xor(most, offset));\n"
                   "  output[threadIdx.x] = most;\n}\n")
        _, err, code = self.run_kernel("--time-limit", 0.5, "--timeout", 0.3)
        self.assertEqual(code, 3, err)
        self.assertIn("neighbor: the kernel made progress, but did not end within 0.5 seconds (--time-limit)\n", err)

    def test_a_timeout_holds_that_is_longer_than_the_time_limit_of_puzzles(self):
        self.write(f"__global__ void mine({TAKES}) {{\n  for (;;) {{\n  }}\n}}\n")
        _, err, code = self.run_kernel("--timeout", 5.5)
        self.assertEqual(code, 3, err)
        self.assertIn("neighbor: the kernel made no progress for 5.5 seconds (--timeout)\n", err)

    @long
    def test_what_a_kernel_leaves_behind_may_go_on_printing(self):
        self.start_processes()
        self.write(AS_KERNEL.replace("HOW", '"print_behind"'))
        self.assertEqual(self.run_kernel("--check", "off", "--documented-only")[2], 0)

    def test_what_a_kernel_prints_comes_before_what_is_said_of_it(self):
        self.write(f"__global__ void mine({TAKES}) {{\n  if (threadIdx.x == 0) for (int i = 0; i < 20000; ++i) "
                   'printf("line %d\\n", i);\n  output[threadIdx.x] = size + input[0];\n}\n')
        _, err, code = self.run_kernel("--check", "off")
        lines = "".join(f"line {i}\n" for i in range(20000))
        self.assertEqual(code, 1)
        self.assertTrue(err.startswith(lines + "wrong result: neighbor: "), err[:100])


if __name__ == "__main__":
    main()
