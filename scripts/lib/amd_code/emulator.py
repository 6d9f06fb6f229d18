# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs kernels in an emulator of AMD's instructions, in a process of its own, which may crash, hang or never start:
each is a Failure of the launch at hand, and the next launch finds a new process. Owns which architectures the emulator
can run at all."""

import json
import os
import pathlib
import selectors
import signal
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass
from typing import Optional

from .code_object import generation
from .problem import BAD_INPUT, TOOL_MISSING, Problem

LIBRARY = pathlib.Path(__file__).resolve().parents[1]
EMULATOR_FILE = "test/mockgpu/amd/emu.py"
START_SECONDS = 120
# gfx90a and its successors give a thread its numbers in one register, the others in three; the emulator does the first.
ONE_REGISTER = ("gfx90a", "gfx940", "gfx941", "gfx942", "gfx950")


class Failure(Exception):
    """A launch did not end as it should."""


@dataclass(frozen=True)
class Launch:
    """`arguments` are ("buffer", bytes) or ("scalar", bytes), in the kernel's order."""

    object_path: pathlib.Path
    kernel: str
    grid: tuple
    block: tuple
    arguments: tuple

    def as_json(self):
        return json.dumps({"object": str(self.object_path), "kernel": self.kernel, "grid": self.grid,
                           "block": self.block,
                           "arguments": [{"kind": kind, "bytes": content.hex()} for kind, content in self.arguments]})


@dataclass(frozen=True)
class Call:
    """Of an operation of a program (a shared library) whose kernels are in the code object, on GPUs of these numbers.
    `hurrying` is the GPU whose stream is ahead of the others', or None."""

    object_path: pathlib.Path
    program: pathlib.Path
    function: str
    gpus: tuple
    size: int  # elements
    content: bytes
    output_bytes: int
    hurrying: Optional[int] = None

    def as_json(self):
        return json.dumps({"object": str(self.object_path), "program": str(self.program), "function": self.function,
                           "gpus": self.gpus, "size": self.size, "input": self.content.hex(),
                           "output_bytes": self.output_bytes, "hurrying": self.hurrying})


def isa_of(architecture):
    """What the emulator calls this architecture's instructions."""
    if architecture in ONE_REGISTER:
        return "cdna"
    names = {11: "rdna3", 12: "rdna4"}
    if generation(architecture) not in names:
        raise Problem(f"the emulator can't run {architecture}: it knows {', '.join(ONE_REGISTER)}, gfx11 and gfx12")
    return names[generation(architecture)]


def check_checkout(directory):
    """The checkout's absolute path."""
    if not (directory / EMULATOR_FILE).is_file():
        raise Problem(f"{directory} is no checkout of tinygrad: it lacks {EMULATOR_FILE}", BAD_INPUT)
    return directory.resolve()


def commit_of(checkout):
    if not (checkout / ".git").exists():
        return "commit unknown: not a git checkout"
    done = subprocess.run(["git", "-C", checkout, "rev-parse", "--short=8", "HEAD"], capture_output=True, text=True,
                          check=False)
    return f"commit {done.stdout.strip()}" if done.returncode == 0 else "commit unknown"


class Emulator:
    def __init__(self, checkout, isa, timeout):
        self.checkout, self.isa, self.timeout = checkout, isa, timeout
        self.process = self.words = None
        self.unread = b""

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.stop()

    def stop(self):
        if self.process:
            self.process.kill()
            self.process.wait()
            self.process.stdin.close()
            self.process.stdout.close()
            self.words.close()
            self.process = None

    def _start(self):
        self.words, self.unread = tempfile.TemporaryFile(), b""
        environment = {name: value for name, value in os.environ.items() if name not in ("DEBUG", "PROFILE", "DEV")}
        environment |= {"PYTHONDONTWRITEBYTECODE": "1", "PYTHONPATH": str(LIBRARY)}
        self.process = subprocess.Popen(
            [sys.executable, "-m", "amd_code.emulator_worker", str(self.checkout), self.isa], env=environment,
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=self.words, cwd="/")
        try:
            self._answer(START_SECONDS)
        except Failure as failure:
            raise Problem(f"the emulator does not start: {failure}", TOOL_MISSING) from None

    def _last_words(self):
        self.words.seek(0)
        lines = self.words.read().decode(errors="replace").strip().splitlines()
        return f" ({lines[-1]})" if lines else ""

    def _end(self):
        """How the process ended, in words."""
        code, words = self.process.wait(), self._last_words()
        self.stop()
        return f"its process died of {signal.Signals(-code).name}" if code < 0 else f"it ended with {code}{words}"

    def _answer(self, seconds):
        deadline = time.monotonic() + seconds
        with selectors.DefaultSelector() as selector:
            selector.register(self.process.stdout, selectors.EVENT_READ)
            while b"\n" not in self.unread:
                if not selector.select(max(0, deadline - time.monotonic())):
                    self.stop()
                    raise Failure(f"no answer within {seconds:g} s; it was stopped")
                read = os.read(self.process.stdout.fileno(), 1 << 20)
                if not read:
                    raise Failure(self._end())
                self.unread += read
        line, self.unread = self.unread.split(b"\n", 1)
        return json.loads(line)

    def run(self, launch):
        """The buffers' contents afterwards, in the arguments' order."""
        if not self.process:
            self._start()
        try:
            self.process.stdin.write(launch.as_json().encode() + b"\n")
            self.process.stdin.flush()
        except BrokenPipeError:
            raise Failure(self._end()) from None
        answer = self._answer(self.timeout)
        if "error" in answer:
            raise Failure(answer["error"])
        if any(answer["trespassed"]):
            number = answer["trespassed"].index(True)
            raise Failure(f"the kernel wrote outside its buffer number {number + 1}")
        return [bytes.fromhex(each) for each in answer["buffers"]]
