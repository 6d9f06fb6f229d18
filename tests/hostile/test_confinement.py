#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A kernel that tries to reach out of its process: to warpz, to the user's files, to other processes.

Each attempt does no harm if it succeeds, but to this test's own warpz and files."""

import errno
import os
import pathlib
import subprocess
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "end_to_end"))

from kernel_support import KernelTest, RIGHT, SECONDS, TAKES, for_the_device  # noqa: E402 (the path is set above)
from puzzle_runs import PROGRAM, has_landlock, without  # noqa: E402
from sampling import long  # noqa: E402 (the path is set above)
from skips import main  # noqa: E402

INCLUDES = """\
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/ptrace.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/shm.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>
#include <cstdio>
#include <cstdlib>
#include <cstring>
""" + for_the_device(
    "_exit", "chmod", "clone", "close", "dprintf", "execl", "fcntl", "fgets", "fopen", "fork", "ftruncate", "getenv",
    "getppid", "ioctl", "kill", "memfd_create", "mkdir", "mmap", "open", "pause", "pipe2", "process_vm_readv",
    "process_vm_writev", "ptrace", "rename", "setrlimit", "shm_open", "shm_unlink", "shmctl", "shmget", "sigqueue",
    "snprintf", "socket", "sscanf", "strcmp", "strdup", "strsep", "symlink", "syscall", "truncate", "unlink", "vfork",
    "write")

# The result of each is negative where it is denied.
ATTEMPTS = {
    "trace": "ptrace(PTRACE_SEIZE, getppid(), 0, 0)",
    # The same bytes that are there: warpz was forked, so that both have them at one address.
    "write to its memory": '(parent = {getenv("PATH"), 1}, process_vm_writev(getppid(), &parent, 1, &parent, 1, 0))',
    "read its memory": '(parent = {byte, 1}, theirs = {getenv("PATH"), 1}, '
                       "process_vm_readv(getppid(), &parent, 1, &theirs, 1, 0))",
    "open its memory": 'open_of_parent("mem", O_RDWR)',
    "open its environment": 'open_of_parent("environ", O_RDONLY)',
    "signal it": "kill(getppid(), SIGCONT)",
    "signal its thread": "syscall(SYS_tgkill, getppid(), getppid(), SIGCONT)",
    "signal all": "kill(-1, 0)",
    "queue a signal": "sigqueue(getppid(), 0, {})",
    "have a signal sent": "fcntl(1, F_SETOWN, getppid())",
    "limit it": "syscall(SYS_prlimit64, getppid(), RLIMIT_CORE, &limit, nullptr)",
    "limit itself": "setrlimit(RLIMIT_CORE, &limit)",
    "hide": "syscall(SYS_prctl, 4, 0)",
    "fork": "fork_and_end()",
    "start a process in its place": "vfork_and_end()",
    "become another program": 'execl("/bin/true", "true", nullptr)',
    "remove a file": 'unlink("victim")',
    "rename a file": 'rename("victim", "stolen")',
    "shorten a file": 'truncate("victim", 0)',
    "write to a file": 'open("victim", O_WRONLY)',
    "append to a file": 'open("victim", O_RDWR | O_APPEND)',
    "empty a file": 'open("victim", O_RDONLY | O_TRUNC)',
    "create a file": 'open("created", O_RDONLY | O_CREAT, 0600)',
    "create one without a name": 'open(".", O_RDWR | O_TMPFILE, 0600)',
    "create a folder": 'mkdir("created", 0700)',
    "create a link": 'symlink("victim", "created")',
    "change rights": 'chmod("victim", 0)',
    "ask a device": "ioctl(1, FIONREAD, byte)",
    "open a socket": "socket(AF_INET, SOCK_STREAM, 0)",
    "take memory in a file": 'memfd_create("more", 0)',
    "take shared memory": "share_and_end()",
    "share memory": "reinterpret_cast<long>(mmap(nullptr, 4096, PROT_READ, MAP_SHARED | MAP_ANONYMOUS, -1, 0))",
    "have descriptors of its own": "clone(wait_for_ever, byte + sizeof byte, CLONE_VM | CLONE_SIGHAND | CLONE_THREAD, "
                                   "nullptr)",
    "take memory of System V": "share_in_the_manner_of_system_v()",
    "ring": "syscall(425, 1, byte)",
    "take memory in pipes": "fill_pipes()",
}

CHOICES = "".join(f'  if (strcmp(name, "{name}") == 0) return static_cast<long>({call});\n'
                  for name, call in ATTEMPTS.items())

