# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What --schedules tells of an order that goes wrong: the lanes and blocks that must not change places, and their lines.
What each program must show was written down from its source, before it ran."""

import json
import random

from kernel_support import RUNTIME, RunTest
from sampling import long
from sarif import violations
from skips import main
from test_output_formats import SCHEMA, violations as json_violations

# A kernel, launched as `launch` says with W lanes in a warp; its results are printed.
PROGRAM = RUNTIME + """\
{kernel}
int main() {{
  hipDeviceProp_t device;
  hipGetDeviceProperties(&device, 0);
  const int W = device.warpSize;
  int host[256], *in, *out;
  hipMalloc(&in, sizeof host);
  hipMalloc(&out, sizeof host);
  for (int i = 0; i < 256; ++i) host[i] = 3 * i + 1;
  hipMemcpy(in, host, sizeof host, hipMemcpyHostToDevice);
  hipMemset(out, 0, sizeof host);
  mine<<<{launch}>>>(in, out);
  hipMemcpy(host, out, sizeof host, hipMemcpyDeviceToHost);
  for (int each : host) std::printf("%d ", each);
  hipFree(in);
  hipFree(out);
}}
"""

# Lane k of warp 1 reads (line 10) what lane k of warp 0 writes (line 7).
NO_BARRIER = """\
__global__ void mine(const int* in, int* out) {
  __shared__ int tile[128];
  const int i = threadIdx.x;
  if (i < warpSize) {
    tile[i] = in[i];  // line 7
  } else {
    tile[i] = 1;
    out[i] = tile[i - warpSize];  // line 10
  }
}"""

# Block 1 looks once at what block 0 publishes, and does not wait for it.
NO_ACQUIRE = """\
__global__ void mine(const int* in, int* out) {
  if (threadIdx.x != 0) return;
  if (blockIdx.x == 0) {
    atomicExch(&out[1], in[5]);
    __threadfence();
    atomicExch(&out[0], 1);
  } else if (blockIdx.x == 1) {
    out[2] = atomicAdd(&out[0], 0) != 0 ? atomicAdd(&out[1], 0) : -1;
  }
}"""

# The sum is 1 but where lane 2 comes before lane 1: 1e8 + 1 is 1e8.
FLOAT_SUM = """\
__global__ void mine(const int*, int* out) {
  const float values[] = {1e8f, -1e8f, 1.0f};
  __shared__ float sum;
  if (threadIdx.x == 0) sum = 0;
  __syncthreads();
  if (threadIdx.x < 3) atomicAdd(&sum, values[threadIdx.x]);  // line 8
  __syncthreads();
  if (threadIdx.x == 0) out[0] = static_cast<int>(sum);
}"""

# Block 7 takes itself for the last one: wrong if it comes before block 6, or an earlier one.
LAST_BLOCK = """\
__global__ void mine(const int* in, int* out) {
  if (threadIdx.x != 0) return;
  atomicExch(&out[1 + blockIdx.x], in[blockIdx.x]);
  __threadfence();
  if (blockIdx.x == gridDim.x - 1) {
    int all = 0;
    for (int i = 0; i < 8; ++i) all += atomicAdd(&out[1 + i], 0);
    out[0] = all;
  }
}"""

# Two warps take two locks in opposite order: both fail if warp 1 has its first (line 6) before warp 0 has its second
# (line 7). Only lane 0 of each does anything.
LOCK_ORDER = """\
__global__ void mine(const int*, int* out) {
  const int warp = threadIdx.x / warpSize;
  if (threadIdx.x % warpSize != 0) return;
  while (atomicCAS(&out[10 + warp], 0, 1) != 0) {}  // line 6
  if (atomicCAS(&out[11 - warp], 0, 1) == 0) {  // line 7
    atomicAdd(&out[0], 1);
    atomicExch(&out[11 - warp], 0);
  }
  atomicExch(&out[10 + warp], 0);
}"""


def party(lane, warp, line, block=0):
    return {"block": [block, 0, 0], "warp": warp, "lane": lane, "file": "mine.hip", "line": line}


def block(number):
    return {"block": [number, 0, 0], "warp": None, "lane": None, "file": None, "line": None}


class TestScheduleShrink(RunTest):
    def setUp(self):
        super().setUp()
        self.write(PROGRAM.format(kernel=NO_BARRIER, launch="1, 2 * W"), "mine.hip")

    def findings(self, kernel, launch, *options):
        self.write(PROGRAM.format(kernel=kernel, launch=launch), "mine.hip")
        out, _, _ = self.run_program("mine.hip", "--format", "json", *options)
        said = json.loads(out)
        self.assertEqual(json_violations(said, SCHEMA), [])
        return [each for run in said["runs"] for each in run["findings"]]

    def shrunk(self, kernel, launch, *options):
        """The decisions of the schedule dependence, of which no one can be left out."""
        dependence, = [each for each in self.findings(kernel, launch, *options) if each["kind"] == "schedule_dependence"]
        found = dependence["shrunk_schedule"]
        self.assertEqual(found["end"], "smallest")
        self.assertEqual(found["count"], len(found["decisions"]))
        self.assertLess(found["count"], found["of"])
        self.assertLessEqual(found["runs"], 401)
        return [(each["first"], each["then"]) for each in found["decisions"]]

    def test_a_missing_barrier(self):
        for size in (32, 64):
            (first, then), = self.shrunk(NO_BARRIER, "1, 2 * W", "--schedules", 5, "--warp-size", size)
            self.assertEqual(first, party(first["lane"], 1, 10))
            self.assertEqual(then, party(first["lane"], 0, 7))

    def test_a_missing_acquire(self):
        for size in (32, 64):
            self.assertEqual(self.shrunk(NO_ACQUIRE, "3, W", "--schedules", 5, "--warp-size", size),
                             [(block(1), block(0))])

    def test_a_sum_of_floats(self):
        for size in (32, 64):
            self.assertEqual(self.shrunk(FLOAT_SUM, "1, 2 * W", "--schedules", 10, "--warp-size", size),
                             [(party(2, 0, 8), party(1, 0, 8))])

    def test_a_last_block(self):
        for size in (32, 64):
            self.assertEqual(self.shrunk(LAST_BLOCK, "8, W", "--schedules", 5, "--warp-size", size), [(block(7), block(6))])

    def test_two_locks_in_opposite_order(self):
        for size in (32, 64):
            self.assertEqual(self.shrunk(LOCK_ORDER, "1, 2 * W", "--schedules", 10, "--warp-size", size),
                             [(party(0, 1, 6), party(0, 0, 7))])

    def test_a_finding_of_another_order(self):
        kernel = """\
