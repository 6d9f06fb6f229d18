#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Ended at any moment, by whatever signal, whichever process it meets: nothing is left behind, and no signal waits."""

import contextlib
import fcntl
import os
import signal
import subprocess
import time

from ended_support import EndedTest, children, descendants
from kernel_support import CLANG, KERNEL, PROGRAM, RUNTIME, SAYS_WHOSE, SECONDS, for_the_device
from sampling import sample
from skips import main

ENDING = sample((signal.SIGINT, signal.SIGTERM, signal.SIGHUP, signal.SIGQUIT), 2)

# Until it waits for a reader or a writer, on most machines: on a slower one the test shows less, but passes.
LONG_ENOUGH_TO_WAIT = 0.5

# Two processes that cut themselves off from whoever started them, one below the other.
RUNS_AWAY = "#include <unistd.h>\n" + for_the_device("dprintf", "fork", "pause", "setsid") + """\
static __host__ __device__ void run_away() {
  if (fork() == 0) {
    setsid();
    if (fork() == 0) setsid();
    for (;;) pause();
  }
  dprintf(2, "away\\n");
  for (;;) pause();
}
"""


class WhileCompilingTest(EndedTest):
    def setUp(self):
        super().setUp()
        self.write(KERNEL)
        self.write(RUNTIME + "int main() {}\n", "p.hip")
        # One that leaves a file, and has started another process in a session of its own. It precompiles no header.
        self.compiler = self.script(SAYS_WHOSE + 'case "$*" in *-emit-pch* | *-print-dependency*) exit 1 ;; esac\n'
                                    'echo >"$TMPDIR/half"\nsetsid sleep 1000 &\n'
                                    f'echo >"{self.folder}/begun"\nwait')
        self.begun = self.folder / "begun"

    def compiling(self, *words):
        self.begun.unlink(missing_ok=True)
        process = self.start(*words, "--compiler", self.compiler)
        self.wait_until(lambda: self.begun.exists() or process.poll() is not None, "the compiler has begun")
        self.assertIsNone(process.poll(), "it has ended")
        return process

    def test_each_process_killed_and_each_signal(self):
        before = [*self.files(), "begun", "report"]
        for words in (["--neighbor", "--kernel", "my.hip", "--junit", "report"], ["--run", "p.hip", "--junit", "report"]):
            for place in range(4):
                process = self.compiling(*words)
                chain = self.chain(process)
                # A program's host side is compiled beside its device side, and what one compiler says waits for the other.
                self.wait_until(lambda: len(children(chain[-1])) >= 2, "compilers, or a compiler and a process for kernels")
                *others, compiler = children(chain[-1])
                if words[0] == "--run" and place == 3:
                    for each in others:
                        os.kill(each, signal.SIGKILL)
                chain.append(compiler)
                _, err, code = self.end(process, chain[place])
                self.assertEqual(code, 4 if place == 3 else -signal.SIGKILL, err)
                self.assert_nothing_left(before, f"{words}, process {place} was killed")
            for number in ENDING:
                process = self.compiling(*words)
                _, err, code = self.end(process, process.pid, number)
                self.assertEqual(code, -number, err)
                self.assert_nothing_left(before, f"{words}, {number}")

    def test_all_at_once(self):
        process = self.compiling("--neighbor", "--kernel", "my.hip")
        for each in reversed(self.chain(process)):
            os.kill(each, signal.SIGSTOP)
        while found := self.processes():  # a compiler may start one meanwhile
            for each in found:
                with contextlib.suppress(ProcessLookupError):
                    os.kill(each, signal.SIGKILL)
        process.communicate(timeout=SECONDS)
        left, = os.listdir(self.temporary)
        # One in use, and what is not warpz's own.
        other = self.compiling("--neighbor", "--kernel", "my.hip")
        used, = set(os.listdir(self.temporary)) - {left}
        self.assertFalse((self.temporary / left).exists(), "the next run removes it")
        foreign = [self.temporary / name for name in ("warpz-kernel-notes", "warpz-kernel-0123456789abcdeg1",
                                                      "warpz-kernel-0123456789abcdef")]
        for each in foreign[:2]:
            each.mkdir()
        foreign[2].symlink_to(self.folder)
        third = self.compiling("--neighbor", "--kernel", "my.hip")
        self.assertTrue((self.temporary / used).exists())
        for each in foreign:
            self.assertTrue(each.exists(), each)
            each.unlink() if each.is_symlink() else each.rmdir()
        for each in (other, third):
            self.end(each, each.pid)
        self.assert_nothing_left([*self.files(), "begun"])

    def test_messages_that_nobody_reads(self):
        self.write("#warning many words\n" * 2000 + KERNEL)
        reader, writer = os.pipe()
        fcntl.fcntl(writer, fcntl.F_SETPIPE_SZ, 4096)
        with subprocess.Popen([PROGRAM, "--neighbor", "--kernel", "my.hip", "--compiler", CLANG], cwd=self.folder,
                              env=self.environment, stderr=writer, stdout=subprocess.DEVNULL) as process:
            os.close(writer)
            time.sleep(LONG_ENOUGH_TO_WAIT)
            process.terminate()
            self.assertEqual(process.wait(timeout=600), -signal.SIGTERM)
        os.close(reader)

    def test_while_a_pipe_is_opened(self):
        os.mkfifo(self.folder / "fifo")
        for words in (["--neighbor", "--kernel", "fifo"], ["--neighbor", "--input", "fifo"],
                      ["--neighbor", "--suppress", "fifo"]):
            process = self.start(*words)
            time.sleep(LONG_ENOUGH_TO_WAIT)
            process.send_signal(signal.SIGINT)
            process.communicate(timeout=600)
            self.assertEqual(process.returncode, -signal.SIGINT, words)


