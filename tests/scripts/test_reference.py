#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""docs/reference.md: up to date, complete, and refused where a docstring is missing or lacks what it has to say."""

import os
import pathlib
import re
import shutil
import subprocess
import tempfile
import unittest

SOURCE = pathlib.Path(os.environ.get("WARPZ_SOURCE_DIR", pathlib.Path(__file__).resolve().parents[2]))
PAGE = SOURCE / "docs/reference.md"

# What the library's specification lists.
NAMES = {
    "warpz::warp": "size lane_id active_mask shuffle_idx shuffle_up shuffle_down shuffle_xor broadcast sum max min "
                   "reduce lane_group_reduce xor_lanes down_lanes up_lanes lane_group_sum lane_group_max lane_group_min "
                   "prefix_sum scan vote any all match_any match_all partition",
    "warpz::block": "sum max min broadcast prefix_sum",
    "warpz": "barrier syncwarp threadfence scope named_barrier named_barrier_arrive semaphore named_barrier_semaphore "
             "mbarrier async_copy async_copy_commit async_copy_wait async_bulk_copy schedule_barrier "
             "schedule_group_barrier waitcnt waitcnt_barrier vendor lane_mask full_mask",
    "warpz::semaphore": "fetch wait release state",
    "warpz::named_barrier_semaphore": "wait_eq wait_lt arrive_set",
    "warpz::mbarrier": "init arrive arrive_expect_tx test_wait try_wait_parity",
}


def headings():
    return re.findall(r"^###+ (.*)$", PAGE.read_text(), re.MULTILINE)


class ReferenceTest(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.tree = pathlib.Path(folder.name)
        shutil.copytree(SOURCE / "src/device", self.tree / "src/device")
        (self.tree / "docs").mkdir()
        shutil.copy(PAGE, self.tree / "docs")

    def run_script(self, *arguments, tree=None):
        return subprocess.run([SOURCE / "scripts/reference", "--source", tree or self.tree, *arguments],
                              capture_output=True, text=True, check=False)

    def edit(self, header, old, new):
        path = self.tree / "src/device/warpz" / header
        self.assertEqual(path.read_text().count(old), 1, old)
        path.write_text(path.read_text().replace(old, new))

    def expect(self, code, words, *arguments):
        done = self.run_script(*arguments)
        self.assertEqual(done.returncode, code, done.stderr)
        self.assertIn(words, done.stderr)

    def test_the_page_is_what_the_headers_say(self):
        done = self.run_script("--check", tree=SOURCE)
        self.assertEqual(done.returncode, 0, done.stderr)

    def test_every_specified_name_is_there(self):
        found = headings()
        for scope, names in NAMES.items():
            for name in names.split():
                self.assertIn(f"{scope}::{name}", found)

    def test_every_operation_that_names_itself_is_there(self):
        """Findings call operations by names of their own, in the headers: another list of them."""
        public = [header.read_text() for header in (SOURCE / "src/device/warpz").rglob("*.hpp")
                  if "detail" not in header.parts]
        own = {name.split("::")[-1] for text in public for name in re.findall(r'detail::here\("([\w:]+)"\)', text)}
        self.assertGreater(len(own), 40)
        self.assertLessEqual(own, {heading.split("::")[-1] for heading in headings()})

    def test_no_name_is_told_twice_and_every_link_leads_somewhere(self):
        found = headings()
        self.assertEqual(sorted(set(found)), sorted(found))
        anchors = {re.sub(r"[^\w -]", "", each).lower().replace(" ", "-")
                   for each in re.findall(r"^##+ (.*)$", PAGE.read_text(), re.MULTILINE)}
        links = re.findall(r"\]\(#([^)]*)\)", PAGE.read_text())
        self.assertGreater(len(links), 50)
        self.assertLessEqual(set(links), anchors)

    def test_signatures_are_as_a_user_calls_them(self):
        page = PAGE.read_text()
        self.assertIn("```cpp\ntemplate <unsigned width = 0, class T>\n"
                      "T shuffle_up(T v, unsigned delta, lane_mask mask = full_mask);\n```", page)
        code = "\n".join(re.findall(r"```cpp\n(.*?)```", page, re.DOTALL))
        self.assertNotRegex(code, r"detail|__device__|__forceinline__|maybe_unused|\bat\b|\{ *$")

    def test_a_changed_docstring_is_noticed_and_written(self):
        self.edit("warp.hpp", "The caller's place in its warp", "The caller's seat in its warp")
        self.expect(1, "run scripts/reference", "--check")
        self.expect(0, "")
        self.assertIn("The caller's seat", (self.tree / "docs/reference.md").read_text())
        self.expect(0, "", "--check")

    def test_a_page_that_is_not_there_is_not_up_to_date(self):
        (self.tree / "docs/reference.md").unlink()
        self.expect(1, "run scripts/reference", "--check")

    def test_a_public_name_needs_a_docstring(self):
        self.edit("vendor.hpp", "namespace warpz {\n",
                  "namespace warpz {\n\n__device__ inline int bare() { return 1; }\n")
        self.expect(2, "warpz/vendor.hpp: warpz::bare has no docstring")

    def test_another_functions_docstring_is_not_its_own(self):
        self.edit("warp/vote.hpp", "}  // namespace warp\n", "__device__ inline int bare() { return 1; }\n\n"
                  "}  // namespace warp\n")
        self.expect(2, "warpz/warp/vote.hpp: warpz::warp::bare has no docstring")

    def test_a_docstring_says_who_takes_part(self):
        self.edit("warp/vote.hpp", "in at least one lane, in all lanes. All lanes take part.", "in at least one lane.")
        self.expect(2, "warpz/warp/vote.hpp: warpz::warp::any does not say who takes part")

    def test_a_docstring_says_where_else_the_operation_is_documented(self):
        self.edit("warp/vote.hpp", "/// Other names: __any (HIP), __any_sync (CUDA).\n", "")
        self.expect(2, "warpz::warp::any does not say where else it is documented")


if __name__ == "__main__":
    unittest.main()
