# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What is run in the emulator, and what has to come out: the puzzles against their models and expected/, the device
library's operations against tests/amd/models.py. Every puzzle that has a model and every kernel of tests/amd takes
part. Owns no expected value itself."""

import itertools
import re
import struct
import sys
from dataclasses import dataclass, field
from typing import Callable, Optional

from . import disassembly, distributed_tests
from .emulator import Call, Failure, Launch
from .problem import Problem
from .toolchain import SOURCE

sys.path[:0] = [str(SOURCE / "tests/models"), str(SOURCE / "tests/amd")]

import adversarial  # noqa: E402
import models  # noqa: E402
from floats import f32  # noqa: E402
from puzzles import PUZZLES  # noqa: E402
from splitmix import random_numbers  # noqa: E402

SMALLEST_NORMAL = 2.0**-126
DISTRIBUTED = [SOURCE / "tests/amd/distributed" / name for name in ("operations.hip", "runtime.hip")]
UNWRITTEN = struct.pack("<I", 0x7FC0DEAD)  # a NaN that nothing computes


@dataclass(frozen=True)
class Test:
    """One launch, or one call of a program; `judge` says what is wrong with the output, or None. With a `gap` the
    emulator is known to be wrong there, so it is not run."""

    name: str
    launch: Launch
    judge: Callable
    gap: Optional[str] = None
    row: str = ""  # of the table, behind the subject's name
    kernel: str = ""  # of the report


@dataclass(frozen=True)
class Subject:
    """A row of the report: a puzzle or an operation, and where its kernel comes from."""

    name: str
    source: object
    tests: Callable  # (code object, warp size, options) -> tests


@dataclass(frozen=True)
class Amount:
    """How much is tried."""

    random: int
    full: bool


def sizes(warp_size):
    """Array lengths that the random inputs take in turn: one element, partial warps, several blocks."""
    return (1, warp_size, 3 * warp_size + 5, warp_size - 1, 2, warp_size + 1, 20, 4 * warp_size, 70)


def floats(content):
    return [number for (number,) in struct.iter_unpack("<f", content)]


def as_bytes(numbers):
    return struct.pack(f"<{len(numbers)}f", *numbers)


def first_difference(wrong, output, expected):
    i = wrong[0]
    return f"{len(wrong)} of {len(expected)} elements are wrong, the first at {i}: {output[i]!r} instead of {expected[i]!r}"


def exact_judge(expected):
    """Bit for bit."""
    def judge(content):
        if content == as_bytes(expected):
            return None
        output = floats(content)
        wrong = [i for i in range(len(expected)) if content[4 * i : 4 * i + 4] != as_bytes(expected)[4 * i : 4 * i + 4]]
        return first_difference(wrong, output, expected)
    return judge


def tolerant_judge(puzzle, numbers, pivot, warp_size):
    """As the puzzle compares: for inputs on which the order of summation shows, or the sign of a zero."""
    def judge(content):
        output = [None if content[4 * i : 4 * i + 4] == UNWRITTEN else number
                  for i, number in enumerate(floats(content))]
        wrong = puzzle.differences(output, numbers, warp_size, pivot)
        return first_difference(wrong, output, puzzle.expected(numbers, warp_size, pivot)) if wrong else None
    return judge


def documented_output(flag, warp_size):
    """The numbers that expected/ says a run prints: from the front, and of a long list from the end."""
    path = SOURCE / f"expected/warp{warp_size}/{flag}.txt"
    line = re.search(r"^output: (?:HostBuffer\()?\[(.*?)\]", path.read_text(), re.MULTILINE)
    if not line:
        raise Problem(f"{path} has no line with the output")
    front, _, end = line[1].partition(", ..., ")
    return tuple([f32(float(number)) for number in part.split(", ")] if part else None for part in (front, end))


def documented_judge(flag, warp_size, expected):
    """Bit for bit what the model says, and what expected/ has."""
    by_model, (front, end) = exact_judge(expected), documented_output(flag, warp_size)

    def judge(content):
        output = floats(content)
        as_printed = output == front if end is None else (
            (output[: len(front)], output[-len(end):]) == (front, end))
        return by_model(content) or (None if as_printed else f"not what expected/warp{warp_size}/{flag}.txt has")

    return judge


def gap_of(instructions, numbers):
    """Why the emulator can't judge a kernel of these instructions on these floats, or None."""
    if any(0 < abs(number) < SMALLEST_NORMAL for number in numbers) and any(
            each.name == "v_div_scale_f32" for each in instructions):
        return "the emulator's v_div_scale_f32 does not scale a denormal numerator"
    if any(each.is_long_dpp and each.name != "v_add_co_u32" for each in instructions):
        return "the emulator does not know primitives in the long encoding"
    return None


