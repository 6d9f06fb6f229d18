#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The instructions that scripts/lib/amd_code/own_instructions.py has in place of the emulator's: on encodings that
llvm-objdump shows, with registers that are a table."""

import ctypes
import struct
import types
import unittest

from amd_objects import SOURCE  # noqa: F401  (puts scripts/lib on the path)
from skips import main

from amd_code import own_instructions
from amd_code.problem import Problem

VECTOR = own_instructions.FIRST_VECTOR


def bits(number):
    return struct.unpack("<I", struct.pack("<f", number))[0]


class Wave:
    """64 lanes; the state is itself. What is not in a register yet is 1000 times its number, and the lane's."""

    def __init__(self, active=range(64), **scalars):
        self.state, self.pc, self.wave_size, self.chosen = self, 0x100, 64, (0, 0)
        self.active, self.vectors = list(active), {}
        self.scalars = {int(name[1:]): value for name, value in scalars.items()} | {128: 0, 242: bits(1.0)}
        self.scratch_words = 4
        self.scratch = (ctypes.c_uint32 * (4 * 64))()

    def active_lanes(self):
        return self.active

    def _read_sgpr(self, register):
        return self.scalars.get(register, 0)

    def _write_sgpr(self, register, value):
        self.scalars[register] = value

    def _read_vgpr(self, register, lane):
        return self.vectors.get((register, lane), 1000 * register + lane)

    def _write_vgpr(self, register, lane, value):
        self.vectors[register, lane] = value

    def set(self, register, *values):
        self.vectors |= {(register, lane): value for lane, value in enumerate(values)}

    def get(self, register, lanes=4):
        return [self._read_vgpr(register, lane) for lane in range(lanes)]


def decoded(**fields):
    return types.SimpleNamespace(**{name: types.SimpleNamespace(offset=value) if name in (
        "sdst", "ssrc0", "vdst", "src0", "srsrc", "soffset", "vdata", "vaddr") else value
        for name, value in fields.items()})


def own(name, isa="cdna", **fields):
    return own_instructions.own_instruction(decoded(**fields), name, isa)


