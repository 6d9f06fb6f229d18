# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""ELF files, as llvm-readobj reads them: sections, loaded segments, symbols, and the metadata of AMD's code objects."""

import functools
import json
from dataclasses import dataclass

from . import llvm_tools
from .problem import Problem

SECTIONS = ("--sections",)
EVERYTHING = ("--sections", "--program-headers", "--symbols", "--dyn-symbols", "--notes")


@dataclass(frozen=True)
class Section:
    name: str
    kind: str
    offset: int
    size: int


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


def _members(pairs):
    """A JSON object. LLVM 15 calls each of a section's notes "Note"; newer versions have a list of them, "Notes"."""
    notes = [value for name, value in pairs if name == "Note"]
    return {**dict(pairs), "Notes": notes} if notes else dict(pairs)


def _name(value):
    """Of what has a name and a number, which are "Value" and "RawValue" in LLVM 15, "Name" and "Value" in newer ones. A
    number that has no name stands alone."""
    return value.get("Name", value["Value"]) if isinstance(value, dict) else str(value)


class Elf:
    """`shown` is llvm-readobj's JSON of the file, with EVERYTHING or SECTIONS; `where` names it in errors."""

    def __init__(self, path, where, shown):
        self.path = path
        self.is_amd = shown["FileSummary"]["Format"] == "elf64-amdgpu"
        self.sections = [Section(_name(each["Name"]), _name(each["Type"]), each["Offset"], each["Size"])
                         for each in (row["Section"] for row in shown.get("Sections", []))]
        self.segments = [Segment(each["Offset"], each["VirtualAddress"], each["FileSize"], each["MemSize"])
                         for each in (row["ProgramHeader"] for row in shown.get("ProgramHeaders", []))
                         if _name(each["Type"]) == "PT_LOAD"]
        symbols = (row["Symbol"] for table in ("Symbols", "DynamicSymbols") for row in shown.get(table, []))
        self.symbols = {_name(each["Name"]): Symbol(each["Value"], each["Size"]) for each in symbols
                        if _name(each["Section"]) != "Undefined"}
        notes = (note for row in shown.get("NoteSections", shown.get("Notes", []))
                 for note in row["NoteSection"].get("Notes", []))
        self.metadata = next((note["AMDGPU Metadata"] for note in notes if "AMDGPU Metadata" in note), None)
        size = path.stat().st_size
        if any(each.kind != "SHT_NOBITS" and each.offset + each.size > size for each in self.sections):
            raise Problem(f"{where}: a section is larger than the file")
        if any(each.offset + each.file_size > size or each.file_size > each.memory_size for each in self.segments):
            raise Problem(f"{where}: a segment is larger than the file")

    @functools.cached_property
    def data(self):
        return self.path.read_bytes()

    def content(self, section):
        is_there = section.kind != "SHT_NOBITS"
        return self.data[section.offset : section.offset + section.size] if is_there else b""

    def needs_relocation(self):
        return any(section.kind in ("SHT_REL", "SHT_RELA") and section.size for section in self.sections)


def read(paths, where, parts):
    """An Elf for each of these files, with the parts that `parts` lists."""
    def ask(program):
        done = llvm_tools.run(program, "--elf-output-style=JSON", *parts, *paths)
        # Of a program only the sections are read: what it says of the rest does not matter.
        if done.stderr and parts != SECTIONS:
            raise ValueError(llvm_tools.complaint(done))
        files = json.loads(done.stdout, object_pairs_hook=_members)
        if len(files) != len(paths):
            raise ValueError(f"it shows {len(files)} files instead of {len(paths)}")
        # LLVM 15 has each file's JSON within an object, under its name.
        return [file if "FileSummary" in file else next(iter(file.values())) for file in files]

    return [Elf(path, where, shown) for path, shown in zip(paths, llvm_tools.first_answer("llvm-readobj", ask, where))]
