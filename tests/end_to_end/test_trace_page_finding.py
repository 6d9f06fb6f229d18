#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The page of a finding: headline, rule, repair, the other party's step, the legend and the user's own code. And links to
a step, labels in sight, lane numbers once, dark colours."""

import base64
import pathlib
import re
import struct
import unittest
import xml.etree.ElementTree

from page_support import BrowserTest, warpz
from skips import main

try:
    from selenium.webdriver.common.keys import Keys
    from selenium.webdriver.support.ui import WebDriverWait
except ImportError:
    pass

HELPER = "__device__ inline float take(const float* input, int i, int size) { return i < size ? input[i] : 0; }\n"
HEAD = """#include "helper.hpp"
__global__ void mine(float* output, const float* input, int size) {
  __shared__ float tile[64];
  const int t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
  const float own = take(input, i, size);
"""
RACY = HEAD + """\
  tile[t] = own;
  if (i < size) output[i] = tile[(t + 1) % 32] - own;
}
"""
DIVERGED = HEAD + """\
  if (t == 0) return;
  const float next = __shfl_down(own, 1);
  if (i < size) output[i] = next - own;
}
"""
WRONG = HEAD + """\
  const float next = __shfl_down(own, 1);
  if (i < size) output[i] = t == 9 ? 7 : i + 1 < size ? next - own : 0;
}
"""


class FindingTest(BrowserTest):
    def open_kernel(self, text):
        """Opens the page of a kernel. (its trace, what the terminal says)"""
        pathlib.Path(self.folder.name, "helper.hpp").write_text(HELPER)
        kernel = pathlib.Path(self.folder.name, "mine.hip")
        kernel.write_text(text)
        options = ("--neighbor", "--kernel", kernel, "--documented-only")
        (run,) = self.open(*options)
        return run, warpz(*options).stderr

    def words(self):
        return [each.text for each in self.browser.find_elements("css selector", "#finding .rule, #finding li, #finding .repair")]

    def test_a_race_in_the_reports_words_with_the_other_step_as_a_link(self):
        run, report = self.open_kernel(RACY)
        self.assertEqual(self.browser.title, "Lane 1 writes tile[1] and lane 0 reads it, in no order")
        self.assertEqual(self.browser.find_element("tag name", "h1").text, self.browser.title)
        rule, writes, reads, repair = self.words()
        self.assertIn(f"neighbor: {rule[0].lower()}{rule[1:-1]}\n", report)
        self.assertIn(repair, re.sub(r"\s+", " ", report))
        store, load = [step["number"] for step in run["steps"] if "finding" in step]
        self.assertRegex(reads, rf"^lane 0 has read at \S+mine\.hip:7 step {load}$")
        self.assertRegex(writes, rf"^lane 1 writes 4 bytes at \S+mine\.hip:6 step {store}$")
        self.assertIn(f"Step {store} of", self.where())
        self.browser.find_element("link text", f"step {load}").click()
        WebDriverWait(self.browser, 20).until(lambda _: f"Step {load} of" in self.where())
        self.assertEqual(self.js("return document.querySelector('#finding a[aria-current]').textContent"), f"step {load}")

    def test_who_left_and_who_waits(self):
        self.open_kernel(DIVERGED)
        self.assertEqual(self.browser.title, "Lane 0 left; 31 lanes wait forever")
        rule, waiting, gone, repair = self.words()
        self.assertRegex(waiting, r"^lanes 1-31 wait in __shfl_down .*mine\.hip:7 *step 2$")
        self.assertEqual(gone, "lane 0 has returned from the kernel")
        self.assertIn("All lanes of the warp have to reach the call of line 7", repair)

    def test_a_wrong_element(self):
        run, _ = self.open_kernel(WRONG)
        # 10 squared less 9 squared.
        self.assertEqual(self.browser.title, "output[9] is 7.0 instead of 19.0")
        (number,) = [step["number"] for step in run["steps"] if "finding" in step]
        self.assertEqual(self.words()[:2], ["1 of 32 elements differs.", f"lane 9 stores it step {number}"])

    def test_the_code_is_the_users_and_not_what_it_includes(self):
        self.open_kernel(RACY)
        first, *folded = self.browser.find_elements("css selector", "#code > *")
        self.assertRegex(first.text, r"^\S+mine\.hip\n")
        self.assertEqual([(each.tag_name, each.get_attribute("open")) for each in folded], [("details", None)])
        # A step in the include marks its name.
        self.slide(1)
        summary = folded[0].find_element("css selector", "summary")
        self.assertEqual((pathlib.Path(summary.text).name, summary.get_attribute("aria-current")), ("helper.hpp", "step"))

    def test_the_legend_has_every_look_of_the_picture(self):
        for text in (RACY, DIVERGED, WRONG):
            self.open_kernel(text)
            looks = self.js("""
              const all = (root) => new Set([...root.querySelectorAll('path, rect')].map((each) => [each.className.baseVal,
                getComputedStyle(each).stroke, getComputedStyle(each).strokeWidth, getComputedStyle(each).strokeDasharray, getComputedStyle(each).fill].join()));
              const known = all(document.getElementById('legend'));
              document.querySelectorAll('.panel .defs').forEach((each) => each.remove());
              return [...all(document.querySelector('.lanes .run'))].filter((each) => !known.has(each));""")
            # Boxes of what lanes give and get, and the bands, have their rows' labels.
            unknown = {each.split(",")[0] for each in looks} - {"cell", "band"}
            self.assertEqual(unknown, set(), looks)

    def test_without_a_finding_it_opens_at_the_first_step(self):
        self.open("--prefix-sum", "--warp-size", "both")
        self.assertIn("Step 1 of", self.where())
        self.assertFalse(self.find("finding").is_displayed())
        self.assertEqual(self.browser.title, "warp_inclusive_prefix_sum")


class LinkTest(BrowserTest):
    def go(self, address):
        self.js("location.hash = arguments[0]", address)
        WebDriverWait(self.browser, 20).until(lambda _: self.where())

    def address(self):
        return self.js("return location.hash")

    def test_a_link_to_a_step_and_a_lane(self):
        self.open("--parallel-max")
        self.assertEqual(self.address(), "")
        self.go("#step=3&lane=5")
        WebDriverWait(self.browser, 20).until(lambda _: "Step 3 of" in self.where())
        self.assertRegex(self.find("told").text, r"^Step 3, shuffle_xor: lane 5 gave ")
        self.browser.find_element("tag name", "body").send_keys(Keys.ARROW_RIGHT)
        self.assertEqual(self.address(), "#step=4&lane=5")
        # What it opens by itself is the same.
        self.browser.refresh()
        WebDriverWait(self.browser, 20).until(lambda _: self.where())
        self.assertIn("Step 4 of", self.where())
        self.assertRegex(self.find("told").text, r"^Step 4, shuffle_xor: lane 5 gave ")
        for nonsense in ("#step=999", "#step=x&lane=y", "#lane=3", "#step=-1&run=7&lane=2"):
            self.go(nonsense)
            self.assertRegex(self.where(), r"^Step [1-7] of 7")

    def test_keys_step_whatever_was_clicked_before(self):
        self.open("--parallel-max")
        self.find("next").click()
        self.find("theme").click()
        self.browser.switch_to.active_element.send_keys(Keys.ARROW_RIGHT)
        self.assertIn("Step 3 of", self.where())
        self.browser.find_element("css selector", "section.code").click()
        self.browser.switch_to.active_element.send_keys(Keys.ARROW_LEFT)
        self.assertIn("Step 2 of", self.where())

    def test_of_a_long_trace_every_key_counts(self):
        (run,) = self.open("--tiled-matmul")
        of_warp = [step["number"] for step in run["steps"] if step["warp"] == 0]
        self.browser.find_element("tag name", "body").send_keys(Keys.ARROW_RIGHT * 60)
        self.assertRegex(self.where(), rf"^Step {of_warp[60]}: \w+ \(61 of {len(of_warp)} shown\)$")


class LookTest(BrowserTest):
    def test_the_lanes_have_their_numbers_once(self):
        self.open("--tiled-matmul", "--warp", 0)
        numbers = self.js("return [...document.querySelectorAll('.panel .lane[data-lane]')].map((each) => each.textContent)")
        self.assertEqual(numbers, [str(lane) for lane in range(32)])

    def test_labels_stay_in_a_narrow_window(self):
        self.browser.set_window_size(500, 900)
        self.browser.execute_cdp_cmd("Emulation.setDeviceMetricsOverride",
                                     {"width": 400, "height": 900, "deviceScaleFactor": 1, "mobile": False})
        self.addCleanup(self.browser.set_window_size, 1400, 1000)
        self.addCleanup(self.browser.execute_cdp_cmd, "Emulation.clearDeviceMetricsOverride", {})
        self.open("--parallel-max")
        self.assertEqual(self.js("return innerWidth"), 400)
        self.js("document.querySelector('.panel').scrollLeft = 300")
        label, cell, panel = (self.js("const box = document.querySelector(arguments[0]).getBoundingClientRect();"
                                      "return [box.left, box.right]", each)
                              for each in (".labels .name", ".lanes .cell", ".panel"))
        self.assertGreaterEqual(label[0], panel[0])
        self.assertLessEqual(label[1], panel[1])
        self.assertLess(cell[1], panel[0])
        # What a link names is in sight.
        self.js("location.hash = '#step=3&lane=30'")
        WebDriverWait(self.browser, 20).until(lambda _: "Step 3 of" in self.where())
        number = self.js("const box = document.querySelector(\".ruler [data-lane='30']\").getBoundingClientRect(); return [box.left, box.right]")
        self.assertTrue(label[1] <= number[0] and number[1] <= panel[1], number)
        # Nothing of the lanes shows through.
        top = self.js("const box = document.querySelector('.labels .row-label').getBoundingClientRect();"
                      "return document.elementFromPoint(box.left + 5, box.top + 5).closest('svg').getAttribute('class')")
        self.assertEqual(top, "labels")

    def test_64_lanes_fit_into_1400_pixels(self):
        for puzzle in ("--prefix-sum", "--parallel-max", "--block-sum"):
            self.open(puzzle, "--warp-size", 64)
            self.assertEqual(self.js("return innerWidth"), 1400)
            self.assertEqual(self.js("const box = document.querySelector('.panel'); return box.scrollWidth - box.clientWidth"), 0)
            self.assertEqual(self.js("return document.documentElement.scrollWidth - innerWidth"), 0)

    def test_a_picture_follows_the_systems_colours(self):
        path = pathlib.Path(self.folder.name, "lanes.svg")
        warpz("--vote", "--trace", "-o", path)
        colours = []
        for scheme in ("light", "dark"):
            self.browser.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": [{"name": "prefers-color-scheme", "value": scheme}]})
            self.browser.get(path.as_uri())
            colours.append(self.js("return ['.paper', '.row path', 'text.name', '.row text.yes', '.bus'].map((each) => {"
                                   "const style = getComputedStyle(document.querySelector(each));"
                                   "return (style.fill === 'none' ? style.stroke : style.fill).match(/\\d+/g).map(Number)"
                                   ".reduce((sum, part) => sum + part) / 3; })"))
        self.browser.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": []})
        light, dark = colours
        # Paper and boxes, then what stands on them; a yes is white on black.
        for i, is_ground in enumerate((True, True, False, True, False)):
            self.assertTrue((light[i] > 200 and dark[i] < 60) if is_ground else (light[i] < 60 and dark[i] > 200), colours)

    def test_the_page_by_night(self):
        self.open("--parallel-max")
        colours = "return ['.lanes .cell', '.labels .name', '.panel'].map((each) => { const style = getComputedStyle(" \
                  "document.querySelector(each)); return each === '.panel' ? getComputedStyle(document.body).backgroundColor : style.fill; })"
        day = self.js(colours)
        self.find("theme").click()
        night = self.js(colours)
        self.assertEqual(len(set(day) & set(night)), 0)


class SaveTest(BrowserTest):
    def saved(self, button, name):
        folder = pathlib.Path(self.folder.name, button)
        folder.mkdir()
        self.browser.execute_cdp_cmd("Browser.setDownloadBehavior", {"behavior": "allow", "downloadPath": str(folder)})
        self.find(button).click()
        file = folder / name
        WebDriverWait(self.browser, 60).until(lambda _: file.exists() and file.stat().st_size)
        return file.read_bytes()

    def test_a_click_saves_the_picture(self):
        self.open("--vote")
        drawn = warpz("--vote", "--trace", "animation").stdout
        self.assertEqual(self.saved("animation", "warp_vote-32.svg").decode(), drawn[drawn.index("<svg"):])
        # By day, and by night.
        grounds = []
        for _ in range(2):
            image = self.saved("png", "warp_vote-32.png")
            pathlib.Path(self.folder.name, "png", "warp_vote-32.png").unlink()
            pathlib.Path(self.folder.name, "png").rmdir()
            size = re.search(r' width="(\d+)" height="(\d+)"', drawn)
            self.assertEqual((image[:8], struct.unpack(">II", image[16:24])), (b"\x89PNG\r\n\x1a\n", tuple(2 * int(side) for side in size.groups())))
            grounds.append(self.js("""
              const image = new Image();
              image.src = arguments[0];
              return image.decode().then(() => {
                const canvas = document.createElement('canvas');
                canvas.getContext('2d').drawImage(image, 0, 0);
                return canvas.getContext('2d').getImageData(1, 1, 1, 1).data[0]; });""",
              "data:image/png;base64," + base64.b64encode(image).decode()))
            self.find("theme").click()
        self.assertGreater(grounds[0], 200)
        self.assertLess(grounds[1], 60)


class LegendTest(unittest.TestCase):
    SVG = "{http://www.w3.org/2000/svg}"

    def test_a_picture_explains_what_it_has_and_nothing_else(self):
        for options, wanted, unwanted in (
                (("--vote",), {"lanes meet", "yes"}, {"elsewhere", "memory", "1 lane away"}),
                (("--prefix-sum",), {"keeps its own", "lanes joined so far", "1 lane away", "16-31 lanes"}, {"yes", "a barrier of the block"}),
                (("--match",), {"the same value"}, {"undefined"}),
                (("--block-sum", "--steps", "1-30"), {"a warp's steps begin", "a barrier of the block", "memory", "a lane and its element"},
                 {"found: this step"})):
            root = xml.etree.ElementTree.fromstring(warpz(*options, "--trace", "svg").stdout)
            (legend,) = [each for each in root.iter(f"{self.SVG}g") if each.get("class") == "legend"]
            words = {each.text for each in legend.iter(f"{self.SVG}text")}
            self.assertLessEqual(wanted, words)
            self.assertEqual(words & unwanted, set())


if __name__ == "__main__":
    main()