class OwnTest(unittest.TestCase):
    def test_far_jumps(self):
        wave = Wave()
        wave.pc = 0x7_FFFF_FFFC
        self.assertFalse(own("S_GETPC_B64", sdst=24)(wave))
        self.assertEqual((wave.scalars[24], wave.scalars[25]), (0, 8))
        self.assertTrue(own("S_SETPC_B64", ssrc0=24)(wave))
        self.assertEqual(wave.pc, 8 << 32)

    def test_registers_by_m0(self):
        wave = Wave(active=(0, 2), s125=3)
        own("V_MOVRELD_B32_E32", "rdna3", vdst=VECTOR + 10, src0=VECTOR + 1)(wave)
        self.assertEqual(wave.get(13), [1000, 13001, 1002, 13003])
        own("V_MOVRELS_B32_E32", "rdna3", vdst=VECTOR + 20, src0=VECTOR + 1)(wave)
        self.assertEqual(wave.get(20), [4000, 20001, 4002, 20003])

    def test_registers_by_a_number(self):
        move = own_instructions.chosen_move(decoded(vdst=VECTOR + 10, src0=VECTOR + 1), "V_MOV_B32_E32")
        for what, changed, value in ((1, 10, 6000), (8, 15, 1000), (9, 15, 6000)):
            wave = Wave(s7=5)
            own("S_SET_GPR_IDX_ON", ssrc0=7, ssrc1=what)(wave)
            self.assertEqual((wave.chosen, wave.scalars[124]), ((what, 5), 5 | what << 12))
            move(wave)
            self.assertEqual(wave.get(changed, 2), [value, value + 1])
            own("S_SET_GPR_IDX_OFF")(wave)
            self.assertEqual(wave.chosen, (0, 0))
        self.assertIsNone(own_instructions.chosen_move(decoded(src0=1), "V_ADD_U32_E32"))

    def scratch(self, name, **changed):
        return own(name, **{"srsrc": 0, "soffset": 128, "vdata": VECTOR + 1, "vaddr": VECTOR, "offset": 0, "offen": 0,
                            "idxen": 0, "lds": 0} | changed)

    def test_spilled_registers(self):
        wave = Wave(active=(0, 1, 3))
        self.scratch("BUFFER_STORE_DWORDX2", offset=8)(wave)
        self.assertEqual(list(wave.scratch)[:16], [0, 0, 1000, 2000, 0, 0, 1001, 2001, 0, 0, 0, 0, 0, 0, 1003, 2003])
        wave.set(5, 8, 12, 0, 8)
        self.scratch("BUFFER_LOAD_DWORD", offen=1, vaddr=VECTOR + 5, vdata=VECTOR + 9)(wave)
        self.assertEqual(wave.get(9), [1000, 2001, 9002, 1003])
        for changed, words in (({"offset": 12}, "no scratch memory at 12"), ({"offset": 2}, "no scratch memory at 2"),
                               ({"srsrc": 8}, "is no scratch memory"), ({"idxen": 1}, "is no scratch memory")):
            with self.assertRaisesRegex(Problem, words):
                self.scratch("BUFFER_LOAD_DWORDX2", **changed)(Wave(s8=1))
        self.assertIsNone(own("BUFFER_STORE_SHORT"))
        self.assertIsNone(own("BUFFER_LOAD_DWORD", "rdna3"))

    def multiply_add(self, *words, wave=None):
        length, act = own_instructions.multiply_add(words)
        if wave:
            act(wave)
        return length

    def test_multiply_adds(self):
        wave = Wave()
        wave.set(1, bits(1.0))
        wave.set(2, bits(3.0))
        self.assertEqual(self.multiply_add(0x2C0204FF, 0x4F800000, wave=wave), 8)  # v_mac_f32_e32 v1, 0x4f800000, v2
        self.assertEqual(wave.get(1, 1), [bits(3 * 2.0**32)])  # the 1 is lost
        self.assertEqual(self.multiply_add(0x2C060501, 0, wave=wave), 4)  # v_mac_f32_e32 v3, v1, v2
        # v_mad_f32 v1, -v2, 1.0, |v2| and the same without a sign
        wave = Wave()
        wave.set(2, bits(-3.0))
        self.assertEqual(self.multiply_add(0xD1C10401, 0x2409E502, wave=wave), 8)
        self.assertEqual(wave.get(1, 1), [bits(6.0)])
        # The product is rounded: (1 + 2^-12)^2 - (1 + 2^-11) is 2^-24, of which rounding leaves nothing.
        wave = Wave()
        wave.set(1, bits(1 + 2.0**-12))
        wave.set(3, bits(-1 - 2.0**-11))
        self.multiply_add(0x2C060301, 0, wave=wave)
        self.assertEqual(wave.get(3, 1), [0])
        self.assertEqual(own_instructions.multiply_add((0x02060301, 0)), (0, None))

    def test_additions_with_a_carry(self):
        def add(first, second, third, wave):
            own_instructions.add_with_carry((first, second, third))(wave)

        # v_add_co_u32_e64_dpp v0, vcc_lo, v0, v3 row_shl:2, with bound_ctrl and without
        for word, last in ((0xFF090200, 3014), (0xFF010200, 14)):
            wave = Wave(active=range(16))
            wave.set(3, *[0xFFFFFFFF] * 2)
            add(0xD7006A00, 0x000206FA, word, wave)
            self.assertEqual(wave.get(0, 3), [1, 2, 4 + 3002])
            self.assertEqual((wave.get(0, 15)[14], wave.scalars[106]), (last, 0b11))
        # quad_perm:[0,1,2,3] row_mask:0xa: odd rows alone
        wave = Wave(active=range(32))
        add(0xD7006A03, 0x000206FA, 0xAF00E407, wave)
        self.assertEqual((wave.get(3, 17)[15], wave.get(3, 17)[16]), (3015, 7016 + 3016))
        # A lane outside EXEC is no source.
        wave = Wave(active=(0, 1, 3))
        add(0xD7006A00, 0x000206FA, 0xFF090200, wave)
        self.assertEqual(wave.get(0, 4), [3000, 3 + 3001, 2, 3003])
        self.assertIsNone(own_instructions.add_with_carry((0xD7006A00, 0x00020600, 0)))
        sources = {0x111: None, 0x11F: None, 0x121: 15, 0x140: 15, 0x141: 7, 0x153: 3, 0x165: 5, 0x1B: 3}
        for control, source in sources.items():
            self.assertEqual(own_instructions._source_lane(0, control), source, hex(control))
        with self.assertRaisesRegex(Problem, "0x130 is not known"):
            own_instructions._source_lane(0, 0x130)


if __name__ == "__main__":
    main()
