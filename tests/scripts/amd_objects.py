# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Hand-made code objects and bundles for tests of the AMD scripts: no compiler is needed for them."""

import pathlib
import struct
import subprocess
import sys

import amd_readers  # noqa: F401  (puts scripts/lib on the path)

SOURCE = pathlib.Path(__file__).resolve().parents[2]
SCRIPTS = SOURCE / "scripts"
AMD, X86_64 = 224, 62  # machines
SYMBOLS, NOTES = 2, 7  # types of sections


def packed(value):
    """MessagePack, in its shortest forms."""
    if value is None or isinstance(value, bool):
        return bytes([{None: 0xC0, False: 0xC2, True: 0xC3}[value]])
    if isinstance(value, int):
        if 0 <= value < 128:
            return bytes([value])
        return b"\xcd" + struct.pack(">H", value) if value < 65536 else b"\xce" + struct.pack(">I", value)
    if isinstance(value, str):
        text = value.encode()
        return (bytes([0xA0 | len(text)]) if len(text) < 32 else b"\xd9" + bytes([len(text)])) + text
    if isinstance(value, list):
        return bytes([0x90 | len(value)]) + b"".join(map(packed, value))
    return b"\xde" + struct.pack(">H", len(value)) + b"".join(packed(k) + packed(v) for k, v in value.items())


def metadata(kernel="f", target="amdgcn-amd-amdhsa--gfx90a", **fields):
    return {"amdhsa.version": [1, 1], "amdhsa.target": target, "amdhsa.kernels": [{
        ".name": kernel, ".symbol": f"{kernel}.kd", ".wavefront_size": 64, ".group_segment_fixed_size": 0,
        ".private_segment_fixed_size": 0, ".kernarg_segment_size": 32, ".kernarg_segment_align": 8,
        ".max_flat_workgroup_size": 1024, ".vgpr_count": 4, ".sgpr_count": 8, ".args": [],
        **{f".{name}": value for name, value in fields.items()}}]}


def elf(sections, *, machine=AMD, segments=()):
    """An ELF file of these sections: (name, type, link, content)."""
    names, body, rows, place = b"\0", b"", [(0, 0, 0, 0, 0)], {}
    sections = [*sections, (".shstrtab", 3, 0, None)]
    for name, kind, link, content in sections:
        place[name] = len(names)
        names += name.encode() + b"\0"
    for name, kind, link, content in sections:
        content = names if content is None else content
        body += bytes(-len(body) % 8)
        rows.append((place[name], kind, link, 64 + len(body), len(content)))
        body += content
    body += bytes(-len(body) % 8)
    table = 64 + len(body)
    abi, flags = (b"\x40\x02", 0x3F) if machine == AMD else (bytes(2), 0)  # HSA's code objects, version 4; gfx90a
    header = b"\x7fELF\x02\x01\x01" + abi + bytes(7) + struct.pack(
        "<HHIQQQIHHHHHH", 3, machine, 1, 0, table + 64 * len(rows) if segments else 0, table, flags, 64, 56,
        len(segments), 64, len(rows), len(rows) - 1)
    for name, kind, link, offset, size in rows:
        # Of symbols the first is local, and each has 24 bytes; notes are aligned to 4 bytes.
        local, alignment, entry = {SYMBOLS: (1, 8, 24), NOTES: (0, 4, 0)}.get(kind, (0, 8, 0))
        body += struct.pack("<IIQQQQIIQQ", name, kind, 0, 0, offset, size, link, local, alignment, entry)
    return header + body + b"".join(struct.pack("<IIQQQQQQ", 1, 5, *segment, 4096) for segment in segments)


def note(description, owner=b"AMDGPU\0\0", kind=32):
    return struct.pack("<III", 7, len(description), kind) + owner + description + bytes(-len(description) % 4)


def code_object(kernel="f", code_size=16, **fields):
    """A code object with one kernel at address 0x1000, whose code is `code_size` bytes long."""
    names = f"\0{kernel}\0{kernel}.kd\0".encode()
    symbols = bytes(24) + struct.pack("<IBBHQQ", 1, 0x12, 0, 1, 0x1000, code_size) + struct.pack(
        "<IBBHQQ", 2 + len(kernel), 0x11, 0, 1, 0x40, 64)
    return elf([(".note", NOTES, 0, note(packed(metadata(kernel, **fields)))), (".symtab", SYMBOLS, 3, symbols),
                (".strtab", 3, 0, names)])


def bundle(*entries):
    """A bundle of (target, content), the way clang-offload-bundler lays it out."""
    size = 32 + sum(24 + len(target) for target, _ in entries)
    table, body = b"", b""
    for target, content in entries:
        table += struct.pack("<QQQ", size + len(body), len(content), len(target)) + target.encode()
        body += content
    return b"__CLANG_OFFLOAD_BUNDLE__" + struct.pack("<Q", len(entries)) + table + body


def run_script(name, *arguments, **environment):
    return subprocess.run([sys.executable, "-B", SCRIPTS / name, *map(str, arguments)], capture_output=True, text=True,
                          timeout=800, check=False, env=environment or None)
