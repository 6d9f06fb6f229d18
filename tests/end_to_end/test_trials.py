#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Checked launches on all cores: what a trial proves clean, what falls back to the fixed order, and that nobody can
tell from what is printed which of the two it was (src/simt/machine/trial.hpp)."""

import os
import pathlib
import re
import subprocess
import sys
import unittest

from kernel_support import KernelTest, cache_with_headers
from puzzle_runs import PROGRAM, SOURCE
from sampling import sample
from skips import main

sys.path.insert(0, str(SOURCE / "tests/corpus/checks"))

import corpus

VARIABLE = "WARPZ_TEST_TRIALS"
# Workers, and the most microseconds that one waits at the end of a block. With 0 workers there are no trials.
NO_TRIAL = "0"
TRIALS = ("1,0", "2,300", "3,300", "8,1000", "16,1000")
TELLS = ",1"
# With the blanks of a table's column.
TIME = re.compile(r" *\d+(\.\d+)? m?s\b| +(time|-)$", re.MULTILINE)
TRIAL = re.compile(rb"^trial of (?:\w+::)?(\w+): (clean|failed)(?:, repeated)?\n", re.MULTILINE)

PROGRAM_BEGIN = """#include <hip/hip_runtime.h>
#include <cstdio>
#include <cstring>
constexpr int blocks = 24, threads = 64, size = blocks * threads;
#define INDEX [[maybe_unused]] const int i = blockIdx.x * blockDim.x + threadIdx.x
"""
# Kernels of buffers `in`, which holds 0, 1, 2, …, and `out`, all zeros; the blocks of one launch, and whether a trial of
# it is clean.
KERNELS = {
    "apart": ("INDEX; out[i] = in[i] + 1;", True),
    # They read the same, which is no meeting.
    "neighbors": ("INDEX; out[i] = in[i] + in[(i + threads) % size];", True),
    "bytes": ("INDEX; reinterpret_cast<char*>(out)[i] = static_cast<char>(in[i]);", True),
    "wide": ("INDEX; if (threadIdx.x % 4 == 0) reinterpret_cast<int4*>(out)[i / 4] = int4{in[i], 1, 2, 3};", True),
    "copies": ("INDEX; if (threadIdx.x == 0) memcpy(out + i, in + i, threads * sizeof(int));", True),
    "shared": ("INDEX; __shared__ int tile[threads]; tile[threadIdx.x] = in[i]; __syncthreads();"
               "out[i] = tile[threads - 1 - threadIdx.x];", True),
    "atomic_of_block": ("INDEX; atomicAdd(&out[blockIdx.x], in[i]);", True),
    # What only the order of a block's own accesses decides.
    "update": ("INDEX; in[i] += 1; out[i] = in[i];", True),
    "update_of_others": ("INDEX; out[i] = in[i]; __syncthreads(); in[i] = 3 * out[i + threads - 1 - 2 * threadIdx.x];", True),
    "update_race": ("INDEX; out[i] = in[i]; in[i] = 3 * out[i + threads - 1 - 2 * threadIdx.x];", False),
    "atomics_and_others": ("INDEX; if (threadIdx.x == 0) atomicAdd(&out[i], in[i]); __syncthreads();"
                           "if (threadIdx.x == 1) out[i - 1] = 3 * atomicAdd(&out[i - 1], 1); __syncthreads(); in[i] = out[i];",
                           True),
    "looks_at_one": ("INDEX; out[i] = __hip_atomic_load(&in[5], __ATOMIC_RELAXED, __HIP_MEMORY_SCOPE_AGENT);", True),
    "looks_at_changed": ("INDEX; out[i] = __hip_atomic_load(&in[5], __ATOMIC_RELAXED, __HIP_MEMORY_SCOPE_AGENT);"
                         "if (blockIdx.x == 3) atomicExch(&in[5], 5);", False),
    "swap": ("INDEX; if (threadIdx.x == 0) out[blocks + blockIdx.x] += 5 - atomicCAS(&out[blockIdx.x], 0, 1);", True),
    "tree": ("INDEX; __shared__ int part[threads]; part[threadIdx.x] = in[i]; __syncthreads();"
             "for (int d = threads / 2; d > 0; d /= 2) { if (threadIdx.x < d) part[threadIdx.x] += part[threadIdx.x + d];"
             "__syncthreads(); } out[i] = part[0];", True),
    "tree_race": ("INDEX; __shared__ int part[threads]; part[threadIdx.x] = in[i]; __syncthreads();"
                  "for (int d = threads / 2; d > 0; d /= 2)"
                  "if (threadIdx.x < d) part[threadIdx.x] += part[threadIdx.x + d];"
                  "__syncthreads(); out[i] = part[0];", False),
    "bins": ("INDEX; __shared__ int bin[8]; if (threadIdx.x < 8) bin[threadIdx.x] = 0; __syncthreads();"
             "atomicAdd(&bin[in[i] % 8], 1); __syncthreads(); out[i] = bin[threadIdx.x % 8];", True),
    "bins_race": ("INDEX; __shared__ int bin[8]; if (threadIdx.x < 8) bin[threadIdx.x] = 0; __syncthreads();"
                  "atomicAdd(&bin[in[i] % 8], 1); out[i] = bin[threadIdx.x % 8];", False),
    "bins_unset": ("INDEX; __shared__ int bin[8]; atomicAdd(&bin[in[i] % 8], 1); __syncthreads();"
                   "out[i] = bin[threadIdx.x % 8];", False),
    "shared_race": ("INDEX; __shared__ int tile[threads]; tile[threadIdx.x] = in[i];"
                    "out[i] = tile[threads - 1 - threadIdx.x];", False),
    "shared_twice": ("INDEX; __shared__ int tile[threads]; for (int n = 0; n < 2; ++n) { tile[threadIdx.x] = in[i];"
                     "__syncthreads(); out[i] += tile[threads - 1 - threadIdx.x]; }", False),
    "shared_unset": ("INDEX; __shared__ int tile[threads]; if (threadIdx.x < 60) tile[threadIdx.x] = in[i];"
                     "__syncthreads(); out[i] = tile[threads - 1 - threadIdx.x];", False),
    "shared_of_each_block": ("INDEX; __shared__ int tile[threads]; if (blockIdx.x % 2 == 0) tile[threadIdx.x] = in[i];"
                             "__syncthreads(); out[i] = tile[threadIdx.x];", False),
    "shared_bytes": ("INDEX; __shared__ char tile[threads]; tile[threadIdx.x] = in[i]; __syncthreads();"
                     "out[i] = tile[threads - 1 - threadIdx.x];", True),
    "shared_bytes_race": ("INDEX; __shared__ char tile[threads]; tile[threadIdx.x] = in[i]; __syncthreads();"
                          "tile[threadIdx.x / 2 * 2] = 1; __syncthreads(); out[i] = tile[threadIdx.x];", False),
    "shared_doubles": ("INDEX; __shared__ double tile[threads]; tile[threadIdx.x] = in[i]; __syncthreads();"
                       "out[i] = tile[threads - 1 - threadIdx.x];", True),
    "shared_half": ("INDEX; __shared__ int2 tile[threads]; tile[threadIdx.x].x = in[i]; __syncthreads();"
                    "out[i] = tile[threads - 1 - threadIdx.x].x;", True),
    "shared_by_warp": ("INDEX; __shared__ int tile[threads]; tile[threadIdx.x] = in[i]; __syncwarp();"
                       "out[i] = tile[threadIdx.x ^ 1];", True),
    "shared_moved": ("INDEX; __shared__ int tile[threads]; if (threadIdx.x < 60) tile[threadIdx.x] = in[i];"
                     "__syncthreads(); const int kept = tile[threads - 1 - threadIdx.x]; __syncthreads();"
                     "tile[threadIdx.x] = kept; __syncthreads(); if (threadIdx.x > 10) out[i] = tile[threadIdx.x];", True),
    "shared_beside": ("INDEX; __shared__ int tile[threads]; tile[threadIdx.x] = in[i]; __syncthreads();"
                      "out[i] = tile[threadIdx.x + (threadIdx.x == threads - 1)];", False),
    "dynamic": ("INDEX; extern __shared__ int many[]; many[threadIdx.x] = in[i]; __syncthreads();"
                "out[i] = many[threads - 1 - threadIdx.x];", True),
    "dynamic_beyond": ("INDEX; extern __shared__ int many[]; many[2 * threadIdx.x] = in[i]; __syncthreads();"
                       "out[i] = many[2 * (threads - 1 - threadIdx.x)];", False),
    "constant": ("INDEX; out[i] = table[threadIdx.x % 4] * in[i];", True),
    "mathematics": ("INDEX; float s, c; sincosf(in[i], &s, &c); out[i] = s + c + powf(in[i], 2);", True),
    # One word for all blocks.
    "sum": ("INDEX; atomicAdd(&out[0], in[i]);", False),
    "ticket": ("INDEX; if (threadIdx.x == 0) out[1 + atomicAdd(&out[0], 1)] = blockIdx.x;", False),
    "variable": ("INDEX; if (threadIdx.x == 0) atomicMax(&highest, in[i]); out[i] = in[i];", False),
    # Blocks wait for the one before them.
    "chain": ("INDEX; if (threadIdx.x == 0) { while (blockIdx.x != 0 && atomicAdd(&out[blockIdx.x - 1], 0) == 0) {}"
              "__threadfence(); atomicExch(&out[blockIdx.x], 1); }", False),
    # A race of two blocks far from each other, and what a block reads depends on it.
    "race": ("INDEX; if (blockIdx.x == 0) out[i] = in[i]; if (blockIdx.x == blocks - 1) in[i] = out[threadIdx.x];",
             False),
    "race_of_lanes": ("INDEX; out[i / 2] = in[i];", False),
    "beyond": ("INDEX; out[i + (i == size - 1)] = in[i];", False),
    # In the fixed order the pointer is there.
    "fragile": ("INDEX; if (i == 0) pointer = in; if (blockIdx.x == blocks - 1) out[i] = pointer[i];", False),
    # In the fixed order the loop ends.
    "endless": ("INDEX; volatile int* const flag = out + size - 1; if (blockIdx.x == 0) *flag = 1;"
                "for (int n = 0; *flag == 0;) n = -n; out[i] = in[i];", False),
    "prints": ('INDEX; if (threadIdx.x == 1) printf("block %d\\n", blockIdx.x); out[i] = in[i];', False),
    "allocates": ("INDEX; int* const own = static_cast<int*>(malloc(8)); own[0] = in[i]; out[i] = own[0]; free(own);",
                  False),
    "asserts": ("INDEX; assert(in[i] < size - 1); out[i] = in[i];", False),
    "prints_by_pointer": ('INDEX; if (threadIdx.x == 1) printer("block %d\\n", blockIdx.x); out[i] = in[i];', False),
}
LAUNCH = """
int main(int, char** words) {
  void (*chosen)(int*, int*) = nullptr;
  for (const auto& [name, kernel] : kernels)
    if (strcmp(name, words[1]) == 0) chosen = kernel;
  int *in, *out, host[size];
  hipMalloc(&in, sizeof host);
  hipMalloc(&out, sizeof host);
  for (int i = 0; i < size; ++i) host[i] = i;
  hipMemcpy(in, host, sizeof host, hipMemcpyHostToDevice);
  hipMemset(out, 0, sizeof host);
  for (int launch = 0; launch < 2; ++launch) chosen<<<blocks, threads, threads * sizeof(int)>>>(out, in);
  hipMemcpy(host, out, sizeof host, hipMemcpyDeviceToHost);
  unsigned sum = 0;
  for (int i = 0; i < size; ++i) sum = sum * 31 + host[i];
  printf("%u\\n", sum);
  hipFree(in);
  hipFree(out);
}
"""
# What a trial has written counts as written, and nothing else does.
HALF_WRITTEN = """
__global__ void write(int* out) { INDEX; if (i % 8 < 4) out[i] = i; }
__global__ void write_bytes(char* out) { INDEX; if (i % 32 < 13) out[i] = 1; }
__global__ void use(const int* in, int* out, int from) { INDEX; if (i % 8 == from) out[i] = in[i] + 1; }
int main() {
  int *half, *out, host[size];
  char* bytes;
  hipMalloc(&half, sizeof host);
  hipMalloc(&out, sizeof host);
  hipMalloc(&bytes, size);
  hipMemset(out, 0, sizeof host);
  write<<<blocks, threads>>>(half);
  write_bytes<<<blocks, threads>>>(bytes);
  use<<<blocks, threads>>>(half, out, 2);
  use<<<blocks, threads>>>(half, out, 5);
  hipMemcpy(host, half, sizeof host, hipMemcpyDeviceToHost);
  hipMemcpy(host, bytes, size, hipMemcpyDeviceToHost);
  hipFree(half);
  hipFree(out);
  hipFree(bytes);
}
"""

# The last block goes first; each reads what the one before it in that order has written.
LAST_FIRST = """
__global__ void pass_on(volatile int* turn, int* out) {
  if (threadIdx.x != 0) return;
  while (*turn != static_cast<int>(gridDim.x - 1 - blockIdx.x)) {}
  out[blockIdx.x] = out[(blockIdx.x + 1) % gridDim.x] + 1;
  *turn = *turn + 1;
}
int main() {
  int *turn, *out;
  hipMalloc(&turn, sizeof(int));
  hipMalloc(&out, blocks * sizeof(int));
  hipMemset(turn, 0, sizeof(int));
  hipMemset(out, 0, blocks * sizeof(int));
  pass_on<<<blocks, threads>>>(turn, out);
  hipDeviceSynchronize();
  hipFree(turn);
  hipFree(out);
}
"""


def source_of(**bodies):
    """A program of these kernels, each in a namespace of its own, as they all are `mine`; its argument chooses one."""
    kernels = "".join(f"namespace {name} {{ __global__ void mine(int* out, int* in) {{ {body} }} }}\n"
                      for name, body in bodies.items())
    names = ", ".join(f'{{"{name}", {name}::mine}}' for name in bodies)
    return (PROGRAM_BEGIN + "__constant__ int table[4] = {1, 2, 3, 4};\n__device__ int highest;\n__device__ int* pointer;\n"
            "__device__ int (*volatile printer)(const char*, ...) = printf;\n"
            f"{kernels}const struct {{ const char* name; void (*kernel)(int*, int*); }} kernels[] = {{{names}}};\n{LAUNCH}")


class TrialTest(KernelTest):
    maxDiff = None

    def run_with(self, trials, *options):
        return subprocess.run([PROGRAM, *options], cwd=self.folder, env={**self.environment, VARIABLE: trials},
                              stdin=subprocess.DEVNULL, capture_output=True, timeout=120, check=False)

    def compile(self, source):
        """The first run tells of the compiler's warnings."""
        (self.folder / "mine.hip").write_text(source)
        self.run_with(NO_TRIAL, "--run", "mine.hip", "--", "apart")

    def compare(self, *options):
        """Without a trial it is as with all kinds of them. Returns that, and what the last of them tells."""
        expected = self.run_with(NO_TRIAL, *options)
        for trials in sample(TRIALS, 3):
            with self.subTest(trials=trials):
                done = self.run_with(trials + TELLS, *options)
                self.assertEqual((done.stdout, TRIAL.sub(b"", done.stderr), done.returncode),
                                 (expected.stdout, expected.stderr, expected.returncode))
        return expected, TRIAL.findall(done.stderr)

    def test_a_launch_falls_back_where_it_must_and_nowhere_else(self):
        self.compile(source_of(**{name: body for name, (body, _) in KERNELS.items()}))
        for name, (_, is_clean) in KERNELS.items():
            with self.subTest(name):
                _, told = self.compare("--run", "mine.hip", "--", name)
                # A kernel that has failed once has no further trial.
                expected = [(b"mine", b"clean")] * 2 if is_clean else [(b"mine", b"failed")]
                self.assertEqual(told[:2], expected)

    def test_what_other_work_or_the_host_may_race_with_is_run_in_order(self):
        body = source_of(apart=KERNELS["apart"][0])
        for name, source, expected in (
                # With another stream that the null stream does not wait for, nothing is tried.
                ("streams", body.replace("{\n  void (*chosen)", "{ hipStream_t other;"
                                         "hipStreamCreateWithFlags(&other, hipStreamNonBlocking); void (*chosen)"), []),
                ("own_stream", body.replace("{\n  void (*chosen)", "{ hipStream_t own; hipStreamCreate(&own); void (*chosen)")
                 .replace("threads * sizeof(int)>>>", "0, own>>>"), []),
                ("managed", body.replace("hipMalloc(&out", "hipMallocManaged(&out"), [(b"mine", b"failed")]),
                ("pinned", body.replace("hipMalloc(&in, sizeof host)", "hipHostMalloc(&in, sizeof host, 0)"),
                 [(b"mine", b"failed")])):
            with self.subTest(name):
                self.assertNotEqual(source, body)
                self.compile(source)
                self.assertEqual(self.compare("--run", "mine.hip", "--", "apart")[1], expected)

    def test_what_a_trial_writes_counts_as_written_and_nothing_else(self):
        self.compile(PROGRAM_BEGIN + HALF_WRITTEN)
        done, _ = self.compare("--run", "mine.hip")
        for told in (b"a lane reads memory that nobody has written", b"warning: 3072 bytes that nobody has written",
                     b"warning: 912 bytes that nobody has written"):
            self.assertIn(told, done.stderr)

    def test_blocks_that_wait_for_later_ones_go_on_in_one_order(self):
        self.compile(PROGRAM_BEGIN + LAST_FIRST)
        done, _ = self.compare("--run", "mine.hip")
        self.assertIn(b"two blocks access the same memory", done.stderr)

    def test_orders_of_lanes_are_tried_as_well(self):
        names = ("apart", "shared", "race_of_lanes")
        self.compile(source_of(**{name: KERNELS[name][0] for name in names}))
        for name in names:
            with self.subTest(name):
                self.compare("--run", "mine.hip", "--schedules", "3", "--", name)


class CorpusTest(unittest.TestCase):
    """The reports of the corpus, byte by byte."""

    maxDiff = None

    def test_reports_are_the_same_for_any_number_of_cores(self):
        cache_with_headers(pathlib.Path(corpus.CACHE_FOLDER.name))
        for kernel in sample(corpus.kernels(), 60):
            for warp_size in kernel.warp_sizes:
                # The first run may tell that the compiler takes long.
                corpus.run(PROGRAM, kernel, warp_size)
                reports = {}
                for trials in (NO_TRIAL, *sample(TRIALS, 3)):
                    os.environ[VARIABLE] = trials
                    done = corpus.run(PROGRAM, kernel, warp_size)
                    reports[trials] = (*(TIME.sub("", text) for text in (done.stdout, done.stderr)), done.returncode)
                os.environ.pop(VARIABLE)
                for trials in sample(TRIALS, 3):
                    with self.subTest(kernel.name, warp_size=warp_size, trials=trials):
                        self.assertEqual(reports[trials], reports[NO_TRIAL])


if __name__ == "__main__":
    main()
