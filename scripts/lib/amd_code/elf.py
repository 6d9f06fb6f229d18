# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Reads 64-bit little-endian ELF files: sections, loaded segments, symbols and notes. Refuses other files, and files
whose tables point past their end."""

import struct
from dataclasses import dataclass

MAGIC = b"\x7fELF"
MACHINE_AMDGPU = 224

_LOAD = 1
_SYMBOL_TABLE, _RELOCATIONS_WITH_ADDEND, _NOTES, _NO_BITS, _RELOCATIONS, _DYNAMIC_SYMBOLS = 2, 4, 7, 8, 9, 11


class Malformed(ValueError):
    """This is no ELF file, or not a whole one."""


@dataclass(frozen=True)
class Section:
    name: str
    kind: int
    address: int
    offset: int
    size: int
    link: int
    entry_size: int


@dataclass(frozen=True)
class Segment:
    offset: int
    address: int
    file_size: int
    memory_size: int


@dataclass(frozen=True)
class Symbol:
    address: int
    size: int


class Elf:
    def __init__(self, data):
        self.data = bytes(data)
        if self.data[:4] != MAGIC:
            raise Malformed("no ELF file")
        if self.data[4:6] != b"\x02\x01":
            raise Malformed("an ELF file, but not a 64-bit little-endian one")
        self.machine = self._unpack("<H", 18)[0]
        segment_table, section_table = self._unpack("<QQ", 32)
        segment_size, segments, section_size, sections, names = self._unpack("<HHHHH", 54)
        self.segments = self._read_segments(segment_table, segment_size, segments)
        self.sections = self._read_sections(section_table, section_size, sections, names)

    def _unpack(self, layout, offset):
        try:
            return struct.unpack_from(layout, self.data, offset)
        except struct.error:
            raise Malformed(f"the file ends at {len(self.data)}, before something at {offset}") from None

    def _text(self, offset):
        end = self.data.find(b"\0", offset)
        if end < 0:
            raise Malformed(f"the name at {offset} does not end")
        return self.data[offset:end].decode(errors="replace")

    def _read_segments(self, table, size, count):
        found = []
        for i in range(count):
            kind, _, offset, address, _, file_size, memory_size, _ = self._unpack("<IIQQQQQQ", table + i * size)
            if kind == _LOAD:
                if offset + file_size > len(self.data) or file_size > memory_size:
                    raise Malformed("a segment is larger than the file")
                found.append(Segment(offset, address, file_size, memory_size))
        return found

    def _read_sections(self, table, size, count, names):
        rows = [self._unpack("<IIQQQQIIQQ", table + i * size) for i in range(count)]
        if rows and names >= len(rows):
            raise Malformed("the section of the sections' names is not there")
        return [Section(self._text(rows[names][4] + row[0]), row[1], row[3], row[4], row[5], row[6], row[9])
                for row in rows]

    def content(self, section):
        if section.kind == _NO_BITS:
            return bytes(section.size)
        content = self.data[section.offset : section.offset + section.size]
        if len(content) != section.size:
            raise Malformed(f"the section {section.name} is larger than the file")
        return content

    def section(self, name):
        """The section of this name, or None."""
        return next((section for section in self.sections if section.name == name), None)

    def symbols(self):
        """Name to symbol, of all symbols that have a name and are defined here."""
        found = {}
        for section in self.sections:
            if section.kind not in (_SYMBOL_TABLE, _DYNAMIC_SYMBOLS):
                continue
            if section.link >= len(self.sections):
                raise Malformed(f"the names of {section.name} are not there")
            names = self.sections[section.link].offset
            for offset in range(section.offset, section.offset + section.size, 24):
                name, _, _, index, address, size = self._unpack("<IBBHQQ", offset)
                if name and index:
                    found[self._text(names + name)] = Symbol(address, size)
        return found

    def notes(self):
        """(owner, type, description) of each note."""
        for section in self.sections:
            if section.kind != _NOTES:
                continue
            at, end = section.offset, section.offset + section.size
            while at + 12 <= end:
                name_size, size, kind = self._unpack("<III", at)
                name_at = at + 12
                at = name_at + (name_size + 3) // 4 * 4
                if at + size > min(end, len(self.data)):
                    raise Malformed("a note is larger than its section")
                yield self.data[name_at : name_at + name_size].rstrip(b"\0").decode(), kind, self.data[at : at + size]
                at += (size + 3) // 4 * 4

    def needs_relocation(self):
        return any(section.kind in (_RELOCATIONS, _RELOCATIONS_WITH_ADDEND) and section.size
                   for section in self.sections)