def kernel_named(code_object, function):
    found = [kernel for kernel in code_object.kernels if kernel.function == function]
    if len(found) != 1:
        names = ", ".join(kernel.function for kernel in code_object.kernels) or "none"
        raise Problem(f"{code_object.where}: it needs one kernel called {function}; those it has: {names}")
    return found[0]


def shared_out(numbers, plan):
    """The inputs: the numbers one after the other, and zeros where they end."""
    padded, found = list(numbers) + [0.0] * (sum(plan.inputs) - len(numbers)), []
    for count in plan.inputs:
        found.append(as_bytes(padded[:count]))
        del padded[:count]
    return found


def arguments_of(plan, numbers, pivot):
    state = [("buffer", bytes(4 * plan.state))] if plan.state else []
    return (("buffer", UNWRITTEN * plan.output), *(("buffer", each) for each in shared_out(numbers, plan)), *state,
            *(("scalar", struct.pack("<i", count)) for count in plan.counts),
            *([] if pivot is None else [("scalar", struct.pack("<f", pivot))]))


def puzzle_tests(flag, variant, launches):
    """Of the puzzle's kernel of this variant, or of one that takes its place."""
    puzzle, file = PUZZLES[flag], "solution.hip" if variant == "warp" else f"{variant}.hip"
    function = re.search(r"^WARPZ_KERNEL\((\w+)\);", (SOURCE / f"puzzles/{flag}/{file}").read_text(), re.MULTILINE)[1]

    def tests(code, warp_size, amount):
        kernel = kernel_named(code, function)
        instructions = disassembly.instructions(code, kernel)
        kinds = [argument.kind for argument in kernel.arguments if not argument.kind.startswith("hidden_")]

        def test(name, numbers, judge, pivot=None, size=None):
            plan = launches.plan(flag, warp_size, size, variant)
            if kinds != plan.of_kinds(puzzle.pivot is not None):
                raise Problem(f"{function} takes other arguments than puzzles/{flag}/{file}")
            arguments = arguments_of(plan, numbers, puzzle.pivot if pivot is None else pivot)
            return Test(name, Launch(code.path, kernel.name, (*plan.grid, 1), (*plan.block, 1), arguments), judge,
                        gap_of(instructions, numbers))

        numbers = puzzle.numbers(puzzle.size(warp_size))
        shape = puzzle.shape
        yield test("the documented input", numbers,
                   documented_judge(flag, warp_size, puzzle.expected(numbers, warp_size, shape=shape)))
        # Quarters: their sums are exact, in whatever order; fractions of them are not.
        for seed, size in zip(range(1, amount.random + 1), itertools.cycle(sizes(warp_size))):
            numbers = random_numbers(seed, size)
            judge = (tolerant_judge(puzzle, numbers, None, warp_size) if puzzle.has_fractions
                     else exact_judge(puzzle.expected(numbers, warp_size)))
            yield test(f"{size} random numbers of seed {seed}", numbers, judge, size=size)
        for given in adversarial.inputs(warp_size):
            yield test(given.name, given.numbers, tolerant_judge(puzzle, given.numbers, given.pivot, warp_size),
                       given.pivot, len(given.numbers))

    return tests


def operation_tests(code, warp_size, amount):
    """Tests for all kernels of one code object of tests/amd."""
    for kernel in code.kernels:
        operation = models.operation(kernel.function)
        if not operation:
            raise Problem(f"{kernel.function}: tests/amd/models.py has no model for it")
        gap = gap_of(disassembly.instructions(code, kernel), ())
        for run in models.runs(operation, warp_size, amount.full):
            expected = run.expected(operation, warp_size)

            def judge(content, operation=operation, expected=expected):
                output = models.unpack(operation.output_kind, content)
                wrong = models.differences(operation, output, expected)
                return first_difference(wrong, output, expected) if wrong else None

            unwritten = b"\xad" * len(models.pack(operation.output_kind, expected))
            yield Test(f"{kernel.function} with {run.grid[0]} blocks of {'x'.join(map(str, run.block))}",
                       Launch(code.path, kernel.name, run.grid, run.block, (
                           ("buffer", unwritten), ("buffer", models.pack(operation.kind, run.values)),
                           ("buffer", models.pack("u32", run.numbers)))), judge, gap, operation.name, kernel.function)


