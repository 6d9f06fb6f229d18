# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs of warpz in which one process is sent a signal at its n-th system call, by strace."""

import collections
import contextlib
import dataclasses
import os
import pathlib
import re
import shutil
import signal
import subprocess
import time
import unittest

from ended_support import EndedTest, children
from kernel_support import CLANG, KERNEL, PROGRAM, RUNTIME, SECONDS

CALL = re.compile(r"^(?:(\d+) +)?(\w+)\(")
PLACES = ("first supervisor", "second supervisor", "worker", "started by the worker")
STARTED = 3  # of these: compilers, and processes of kernels and programs
# What a compiler does most: these look, or change what is its own, so that being ended there leaves what being ended at
# the call before or after them does.
ONLY_LOOK = {"access", "brk", "faccessat2", "futex", "getcwd", "getdents64", "getrandom", "lseek", "mmap", "mprotect", "munmap",
             "newfstatat", "pread64", "read", "readlink", "rt_sigaction", "rt_sigprocmask"}
SECONDS_TO_END = 20  # for processes that are left, until they count

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

# Loaded into warpz: stops each process that is so many forks away from the first, before its own first call, so that
# strace can begin there.
STOPS = """\
#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <sys/prctl.h>
#include <unistd.h>
#include <cstdlib>
#include <cstring>
static int depth = 0, last = 0;
static void begin_child() {
  if (++depth != last) return;
  // A plain user, too, may trace it.
  prctl(PR_SET_DUMPABLE, 1);
  prctl(PR_SET_PTRACER, PR_SET_PTRACER_ANY);
  kill(getpid(), SIGSTOP);
}
__attribute__((constructor)) static void begin() {
  const char* const given = std::getenv("STOPS_AT");
  if (given == nullptr || std::strcmp(program_invocation_short_name, "warpz") != 0) return;
  last = std::atoi(given);
  pthread_atfork(nullptr, nullptr, begin_child);
}
"""


@dataclasses.dataclass(frozen=True)
class Point:
    scenario: str
    place: int  # in PLACES
    number: int  # which of the processes in this place, from 0
    call: str
    count: int  # how many times the process has called it then
    signal: signal.Signals

    def options(self):
        follow = ["-f"] if self.place == STARTED else []
        return [*follow, "-e", f"trace={self.call}", "-e",
                f"inject={self.call}:signal={self.signal.name}:when={self.count}"]

    def allows(self, code):
        # A compiler or a kernel that is ended is an error like others.
        return code in (0, -self.signal, *((2, 3, 4, 5, 128 + self.signal) if self.place == STARTED else ()))


@dataclasses.dataclass(frozen=True)
class Outcome:
    point: Point
    code: int = 0
    processes: int = 0  # that are left
    files: tuple = ()  # that are left
    wrong: str = ""  # anything else


def calls_in(log):
    """The system calls in strace's log: (name, how many times a process has called it until then). Of several processes
    that come to the same, the first is met."""
    counts = collections.Counter()
    found = {}
    for line in log.read_text(errors="replace").splitlines():
        if called := CALL.match(line):
            counts[called[1], called[2]] += 1
            found[called[2], counts[called[1], called[2]]] = True
    return list(found)


def is_stopped(process):
    with contextlib.suppress(OSError):
        return pathlib.Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[0] == "T"
    return False


