# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""How many instructions the device library's operations add to a kernel on AMD (added_instructions.py); that they stay
where all lanes are; and what their assembly waits for, which no compiler sees to. Compiles with hipcc; needs no GPU."""

import functools
import os
import pathlib
import re
import shutil
import tempfile
import unittest

import added_instructions
from amd_readers import needs_readers
from skips import main

from amd_code import disassembly  # scripts/lib, found through amd_readers
from amd_code.problem import Problem
from amd_code.toolchain import Toolchain

SOURCE = pathlib.Path(os.environ["WARPZ_SOURCE_DIR"])

# A result that one lane alone uses. Whoever moves the operation there has the others not take part.
USED_BY_ONE_LANE = """
#define IN_LANE_0(name, type, expression)                            \\
  extern "C" __global__ void name(type* output, const type* input) { \\
    const type v = input[threadIdx.x], made = expression;            \\
    if (warp::lane_id() == 0) output[blockIdx.x] = made;             \\
  }
"""
USED = {f"{operation}_{kind}": (kind, f"warp::{operation}(v)")
        for operation in ("sum", "min", "prefix_sum", "prefix_sum<true>", "broadcast")
        for kind in ("u32", "f32", "f64")}
USED |= {f"xor_{bits}": ("u32", f"warp::shuffle_xor(v, {bits})") for bits in (1, 4, 8, 16, 17)}
USED |= {"up_1": ("u32", "warp::shuffle_up(v, 1)"), "down_1": ("u32", "warp::shuffle_down(v, 1)")}


def compiled(text, architecture):
    """Kernel to its instructions up to the end."""
    with tempfile.TemporaryDirectory() as folder:
        source = pathlib.Path(folder) / "operations.hip"
        source.write_text(text)
        code_object = Toolchain(folder).compile(source, [architecture])[architecture]
        found = {}
        for kernel in code_object.kernels:
            instructions = list(disassembly.instructions(code_object, kernel))
            found[kernel.function] = instructions[: [each.name for each in instructions].index("s_endpgm")]
    return found


@functools.cache
def kernels(architecture):
    return compiled(added_instructions.source(SOURCE / "tests/amd"), architecture)


def crosses_lanes(instruction):
    return instruction.is_dpp or re.match(r"v_permlane|v_read(first)?lane|ds_bpermute", instruction.name)


@unittest.skipUnless(shutil.which("hipcc"), "there is no hipcc to compile for AMD with")
@needs_readers
class Instructions(unittest.TestCase):
    def check(self, architecture):
        counts = {name: len(instructions) for name, instructions in kernels(architecture).items()}
        added_instructions.check(self, counts, architecture)

    def test_with_64_lanes(self):
        self.check("gfx90a")

    def test_with_32_lanes(self):
        self.check("gfx1030")

    def test_the_documents_have_the_same_numbers(self):
        documented = added_instructions.documented((SOURCE / "docs/gpu.md").read_text())
        self.assertEqual(documented, {each.title: each.most for each in added_instructions.OPERATIONS.values()})


@unittest.skipUnless(shutil.which("hipcc"), "there is no hipcc to compile for AMD with")
@needs_readers
class Branches(unittest.TestCase):
    def check(self, architecture):
        calls = [f"IN_LANE_0({re.sub(r'<true>', '_before', name)}, {kind}, ({call}))"
                 for name, (kind, call) in USED.items()]
        text = "\n".join([f'#include "{SOURCE}/tests/amd/kernels.hpp"', USED_BY_ONE_LANE, *calls])
        for name, instructions in compiled(text, architecture).items():
            fewer = [i for i, each in enumerate(instructions)
                     if re.search("saveexec|cmpx", each.name) or each.operands.startswith("exec")]
            with self.subTest(name, architecture=architecture):
                self.assertTrue(fewer, "all lanes get behind the branch")
                self.assertEqual([each for each in instructions[fewer[0] :] if crosses_lanes(each)], [])

    def test_all_64_lanes_take_part(self):
        self.check("gfx90a")

    def test_all_32_lanes_take_part(self):
        self.check("gfx1030")


@unittest.skipUnless(shutil.which("hipcc"), "there is no hipcc to compile for AMD with")
@needs_readers
class Waits(unittest.TestCase):
    def test_the_copy_of_xor_4_is_a_primitive(self):
        """By that it waits for what the assembly behind it reads from other lanes."""
        self.assertEqual([each.name for each in kernels("gfx90a")["xor_4"] if each.is_dpp], ["v_mov_b32"] * 3)

    def test_assembly_waits_for_its_operand(self):
        for name in ("sum_f32", "max_f32", "min_f32", "prefix_sum_f32"):
            instructions = kernels("gfx90a")[name]
            primitives = [i for i, each in enumerate(instructions) if each.is_dpp]
            self.assertEqual(len(primitives), 6, name)
            for i in primitives:
                before = instructions[i - 1]
                self.assertEqual((before.name, before.operands), ("s_nop", "1"), f"{name}: {instructions[i]}")

    def test_gfx940_waits_before_it_reads_a_scalar(self):
        try:
            instructions = kernels("gfx942")["sum_f32"]
        except Problem as problem:
            self.skipTest(f"nothing was compiled for gfx942: {problem}")
        last = max(i for i, each in enumerate(instructions) if each.is_dpp)
        self.assertEqual((instructions[last + 1].name, instructions[last + 1].operands), ("s_nop", "0"))


if __name__ == "__main__":
    main()
