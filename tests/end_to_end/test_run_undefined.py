#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""--run finds lanes that use what they got from a lane that takes no part, and nothing else for it."""

import json
import os
import re
import subprocess

from kernel_support import PROGRAM, RUNTIME, RunTest
from sampling import long
from skips import main

# The last of the lanes that are left reads one that the mask leaves out. Before, blocks that do nothing.
DIFFERENCES = RUNTIME + """\
#include <cstdlib>
__global__ void fill(float* out, int n) {
  if (blockIdx.x == 0 && threadIdx.x < n) out[threadIdx.x] = threadIdx.x * threadIdx.x;
}
__global__ void difference(float* out, int n) {
  const unsigned long long some = __ballot(threadIdx.x < n);
  if (threadIdx.x >= n) return;
  const float next = __shfl_down_sync(some, out[threadIdx.x], 1);  // here
  if (threadIdx.x < KEPT) out[threadIdx.x] = next - out[threadIdx.x];
}
int main() {
  float *out, numbers[20];
  int n = 20;
  if (std::scanf("%d", &n) != 1) n = 20;
  if (std::FILE* runs = std::fopen("runs", "a")) {
    std::fputs("run\\n", runs);
    std::fclose(runs);
  }
  hipMalloc(&out, sizeof numbers);
  fill<<<3, 32>>>(out, n);
  difference<<<1, 32>>>(out, n);
  hipMemcpy(numbers, out, sizeof numbers, hipMemcpyDeviceToHost);
  hipFree(out);
  END
}
"""
LINE = DIFFERENCES.splitlines().index(next(line for line in DIFFERENCES.splitlines() if "// here" in line)) + 1
PRINTED = 'for (int i = 0; i < n; ++i) std::printf("%g\\n", numbers[i]);  return 5;'


