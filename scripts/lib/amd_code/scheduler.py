# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs the wavefronts of a grid in turns, with the emulator's own instructions: which wavefront goes on when, barriers,
and several workgroups at once, each with its own LDS. The emulator's own loop lets a wavefront run until its next
barrier and a workgroup until its end, so that one which waits for another in memory waits forever, and a barrier that
is missing is not missed.

Owns no instruction but those that do nothing on a machine without caches, and the barriers; own_instructions.py has those
that the emulator lacks. What a wavefront reads of
LDS before anybody has written it is no zero here, as it is none in hardware."""

import contextlib
import ctypes
import itertools
import random
import struct

from .own_instructions import FIRST_VECTOR, add_with_carry, chosen_move, multiply_add, own_instruction
from .problem import Problem

# Turns of so many instructions, in an order that is the same in every run.
LONGEST_TURN = 40
SEED = 0x3A
# As many workgroups are there at once; those behind them start in their order, when one has ended.
WORKGROUPS = 32
UNWRITTEN_LDS = 0xC5
# Caches, waiting for memory, hints: nothing to do where each instruction is finished before the next one starts.
WITHOUT_EFFECT = ("GLOBAL_INV", "GLOBAL_WB", "GLOBAL_WBINV", "S_DCACHE_INV",
                  "S_DCACHE_WB", "S_GL1_INV", "S_ICACHE_INV", "S_WAITCNT_DEPCTR", "S_WAITCNT_VSCNT",
                  "S_WAITCNT_VMCNT", "S_WAITCNT_LGKMCNT", "S_WAITCNT_EXPCNT", "S_SETPRIO", "S_WAKEUP",
                  "S_CLAUSE", "S_DELAY_ALU")
YIELDS = "S_SLEEP"
# Those of the format MUBUF, which the emulator's decoder does not know for all of them: buffer_wbl2, buffer_inv (and
# buffer_invl2), buffer_wbinvl1 and buffer_wbinvl1_vol; buffer_gl0_inv and buffer_gl1_inv.
CACHE_CONTROL = {"cdna": (0x7F, (0x28, 0x29, 0x3E, 0x3F)), "rdna3": (0xFF, (0x2B, 0x2C))}
ARRIVES = ("S_BARRIER", "S_BARRIER_SIGNAL")
WAITS = ("S_BARRIER", "S_BARRIER_WAIT")


def is_cache_control(word, isa):
    mask, operations = CACHE_CONTROL.get(isa, (0, ()))
    return word >> 26 == 0b111000 and word >> 18 & mask in operations


def addresses_of(decoded, name):
    """The vector registers of an access's addresses, where the emulator reads those of lanes outside EXEC as well: in
    LDS, and in atomics. None for all others."""
    if type(decoded).__name__ == "DS" and "PERMUTE" not in name and "SWIZZLE" not in name:
        return range(decoded.addr.offset - FIRST_VECTOR, decoded.addr.offset - FIRST_VECTOR + 1)
    if "ATOMIC" in name:
        register = (decoded.vaddr if hasattr(decoded, "vaddr") else decoded.addr).offset - FIRST_VECTOR
        return range(register, register + 2)
    return None


class Instruction:
    """One that has been decoded and compiled: `run(registers and memories)`; or `own(wave)`, where the emulator lacks
    it; or, where both are None, only its length."""

    def __init__(self, emulator, address, isa):
        self.bytes, self.buffers, self.run, self.own = 8, (), None, None
        self.arrives = self.waits = self.yields = False
        self.addresses = self.chosen_move = None
        self.is_vector = False
        if is_cache_control(ctypes.c_uint32.from_address(address).value, isa):
            return
        words = struct.unpack("<3I", ctypes.string_at(address, 12))
        self.bytes, self.own = multiply_add(words[:2]) if isa == "cdna" else (12, add_with_carry(words))
        if self.own:
            self.is_vector = True
            return
        decoded = emulator.decode_inst(ctypes.string_at(address, 16), isa)
        name = decoded.op.name if hasattr(decoded, "op") else ""
        self.bytes, self.arrives, self.waits = decoded.size(), name in ARRIVES, name in WAITS
        self.yields, self.is_vector = name == YIELDS, name.startswith("V_")
        self.own, self.chosen_move = own_instruction(decoded, name, isa), chosen_move(decoded, name)
        if not (self.own or self.arrives or self.waits or self.yields or name in WITHOUT_EFFECT):
            (program, runtime), _ = emulator._decode_at(address, isa)
            self.run, self.buffers = runtime.fxn, tuple(program.arg.globals)
            self.addresses = addresses_of(decoded, name)


class Wave:
    """A wavefront: its registers, and how often it has come to a barrier."""

    def __init__(self, state, memories, exec_register, scratch=None, scratch_words=0):
        """`scratch` has the words of all lanes, so many for each."""
        self.scratch, self.scratch_words = scratch, scratch_words
        self.exec_register = exec_register
        self.state, self.arrivals, self.is_waiting = state, 0, False
        self.chosen = 0, 0  # registers by a number: own_instructions.py
        self.memories = [ctypes.c_uint64(address) for address in (
            state.sgpr_buf._buf.va_addr, state.vgpr_buf._buf.va_addr, *memories, state.accvgpr_buf._buf.va_addr)]

    def active_lanes(self):
        active = self.state._read_sgpr(self.exec_register) | self.state._read_sgpr(self.exec_register + 1) << 32
        return [lane for lane in range(self.state.wave_size) if active >> lane & 1]

    def _run_own(self, own, instruction, address):
        if not own:
            raise Problem("only moves choose their registers by a number here")
        if not own(self):
            self.state.pc = address + instruction.bytes

    def _access(self, instruction, address):
        """Runs an access to memory with the address of a lane of EXEC in those that are not in it. What they hold may be
        no address at all; the emulator reads there, and writes back what it has read."""
        state, lanes = self.state, self.state.wave_size
        active = state._read_sgpr(self.exec_register) | state._read_sgpr(self.exec_register + 1) << 32
        active &= (1 << lanes) - 1
        if not active:
            state.pc = address + instruction.bytes
            return
        one = active.bit_length() - 1
        others = [lane for lane in range(lanes) if not active >> lane & 1]
        saved = [(register, lane, state._read_vgpr(register, lane))
                 for register in instruction.addresses for lane in others]
        for register, lane, _ in saved:
            state._write_vgpr(register, lane, state._read_vgpr(register, one))
        instruction.run(*[self.memories[number] for number in instruction.buffers])
        for register, lane, value in saved:
            state._write_vgpr(register, lane, value)

    def take_turn(self, instruction_at, end, count):
        """Runs so many instructions, or until it waits or ends. Whether it has ended."""
        for _ in range(count):
            address = self.state.pc
            if address == end:
                return True
            instruction = instruction_at(address)
            if self.chosen[0] and instruction.is_vector:
                self._run_own(instruction.chosen_move, instruction, address)
            elif instruction.own:
                self._run_own(instruction.own, instruction, address)
            elif instruction.addresses:
                self._access(instruction, address)
            elif instruction.run:
                instruction.run(*[self.memories[number] for number in instruction.buffers])
            else:
                self.state.pc = address + instruction.bytes
                self.arrivals += instruction.arrives
                if instruction.waits or instruction.yields:
                    self.is_waiting = instruction.waits
                    break
        return False


class Workgroup:
    def __init__(self, waves, memories):
        self.waves, self._memories = waves, memories

    def release(self):
        """Lets those go on that wait for a barrier to which all that are left have come."""
        reached = min((wave.arrivals for wave in self.waves), default=0)
        for wave in self.waves:
            wave.is_waiting = wave.is_waiting and wave.arrivals > reached


class Grid:
    """One launch: prepare it, and take turns until there are no more, or run it."""

    def __init__(self, emulator, isa, grid, block, programs):
        self.emulator, self.isa, self.block, self.programs = emulator, isa, tuple(block), programs
        self.places = itertools.product(*(range(count) for count in reversed(grid)))

    def _instruction(self, address):
        if address not in self.programs:
            self.programs[address] = Instruction(self.emulator, address, self.isa)
        return self.programs[address]

    def _workgroup(self, place):
        lanes, descriptor = self.emulator._wave_size(self.isa), self.descriptor
        threads = self.block[0] * self.block[1] * self.block[2]
        lds = ctypes.create_string_buffer(bytes([UNWRITTEN_LDS]) * max(descriptor.lds_bytes, 4))
        scratch_words = (descriptor.scratch_bytes + 3) // 4
        scratch = [(ctypes.c_uint32 * max(scratch_words * lanes, 1))() for _ in range(0, threads, lanes)]
        z, y, x = place
        waves = []
        for number, first in enumerate(range(0, threads, lanes)):
            state = self.emulator._init_wave(self.entry, first, threads, *self.block, self.arguments,
                                             descriptor.resources_2, descriptor.scratch_bytes, self.isa, x, y, z,
                                             self.registers, lanes)
            # The emulator's order: all memory, LDS, scratch memory.
            waves.append(Wave(state, (0, ctypes.addressof(lds), ctypes.addressof(scratch[number])),
                              self.emulator.EXEC_LO.offset, scratch[number], scratch_words))
        return Workgroup(waves, (lds, scratch))

    def _start(self, count):
        self.here += [self._workgroup(place) for place in itertools.islice(self.places, count)]

    def prepare(self, entry, descriptor, arguments, registers, kept=None):
        """`arguments` is the address of the kernel's; `registers` are the first scalar ones; what is `kept` lives as
        long as this."""
        self.entry, self.descriptor, self.arguments, self.registers = entry, descriptor, arguments, registers
        self.kept, self.here = kept, []

    def flushing(self):
        """In which state of the processor its turns are taken: whether denormals count as zeros."""
        return contextlib.nullcontext() if self.descriptor.keeps_denormals else self.emulator._MXCSRContext()

    def take_turn(self, chance):
        """One wavefront's. Whether there are more to come."""
        if not self.here:
            self._start(WORKGROUPS)
        group = chance.choice(self.here)
        wave = chance.choice([each for each in group.waves if not each.is_waiting])
        if wave.take_turn(self._instruction, self.emulator.ENDPGM_PC, chance.randint(1, LONGEST_TURN)):
            group.waves.remove(wave)
        group.release()
        if not group.waves:
            self.here.remove(group)
            self._start(1)
        return bool(self.here)

    def run(self):
        """The whole launch, with nothing beside it."""
        chance = random.Random(SEED)
        with self.flushing():
            while self.take_turn(chance):
                pass
