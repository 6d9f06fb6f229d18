#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The plugin's sources are right with each version of LLVM whose headers are installed, and not with that of this build
alone: what a bare Debian and the packages build with is the oldest one."""

import os
import pathlib
import re
import subprocess
import unittest

from skips import main

SOURCE = pathlib.Path(os.environ["WARPZ_SOURCE_DIR"])
VERSIONS = range(19, 23)  # as docs/architecture.md names them
OWN = int(re.search(r"version (\d+)", subprocess.run([os.environ["WARPZ_CLANG"], "--version"], capture_output=True, text=True,
                                                     check=True).stdout)[1])
FOLDERS = {version: pathlib.Path(f"/usr/lib/llvm-{version}") for version in VERSIONS if version != OWN}
INSTALLED = {version: folder for version, folder in FOLDERS.items() if (folder / "include/llvm/IR/Module.h").exists()}
TOGETHER = 16  # LLVM's headers take longest, so files are read together, as in the build


class LlvmVersionsTest(unittest.TestCase):
    @unittest.skipUnless(INSTALLED, "no other LLVM's headers are installed")
    def test_the_plugin_compiles(self):
        sources = sorted((SOURCE / "src/instrument").glob("*.cpp"))
        for version, folder in INSTALLED.items():
            flags = subprocess.run([folder / "bin/llvm-config", "--cppflags"], capture_output=True, text=True, check=True).stdout
            options = [flag for flag in flags.split() if flag.startswith("-D")]
            for i in range(0, len(sources), TOGETHER):
                text = "".join(f'#include "{each}"\n' for each in sources[i:i + TOGETHER])
                done = subprocess.run(["c++", "-fsyntax-only", "-std=c++20", "-fno-rtti", *options, f"-I{SOURCE}/src",
                                       f"-I{SOURCE}/src/simt/include", "-isystem", folder / "include", "-x", "c++", "-"],
                                      input=text, capture_output=True, text=True, check=False)
                with self.subTest(version=version, first=sources[i].name):
                    self.assertEqual(done.returncode, 0, done.stderr)


if __name__ == "__main__":
    main()
