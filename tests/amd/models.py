# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What the kernels of tests/amd have to give, from the device library's documentation alone
(src/device/warpz/warp.hpp).

A kernel's name says what it does: the operation, for a shuffle the width of its segments (0: the whole warp), and the
type. Models work on the values of the lanes that one warp has; a block need not fill its last warp."""

import itertools
import math
import random
import re
import struct
from dataclasses import dataclass

import block_models

LAYOUTS = {"u32": "I", "i32": "i", "u64": "Q", "i64": "q", "f32": "f", "f64": "d", "b8": "B", "words": "3I"}
ROW = 16  # lanes that a scan joins first

# Distances, lanes and masks: near every width, and far beyond all of them.
NUMBERS = (0, 1, 2, 3, 5, 7, 8, 15, 16, 17, 31, 32, 33, 47, 63, 64, 65, 1000, 0x7FFFFFFF, 0x80000000, 0xFFFFFFFF)


def f32(number):
    return struct.unpack("<f", struct.pack("<f", number))[0]


def wrapped(number, kind):
    """An integer as a type of this kind keeps it."""
    bits = int(kind[1:])
    number &= (1 << bits) - 1
    return number - (1 << bits) if kind[0] == "i" and number >> bits - 1 else number


def add(kind):
    if kind == "f32":
        return lambda a, b: f32(a + b)
    return lambda a, b: a + b if kind == "f64" else wrapped(a + b, kind)


def choose(function):
    """max or min of two values, of which one that is no number does not count."""
    return lambda a, b: b if a != a else a if b != b else function(a, b)


def tree(values, combine):
    """Neighbours first: pairs, then pairs of pairs. A value without a partner goes on as it is."""
    while len(values) > 1:
        values = [combine(*values[i : i + 2]) if i + 1 < len(values) else values[i] for i in range(0, len(values), 2)]
    return values[0]


def scan(values, combine):
    """Within rows of 16 with strides 1, 2, 4 and 8; then the row before each odd row, then the half before."""
    rows = [values[start : start + ROW] for start in range(0, len(values), ROW)]
    for stride in (1, 2, 4, 8):
        rows = [[combine(row[i - stride], row[i]) if i >= stride else row[i] for i in range(len(row))] for row in rows]
    rows[1::2] = [[combine(before[-1], value) for value in row] for before, row in zip(rows[::2], rows[1::2])]
    if len(rows) > 2:
        rows[2:] = [[combine(rows[1][-1], value) for value in row] for row in rows[2:]]
    return [value for row in rows for value in row]


def mixed(a, b):
    """What tests/amd/collectives.hip calls hash."""
    return ((a * 31 + 7) ^ (b * 0x9E3779B9 + (a >> 16))) & 0xFFFFFFFF


def groups(values, lanes, stride, combine):
    """Each lane's group: those as many lanes apart as a multiple of stride, within lanes * stride of each other."""
    whole = lanes * stride
    return [tree([values[other] for other in range(lane // whole * whole, min(lane // whole * whole + whole, len(values)))
                  if other % stride == lane % stride], combine) for lane in range(len(values))]


def shuffle(kind, width, values, numbers, warp_size):
    width = warp_size if width == 0 or width > warp_size else width
    result = []
    for lane, number in enumerate(numbers):
        place = lane % width
        wanted = {"idx": number, "up": place - number, "down": place + number, "xor": place ^ number}[kind]
        source = lane - place + wanted
        result.append(values[source] if 0 <= wanted < width and source < len(values) else values[lane])
    return result


@dataclass(frozen=True)
class Operation:
    name: str
    width: int
    kind: str  # of its input
    output_kind: str
    whole_warps: bool = False  # whether the kernel is for blocks that fill their warps alone
    threads: int = 0  # of each block, where the kernel is for such blocks alone

    def of_block(self, values, number, warp_size):
        """What belongs in the places of a block's threads; its number is the same for all of them."""
        add_up, name = add(self.kind), self.name[6:]
        if name == "repeated":
            return block_models.repeated(values, warp_size)
        if name == "broadcast":
            return [values[number]] * len(values) if number < len(values) else values
        if name in ("sum", "max", "min"):
            combine = {"sum": add_up, "max": choose(max), "min": choose(min)}[name]
            return [block_models.reduced(values, warp_size, lambda some: tree(some, combine))] * len(values)
        inclusive = block_models.scanned(values, warp_size, lambda some: scan(some, add_up), add_up)
        return inclusive if name == "prefix_sum" else [0, *inclusive[:-1]]

    def of_warp(self, values, numbers, warp_size):
        """What belongs in the lanes' places."""
        count, odd = len(values), [isinstance(value, int) and value & 1 for value in values]
        mask = sum(1 << lane for lane in range(count) if odd[lane])
        if self.name.startswith("shuffle_"):
            return shuffle(self.name[8:], self.width, values, numbers, warp_size)
        if self.name.startswith("by_"):
            kind, number = self.name[3:].split("_")
            return shuffle(kind, 0, values, [int(number)] * count, warp_size)
        if self.name.startswith("group_"):
            combination, lanes, stride = self.name[6:].split("_")
            combine = {"sum": add(self.kind), "max": choose(max), "hash": mixed}[combination]
            return groups(values, int(lanes), int(stride), combine)
        if self.name == "scan_hash":
            return scan(values, mixed)
        if self.name == "exclusive_scan_hash":
            return [99, *scan(values, mixed)[:-1]]
        if self.name == "match_any":
            return [sum(1 << lane for lane in range(count) if values[lane] % 5 == value % 5) for value in values]
        if self.name == "match_all":
            return [(1 << count) - 1 if len({value & 1 for value in values}) == 1 else 0] * count
        if self.name == "partition":
            places = sorted(range(count), key=lambda lane: not odd[lane])
            return [places.index(lane) for lane in range(count)]
        if self.name == "broadcast_first":
            return [values[0]] * count
        if self.name == "broadcast":
            return shuffle("idx", 0, values, numbers, warp_size)
        if self.name.endswith("_of_products"):
            rounded = f32 if self.kind == "f32" else float
            values = [rounded(value * number) for value, number in zip(values, numbers)]
        if self.name in ("sum", "sum_of_products"):
            return [tree(values, add(self.kind))] * count
        if self.name in ("max", "min"):
            return [tree(values, choose(max if self.name == "max" else min))] * count
        if self.name in ("prefix_sum", "prefix_sum_of_products"):
            return scan(values, add(self.kind))
        if self.name == "exclusive_prefix_sum":
            return [0, *scan(values, add(self.kind))[:-1]]
        return {
            "vote": [mask] * count,
            "any": [int(any(odd))] * count,
            "all": [int(all(odd))] * count,
            "size": [warp_size] * count,
            "lane_id": list(range(count)),
            "active_mask": [mask if here else 0 for here in odd],
        }[self.name]


def operation(kernel):
    """The operation that a kernel's name stands for; None for a name that says nothing here."""
    whole_warps, threads, kernel = re.fullmatch(r"(whole_)?(?:of_(\d+)_)?(.*)", kernel).groups()
    shuffled = re.fullmatch(r"(shuffle_\w+?)_(\d+)_(\w+)", kernel)
    other = re.fullmatch(r"(\w+)_([uif]\d+)", kernel)
    name, width, kind = (shuffled[1], int(shuffled[2]), shuffled[3]) if shuffled else (
        (other[1], 0, other[2]) if other else (None, 0, None))
    known = ("shuffle_idx", "shuffle_up", "shuffle_down", "shuffle_xor", "broadcast_first", "broadcast", "sum", "max",
             "min", "prefix_sum", "exclusive_prefix_sum", "vote", "any", "all", "size", "lane_id", "active_mask",
             "sum_of_products", "prefix_sum_of_products", "scan_hash", "exclusive_scan_hash", "match_any", "match_all",
             "partition", *block_models.BLOCK, *block_models.WAITING)
    patterns = r"by_(xor|up|down)_\d+|group_(sum|max|hash)_\d+_\d+"
    if (name not in known and not re.fullmatch(patterns, name or "")) or kind not in LAYOUTS:
        return None
    return Operation(name, width, kind, "u64" if name in ("vote", "active_mask", "match_any", "match_all") else kind,
                     bool(whole_warps), int(threads or 0))


def pack(kind, values):
    layout = "<" + LAYOUTS[kind]
    return b"".join(struct.pack(layout, *(value if kind == "words" else (value,))) for value in values)


def unpack(kind, content):
    values = struct.iter_unpack("<" + LAYOUTS[kind], content)
    return list(values) if kind == "words" else [value for (value,) in values]


@dataclass(frozen=True)
class Run:
    """A launch: the shape of its blocks, and a value and a number for each thread."""

    grid: tuple
    block: tuple
    values: list
    numbers: list

    def expected(self, operation, warp_size):
        threads, result = math.prod(self.block), []
        if operation.name in block_models.WAITING:
            blocks = [self.values[start : start + threads] for start in range(0, len(self.values), threads)]
            return [value for block in block_models.of_blocks(operation.name, blocks, warp_size) for value in block]
        for block in range(0, len(self.values), threads):
            if operation.name in block_models.BLOCK:
                result += operation.of_block(self.values[block : block + threads], self.numbers[block], warp_size)
                continue
            for warp in range(block, block + threads, warp_size):
                end = min(warp + warp_size, block + threads)
                result += operation.of_warp(self.values[warp:end], self.numbers[warp:end], warp_size)
        return result


def _value(operation, chance, number):
    kind = operation.kind
    if kind == "words":
        return tuple(chance.getrandbits(32) for _ in range(3))
    if kind[0] != "f":
        # Votes that agree, and integers that wrap.
        value = chance.getrandbits(int(kind[1:]))
        if operation.name in ("any", "all", "match_all") and number % 3:
            value = value | 1 if number % 3 == 1 else value & ~1
        return wrapped(value, kind)
    rounded = f32 if kind == "f32" else float
    if operation.name in ("max", "min", "block_max", "block_min") and chance.random() < 0.2:
        return chance.choice((math.nan, math.inf, -math.inf))
    return rounded((chance.random() - 0.5) * 10.0 ** chance.randint(-6, 6))


def shapes(operation, warp_size, full):
    """Blocks that fill warps, that end within one, and of more than one dimension; for what a whole block does, also of
    many warps."""
    if operation.threads:
        return ((operation.threads, 1, 1),)
    of_block = operation.name in block_models.BLOCK
    more = ((250, 1, 1), (3 * warp_size, 2, 1)) if of_block or operation.name in block_models.WAITING else ()
    if full and more or of_block and operation.kind in ("u32", "f32"):
        more += ((1024, 1, 1),)
    found = (*more, (warp_size, 1, 1), (1, 1, 1), (20, 1, 1), (70, 1, 1), (2 * warp_size, 1, 1), (10, 7, 1), (3, 3, 5))
    whole = ((4, 16, 2), (warp_size, 2, 1))
    return [shape for shape in (*found, *whole) if math.prod(shape) % warp_size == 0] if operation.whole_warps else found


def runs(operation, warp_size, full=False):
    """Launches for an operation. Its number is the same for all threads of a block, except for shuffle_idx, whose
    lanes may each ask for another one."""
    chance = random.Random(f"{operation.name} {operation.width} {operation.kind} {warp_size}")
    takes_number = operation.name.startswith("shuffle_") or operation.name in ("broadcast", "block_broadcast")
    for shape in shapes(operation, warp_size, full):
        threads = math.prod(shape)
        some = NUMBERS if full else NUMBERS[chance.randrange(3) :: 3]
        blocks = some if takes_number else range(3)
        numbers = [number for number in blocks for _ in range(threads)]
        if operation.name == "shuffle_idx":
            numbers = [chance.choice((chance.randrange(warp_size), chance.choice(NUMBERS))) for _ in numbers]
        if operation.name.endswith("_of_products"):
            numbers = [chance.randrange(1 << 20) | 1 for _ in numbers]
        # A block's values are of one sort; several sorts are tried.
        if operation.name in block_models.WAITING:
            numbers = [0] * (len(numbers) + 4)  # what the blocks hand each other
        values = [_value(operation, chance, block) for block in range(len(blocks)) for _ in range(threads)]
        yield Run((len(blocks), 1, 1), shape, values, numbers)


def differences(operation, output, expected):
    """The indices where the output is not what belongs there: bit for bit, except that a NaN is as good as another."""
    pairs = itertools.zip_longest(output, expected)
    return [i for i, (is_there, belongs) in enumerate(pairs)
            if pack(operation.output_kind, [is_there]) != pack(operation.output_kind, [belongs])
            and not (is_there != is_there and belongs != belongs)]
