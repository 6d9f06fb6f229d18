#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""In which order the emulator's wavefronts go on (scripts/lib/amd_code/scheduler.py), with instructions that are Python
functions; and how a launch's plan becomes arguments."""

import ctypes
import struct
import types
import unittest

from amd_objects import SOURCE  # noqa: F401  (puts scripts/lib on the path)
from skips import main

from amd_code import emulated_tests, launches, scheduler
from amd_code.problem import Problem

LANES = 4
EXEC = 6


class State:
    """A wavefront's registers: 4 lanes, EXEC in the scalar registers 6 and 7."""

    def __init__(self, place, number):
        self.place, self.number, self.wave_size, self.pc = place, number, LANES, 0
        self.scalars, self.vectors = {EXEC: 15, EXEC + 1: 0}, {}
        self.memory = ctypes.create_string_buffer(8)
        self.sgpr_buf = self.vgpr_buf = self.accvgpr_buf = types.SimpleNamespace(
            _buf=types.SimpleNamespace(va_addr=ctypes.addressof(self.memory)))

    def _read_sgpr(self, register):
        return self.scalars[register]

    def _read_vgpr(self, register, lane):
        return self.vectors.get((register, lane), 1000 * register + lane)

    def _write_vgpr(self, register, lane, value):
        self.vectors[register, lane] = value


