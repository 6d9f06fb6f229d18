#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""SIGKILL and SIGTERM at the n-th system call of each of warpz's processes, by strace. With scripts/test --full for
every n, which takes an hour; without, for a few that are picked at random."""

import collections
import os
import random
import re
import shutil
import signal
import subprocess
import sys
import unittest

from ended_support import EndedTest
from kernel_support import COMPILERS, KERNEL, PROGRAM, RUNTIME, SECONDS
from sampling import FULL
from skips import main

CALL = re.compile(r"^(?:(\d+) +)?(\w+)\(")
# Behind the three processes of warpz itself.
STARTED = 3
SAMPLE = 1

# Compilers take a second. This one does what another did when it was called with the same words, but for the name of the
# folder for temporary files.
REPLAY = """\
key=$(printf '%s\\n' "$@" | sed "s|$TMPDIR|%|g" | cksum | tr -dc 0-9)
kept={store}/$key
if [ ! -e $kept/code ]; then
  mkdir -p $kept/files
  touch $kept/begin
  {compiler} "$@" >$kept/output 2>&1
  code=$?
  for file in "$TMPDIR"/*; do [ $kept/begin -nt "$file" ] || cp "$file" $kept/files/; done
  for file in $kept/files/*depfile; do [ ! -e "$file" ] || sed -i "s|$TMPDIR|%|g" "$file"; done
  echo $code >$kept/code
fi
cp $kept/files/* "$TMPDIR/" 2>/dev/null
for file in "$TMPDIR"/*depfile; do [ ! -e "$file" ] || sed -i "s|%|$TMPDIR|g" "$file"; done
cat $kept/output
exit $(cat $kept/code)
"""


def calls_in(log, but):
    """The system calls in strace's log, of all processes but one: (name, how many times this process has called it until
    then)."""
    counts = collections.Counter()
    found = {}
    for line in log.read_text(errors="replace").splitlines():
        if (called := CALL.match(line)) and called[1] != str(but):
            counts[called[1], called[2]] += 1
            found[called[2], counts[called[1], called[2]]] = True
    return list(found)


def injecting(call, number):
    return ["-e", "trace=" + call[0], "-e", f"inject={call[0]}:signal={signal.Signals(number).name}:when={call[1]}"]


@unittest.skipUnless(shutil.which("strace"), "there is no strace")
class InjectedTest(EndedTest):
    def setUp(self):
        super().setUp()
        self.log = self.folder / "log"
        self.fifo = self.folder / "fifo"
        os.mkfifo(self.fifo)
        self.write(KERNEL)
        self.write(RUNTIME + "int main() {}\n", "p.hip")
        store = self.folder / "store"
        store.mkdir()
        self.compiler = self.script(REPLAY.format(store=store, compiler=COMPILERS[-1]), "replay")
        kernel = ["--neighbor", "--kernel", "my.hip", "--documented-only", "--compiler", self.compiler]
        self.scenarios = {
            "kernel": [*kernel],
            "cached kernel": [*kernel],
            "program": ["--run", "p.hip", "--compiler", self.compiler],
            "all": ["--all", "--quiet"],
        }
        for words in self.scenarios.values():
            words += ["--junit", "report", "--suppress", "fifo"]
        for name in ("kernel", "program", "cached kernel"):
            self.run_through(name)
        self.counts = collections.Counter()
        self.random = random.Random()  # other ones each time

    def run_through(self, name):
        """A run that nothing disturbs: its process, at the moment when it waits for the pipe."""
        process = self.started(name)
        self.open_pipe(process)
        out, err = process.communicate(timeout=SECONDS)
        self.assertEqual(process.returncode, 0, (name, out, err))

    def started(self, name, *before):
        words = [*before, PROGRAM, *self.scenarios[name]]
        (self.folder / "report").unlink(missing_ok=True)
        if name in ("kernel", "program"):
            for each in self.entries():
                each.unlink()
        return subprocess.Popen(words, cwd=self.folder, env=self.environment, stdin=subprocess.DEVNULL,
                                stdout=subprocess.PIPE, stderr=subprocess.PIPE)

    def open_pipe(self, process):
        """Lets the run go on that waits for the pipe."""
        def opens():
            try:
                os.close(os.open(self.fifo, os.O_WRONLY | os.O_NONBLOCK))
                return True
            except OSError:
                return process.poll() is not None
        self.wait_until(opens, "it opens the pipe")

    def traced(self, name, place, options):
        """Runs with strace at one of the three processes, or at all that the last of them starts; the code."""
        if place == 0:
            process = self.started(name, "strace", "-o", self.log, *options)
            self.open_pipe(process)
            process.communicate(timeout=SECONDS)
            return process.returncode
        process = self.started(name)
        self.victim = self.chain(process)[min(place, 2)]
        options = [*options, *(["-f"] if place == STARTED else []), "-p", str(self.victim)]
        with subprocess.Popen(["strace", "-o", self.log, *options], stderr=subprocess.PIPE) as tracer:
            said = tracer.stderr.readline()
            if b"attached" not in said:
                process.kill()
                process.communicate()
                self.skipTest(f"no process can be traced: {said.decode()}")
            self.open_pipe(process)
            process.communicate(timeout=SECONDS)
            tracer.communicate(timeout=SECONDS)
        return process.returncode

    def chosen(self, calls):
        return calls if FULL else self.random.sample(calls, min(SAMPLE, len(calls)))

    def inject(self, name, place, number, calls):
        for call in self.chosen(calls):
            before = [*self.files(), "report", "log"]
            code = self.traced(name, place, injecting(call, number))
            detail = f"{name}, process {place}, {signal.Signals(number).name} at {call}: {code}"
            # A compiler or a kernel that is ended is an error like others.
            self.assertIn(code, (0, -number, *((2, 3, 4, 5, 128 + number) if place == STARTED else ())), detail)
            self.counts[code] += 1
            self.assert_nothing_left(before, detail)
            report = self.folder / "report"
            self.assertTrue(not report.exists() or report.read_text().endswith("</testsuites>\n"), detail)

    def test_each_process(self):
        for name in self.scenarios:
            for place in range(4):
                self.traced(name, place, [])
                calls = calls_in(self.log, self.victim if place == STARTED else None)
                self.assertGreater(len(calls), 10)
                for number in (signal.SIGKILL, signal.SIGTERM):
                    with self.subTest(scenario=name, place=place, signal=number):
                        self.inject(name, place, number, calls)
            self.run_through(name)
        print(self.counts, file=sys.stderr)
        self.assertGreater(self.counts[-signal.SIGKILL], 0)
        self.assertGreater(self.counts[-signal.SIGTERM], 0)


if __name__ == "__main__":
    main()
