# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""How many instructions the device library's operations become on NVIDIA: what shuffles, reduces and compares, and what
must not, in the PTX of the operations of tests/amd; and how many they add to a kernel's machine code
(added_instructions.py). Needs nvcc and no GPU."""

import pathlib
import re
import tempfile
import unittest

import added_instructions
from nvidia_code import NVCC_IS_HERE, READER_IS_HERE, SOURCE, machine_counts, ptx
from skips import main

# How often an instruction occurs in an operation's kernel, by the start of its name. What is not named does not count.
NO_SHUFFLE, ONE_REDUX = {"shfl": 0}, {"shfl": 0, "redux.sync": 1}
# Which lanes there are follows from the block's shape: nobody votes on it.
FIVE_SHUFFLES = {"shfl.sync.idx": 5, "shfl": 5, "redux": 0, "vote": 0, "bfind": 0}
FIVE_STEPS = {"shfl.sync.up": 4, "shfl.sync.idx": 1, "shfl": 5, "vote": 0}
ONE_SHUFFLE = {"shfl": 1, "vote": 0, "bfind": 0}
# A shuffle and nothing beside it.
BARE_SHUFFLE = {**ONE_SHUFFLE, "setp": 0, "selp": 0}
ON_SM_90 = {
    **{f"{operation}_{number}": {**ONE_REDUX, f"redux.sync.{name}.{kind}": 1}
       for operation, name in (("sum", "add"), ("max", "max"), ("min", "min"))
       for number, kind in (("i32", "s32"), ("u32", "u32"))
       if operation != "sum"},
    "sum_i32": {**ONE_REDUX, "redux.sync.add": 1},
    "sum_u32": {**ONE_REDUX, "redux.sync.add": 1},
    "sum_f32": {**FIVE_SHUFFLES, "add.rn.f32": 5},
    # On bits in the order of their numbers.
    "max_f32": {**ONE_REDUX, "redux.sync.max.s32": 1},
    "min_f32": {**ONE_REDUX, "redux.sync.min.s32": 1},
    # In three parts, or the upper half before the lower one.
    "sum_i64": {**NO_SHUFFLE, "redux.sync.add": 3, "redux": 3},
    "max_i64": {**NO_SHUFFLE, "redux.sync.max.s32": 1, "redux.sync.max.u32": 1, "redux": 2},
    "min_u64": {**NO_SHUFFLE, "redux.sync.min.u32": 2, "redux": 2},
    "max_f64": {**NO_SHUFFLE, "redux.sync.max.s32": 1, "redux.sync.max.u32": 1, "redux": 2},
    # Each addition waits for its shuffle alone.
    "prefix_sum_i32": {**FIVE_STEPS, "@p add.s32": 5},
    "prefix_sum_u32": {**FIVE_STEPS, "@p add.s32": 5},
    "prefix_sum_f32": {**FIVE_STEPS, "add.rn.f32": 5},
    "prefix_sum_i64": {"shfl": 10, "@p add.s64": 5},
    "exclusive_prefix_sum_f32": {"shfl.sync.up": 5, "shfl.sync.idx": 1, "shfl": 6, "add.rn.f32": 5, "vote": 0},
    # What the lane itself added is taken away.
    "exclusive_prefix_sum_i32": {**FIVE_STEPS, "sub.s32": 1},
    "broadcast_first_f32": BARE_SHUFFLE,
    **{f"by_xor_{bits}_u32": {**ONE_SHUFFLE, "shfl.sync.bfly": 1} for bits in (1, 2, 3, 4, 8, 16)},
    # What goes no shorter way: additions that are not fused.
    "group_sum_8_4_f32": {"add.rn.f32": 3},
    "by_up_1_u32": {**BARE_SHUFFLE, "shfl.sync.up": 1},
    "by_down_1_u32": ONE_SHUFFLE,
    "shuffle_idx_0_u32": ONE_SHUFFLE,
    "match_any_u32": {**NO_SHUFFLE, "match.any.sync": 1, "vote": 0},
    "match_all_u32": {**NO_SHUFFLE, "match.all.sync": 1, "vote": 0},
    "shuffle_down_0_u64": {"shfl": 2},
    "shuffle_xor_0_words": {"shfl": 3},
    "vote_u32": {"vote.sync.ballot": 1, "vote": 1, **NO_SHUFFLE},
    "any_u32": {"vote.sync.any": 1, "vote": 1, **NO_SHUFFLE},
    "all_u32": {"vote.sync.all": 1, "vote": 1, **NO_SHUFFLE},
    "partition_u32": {"vote": 1, "popc": 2, **NO_SHUFFLE},
}
WITH_FULL_WARPS = {
    **{f"by_xor_{bits}_u32": {**BARE_SHUFFLE, "shfl.sync.bfly": 1} for bits in (1, 2, 3, 4, 8, 16)},
    "by_down_1_u32": {**BARE_SHUFFLE, "shfl.sync.down": 1},
    "sum_f32": {"shfl.sync.bfly": 5, "shfl": 5, "add.rn.f32": 5, "setp": 0, "selp": 0},
    "sum_f64": {"shfl.sync.bfly": 10, "shfl": 10, "add.rn.f64": 5, "setp": 0, "selp": 0},
    "group_sum_8_4_f32": {"shfl.sync.bfly": 3, "shfl": 3, "add.rn.f32": 3},
}
BEFORE_SM_80 = {name: {"redux": 0, "shfl": 5} for name in ("sum_i32", "max_u32", "min_i32")}
PORTABLE = {**BEFORE_SM_80, "prefix_sum_f32": {"shfl.sync.idx": 5, "shfl": 5}, "broadcast_first_f32": {"shfl": 1}}
ON_SM_100A = {"max_f32": {"redux.sync.max.f32": 1, "shfl": 0}, "min_f32": {"redux.sync.min.f32": 1, "shfl": 0},
              "sum_f32": {"redux": 0, "shfl": 5}}


def occurrences(lines, name):
    """Instructions that begin with `name`; a predicate before them counts only if `name` has one."""
    plain = [line if name.startswith("@") else re.sub(r"^@!?%?\w+\s+", "", line) for line in lines]
    return sum(line.startswith(name) for line in plain)


@unittest.skipUnless(NVCC_IS_HERE, "there is no nvcc, or no hipcc, to compile for NVIDIA with")
class Instructions(unittest.TestCase):
    def check(self, declared, architecture, *options):
        kernels = ptx(architecture, *options)
        for kernel, counts in declared.items():
            with self.subTest(kernel):
                self.assertIn(kernel, kernels)
                found = {name: occurrences(kernels[kernel], name) for name in counts}
                self.assertEqual(found, counts, "\n".join(kernels[kernel]))

    def test_on_sm_90(self):
        self.check(ON_SM_90, "90")

    def test_with_full_warps_nothing_asks_which_lanes_there_are(self):
        self.check(WITH_FULL_WARPS, "90", "-DWARPZ_FULL_WARPS")

    def test_before_sm_80_there_is_no_redux(self):
        self.check(BEFORE_SM_80, "75")

    def test_sm_100a_reduces_floats(self):
        self.check(ON_SM_100A, "100a")

    def test_the_portable_ways_have_shuffles_only(self):
        self.check(PORTABLE, "90", "-DWARPZ_PORTABLE")

    @unittest.skipUnless(READER_IS_HERE, "there is no llvm-readobj to count machine code with")
    def test_how_many_they_add_on_sm_90(self):
        with tempfile.TemporaryDirectory() as folder:
            operations = pathlib.Path(folder) / "operations.hip"
            operations.write_text(added_instructions.source(SOURCE / "tests/amd"))
            added_instructions.check(self, machine_counts("90", [operations]), "sm_90")
            full = machine_counts("90", [operations], "-DWARPZ_FULL_WARPS")
            added_instructions.check(self, full, "sm_90, full warps")


if __name__ == "__main__":
    main()
