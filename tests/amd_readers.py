# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Skips tests that read AMD code where what the scripts read it with is not installed."""

import importlib.util
import pathlib
import sys
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "scripts/lib"))

from amd_code import llvm_tools  # noqa: E402

MISSING = [package for tool, package in llvm_tools.PACKAGES.items() if not llvm_tools.programs(tool)]
MISSING += [] if importlib.util.find_spec("yaml") else ["python3-yaml"]
WHY = f"no AMD code was read (apt-get install {' '.join(dict.fromkeys(MISSING))})"

needs_readers = unittest.skipIf(MISSING, WHY)
