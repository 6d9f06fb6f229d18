# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The instructions of a kernel, as LLVM's disassembler reads them. Refuses a disassembler that does not know the
architecture: it would show nonsense."""

import functools
import os
import pathlib
import re
import shutil
import subprocess
from dataclasses import dataclass

from .problem import TOOL_MISSING, Problem

_LINE = re.compile(r"^\t(.*?)\s*// ([0-9A-F]+): ")
_ENCODING = re.compile(r"_(e32|e64|dpp|dpp8|sdwa|e64_dpp|e64_dpp8)$")


@dataclass(frozen=True)
class Instruction:
    """`name` is without the suffix for its encoding: v_add_f32 for v_add_f32_e32."""

    name: str
    operands: str
    is_long_dpp: bool = False  # a primitive in the long encoding, which GFX11 brought

    @property
    def is_dpp(self):
        return re.search(r"\b(quad_perm|row_\w+|wave_\w+|dpp8):", self.operands) is not None

    @property
    def is_scratch_buffer(self):
        """Goes through a buffer's descriptor, as compilers address spilled registers before GFX11."""
        return self.name.startswith("buffer_") and re.search(r"\boff, s\[", self.operands) is not None


def parse(text):
    """(address, instruction) of each instruction in llvm-objdump's output. Of two instructions in one (gfx11's
    v_dual_…) each counts, under the name it has alone."""
    for line in text.splitlines():
        found = _LINE.match(line)
        if not found:
            continue
        for part in found[1].split(" :: "):
            name, _, operands = part.strip().partition(" ")
            yield int(found[2], 16), Instruction(_ENCODING.sub("", name).replace("v_dual_", "v_", 1), operands,
                                                name.endswith("_e64_dpp"))


@functools.cache
def disassemblers():
    """The disassemblers there are, those of hipcc's LLVM first."""
    folders = []
    hipconfig = shutil.which("hipconfig")
    if hipconfig:
        folders.append(pathlib.Path(subprocess.run([hipconfig, "--hipclangpath"], capture_output=True, text=True,
                                                   check=False).stdout.strip()))
    names = ["llvm-objdump", *(f"llvm-objdump-{version}" for version in range(15, 30))]
    found = [folder / name for folder in folders for name in names if os.access(folder / name, os.X_OK)]
    found += [pathlib.Path(path) for path in map(shutil.which, names) if path]
    found = list(dict.fromkeys(found))
    if not found:
        raise Problem("llvm-objdump is not installed. On Debian 12: sudo apt-get install llvm-15", TOOL_MISSING)
    return found


@functools.cache
def _disassembly(path):
    """All instructions of a code object's file, by the first disassembler that knows every one of them."""
    told = ""
    for program in disassemblers():
        done = subprocess.run([program, "-d", path], capture_output=True, text=True, errors="replace", check=False)
        if done.returncode == 0 and "<unknown>" not in done.stdout and "unknown directive" not in done.stderr:
            found = list(parse(done.stdout))
            if found:
                return found
        told = f"{program}: {(done.stderr or 'it shows instructions that it does not know').strip()}"
    raise Problem(f"no llvm-objdump that is installed can read {path}. The last one says: {told}", TOOL_MISSING)


def located(path, kernel):
    """(address, instruction) of each of the kernel's instructions, in their order, from the code object in this file."""
    start, end = kernel.code.address, kernel.code.address + kernel.code.size
    found = [(address, instruction) for address, instruction in _disassembly(str(path)) if start <= address < end]
    if not found:
        raise Problem(f"{path}: no instruction of {kernel.function} was found")
    return found


def instructions(path, kernel):
    """The same without their addresses."""
    return [instruction for _, instruction in located(path, kernel)]