class Undefined(RunTest):
    def run_differences(self, end, *options, kept="20", stdin="20"):
        """(standard output, standard error, exit code, how often the program ran)"""
        self.write(DIFFERENCES.replace("KEPT", kept).replace("END", end), "d.hip")
        runs = self.folder / "runs"
        runs.unlink(missing_ok=True)
        out, err, code = self.run_program("d.hip", *options, stdin=stdin)
        return out, err, code, len(runs.read_text().splitlines())

    def assert_found(self, err, code, lane=19):
        self.assertEqual(code, 3, err)
        self.assertEqual(err.count("broken rule:"), 1, err)
        self.assertRegex(err, r"broken rule: d\.hip: a lane uses what it got from a lane that takes no part")
        self.assertRegex(err, rf"lane {lane} +gets an undefined value in __shfl_down_sync \(mask .*\) at d.hip:{LINE}\n")
        self.assertRegex(err, rf"lane {lane + 1} +is left out by the mask\n")

    def test_a_value_that_is_printed(self):
        for warp_size in (32, 64):
            with self.subTest(warp_size=warp_size):
                out, err, code, _ = self.run_differences(PRINTED, "--warp-size", warp_size)
                self.assert_found(err, code)
                # Printed once, by the first run.
                self.assertEqual(out.splitlines()[:19], [str(2 * i + 1) for i in range(19)])
                self.assertEqual(len(out.splitlines()), 20)
                self.assertRegex(err, r"what it prints differs first in line 20:\n")

    @long
    def test_a_value_that_decides_how_the_program_ends(self):
        _, err, code, _ = self.run_differences("return numbers[19] > 0 ? 1 : 2;")
        self.assert_found(err, code)
        self.assertRegex(err, r": exit code [12]\n.*: exit code [12]\n")

    def test_a_value_that_decides_what_a_kernel_does(self):
        # Nothing of it reaches the host.
        source = DIFFERENCES.replace("if (threadIdx.x < KEPT) out[threadIdx.x] = next - out[threadIdx.x];",
                                     "if (next > 5e9f || next < 0) atomicAdd(out, 0.0f);").replace("END", "return 5;")
        self.write(source, "d.hip")
        _, err, code = self.run_program("d.hip", stdin="20")
        self.assert_found(err, code)

    def test_what_is_read_and_dropped_is_no_finding(self):
        out, err, code, runs = self.run_differences(PRINTED, kept="19")
        self.assertEqual((err, code), ("", 5))
        self.assertGreater(runs, 1)
        self.assertEqual(len(out.splitlines()), 20)

    @long
    def test_what_is_never_the_same_counts_for_nothing(self):
        changing = 'std::printf("%p %ld\\n", static_cast<void*>(out), static_cast<long>(rand_of_its_own()));  return 5;'
        own = "#include <unistd.h>\nstatic long rand_of_its_own() { return getpid(); }\n"
        self.write(own + DIFFERENCES.replace("KEPT", "19").replace("END", changing), "d.hip")
        _, err, code = self.run_program("d.hip", stdin="20")
        self.assertEqual((err, code), ("", 5))
        # And hides nothing.
        changing = changing.replace("return 5;", PRINTED)
        self.write(own + DIFFERENCES.replace("KEPT", "20").replace("END", changing), "d.hip")
        _, err, code = self.run_program("d.hip", stdin="20")
        self.assertEqual(code, 3, err)
        self.assertRegex(err, r"lane 19 +gets an undefined value in __shfl_down_sync")

    @long
    def test_where_no_lane_reads_such_a_value_it_runs_once(self):
        _, err, code, runs = self.run_differences("return 5;", "--check", "collectives", stdin="20")
        self.assertEqual((err, code, runs), ("", 5, 1))
        # No lane writes here, so what is copied to the host is no lane's.
        _, err, code, runs = self.run_differences("return 5;", "--check", "all", stdin="0")
        self.assertEqual((code, runs), (3, 1), err)
        self.assertIn("80 bytes that nobody has written are copied to the host\n", err)

    @long
    def test_each_run_reads_the_same(self):
        # Through a pipe; with 7 numbers it is lane 6.
        _, err, code, _ = self.run_differences(PRINTED, stdin="7")
        self.assert_found(err, code, lane=6)

    @long
    def test_nobody_at_a_terminal_is_asked_again(self):
        self.write(DIFFERENCES.replace("KEPT", "20").replace("END", "return 5;"), "d.hip")
        try:
            other_end, end = os.openpty()
        except OSError as error:
            self.skipTest(f"there are no terminals to be had: {error}")
        with os.fdopen(other_end, "wb", buffering=0) as keyboard, os.fdopen(end, "rb", buffering=0) as terminal:
            keyboard.write(b"20\n")
            done = subprocess.run([PROGRAM, "--run", "d.hip"], cwd=self.folder, env=self.environment, stdin=terminal,
                                  capture_output=True, timeout=600, check=False)
        self.assertEqual((done.stderr, done.returncode), (b"warpz: nothing found\n", 5))
        self.assertEqual((self.folder / "runs").read_text(), "run\n")

    @long
    def test_the_right_one_of_many_launches(self):
        # All read such a value; the fourth one keeps it.
        loop = """
  float* more;
  hipMalloc(&more, sizeof numbers);
  for (int turn = 0; turn < 6; ++turn) {
    fill<<<7, 32>>>(more, 20);
    difference<<<1, 32>>>(more, 20, turn == 3 ? 20 : 19);
    hipMemcpy(numbers, more, sizeof numbers, hipMemcpyDeviceToHost);
    std::printf("turn %d: %g\\n", turn, numbers[19]);
  }
  hipFree(more);
  return 5;
"""
        source = DIFFERENCES.replace("difference<<<1, 32>>>(out, n);", "").replace("KEPT", "kept").replace("END", loop)
        self.write(source.replace("int n) {\n  const", "int n, int kept) {\n  const"), "d.hip")
        out, err, code = self.run_program("d.hip", stdin="20")
        self.assert_found(err, code)
        self.assertEqual(len(out.splitlines()), 6)
        self.assertRegex(err, r"differs first in line 4:\n.*turn 3: .*\n.*turn 3: ")

    @long
    def test_the_first_of_the_launches_comes_first(self):
        # In the first one it is a later block that uses such a value.
        launches = "difference<<<4, 32>>>(out, n, 3);\n  difference<<<4, 32>>>(out, n, 1);"
        source = DIFFERENCES.replace("difference<<<1, 32>>>(out, n);", launches).replace("END", PRINTED)
        source = source.replace("int n) {\n  const", "int n, int block) {\n  const")
        self.write(source.replace("threadIdx.x < KEPT", "blockIdx.x == block || threadIdx.x < 19 && blockIdx.x > 9"),
                   "d.hip")
        out, err, code = self.run_program("d.hip", "--format", "json", stdin="20")
        self.assertEqual(code, 3, err)
        (run,) = json.loads(out)["runs"]
        blocks = [each["groups"][0]["block"] for each in run["findings"] if each["kind"] == "undefined_lane_value"]
        self.assertEqual(blocks, [[3, 0, 0]])

    @long
    def test_what_stops_the_program_may_depend_on_it(self):
        # With one value lane 4 waits at a barrier of its own; with another nobody, or another lane.
        for other in ("false", "threadIdx.x == 5"):
            self.write(RUNTIME + f"""
__global__ void k(float* out) {{
  bool leaves;
  for (int round = 0; round < 2 && threadIdx.x != 4; ++round) leaves = false;
  const bool value = __shfl(leaves, 4);
  if (value ? threadIdx.x == 4 : {other}) __syncthreads();
  __syncthreads();
  out[threadIdx.x] = 2;
}}
int main() {{
  float* out;
  hipMalloc(&out, 128);
  k<<<1, 32>>>(out);
  hipDeviceSynchronize();
  hipFree(out);
}}
""")
            out, _, code = self.run_program("my.hip", "--format", "json")
            (run,) = json.loads(out)["runs"]
            self.assertEqual([each["kind"] for each in run["findings"]], ["undefined_lane_value", "diverged_barrier"])
            self.assertEqual([(each["state"], each["lanes"]) for each in run["findings"][0]["groups"][:2]],
                             [("took", [0]), ("never_set", [4])])
            self.assertEqual(code, 3)

    @long
    def test_what_has_no_end_is_not_run_again(self):
        self.write(RUNTIME + """
__global__ void k(int* out) {
  int next = __shfl_sync(1ull << threadIdx.x, 5, threadIdx.x + 1);
  while (next != 0) next |= atomicAdd(out, 1) | 1;
}
int main() {
  std::FILE* const runs = std::fopen("runs", "a");
  std::fputs("run\\n", runs);
  std::fclose(runs);
  int* out;
  hipMalloc(&out, 4);
  hipMemset(out, 0, 4);
  k<<<1, 32>>>(out);
  hipDeviceSynchronize();
}
""")
        out, _, _ = self.run_program("my.hip", "--time-limit", 1, "--format", "json")
        (run,) = json.loads(out)["runs"]
        self.assertEqual(run["findings"][-1]["kind"], "no_progress")
        self.assertEqual((self.folder / "runs").read_text(), "run\n")

    @long
    def test_a_run_that_was_stopped_says_nothing_of_what_would_have_come(self):
        self.write(RUNTIME + """
__global__ void k(float* out, int n) {
  int at;
  for (int k = threadIdx.x; k < 16; k += 16) at = k;
  if (threadIdx.x < n) out[at] = 1;
}
int main() {
  float* out;
  hipMalloc(&out, 128);
  k<<<1, 32>>>(out, 17);
  hipDeviceSynchronize();
  hipFree(out);
}
""")
        out, _, _ = self.run_program("my.hip", "--format", "json")
        (run,) = json.loads(out)["runs"]
        self.assertEqual([each["kind"] for each in run["findings"]], ["undefined_lane_value", "out_of_bounds"])
        self.assertEqual([each["lanes"] for each in run["findings"][0]["groups"]], [[16], [16]])

    @long
    def test_it_is_told_as_json(self):
        self.write(DIFFERENCES.replace("KEPT", "20").replace("END", PRINTED), "d.hip")
        out, err, code = self.run_program("d.hip", "--format", "json", stdin="20")
        self.assertEqual(code, 3, err)
        (run,) = json.loads(out)["runs"]
        (found,) = run["findings"]
        self.assertEqual((found["kind"], found["groups"][0]["lanes"], found["groups"][0]["line"]),
                         ("undefined_lane_value", [19], LINE))
        self.assertTrue(any(re.search("line 20", note) for note in found["notes"]), found)


if __name__ == "__main__":
    main()
