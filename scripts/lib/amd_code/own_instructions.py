# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Instructions that the emulator does not know or gets wrong (seen in tinygrad a9069c17), as functions of the
wavefront: far jumps, registers that are chosen by a number, spilled registers, CDNA2's multiply-adds, and additions with
a carry in GFX11's long encoding of primitives. By the ISA documents of CDNA2 and RDNA3."""

import functools
import struct

from .problem import Problem

FIRST_VECTOR = 256  # how the emulator numbers registers
LITERAL, PRIMITIVE = 255, 250  # in the place of a first operand
M0 = {"cdna": 124, "rdna3": 125, "rdna4": 125}
BY_SOURCE, BY_DESTINATION = 1, 8  # what a number is added to: the bits of s_set_gpr_idx_on
WORDS = {"DWORD": 1, "DWORDX2": 2, "DWORDX3": 3, "DWORDX4": 4}


def _number(operand):
    return operand.offset if hasattr(operand, "offset") else int(operand)


def _scalar_pair(state, register):
    return state._read_sgpr(register) | state._read_sgpr(register + 1) << 32


def _get_pc(to, wave):
    place = wave.state.pc + 4
    wave.state._write_sgpr(to, place & 0xFFFFFFFF)
    wave.state._write_sgpr(to + 1, place >> 32)


def _set_pc(source, wave):
    wave.state.pc = _scalar_pair(wave.state, source)
    return True


def _choose_registers(source, what, wave):
    """From here on; M0 says which."""
    number = wave.state._read_sgpr(source) & 0xFF
    wave.state._write_sgpr(M0["cdna"], number | what << 12)
    wave.chosen = what, number


def _choose_none(wave):
    wave.chosen = 0, 0


def _move(to, source, wave):
    """A register of each lane in EXEC; `source` may as well be a scalar one or a constant."""
    state = wave.state
    for lane in wave.active_lanes():
        value = state._read_vgpr(source - FIRST_VECTOR, lane) if source >= FIRST_VECTOR else state._read_sgpr(source)
        state._write_vgpr(to, lane, value)


def _move_chosen(to, source, wave):
    what, number = wave.chosen
    _move(to + (number if what & BY_DESTINATION else 0), source + (number if what & BY_SOURCE else 0), wave)


def _move_by_m0(to, source, is_source, isa, wave):
    number = wave.state._read_sgpr(M0[isa])
    _move(to + (0 if is_source else number), source + (number if is_source else 0), wave)


def _access_scratch(decoded, words, is_store, wave):
    """Each lane has its own: in which order they lie is nobody's business but this function's. The hardware would find
    them by the descriptor, which is all zeros here (emulator_worker.py)."""
    state = wave.state
    descriptor = _number(decoded.srsrc) * (1 if hasattr(decoded.srsrc, "offset") else 4)
    if _scalar_pair(state, descriptor) or state._read_sgpr(_number(decoded.soffset)) or decoded.idxen or decoded.lds:
        raise Problem("a buffer that is no scratch memory is not known here")
    of_lane, memory = wave.scratch_words, wave.scratch
    data, address = _number(decoded.vdata) - FIRST_VECTOR, _number(decoded.vaddr) - FIRST_VECTOR
    for lane in wave.active_lanes():
        place = int(decoded.offset) + (state._read_vgpr(address, lane) if decoded.offen else 0)
        if place % 4 or place // 4 + words > of_lane:
            raise Problem(f"there is no scratch memory at {place}")
        for i in range(words):
            at = lane * of_lane + place // 4 + i
            if is_store:
                memory[at] = state._read_vgpr(data + i, lane)
            else:
                state._write_vgpr(data + i, lane, memory[at])


def _f32(bits):
    """As v_mac_f32 and v_mad_f32 take it: without denormals."""
    return struct.unpack("<f", struct.pack("<I", bits if bits & 0x7F800000 else bits & 0x80000000))[0]


def _bits(number):
    try:
        bits = struct.unpack("<I", struct.pack("<f", number))[0]
    except OverflowError:
        bits = 0x7F800000 if number > 0 else 0xFF800000
    return bits if bits & 0x7F800000 else bits & 0x80000000


def _multiply_add(to, operands, wave):
    """The product is rounded before it is added to. An operand is (register, literal, negated, absolute)."""
    state = wave.state

    def value(operand, lane):
        register, literal, is_negative, is_absolute = operand
        bits = literal if literal is not None else (
            state._read_vgpr(register - FIRST_VECTOR, lane) if register >= FIRST_VECTOR else state._read_sgpr(register))
        bits = bits & 0x7FFFFFFF if is_absolute else bits
        return _f32(bits ^ 0x80000000 if is_negative else bits)

    for lane in wave.active_lanes():
        one, other, added = (value(each, lane) for each in operands)
        state._write_vgpr(to, lane, _bits(_f32(_bits(one * other)) + added))


