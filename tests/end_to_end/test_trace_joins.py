#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What lanes make of what they gave and got, as a trace tells it: of kernels whose operation is known."""

import json
import re

from kernel_support import KernelTest
from skips import main

INCLUDE = "#include <warpz/warp.hpp>\n"
KERNEL = """#include <hip/hip_runtime.h>
__global__ void mine(float* output, const float* input, int size) {{
  const int i = blockIdx.x * blockDim.x + threadIdx.x, lane = i % warpSize;
  float value = i < size ? input[i] : 0;
{}
  if (i < size) output[i] = value;
}}
"""
ALL = 0xffffffff
LOOP = "  for (int offset = warpSize / 2; offset > 0; offset /= 2) {{\n    {}\n  }}"

# The lines of the kernel, the expression and the lanes that go on with it; nothing: none is told.
CASES = {
    "+": (LOOP.format("value += __shfl_xor(value, offset);"), "gave + got", ALL),
    "fmaxf": (LOOP.format("value = fmaxf(value, __shfl_xor(value, offset));"), "fmaxf(gave, got)", ALL),
    "fminf in two lines": (LOOP.format("const float other = __shfl_xor(value, offset);\n    value = fminf(value, other);"), "fminf(gave, got)", ALL),
    "a choice": (LOOP.format("const float other = __shfl_xor(value, offset);\n    value = value > other ? value : other;"), "max(gave, got)", ALL),
    "-": ("  value = __shfl_down(value, 1) - value;", "got - gave", ALL),
    "the other -": ("  const float other = __shfl_down(value, 1);\n  value = value - other;", "gave - got", ALL),
    "*": ("  value = value * __shfl_xor(value, 3);", "gave * got", ALL),
    "what it gets": ("  value = __shfl_xor(value, 1);", "got", ALL),
    "a scan": ("  const float below = __shfl_up(value, 3);\n  if (lane >= 3) value += below;", "gave + got", ALL & ~7),
    "a difference to the lane below": ("  const float below = __shfl_up(value, 1);\n  if (lane > 0) value = value - below;",
                                       "gave - got", ALL & ~1),
    "a transform": ("  const float other = __shfl_xor(value, 1);\n  value = lane & 1 ? other - value : value + other;", "gave + got or got - gave", ALL),
    "a sort": ("  const float other = __shfl_xor(value, 1);\n  value = lane & 1 ? fmaxf(value, other) : fminf(value, other);",
               "fminf or fmaxf", ALL),
    "something else": ("  value = 3 * value + 2 * __shfl_xor(value, 1);", None, 0),
    "nothing of it": ("  value = __shfl_xor(value, 1) > 1e6f ? 5 : 3 * value;", None, 0),
}
# Two values in turn: each goes on with its own.
TWO = LOOP.format("value = fmaxf(value, __shfl_xor(value, offset));\n    least = fminf(least, __shfl_xor(least, offset));")


UP = "  for (int d = 1; d < warpSize; d *= 2) {{\n    const float below = __shfl_up(value, d);\n    if ({}) {};\n  }}\n"
SUM, LARGEST = UP.format("lane >= d", "value += below"), UP.format("lane >= d", "value = fmaxf(value, below)")
DISTANCES = [1, 2, 4, 8, 16]


