#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The GPUs of scripts/lib/amd_code/several_gpus.py, whose kernels are Python functions here: in which order their streams
go on, and what is said of them. And what the tests of the operations over several GPUs call wrong."""

import contextlib
import ctypes
import math
import random
import struct
import unittest

from amd_objects import SOURCE  # noqa: F401  (puts scripts/lib on the path)
from skips import main

from amd_code import distributed_tests
from amd_code.problem import Problem
from amd_code.several_gpus import Gpus

TURNS = 50


class Kernel:
    """One that calls `act` in each of its turns."""

    def __init__(self, act):
        self.act, self.turns = act, 0

    flushing = staticmethod(contextlib.nullcontext)

    def take_turn(self, _):
        self.act(self.turns)
        self.turns += 1
        return self.turns < TURNS


def words(buffer, count):
    return list((ctypes.c_uint32 * count).from_address(buffer))


class GpusTest(unittest.TestCase):
    def gpus(self, hurrying=None, **kernels):
        """Each kernel is a function of the turn."""
        return Gpus(lambda name, _grid, _block, given: Kernel(kernels[name]), hurrying)

    def launch(self, gpus, stream, name):
        gpus.launch(stream, name.encode(), (1, 1, 1), (1, 1, 1), None)

    def order(self, *steps, hurrying=None):
        """Which kernel had a turn when. A step is (stream, kernel), or an event that is recorded or waited for."""
        seen = []
        gpus = self.gpus(hurrying, **{name: lambda _, name=name: seen.append(name) for name in "abc"})
        for stream, what, *event in steps:
            if event:
                getattr(gpus, what)(stream, event[0])
            else:
                self.launch(gpus, stream, what)
        self.assertEqual(seen, [])
        gpus.end()
        self.assertEqual({name: seen.count(name) for name in set(seen)}, {name: TURNS for name in set(seen)})
        return "".join(seen)

    def test_kernels_of_one_stream_run_one_after_the_other_and_of_several_at_once(self):
        self.assertEqual(self.order((1, "a"), (1, "b")), "a" * TURNS + "b" * TURNS)
        seen = self.order((1, "a"), (2, "b"))
        self.assertGreater(sum(one != other for one, other in zip(seen, seen[1:])), TURNS / 2)
        self.assertEqual(seen, self.order((1, "a"), (2, "b")))

    def test_who_waits_for_one_stream_does_not_wait_for_another(self):
        seen = []
        gpus = self.gpus(1, a=lambda _: seen.append("a"), b=lambda _: seen.append("b"))
        self.launch(gpus, 1, "a")
        self.launch(gpus, 2, "b")
        gpus.synchronize(2)
        self.assertEqual(seen.count("b"), TURNS)
        self.assertLess(seen.count("a"), TURNS)
        gpus.synchronize(1)
        self.assertEqual(seen.count("a"), TURNS)

    def test_one_stream_in_a_hurry(self):
        for hurrying, first in ((0, "a"), (1, "b")):
            seen = self.order((4, "a"), (5, "b"), hurrying=hurrying)
            self.assertGreater(seen[:TURNS].count(first), 0.7 * TURNS)

    def test_who_waits_for_an_event_begins_when_it_was_recorded(self):
        seen = self.order((1, "a"), (1, "record", 7), (2, "wait", 7), (2, "b"), (1, "c"))
        self.assertGreater(seen.index("b"), seen.rindex("a"))
        self.assertLess(seen.index("b"), seen.rindex("c"))
        # One that is recorded again meanwhile is waited for where it was before.
        seen = self.order((1, "a"), (1, "record", 7), (2, "wait", 7), (1, "c"), (1, "record", 7), (2, "b"))
        self.assertLess(seen.index("b"), seen.rindex("c"))

    def test_a_kernel_may_wait_for_one_of_another_gpu(self):
        said, heard = [], []

        def listen(_):
            if said:
                heard.append(len(said))

        gpus = self.gpus(0, ask=listen, tell=said.append)
        self.launch(gpus, 1, "ask")
        self.launch(gpus, 2, "tell")
        gpus.end()
        self.assertTrue(heard)

    def test_memory(self):
        gpus = self.gpus()
        one, other = gpus.allocate(0, 16), gpus.allocate(1, 16)
        self.assertEqual((one % 256, words(one, 4)), (0, [0xADADADAD] * 4))
        gpus.fill(0, one, 1, 8)  # at once
        gpus.copy(3, other, one, 12)
        gpus.fill(3, one, 2, 4)
        self.assertEqual(words(one, 3), [0x01010101, 0x01010101, 0xADADADAD])
        gpus.release(one)
        self.assertEqual(words(other, 3), [0x01010101, 0x01010101, 0xADADADAD])
        gpus.end()

    def test_what_all_gather(self):
        places = []

        def write(number):
            return lambda _: ctypes.memset(places[number] + 4 * number, 10 + number, 4)

        gpus = self.gpus(2, a=write(0), b=write(1), c=write(2))
        places += [gpus.allocate(gpu, 12) for gpu in range(3)]
        for rank, name in enumerate("abc"):
            self.launch(gpus, 1 + rank, name)
            gpus.gather(1 + rank, 1, rank, 3, places[rank] + 4 * rank, places[rank], 4)
        gpus.end()
        self.assertEqual([words(each, 3) for each in places], [[0x0A0A0A0A, 0x0B0B0B0B, 0x0C0C0C0C]] * 3)

    def test_what_is_written_outside_a_buffer_is_told(self):
        for offset in (-1, 16):
            gpus = self.gpus(a=lambda _, offset=offset: ctypes.memset(place + offset, 0, 1))
            place = gpus.allocate(1, 16)
            self.launch(gpus, 1, "a")
            with self.assertRaisesRegex(Problem, "outside a buffer of 16 bytes of GPU 1"):
                gpus.end()

    def test_trouble_is_kept_for_who_called_the_program(self):
        def break_down(_):
            raise Problem("an instruction it does not know")

        gpus = self.gpus(a=break_down)
        self.launch(gpus, 1, "a")
        self.assertNotEqual(gpus.functions.synchronize(1), 0)
        self.assertNotEqual(gpus.functions.synchronize(1), 0)
        self.assertIsNone(gpus.functions.allocate(0, 16))
        self.assertEqual(str(gpus.trouble), "an instruction it does not know")


class JudgeTest(unittest.TestCase):
    def case(self, operation, kind, what, content, gpus=(0, 1)):
        size = len(content) // distributed_tests.bytes_of(kind)
        return distributed_tests.Case(operation, kind, gpus, size, what, content, None)

    def answer(self, output, counts=()):
        return struct.pack(f"<{len(counts)}Q", *counts).ljust(8 * distributed_tests.COUNTS, b"\0") + output

    def test_sums(self):
        case = self.case("sum", "u32", "random", struct.pack("<3I", 0xFFFFFFFF, 1, 5))
        self.assertIsNone(case.judge(self.answer(struct.pack("<3I", 5, 5, 5))))
        for wrong in ((5, 6, 5), (5, 5, 6), (6, 6, 6)):
            self.assertIn("sums", case.judge(self.answer(struct.pack("<3I", *wrong))))

    def test_sums_that_round(self):
        case = self.case("prefix_sum", "f32", "thirds", struct.pack("<2f", 1 / 3, 1e-9))
        sums = struct.pack("<2f", 1 / 3, 1 / 3)
        self.assertIsNone(case.judge(self.answer(sums * 2)))
        self.assertIn("one GPU has", case.judge(self.answer(sums + struct.pack("<2f", 1 / 3, 0.3333334))))
        self.assertIn("far from", case.judge(self.answer(struct.pack("<2f", 1 / 3, 0.3334) * 2)))

    def test_scans(self):
        content = struct.pack("<3q", 7, -9, 5)
        inclusive, exclusive = (self.case(name, "i64", "random", content) for name in (
            "prefix_sum", "exclusive_prefix_sum"))
        self.assertIsNone(inclusive.judge(self.answer(struct.pack("<3q", 7, -2, 3) * 2)))
        self.assertIn("instead of -2", inclusive.judge(self.answer(struct.pack("<3q", 7, 0, 3) * 2)))
        self.assertIsNone(exclusive.judge(self.answer(struct.pack("<3q", 0, 7, -2))))
        self.assertIn("instead of 0", exclusive.judge(self.answer(struct.pack("<3q", 7, 7, -2))))

    def test_splits(self):
        content = struct.pack("<5I", 1, 3, 6, 9, 2)
        partition, compact = (self.case(name, "u32", "random", content) for name in ("partition", "compact"))
        counts, left = (4, 1, 3, 0, 3, 0), b"\xad" * 4
        self.assertIsNone(partition.judge(self.answer(struct.pack("<5I", 3, 6, 9, 1, 2), counts)))
        self.assertIsNone(compact.judge(self.answer(struct.pack("<3I", 3, 6, 9) + 2 * left, counts)))
        for case, output, told, words in (
                (partition, struct.pack("<5I", 3, 6, 9, 2, 1), counts, "parts: 2 of 5"),
                (partition, struct.pack("<5I", 3, 6, 9, 1, 2), (4, 1, 3, 0, 3, 1), "numbers of chosen ones"),
                (partition, struct.pack("<5I", 3, 6, 9, 1, 2), (4, 2, 3, 0, 3, 0), "parts of (4, 2)"),
                (compact, struct.pack("<4I", 3, 6, 9, 1) + left, counts, "parts: 1 of 5")):
            self.assertIn(words, case.judge(self.answer(output, told)))

    def test_sorts(self):
        nothing, other = 0x7FC00001, 0xFFC00002
        keys = [nothing, 0x80000000, 0, other, 0x3F800000, 0xBF800000]
        case = self.case("merging_sort", "f32", "random", struct.pack("<6I", *keys))
        in_order = [0xBF800000, 0x80000000, 0, 0x3F800000, nothing, other]
        self.assertIsNone(case.judge(self.answer(struct.pack("<6I", *in_order))))
        for one, two in ((1, 2), (4, 5), (0, 3)):
            wrong = [*in_order]
            wrong[one], wrong[two] = wrong[two], wrong[one]
            self.assertIn("2 of 6", case.judge(self.answer(struct.pack("<6I", *wrong))))

    def test_cases(self):
        """Of each operation some in which GPUs have nothing, and some for each of the streams to be in a hurry."""
        cases = list(distributed_tests.cases(False))
        for operation, kind in distributed_tests.OPERATIONS:
            of_one = [each for each in cases if (each.operation, each.kind) == (operation, kind)]
            self.assertIn(1, [each.size for each in of_one])
            self.assertEqual({each.hurrying for each in of_one}, {None, 0, 1})
            self.assertIn((0, 0), [each.gpus for each in of_one])
            self.assertEqual({len(each.content) // distributed_tests.bytes_of(kind) - each.size for each in of_one}, {0})
        self.assertTrue(any(math.isnan(each) for each in distributed_tests.unpack("f64", distributed_tests.numbers(
            "merging_sort", "f64", 9, "random", random.Random(1)))))


if __name__ == "__main__":
    main()
