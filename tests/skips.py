# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""How a file of tests ends (ctest puts this folder on PYTHONPATH): what ends with 77 counts as skipped, and scripts/test
repeats the reasons. With WARPZ_FAIL_FAST set it ends at the first failure."""

import os
import sys
import unittest

SKIPPED = 77


def main(**how):
    """unittest's main, but the exit code is 77 where nothing failed and something was skipped."""
    result = unittest.main(exit=False, failfast="WARPZ_FAIL_FAST" in os.environ, **how).result
    if not result.wasSuccessful():
        sys.exit(1)
    for _, reason in result.skipped:
        print(f"skipped: {reason}", file=sys.stderr)
    sys.exit(SKIPPED if result.skipped else 0)
