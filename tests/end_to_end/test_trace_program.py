#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""--trace with --run: which launch of a program is shown, and what is refused."""

import json

from kernel_support import RUNTIME, RunTest
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

    def test_text_follows_what_the_program_prints(self):
        self.write(PROGRAM_TEXT)
        out, _, _ = self.run_program("my.hip", "--trace", "--lanes", "0-3")
        self.assertRegex(out, r"\Adone\nTrace of fill: block 0, 128 threads, 32 lanes in a warp\n")

    def test_a_launch_that_does_not_come(self):
        self.write(PROGRAM_TEXT)
        for options, words in ((["--block", 7], "no launch has a block 7"),
                               (["--entry", "nothing"], "no launch of nothing has a block 0")):
            out, err, code = self.run_program("my.hip", "--trace", *options)
            self.assertEqual((out, code), ("done\n", 0))
            self.assertIn(f"warpz: nothing to trace: {words}\n", err)

    def test_what_is_refused(self):
        self.write(PROGRAM_TEXT)
        for options, words in ((["--trace", "svg"], "only --trace text goes to standard output"),
                               (["--trace", "--output", "made"], "--trace does nothing with --output"),
                               (["--entry", "shift"], "--entry does nothing with --run but for --trace"),
                               (["--trace", "--check", "off"], "--trace needs --check all")):
            _, err, code = self.run_program("my.hip", *options)
            self.assertEqual(code, 2, words)
            self.assertIn(words, err)


if __name__ == "__main__":
    main()
