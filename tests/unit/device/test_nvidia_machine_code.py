# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The machine code that ptxas makes of the device library's operations for sm_90: what the operations cost in the end.
Needs CUDA's nvdisasm, which is a package of its own in some distributions; no GPU."""

import re
import unittest

from nvidia_code import DISASSEMBLER, NVCC_IS_HERE, READER_IS_HERE, machine_code, machine_counts
from skips import main

# How often an instruction occurs in an operation's kernel, as a regular expression for all of it.
ADD = r"(IADD3|IMAD\.IADD|VIADD)\b.*"
ON_SM_90 = {
    "sum_i32": {r"REDUX\.SUM\.S32 .*": 1, r"REDUX.*|SHFL.*": 1},
    "sum_u32": {r"REDUX\.SUM .*": 1, r"REDUX.*|SHFL.*": 1},
    "max_i32": {r"REDUX\.MAX\.S32 .*|CREDUX\.MAX\.S32 .*": 1, r"C?REDUX.*|SHFL.*": 1},
    "min_u32": {r"C?REDUX\.MIN .*": 1, r"C?REDUX.*|SHFL.*": 1},
    # As integers of the same order.
    "max_f32": {r"REDUX\.MAX\.S32 .*": 1, r"C?REDUX.*|SHFL.*": 1},
    # Who adds is known before the shuffle: its own predicate would come later.
    "prefix_sum_i32": {r"SHFL\..*": 5, rf"@P\d {ADD}": 5},
    "prefix_sum_f32": {r"SHFL\..*": 5, r"@P\d FADD .*": 5, r"(@!?P\d )?(FADD|FFMA) .*": 5},
    "broadcast_first_f32": {r"SHFL\..*": 1, r"VOTE.*": 0},
    "by_xor_1_u32": {r"SHFL\..*": 1},
    "vote_u32": {r"VOTEU?\.ANY .*": 1, r"SHFL\..*": 0},
    # The product is rounded before it is added.
    "sum_of_products_f32": {r"(@!?P\d )?FFMA .*": 0, r"(@!?P\d )?FADD .*": 5, r"FMUL .*": 1},
    "prefix_sum_of_products_f32": {r"(@!?P\d )?FFMA .*": 0, r"@P\d FADD .*": 5, r"FMUL .*": 1},
    "sum_of_products_f64": {r"(@!?P\d )?DFMA .*": 0, r"(@!?P\d )?DADD .*": 5, r"DMUL .*": 1},
}


@unittest.skipUnless(NVCC_IS_HERE and DISASSEMBLER and READER_IS_HERE,
                     "there is no nvcc, no hipcc, or no nvdisasm or llvm-readobj to read its code with")
class MachineCode(unittest.TestCase):
    def test_on_sm_90(self):
        kernels = machine_code("90")
        for kernel, counts in ON_SM_90.items():
            with self.subTest(kernel):
                self.assertIn(kernel, kernels)
                found = {pattern: sum(re.fullmatch(pattern, line) is not None for line in kernels[kernel])
                         for pattern in counts}
                self.assertEqual(found, counts, "\n".join(kernels[kernel]))

    def test_it_ends_where_the_count_without_a_disassembler_does(self):
        self.assertEqual({kernel: len(lines) - 1 for kernel, lines in machine_code("90").items()}, machine_counts("90"))


if __name__ == "__main__":
    main()
