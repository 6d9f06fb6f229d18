# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A place to run --kernel in, and the kernels that its tests have in common."""

import contextlib
import os
import pathlib
import re
import subprocess
import tempfile
import unittest

from puzzle_runs import CHOSEN, MODULES, PASSED_HIDDEN, PROGRAM, without

# What the program compiles kernels by.
CLANG = os.environ["WARPZ_CLANG"]
# The beginning of a script that is no compiler, and says that it is this one.
SAYS_WHOSE = f'case "$1" in -dM) exec "{CLANG}" "$@" ;; esac\n'
SECONDS = 120

# How a whole program begins.
RUNTIME = "#include <hip/hip_runtime.h>\n#include <cstdio>\n"

RIGHT = """\
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  const float mine = i < size ? input[i] : 0.0f;
  const float next = __shfl_down(mine, 1);
  const bool has_next = threadIdx.x % warpSize + 1 < warpSize && i + 1 < size;
  if (i < size) output[i] = has_next ? next - mine : 0.0f;
"""
NOTHING_FOUND = "warpz: nothing found\n"
# The same of a program that launches no kernel.
NOTHING_LAUNCHED = "warpz: nothing found, and no kernel was launched\n"
TAKES = "float* output, const float* input, int size"
KERNEL = f"__global__ void mine({TAKES}) {{\n{RIGHT}}}\n"
NOTHING = f"({TAKES}) {{ if (size < 0) output[0] = input[0]; }}\n"
# Lanes of a warp wait at two barriers.
STUCK = """__global__ void block_sum(float* output, const float* input, int size) {
  const int t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
  const float own = i < size ? input[i] : 0;
  if (t < 40) __syncthreads();
  else __syncthreads();
  if (i < size) output[i] = own;
}
"""


def for_the_device(*functions):
    """Declarations of the C library's functions, whose headers declare them for the host alone: device code may not call
    those, but nothing keeps it from declaring the same itself."""
    return "".join(f'extern "C" __device__ decltype({name}) {name};\n' for name in functions)


# Precompiled, for all tests of this build: each would take a second for them.
HEADERS = MODULES.parent / "headers"
HEADERS.mkdir(mode=0o700, exist_ok=True)


# A compiler that notes each of its calls. There is one for all tests, which so share its headers, too.
NOTING = MODULES.parent / "noting-compiler"
NOTING_TEXT = f'#!/bin/sh\necho "$@" >>"$WARPZ_TEST_CALLS"\nexec "{CLANG}" "$@"\n'
if not NOTING.exists() or NOTING.read_text() != NOTING_TEXT:
    made = NOTING.with_suffix(f".{os.getpid()}")
    made.write_text(NOTING_TEXT)
    made.chmod(0o755)
    made.replace(NOTING)


def cache_with_headers(folder):
    """An empty cache in this folder, but for what all kernel files begin with."""
    cache = folder / "cache"
    for each in (cache, cache / "warpz"):
        each.mkdir(mode=0o700)
    (cache / "warpz/headers").symlink_to(HEADERS)
    return cache


class KernelTest(unittest.TestCase):
    """Each test has a folder of its own to work in, a cache and a folder for temporary files, which stays empty. No
    process is left behind."""

    lacking = ()  # calls that the system shall lack

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        # In a folder of its own: where both this one and the one above change meanwhile, warpz keeps no result.
        self.folder = pathlib.Path(folder.name) / "work"
        self.folder.mkdir()
        self.temporary = self.folder / "temporary"
        self.temporary.mkdir()
        self.cache = cache_with_headers(self.folder)
        self.environment = {**os.environ, "XDG_CACHE_HOME": str(self.cache), "TMPDIR": str(self.temporary),
                            "WARPZ_MARK": str(self.folder)}
        for name in ("WARPZ_CXX", "CPATH"):
            self.environment.pop(name, None)

    def tearDown(self):
        self.assertEqual(os.listdir(self.temporary), [], "temporary files are left behind")
        self.assertEqual(self.processes(), [], "processes are left behind")

    def processes(self):
        """Those that warpz has started and that run: they have inherited the mark."""
        mark = f"WARPZ_MARK={self.folder}".encode()
        found = []
        for each in filter(str.isdigit, os.listdir("/proc")):
            with contextlib.suppress(OSError):
                if mark in pathlib.Path("/proc", each, "environ").read_bytes().split(b"\0"):
                    found.append(int(each))
        return sorted(found)

    def write(self, text, name="my.hip"):
        path = self.folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
        return name

    def script(self, text, name="compiler"):
        """A program that is used as a compiler."""
        path = self.folder / name
        path.write_text(f"#!/bin/sh\n{text}\n")
        path.chmod(0o755)
        return str(path)

    def noting(self):
        """A compiler that notes each of its calls, and the file with them."""
        calls = self.folder / "calls"
        calls.touch()
        self.environment["WARPZ_TEST_CALLS"] = str(calls)
        return str(NOTING), calls

    def start(self, *options, **variables):
        return subprocess.Popen([PROGRAM, *map(str, options)], cwd=self.folder, env={**self.environment, **variables},
                                stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                                preexec_fn=without(*self.lacking) if self.lacking else None)

    def run_kernel(self, *options, file="my.hip", puzzle="neighbor", **variables):
        """(standard output, standard error without the line about the backend, exit code)"""
        process = self.start(f"--{puzzle}", "--kernel", file, *options, **variables)
        out, err = process.communicate(timeout=SECONDS)
        return out.decode(), PASSED_HIDDEN.sub(b"", CHOSEN.sub(b"", err)).decode(), process.returncode

    def entries(self):
        return sorted(self.cache.glob("warpz/kernels/*.kernel"))

    def assert_passes(self, *options, **more):
        out, err, code = self.run_kernel(*options, **more)
        self.assertEqual((err, code), ("", 0))
        self.assertRegex(out, r"\nOK .* test passed!\n\Z")


class CacheTest(KernelTest):
    """The kernel of a file with a header, by a compiler whose calls are counted."""

    def setUp(self):
        super().setUp()
        self.compiler, calls = self.noting()
        self.calls = lambda: len(calls.read_text().splitlines())
        self.write("#define STEP 1\n", "step.hpp")
        self.write('#include "step.hpp"\n' + KERNEL.replace("mine, 1", "mine, STEP"))

    def assert_compiles(self, expected, *options, **more):
        before = self.calls()
        out, err, code = self.run_kernel("--compiler", self.compiler, *options, **more)
        self.assertEqual((err, code), ("", 0), out)
        self.assertEqual(self.calls() > before, expected)


class RunTest(KernelTest):
    def run_program(self, *words, stdin="", **variables):
        """(standard output, standard error, exit code)"""
        done = subprocess.run([PROGRAM, "--run", *map(str, words)], cwd=self.folder, input=stdin, text=True,
                              env={**self.environment, **variables}, capture_output=True, timeout=SECONDS, check=False)
        # What a clean run ends with; test_run.py has a test of it.
        # A busy machine may take a minute to compile, and says so.
        err = re.sub(r"^warpz: .* is still being compiled, .*\n", "", done.stderr, flags=re.MULTILINE)
        return done.stdout, err.removesuffix(NOTHING_FOUND).removesuffix(NOTHING_LAUNCHED), done.returncode

    def run_shell(self, command):
        """The same of a shell's command."""
        done = subprocess.run(["/bin/sh", "-c", command], cwd=self.folder, stdin=subprocess.DEVNULL, text=True,
                              env=self.environment, capture_output=True, timeout=SECONDS, check=False)
        return done.stdout, done.stderr, done.returncode
