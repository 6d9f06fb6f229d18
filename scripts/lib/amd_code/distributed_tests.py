# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What the operations over several GPUs (tests/amd/distributed/operations.hip) have to give, from the documentation of
warpz/distributed.hpp alone: lists are added up, chosen from and sorted by Python. Integers, and floats whose sums are
exact, bit for bit; sums that round have the bits of one GPU's, which operations.hip appends, and are near the exact
ones."""

import itertools
import math
import random
import struct
from dataclasses import dataclass

LAYOUTS = {"u32": "I", "i64": "q", "f32": "f", "f64": "d"}
RAW = {4: "I", 8: "Q"}
COUNTS = 512  # words in front of the output
UNWRITTEN = 0xAD
# Bytes of what a block takes at once: tests/unit/device has the same cases for the CPU. Tests are around them.
REDUCE_CHUNK, SCAN_TILE, SPLIT_TILE, MERGE_TILE = 65536, 45056, 32768, 32768
SCAN_STRIPE = 8 * SCAN_TILE
OPERATIONS = (("sum", "f32"), ("sum", "u32"), ("sum", "i64"), ("sum", "f64"), ("prefix_sum", "f32"),
              ("prefix_sum", "i64"), ("prefix_sum", "f64"), ("exclusive_prefix_sum", "u32"), ("partition", "f32"),
              ("partition", "i64"), ("compact", "u32"), ("compact", "f64"), ("merging_sort", "u32"),
              ("merging_sort", "f64"), ("exchanging_sort", "f32"), ("exchanging_sort", "i64"))


def bytes_of(kind):
    return struct.calcsize(LAYOUTS[kind])


def pack(kind, values):
    return struct.pack(f"<{len(values)}{LAYOUTS[kind]}", *values)


def unpack(kind, content):
    return list(struct.unpack(f"<{len(content) // bytes_of(kind)}{LAYOUTS[kind]}", content))


def raw(kind, content):
    """The values' bits."""
    size = bytes_of(kind)
    return list(struct.unpack(f"<{len(content) // size}{RAW[size]}", content))


def wrapped(kind, number):
    bits = 8 * bytes_of(kind)
    number &= (1 << bits) - 1
    return number - (1 << bits) if kind[0] == "i" and number >> bits - 1 else number


def added(kind, values):
    """The sums from the beginning."""
    if kind[0] == "f":
        return list(itertools.accumulate(values))
    return [wrapped(kind, each) for each in itertools.accumulate(values)]


def difference(name, found, wanted, kind=None):
    """Of values; with a kind, of their bits."""
    def shown(value):
        size = kind and bytes_of(kind)
        return repr(struct.unpack(f"<{LAYOUTS[kind]}", struct.pack(f"<{RAW[size]}", value))[0] if kind else value)

    if len(found) != len(wanted):
        return f"{name}: {len(found)} elements instead of {len(wanted)}"
    wrong = [i for i, pair in enumerate(zip(found, wanted)) if pair[0] != pair[1]]
    if not wrong:
        return None
    return (f"{name}: {len(wrong)} of {len(wanted)} elements are wrong, the first at {wrong[0]}: "
            f"{shown(found[wrong[0]])} instead of {shown(wanted[wrong[0]])}")


