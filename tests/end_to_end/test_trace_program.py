#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""--trace with --run: which launch of a program is shown, by which names, what is undefined, the command that draws a
finding, and what is refused."""

import json
import shlex
import subprocess

from kernel_support import RUNTIME, RunTest
from sampling import long
from skips import main

PROGRAM_TEXT = RUNTIME + """\
__global__ void fill(float* x, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) x[i] = 2.0f * i;
}
__global__ void shift(float* y, const float* x, int n) {
  __shared__ float tile[64];
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  tile[threadIdx.x] = i < n ? x[i] : 0;
  __syncthreads();
  if (i < n) y[i] = tile[(threadIdx.x + 1) % 64];
}
int main() {
  float *x, *y;
  hipMalloc(&x, 512);
  hipMalloc(&y, 512);
  fill<<<1, 128>>>(x, 128);
  for (int round = 0; round < 3; ++round) shift<<<2, 64>>>(round % 2 ? x : y, round % 2 ? y : x, 128);
  hipDeviceSynchronize();
  hipFree(x);
  hipFree(y);
  std::puts("done");
}
"""


# Round 3 of the second kernel has a race in block 1, which block 0 has not.
RACY = RUNTIME + """\
__global__ void fill(float* x) { x[threadIdx.x] = threadIdx.x; }
__global__ void shift(float* y, const float* x, int round) {
  __shared__ float tile[64];
  tile[threadIdx.x] = x[threadIdx.x];
  if (round != 3 || blockIdx.x == 0) __syncthreads();
  y[blockIdx.x * 64 + threadIdx.x] = tile[(threadIdx.x + SHIFT) % 64];
}
int main(int, char** arguments) {
  float *x, *y;
  hipMalloc(&x, 512);
  hipMalloc(&y, 512);
  fill<<<1, 128>>>(x);
  for (int round = 1; round <= arguments[1][0] - '0'; ++round) shift<<<2, 64>>>(y, x, round);
  hipDeviceSynchronize();
  hipFree(x);
  hipFree(y);
}
"""

# Lane 19 reads from lane 20, which the mask leaves out.
UNDEFINED = RUNTIME + """\
__global__ void difference(float* out, const float* in) {
  const int i = threadIdx.x;
  if (i >= 20) return;
  const float next = __shfl_down_sync(0xfffffull, in[i], 1);
  const float doubled = 2 * next;
  out[i] = doubled;
  out[i + 32] = in[i];
}
int main() {
  float *in, *out, host[64] = {};
  hipMalloc(&in, sizeof host);
  hipMalloc(&out, sizeof host);
  hipMemcpy(in, host, sizeof host, hipMemcpyHostToDevice);
  hipMemset(out, 0, sizeof host);
  difference<<<1, 32>>>(out, in);
  hipMemcpy(host, out, sizeof host, hipMemcpyDeviceToHost);
  for (float each : host) std::printf("%g\\n", each);
  hipFree(in);
  hipFree(out);
}
"""

MADE_BY_A_FUNCTION = RUNTIME + """\
__global__ void copy(int* to, const int* from) { to[threadIdx.x] = from[threadIdx.x]; }
int* zeros() {
  int* made;
  hipMalloc(&made, 128);
  hipMemset(made, 0, 128);
  return made;
}
int main() {
  int *from = zeros(), *to = zeros();
  copy<<<1, 32>>>(to, from);
  hipFree(from);
  hipFree(to);
}
"""


def loaded(step):
    return [lane["value"] for lane in step["lanes"] if lane["state"] == "active"]


class TraceProgramTest(RunTest):
    def trace(self, *options):
        self.write(PROGRAM_TEXT)
        out, err, code = self.run_program("my.hip", "--trace", "-o", "trace.json", *options)
        self.assertEqual((out, code), ("done\n", 0), err)
        (run,) = json.loads((self.folder / "trace.json").read_text())["traces"]
        return run

    def test_the_first_launch(self):
        run = self.trace()
        self.assertEqual((run["kernel"], run["threads"], run["puzzle"]), ("fill", 128, None))
        stores = [step for step in run["steps"] if step["kind"] == "store"]
        self.assertEqual(sum(map(loaded, stores), []), [2.0 * i for i in range(128)])

    def test_the_first_that_has_the_block(self):
        run = self.trace("--block", 1)
        self.assertEqual((run["kernel"], run["block"]), ("shift", [1, 0, 0]))
        first = next(step for step in run["steps"] if step["kind"] == "load")
        self.assertEqual(loaded(first), [2.0 * i for i in range(64, 96)])

    def test_the_first_launch_of_a_kernel(self):
        run = self.trace("--entry", "shift", "--warp-size", 64)
        self.assertEqual((run["kernel"], run["warp_size"], run["block"]), ("shift", 64, [0, 0, 0]))
        loads = [step for step in run["steps"] if step["kind"] == "load"]
        # Later launches shift on.
        self.assertEqual(list(map(loaded, loads)), [[2.0 * i for i in range(64)], [2.0 * ((i + 1) % 64) for i in range(64)]])
        self.assertEqual([lane["writer"]["thread"] for lane in loads[1]["lanes"]], [(i + 1) % 64 for i in range(64)])

    def test_a_launch_by_its_number(self):
        run = self.trace("--launch", 3)
        self.assertEqual((run["kernel"], run["launch"]), ("shift", 3))
        first = next(step for step in run["steps"] if step["kind"] == "load")
        # The second launch has shifted by one within each block.
        self.assertEqual(loaded(first), [2.0 * i for i in range(1, 33)])

    def test_buffers_have_the_names_of_their_variables(self):
        run = self.trace("--entry", "shift")
        self.assertEqual([(step["kind"], step["memory"]) for step in run["steps"] if step["warp"] == 0 and "memory" in step],
                         [("load", "x"), ("store", "tile"), ("load", "tile"), ("store", "y")])
        self.write(MADE_BY_A_FUNCTION)
        out, _, _ = self.run_program("my.hip", "--trace")
        self.assertIn("0..31 <- made[lane]\n", out)
        self.assertIn("0..31 -> made#2[lane]\n", out)

    def test_an_undefined_value_is_visible_as_far_as_it_goes(self):
        self.write(UNDEFINED)
        self.run_program("my.hip", "--trace", "-o", "trace.json")
        (run,) = json.loads((self.folder / "trace.json").read_text())["traces"]
        undefined = [[lane["lane"] for lane in step["lanes"] if "undefined" in lane] for step in run["steps"]]
        self.assertEqual([(step["kind"], lanes) for step, lanes in zip(run["steps"], undefined)],
                         [("load", []), ("collective", [19]), ("store", [19]), ("load", []), ("store", [])])

    def test_a_report_ends_with_the_command_that_draws_its_finding(self):
        self.write(RACY)
        words = ["--cxxflags", "-DSHIFT=1", "--", "5"]
        _, err, code = self.run_program("my.hip", "--warp-size", 64, *words)
        self.assertEqual(code, 3, err)
        command = shlex.split(err.splitlines()[-1].removeprefix("see:  "))
        picture = command.index("-o") + 1
        self.assertRegex(command[picture], r"\Alanes\.(html|svg)\Z")
        command[picture] = "trace.json"
        self.assertEqual(command[1:], ["--run", "my.hip", "--warp-size", "64", "--launch", "4", "--block", "1", "--trace",
                                       "-o", "trace.json", *words])
        subprocess.run(command, cwd=self.folder, env=self.environment, stdin=subprocess.DEVNULL, capture_output=True,
                       timeout=120, check=False)
        (run,) = json.loads((self.folder / "trace.json").read_text())["traces"]
        found = [(step["kind"], step["memory"], step["finding"]["what"]) for step in run["steps"] if "finding" in step]
        self.assertEqual((run["launch"], found), (4, [("store", "tile", "data race"), ("load", "tile", "data race")]))
        # Another launch has none of it.
        command[command.index("4")] = "3"
        subprocess.run(command, cwd=self.folder, env=self.environment, stdin=subprocess.DEVNULL, capture_output=True,
                       timeout=120, check=False)
        (run,) = json.loads((self.folder / "trace.json").read_text())["traces"]
        self.assertEqual([run["findings"], [step for step in run["steps"] if "finding" in step]], [[], []])

    @long
    def test_no_command_where_a_trace_would_show_nothing(self):
        self.write(RACY)
        for options in (["--trace"], ["--check", "collectives"], ["--quiet"]):
            _, err, _ = self.run_program("my.hip", *options, "--cxxflags", "-DSHIFT=1", "--", "5")
            self.assertNotRegex(err, "(?m)^see: ")
        # What the host does wrong is in no lane.
        self.write(MADE_BY_A_FUNCTION.replace("  hipFree(to);\n", ""))
        _, err, _ = self.run_program("my.hip")
        self.assertRegex(err, "(?m)^warning: .*never freed")
        self.assertNotRegex(err, "(?m)^see: ")

    def test_text_follows_what_the_program_prints(self):
        self.write(PROGRAM_TEXT)
        out, _, _ = self.run_program("my.hip", "--trace", "--lanes", "0-3")
        self.assertRegex(out, r"\Adone\nTrace of fill: launch 1, block 0, 128 threads, 32 lanes in a warp\n")

    def test_a_launch_that_does_not_come(self):
        self.write(PROGRAM_TEXT)
        for options, words in ((["--block", 7], "there is no launch that has a block 7"),
                               (["--entry", "nothing"], "there is no launch of nothing that has a block 0"),
                               (["--launch", 9], "there is no launch 9 that has a block 0")):
            out, err, code = self.run_program("my.hip", "--trace", *options)
            self.assertEqual((out, code), ("done\n", 0))
            self.assertIn(f"warpz: nothing to trace: {words}\n", err)

    def test_what_is_refused(self):
        self.write(PROGRAM_TEXT)
        for options, words in ((["--trace", "svg"], "only --trace text goes to standard output"),
                               (["--trace", "--output", "made"], "--trace does nothing with --output"),
                               (["--launch", 2], "--launch works only with --trace"),
                               (["--trace", "--launch", 0], "--launch takes"),
                               (["--entry", "shift"], "with --run, --entry works only with --trace"),
                               (["--trace", "--check", "off"], "--trace and --check off cannot be combined")):
            _, err, code = self.run_program("my.hip", *options)
            self.assertEqual(code, 2, words)
            self.assertIn(words, err)


if __name__ == "__main__":
    main()
