# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""One AMD code object: its architecture, and what it says of each of its kernels (LLVM's AMDGPUUsage, "Code Object
Metadata" and "Kernel Descriptor"). Refuses what it can't read, code objects before version 4 among it, which do not
name their architecture."""

import re
import struct
import sys
from dataclasses import dataclass

from . import elf
from .problem import TOOL_MISSING, Problem

_DESCRIPTOR_BYTES = 64


@dataclass(frozen=True)
class Argument:
    offset: int
    size: int
    kind: str  # "global_buffer", "by_value", or one that starts with "hidden_" and that the launch fills in


@dataclass(frozen=True)
class Descriptor:
    """What the hardware is told to start a kernel with."""

    lds_bytes: int
    scratch_bytes: int
    entry: int  # the address of the first instruction
    resources_1: int
    resources_2: int
    properties: int

    @property
    def keeps_denormals(self):
        """Whether 32-bit float operations keep denormal operands and results."""
        return self.resources_1 >> 16 & 3 == 3


@dataclass(frozen=True)
class Kernel:
    name: str  # as linked: of a C++ function, mangled
    metadata: dict
    code: elf.Symbol

    @property
    def function(self):
        """The name it has in the source, for functions that belong to no namespace or class."""
        mangled = re.match(r"_Z(\d{1,9})(\w+)", self.name)
        return mangled[2][: int(mangled[1])] if mangled else self.name

    @property
    def arguments(self):
        return [Argument(int(argument[".offset"]), int(argument[".size"]), argument[".value_kind"])
                for argument in self.metadata.get(".args", [])]

    def count(self, field):
        """A number of the metadata, or whether something is so; 0 where the compiler left it out, as it does with
        counts that it never has."""
        text = self.metadata.get(field, "0")
        try:
            return ("false", "true").index(text) if text in ("false", "true") else int(text)
        except (TypeError, ValueError):
            raise Problem(f"the metadata of {self.function} has no number for {field}") from None


def _parsed(text):
    """The metadata of its YAML, which has a line before it where llvm-readobj knows less than the compiler. Scalars
    stay text: YAML takes a kernel called "on" for a truth."""
    try:
        import yaml  # pylint: disable=import-outside-toplevel
    except ImportError:
        raise Problem(f"PyYAML is not installed for {sys.executable}: pip install pyyaml; for Debian's and Ubuntu's "
                      "own Python, sudo apt-get install python3-yaml", TOOL_MISSING) from None
    if re.search(r"^[- ]{99}", text, re.MULTILINE):
        return None  # nested so deeply as no compiler does; libyaml would run out of stack
    try:
        return yaml.load(text[text.find("---"):], getattr(yaml, "CBaseLoader", yaml.BaseLoader))
    except (yaml.YAMLError, RecursionError):
        return None


class CodeObject:
    def __init__(self, file, where):
        if not file.is_amd:
            raise Problem(f"{where}: an ELF file, but not AMD code")
        metadata = _parsed(file.metadata) if file.metadata else None
        if not isinstance(metadata, dict) or "amdhsa.target" not in metadata:
            raise Problem(f"{where}: a code object without metadata that names its architecture: it is not linked, or "
                          "older than version 4. Compile with -mcode-object-version=4 or newer.")
        self.elf, self.path, self.where = file, file.path, where
        try:
            self.architecture = metadata["amdhsa.target"].partition(":")[0].rpartition("-")[2]
            self.kernels = [Kernel(kernel[".name"], kernel, file.symbols[kernel[".name"]])
                            for kernel in metadata.get("amdhsa.kernels", [])]
        except KeyError as error:
            raise Problem(f"{where}: the code object lacks {error}") from None
        except (AttributeError, TypeError):
            raise Problem(f"{where}: the code object's metadata is not what a compiler writes") from None

    def descriptor(self, kernel):
        """The kernel's descriptor, out of the file."""
        address = self.elf.symbols[kernel.metadata[".symbol"]].address
        for segment in self.elf.segments:
            if segment.address <= address and address + _DESCRIPTOR_BYTES <= segment.address + segment.file_size:
                at = address - segment.address + segment.offset
                lds, scratch, _, _, entry = struct.unpack_from("<IIIIq", self.elf.data, at)
                _, resources_1, resources_2, properties = struct.unpack_from("<IIIH", self.elf.data, at + 44)
                return Descriptor(lds, scratch, address + entry, resources_1, resources_2, properties)
        raise Problem(f"the descriptor of {kernel.function} is not in the code object")


def code_objects(paths, where):
    """Of these files; `where` names what they come from in errors."""
    return [CodeObject(file, where) for file in elf.read(paths, where, elf.EVERYTHING)]


def warp_size(architecture):
    """Lanes per wavefront, as HIP compiles for it: 64 up to gfx9, 32 since gfx10."""
    return 32 if generation(architecture) >= 10 else 64


def generation(architecture):
    """9 of gfx90a, 11 of gfx1100."""
    number = re.fullmatch(r"gfx(\d+)[0-9a-f]{2}", architecture)
    if not number:
        raise Problem(f"{architecture} is no AMD architecture; they are called gfx90a, gfx1100 and so on")
    return int(number[1])