class WhileRunningTest(EndedTest):
    def setUp(self):
        super().setUp()
        self.write(RUNS_AWAY, "away.hpp")
        self.write(RUNTIME + '#include "away.hpp"\nint main() { run_away(); }\n', "p.hip")
        self.write('#include "away.hpp"\n' + KERNEL.replace("{\n", "{\n  if (threadIdx.x == 0) run_away();\n", 1))

    def running(self, *words):
        process = self.start(*words, "--check", "off", "--quiet", "--compiler", CLANG)
        while (line := process.stderr.readline()) != b"away\n":
            self.assertNotEqual(line, b"", "it has ended")
        return process

    def test_each_process_killed_and_each_signal(self):
        for words in (["--neighbor", "--kernel", "my.hip"], ["--run", "p.hip"]):
            before = self.files()
            for place in range(4):
                process = self.running(*words)
                chain = self.chain(process)
                chain.append(children(chain[-1])[-1])
                # A kernel that is confined can start none.
                others = 2 if words[0] == "--run" else 0
                self.wait_until(lambda: len(descendants(process.pid)) >= 3 + others, "it has started two others")
                _, err, code = self.end(process, chain[place])
                self.assertEqual(code, (3 if words[0] != "--run" else 137) if place == 3 else -signal.SIGKILL, err)
                self.assert_nothing_left(before, f"{words}, process {place} was killed")
            for number in ENDING:
                process = self.running(*words)
                begun = time.monotonic()
                _, err, code = self.end(process, process.pid, number)
                self.assertEqual(code, -number, err)
                self.assertLess(time.monotonic() - begun, 20)
                self.assert_nothing_left(before, f"{words}, {number}")

    def test_results_that_nobody_reads(self):
        """A program that is run again: its output is compared first, and then printed."""
        self.write(RUNTIME + 'int main() { for (int i = 0; i < 20000; ++i) std::puts("many words"); }\n', "p.hip")
        with subprocess.Popen([PROGRAM, "--run", "p.hip", "--schedules", "1", "--compiler", CLANG, "--check", "off"],
                              cwd=self.folder, env=self.environment, stdout=subprocess.PIPE,
                              stderr=subprocess.DEVNULL) as process:
            process.stdout.read(1)
            time.sleep(LONG_ENOUGH_TO_WAIT)
            process.terminate()
            self.assertEqual(process.wait(timeout=600), -signal.SIGTERM)

    def test_a_signal_that_the_caller_ignores_is_ignored(self):
        self.write(RUNTIME + '#include <unistd.h>\nint main() { std::puts("begun"); std::fflush(stdout); sleep(1); }\n', "p.hip")
        for words in (["trap '' INT"], ["trap '' TERM"]):
            number = signal.SIGINT if "INT" in words[0] else signal.SIGTERM
            with subprocess.Popen(["/bin/sh", "-c", f'{words[0]}; exec "$@"', "sh", PROGRAM, "--run", "p.hip", "--compiler",
                                   CLANG, "--check", "off"], cwd=self.folder, env=self.environment, stdout=subprocess.PIPE,
                                  stderr=subprocess.DEVNULL) as process:
                self.assertEqual(process.stdout.readline(), b"begun\n")
                process.send_signal(number)
                self.assertEqual(process.wait(timeout=SECONDS), 0)


if __name__ == "__main__":
    main()
