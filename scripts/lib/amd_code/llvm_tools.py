# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""LLVM's tools that read code objects: finds them, those of hipcc's LLVM first, and asks the next where one can't read
a file. What they are given may be anything: they may refuse it, crash on it or not end."""

import functools
import os
import resource
import shutil
import signal
import subprocess
import tempfile

from .problem import BAD_INPUT, TOOL_MISSING, Problem

# In Debian 12.
PACKAGES = {"llvm-objdump": "llvm-15", "llvm-readobj": "llvm-15", "clang-offload-bundler": "clang-tools-15"}
VERSIONS = range(15, 30)
SECONDS = 300
# Lengths and counts that are wrong make them ask for any amount of memory, or print for ever.
LIMITS = {resource.RLIMIT_AS: 4 << 30, resource.RLIMIT_FSIZE: 1 << 30, resource.RLIMIT_CORE: 0}


@functools.cache
def _hipccs_folder():
    hipconfig = shutil.which("hipconfig")
    return hipconfig and subprocess.run([hipconfig, "--hipclangpath"], capture_output=True, text=True,
                                        check=False).stdout.strip()


@functools.cache
def programs(tool):
    """All programs of this tool that there are."""
    names = [tool, *(f"{tool}-{version}" for version in VERSIONS)]
    folders = [_hipccs_folder()] if _hipccs_folder() else []
    found = [shutil.which(name, path=folder) for folder in (*folders, None) for name in names]
    return list(dict.fromkeys(filter(None, found)))


def run(program, *arguments):
    """The finished process; a ValueError where it fails."""
    command = [program, *map(str, arguments)]
    # clang-offload-bundler looks for llvm-objcopy, which need not lie beside a link to it. Where a tool crashes, names
    # for its own functions take seconds to find and help nobody.
    path = f"{os.path.dirname(os.path.realpath(program))}:{os.environ.get('PATH', '')}"
    environment = {**os.environ, "PATH": path, "LLVM_DISABLE_SYMBOLIZATION": "1"}
    with (tempfile.TemporaryFile("w+", errors="replace") as output,
          tempfile.TemporaryFile("w+", errors="replace") as errors,
          subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=output, stderr=errors,
                           env=environment) as process):
        for limit, most in LIMITS.items():
            hard = resource.getrlimit(limit)[1]
            soft = most if hard == resource.RLIM_INFINITY else min(most, hard)
            resource.prlimit(process.pid, limit, (soft, hard))
        try:
            code = process.wait(SECONDS)
        except subprocess.TimeoutExpired:
            process.kill()
            raise ValueError(f"it does not end within {SECONDS} s") from None
        output.seek(0)
        errors.seek(0)
        done = subprocess.CompletedProcess(command, code, output.read(), errors.read())
    if code < 0:
        raise ValueError(f"it dies of {signal.Signals(-code).name}")
    if code != 0:
        raise ValueError(complaint(done) or f"it ends with {code}")
    return done


def complaint(done):
    """The first line on standard error."""
    return done.stderr.strip().partition("\n")[0].removeprefix(f"{done.args[0]}: ")


def first_answer(tool, ask, where, code=BAD_INPUT, hint=""):
    """What `ask` says of the first program that it raises no ValueError for; `where` names the file in errors."""
    told = None
    for program in programs(tool):
        try:
            return ask(program)
        except ValueError as error:
            told = f"{program}: {error}"
    if not told:
        raise Problem(f"{tool} is not installed. On Debian 12: sudo apt-get install {PACKAGES[tool]}", TOOL_MISSING)
    raise Problem(f"{where}: no {tool} that is installed can read it{hint}. The last one says: {told}", code)
