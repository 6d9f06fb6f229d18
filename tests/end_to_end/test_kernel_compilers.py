#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""--kernel: the choice of a compiler, and whatever may happen to it."""

import os
import pathlib
import re
import shutil
import signal
import subprocess
import time

from kernel_support import CLANG, KERNEL, SAYS_WHOSE, SECONDS, KernelTest
from puzzle_runs import PROGRAM
from skips import main

MAJOR = re.search(r"clang version (\d+)", subprocess.run([CLANG, "--version"], capture_output=True, text=True,
                                                        check=True).stdout)[1]
NAME = f"clang++-{MAJOR}"


class CompilersTest(KernelTest):
    def setUp(self):
        super().setUp()
        self.write(KERNEL)

    def test_one_that_is_not_there(self):
        advice = f"It takes one word, a Clang's name or path: {NAME} or /usr/bin/{NAME}.\n"
        self.assertEqual(self.run_kernel("--compiler", "clang++-0"),
                         ("", f"warpz: --compiler: cannot find the program 'clang++-0'\n{advice}", 2))
        self.assertEqual(self.run_kernel(WARPZ_CXX="clang++ -O3"),
                         ("", f"warpz: WARPZ_CXX: cannot find the program 'clang++ -O3'\n{advice}", 2))

    def test_the_choice(self):
        for name in ("one", "other"):
            self.script(f"echo {name} >>'{self.folder}/used'\nexit 1", name)
        used = self.folder / "used"

        def choice(*options, **variables):
            used.write_text("")
            _, _, code = self.run_kernel(*options, PATH=str(self.folder), **variables)
            self.assertEqual(code, 2)
            return used.read_text().split()
        self.assertEqual(choice(WARPZ_CXX="other"), ["other"])
        self.assertEqual(choice("--compiler", "one", WARPZ_CXX="other"), ["one"])

    def test_one_that_does_not_fit(self):
        """No other version can load warpz's plugin, and a weaker check would not be seen."""
        advice = f"On Debian and Ubuntu: sudo apt-get install clang-{MAJOR}\n"
        for named, defines in (("Clang 14", "#define __GNUC__ 4\n#define __clang_major__ 14"),
                               (f"Clang {MAJOR}1", f"#define __clang_major__ {MAJOR}1\n#define __GNUC__ 4"),
                               ("no Clang", "#define __GNUC__ 12")):
            compiler = self.script(f"echo '{defines}'")
            for check in ("all", "off"):
                self.assertEqual(self.run_kernel("--compiler", compiler, "--check", check), (
                    "", f"warpz: {compiler} is {named}, and this warpz compiles kernels by Clang {MAJOR}\n{advice}", 4))
            # What a compiler is, is kept with its date.
            pathlib.Path(compiler).unlink()

    def test_a_part_that_is_missing(self):
        """Without the plugin nothing is checked in silence."""
        program = self.folder / "warpz"
        shutil.copy(PROGRAM, program)
        toolchain = self.folder / "toolchain"
        toolchain.mkdir()
        for each in (pathlib.Path(PROGRAM).parent / "toolchain").iterdir():
            if each.name != "instrument.so":
                (toolchain / each.name).symlink_to(each)
        for links_to_itself in (False, True):
            if links_to_itself:
                (toolchain / "instrument.so").symlink_to("instrument.so")
            done = subprocess.run([program, "--neighbor", "--kernel", "my.hip"], cwd=self.folder, env=self.environment,
                                  capture_output=True, text=True, timeout=SECONDS, check=False)
            self.assertEqual(done.returncode, 4)
            self.assertRegex(done.stderr, r"warpz: --kernel needs \S*/toolchain/instrument\.so, and it is missing\n")

    def test_one_that_is_no_compiler(self):
        for name in ("true", "false", "echo"):
            path = shutil.which(name)
            self.assertEqual(self.run_kernel("--compiler", path), (
                "", f"warpz: {path} is not a C++ compiler that works like clang++\n", 2))
        path = self.folder / "compiler"
        path.write_text("#!/bin/sh\necho 'no memory for a library'\necho more\nexit 127\n")
        path.chmod(0o755)
        self.assertEqual(self.run_kernel("--compiler", str(path)), (
            "", f"warpz: {path} does not work as a C++ compiler: no memory for a library\n", 2))

    def test_one_that_cannot_be_started(self):
        pathlib.Path(self.folder, "compiler").write_bytes(b"\x7fELF")
        (self.folder / "compiler").chmod(0o755)
        self.assertEqual(self.run_kernel("--compiler", "./compiler"),
                         ("", "warpz: ./compiler can't be started: Exec format error\n", 4))

    def after_macros(self, command):
        """A compiler that can only say whose it is."""
        return self.script(SAYS_WHOSE + command)

    def test_one_that_is_killed(self):
        compiler = self.after_macros("kill -KILL $$")
        self.assertEqual(self.run_kernel("--compiler", compiler), (
            "", f"warpz: {compiler} was ended by signal 9 (Killed) while it compiled my.hip\n", 4))

    def test_one_that_fails_without_a_word(self):
        compiler = self.after_macros("exit 3")
        self.assertEqual(self.run_kernel("--compiler", compiler), (
            "", f"warpz: my.hip does not compile: {compiler} ended with exit code 3 and said nothing\n", 5))

    def test_one_that_makes_nothing(self):
        _, err, code = self.run_kernel("--compiler", self.after_macros("exit 0"))
        self.assertEqual((code, err.splitlines()[0]), (2, (
            "warpz: my.hip has no kernel: a kernel is a function that begins with __global__ void")))

    def test_what_a_compiler_started_ends_with_it(self):
        pid = self.folder / "pid"
        compiler = self.after_macros(f"sleep 1000 & echo $! >'{pid}'\nexit 3")
        self.assertEqual(self.run_kernel("--compiler", compiler)[2], 5)
        self.assert_gone(int(pid.read_text()))

    def test_signals_end_compiler_and_program_and_leave_nothing(self):
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
            pid = self.folder / f"pid-{number}"
            compiler = self.after_macros(f"sleep 1000 & echo $! >'{pid}.new'; mv '{pid}.new' '{pid}'; wait")
            process = self.start("--neighbor", "--kernel", "my.hip", "--compiler", compiler)
            self.wait_until(pid.exists)
            process.send_signal(number)
            process.communicate(timeout=SECONDS)
            self.assertEqual(process.returncode, -number)
            self.assert_gone(int(pid.read_text()))
            self.assertEqual(os.listdir(self.temporary), [])

    def wait_until(self, condition):
        end = time.monotonic() + SECONDS
        while not condition():
            self.assertLess(time.monotonic(), end)
            time.sleep(0.01)

    def assert_gone(self, pid):
        def gone():
            try:
                return pathlib.Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()[0] == "Z"
            except (FileNotFoundError, ProcessLookupError):
                return True
        self.wait_until(gone)

    def test_no_place_for_temporary_files(self):
        _, err, code = self.run_kernel(TMPDIR="/proc")
        self.assertEqual(code, 4)
        self.assertRegex(err, r"\Awarpz: temporary files can't be written, /proc: .*\n"
                              r"TMPDIR names another folder for them\.\n\Z")

if __name__ == "__main__":
    main()