ATTEMPT = INCLUDES + """\
static __device__ int open_of_parent(const char* name, int flags) {
  char path[64];
  snprintf(path, sizeof path, "/proc/%d/%s", getppid(), name);
  return open(path, flags);
}
static __device__ long fork_and_end() {
  const pid_t child = fork();
  if (child == 0) _exit(0);
  return child;
}
static __device__ long vfork_and_end() {
  const pid_t child = vfork();
  if (child == 0) _exit(0);
  return child;
}
static __device__ long share_and_end() {
  const long code = shm_open("/warpz-test-confinement", O_RDWR | O_CREAT, 0600);
  shm_unlink("/warpz-test-confinement");
  return code;
}
static __device__ long share_in_the_manner_of_system_v() {
  const int id = shmget(IPC_PRIVATE, 4096, IPC_CREAT | 0600);
  if (id >= 0) shmctl(id, IPC_RMID, nullptr);
  return id;
}
static __device__ int wait_for_ever(void*) {
  for (;;) pause();
}
// Memory that no process has mapped; so much of it is a success.
static __device__ char piece[65536];
static __device__ long fill_pipes() {
  long bytes = 0;
  for (int ends[2]; bytes < 32 << 20 && pipe2(ends, O_NONBLOCK) == 0;) {
    for (long count = 0; (count = write(ends[1], piece, sizeof piece)) > 0;) bytes += count;
  }
  return bytes < 32 << 20 ? -1 : bytes;
}
alignas(16) static __device__ char byte[4096] = "x";
static __device__ long attempt(const char* name) {
  iovec parent = {}, theirs = {};
  rlimit limit = {0, 0};
""" + CHOICES + """\
  return -2;
}
static __device__ const char* result(long code) { return code >= 0 ? "granted" : code == -2 ? "unknown" : "denied"; }
"""

# What is shared with warpz, where it looks for what became of the kernel.
CLEARS = """\
static __device__ void clear_shared_memory() {
  FILE* const maps = fopen("/proc/self/maps", "r");
  char line[1024], last = 0;
  unsigned long begin = 0, end = 0;
  while (fgets(line, sizeof line, maps) != nullptr) {
    if (sscanf(line, "%lx-%lx rw-s %*s %*s %*s /dev/zer%c", &begin, &end, &last) != 3) continue;
    memset(reinterpret_cast<void*>(begin), 0, end - begin);
  }
}
"""

# Tries all that the variable names, one in each line; its result is wrong.
TRIES = ATTEMPT + f"""\
__global__ void mine({TAKES}) {{
  if (threadIdx.x == 0 && blockIdx.x == 0) {{
    char* names = strdup(getenv("ATTEMPTS"));
    while (const char* name = strsep(&names, ",")) printf("%s: %s\\n", name, result(attempt(name)));
  }}
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < size) output[i] = 12345.0f;
}}
"""

# Device code has no constructors, but it can write where the loader looks for them.
AT_START = f"""\
__attribute__((section(".init_array"), used)) __device__ void (*start)() = at_start;
__global__ void mine({TAKES}) {{
{RIGHT}}}
"""
CONSTRUCTS = ATTEMPT + """\
extern "C" __device__ __attribute__((used)) void at_start() {
  dprintf(1, "at the start: %s\\n", result(attempt("remove a file")));
}
""" + AT_START

# Before a wrong result.
SABOTAGE = {
    "stops warpz": "kill(getppid(), SIGSTOP);",
    "resizes memory": "for (int i = 3; i < 64; ++i) if (ftruncate(i, 0) == 0 || ftruncate(i, 1 << 20) == 0) continue;",
}
WRONG = "  if (i < size) output[i] = 12345.0f;\n"

# What honest kernels do.
HONEST = f"""\
__global__ void mine({TAKES}) {{
  if (threadIdx.x == 0 && blockIdx.x == 0) {{
    const clock_t begun = clock();
    char* const more = static_cast<char*>(malloc(64 << 20));
    memset(more, 1, 64 << 20);
    int* const numbers = new int[1 << 20]();
    numbers[12345] = more[12345];
    printf("memory %d, time %d, %s\\n", numbers[12345], clock() >= begun, size == 32 ? "size 32" : "");
    delete[] numbers;
    free(more);
  }}
{RIGHT}}}
"""


