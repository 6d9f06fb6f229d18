# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What scripts/test leaves to scripts/test --full, so that it takes minutes: every so many of much the same, and tests
that take long and seldom find what no other test does. ctest puts this folder on PYTHONPATH."""

import os

FULL = os.environ.get("WARPZ_FULL_TESTS") == "1"


def sample(items, step):
    """Every `step`-th of the items, the first included; with --full all of them."""
    items = list(items)
    return items if FULL else items[::step]


def long(test):
    """A test method that --full alone runs: elsewhere it is not there."""
    return test if FULL else None