def multiply_add(words):
    """CDNA2's v_mac_f32, v_madmk_f32, v_madak_f32 and v_mad_f32, whose encodings CDNA3 gives to others: the
    instruction's bytes, and a function of the wavefront. (0, None) for all others."""
    first, second = words
    plain = (False, False)
    if first >> 31 == 0 and first >> 25 in (0x16, 0x17, 0x18):
        operation, to, vector, source = first >> 25, first >> 17 & 0xFF, first >> 9 & 0xFF, first & 0x1FF
        own, other = (to + FIRST_VECTOR, None, *plain), (vector + FIRST_VECTOR, None, *plain)
        one = (source, second if source == LITERAL else None, *plain)
        if operation == 0x16:
            return 8 if source == LITERAL else 4, functools.partial(_multiply_add, to, (one, other, own))
        literal = (LITERAL, second, *plain)
        operands = (one, literal, other) if operation == 0x17 else (one, other, literal)
        return 8, functools.partial(_multiply_add, to, operands)
    if first >> 26 == 0b110100 and first >> 16 & 0x3FF in (0x116, 0x1C1):
        if first & 0xF800 or second >> 27 & 3:
            raise Problem("v_mad_f32 with a clamp or a factor is not known here")
        operands = [(second >> 9 * i & 0x1FF, None, bool(second >> 29 + i & 1), bool(first >> 8 + i & 1))
                    for i in range(3)]
        if first >> 16 & 0x3FF == 0x116:
            operands[2] = ((first & 0xFF) + FIRST_VECTOR, None, *plain)
        return 8, functools.partial(_multiply_add, first & 0xFF, tuple(operands))
    return 0, None


def _source_lane(lane, control):
    """Which lane a primitive reads, in the RDNA documents' numbers; None for one that is not there."""
    row, place, count = lane & ~15, lane & 15, control & 15
    if control < 0x100:
        return lane & ~3 | control >> 2 * (lane & 3) & 3
    kind = control & ~15
    if kind in (0x100, 0x110):
        place += count if kind == 0x100 else -count
        return row + place if 0 <= place < 16 else None
    places = {0x120: (place - count) % 16, 0x150: count, 0x160: place ^ count}
    if control in (0x140, 0x141):
        return row + (15 - place if control == 0x140 else place ^ 7)
    if kind not in places:
        raise Problem(f"the primitive {control:#x} is not known here")
    return row + places[kind]


def _add_with_carry(words, wave):
    """All lanes read before one is written. A lane outside EXEC is no source, and one that has none adds zero or,
    without bound_ctrl, does nothing."""
    first, second, third = words
    state, active = wave.state, wave.active_lanes()
    control, fills, takes_inactive = third >> 8 & 0x1FF, third >> 19 & 1, third >> 18 & 1
    added, sums, carries = second >> 9 & 0x1FF, {}, 0
    for lane in active:
        if not (third >> 28 + lane // 16 & 1 and third >> 24 + lane % 16 // 4 & 1):
            continue
        source = _source_lane(lane, control)
        is_there = source is not None and (takes_inactive or source in active)
        if not (is_there or fills):
            continue
        one = state._read_vgpr(third & 0xFF, source) if is_there else 0
        other = state._read_vgpr(added - FIRST_VECTOR, lane) if added >= FIRST_VECTOR else state._read_sgpr(added)
        sums[lane] = one + other & 0xFFFFFFFF
        carries |= (one + other >> 32) << lane
    for lane, value in sums.items():
        state._write_vgpr(first & 0xFF, lane, value)
    state._write_sgpr(first >> 8 & 0x7F, carries)


def add_with_carry(words):
    """A function of the wavefront for v_add_co_u32 as a primitive in GFX11's long encoding of 12 bytes; else None."""
    is_it = words[0] >> 16 == 0xD700 and words[1] & 0x1FF == PRIMITIVE
    return functools.partial(_add_with_carry, words) if is_it else None


def own_instruction(decoded, name, isa):
    """A function of the wavefront, which says whether it has jumped; None where the emulator has the instruction."""
    if name == "S_GETPC_B64":
        return functools.partial(_get_pc, _number(decoded.sdst))
    if name == "S_SETPC_B64":
        return functools.partial(_set_pc, _number(decoded.ssrc0))
    if name == "S_SET_GPR_IDX_ON":
        return functools.partial(_choose_registers, _number(decoded.ssrc0), _number(decoded.ssrc1) & 0xF)
    if name == "S_SET_GPR_IDX_OFF":
        return _choose_none
    if name.startswith(("V_MOVRELD_B32", "V_MOVRELS_B32")):
        return functools.partial(_move_by_m0, _number(decoded.vdst) - FIRST_VECTOR, _number(decoded.src0),
                                 "RELS" in name, isa)
    access, _, kind = name.rpartition("_")
    if isa == "cdna" and access in ("BUFFER_LOAD", "BUFFER_STORE") and kind in WORDS:
        return functools.partial(_access_scratch, decoded, WORDS[kind], access == "BUFFER_STORE")
    return None


def chosen_move(decoded, name):
    """What a move does while registers are chosen by a number; None for what is no move."""
    if not name.startswith("V_MOV_B32") or not hasattr(decoded, "src0"):
        return None
    return functools.partial(_move_chosen, _number(decoded.vdst) - FIRST_VECTOR, _number(decoded.src0))
