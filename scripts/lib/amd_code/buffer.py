# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Memory that kernels in the emulator work on. The emulator checks no address, so each buffer lies between guard zones,
and what a kernel writes there is told."""

import ctypes

GUARD_BYTES = 4096
GUARD = b"\xa5" * GUARD_BYTES
ALIGNMENT = 256  # as hipMalloc's


class Buffer:
    def __init__(self, content):
        self.size = len(content)
        self._memory = ctypes.create_string_buffer(self.size + 2 * GUARD_BYTES + ALIGNMENT)
        self.address = (ctypes.addressof(self._memory) + GUARD_BYTES + ALIGNMENT - 1) // ALIGNMENT * ALIGNMENT
        ctypes.memmove(self.address - GUARD_BYTES, GUARD + content + GUARD, self.size + 2 * GUARD_BYTES)

    def content(self):
        return ctypes.string_at(self.address, self.size)

    def is_trespassed(self):
        return (ctypes.string_at(self.address - GUARD_BYTES, GUARD_BYTES) != GUARD
                or ctypes.string_at(self.address + self.size, GUARD_BYTES) != GUARD)
