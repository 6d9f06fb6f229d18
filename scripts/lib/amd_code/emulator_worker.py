# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The process in which the emulator runs: python3 -m amd_code.emulator_worker CHECKOUT ISA.

Owns everything that can crash: it reads one launch per line from standard input (JSON), lays out memory and registers
as the hardware's command processor does (LLVM's AMDGPUUsage, "Initial Kernel Execution State"), runs the kernel, and
answers with one line. The emulator is tinygrad's test/mockgpu/amd/emu.py, in a checkout that the user has; nothing of
it is here. A request may also name a program, whose host code launches kernels on several GPUs (several_gpus.py)."""

import ctypes
import json
import mmap
import os
import pathlib
import struct
import sys

from .buffer import Buffer
from .code_object import code_objects
from .emulator_fixes import fix
from .problem import Problem
from .scheduler import Grid
from .several_gpus import Program

ARGUMENT_BYTES = 4096
# The kernel code properties' bits for what a kernel wants in its first scalar registers, in their order, and how many
# registers each takes.
SCALARS = (("private_segment_buffer", 4), ("dispatch_packet", 2), ("queue", 2), ("arguments", 2), ("dispatch_id", 2),
           ("flat_scratch", 2), ("private_segment_size", 1))


class Loaded:
    """A code object in memory, at whatever address: its code finds its data relative to itself."""

    def __init__(self, path):
        self.code_object = code_objects([pathlib.Path(path)], path)[0]
        if self.code_object.elf.needs_relocation():
            raise Problem(f"{path}: the code has addresses to be filled in, which is not done here")
        self.programs = {}  # the instructions that have run, by address
        segments = self.code_object.elf.segments
        size = max(segment.address + segment.memory_size for segment in segments)
        self.memory = mmap.mmap(-1, size + 2 * mmap.PAGESIZE)
        self.address = ctypes.addressof(ctypes.c_char.from_buffer(self.memory))
        for segment in segments:
            content = self.code_object.elf.data[segment.offset : segment.offset + segment.file_size]
            self.memory[segment.address : segment.address + segment.file_size] = content


def hidden_arguments(grid, block):
    """What the compiler may ask for behind a kernel's own arguments. All that is not here is zero."""
    dimensions = max([axis + 1 for axis in range(3) if grid[axis] * block[axis] > 1], default=1)
    values = {"hidden_grid_dims": struct.pack("<H", dimensions)}
    for axis, name in enumerate("xyz"):
        values[f"hidden_block_count_{name}"] = struct.pack("<I", grid[axis])
        values[f"hidden_group_size_{name}"] = struct.pack("<H", block[axis])
    return values, dimensions


def lay_out_arguments(kernel, given, hidden):
    """The kernel's argument block. `given(number, bytes)` is what an argument of its own holds."""
    arguments, number = bytearray(ARGUMENT_BYTES), 0
    for argument in kernel.arguments:
        if argument.kind.startswith("hidden_"):
            content = hidden.get(argument.kind, bytes(argument.size))
        else:
            content = given(number, argument.size)
            number += 1
        if len(content) != argument.size:
            raise Problem(f"an argument of {kernel.function} has {argument.size} bytes, and {len(content)} are given")
        arguments[argument.offset : argument.offset + argument.size] = content
    return ctypes.create_string_buffer(bytes(arguments), ARGUMENT_BYTES)


def scalar_registers(descriptor, addresses):
    registers = []
    for bit, (name, count) in enumerate(SCALARS):
        if descriptor.properties >> bit & 1:
            value = addresses.get(name, 0)
            registers += [value >> 32 * i & 0xFFFFFFFF for i in range(count)]
    return registers


def prepared(emulator, isa, loaded, launch, given):
    """A launch whose turns can be taken. `launch` is the kernel's name, the grid and the block."""
    name, grid, block = launch
    kernel = next(each for each in loaded.code_object.kernels if each.name == name)
    descriptor = loaded.code_object.descriptor(kernel)
    hidden, dimensions = hidden_arguments(grid, block)
    arguments = lay_out_arguments(kernel, given, hidden)
    packet = ctypes.create_string_buffer(struct.pack(
        "<HHHHHHIIIIIQQQQ", 0, dimensions, *block, 0, *(grid[i] * block[i] for i in range(3)),
        descriptor.scratch_bytes, descriptor.lds_bytes, 0, ctypes.addressof(arguments), 0, 0), 64)
    registers = scalar_registers(descriptor, {"dispatch_packet": ctypes.addressof(packet),
                                              "arguments": ctypes.addressof(arguments),
                                              "private_segment_size": descriptor.scratch_bytes})
    prepared_grid = Grid(emulator, isa, grid, block, loaded.programs)
    prepared_grid.prepare(loaded.address + descriptor.entry, descriptor, ctypes.addressof(arguments), registers,
                          (arguments, packet))
    return prepared_grid


def run(emulator, isa, loaded, request):
    given = [bytes.fromhex(each["bytes"]) for each in request["arguments"]]
    buffers = {i: Buffer(content) for i, content in enumerate(given) if request["arguments"][i]["kind"] == "buffer"}
    values = [struct.pack("<Q", buffers[i].address) if i in buffers else content for i, content in enumerate(given)]
    prepared(emulator, isa, loaded, (request["kernel"], request["grid"], request["block"]),
             lambda number, _: values[number]).run()
    return {"buffers": [buffer.content().hex() for buffer in buffers.values()],
            "trespassed": [buffer.is_trespassed() for buffer in buffers.values()]}


def run_program(emulator, isa, loaded, programs, request):
    path = request["program"]
    if path not in programs:
        programs[path] = Program(path, lambda *launch, given: prepared(emulator, isa, loaded, launch, given))
    return {"buffers": [programs[path].call(request).hex()], "trespassed": []}


def main():
    checkout, isa = sys.argv[1:]
    # The answers keep standard output to themselves; what the emulator prints goes elsewhere.
    answers = os.fdopen(os.dup(1), "w")
    os.dup2(2, 1)
    sys.path.insert(0, checkout)
    from test.mockgpu.amd import emu  # pylint: disable=import-outside-toplevel

    fix(emu, isa)

    def answer(reply):
        print(json.dumps(reply), file=answers, flush=True)

    answer({"ready": True})
    loaded, programs = {}, {}
    for line in sys.stdin:
        request = json.loads(line)
        try:
            if request["object"] not in loaded:
                loaded[request["object"]] = Loaded(request["object"])
            code = loaded[request["object"]]
            answer(run_program(emu, isa, code, programs, request) if "program" in request else
                   run(emu, isa, code, request))
        except Exception as error:  # pylint: disable=broad-exception-caught
            answer({"error": f"{type(error).__name__}: {error}"})


if __name__ == "__main__":
    main()
