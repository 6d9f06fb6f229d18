#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What lanes make of what they gave and got, as a trace tells it: of kernels whose operation is known."""

import json
import re
import unittest

from kernel_support import KernelTest
from skips import main

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
    "a transform": ("  const float other = __shfl_xor(value, 1);\n  value = lane & 1 ? other - value : value + other;", "gave + got or got - gave", ALL),
    "a sort": ("  const float other = __shfl_xor(value, 1);\n  value = lane & 1 ? fmaxf(value, other) : fminf(value, other);",
               "fminf or fmaxf", ALL),
    "something else": ("  value = 3 * value + 2 * __shfl_xor(value, 1);", None, 0),
    "nothing of it": ("  value = __shfl_xor(value, 1) > 1e6f ? 5 : 3 * value;", None, 0),
}
# Two values in turn: each goes on with its own.
TWO = LOOP.format("value = fmaxf(value, __shfl_xor(value, offset));\n    least = fminf(least, __shfl_xor(least, offset));")


class JoinTest(KernelTest):
    def steps(self, lines):
        self.write(KERNEL.format(lines))
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

    def test_text_and_picture_tell_it(self):
        self.write(KERNEL.format(CASES["a scan"][0]))
        text, _, _ = self.run_kernel("--backend", "cpu", "--documented-only", "--trace", "--lanes", "0-5")
        self.assertIn("\n     3..31 go on with gave + got\n     0..2 go on with what they gave\n", text)
        picture, _, _ = self.run_kernel("--backend", "cpu", "--documented-only", "--trace", "svg")
        self.assertEqual(re.findall(r">(gave|got|next: [^<]*)<", picture), ["got", "gave", "got", "next: gave + got", "gave"])


if __name__ == "__main__":
    main()