class Bench(EndedTest):
    """A folder and a cache in which one run follows another."""

    def setUp(self):
        super().setUp()
        self.write(KERNEL)
        self.write(RUNTIME + "int main() {}\n", "p.hip")
        self.store = self.folder / "store"  # what is in it counts neither as left behind nor as new
        self.store.mkdir()
        self.write(STOPS, "store/stops.cpp")
        subprocess.run([CLANG, "-shared", "-fPIC", "stops.cpp", "-o", "stops.so"], cwd=self.store, check=True)
        replay = self.script(REPLAY.format(store=self.store, compiler=CLANG), "replay")
        kernel = ["--neighbor", "--kernel", "my.hip", "--documented-only", "--compiler"]
        program = ["--run", "p.hip", "--compiler"]
        self.scenarios = {"kernel": ([*kernel, replay], range(STARTED)),
                          "cached kernel": ([*kernel, replay], range(4)),
                          "program": ([*program, replay], range(STARTED)),
                          "cached program": ([*program, replay], range(4)),
                          "all": (["--all", "--quiet"], range(4))}
        for name, words in (("kernel", kernel), ("program", program)):
            self.scenarios[f"{name} by its compiler"] = [*words, CLANG], (STARTED,)
        for name in ("kernel", "program"):
            self.run_through(name)

    def started(self, name, *before, **variables):
        """The run, which compiles anew or finds what is cached."""
        (self.folder / "report").unlink(missing_ok=True)
        if not name.startswith("cached"):
            for each in self.entries():
                each.unlink()
        elif not self.entries():
            self.run_through(name.removeprefix("cached "))
        with open(self.store / "said", "wb") as said:
            return subprocess.Popen([*before, PROGRAM, *self.scenarios[name][0], "--junit", "report"], cwd=self.folder,
                                    env={**self.environment, **variables}, stdin=subprocess.DEVNULL, stdout=said,
                                    stderr=said)

    def run_through(self, name):
        code = self.started(name).wait(timeout=SECONDS)
        self.assertEqual(code, 0, (name, (self.store / "said").read_text(errors="replace")))

    def processes_at(self, place, process):
        """Those of warpz's processes, the first of which is given."""
        above = [process.pid]
        for _ in range(place - 1):
            above = children(above[0])
            if not above:
                return []
        return children(above[0])

    def traced(self, name, place, options_of):
        """The exit code of a run with strace at some of the processes in this place: those that there are options for."""
        if place == 0:
            return self.started(name, "strace", "-o", self.log(0), *options_of(0)).wait(timeout=SECONDS)
        process = self.started(name, LD_PRELOAD=str(self.store / "stops.so"), STOPS_AT=str(place))
        met, tracers = [], []

        def has_ended():
            for each in self.processes_at(place, process):
                if each in met or not is_stopped(each):
                    continue
                if (options := options_of(len(met))) is not None:
                    tracers.append(self.attach(each, self.log(len(met)), options))
                met.append(each)
                with contextlib.suppress(ProcessLookupError):
                    os.kill(each, signal.SIGCONT)
            return process.poll() is not None
        try:
            self.wait_until(has_ended, "the run does not end")
        finally:
            process.kill()
            process.wait()
            for each in tracers:
                each.communicate(timeout=SECONDS)
        return process.returncode

    def log(self, number):
        return self.store / f"log-{number}"

    def attach(self, process, log, options):
        tracer = subprocess.Popen(["strace", "-o", log, *options, "-p", str(process)], stderr=subprocess.PIPE)
        said = tracer.stderr.readline()
        if b"attached" not in said:
            tracer.kill()
            tracer.communicate()
            raise unittest.SkipTest(f"no process can be traced: {said.decode()}")
        return tracer

    def points(self, name, place):
        """All system calls that an undisturbed run has there, each with both signals; of compilers, those that leave
        something."""
        for each in self.store.glob("log-*"):
            each.unlink()
        code = self.traced(name, place, lambda number: ["-f"] if place == STARTED else [])
        self.assertEqual(code, 0, (name, PLACES[place], (self.store / "said").read_text(errors="replace")))
        return [Point(name, place, number, call, count, each)
                for number in range(len(list(self.store.glob("log-*")))) for call, count in calls_in(self.log(number))
                if " by " not in name or call not in ONLY_LOOK for each in (signal.SIGKILL, signal.SIGTERM)]

    def inject(self, point):
        before = {*self.files(), "report"}
        code, wrong = 0, ""
        try:
            code = self.traced(point.scenario, point.place,
                               lambda number: point.options() if number == point.number else None)
            report = self.folder / "report"
            if not point.allows(code):
                wrong = f"exit code {code}: {(self.store / 'said').read_text(errors='replace')}"
            elif report.exists() and not report.read_text().endswith("</testsuites>\n"):
                wrong = "half a report is left"
        except (AssertionError, subprocess.TimeoutExpired) as error:
            wrong = str(error)
        return Outcome(point, code, *self.left(before), wrong)

    def left(self, before):
        """How many processes are left, and which files; then they are gone."""
        end = time.monotonic() + SECONDS_TO_END
        while (processes := self.processes()) and time.monotonic() < end:
            time.sleep(0.005)
        files = tuple(each for each in self.files()
                      if each not in before and not each.endswith(".kernel") and not each.startswith("temporary/"))
        temporary = tuple(os.listdir(self.temporary))
        for each in processes:
            with contextlib.suppress(ProcessLookupError):
                os.kill(each, signal.SIGKILL)
        for each in files:
            (self.folder / each).unlink(missing_ok=True)
        for each in temporary:
            shutil.rmtree(self.temporary / each)
        return len(processes), (*files, *temporary)
