# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""One AMD code object: its architecture, and what it says of each of its kernels (LLVM's AMDGPUUsage, "Code Object
Metadata" and "Kernel Descriptor"). Refuses what it can't read, code objects before version 4 among it, which do not
name their architecture."""

import re
import struct
from dataclasses import dataclass

from . import elf, msgpack
from .problem import Problem

_METADATA_NOTE = 32
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
        mangled = re.match(r"_Z(\d+)(\w+)", self.name)
        return mangled[2][: int(mangled[1])] if mangled else self.name

    @property
    def arguments(self):
        return [Argument(argument[".offset"], argument[".size"], argument[".value_kind"])
                for argument in self.metadata.get(".args", [])]

    def count(self, field):
        """A number of the metadata; 0 where the compiler left it out, as it does with counts that it never has."""
        return self.metadata.get(field, 0)


class CodeObject:
    def __init__(self, data, where):
        try:
            self.elf = elf.Elf(data)
            if self.elf.machine != elf.MACHINE_AMDGPU:
                raise Problem(f"{where}: an ELF file, but not AMD code")
            metadata = next((msgpack.decode(note) for owner, kind, note in self.elf.notes()
                             if owner == "AMDGPU" and kind == _METADATA_NOTE), None)
            if not metadata or "amdhsa.target" not in metadata:
                raise Problem(f"{where}: a code object without metadata that names its architecture: it is not linked, "
                              "or older than version 4. Compile with -mcode-object-version=4 or newer.")
            self.symbols = self.elf.symbols()
            self.architecture = metadata["amdhsa.target"].partition(":")[0].rpartition("-")[2]
            self.kernels = [Kernel(kernel[".name"], kernel, self.symbols[kernel[".name"]])
                            for kernel in metadata.get("amdhsa.kernels", [])]
        except (elf.Malformed, msgpack.Malformed) as error:
            raise Problem(f"{where}: {error}") from None
        except KeyError as error:
            raise Problem(f"{where}: the code object lacks {error}") from None

    def descriptor(self, kernel):
        """The kernel's descriptor, out of the file."""
        address = self.symbols[kernel.metadata[".symbol"]].address
        for segment in self.elf.segments:
            if segment.address <= address and address + _DESCRIPTOR_BYTES <= segment.address + segment.file_size:
                at = address - segment.address + segment.offset
                lds, scratch, _, _, entry = struct.unpack_from("<IIIIq", self.elf.data, at)
                _, resources_1, resources_2, properties = struct.unpack_from("<IIIH", self.elf.data, at + 44)
                return Descriptor(lds, scratch, address + entry, resources_1, resources_2, properties)
        raise Problem(f"the descriptor of {kernel.function} is not in the code object")


def warp_size(architecture):
    """Lanes per wavefront, as HIP compiles for it: 64 up to gfx9, 32 since gfx10."""
    return 32 if generation(architecture) >= 10 else 64


def generation(architecture):
    """9 of gfx90a, 11 of gfx1100."""
    number = re.fullmatch(r"gfx(\d+)[0-9a-f]{2}", architecture)
    if not number:
        raise Problem(f"{architecture} is no AMD architecture; they are called gfx90a, gfx1100 and so on")
    return int(number[1])
