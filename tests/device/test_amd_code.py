# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""How many instructions the device library's operations add to a kernel on AMD: those of a kernel with the operation,
less those of one that only copies. Waits that the hardware needs count; so does the move of a result that is the same
in all lanes from its scalar register, which a kernel that goes on with it does without. Compiles with hipcc; needs no
GPU."""

import os
import pathlib
import shutil
import sys
import tempfile
import unittest

from skips import main

SOURCE = pathlib.Path(os.environ["WARPZ_SOURCE_DIR"])
sys.path.insert(0, str(SOURCE / "scripts/lib"))

from amd_code import disassembly  # noqa: E402
from amd_code.toolchain import Toolchain  # noqa: E402

# Operation: at most so many instructions with 64 lanes (gfx90a) and with 32 (gfx1030). By shuffles alone it would be 44
# and 34 for a sum, 55 and 43 for a scan.
OPERATIONS = {
    "sum_i32": ("i32", "warp::sum(v)", 17, 8),
    "max_i32": ("i32", "warp::max(v)", 18, 9),
    "sum_f32": ("f32", "warp::sum(v)", 24, 11),
    "max_f32": ("f32", "warp::max(v)", 31, 15),
    "prefix_sum_i32": ("i32", "warp::prefix_sum(v)", 11, 6),
    "prefix_sum_f32": ("f32", "warp::prefix_sum(v)", 13, 11),
    "broadcast": ("f32", "warp::broadcast(v)", 2, 2),
    "xor_1": ("i32", "warp::shuffle_xor(v, 1)", 1, 1),
    "xor_2": ("i32", "warp::shuffle_xor(v, 2)", 1, 1),
    "xor_4": ("i32", "warp::shuffle_xor(v, 4)", 5, 3),
    "xor_8": ("i32", "warp::shuffle_xor(v, 8)", 1, 1),
}


@unittest.skipUnless(shutil.which("hipcc"), "there is no hipcc to compile for AMD with")
class Instructions(unittest.TestCase):
    def counts(self, architecture):
        """Operation to what it adds."""
        kernels = ['#include "tests/amd/kernels.hpp"', "WARP_OPERATION(copy_i32, i32, i32, v);",
                   "WARP_OPERATION(copy_f32, f32, f32, v);"]
        kernels += [f"WARP_OPERATION({name}, {kind}, {kind}, ({call}));"
                    for name, (kind, call, *_) in OPERATIONS.items()]
        with tempfile.TemporaryDirectory() as folder:
            source, code = pathlib.Path(folder) / "operations.hip", pathlib.Path(folder) / "operations.o"
            source.write_text("\n".join(kernels).replace("tests/amd", str(SOURCE / "tests/amd")))
            data, code_object = Toolchain(folder).compile(source, [architecture])[architecture]
            code.write_bytes(data)
            found = {}
            for kernel in code_object.kernels:
                names = [each.name for each in disassembly.instructions(code, kernel)]
                found[kernel.function] = names.index("s_endpgm")
        return {name: found[name] - found[f"copy_{kind}"] for name, (kind, *_) in OPERATIONS.items()}

    def check(self, architecture, place):
        for name, added in self.counts(architecture).items():
            with self.subTest(name):
                self.assertGreater(added, 0)
                self.assertLessEqual(added, OPERATIONS[name][place])

    def test_with_64_lanes(self):
        self.check("gfx90a", 2)

    def test_with_32_lanes(self):
        self.check("gfx1030", 3)


if __name__ == "__main__":
    main()
