# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The instructions of a kernel, as LLVM's disassembler reads them. Refuses a disassembler that does not know the
architecture: it would show nonsense."""

import functools
import re
from dataclasses import dataclass

from . import llvm_tools
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
def _disassembly(path, where):
    """All instructions of a code object, by the first disassembler that knows every one of them."""
    def ask(program):
        done = llvm_tools.run(program, "-d", path)
        if "unknown directive" in done.stderr:
            raise ValueError(llvm_tools.complaint(done))
        found = list(parse(done.stdout))
        if not found or "<unknown>" in done.stdout:
            raise ValueError("it shows instructions that it does not know")
        return found

    return llvm_tools.first_answer("llvm-objdump", ask, where, TOOL_MISSING)


def located(code_object, kernel):
    """(address, instruction) of each of the kernel's instructions, in their order."""
    start, end = kernel.code.address, kernel.code.address + kernel.code.size
    found = [(address, instruction) for address, instruction in _disassembly(code_object.path, code_object.where)
             if start <= address < end]
    if not found:
        raise Problem(f"{code_object.where}: no instruction of {kernel.function} was found")
    return found


def instructions(code_object, kernel):
    """The same without their addresses."""
    return [instruction for _, instruction in located(code_object, kernel)]
