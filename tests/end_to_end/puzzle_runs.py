# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs of warpz over puzzles, and the numbers that each of them works on.

The environment names the program, WARPZ_PROGRAM, and the folder of the modules built from problem.hip files and
tests/corpus/wrong_solutions, WARPZ_MODULES."""

import ctypes
import dataclasses
import json
import math
import os
import pathlib
import re
import subprocess
import sys
from typing import Optional

SOURCE = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(SOURCE / "tests/models"))

from adversarial import named
from model import complaints
from puzzles import PUZZLES
from splitmix import random_numbers

PROGRAM = os.environ["WARPZ_PROGRAM"]
MODULES = pathlib.Path(os.environ["WARPZ_MODULES"])
WARP_SIZES = (32, 64)
# Under a sanitizer a process takes ten times as long; what is computed right is shown without one.
SANITIZED = bool(os.environ.get("WARPZ_SANITIZED"))
SECONDS = 60  # nothing here takes so long; a hang should not outlast it


# What --backend auto says first, where it chose the CPU.
CHOSEN = re.compile(rb"\Arunning on cpu: CPU, (32|64) lanes \(.*\)\n(  not on .*\n)*")
# What a kernel of one's own that is right is told.
PASSED_HIDDEN = re.compile(rb"^(?:[a-z0-9-]+: )?right on \d+ inputs that you have not seen, .*\n", re.MULTILINE)


def warpz(*options, stdin="", lacking=()):
    """Runs the program to its end; its output as bytes, without the line that names the backend chosen.
    `lacking`: calls that the system shall lack."""
    done = subprocess.run([PROGRAM, *map(str, options)], input=stdin.encode(), capture_output=True, timeout=SECONDS,
                          check=False, preexec_fn=without(*lacking) if lacking else None)
    done.stderr = CHOSEN.sub(b"", done.stderr)
    return done


def some(items):
    """All, or under a sanitizer every fifth: a process takes ten times as long there, and the numbers are the same."""
    return items[::5] if SANITIZED else items


def few(items):
    """The same, of what is much alike: under a sanitizer every tenth."""
    return items[::10] if SANITIZED else items


def module(name):
    """The options that load a module instead of the built-in kernels."""
    return "--module", MODULES / f"{name}.so"


@dataclasses.dataclass(frozen=True)
class Data:
    """What kernels are run on: a description, the options for it, and the numbers, known without asking warpz."""

    title: str
    warp_size: int
    options: tuple = ()
    stdin: str = ""
    given: Optional[tuple] = None  # None: each puzzle's documented numbers
    size: Optional[int] = None  # of these, as many; None: the documented number
    pivot: Optional[float] = None

    def __str__(self):
        return f"{self.title}, {self.warp_size} lanes"

    def numbers(self, puzzle):
        if self.given is not None:
            return list(self.given)
        return puzzle.numbers(puzzle.size(self.warp_size) if self.size is None else self.size)

    def run(self, *options):
        return warpz("--warp-size", self.warp_size, *self.options, *options, stdin=self.stdin)

    def judged(self, *options):
        """The run as JSON, each output and expected list held against the models; and the exit code. Raises
        AssertionError where warpz and the models disagree about what is right."""
        done = self.run("--format", "json", "--full", *options)
        try:
            runs = json.loads(done.stdout)["runs"]
        except (ValueError, KeyError) as error:
            raise AssertionError(f"{self}: {error}\n{done.stdout[:500]}\n{done.stderr[:2000]}") from error
        for run in runs:
            assert run["warp_size"] == self.warp_size, f"{self}: {run['warp_size']} lanes"
            told = complaints(run, self.numbers(PUZZLES[run["puzzle"]]))
            assert not told, f"--{run['puzzle']}, {self}: {'; '.join(told)}"
        return runs, done


def documented(warp_size):
    return Data("the documented numbers", warp_size)


def random_data(seed, size, warp_size):
    return Data(f"--random {seed} --size {size}", warp_size, ("--random", seed, "--size", size),
                given=tuple(random_numbers(seed, size)))


def typed(title, numbers, warp_size, pivot=None):
    """Numbers given on standard input."""
    options = ("--input", "-") + (() if pivot is None else (f"--pivot={pivot!r}",))
    text = "\n".join("nan" if math.isnan(number) else repr(number) for number in numbers)
    return Data(title, warp_size, options, text, tuple(numbers), pivot)


def adversarial(name, warp_size):
    """The named input of tests/models/adversarial.py."""
    one = named(name, warp_size)
    return typed(name, one.numbers, warp_size, one.pivot)


def without(*calls):
    """For a process before it starts: as on a system that lacks these calls; seccomp in both of its forms."""
    library = ctypes.CDLL("libseccomp.so.2")
    library.seccomp_init.restype = ctypes.c_void_p

    class Condition(ctypes.Structure):
        _fields_ = [("argument", ctypes.c_uint), ("operator", ctypes.c_int), ("value", ctypes.c_uint64),
                    ("mask", ctypes.c_uint64)]

    set_seccomp = Condition(0, 4, 22, 0)  # equals PR_SET_SECCOMP

    def install():
        allow, lacks = 0x7FFF0000, 0x00050000 | 38  # ENOSYS
        rules = ctypes.c_void_p(library.seccomp_init(ctypes.c_uint32(allow)))
        for call in calls:
            number = library.seccomp_syscall_resolve_name(call.encode())
            assert library.seccomp_rule_add(rules, ctypes.c_uint32(lacks), number, 0) == 0
        if "seccomp" in calls:
            prctl = library.seccomp_syscall_resolve_name(b"prctl")
            assert library.seccomp_rule_add_array(rules, ctypes.c_uint32(lacks), prctl, 1, ctypes.byref(set_seccomp)) == 0
        assert library.seccomp_load(rules) == 0

    return install


def has_landlock():
    return ctypes.CDLL(None).syscall(444, None, 0, 1) > 0
