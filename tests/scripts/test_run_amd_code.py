#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""scripts/run-amd-code: what it compares with, how it lays out a launch and outlives an emulator that does not, with a
stand-in emulator; and the whole of it with a real one, where WARPZ_EMULATOR names a checkout of tinygrad."""

import math
import os
import pathlib
import random
import shutil
import struct
import tempfile
import unittest

from amd_objects import NOTES, SOURCE, SYMBOLS, elf, metadata, note, packed, run_script
from amd_readers import needs_readers
from skips import main

from amd_code import disassembly, emulated_tests, emulator
from amd_code.problem import Problem
from amd_code.table import Table

models = emulated_tests.models

# A stand-in for the emulator, whose kernels are a table of steps: the first wavefront of a block finds the arguments as
# the hardware's convention has it, and does what the first input number says.
STAND_IN = '''
import ctypes, os, time

def get_pcode(operation):
    raise NotImplementedError

# What is fixed.
UOp = _c = _dpp16_ctrl = _load_dpp16_src0 = _compile_vop12 = _compile_vop3 = _compile_mem_op = _op_name = _iattr = None
_INST_HANDLERS = {}

class WaveState:
    pass

ENDPGM_PC = 1

class _MXCSRContext:
    def __enter__(self):
        raise AssertionError("the descriptor says that denormals are kept")

class Named:
    def __init__(self, **members):
        self.__dict__.update(members)

EXEC_LO = Named(offset=126)

def u(size, address):
    return int.from_bytes(ctypes.string_at(address, size), "little")

def _wave_size(isa):
    assert isa == "cdna"
    return 64

class Registers:
    def __init__(self, pc):
        self.pc, self.wave_size, self.memory = pc, 64, ctypes.create_string_buffer(1024)
        self.sgpr_buf = self.vgpr_buf = self.accvgpr_buf = Named(_buf=Named(va_addr=ctypes.addressof(self.memory)))

def _init_wave(pc, first, threads, lx, ly, lz, arguments, rsrc2, scratch, isa, x, y, z, user_data, lanes):
    global state
    state = Registers(pc)
    state.first, state.place, state.block = first, (x, y, z), (lx, ly, lz)
    state.arguments, state.user_data, state.scratch = arguments, user_data, scratch
    launched.append(state)
    return state

launched = []

# Its code is one word.
def decode_inst(data, isa):
    assert data[:4] == b"code" and isa == "cdna"
    return Named(op=Named(name="WORK"), size=lambda: 4)

def work(registers, lds):
    state = next(each for each in launched if ctypes.addressof(each.memory) == registers.value)
    print("the emulator may print what it likes")
    state.pc = ENDPGM_PC
    assert ctypes.string_at(lds.value, 1100) == bytes([0xC5]) * 1100
    packet, passed = state.user_data[4] | state.user_data[5] << 32, state.user_data[6] | state.user_data[7] << 32
    assert (passed, len(state.user_data)) == (state.arguments, 8)
    arguments, (lx, ly, lz) = state.arguments, state.block
    gx = u(4, arguments + 24)
    assert [u(2, packet + 4 + 2 * i) for i in range(3)] == [lx, ly, lz] and u(4, packet + 12) == gx * lx
    assert (u(2, arguments + 28), u(2, arguments + 30)) == (lx, 1)
    output, given, count = u(8, arguments), u(8, arguments + 8), u(4, arguments + 16)
    numbers = (ctypes.c_uint32 * count).from_address(given)
    if numbers[0] == 1:
        raise ValueError("an instruction it does not know")
    if numbers[0] == 2:
        os.abort()
    if numbers[0] == 3:
        time.sleep(60)
    if numbers[0] == 4:
        ctypes.memset(output + 4 * count, 0, 1)
    if numbers[0] == 5:
        ctypes.memset(output - 1, 0, 1)
    if state.place == (gx - 1, 0, 0):
        for i in range(count):
            (ctypes.c_uint32 * count).from_address(output)[i] = numbers[i] + gx

def _decode_at(address, isa):
    return (Named(arg=Named(globals=(0, 3))), Named(fxn=work)), None
'''


def launchable():
    """A code object whose kernel wants a private segment buffer, its dispatch packet and its arguments in registers,
    has 1100 bytes of LDS and keeps denormals; its code is the word "code"."""
    descriptor = struct.pack("<IIIIq", 1100, 0, 64, 0, 64).ljust(44, b"\0") + struct.pack(
        "<IIIH", 0, 0xF0 << 12, 0x1390, 0b1011)
    arguments = [{".offset": offset, ".size": size, ".value_kind": kind} for offset, size, kind in (
        (0, 8, "global_buffer"), (8, 8, "global_buffer"), (16, 4, "by_value"), (24, 4, "hidden_block_count_x"),
        (28, 2, "hidden_group_size_x"), (30, 2, "hidden_grid_dims"))]
    symbols = bytes(24) + struct.pack("<IBBHQQ", 1, 0x12, 0, 1, 128, 4) + struct.pack("<IBBHQQ", 3, 0x11, 0, 1, 64, 64)
    return elf([(".rodata", 1, 0, descriptor.ljust(64, b"\0") + b"code"),
                (".note", NOTES, 0, note(packed(metadata("f", args=arguments)))), (".symtab", SYMBOLS, 4, symbols),
                (".strtab", 3, 0, b"\0f\0f.kd\0")], segments=[(0, 0, 0, 132, 0x2000)])


@needs_readers
class EmulatorTest(unittest.TestCase):
    def setUp(self):
        self.folder = pathlib.Path(self.enterContext(tempfile.TemporaryDirectory()))
        self.emulator = self.folder / emulator.EMULATOR_FILE
        self.emulator.parent.mkdir(parents=True)
        self.emulator.write_text(STAND_IN)
        for name in ("test", "test/mockgpu", "test/mockgpu/amd"):
            (self.folder / name / "__init__.py").touch()
        self.object = self.folder / "f.o"
        self.object.write_bytes(launchable())

    def machine(self, timeout=60):
        return self.enterContext(emulator.Emulator(emulator.check_checkout(self.folder), "cdna", timeout))

    def launch(self, *numbers, kernel="f"):
        return emulator.Launch(self.object, kernel, (7, 1, 1), (64, 1, 1), (
            ("buffer", bytes(4 * len(numbers))), ("buffer", struct.pack(f"<{len(numbers)}I", *numbers)),
            ("scalar", struct.pack("<I", len(numbers)))))

    def test_a_launch(self):
        machine = self.machine()
        for numbers in ((10, 20, 30), (40,)):
            output, given = machine.run(self.launch(*numbers))
            self.assertEqual(struct.unpack(f"<{len(numbers)}I", output), tuple(each + 7 for each in numbers))
            self.assertEqual(struct.unpack(f"<{len(numbers)}I", given), numbers)

    def test_what_goes_wrong_ends_one_launch(self):
        machine = self.machine(timeout=2)
        for number, words in ((1, "ValueError: an instruction it does not know"), (2, "died of SIGABRT"),
                              (3, "no answer within 2 s"), (4, "wrote outside its buffer number 1"),
                              (5, "wrote outside its buffer number 1")):
            with self.assertRaisesRegex(emulator.Failure, words):
                machine.run(self.launch(number))
            self.assertEqual(machine.run(self.launch(9))[0], struct.pack("<I", 16))

    def test_arguments_of_another_size(self):
        launch = self.launch(9)
        arguments = (*launch.arguments[:2], ("scalar", bytes(8)))
        with self.assertRaisesRegex(emulator.Failure, "an argument of f has 4 bytes, and 8 are given"):
            self.machine().run(emulator.Launch(self.object, "f", (7, 1, 1), (64, 1, 1), arguments))

    def test_an_emulator_that_does_not_start(self):
        self.emulator.write_text("import no_such_module")
        with self.assertRaisesRegex(Problem, "does not start: it ended with 1 .*no_such_module") as caught:
            self.machine().run(self.launch(9))
        self.assertEqual(caught.exception.code, 4)

    def test_what_it_can_run(self):
        self.assertEqual([emulator.isa_of(each) for each in ("gfx90a", "gfx942", "gfx1100", "gfx1201")],
                         ["cdna", "cdna", "rdna3", "rdna4"])
        for each in ("gfx906", "gfx1030", "nonsense"):
            with self.assertRaises(Problem):
                emulator.isa_of(each)

    def test_results_are_counted(self):
        told = iter((None, "wrong", None))
        tests = [emulated_tests.Test("t", self.launch(number), lambda _: next(told)) for number in (9, 9, 9)]
        result = emulated_tests.run_tests(self.machine(), tests)[""]
        self.assertEqual((result.passed, result.wrong, result.broken), (2, ["t: wrong"], []))
        self.assertEqual(str(result), "FAIL, 1 wrong, 2 right")

    def test_results_are_counted_by_kernel(self):
        told = iter((None, "wrong", None))
        tests = [emulated_tests.Test("t", self.launch(number), lambda _: next(told), gap, "row", kernel)
                 for number, gap, kernel in ((9, None, "f"), (9, None, "f"), (9, None, "g"), (9, "a gap", "g"),
                                             (1, None, "h"))]
        self.assertEqual(emulated_tests.run_tests(self.machine(), tests)["row"].kernels, {
            "f": {"right": 1, "wrong": 1, "not judged": 0}, "g": {"right": 1, "wrong": 0, "not judged": 1},
            "h": {"right": 0, "wrong": 1, "not judged": 0}})

    def test_what_the_emulator_can_not_do_is_not_judged(self):
        tests = [emulated_tests.Test("t", self.launch(1), None, "a gap"),
                 emulated_tests.Test("t", self.launch(9), lambda _: None)]
        result = emulated_tests.run_tests(self.machine(), tests)[""]
        self.assertEqual((result.not_judged, str(result)), ({"a gap": ["t"]}, "OK, 1 right, 1 not judged"))

    def test_after_three_broken_launches_the_rest_is_not_tried(self):
        tests = [emulated_tests.Test("t", self.launch(1), lambda _: None)] * 9
        result = emulated_tests.run_tests(self.machine(), tests)[""]
        self.assertEqual((result.passed, len(result.broken), result.broken[-1]), (0, 4, "the rest was not tried"))


class ComparisonTest(unittest.TestCase):
    def test_bit_for_bit(self):
        judge = emulated_tests.exact_judge([1.0, 0.0, 3.0])
        self.assertIsNone(judge(struct.pack("<3f", 1, 0, 3)))
        self.assertIn("1 of 3 elements are wrong, the first at 1: -0.0",
                      judge(struct.pack("<3f", 1, -0.0, 3)))
        self.assertIn("the first at 2", judge(struct.pack("<3f", 1, 0, 3.0000002)))
        self.assertIn("nan instead of 1.0", judge(emulated_tests.UNWRITTEN * 3))

    def test_with_the_puzzles_tolerance(self):
        puzzle = emulated_tests.PUZZLES["prefix-sum"]
        judge = emulated_tests.tolerant_judge(puzzle, [math.nan, 1.0], None, 32)
        self.assertIsNone(judge(struct.pack("<2f", math.nan, math.nan)))
        self.assertIn("2 of 2", judge(emulated_tests.UNWRITTEN * 2))
        judge = emulated_tests.tolerant_judge(puzzle, [1.0, 2.0], None, 32)
        self.assertIsNone(judge(struct.pack("<2f", 1, 3.000001)))
        self.assertIn("1 of 2", judge(struct.pack("<2f", 1, 3.001)))

    def test_every_puzzle_takes_part(self):
        folders = {path.parent.name for path in SOURCE.glob("puzzles/*/solution.hip")}
        names = [subject.name for subject in emulated_tests.subjects([], {}, None)]
        self.assertEqual(folders - set(names), set())
        self.assertEqual([name for name in names if name.endswith(", shared")],
                         ["neighbor, shared", "broadcast-basic, shared", "pair-swap, shared", "parallel-max, shared",
                          "prefix-sum, shared"])
        self.assertEqual(sum(name.endswith(", tuned") for name in names), 10)
        self.assertEqual([name for name in names if name not in folders and "," not in name],
                         ["blocks", "collectives", "known_blocks", "rounding", "shuffles", "waiting", "whole_blocks",
                          "whole_warps"])
        with self.assertRaisesRegex(Problem, "there is no puzzle neighbour; there are: neighbor"):
            emulated_tests.subjects(["neighbour"], {}, None)

    def test_the_documented_output(self):
        self.assertEqual(emulated_tests.documented_output("broadcast-basic", 64)[0][:2], [11.0, 12.0])
        front, end = emulated_tests.documented_output("tiled-matmul", 64)
        self.assertEqual((len(front), len(end)), (3, 3))
        expected = [*front, *[9.5] * 40, *end]
        judge = emulated_tests.documented_judge("tiled-matmul", 64, expected)
        self.assertIsNone(judge(emulated_tests.as_bytes(expected)))
        for place, words in ((20, "1 of 46"), (1, "1 of 46")):
            wrong = [*expected]
            wrong[place] += 1
            self.assertIn(words, judge(emulated_tests.as_bytes(wrong)))
        wrong = [*expected[:-1], 0.25]
        self.assertIn("expected/warp64", emulated_tests.documented_judge("tiled-matmul", 64, wrong)(
            emulated_tests.as_bytes(wrong)))

    def test_what_the_emulator_cannot_do_is_a_gap(self):
        divides, adds = disassembly.Instruction("v_div_scale_f32", ""), disassembly.Instruction("v_add_f32", "")
        self.assertIn("denormal", emulated_tests.gap_of([adds, divides], [1.0, -1e-40]))
        self.assertIsNone(emulated_tests.gap_of([adds], [1e-40]))
        self.assertIsNone(emulated_tests.gap_of([divides], [0.0, 2.0**-126, math.inf, math.nan]))
        long = [disassembly.Instruction(name, "", is_long_dpp=True) for name in ("v_add_co_u32", "v_sub_co_u32")]
        self.assertIsNone(emulated_tests.gap_of([adds, long[0]], []))
        self.assertIn("long encoding", emulated_tests.gap_of([adds, long[1]], []))

    def test_a_table(self):
        table = Table(("a", "long"))
        table.add([1, "x"])
        self.assertEqual(table.text(), "a  long\n1  x")
        table.markdown = True
        self.assertEqual(table.text(), "| a | long |\n| --- | --- |\n| 1 | x |")


class ModelsTest(unittest.TestCase):
    """The models against the examples of src/device/warpz/warp.hpp, or a second way to say the same."""

    def of(self, kernel, values, number=0, lanes=32):
        return models.operation(kernel).of_warp(values, [number] * len(values), lanes)

    def test_shuffles(self):
        for kernel, number, expected in (("shuffle_up_0_u32", 1, "aabc"), ("shuffle_down_0_u32", 1, "bcdd"),
                                         ("shuffle_xor_0_u32", 1, "badc"), ("shuffle_xor_0_u32", 2, "cdab"),
                                         ("shuffle_idx_0_u32", 2, "cccc"), ("shuffle_idx_2_u32", 1, "bbdd"),
                                         ("shuffle_idx_2_u32", 2, "abcd"), ("shuffle_up_2_u32", 1, "aacc"),
                                         ("shuffle_down_2_u32", 1, "bbdd"), ("shuffle_xor_2_u32", 2, "abcd"),
                                         ("shuffle_idx_0_u32", 4, "abcd"), ("shuffle_xor_0_u32", 4, "abcd"),
                                         ("shuffle_down_64_u32", 0xFFFFFFFF, "abcd")):
            self.assertEqual("".join(self.of(kernel, list("abcd"), number)), expected, (kernel, number))

    def test_sums(self):
        self.assertEqual(self.of("prefix_sum_u32", [3, 1, 4, 1]), [3, 4, 8, 9])
        self.assertEqual(self.of("exclusive_prefix_sum_u32", [3, 1, 4, 1]), [0, 3, 4, 8])
        self.assertEqual(self.of("sum_i32", [2**31 - 1, 1]), [-(2**31)] * 2)
        pairs = models.f32(1e8 + 1) + models.f32(1 - 1e8)
        self.assertEqual(self.of("sum_f32", [1e8, 1.0, -1e8, 1.0]), [models.f32(pairs)] * 4)
        for count in (1, 15, 16, 17, 31, 32, 33, 48, 63, 64):
            values = [random.Random(count).randrange(1000) for _ in range(count)]
            self.assertEqual(self.of("sum_u64", values, lanes=64), [sum(values)] * count)
            self.assertEqual(self.of("prefix_sum_u64", values, lanes=64), [sum(values[: i + 1]) for i in range(count)])

    def test_greatest_and_least(self):
        self.assertEqual(self.of("max_f32", [math.nan, -1.0, -2.0]), [-1.0] * 3)
        self.assertEqual(self.of("min_f32", [-1.0, math.nan, -2.0]), [-2.0] * 3)
        self.assertTrue(math.isnan(self.of("min_f32", [math.nan, math.nan])[0]))

    def test_votes(self):
        self.assertEqual(self.of("vote_u32", [1, 2, 3, 5]), [0b1101] * 4)
        self.assertEqual((self.of("any_u32", [2, 4]), self.of("any_u32", [2, 3])), ([0, 0], [1, 1]))
        self.assertEqual((self.of("all_u32", [3, 4]), self.of("all_u32", [1, 3])), ([0, 0], [1, 1]))
        self.assertEqual(self.of("active_mask_u32", [1, 2, 3]), [0b101, 0, 0b101])

    def test_rounding_shows(self):
        """A fused multiplication would be seen: exact products, rounded once with the addition, give other sums."""
        what = models.operation("sum_of_products_f32")
        run = next(iter(models.runs(what, 64)))
        fused = []
        for start in range(0, len(run.values), 64):
            pairs = list(zip(run.values[start : start + 64], run.numbers[start : start + 64]))
            firsts = [models.f32(a * b + models.f32(c * d)) for (a, b), (c, d) in zip(pairs[::2], pairs[1::2])]
            fused += [models.tree(firsts, models.add("f32"))] * 64
        self.assertNotEqual(fused, run.expected(what, 64))

    def test_names_that_say_nothing(self):
        for kernel in ("sum", "sum_f16", "shuffle_across_0_u32", "neighbor_difference"):
            self.assertIsNone(models.operation(kernel), kernel)

    def test_a_block_that_ends_within_a_warp(self):
        what = models.operation("sum_u32")
        run = models.Run((1, 1, 1), (5, 1, 1), [1, 2, 3, 4, 5], [0] * 5)
        self.assertEqual(run.expected(what, 4), [10, 10, 10, 10, 5])


class ArgumentsTest(unittest.TestCase):
    def test_without_an_emulator(self):
        done = run_script("run-amd-code")
        self.assertEqual((done.returncode, done.stdout), (2, ""))
        self.assertIn("--emulator", done.stderr)

    def test_what_is_wrong_is_said(self):
        with tempfile.TemporaryDirectory() as folder:
            for arguments, words in ((("--emulator", folder), "is no checkout of tinygrad"),
                                     (("--emulator", folder, "--kernel", "neighbor"), "PUZZLE=FILE.hip"),
                                     (("--emulator", folder, "--library", "--puzzle", "vote"), "--library runs no"),
                                     (("--emulator", folder, "--random", "-1"), "--random")):
                done = run_script("run-amd-code", *arguments)
                self.assertEqual(done.returncode, 2, done.stderr)
                self.assertIn(words, done.stderr)


@unittest.skipUnless(os.environ.get("WARPZ_EMULATOR"),
                     "WARPZ_EMULATOR names no checkout of tinygrad: no AMD code was run")
@unittest.skipUnless(shutil.which("hipcc"), "hipcc is not installed: no AMD code was run (apt-get install hipcc)")
@needs_readers
class RealCodeTest(unittest.TestCase):
    def run_code(self, *arguments, code=0):
        done = run_script("run-amd-code", "--emulator", os.environ["WARPZ_EMULATOR"], *arguments, **os.environ)
        self.assertEqual(done.returncode, code, done.stdout + done.stderr)
        return done.stdout

    def test_all_code_of_the_project(self):
        output = self.run_code()
        for subject in emulated_tests.subjects([], {}, None):
            row = next(line for line in output.splitlines() if line.startswith(f"{subject.name}  "))
            self.assertRegex(row, rf"^{subject.name}( +OK, [1-9]\d* right(, \d+ not judged)?)+$")
        for operation in dict.fromkeys(name for name, _ in emulated_tests.distributed_tests.OPERATIONS):
            self.assertRegex(output, rf"(?m)^several GPUs: {operation}( +OK, [1-9]\d* right)+$")
        self.assertIn("gfx90a, 64 lanes", output)

    def test_wrong_kernels_are_found_out(self):
        wrong = {}
        for path in sorted((SOURCE / "tests/corpus/wrong_solutions").glob("*.hip")):
            flag = max((each for each in emulated_tests.PUZZLES if path.stem.startswith(f"{each}-")),
                       key=len, default=None)
            if flag:
                wrong.setdefault(flag, path)
        self.assertEqual(len(wrong), len(emulated_tests.PUZZLES))
        output = self.run_code("--arch", "gfx90a", *(word for flag, path in wrong.items()
                                                     for word in ("--kernel", f"{flag}={path}")), code=1)
        for flag in wrong:
            self.assertRegex(output, rf"(?m)^{flag} +FAIL, [1-9]\d* wrong")

    def test_a_kernel_that_writes_too_far(self):
        source = (SOURCE / "puzzles/neighbor/solution.hip").read_text()
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder) / "far.hip"
            path.write_text(source.replace("if (global_i < size) {", "if (global_i <= size) {"))
            output = self.run_code("--arch", "cdna", "--kernel", f"neighbor={path}", code=3)
        self.assertIn("the kernel wrote outside its buffer number 1", output)


if __name__ == "__main__":
    main()
