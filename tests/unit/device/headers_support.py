# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""For tests of the device library's headers: which are public, and what a compiler says to each of them alone."""

import concurrent.futures
import os
import pathlib
import shutil
import subprocess
import tempfile
import unittest

SOURCE = pathlib.Path(os.environ["WARPZ_SOURCE_DIR"])
LIBRARY = SOURCE / "src/device"
HEADERS = sorted(str(file.relative_to(LIBRARY)) for file in (LIBRARY / "warpz").rglob("*.hpp")
                 if "detail" not in file.parts)
MAIN = [f"warpz/{name}.hpp" for name in ("warp", "block", "sync", "vector_access", "device", "kernel")]
COMMON = ("-std=c++17", f"-I{LIBRARY}")


def first_found(*names):
    return next(filter(None, map(shutil.which, names)), None)


class HeadersTest(unittest.TestCase):
    def compile_main(self, *command, **environment):
        """Only those that take in all others, as a GPU's compilers take seconds for each file."""
        self.compile(MAIN, *command, **environment)

    def compile_together(self, *command, text="", **environment):
        """All headers in one file, and this text behind them: what an architecture or a macro changes has nothing to do
        with what includes what."""
        self.compile([HEADERS], *command, text=text, **environment)

    def compile(self, groups, *command, text="", **environment):
        """Each header, or all of a group, in a file of its own that includes nothing else, twice."""
        with tempfile.TemporaryDirectory() as folder, concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
            files = []
            for number, headers in enumerate([one] if isinstance(one, str) else one for one in groups):
                file = pathlib.Path(folder) / f"headers-{number}.hip"
                file.write_text("".join(f'#include "{header}"\n' for header in 2 * headers) + text)
                files.append(file)

            def compiled(file):
                return subprocess.run([*map(str, command), str(file)], cwd=folder, text=True, stdout=subprocess.PIPE,
                                      stderr=subprocess.STDOUT, env={**os.environ, "TMPDIR": folder, **environment},
                                      check=False)

            for headers, done in zip(groups, pool.map(compiled, files)):
                with self.subTest(headers):
                    self.assertEqual(done.returncode, 0, done.stdout)
                    self.assertNotRegex(done.stdout, "warning")