__global__ void mine(const int* in, int* out) {
  if (atomicAdd(&out[0], 1) == 0 && threadIdx.x % 8 == 5) out[256] = in[0];  // line 4
}"""
        bounds, = [each for each in self.findings(kernel, "1, W", "--schedules", 20) if each["kind"] == "out_of_bounds"]
        # Such a lane has to come before lane 0, and so before all others.
        only, = bounds["shrunk_schedule"]["decisions"]
        self.assertEqual(only["first"]["lane"] % 8, 5)
        self.assertEqual(only["first"], party(only["first"]["lane"], 0, 4))
        self.assertEqual((only["then"]["warp"], only["then"]["lane"]), (0, 0))

    @long
    def test_random_lanes_that_write_one_element(self):
        chosen = random.Random(4)
        for size in (32, 64):
            for _ in range(4):
                slots = [chosen.randrange(20) for _ in range(2 * size)]
                kernel = f"""\
__global__ void mine(const int*, int* out) {{
  const int slots[] = {{{", ".join(map(str, slots))}}};
  atomicExch(&out[slots[threadIdx.x]], threadIdx.x);  // line 5
}}"""
                (first, then), = self.shrunk(kernel, "1, 2 * W", "--schedules", 3, "--warp-size", size)
                one, other = (each["warp"] * size + each["lane"] for each in (first, then))
                # The last in ascending order comes before the one that would be the last but one.
                writers = [lane for lane, slot in enumerate(slots) if slot == slots[one]]
                self.assertEqual((writers[-1], writers[-2]), (one, other))
                self.assertEqual((first["line"], then["line"]), (5, 5))

    def test_the_report_says_it_in_words(self):
        words = ("mine.hip", "--schedules", 5)
        _, err, code = self.run_program(*words)
        self.assertEqual(code, 3)
        self.assertRegex(err, r"\n  found with --schedule-seed 1\n"
                              r"  wrong when in block 0, lane (\d+) of warp 1 at mine\.hip:10 goes before lane \1 of warp 0 at line 7\n"
                              r"  1 of this order's \d+ decisions is enough\n")
        self.assertEqual(self.run_program(*words)[1], err)
        # Nothing is said where nothing depends on an order.
        self.assertNotIn("decisions", self.run_program("mine.hip")[1])

    def test_sarif_names_both_lines(self):
        _, _, code = self.run_program("mine.hip", "--schedules", 5, "--sarif", "out.sarif")
        self.assertEqual(code, 3)
        said = json.loads((self.folder / "out.sarif").read_text())
        self.assertEqual(violations(said), [])
        result, = [each for each in said["runs"][0]["results"] if each["ruleId"] == "schedule_dependence"]
        places = result["locations"] + result["relatedLocations"]
        self.assertEqual([each["physicalLocation"]["region"]["startLine"] for each in places], [10, 7])
        self.assertRegex(places[1]["message"]["text"], r"^lane \d+ of warp 0 comes behind it$")
        self.assertIn("goes before", result["message"]["text"])

    def test_lanes_that_are_active_together_are_no_matter_of_who_goes_first(self):
        kernel = """\
__global__ void mine(const int*, int* out) {
  if (threadIdx.x < 16) out[threadIdx.x] = __popcll(__activemask());
}"""
        dependence, = [each for each in self.findings(kernel, "1, W", "--schedules", 5)
                       if each["kind"] == "schedule_dependence"]
        found = dependence["shrunk_schedule"]
        self.assertEqual((found["end"], found["decisions"]), ("not_shown", []))


if __name__ == "__main__":
    main()
