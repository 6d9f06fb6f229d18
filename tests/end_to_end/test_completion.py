#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Completion as it is typed: bash, zsh and fish on a terminal load the script that warpz prints, and get a line with a
tab in it.

The environment names the program: WARPZ_PROGRAM. Ends with 77 where a shell is not installed."""

import os
import pathlib
import pty
import re
import select
import shutil
import signal
import subprocess
import tempfile
import time
import unittest

from skips import main

PROGRAM = pathlib.Path(os.environ["WARPZ_PROGRAM"])
SECONDS = 60

# What is typed (\t is the tab key), and the line that becomes of it. Where several fit, that is as far as all agree.
LINES = (
    ("warpz --nei\t", "warpz --neighbor "),
    ("warpz --broadcast-c\t", "warpz --broadcast-conditional "),
    ("warpz --broad\t", "warpz --broadcast-"),
    ("warpz --vers\t", "warpz --version "),
    ("warpz --all --format j\t", "warpz --all --format json "),
    ("warpz --backend nv\t", "warpz --backend nvidia "),
    ("warpz --warp-size 6\t", "warpz --warp-size 64 "),
    ("warpz --all --color=ne\t", "warpz --all --color=never "),
    ("warpz --all --input only-one\t", "warpz --all --input only-one.txt "),
    ("warpz --all --input fol\t", "warpz --all --input folder/"),
    ("warpz --all --input with\t", r"warpz --all --input with\ blank.txt "),
    # No file is a size, a choice or an option.
    ("warpz --all --size only\t", "warpz --all --size only"),
    ("warpz --all --format only\t", "warpz --all --format only"),
    ("warpz only\t", "warpz only"),
    ("warpz --xyz\t", "warpz --xyz"),
)


class Terminal:
    """A shell on a terminal of its own, told to print `ready> ` when it waits."""

    PROMPT = "ready> "

    def __init__(self, command, folder, environment):
        self.process, self.descriptor = pty.fork()
        if self.process == 0:
            os.chdir(folder)
            os.execvpe(command[0], command, environment)
        self.text = ""

    def type(self, text):
        os.write(self.descriptor, text.encode())

    def read_until(self, pattern):
        """What comes up to the match, which is returned; everything before it is forgotten."""
        deadline = time.monotonic() + SECONDS
        while not (match := re.search(pattern, self.text, re.DOTALL)):
            ready, _, _ = select.select([self.descriptor], [], [], deadline - time.monotonic())
            if not ready:
                shown, self.text = self.text[-500:], ""
                raise AssertionError(f"no {pattern!r} in {shown!r}")
            self.text += os.read(self.descriptor, 4096).decode(errors="replace")
        self.text = self.text[match.end():]
        return match

    def close(self):
        os.kill(self.process, signal.SIGKILL)
        os.waitpid(self.process, 0)
        os.close(self.descriptor)


class Shell:
    """The tests, for each shell that has `command`, the lines typed first, and the keys that show what was made of a
    line: to its beginning, and a command there that writes its arguments."""

    name = ""
    command = ()
    start = ()

    @classmethod
    def setUpClass(cls):
        if shutil.which(cls.name) is None:
            raise unittest.SkipTest(f"{cls.name} is not installed")
        cls.folder = tempfile.TemporaryDirectory()
        home = pathlib.Path(cls.folder.name)
        (home / "bin").mkdir()
        os.symlink(PROGRAM.resolve(), home / "bin/warpz")
        work = home / "work"
        (work / "folder").mkdir(parents=True)
        for name in ("only-one.txt", "with blank.txt", "other.npy"):
            (work / name).touch()
        cls.environment = {"HOME": str(home), "TERM": "dumb", "LC_ALL": "C.UTF-8", "PS1": Terminal.PROMPT,
                           "PATH": f"{home / 'bin'}:{os.environ['PATH']}"}
        try:
            cls.terminal = Terminal(cls.command, work, cls.environment)
        except OSError as problem:
            raise unittest.SkipTest(f"there is no terminal to type into: {problem}") from problem
        for line in cls.start:
            cls.terminal.type(line + "\n")
        # Split, so that the echo of what is typed is no answer.
        cls.terminal.type("echo star''ted\n")
        cls.terminal.read_until(r"\nstarted\r")

    @classmethod
    def tearDownClass(cls):
        cls.terminal.close()
        cls.folder.cleanup()

    def script(self):
        return subprocess.run([PROGRAM, "--completion", self.name], capture_output=True, text=True, timeout=SECONDS,
                              check=True).stdout

    def test_lines_are_completed(self):
        for typed, expected in LINES:
            with self.subTest(typed=typed):
                self.terminal.type(f"{typed}'END'\x01print-line 'BEGIN' \n")
                answer = self.terminal.read_until(r"<BEGIN>(.*?)END").group(1)
                self.assertEqual(answer.replace("\r\n", ""), self.as_printed(expected))

    @staticmethod
    def as_printed(line):
        """The words of a line, each in angle brackets; the one that `'END'` was typed into stays open."""
        words = re.findall(r"(?:\\.|\S)+", line)
        text = "".join(f"<{word.replace(chr(92), '')}>" for word in words)
        return text + "<" if line.endswith(" ") else text[:-1]

    def test_the_script_has_no_syntax_error_and_prints_nothing(self):
        done = subprocess.run([self.name, "-n"], input=self.script(), capture_output=True, text=True, timeout=SECONDS,
                              check=False)
        self.assertEqual((done.returncode, done.stdout, done.stderr), (0, "", ""))


class BashTest(Shell, unittest.TestCase):
    name = "bash"
    command = ("bash", "--norc", "--noprofile", "-i")
    start = ("bind 'set bell-style none'", "print-line() { printf '<%s>' \"$@\"; echo; }",
             "source <(warpz --completion bash)")

    @unittest.skipUnless(shutil.which("shellcheck"), "shellcheck is not installed")
    def test_shellcheck_accepts_the_script(self):
        done = subprocess.run(["shellcheck", "-s", "bash", "-"], input=self.script(), capture_output=True, text=True,
                              timeout=SECONDS, check=False)
        self.assertEqual((done.returncode, done.stdout), (0, ""))


class ZshTest(Shell, unittest.TestCase):
    name = "zsh"
    command = ("zsh", "-f", "-i")
    # Without compinit before it: the script sees to that.
    start = ("bindkey -e; setopt no_beep no_auto_menu no_list_beep", "print-line() { printf '<%s>' \"$@\"; echo; }",
             "source <(warpz --completion zsh)")

    def test_the_script_works_as_an_autoloaded_file_too(self):
        functions = pathlib.Path(self.folder.name, "functions")
        functions.mkdir()
        (functions / "_warpz").write_text(self.script())
        terminal = Terminal(self.command, self.folder.name, self.environment)
        try:
            terminal.type(f"fpath=({functions} $fpath); autoload -Uz compinit; compinit -i -D; bindkey -e\n")
            terminal.type("print-line() { printf '<%s>' \"$@\"; echo; }\n")
            terminal.type("warpz --nei\t'END'\x01print-line 'BEGIN' \n")
            self.assertEqual(terminal.read_until(r"<BEGIN>(.*?)END").group(1), "<warpz><--neighbor><")
        finally:
            terminal.close()


class FishTest(Shell, unittest.TestCase):
    name = "fish"
    command = ("fish", "--no-config", "-i")
    start = ("function print-line; printf '<%s>' $argv; echo; end", "warpz --completion fish | source")

    def test_lists_of_completions(self):
        def listed(line):
            done = subprocess.run(["fish", "--no-config", "-c",
                                   f"warpz --completion fish | source; complete -C '{line}'"],
                                  capture_output=True, text=True, timeout=SECONDS, check=True, env=self.environment)
            return [row.split("\t")[0] for row in done.stdout.splitlines()]
        self.assertEqual(sorted(listed("warpz --backend ")), ["amd", "auto", "cpu", "cpu,amd", "cpu,nvidia", "nvidia"])
        self.assertIn("--prefix-sum", listed("warpz --"))


if __name__ == "__main__":
    main()
