# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Decodes MessagePack, the format of a code object's metadata (msgpack/spec.md). Refuses bytes that end early, bytes
left over, and extension types, which that metadata never has."""

import struct

_NUMBERS = {0xCA: ">f", 0xCB: ">d", 0xCC: ">B", 0xCD: ">H", 0xCE: ">I", 0xCF: ">Q",
            0xD0: ">b", 0xD1: ">h", 0xD2: ">i", 0xD3: ">q"}
_CONSTANTS = {0xC0: None, 0xC2: False, 0xC3: True}
_BYTES = {0xC4: ">B", 0xC5: ">H", 0xC6: ">I"}
_TEXTS = {0xD9: ">B", 0xDA: ">H", 0xDB: ">I"}
_ARRAYS = {0xDC: ">H", 0xDD: ">I"}
_MAPS = {0xDE: ">H", 0xDF: ">I"}


class Malformed(ValueError):
    """These bytes are no MessagePack."""


class _Reader:
    def __init__(self, data):
        self.data, self.at = data, 0

    def take(self, count):
        taken = self.data[self.at : self.at + count]
        if len(taken) != count:
            raise Malformed(f"the bytes end within a value, at {len(self.data)}")
        self.at += count
        return taken

    def number(self, layout):
        return struct.unpack(layout, self.take(struct.calcsize(layout)))[0]

    def text(self, length):
        try:
            return self.take(length).decode()
        except UnicodeDecodeError:
            raise Malformed(f"the text that ends at {self.at} is not UTF-8") from None

    def array(self, length):
        return [self.value() for _ in range(length)]

    def map(self, length):
        result = {}
        for _ in range(length):
            key = self.value()
            if isinstance(key, (list, dict)):
                raise Malformed(f"the key of a map at {self.at} is itself a list or a map")
            result[key] = self.value()
        return result

    def value(self):
        kind = self.take(1)[0]
        if kind < 0x80:
            return kind
        if kind < 0x90:
            return self.map(kind & 0x0F)
        if kind < 0xA0:
            return self.array(kind & 0x0F)
        if kind < 0xC0:
            return self.text(kind & 0x1F)
        if kind >= 0xE0:
            return kind - 0x100
        if kind in _CONSTANTS:
            return _CONSTANTS[kind]
        if kind in _NUMBERS:
            return self.number(_NUMBERS[kind])
        for lengths, read in ((_BYTES, self.take), (_TEXTS, self.text), (_ARRAYS, self.array), (_MAPS, self.map)):
            if kind in lengths:
                return read(self.number(lengths[kind]))
        raise Malformed(f"type {kind:#04x} at {self.at - 1} is an extension, or unused")


def decode(data):
    """The one value that `data` consists of."""
    reader = _Reader(bytes(data))
    value = reader.value()
    if reader.at != len(reader.data):
        raise Malformed(f"{len(reader.data) - reader.at} bytes are left after the value")
    return value
