# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Fixes what is known to be wrong in the emulator, inside the process that runs it. Its checkout stays as it is, and so
do the kernels. docs/amd.md lists what is fixed here and what is not."""

import ctypes


def _read_lane(source, operand):
    """In the documents' language: each lane of EXEC gets the operand of the lane `source`, or 0 where that is not in
    EXEC."""
    return f"""\
for i in 0 : {{last}} do
tmp[i] = 0x0
endfor;
for i in 0 : {{last}} do
from = {source};
if EXEC[from].u1 then
tmp[i] = VGPR[from][{operand}]
endif
endfor;
for i in 0 : {{last}} do
VGPR[i][VDST] = EXEC[i].u1 ? tmp[i] : VGPR[i][VDST]
endfor"""


# The lane that its address names. The emulator's own reading of the documents (seen in tinygrad a9069c17) also writes
# the lanes outside EXEC, and crashes on the addresses that these happen to hold.
_DS_BPERMUTE_B32 = _read_lane("((VGPR[i][ADDR].u32 + OFFSET.u32) >> 2U) & {last}U", "DATA0")

# The mode of three masks of 5 bits (and, or, xor) within each 32 lanes; others are not known here. The emulator can't
# read what the documents have for it.
_DS_SWIZZLE_B32 = _read_lane(
    "(i & 32U) | (((i & (OFFSET.u32 & 31U)) | ((OFFSET.u32 >> 5U) & 31U)) ^ ((OFFSET.u32 >> 10U) & 31U))", "ADDR")

# The register that a primitive's operand waits in: one behind those that kernels have.
_SPARE = 256


def _add_register(emulator):
    own = emulator.WaveState.__init__

    def make(state, lanes, wave_size=32):
        own(state, lanes, wave_size)
        wider = emulator.Buffer("CPU", (_SPARE + 1) * wave_size, emulator.dtypes.uint32).ensure_allocated()
        ctypes.memset(wider._buf.va_addr, 0, (_SPARE + 1) * wave_size * 4)
        if state.accvgpr_buf is state.vgpr_buf:
            state.accvgpr_buf = wider
        state.vgpr_buf, state._vgpr_mv = wider, wider.as_memoryview(force_zero_copy=True).cast("I")

    emulator.WaveState.__init__ = make


def _primitive_source(emulator, own):
    """row_bcast as the CDNA documents have it: the last lane of the row before, and lane 31 for the upper half.
    row_xmask as the RDNA documents have it: the lane whose number differs in these bits."""

    def source(lane, control, row_mask, bank_mask, wave_size):
        is_xmask = 0x160 <= control <= 0x16F and wave_size == 32
        if control not in (0x142, 0x143) and not is_xmask:
            return own(lane, control, row_mask, bank_mask, wave_size)
        number, constant = emulator.dtypes.int, emulator._c
        _, enabled, valid = own(lane, 0xE4, row_mask, bank_mask, wave_size)
        lane = lane.cast(number)
        if is_xmask:
            return lane ^ constant(control & 15, number), enabled, valid
        if control == 0x143:
            return constant(31, number), enabled, lane >= constant(32, number)
        return (lane & constant(~15, number)) - constant(1, number), enabled, lane >= constant(16, number)

    return source


def _mend_primitives(emulator):
    """DPP as the ISA documents define it: all lanes read before one is written; a lane outside EXEC is no source; and
    without bound_ctrl a lane that has no source does nothing. In the emulator (seen in tinygrad a9069c17) lanes read what
    others have written, those outside EXEC give what they hold, and a lane without a source takes its old result for the
    operand, which is the same for a move only."""
    UOp, constant = emulator.UOp, emulator._c
    emulator._dpp16_ctrl = _primitive_source(emulator, emulator._dpp16_ctrl)
    own, own_source = emulator._compile_vop12, emulator._load_dpp16_src0

    def compile_primitive(instruction, context):
        number, attribute = emulator.dtypes.int, emulator._iattr
        every, zero = context.rexec(), bool(attribute(instruction, "bc"))

        def source_of(lane):
            source, enabled, valid = emulator._dpp16_ctrl(
                lane, attribute(instruction, "dpp"), attribute(instruction, "row_mask", 0xF),
                attribute(instruction, "bank_mask", 0xF), context.wave_size)
            source = (enabled & valid).where(source, constant(0, number))
            return source, enabled, valid & emulator._lane_active(every, source)

        def does_something(lane):
            lane = lane.cast(number) if isinstance(lane, UOp) else constant(lane, number)
            _, enabled, valid = source_of(lane)
            return (enabled if zero else enabled & valid).cast(emulator.dtypes.uint32)

        doing = context.unroll_lanes(does_something, every, apply_exec=True)
        lane = context.range()
        source, enabled, valid = source_of(lane)
        register = context.inst_field(type(instruction).vsrc0)
        operand = (enabled & valid).where(context.rvgpr_dyn(register, source), UOp.const(0, emulator.dtypes.uint32))
        first = UOp.sink(context.wvgpr_dyn(constant(_SPARE), lane, operand, every)).end(lane)
        own_exec = type(context).rexec
        type(context).rexec = lambda ctx: doing
        emulator._load_dpp16_src0 = lambda ctx, inst, at, fallback: ctx.vgpr.after(first).index(
            constant(_SPARE * ctx.wave_size, number) + at.cast(number)).load()
        try:
            rest = own(instruction, context)
        finally:
            emulator._load_dpp16_src0, type(context).rexec = own_source, own_exec
        return UOp.sink(first, *rest.src)

    def compile_vop12(instruction, context):
        is_primitive = hasattr(type(instruction), "dpp") and hasattr(type(instruction), "vsrc0")
        return (compile_primitive if is_primitive else own)(instruction, context)

    for kind, handler in emulator._INST_HANDLERS.items():
        if handler is own:
            emulator._INST_HANDLERS[kind] = compile_vop12


def _mend_permlane16(emulator):
    """V_PERMLANE16_B32 and V_PERMLANEX16_B32: all lanes read before one is written, and a lane outside EXEC is no
    source: without bound_ctrl who asks for it keeps what it had. The emulator takes the ISA documents' pseudocode at its
    word, which says neither, gives what other lanes have written already, and reads no literal. Fetching from inactive
    lanes is not done here."""
    UOp, constant = emulator.UOp, emulator._c
    own = emulator._compile_vop3

    def compile_permlane16(instruction, context):
        number, word, kind = emulator.dtypes.int, emulator.dtypes.uint32, type(instruction)
        every, zero = context.rexec(), (emulator._iattr(instruction, "opsel") or 0) & 2 != 0
        literal = context.optional_field(instruction, "literal")
        row = 16 if "PERMLANEX16" in emulator._op_name(instruction) else 0
        low, high = (context.rsrc_dyn(context.inst_field(field), constant(0, number), 32, literal)
                     for field in (kind.src1, kind.src2))

        def source_of(lane):
            eighth = (lane & constant(8, number)).ne(constant(0, number)).where(high, low)
            place = eighth >> ((lane & constant(7, number)) * constant(4, number)).cast(word) & constant(15)
            return ((lane & constant(16, number)) ^ constant(row, number)) | place.cast(number)

        def does_something(lane):
            return emulator._lane_active(every, source_of(lane.cast(number))).cast(word)

        doing = every if zero else context.unroll_lanes(does_something, every, apply_exec=True)
        lane = context.range()
        given = context.rvgpr_dyn(context.inst_field(kind.src0) - constant(256), lane)
        first = UOp.sink(context.wvgpr_dyn(constant(_SPARE), lane, given, every)).end(lane)
        lane = context.range()
        source = source_of(lane)
        moved = context.vgpr.after(first).index(constant(_SPARE * context.wave_size, number) + source).load()
        moved = emulator._lane_active(every, source).where(moved, UOp.const(0, word))
        rest = UOp.sink(context.wvgpr_dyn(context.inst_field(kind.vdst), lane, moved, doing)).end(lane)
        return UOp.sink(first, rest, *context.inc_pc())

    def compile_vop3(instruction, context):
        is_permlane16 = any(name in emulator._op_name(instruction) for name in ("PERMLANE16_B32", "PERMLANEX16_B32"))
        return (compile_permlane16 if is_permlane16 else own)(instruction, context)

    for kind, handler in emulator._INST_HANDLERS.items():
        if handler is own:
            emulator._INST_HANDLERS[kind] = compile_vop3


def _mend_swizzle(emulator, last):
    """DS_SWIZZLE_B32, which goes no way to memory: as the emulator does DS_BPERMUTE_B32."""
    own = emulator._compile_mem_op

    def compile_swizzle(instruction, context):
        kind, word = type(instruction), emulator.dtypes.uint32
        offset = (context.inst_field(kind.offset1) << emulator._c(8)) | context.inst_field(kind.offset0)
        _, assigned = emulator.parse_pcode(_DS_SWIZZLE_B32.format(last=last), {
            "ADDR": context.inst_field(kind.addr), "VDST": context.inst_field(kind.vdst), "OFFSET": offset,
            "EXEC": context.rexec().cast(emulator.dtypes.uint64), "_vgpr": context.vgpr,
            "_wave_size": context.wave_size})
        stores = [context.vgpr.index(value[0]).store(value[1].cast(word)) for name, value in assigned
                  if name.startswith("VGPR[")]
        return emulator.UOp.sink(*stores, *context.inc_pc())

    def compile_access(instruction, context):
        is_swizzle = "DS_SWIZZLE" in emulator._op_name(instruction)
        return (compile_swizzle if is_swizzle else own)(instruction, context)

    for kind, handler in emulator._INST_HANDLERS.items():
        if handler is own:
            emulator._INST_HANDLERS[kind] = compile_access


def _mend_flat_addresses(emulator):
    """CDNA's FLAT instructions have no scalar address: compilers leave zeros there, which the emulator takes for s0.
    Their offset has no sign, which the emulator takes from the upper bit."""
    own = emulator._compile_mem_op

    def compile_access(instruction, context):
        if type(instruction).__name__.partition("_")[0] != "FLAT":
            return own(instruction, context)
        kind = type(context)
        own_field, own_signed = kind.optional_field, kind.inst_field_signed
        kind.optional_field = lambda ctx, inst, name: None if name == "saddr" else own_field(ctx, inst, name)
        kind.inst_field_signed = kind.inst_field
        try:
            return own(instruction, context)
        finally:
            kind.optional_field, kind.inst_field_signed = own_field, own_signed

    for kind, handler in emulator._INST_HANDLERS.items():
        if handler is own:
            emulator._INST_HANDLERS[kind] = compile_access
    emulator._compile_mem_op = compile_access


def _mend_returning_atomics(emulator):
    """An atomic that gives back what was there says so by a bit that is called glc on RDNA3, sc0 on CDNA, and is the
    lowest of th on RDNA4. The emulator asks for the first name only, and the result stays unwritten."""
    own = emulator._iattr

    def attribute(instruction, name, default=0):
        if name == "glc" and "ATOMIC" in emulator._op_name(instruction):
            return own(instruction, "glc") or own(instruction, "sc0") or own(instruction, "th") & 1
        return own(instruction, name, default)

    emulator._iattr = attribute


def fix(emulator, isa):
    """Call it before anything runs."""
    own = emulator.get_pcode
    last = 63 if isa == "cdna" else 31

    def get_pcode(operation):
        if operation.name == "DS_BPERMUTE_B32":
            return _DS_BPERMUTE_B32.format(last=last)
        # RDNA4's FLAT accesses: of scratch memory, which is what its register is for, there is none at such addresses.
        return own(operation).replace("CalcFlatAddr(v_addr.b64, flat_scratch.b64)",
                                      "CalcGlobalAddr(v_addr.b64, s_saddr.b64)")

    emulator.get_pcode = get_pcode
    _add_register(emulator)
    _mend_primitives(emulator)
    _mend_permlane16(emulator)
    if isa == "cdna":
        _mend_flat_addresses(emulator)
    _mend_swizzle(emulator, last)
    _mend_returning_atomics(emulator)
