#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What the program loads when it starts: few libraries, no GPU's runtime, and a module only in the child process. Time
is not measured; glibc's dynamic linker tells what it does."""

import os
import pathlib
import re
import shutil
import subprocess
import tempfile
import unittest

from puzzle_runs import MODULES, PROGRAM, SECONDS
from skips import main

# All that the program may need. Each library makes every start longer, and one of a GPU's runtime by ten times.
NEEDED = re.compile(r"(lib(fmt|z|stdc\+\+|c\+\+|c\+\+abi|m|gcc_s|c|boost_context|pthread|dl|rt|asan|ubsan)|ld-linux.*)\.so.*")
GPU_NODES = ("/dev/nvidiactl", "/proc/driver/nvidia/version", "/dev/kfd", "/dev/dxg")


class StartTest(unittest.TestCase):
    def setUp(self):
        # As it is installed beside its modules: the program looks there.
        self.folder = pathlib.Path(self.enterContext(tempfile.TemporaryDirectory()))
        shutil.copy(PROGRAM, self.folder / "warpz")
        for vendor in ("amd", "nvidia"):
            shutil.copy(MODULES / f"stand-in-{vendor}.so", self.folder / f"libwarpz-{vendor}.so")

    def loaded(self, *options):
        """Names of loaded files: those that the program's own process loaded, and those that its children did."""
        log = self.folder / "log"
        shutil.rmtree(log, ignore_errors=True)
        log.mkdir()
        process = subprocess.Popen([self.folder / "warpz", *options], stdout=subprocess.DEVNULL, stderr=subprocess.PIPE,
                                   env={**os.environ, "LD_DEBUG": "files", "LD_DEBUG_OUTPUT": str(log / "of")})
        _, errors = process.communicate(timeout=SECONDS)
        lines = "".join(path.read_text(errors="replace") for path in log.iterdir())
        found = set(re.findall(r"^ *(\d+):\s*file=(\S+) .*(?:needed|dynamically loaded) by", lines, re.MULTILINE))
        if not found:
            self.skipTest("this dynamic linker does not tell what it loads")
        self.assertIn(process.returncode, (0, 1), errors)
        by_process = ({pathlib.Path(file).name for pid, file in found if int(pid) == process.pid},
                      {pathlib.Path(file).name for pid, file in found if int(pid) != process.pid})
        return by_process

    def test_what_needs_no_device_loads_few_libraries_and_starts_nothing_that_loads_more(self):
        for option in ("--list", "--version", "--help"):
            own, others = self.loaded(option)
            self.assertEqual([name for name in own if not NEEDED.fullmatch(name)], [], option)
            self.assertEqual(others, set(), option)

    @unittest.skipIf(any(map(os.path.exists, GPU_NODES)), "there is a GPU here, and --backend auto takes it")
    def test_auto_loads_no_module_where_there_is_no_device_node(self):
        for options in (("--neighbor",), ("--devices",)):
            own, others = self.loaded(*options)
            self.assertEqual([name for name in own | others if not NEEDED.fullmatch(name)], [], options)

    def test_a_module_is_loaded_by_the_child_alone(self):
        for options in (("--backend", "amd", "--neighbor"), ("--backend", "nvidia", "--devices")):
            own, others = self.loaded(*options)
            self.assertEqual([name for name in own if not NEEDED.fullmatch(name)], [], options)
            self.assertEqual({name for name in others if not NEEDED.fullmatch(name)}, {f"libwarpz-{options[1]}.so"})


if __name__ == "__main__":
    main()