class ConfinementTest(KernelTest):
    def setUp(self):
        super().setUp()
        (self.folder / "victim").write_text("somebody's")

    def assert_unharmed(self):
        self.assertEqual((self.folder / "victim").read_text(), "somebody's")
        self.assertFalse((self.folder / "created").exists())
        self.assertFalse((self.folder / "stolen").exists())

    def attempt(self, names, lacking=()):
        """What became of each attempt."""
        self.write(TRIES)
        done = subprocess.run([PROGRAM, "--neighbor", "--kernel", "my.hip", "--check", "off", "--documented-only"],
                              cwd=self.folder, stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=SECONDS,
                              env={**self.environment, "ATTEMPTS": ",".join(names)},
                              preexec_fn=without(*lacking) if lacking else None, check=False)
        self.assertEqual(done.returncode, 1, done.stderr)
        self.assertIn("FAIL", done.stdout)
        self.notes = [line for line in done.stderr.splitlines() if line.startswith("warpz: ")]
        return dict(line.split(": ") for line in done.stderr.splitlines() if line.split(": ")[0] in names)

    def test_nothing_outside_is_in_reach(self):
        self.assertEqual(self.attempt(ATTEMPTS), dict.fromkeys(ATTEMPTS, "denied"))
        self.assertEqual(self.notes, [])
        self.assert_unharmed()

    def test_without_landlock_neither(self):
        # What is left is reading what any process of the user can read.
        names = [name for name in ATTEMPTS if name != "open its environment"]
        self.assertEqual(self.attempt(names, ["landlock_create_ruleset"]), dict.fromkeys(names, "denied"))
        self.assertEqual(self.notes, [f"warpz: my.hip can read your files: Landlock: {os.strerror(errno.ENOSYS)}"])
        self.assert_unharmed()

    def test_a_kernel_that_clears_its_traces_and_ends_is_to_blame(self):
        self.write(INCLUDES + CLEARS + f"__global__ void mine({TAKES}) {{\n"
                   "  if (threadIdx.x == 0) {\n    clear_shared_memory();\n    _exit(0);\n  }\n"
                   f"{RIGHT}}}\n")
        out, err, code = self.run_kernel("--check", "off")
        self.assertEqual(code, 3, err)
        self.assertIn("the kernel ended its process with exit code 0", err)

    @long
    def test_without_filters_of_system_calls_it_says_so(self):
        self.assertEqual(self.attempt(["fork"], ["seccomp"]), {"fork": "granted"})
        (note,) = self.notes
        self.assertRegex(note, r"\Awarpz: my\.hip is not confined: seccomp: .")

    @long
    def test_code_that_runs_when_the_file_is_loaded(self):
        self.write(CONSTRUCTS)
        out, err, code = self.run_kernel("--documented-only")
        self.assertEqual(code, 0, err)
        self.assertEqual(err.splitlines()[0], "at the start: denied")
        self.assert_unharmed()

    @long
    def test_code_that_never_ends_when_the_file_is_loaded(self):
        self.write('extern "C" __device__ __attribute__((used)) void at_start() { for (volatile int i = 0;; i = 1) continue; }\n' + AT_START)
        _, err, code = self.run_kernel("--check", "off", "--timeout", "1")
        self.assertEqual(code, 4, err)
        self.assertIn("my.hip did not do so within 10 seconds\n", err)

    def test_sabotage_changes_no_verdict(self):
        for name, code in SABOTAGE.items():
            with self.subTest(name):
                self.write(INCLUDES + f"__global__ void mine({TAKES}) {{\n"
                           f"  if (threadIdx.x == 0 && blockIdx.x == 0) {{ {code} }}\n"
                           f"  const int i = blockIdx.x * blockDim.x + threadIdx.x;\n{WRONG}}}\n")
                process = self.start("--neighbor", "--kernel", "my.hip", "--check", "off")
                try:
                    out, err = process.communicate(timeout=600)
                finally:
                    process.kill()
                self.assertEqual(process.returncode, 1, err)
                self.assertIn(b"FAIL", out)

    def test_a_kernel_that_closes_all_is_to_blame(self):
        self.write(INCLUDES + f"__global__ void mine({TAKES}) {{\n"
                   f"  for (int i = 0; i < 1024; ++i) close(i);\n{RIGHT}}}\n")
        out, err, code = self.run_kernel("--check", "off")
        self.assertEqual(code, 3, err)
        self.assertIn("the kernel", err)

    @long
    def test_files_of_others_are_not_read(self):
        if not has_landlock():
            self.skipTest("this system has no Landlock")
        self.write(INCLUDES + f"__global__ void mine({TAKES}) {{\n"
                   '  if (threadIdx.x == 0) printf("%d\\n", open("victim", O_RDONLY));\n'
                   f"{RIGHT}}}\n")
        out, err, code = self.run_kernel("--documented-only")
        self.assertEqual((err.splitlines()[0], code), ("-1", 0), out)

    def test_what_honest_kernels_do_still_works(self):
        self.write(HONEST)
        for options in (["--check", "all"], ["--check", "off", "--warp-size", "64"]):
            out, err, code = self.run_kernel("--documented-only", *options)
            self.assertEqual(code, 0, err)
            self.assertIn("memory 1, time 1, ", err)


if __name__ == "__main__":
    main()
