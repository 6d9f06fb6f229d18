#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""docs/hip-api.md and the header that refuses HIP's other names: up to date, complete, and each name an error at its
line that says what to use."""

import os
import pathlib
import re
import shutil
import subprocess
import tempfile
import unittest

from skips import main

SOURCE = pathlib.Path(os.environ.get("WARPZ_SOURCE_DIR", pathlib.Path(__file__).resolve().parents[2]))
HEADERS = SOURCE / "src/simt/include"
REFUSED = HEADERS / "hip/detail/refused_names.h"
INSTALLED = pathlib.Path("/usr/include/hip/hip_runtime_api.h")
CLANG = os.environ.get("WARPZ_CLANG") or next(
    filter(None, map(shutil.which, ("clang++-22", "clang++-21", "clang++-20", "clang++-19"))), None)


def names_on_page():
    return re.findall(r"`([\w:/.]+)`", (SOURCE / "docs/hip-api.md").read_text().partition("\n## ")[2])


def compile_program(folder, text):
    source = pathlib.Path(folder) / "program.hip"
    source.write_text(text)
    return subprocess.run(
        [CLANG, "-x", "hip", "--cuda-host-only", "-nogpuinc", "-nogpulib", "-std=c++17", "-fsyntax-only", "-w",
         "-Xclang", "-aux-triple", "-Xclang", "x86_64-pc-linux-gnu", "-ferror-limit=0", "-fno-color-diagnostics",
         "-DWARPZ_PROGRAM", "-D__HIP_PLATFORM_AMD__=1", "-isystem", SOURCE / "src/device", "-isystem", HEADERS,
         "-include", "hip/detail/c_library.h", source], capture_output=True, text=True, check=False)


@unittest.skipUnless(CLANG, "no Clang 19 to 22")
class HipApiTest(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def run_script(self, tree):
        return subprocess.run([SOURCE / "scripts/hip-api", "--check", "--source", tree], capture_output=True, text=True,
                              check=False, env={**os.environ, "WARPZ_CLANG": CLANG})

    def test_page_and_header_are_what_the_headers_say(self):
        done = self.run_script(SOURCE)
        self.assertEqual((done.returncode, done.stderr), (0, ""))

    def test_a_name_that_is_gone_is_noticed(self):
        for part in ("src/simt/include", "src/device"):
            shutil.copytree(SOURCE / part, self.folder / part)
        (self.folder / "docs").mkdir()
        shutil.copy(SOURCE / "docs/hip-api.md", self.folder / "docs")
        api = self.folder / "src/simt/include/hip/hip_runtime_api.h"
        text = api.read_text()
        self.assertIn("hipFreeHost(", text)
        api.write_text(text.replace("hipFreeHost(", "hipFreeOther("))
        done = self.run_script(self.folder)
        self.assertEqual(done.returncode, 1)
        self.assertIn("hip-api.md is not what the headers say", done.stderr)
        self.assertIn("refused_names.h is not what the headers say", done.stderr)
        # An installed HIP would be taken for a header that is not there.
        (self.folder / "src/simt/include/hip/hip_fp8.h").unlink()
        done = self.run_script(self.folder)
        self.assertEqual(done.returncode, 1)
        self.assertIn("would be taken for hip/hip_fp8.h", done.stderr)

    def test_each_refused_name_is_an_error_at_its_line(self):
        rows = re.findall(r"SIMT_(FUNCTION|TYPE|CONSTANT)\((\w+)\)", REFUSED.read_text().partition("SIMT_CONSTANT(name)")[2])
        self.assertGreater(len(rows), 100)
        uses = {"FUNCTION": "{}(1, nullptr);", "TYPE": "{}* p{};", "CONSTANT": "(void){};"}
        lines = [uses[kind].replace("{}", name) for kind, name in rows]
        text = "#include <hip/hip_runtime.h>\nvoid program() {\n" + "\n".join(lines) + "\n}\n"
        done = compile_program(self.folder, text)
        found = {int(line): (name, words) for line, name, words in
                 re.findall(r"program\.hip:(\d+):\d+: error: '(\w+)' is unavailable: (.+)", done.stderr)}
        self.assertEqual([found.get(number, (None,))[0] for number in range(3, 3 + len(rows))], [name for _, name in rows])
        words = found[3 + [name for _, name in rows].index("hipMemMapArrayAsync")][1]
        self.assertEqual(words, "arrays have memory of their own here: use hipMallocArray")

    def test_a_program_s_own_function_of_such_a_name_is_its_own(self):
        done = compile_program(self.folder, "#include <hip/hip_runtime.h>\n"
                               "__device__ int __smid(int x) { return x; }\n__global__ void k(int* p) { *p = __smid(2); }\n")
        self.assertEqual(done.stderr, "")

    def test_names_are_listed_once(self):
        names = names_on_page()
        self.assertGreater(len(names), 2000)
        self.assertEqual(len(names), len(set(names)))

    @unittest.skipUnless(INSTALLED.is_file(), "HIP's headers are not installed (Debian: libamdhip64-dev)")
    def test_all_functions_of_an_installed_header_are_listed(self):
        # Read by its lines, not by Clang.
        functions = set(re.findall(r"^hipError_t (hip\w+)\(", INSTALLED.read_text(), re.MULTILINE))
        self.assertGreater(len(functions), 200)
        # Its own start.
        self.assertEqual(functions - set(names_on_page()), {"hip_init"})

    def test_older_headers_are_ours_or_refused(self):
        done = compile_program(self.folder, "#include <hip/hcc_detail/amd_hip_fp16.h>\n#include <hip/amd_detail/hip_assert.h>\n"
                               "__half h;\nhipError_t e;\n")
        self.assertEqual(done.stderr, "")
        for header, words in (("amd_detail/program_state.hpp", "include <hip/hip_runtime.h>"),
                              ("nvcc_detail/nvidia_hip_runtime.h", "or name the file .cu if it is CUDA")):
            done = compile_program(self.folder, f"#include <hip/{header}>\n")
            self.assertIn(words, done.stderr)


if __name__ == "__main__":
    main()