def gap_of_operation(code, operation, kind):
    """The gap of those kernels that add up values of this type; others have none."""
    letter = {"u32": "j", "i64": "l", "f32": "f", "f64": "d"}[kind]
    name = "reduce_parts|reduce_results|sum_on_one" if operation == "sum" else "scan_parts|scan_on_one"
    gaps = (gap_of(disassembly.instructions(code, kernel), ()) for kernel in code.kernels
            if re.search(rf"\d(?:{name})I(?:Lb[01]E)?{letter}", kernel.name))
    return next(filter(None, gaps), None) if operation.endswith("sum") else None


def distributed_subject(program):
    """The device library's operations over several GPUs. `program` is the shared library of their host code."""
    def tests(code, _, amount):
        gaps = {}
        for case in distributed_tests.cases(amount.full):
            key = case.operation, case.kind
            if key not in gaps:
                gaps[key] = gap_of_operation(code, *key)
            call = Call(code.path, program, case.function, case.gpus, case.size, case.content, case.output_bytes,
                        case.hurrying)
            yield Test(case.name, call, case.judge, gaps[key], case.operation, f"distributed_{case.function}")

    return Subject("several GPUs", DISTRIBUTED[0], tests)


def library_subjects():
    """The device library's operations."""
    return [Subject(path.stem, path, operation_tests) for path in sorted((SOURCE / "tests/amd").glob("*.hip"))]


def subjects(flags, other_kernels, launches):
    """What to run: the puzzles of these flags, or everything where there are none. `other_kernels` maps flags to the
    files that take the solutions' places."""
    unknown = (set(flags) | set(other_kernels)) - set(PUZZLES)
    if unknown:
        raise Problem(f"there is no puzzle {', '.join(sorted(unknown))}; there are: {', '.join(PUZZLES)}")
    found = []
    for flag in [flag for flag in PUZZLES if flag in set(flags) | set(other_kernels)] or PUZZLES:
        folder = SOURCE / f"puzzles/{flag}"
        found.append(Subject(flag, other_kernels.get(flag, folder / "solution.hip"),
                             puzzle_tests(flag, "warp", launches)))
        for variant in ("shared", "tuned"):
            if flag not in other_kernels and (folder / f"{variant}.hip").is_file():
                found.append(Subject(f"{flag}, {variant}", folder / f"{variant}.hip",
                                     puzzle_tests(flag, variant, launches)))
    if not flags and not other_kernels:
        found += library_subjects()
    return found


@dataclass
class Result:
    """Of one subject on one architecture."""

    passed: int
    wrong: list
    broken: list
    not_judged: dict  # why, and the names of those
    kernels: dict = field(default_factory=dict)  # of several: how many launches of each are right, wrong, not judged

    def count(self, test, verdict):
        of_kernel = self.kernels.setdefault(test.kernel, {"right": 0, "wrong": 0, "not judged": 0})
        of_kernel[verdict] += 1

    @property
    def verdict(self):
        return "FAIL" if self.wrong or self.broken else "OK" if self.passed else ""

    def __str__(self):
        counts = ((len(self.wrong), "wrong"), (len(self.broken), "broken"), (self.passed, "right"),
                  (sum(map(len, self.not_judged.values())), "not judged"))
        return ", ".join([*filter(None, [self.verdict]), *(f"{count} {label}" for count, label in counts if count)])


def run_tests(emulator, tests, most_broken=3):
    """Runs the tests; after several launches that did not end, the others are not tried. The results by row."""
    results = {}
    for test in tests:
        result = results.setdefault(test.row, Result(0, [], [], {}))
        if test.gap:
            result.not_judged.setdefault(test.gap, []).append(test.name)
            result.count(test, "not judged")
            continue
        try:
            told = test.judge(emulator.run(test.launch)[0])
        except Failure as failure:
            result.broken.append(f"{test.name}: {failure}")
            result.count(test, "wrong")
            if sum(len(each.broken) for each in results.values()) >= most_broken:
                result.broken.append("the rest was not tried")
                break
            continue
        if told:
            result.wrong.append(f"{test.name}: {told}")
        else:
            result.passed += 1
        result.count(test, "wrong" if told else "right")
    return results
