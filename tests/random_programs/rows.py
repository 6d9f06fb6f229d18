# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Random programs for each kind of finding of docs/checks.md: right ones, and ones with a fault. Whether a program has
the fault is decided by trying its orders and values (`orders`, `values`, `meetings`, `whole`), not by how it was made."""

import dataclasses
import random

import blocks
import meetings
import memory
import orders
import values
import whole
from batch import Batch, Case

TRIES = 40  # of a fault in one program


@dataclasses.dataclass(frozen=True)
class Row:
    kind: str
    right: object  # (rng, warp_size): a program, or None; None: another row has them
    faulty: object  # the same
    name: str = None  # None: the kind's
    options: tuple = ()
    other_options: tuple = ()  # for what is not found at first
    alone: bool = False  # each faulty one is run by itself
    prelude: str = ""
    batch: type = Batch  # how they are run

    @property
    def title(self):
        return self.name or self.kind


def is_ordered(program, launch=None, step=0):
    return (orders.race(program, launch, step) is None
            and orders.unwritten_read(program, False, launch, step) is None)


def right_memory(rng, warp_size):
    return memory.Maker(rng, warp_size, is_ordered).make()


def fault_in_memory(change, has_fault):
    def make(rng, warp_size):
        program = right_memory(rng, warp_size)
        for _ in range(TRIES):
            changed = change(rng, program)
            if changed is not None and has_fault(changed):
                return changed
        return None

    return make


def is_unwritten(program):
    return orders.race(program) is None and orders.unwritten_read(program, True) is not None


def is_crooked(program):
    return memory.is_crooked(program) and not memory.is_outside(program)


def chosen(make, is_meant):
    def one(rng, warp_size):
        for _ in range(TRIES):
            program = make(rng, warp_size)
            if is_meant(program):
                return program
        return None

    return one


def shuffles(has_variable, is_right):
    return chosen(lambda rng, warp_size: values.shuffle_program(rng, warp_size, has_variable),
                  lambda program: program.is_defined() == is_right)


def atomics(is_right):
    return chosen(values.atomic_program, lambda program: (len(program.results()) == 1) == is_right)


def meeting_fault(kind):
    return chosen(lambda rng, warp_size: meetings.with_fault(rng, meetings.right_program(rng, warp_size)),
                  lambda program: program.finding() == kind)


def buffer_fault(kind):
    return chosen(lambda rng, _: whole.misused(rng, whole.right_buffers(rng)), lambda program: program.findings() == {kind})


def launches(is_right):
    return chosen(lambda rng, _: whole.random_launch(rng), lambda program: program.is_accepted() == is_right)


def sums(is_right):
    return chosen(lambda rng, _: whole.random_sum(rng), lambda program: (program.result(32) == program.result(64)) == is_right)


def block_sizes(is_right):
    return chosen(blocks.random_blocks, lambda program: (len(program.results()) == 1) == is_right)


def memory_row(kind, change, has_fault, right=None, other_options=()):
    return Row(kind, right, fault_in_memory(change, has_fault), prelude=memory.PRELUDE, other_options=other_options)


ORDERS = ("--schedules", "20")
ROWS = (
    memory_row("data_race", memory.racy, lambda program: orders.race(program) is not None, right_memory,
               ORDERS),
    memory_row("out_of_bounds", memory.outside, memory.is_outside),
    memory_row("misaligned", memory.crooked, is_crooked),
    memory_row("uninitialised_read", memory.unwritten, is_unwritten),
    Row("undefined_lane_value", shuffles(False, True), shuffles(False, False), alone=True),
    Row("undefined_lane_value", shuffles(True, True), shuffles(True, False), "variable never set", alone=True),
    Row("schedule_dependence", atomics(True), atomics(False), options=ORDERS, alone=True),
    Row("block_size_dependence", block_sizes(True), block_sizes(False), options=("--schedules", "8"),
        batch=blocks.KernelBatch),
    Row("diverged_collective", meetings.right_program, meeting_fault("diverged_collective")),
    Row("diverged_barrier", None, meeting_fault("diverged_barrier")),
    Row("wrong_mask", None, meeting_fault("wrong_mask")),
    Row("invalid_launch", launches(True), launches(False)),
    Row("use_after_free", lambda rng, _: whole.right_buffers(rng), buffer_fault("use_after_free")),
    Row("double_free", None, buffer_fault("double_free")),
    Row("leak", None, buffer_fault("leak")),
    Row("warp_size_dependence", sums(True), sums(False), options=("--warp-size", "both"), alone=True),
)


def text_of(program):
    """For a Case."""
    if isinstance(program, memory.Program):
        return lambda name: memory.text_of(program, name)
    return program.text


def made(make, count, warp_size, seed):
    """So many programs; each by a seed of its own, so that it can be made again."""
    programs = []
    number = 0
    while len(programs) < count:
        number += 1
        program = make(random.Random(f"{seed} {warp_size} {number}"), warp_size)
        if program is not None:
            programs.append(program)
    return programs


def cases(row, count, warp_size, seed, is_right):
    make = row.right if is_right else row.faulty
    return [Case(text_of(program), None if is_right else row.kind, getattr(program, "size", None))
            for program in made(make, count, warp_size, f"{seed} {row.title} {is_right}")]
