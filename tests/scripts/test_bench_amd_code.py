#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""scripts/bench-amd-code: how it counts, on hand-made instructions; and with scripts/test --full the whole of it, where
hipcc and rocPRIM are installed."""

import pathlib
import re
import shutil
import tempfile
import unittest

from amd_objects import run_script
from amd_readers import needs_readers
from sampling import long
from skips import main

from amd_code.disassembly import Instruction
from amd_code.longest_path import Counts, longest_path
from amd_code.problem import Problem


def located(*lines):
    """Instructions of four bytes each; those with a + at the front share the address of the one before."""
    found, address = [], 0x1000 - 4
    for line in lines:
        address += 0 if line.startswith("+") else 4
        name, _, operands = line.lstrip("+").partition(" ")
        found.append((address, Instruction(name, operands)))
    return found


class LongestPathTest(unittest.TestCase):
    def test_what_counts_as_what(self):
        counts, loops = longest_path(located(
            "s_load_dword s0, s[0:1], 0x0", "s_waitcnt lgkmcnt(0)", "s_nop 3", "s_delay_alu instid0(VALU_DEP_1)",
            "v_add_f32 v0, v0, v0 row_shr:1 row_mask:0xf", "v_readlane_b32 s0, v0, s1", "ds_bpermute_b32 v0, v0, v1",
            "ds_write_b32 v0, v1", "s_barrier", "v_mov_b32 v1, v2", "+v_add_u32 v3, v4, v5", "s_endpgm"))
        self.assertEqual(counts, Counts(instructions=10, slots=13, valu=4, moves=3, lds=1, barriers=1, waits=1))
        self.assertFalse(loops)

    def test_a_difference(self):
        self.assertEqual(Counts(5, 7, 3) - Counts(2, 2, 1), Counts(3, 5, 2))

    def test_the_longer_way_counts(self):
        skipping = ("s_cbranch_execz 2", "v_mov_b32 v0, v1", "s_nop 4", "s_endpgm")
        self.assertEqual(longest_path(located(*skipping))[0], Counts(instructions=4, slots=8, valu=1))
        # The way by the branch: what lies behind an unconditional one is not passed.
        either = ("s_cbranch_scc1 2", "v_mov_b32 v0, v1", "s_branch 3", "s_nop 0", "s_nop 0", "s_nop 0", "s_endpgm")
        self.assertEqual(longest_path(located(*either))[0], Counts(instructions=5, slots=5))

    def test_a_loop_has_the_rounds_it_is_said_to_have(self):
        lines = located("v_mov_b32 v0, v1", "v_mov_b32 v0, v1", "s_cbranch_scc1 65534", "s_endpgm")
        self.assertEqual(longest_path(lines), (Counts(instructions=4, slots=4, valu=2), True))
        self.assertEqual(longest_path(lines, 3), (Counts(instructions=8, slots=8, valu=4), True))
        # It is left in its middle.
        counts, loops = longest_path(located("s_cbranch_scc1 2", "v_mov_b32 v0, v1", "s_branch 65533", "s_endpgm"))
        self.assertEqual((counts.valu, loops), (1, True))

    def test_what_fills_up_behind_the_end(self):
        self.assertEqual(longest_path(located("s_endpgm", "s_code_end", "s_code_end"))[0], Counts(1, 1))

    def test_what_is_no_kernel(self):
        for lines, words in ((("s_nop 0",), "does not come to an s_endpgm"),
                             (("s_cbranch_scc0 7", "s_endpgm"), "which is no instruction")):
            with self.assertRaisesRegex(Problem, words):
                longest_path(located(*lines))


class ArgumentsTest(unittest.TestCase):
    def test_help(self):
        done = run_script("bench-amd-code", "--help")
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        self.assertIn("--rocprim DIR", done.stdout)

    def test_without_rocprim(self):
        with tempfile.TemporaryDirectory() as folder:
            done = run_script("bench-amd-code", "--rocprim", folder)
        self.assertEqual((done.returncode, done.stdout), (4, ""))
        self.assertIn("sudo apt-get install librocprim-dev", done.stderr)


@unittest.skipUnless(shutil.which("hipcc"), "hipcc is not installed: no AMD code was compared (apt-get install hipcc)")
@unittest.skipUnless(pathlib.Path("/usr/include/rocprim/rocprim.hpp").is_file(),
                     "rocPRIM is not installed: nothing to compare AMD code with (apt-get install librocprim-dev)")
@needs_readers
class ComparisonTest(unittest.TestCase):
    @long
    def test_warp_operations_need_no_more_than_rocprims(self):
        done = run_script("bench-amd-code", "--arch", "gfx90a")
        self.assertEqual(done.stderr, "")
        rows = re.findall(r"^(\w[\w ]*?) {2,}(\d+)\*? +.*? {2,}([\d.]+) {2,}", done.stdout, re.MULTILINE)
        self.assertGreater(len(rows), 80, done.stdout)
        self.assertEqual([row for row in rows if not row[0].startswith("block") and float(row[2]) > 1.05], [])


if __name__ == "__main__":
    main()
