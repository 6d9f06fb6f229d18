#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A page with --counters: costs beside the lines, and the map of lanes by banks or sectors, whose sums are what the machine
has counted."""

import collections
import pathlib
import re

from page_support import BrowserTest
from skips import main

try:
    from selenium.webdriver.common.action_chains import ActionChains
except ImportError:
    pass

# Each line is one access, to shared or to global memory.
PROGRAM = """#include <hip/hip_runtime.h>
__global__ void patterns(float* out, const float* in) {
  __shared__ __attribute__((aligned(16))) float tile[33 * 64];
  const int t = threadIdx.x;
  for (int i = t; i < 33 * 64; i += blockDim.x) tile[i] = i;
  __syncthreads();
  float sum = tile[t];
  sum += tile[2 * t];
  sum += tile[32 * t];
  sum += tile[33 * t];
  sum += tile[t / 5];
  if (t % 2) sum += tile[4 * t + 1];
  const float4 four = reinterpret_cast<float4*>(tile)[t];
  const float2 two = reinterpret_cast<float2*>(tile)[t];
  sum += four.x + four.y + four.z + four.w + two.x + two.y;
  if (t < 20) tile[3 * t] = sum;
  sum += in[t];
  sum += in[t + 3];
  sum += in[17 * t];
  sum += in[63 - t];
  const float4 more = reinterpret_cast<const float4*>(in)[t];
  sum += more.x + more.y + more.z + more.w;
  out[2 * t] = sum;
}
int main() {
  float *in, *out;
  hipMalloc(&in, 4096 * 4);
  hipMalloc(&out, 4096 * 4);
  hipMemset(in, 0, 4096 * 4);
  patterns<<<1, 64>>>(out, in);
  hipDeviceSynchronize();
  hipFree(in);
  hipFree(out);
}
"""


class CostTest(BrowserTest):
    def open_program(self, *options):
        path = pathlib.Path(self.folder.name, "patterns.hip")
        path.write_text(PROGRAM)
        (run,) = self.open("--run", path, "--counters", *options)
        return run

    def all_told(self):
        """What the map says at each step; nothing where it is not there."""
        return self.js("""
          const slider = document.getElementById('slider'), map = document.getElementById('banks'), told = [];
          for (slider.value = 1; told.length < slider.max; slider.value = told.length + 1) {
            slider.dispatchEvent(new Event('input'));
            told.push(map.hidden ? null : map.querySelector('p').textContent);
          }
          return told;""")

    def told(self):
        return self.figures(self.browser.find_element("css selector", "#banks p").text)

    @staticmethod
    def figures(words):
        """(passes or transactions, the fewest)"""
        return [int(each) for each in re.search(r"^(\d+) (?:pass|passes|transactions?)\b[^,]*, (\d+) at best", words).groups()]

    def test_the_maps_of_all_steps_are_what_was_counted(self):
        for warp_size in (32, 64):
            run = self.open_program("--warp-size", warp_size)
            lines = run["costs"]["kernels"][0]["lines"]
            counted = {(line["line"], line["kind"], line["memory"]): (line["needed"], line["fewest"]) for line in lines if line["bytes"]}
            bytes_of = {(line["line"], line["kind"], line["memory"]): line["bytes"] for line in lines}
            self.assertEqual({16, 8, 4}, set(filter(None, bytes_of.values())))
            shown = collections.defaultdict(lambda: (0, 0))
            told = self.all_told()
            self.assertEqual([words is None for words in told], [step["kind"] == "barrier" for step in run["steps"]])
            for step, words in zip(run["steps"], told):
                if words is None:
                    continue
                key = (step["line"], step["kind"], "shared" if step["shared"] else "global")
                first = next(lane for lane in step["lanes"] if lane["state"] == "active")
                # Of a vector's elements the first stands for all.
                if first["offset"] % bytes_of[key] == 0 or bytes_of[key] == step["bytes"]:
                    shown[key] = tuple(map(sum, zip(shown[key], self.figures(words))))
            self.assertEqual(shown, counted)

    def test_the_map_is_of_what_one_points_at(self):
        run = self.open_program()
        line = next(number for number, text in enumerate(PROGRAM.splitlines(), 1) if "tile[32 * t]" in text)
        number = next(i for i, step in enumerate(run["steps"]) if step["line"] == line)
        self.slide(number)
        before = self.told()
        cell = self.js("return document.querySelectorAll('.lanes .step')[arguments[0]].querySelector('.cell')", number)
        ActionChains(self.browser).move_to_element(cell).perform()
        self.assertEqual(self.told(), [32, 1])
        self.assertNotEqual(before, [32, 1])
        # All lanes in one column, and all in conflict.
        cells = self.js("return [...document.querySelectorAll('#banks rect')].map((each) => [each.getAttribute('x'), each.getAttribute('class')])")
        self.assertEqual((len(cells), len({x for x, _ in cells}), {look for _, look in cells}), (32, 1, {"bad"}))
        ActionChains(self.browser).move_to_element(self.find("where")).perform()
        self.assertEqual(self.told(), before)

    def test_costs_stand_beside_the_lines(self):
        self.open_program()
        self.assertIn("32-way bank conflict", self.browser.find_element("css selector", ".code li[value='9']").text)

    def test_without_counters_there_is_no_map(self):
        self.open("--block-sum")
        self.assertEqual(self.browser.find_elements("id", "banks"), [])


if __name__ == "__main__":
    main()
