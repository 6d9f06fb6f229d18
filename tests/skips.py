# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""How a file of tests ends (ctest puts this folder on PYTHONPATH): it names the tests that were skipped and why, which
scripts/test repeats, and counts as skipped itself only where no other test was run."""

import pathlib
import signal
import sys
import unittest

SKIPPED = 77
MAX_NAMES = 3

# Under nohup or in a shell's background the caller ignores these, and so would all that the tests start and interrupt.
for number in (signal.SIGHUP, signal.SIGINT, signal.SIGQUIT, signal.SIGTERM):
    if signal.getsignal(number) is signal.SIG_IGN:
        signal.signal(number, signal.SIG_DFL)


def main(**options):
    """unittest's main, but the exit code is 77 where nothing failed and every test was skipped."""
    result = unittest.main(exit=False, **options).result
    if not result.wasSuccessful():
        sys.exit(1)
    names_by_reason = {}
    for test, reason in result.skipped:
        # Of a class that is skipped as a whole, the name stands in parentheses.
        name = test.id().rpartition(".")[2] if isinstance(test, unittest.TestCase) else test.id().partition(" ")[2]
        names_by_reason.setdefault(reason, []).append(name.strip("()").removeprefix("__main__."))
    for reason, names in names_by_reason.items():
        more = f" and {len(names) - MAX_NAMES} more" if len(names) > MAX_NAMES else ""
        print(f"skipped: {pathlib.Path(sys.argv[0]).stem}, {', '.join(names[:MAX_NAMES])}{more}: {reason}", file=sys.stderr)
    tests_skipped = sum(isinstance(test, unittest.TestCase) for test, _ in result.skipped)
    sys.exit(SKIPPED if result.skipped and tests_skipped == result.testsRun else 0)
