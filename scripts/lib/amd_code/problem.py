# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What ends a script before it has an answer. Nothing else."""

RESULT_IS_WRONG = 1
BAD_INPUT = 2
KERNEL_BROKE = 3
TOOL_MISSING = 4
DOES_NOT_COMPILE = 5


class Problem(Exception):
    """What happened and what to try, with the exit code it leads to (docs/exit-codes.md)."""

    def __init__(self, text, code=BAD_INPUT):
        super().__init__(text)
        self.code = code