def ranges(distance, segment=32):
    """Of a scan within segments, after the step by this distance: the first and the last of the lanes that each has joined."""
    return [(max(lane - 2 * distance + 1, lane // segment * segment), lane) for lane in range(32)]


SCAN = [ranges(distance) for distance in DISTANCES]
IN_ROWS = [ranges(distance, 16) for distance in DISTANCES[:4]] + SCAN[4:]  # as the device library has it
# The lines of the kernel, and for each step that is one of a scan the lanes that each lane has joined.
SCANS = {
    "a sum": (SUM, SCAN),
    "the largest": (LARGEST, SCAN),
    "of what the first has made": (SUM + LARGEST, SCAN + 5 * [SCAN[4]]),
    "of another value": ("  float other = value;\n" + SUM + LARGEST.replace("value", "other") + "  value += other;\n", SCAN + SCAN),
    "segments": (UP.format("lane % 8 >= d", "value += below"),
                 # Nobody has joined anything by 8 and by 16, so that nothing is told.
                 [ranges(distance, 8) for distance in DISTANCES[:3]]),
    "a difference": ("  const float below = __shfl_up(value, 1);\n  if (lane > 0) value -= below;\n", []),
    "what it gets": ("  value = __shfl_up(value, 1);\n", []),
    "with one that is not beside it": ("  const float below = __shfl_up(value, 3);\n  if (lane >= 3) value += below;\n", []),
    "the library's": ("  value = warpz::warp::prefix_sum(value);\n", IN_ROWS),
    "the library's twice in a line": ("  value = warpz::warp::prefix_sum(value) - warpz::warp::prefix_sum(input[lane]);\n", IN_ROWS + IN_ROWS),
    "the library's exclusive one": ("  value = warpz::warp::prefix_sum<true>(value);\n", IN_ROWS + [[(0, lane) for lane in range(31)]]),
}


class JoinTest(KernelTest):
    def steps(self, lines):
        self.write(INCLUDE + KERNEL.format(lines))
        self.run_kernel("--backend", "cpu", "--documented-only", "--random", 7, "--trace", "-o", "trace.json")
        (run,) = json.loads((self.folder / "trace.json").read_text())["traces"]
        return [step for step in run["steps"] if step["kind"] == "collective"]

    def test_the_operation_and_its_lanes(self):
        for name, (lines, expression, lanes) in CASES.items():
            with self.subTest(name):
                wanted = None if expression is None else {"expression": expression, "lanes": hex(lanes)}
                self.assertEqual([step.get("join") for step in self.steps(lines)],
                                 [wanted] * (5 if lines.startswith("  for") else 1))

    def test_two_values_in_turn(self):
        steps = self.steps("  float least = value;\n" + TWO + "\n  value -= least;")
        # Of the last round nothing is seen any more.
        self.assertEqual([step["join"]["expression"] for step in steps[:-2]], ["fmaxf(gave, got)", "fminf(gave, got)"] * 4)

    def test_a_sum_over_zeros_is_still_a_sum(self):
        """Where a lane adds to 0, it goes on with what it gets, and that is not what the operation does."""
        steps = self.steps("  value = lane < 16 ? value : 0;\n  value = warpz::warp::prefix_sum(value);\n  value = __shfl(value, 31);\n")
        self.assertEqual([step.get("join", {}).get("expression") for step in steps[:5]], ["gave + got"] * 5)

    def test_whose_values_a_scan_has_joined(self):
        for name, (lines, expected) in SCANS.items():
            with self.subTest(name):
                self.write(INCLUDE + KERNEL.format(lines))
                picture, _, _ = self.run_kernel("--backend", "cpu", "--documented-only", "--random", 7, "--trace", "svg")
                numbers = re.search(r'<g class="row numbers"[^>]*>(.*?)</g>', picture)[1]
                lanes = {float(x): int(lane) for x, lane in re.findall(r'<text[^>]* x="([^"]*)"[^>]*>(\d+)<', numbers)}
                def lane_at(place, numbers=lanes):
                    return numbers[min(numbers, key=lambda x: abs(x - place))]

                # Each line begins and ends 3 units beside the middle of a lane.
                found = [[(lane_at(float(first) + 3), lane_at(float(last) - 3)) for first, last in re.findall(r"M(\S+) \S+?H([^M]+)", path)]
                         for path in re.findall(r'<path class="cover" d="([^"m]*)"', picture)]
                self.assertEqual(found, expected)
                self.assertEqual(picture.count(">joined so far<"), len(expected))

    def test_text_and_picture_tell_it(self):
        self.write(KERNEL.format(CASES["a scan"][0]))
        text, _, _ = self.run_kernel("--backend", "cpu", "--documented-only", "--trace", "--lanes", "0-5")
        self.assertIn("\n     3..31 go on with gave + got\n     0..2 go on with what they gave\n", text)
        picture, _, _ = self.run_kernel("--backend", "cpu", "--documented-only", "--trace", "svg")
        self.assertEqual(re.findall(r">(gave|got|next: [^<]*)<", picture), ["got", "gave", "got", "next: gave + got", "gave"])


if __name__ == "__main__":
    main()
