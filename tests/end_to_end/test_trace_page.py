#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The page of --trace html: its size, and how it is stepped through."""

import base64
import gzip
import pathlib
import re
import tempfile
import unittest

from page_support import HAS_PAGE, BrowserTest, warpz
from skips import main

try:
    from selenium.webdriver.common.action_chains import ActionChains
    from selenium.webdriver.common.keys import Keys
    from selenium.webdriver.support.ui import WebDriverWait
except ImportError:
    pass

MAX_BYTES, MAX_BYTES_OF_A_MATMUL = 100_000, 2_000_000
MAX_NODES = 20_000  # which a browser lays out at once


def unpacked(page):
    """(the page without its data, the traces' JSON, the pictures)"""
    data = re.search(r'<script type="text/plain" id="data">([^<]*)</script>', page)
    traces, *pictures = gzip.decompress(base64.b64decode(data[1], validate=True)).decode().split("\0")
    return page.replace(data[1], ""), traces, pictures


def ancestors(run, step, lane):
    """The lanes whose cells light up in each step, with those that their values were taken from."""
    lanes, found = {lane}, {}
    for number in range(step, -1, -1):
        entries = {each["lane"]: each for each in run["steps"][number]["lanes"] if each["state"] == "active"}
        is_move = run["steps"][number].get("movement") == "move"
        before = lanes | {entries[each]["source"] for each in lanes if is_move and each in entries}
        found[number] = (before, lanes)
        lanes = before
    return found


@unittest.skipUnless(HAS_PAGE, "esbuild or node-d3-selection was not installed when warpz was built")
class SizeTest(unittest.TestCase):
    def test_the_page_is_one_small_file(self):
        page = warpz("--prefix-sum", "--warp-size", 64, "--trace", "html").stdout
        self.assertLess(len(page.encode()), MAX_BYTES)
        self.assertTrue(page.startswith("<!doctype html>"))
        shell, traces, pictures = unpacked(page)
        self.assertEqual(traces, warpz("--prefix-sum", "--warp-size", 64, "--trace", "json").stdout)
        still = re.sub(r'<style class="motion">.*</style>\n', "", pictures[0])
        self.assertTrue(warpz("--prefix-sum", "--warp-size", 64, "--trace", "svg").stdout.endswith(still))
        for text in (shell, *pictures):
            self.assertEqual(re.findall(r"<script[^>]* src=|<link[^>]*href=\"(?!data:)|@import|url\((?!#)", text), [])
            # Names of namespaces are no addresses.
            addresses = re.findall(r"https?://[^\"' <)]*", text)
            self.assertEqual({each for each in addresses if "//www.w3.org/" not in each}, set())
        # The library's licence goes with it.
        self.assertIn("Mike Bostock", page)

    def test_so_is_that_of_a_whole_block(self):
        self.assertLess(len(warpz("--tiled-matmul", "--trace", "html").stdout), MAX_BYTES_OF_A_MATMUL)

    def test_costs_are_beside_the_source(self):
        page = warpz("--prefix-sum", "--variant", "shared", "--warp-size", "both", "--counters", "--trace", "html").stdout
        # With 32 lanes 5 loads, by 31, 30, 28, 24 and 16 lanes; with 64 the sixth, and two passes each.
        self.assertRegex(page, r'<li value="15">[^\n]*before = local_i[^\n]*'
                               '<small class="cost">32 lanes: load, shared: 5 passes, 5 at best, by 25.8 lanes on average</small>'
                               '<small class="cost">64 lanes: load, shared: 12 passes, 12 at best, by 53.5 lanes on average</small></li>')
        plain = warpz("--prefix-sum", "--variant", "shared", "--trace", "html").stdout
        self.assertNotIn('class="cost"', plain.partition("</style>")[2])

    def test_a_source_cannot_end_the_script(self):
        with tempfile.TemporaryDirectory() as folder:
            kernel = pathlib.Path(folder, "mine.hip")
            kernel.write_text("// </script><script>document.title = 'taken'</script><!-- &amp;\n"
                              "__global__ void mine(float* output, const float* input, int size) {\n"
                              "  const int i = blockIdx.x * blockDim.x + threadIdx.x;  // </script>\n"
                              "  if (i < size) output[i] = input[i];\n}\n")
            page = warpz("--neighbor", "--kernel", kernel, "--documented-only", "--trace", "html").stdout
        self.assertEqual(page.count("<script"), 2)
        self.assertEqual(page.count("</script>"), 2)
        self.assertIn("&lt;/script&gt;", page)


