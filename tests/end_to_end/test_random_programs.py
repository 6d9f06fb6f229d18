#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Random small programs: warpz finds the faults of those that have one, and nothing in the others. What they have is
decided by trying their orders and values, and the deciding is tested here, too. A program of each kind of finding, with
--full thousands by scripts/score-random-programs."""

import pathlib
import subprocess
import sys
import tempfile
import unittest

from kernel_support import cache_with_headers
from puzzle_runs import PROGRAM, SOURCE
from sampling import long
from skips import main

sys.path.insert(0, str(SOURCE / "tests/random_programs"))

import blocks
import meetings
import memory
import orders
import rows
import values
import whole
from batch import Batch
from memory import Cell, Step

SEED = "a test's"
WORD = Cell("g", 0, "unsigned")
GIVER, TAKER, OTHER = (0, 3), (1, 40), (1, 41)


def program(*steps, blocks=2, host_writes=True):
    return memory.Program(32, blocks, 64, 16, 64, host_writes, (steps,))


def store(lane, cell=WORD):
    return Step("store", (lane,), cell, 1)


def load(lane, cell=WORD):
    return Step("load", (lane,), cell)


class OrdersTest(unittest.TestCase):
    """Of programs that people can judge."""

    def races(self, *steps, **shape):
        return orders.race(program(*steps, **shape)) is not None

    def test_a_flag_needs_a_fence_on_either_side(self):
        give, take = Step("set", (GIVER,), flag=0), Step("wait", (TAKER,), flag=0)
        own, others = Step("fence", (GIVER,)), Step("fence", (TAKER,))
        self.assertFalse(self.races(store(GIVER), own, give, take, others, load(TAKER)))
        self.assertTrue(self.races(store(GIVER), give, take, others, load(TAKER)))
        self.assertTrue(self.races(store(GIVER), own, give, take, load(TAKER)))
        self.assertTrue(self.races(own, store(GIVER), give, take, others, load(TAKER)), "the fence comes too early")
        # A barrier is as good as a fence behind the flag, for all lanes of the block, and not in front of it.
        barrier = Step("barrier")
        self.assertFalse(self.races(store(GIVER), own, give, take, barrier, load(OTHER)))
        self.assertTrue(self.races(store(GIVER), barrier, give, take, others, load(TAKER)))
        self.assertFalse(self.races(store((0, 9)), Step("fence", ((0, 9),)), barrier, give, take, barrier, load(OTHER)))

    def test_barriers_order_those_that_take_part(self):
        for a, b, step, is_race in (((0, 1), (0, 40), Step("barrier"), False), ((0, 1), (1, 1), Step("barrier"), True),
                                    ((0, 1), (0, 2), Step("syncwarp"), False), ((0, 1), (0, 40), Step("syncwarp"), True),
                                    ((0, 1), (0, 2), Step("syncwarp", mask=6), False),
                                    ((0, 1), (0, 2), Step("syncwarp", mask=5), True),
                                    ((0, 1), (0, 2), Step("shuffle"), True)):
            self.assertEqual(self.races(store(a), step, load(b)), is_race, (a, b, step))

    def test_a_lock_needs_both_its_fences(self):
        def lock(before, behind):
            return Step("lock", (GIVER, TAKER), flag=0, steps=(load(GIVER), store(GIVER)), fences=(before, behind))

        self.assertFalse(self.races(lock(True, True)))
        self.assertTrue(self.races(lock(False, True)))
        self.assertTrue(self.races(lock(True, False)))

    def test_the_last_one_sees_what_the_others_have_fenced(self):
        def last(before, behind):
            return Step("last", (GIVER, TAKER), flag=0, steps=(load(GIVER),), fences=(before, behind))

        self.assertFalse(self.races(store(GIVER), last(True, True)))
        self.assertTrue(self.races(store(GIVER), last(False, True)))
        self.assertTrue(self.races(store(GIVER), last(True, False)))

    def test_atomics_race_with_others_alone(self):
        add = Step("atomicAdd", (TAKER,), WORD, 1)
        self.assertFalse(self.races(Step("atomicAdd", (GIVER,), WORD, 1), add))
        self.assertTrue(self.races(load(GIVER), add))
        self.assertFalse(self.races(load(GIVER), load(TAKER)))
        self.assertFalse(self.races(store(GIVER), store(TAKER, WORD.moved(4))))
        self.assertTrue(self.races(store(GIVER), store(TAKER, Cell("g", 3, "uchar3"))), "they share a byte")

    def test_values_come_from_what_is_written_before(self):
        def unwritten(*steps, surely=False):
            return orders.unwritten_read(program(*steps, host_writes=False), surely) is not None

        barrier = Step("barrier")
        self.assertTrue(unwritten(load(GIVER)))
        self.assertFalse(unwritten(store(GIVER), load(GIVER)))
        self.assertTrue(unwritten(load(GIVER), store(GIVER)))
        self.assertFalse(unwritten(store((0, 4)), barrier, load(GIVER)))
        self.assertTrue(unwritten(store(GIVER, Cell("s", 0, "unsigned")), barrier, load(TAKER, Cell("s", 0, "unsigned"))),
                        "each block has its own")
        self.assertFalse(unwritten(store(GIVER, Cell("g", 0, "unsigned char")), load(GIVER)), "some of the bytes")
        last = Step("last", (GIVER, (0, 4)), flag=0, steps=(store(GIVER),))
        self.assertTrue(unwritten(last, load(GIVER)))
        self.assertFalse(unwritten(last, load(GIVER), surely=True))


class ValuesTest(unittest.TestCase):
    def test_shuffles_of_a_part_of_a_warp(self):
        def is_defined(operation, argument, mask, used_by):
            shuffle = values.Shuffle(operation, argument, 32, mask, "+", used_by)
            return values.ShuffleProgram(32, 32, (shuffle,)).is_defined()

        self.assertTrue(is_defined("__shfl_down", 1, 0xff, 0x7f))
        self.assertFalse(is_defined("__shfl_down", 1, 0xff, 0xff), "lane 7 reads lane 8")
        self.assertTrue(is_defined("__shfl_up", 1, 0xff, 0xff), "lane 0 keeps its own")
        self.assertFalse(is_defined("__shfl", 9, 0xff, 1))
        self.assertTrue(is_defined("__shfl_xor", 4, 0xff, 0xff))
        self.assertTrue(is_defined("__shfl", 9, 0xff, 0), "dropped")

    def test_atomics_in_every_order(self):
        def results(*changes):
            return len(values.AtomicProgram(32, 1, 1, (changes,)).results())

        self.assertEqual(results(values.Change(1, "atomicAdd", 0, 3, False), values.Change(2, "atomicAdd", 0, 4, False)), 1)
        self.assertEqual(results(values.Change(1, "atomicAdd", 0, 3, True), values.Change(2, "atomicAdd", 0, 4, False)), 2)
        self.assertEqual(results(values.Change(1, "atomicExch", 0, 3, False), values.Change(2, "atomicExch", 0, 4, False)), 2)

    def test_meetings(self):
        full, both = (1 << 32) - 1, 3

        def finding(*given):
            return meetings.MeetingProgram(32, 2, given).finding()

        barrier, vote = meetings.Meeting("barrier", full, both), meetings.Meeting("any", full, both, full)
        self.assertIsNone(finding(barrier, vote, barrier))
        self.assertEqual(finding(meetings.Meeting("barrier", full, 1), barrier), "diverged_barrier")
        self.assertEqual(finding(meetings.Meeting("any", full & ~1, both, full)), "diverged_collective")
        self.assertEqual(finding(meetings.Meeting("any", full, both, full & ~1)), "wrong_mask")
        self.assertEqual(finding(meetings.Meeting("return", 4, both), vote), "diverged_collective")
        self.assertIsNone(finding(meetings.Meeting("return", full, 1), barrier))

    def test_sums_and_buffers(self):
        for offset, warp, is_same in (("warpSize", "warpSize", True), (16, 32, True), (16, "warpSize", False)):
            one = whole.Sum(128, 7, offset, warp)
            self.assertEqual(one.result(32) == one.result(64), is_same, (offset, warp))
        for block, count in ((blocks.BLOCK, 1), (32, 3)):
            one = blocks.Blocks(32, 3, 200, (blocks.Term("index", block, 2, 1),))
            self.assertEqual(len(one.results()), count, block)
        calls = (("alloc", 0), ("write", 0), ("free", 0))
        self.assertEqual(whole.Buffers(calls).findings(), set())
        self.assertEqual(whole.Buffers(calls[:2]).findings(), {"leak"})
        self.assertEqual(whole.Buffers((*calls, ("free", 0), ("read", 0))).findings(), {"double_free", "use_after_free"})


@unittest.skipUnless(PROGRAM, "WARPZ_PROGRAM is not set")
class RandomProgramsTest(unittest.TestCase):
    def test_faults_are_found_and_nothing_else(self):
        """One of each kind, all in one source."""
        with tempfile.TemporaryDirectory() as folder:
            cache_with_headers(pathlib.Path(folder))
            programs = [row for row in rows.ROWS if row.batch is Batch]
            right = [case for row in programs if row.right for case in rows.cases(row, 1, 32, SEED, True)]
            faulty = [(row, case) for row in programs for case in rows.cases(row, 1, 32, SEED, False)]
            batch = Batch(PROGRAM, folder, right + [case for _, case in faulty], 32, memory.PRELUDE)
            self.assertEqual(batch.kinds(range(len(right))), {})
            numbered = list(enumerate(faulty, len(right)))
            together = batch.kinds([number for number, (row, _) in numbered if not row.alone])
            for number, (row, case) in numbered:
                if case.kind not in [kind for kind, _ in together.get(number, ())]:
                    found = batch.kinds((number,), row.options)[number]
                    self.assertIn(case.kind, [kind for kind, _ in found], f"{row.title}, c{number}")

    def test_kernels_that_are_run_in_blocks_of_all_sizes(self):
        with tempfile.TemporaryDirectory() as folder:
            cache_with_headers(pathlib.Path(folder))
            for row in (row for row in rows.ROWS if row.batch is blocks.KernelBatch):
                cases = rows.cases(row, 2, 32, SEED, True) + rows.cases(row, 2, 32, SEED, False)
                found = row.batch(PROGRAM, folder, cases, 32, row.prelude, row.options).all_kinds()
                self.assertEqual(sorted(found), [2, 3])
                for told in found.values():
                    self.assertIn(row.kind, [kind for kind, _ in told])

    @long
    def test_thousands(self):
        done = subprocess.run([SOURCE / "scripts/score-random-programs", "--program", PROGRAM, "--count", "500"],
                              capture_output=True, text=True, check=False)
        self.assertEqual(done.stderr, "")
        for line in done.stdout.splitlines():
            if not line.startswith("| ") or "---" in line or "kind" in line:
                continue
            _, title, alarms, found, _ = (each.strip() for each in line.split("|"))
            self.assertTrue(alarms in ("0 of 1000", "as above"), line)
            self.assertGreaterEqual(int(found.split()[0]), 990, f"{title}: {line}")


if __name__ == "__main__":
    main()