class Machine:
    """Each instruction is one word, and stands for a name or a function of the wavefront that gives the next one."""

    ENDPGM_PC = 1
    EXEC_LO = types.SimpleNamespace(offset=EXEC)

    def __init__(self, *instructions):
        self.instructions, self.waves = instructions, {}
        self.code = ctypes.create_string_buffer(struct.pack(f"<{len(instructions) + 8}I", *range(len(instructions) + 8)))
        self.start = ctypes.addressof(self.code)

    def run(self, grid, block, lds_bytes=0):
        descriptor = types.SimpleNamespace(lds_bytes=lds_bytes, scratch_bytes=0, resources_2=0, keeps_denormals=True)
        launch = scheduler.Grid(self, "made up", grid, block, {})
        launch.prepare(self.start, descriptor, 0, [])
        launch.run()

    @staticmethod
    def _wave_size(_):
        return LANES

    def _init_wave(self, entry, first, _threads, _x, _y, _z, _arguments, _resources, _scratch, _isa, *place_and_more):
        state = State(place_and_more[:3], first // LANES)
        state.pc = entry
        self.waves[ctypes.addressof(state.memory)] = state
        return state

    def at(self, address):
        return self.instructions[(address - self.start) // 4]

    def decode_inst(self, data, _):
        instruction = self.instructions[struct.unpack_from("<I", data)[0]]
        return getattr(instruction, "decoded", types.SimpleNamespace(
            op=types.SimpleNamespace(name=instruction if isinstance(instruction, str) else "WORK"), size=lambda: 4))

    def _decode_at(self, address, _):
        def work(registers):
            state = self.waves[registers.value]
            to = self.at(address)(state)
            state.pc = self.ENDPGM_PC if to == "end" else address + (4 if to is None else 4 * to)
        return (types.SimpleNamespace(arg=types.SimpleNamespace(globals=(0,))), types.SimpleNamespace(fxn=work)), None


def end(_):
    return "end"


class TurnsTest(unittest.TestCase):
    def test_nobody_passes_a_barrier_before_all_are_there(self):
        for barrier in (("S_BARRIER",), ("S_BARRIER_SIGNAL", "S_BARRIER_WAIT")):
            seen, here = [], {}

            def write(state):
                here.setdefault(state.place, []).append(state.number)

            def read(state):
                seen.append(sorted(here[state.place]))

            def second(state):
                seen.append([each for each in here[state.place] if here[state.place].count(each) == 2])

            Machine(write, *barrier, read, *barrier, write, *barrier, second, end).run((3, 1, 1), (18, 1, 1))
            self.assertEqual(seen.count([0, 1, 2, 3, 4]), 15)
            self.assertEqual([sorted(set(each)) for each in seen if len(each) == 10], [[0, 1, 2, 3, 4]] * 15)

    def test_who_has_ended_is_not_waited_for(self):
        passed = []
        Machine(lambda state: 3 if state.number == 1 else None, "S_BARRIER", lambda state: passed.append(state.number),
                end).run((1, 1, 1), (12, 1, 1))
        self.assertEqual(sorted(passed), [0, 2])

    def test_one_may_wait_in_memory_for_a_later_wavefront_and_a_later_block(self):
        flags, order, looked = set(), [], []

        def wait(state):
            looked.append(state)
            self.assertLess(len(looked), 10000, "they wait for ever")
            follows = state.place[0] * 2 + state.number + 1
            if follows < 6 and follows not in flags:
                return 0
            flags.add(follows - 1)
            order.append(follows - 1)
            return None

        Machine(wait, end).run((3, 1, 1), (8, 1, 1))
        self.assertEqual(order, [5, 4, 3, 2, 1, 0])

    def test_all_blocks_of_a_large_grid_run(self):
        places = []
        Machine(lambda state: places.append(state.place), end).run((9, 5, 2), (4, 1, 1))
        self.assertEqual(sorted(places), sorted((x, y, z) for x in range(9) for y in range(5) for z in range(2)))

    def test_the_order_is_the_same_again_and_no_wavefront_just_goes_first(self):
        def turns():
            seen = []
            steps = [lambda state: seen.append(state.number)] * 100
            Machine(*steps, end).run((1, 1, 1), (16, 1, 1))
            return seen

        first = turns()
        self.assertEqual(first, turns())
        self.assertGreater(sum(a != b for a, b in zip(first, first[1:])), 8)


class AddressesTest(unittest.TestCase):
    def access(self, active):
        """What the lanes' address register held when LDS was accessed, and afterwards."""
        seen = []

        def load(state):
            seen.append([state._read_vgpr(2, lane) for lane in range(LANES)])
            seen.append(state)

        class DS:  # the emulator's name for the format
            op, addr = types.SimpleNamespace(name="DS_LOAD_B32"), types.SimpleNamespace(offset=256 + 2)

            @staticmethod
            def size():
                return 4

        load.decoded = DS()

        def choose(state):
            state.scalars[EXEC] = active

        Machine(choose, load, end).run((1, 1, 1), (4, 1, 1))
        return seen[0] if seen else None, seen and [seen[1]._read_vgpr(2, lane) for lane in range(LANES)]

    def test_lanes_outside_exec_give_no_address(self):
        self.assertEqual(self.access(0b0101), ([2000, 2002, 2002, 2002], [2000, 2001, 2002, 2003]))
        self.assertEqual(self.access(0b1111), ([2000, 2001, 2002, 2003],) * 2)
        self.assertEqual(self.access(0), (None, []))

    def test_cache_control(self):
        for word, isa, expected in ((0xE0FC0000, "cdna", True), (0xE0A48000, "cdna", True), (0xE0AC0000, "rdna3", True),
                                    (0xE0B00000, "rdna3", True), (0xE0500000, "cdna", False),
                                    (0xE0500000, "rdna3", False), (0xE0AC0000, "rdna4", False)):
            self.assertEqual(scheduler.is_cache_control(word, isa), expected, hex(word))


class PlanTest(unittest.TestCase):
    RUN = {"puzzle": "p", "launch": {"kernel": "k", "grid": [2, 3], "block": [4, 5], "output": 2, "inputs": [2, 3],
                                     "state": 1, "counts": [7, -8]}}

    def test_arguments(self):
        plan = launches.parsed(self.RUN)
        self.assertEqual((plan.kernel, plan.grid, plan.block), ("k", (2, 3), (4, 5)))
        self.assertEqual(plan.of_kinds(True), ["global_buffer"] * 4 + ["by_value"] * 3)
        self.assertEqual(plan.of_kinds(False), ["global_buffer"] * 4 + ["by_value"] * 2)
        arguments = emulated_tests.arguments_of(plan, [1.0, 2.0, 3.0, 4.0], 5.0)
        self.assertEqual(arguments, (
            ("buffer", emulated_tests.UNWRITTEN * 2), ("buffer", struct.pack("<2f", 1, 2)),
            ("buffer", struct.pack("<3f", 3, 4, 0)), ("buffer", bytes(4)), ("scalar", struct.pack("<i", 7)),
            ("scalar", struct.pack("<i", -8)), ("scalar", struct.pack("<f", 5))))

    def test_what_has_neither_state_nor_pivot(self):
        run = {"launch": self.RUN["launch"] | {"state": 0, "inputs": [1]}}
        arguments = emulated_tests.arguments_of(launches.parsed(run), [1.0], None)
        self.assertEqual([kind for kind, _ in arguments], ["buffer", "buffer", "scalar", "scalar"])

    def test_a_program_that_says_nothing(self):
        for program, words in (("/does/not/exist", "does not run"), ("/bin/true", "does not say how")):
            with self.assertRaisesRegex(Problem, words) as caught:
                launches.Launches(["neighbor"], program).plan("neighbor", 32)
            self.assertEqual(caught.exception.code, 4)


if __name__ == "__main__":
    main()
