# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Finds the AMD code objects in a file: the file itself, a bundle of clang-offload-bundler (`hipcc --genco`), or the
bundles that hipcc puts into a program or library, one for each source file. Refuses compressed bundles."""

import struct
from dataclasses import dataclass

from . import elf
from .problem import Problem

MAGIC = b"__CLANG_OFFLOAD_BUNDLE__"
COMPRESSED_MAGIC = b"CCOB"
FAT_BINARY_SECTIONS = (".hip_fatbin", "__CLANG_OFFLOAD_BUNDLE__hip")


@dataclass(frozen=True)
class Entry:
    """One part of a bundle: what it is for ("hipv4-amdgcn-amd-amdhsa--gfx90a") and its bytes."""

    target: str
    data: bytes


def _refuse_compressed(data, at, where):
    if data.startswith(COMPRESSED_MAGIC, at):
        raise Problem(f"{where}: its code objects are compressed (CCOB), which this script can't read. "
                      "Compile with --no-offload-compress, or give it the output of "
                      "clang-offload-bundler --unbundle.")


def entries(data, at, where):
    """The parts of the bundle that starts at `at`, and where the last of them ends."""
    def unpack(layout, offset):
        try:
            return struct.unpack_from(layout, data, offset)
        except struct.error:
            raise Problem(f"{where}: the bundle's table of contents is cut off") from None

    count = unpack("<Q", at + len(MAGIC))[0]
    row, found, end = at + len(MAGIC) + 8, [], at
    for _ in range(count):
        offset, size, length = unpack("<QQQ", row)
        name, part = data[row + 24 : row + 24 + length], data[at + offset : at + offset + size]
        if len(name) != length or len(part) != size:
            raise Problem(f"{where}: the bundle is cut off")
        found.append(Entry(name.decode(errors="replace"), part))
        row, end = row + 24 + length, max(end, at + offset + size)
    return found, max(end, row)


def _all_bundles(data, where):
    at, found = 0, []
    while True:
        compressed, plain = data.find(COMPRESSED_MAGIC, at), data.find(MAGIC, at)
        if compressed >= 0 and (plain < 0 or compressed < plain):
            _refuse_compressed(data, compressed, where)
        if plain < 0:
            return found
        parts, at = entries(data, plain, where)
        found += parts


def code_objects(data, where):
    """The ELF files for AMD GPUs in `data`, as bytes; `where` names the file in errors."""
    _refuse_compressed(data, 0, where)
    if data.startswith(MAGIC):
        parts = _all_bundles(data, where)
    elif data.startswith(elf.MAGIC):
        try:
            file = elf.Elf(data)
            if file.machine == elf.MACHINE_AMDGPU:
                return [data]
            section = next((s for s in map(file.section, FAT_BINARY_SECTIONS) if s), None)
            parts = _all_bundles(file.content(section), where) if section else []
        except elf.Malformed as error:
            raise Problem(f"{where}: {error}") from None
    else:
        raise Problem(f"{where}: neither an ELF file nor a bundle of code objects")
    found = [part.data for part in parts if part.data and "amdgcn" in part.target]
    if not found:
        raise Problem(f"{where}: there is no AMD code in it")
    return found