@dataclass(frozen=True)
class Case:
    """One call. `content` is the array, as bytes."""

    operation: str
    kind: str
    gpus: tuple
    size: int
    what: str  # the values, in words
    content: bytes
    hurrying: object

    @property
    def name(self):
        hurry = "" if self.hurrying is None else f", GPU {self.hurrying} in a hurry"
        gpus = " ".join(map(str, self.gpus))
        return f"{self.operation} of {self.size} {self.kind}, {self.what}, on GPUs {gpus}{hurry}"

    @property
    def function(self):
        return f"{self.operation}_{self.kind}"

    @property
    def output_bytes(self):
        size = {"sum": len(self.gpus) + 1, "prefix_sum": 2 * self.size}.get(self.operation, self.size)
        return size * bytes_of(self.kind)

    def judge(self, answer):
        """What is wrong with it, or None."""
        counts = struct.unpack(f"<{COUNTS}Q", answer[: 8 * COUNTS])
        output = answer[8 * COUNTS :]
        if self.operation in ("partition", "compact"):
            return self._judge_split(counts, output)
        if self.operation.endswith("sort"):
            return difference("sorted", raw(self.kind, output), in_order(self.kind, raw(self.kind, self.content)),
                              self.kind)
        return self._judge_sums(output)

    def _judge_sums(self, output):
        values = unpack(self.kind, self.content)
        if self.operation == "exclusive_prefix_sum":
            return difference("sums", unpack(self.kind, output), [0, *added(self.kind, values)[:-1]])
        is_scan = self.operation == "prefix_sum"
        found = raw(self.kind, output)
        parts = self.size if is_scan else len(self.gpus)
        of_one = found[parts:] if is_scan else found[parts:] * parts
        sums = added(self.kind, values)
        exact = sums if is_scan else [sums[-1]] * parts
        if self.kind[0] != "f" or self.what == "quarters":
            return (difference("sums", found[:parts], raw(self.kind, pack(self.kind, exact)), self.kind)
                    or difference("sums of one GPU", of_one, found[:parts], self.kind))
        return (difference("sums that one GPU has", found[:parts], of_one, self.kind)
                or self._far(values, output, is_scan))

    def _far(self, values, output, is_scan):
        """Whether a sum is farther from the exact one than a few hundred roundings of all that is added up: additions are
        made upon each other in a tree, not one by one."""
        rounding, scale = 2.0 ** (-24 if self.kind == "f32" else -53), 80
        places = range(self.size) if is_scan else [self.size - 1] * len(self.gpus)
        magnitudes = list(itertools.accumulate(map(abs, values)))
        # Python's integers have digits enough: sums in units of 2^-80.
        exact = list(itertools.accumulate(int(math.ldexp(value, scale)) for value in values))
        for found, i in zip(unpack(self.kind, output), places):
            if abs(int(math.ldexp(found, scale)) - exact[i]) > 256 * rounding * math.ldexp(magnitudes[i], scale):
                return f"sum {i} is {found!r}, far from {math.ldexp(exact[i], -scale)!r}"
        return None

    def _judge_split(self, counts, output):
        gpus, values, first = len(self.gpus), unpack(self.kind, self.content), 0
        sizes, chosen_by = counts[:gpus], [0] * gpus
        if sum(sizes) != self.size:
            return f"parts of {sizes} elements"
        wanted, is_left = [], self.operation == "compact"
        for gpu, size in enumerate(sizes):
            part = values[first : first + size]
            first += size
            front = [each for each in part if math.trunc(each) % 3 == 0]
            rest = [each for each in part if math.trunc(each) % 3]
            chosen_by[gpu] = len(front)
            wanted.append(pack(self.kind, front) + (bytes([UNWRITTEN]) * (len(rest) * bytes_of(self.kind)) if is_left
                                                   else pack(self.kind, rest)))
        told = counts[gpus : gpus + gpus * gpus]
        return (difference("numbers of chosen ones", list(told), chosen_by * gpus)
                or difference("parts", raw(self.kind, output), raw(self.kind, b"".join(wanted)), self.kind))


def in_order(kind, bits):
    """Floats by value, -0 before 0, and what is no number behind all, in the order in which it came."""
    if kind[0] != "f":
        return raw(kind, pack(kind, sorted(unpack(kind, struct.pack(f"<{len(bits)}{RAW[bytes_of(kind)]}", *bits)))))
    values = unpack(kind, struct.pack(f"<{len(bits)}{RAW[bytes_of(kind)]}", *bits))
    keys = [(1, 0.0, 0) if each != each else (0, each, math.copysign(1, each)) for each in values]
    return [bits[i] for i in sorted(range(len(bits)), key=keys.__getitem__)]