class PageTest(BrowserTest):
    def test_slider_keys_buttons_and_the_current_line(self):
        (run,) = self.open("--parallel-max")
        count = len(run["steps"])
        self.assertEqual(self.later(), [False] + [True] * (count - 1))
        self.assertIn(f"Step 1 of {count}: load", self.find("where").text)
        body = self.browser.find_element("tag name", "body")
        body.send_keys(Keys.ARROW_RIGHT)
        self.assertIn("Step 2", self.find("where").text)
        line = self.browser.find_element("css selector", ".code li[aria-current]")
        self.assertEqual((int(line.get_attribute("value")), "shuffle_xor" in line.text), (run["steps"][1]["line"], True))
        body.send_keys(Keys.END)
        self.assertFalse(self.find("next").is_enabled())
        body.send_keys(Keys.HOME)
        self.assertFalse(self.find("back").is_enabled())
        self.find("next").click()
        self.assertIn("Step 2", self.find("where").text)
        self.find("play").click()
        self.assertEqual(self.find("play").get_attribute("aria-pressed"), "true")
        self.find("play").click()
        self.assertEqual(self.find("play").get_attribute("aria-pressed"), "false")
        # At the end it begins anew.
        body.send_keys(Keys.END)
        body.send_keys(Keys.SPACE)
        self.assertIn("Step 1 ", self.find("where").text)
        self.assertEqual(self.find("play").text, "Pause")
        body.send_keys(Keys.SPACE)
        # Of one run without a finding there is nothing to go to.
        self.assertFalse(self.find("jump").is_displayed())

    def test_steps_have_the_numbers_of_the_whole_trace(self):
        self.open("--parallel-max", "--steps", "3-5")
        self.slide(2)
        self.assertIn("Step 4: shuffle_xor (2 of 3 shown)", self.find("where").text)
        self.js("document.querySelector(\".ruler text[data-lane='3']\").focus()")
        self.assertIn("Step 4, shuffle_xor: lane 3 gave", self.find("told").text)

    def lit(self):
        """For each step, the lanes of the cells that are lit: of operands, and of results."""
        return self.js("""
          return [...document.querySelectorAll('.lanes .step')].map((step) => ['in', 'out'].map((part) =>
            [...step.querySelectorAll(`.${part} .cell.on`)].map((cell) => Number(cell.dataset.lane))))""")

    def test_pointing_at_a_lane_lights_up_all_that_it_came_from(self):
        (run,) = self.open("--prefix-sum")
        last = max(i for i, each in enumerate(run["steps"]) if each["kind"] == "collective")
        self.slide(last + 1)
        for lane in (0, 9, 20):
            cell = self.js("return document.querySelectorAll('.lanes .step')[arguments[0]].querySelectorAll('.out .cell')[arguments[1]]",
                           last, lane)
            ActionChains(self.browser).move_to_element(cell).perform()
            lit = self.lit()
            for number, (operands, results) in ancestors(run, last, lane).items():
                if run["steps"][number]["kind"] == "collective":
                    self.assertEqual((set(lit[number][0]), set(lit[number][1])), (operands, results), (lane, number))
            self.assertIn(f"lane {lane} gave", self.find("told").text)

    def test_lanes_are_reached_by_tab_and_arrows(self):
        self.open("--pair-swap")
        self.slide(2)
        first = self.browser.find_element("css selector", ".panel .lane[tabindex='0']")
        self.js("arguments[0].focus()", first)
        self.assertIn("lane 0", self.find("told").text)
        self.browser.switch_to.active_element.send_keys(Keys.ARROW_RIGHT)
        self.assertEqual(self.browser.switch_to.active_element.get_attribute("aria-label"), "lane 1 of 32")
        self.assertIn("lane 1", self.find("told").text)
        self.assertTrue(any(operands for operands, _ in self.lit()))

    def test_both_sizes_beside_each_other_and_the_first_difference(self):
        traces = self.open("--parallel-max", "--warp-size", "both")
        self.assertEqual([each["warp_size"] for each in traces], [32, 64])
        self.assertEqual(len(self.browser.find_elements("css selector", ".panel")), 2)
        # With 64 lanes there is an exchange with lane ^ 32 before those that both have.
        self.slide(2)
        self.assertIn("Step 2 of 8", self.find("where").text)
        self.assertEqual(self.later(0)[:3], [False, True, True])
        self.assertEqual(self.later(1)[:3], [False, False, True])
        # Lane 31 is the last one of 32, and has a neighbor among 64.
        self.open("--neighbor", "--warp-size", "both")
        self.slide(1)
        self.assertEqual(self.find("jump").text, "Go to the first difference")
        self.find("jump").click()
        self.assertIn("Step 2 of 3", self.find("where").text)
        # There is no other one to go to.
        self.assertFalse(self.find("jump").is_enabled())

    def test_a_finding_is_where_the_page_opens(self):
        kernel = pathlib.Path(self.folder.name, "mine.hip")
        kernel.write_text("__global__ void mine(float* output, const float* input, int size) {\n"
                          "  __shared__ float tile[64];\n"
                          "  const int t = threadIdx.x, i = blockIdx.x * blockDim.x + t;\n"
                          "  const float own = i < size ? input[i] : 0;\n"
                          "  tile[t] = own;\n"
                          "  if (i < size) output[i] = tile[(t + 1) % 32] - own;\n}\n")
        (run,) = self.open("--neighbor", "--kernel", kernel, "--documented-only")
        found = next(i for i, step in enumerate(run["steps"]) if "finding" in step)
        self.assertGreater(found, 0)
        self.assertIn(f"Step {found + 1} of", self.find("where").text)
        self.slide(1)
        self.assertEqual(self.find("jump").text, "Go to the data race")
        self.find("jump").click()
        self.assertIn(f"Step {found + 1} of", self.find("where").text)
        current = self.browser.find_element("css selector", ".code li[aria-current]")
        self.assertEqual(int(current.get_attribute("value")), 5)

    def test_of_a_long_picture_only_what_is_near_is_drawn(self):
        (run,) = self.open("--tiled-matmul", "--steps", "1-1224")
        self.assertEqual(len(run["steps"]), 1224)
        last = len(run["steps"]) - 1
        count = "return document.querySelectorAll('*').length"
        shapes = "return document.querySelectorAll('.lanes .step')[arguments[0]].querySelectorAll('.cell[data-lane]')"
        bottom = "const box = document.querySelector('.panel'); box.scrollTop = box.scrollHeight"
        for scroll in (lambda: self.slide(1), lambda: self.slide(last + 1), lambda: self.slide(600),
                       lambda: self.js(bottom)):
            scroll()
            self.assertLess(self.js(count), MAX_NODES)
        # A lane that is chosen lights up also where shapes come into sight later.
        first = next(i for i, step in enumerate(run["steps"]) if step["warp"] == run["steps"][last]["warp"])
        self.slide(first + 1)
        place = self.js("return document.querySelector('.panel').scrollTop")
        self.slide(last + 1)
        ActionChains(self.browser).move_to_element(self.find("where")).perform()
        self.js("document.querySelector(\".ruler text[data-lane='3']\").focus()")
        self.assertNotEqual(self.js(shapes, last), [])
        self.assertEqual(self.js(shapes, first), [])
        self.js("document.querySelector('.panel').scrollTop = arguments[0]", place)
        lit = "return document.querySelectorAll('.lanes .step')[arguments[0]].querySelectorAll('.on[data-lane=\"3\"]')"
        WebDriverWait(self.browser, 20).until(lambda _: self.js(lit, first))
        self.js("window.dispatchEvent(new Event('beforeprint'))")
        self.assertGreater(self.js(count), 5 * MAX_NODES)
        self.js("window.dispatchEvent(new Event('afterprint'))")
        self.assertLess(self.js(count), MAX_NODES)

    def test_on_paper_all_is_there(self):
        self.open("--prefix-sum", "--warp-size", 64)
        self.slide(1)
        self.browser.execute_cdp_cmd("Emulation.setEmulatedMedia", {"media": "print"})
        self.addCleanup(self.browser.execute_cdp_cmd, "Emulation.setEmulatedMedia", {"media": ""})
        hidden = "return getComputedStyle(document.querySelector(arguments[0])).display === 'none'"
        self.assertEqual([self.js(hidden, each) for each in ("nav", ".code", ".panel")], [True, False, False])
        for box in (".code", ".panel"):
            self.assertLessEqual(self.js("const box = document.querySelector(arguments[0]);"
                                         "return box.scrollHeight - box.clientHeight", box), 2)
        self.assertEqual(self.js("return getComputedStyle(document.querySelector('.lanes .step.later')).opacity"), "1")

    def test_the_lanes_numbers_stay_in_sight(self):
        self.open("--prefix-sum", "--warp-size", 64)
        for _ in range(2):
            ruler = self.browser.find_element("css selector", ".ruler text[data-lane='3']")
            shown = self.js("const box = arguments[0].getBoundingClientRect();"
                            "return document.elementFromPoint(box.x + box.width / 2, box.y + box.height / 2)", ruler)
            self.assertEqual(shown, ruler)
            self.js("document.querySelector('.panel').scrollTop = 500")
            self.find("theme").click()

    def test_the_table_the_theme_and_a_narrow_window(self):
        (run,) = self.open("--average")
        self.slide(2)
        self.find("tables").click()
        rows = self.browser.find_elements("css selector", "#list tbody tr")
        self.assertEqual(len(rows), 32)
        self.assertRegex(rows[3].text, r"3 gave \S+, got \S+ from lane 4")
        before = self.js("return getComputedStyle(document.body).backgroundColor")
        self.find("theme").click()
        self.assertNotEqual(self.js("return getComputedStyle(document.body).backgroundColor"), before)
        self.browser.set_window_size(420, 800)
        self.addCleanup(self.browser.set_window_size, 1400, 1000)
        self.assertLessEqual(self.js("return document.documentElement.scrollWidth - innerWidth"), 0)
        # The picture scrolls to the step there, too.
        (long_run,) = self.open("--prefix-sum")
        self.slide(len(long_run["steps"]))
        self.assertTrue(self.js("const box = document.querySelector('.panel').getBoundingClientRect();"
                                "const step = document.querySelector('.lanes .step.now').getBoundingClientRect();"
                                "return step.top > box.top && step.top + 30 < box.bottom && box.height < innerHeight"))
        self.assertEqual(run["warp_size"], 32)


if __name__ == "__main__":
    main()