def numbers(operation, kind, size, what, chance):
    """The array's bytes."""
    bits = 8 * bytes_of(kind)
    if what == "quarters":
        return pack(kind, [chance.randrange(-200, 200) / 4 for _ in range(size)])
    if what == "thirds":
        return pack(kind, [chance.randrange(-10**6, 10**6) / 3 for _ in range(size)])
    if what == "integers":
        return pack(kind, [float(chance.randrange(-9999, 9999)) for _ in range(size)])
    if what == "all equal":
        return pack(kind, [5] * size)
    if what == "descending":
        return pack(kind, range(size, 0, -1))
    if what == "few digits":  # so that an exchange has few runs
        one = [chance.getrandbits(bits) & ~0xFE for _ in range(7)]
        return struct.pack(f"<{size}{RAW[bits // 8]}", *(chance.choice(one) for _ in range(size)))
    found = [chance.getrandbits(bits) for _ in range(size)]
    if kind[0] == "f":  # every ninth is no number, with bits of its own; zeros of both signs
        nothing = {32: 0x7FC00000, 64: 0x7FF8 << 48}[bits]
        found = [each | nothing if i % 9 == 3 else each & 1 << bits - 1 if i % 9 == 5 else each
                 for i, each in enumerate(found)]
    return struct.pack(f"<{size}{RAW[bits // 8]}", *found)


def plan(operation, kind, full):
    """(elements, GPUs, values): sizes of which GPUs have nothing, one element, a whole part, or one that ends within a
    tile; two GPUs, three, and one that poses as two."""
    two, three, posing = (0, 1), (0, 1, 2), (0, 0)
    size = bytes_of(kind)
    if operation == "sum" or operation.endswith("prefix_sum"):
        whats = ("quarters", "thirds") if kind[0] == "f" else ("random",)
        if operation == "sum":
            unit = REDUCE_CHUNK // size
            sizes, more = [1, unit, unit + 1, 5 * unit + 5], [(2 * unit + 7, three, whats[-1])]
        else:  # of 17 tiles the first GPU has 9, in two stripes
            unit = SCAN_TILE // size
            sizes, more = [1, unit + 1, SCAN_STRIPE // size, 17 * unit + 5], [(25 * unit, three, whats[-1])] * full
        return [(each, two, what) for each in sizes for what in whats] + more + [(unit + 9, posing, whats[-1])]
    if operation in ("partition", "compact"):
        unit, what = SPLIT_TILE // size, "integers" if kind[0] == "f" else "random"
        sizes = [1, 5, unit - 1, 2 * unit, 2 * unit + 9, 3 * unit + 7]
        return [(each, two, what) for each in sizes] + [
            (unit, two, "all equal"), (2 * unit + 7, three, what), (unit + 9, posing, what)]
    unit = MERGE_TILE // size
    some = 24 if operation == "exchanging_sort" else 60  # an exchange takes as long as it has different digits
    small = [(each, two, "random") for each in (1, 2, 6, some)] + [
        (some + 1, two, "all equal"), (some + 1, two, "descending")]
    if operation == "exchanging_sort":
        return small + [(unit + 9, two, "few digits"), (some, posing, "random")] + [
            (300, two, "random"), (3 * unit + 7, two, "few digits")] * full
    return small + [(2 * unit, two, "random"), (3 * unit + 7, two, "random"), (2 * unit + 5, three, "random"),
                    (unit + 9, posing, "random")]


def cases(full):
    for operation, kind in OPERATIONS:
        chance = random.Random(f"{operation} {kind}")
        hurrying = itertools.cycle((None, 0, 1))
        for size, gpus, what in plan(operation, kind, full):
            for hurry in (None, 0, 1) if full and len(set(gpus)) > 1 else (next(hurrying),):
                yield Case(operation, kind, gpus, size, what, numbers(operation, kind, size, what, chance), hurry)
