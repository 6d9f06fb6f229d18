# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Random kernels of collectives, and what each of their steps is: who reads from whom, and which values. Written from
HIP's and the device library's descriptions, without the machine. None stands for an undefined value."""

import functools
import random
import struct

INCLUDES = '#include <hip/hip_cooperative_groups.h>\n#include "warpz/warp.hpp"\n'
HEAD = "__global__ void mine(float* output, const float* input, int size) {\n"
FULL = (1 << 64) - 1


def int32(value):
    return (value + (1 << 31)) % (1 << 32) - (1 << 31)


def float32(value):
    return struct.unpack("<f", struct.pack("<f", value))[0]


class Model:
    """The value of `v` in each lane, and the steps so far."""

    def __init__(self, lanes, is_float):
        self.lanes, self.is_float = lanes, is_float
        self.type = "float32" if is_float else "int32"
        self.values = [self.rounded(3 * lane - 20) for lane in range(lanes)]
        self.steps = []

    def rounded(self, value):
        return float32(value) if self.is_float else int32(value)

    def combine(self, function):
        self.values = [None if value is None else self.rounded(function(value, lane))
                       for lane, value in enumerate(self.values)]

    def step(self, operation, movement, group, mask, operands, results, sources=None, kind=None):
        lanes = []
        for lane in range(self.lanes):
            if lane not in group:
                lanes.append({"lane": lane, "state": "not_in_mask"})
                continue
            entry = {"lane": lane, "state": "active", "operand": operands[lane], "result": results[lane]}
            if sources is not None:
                entry["source"] = sources[lane]
            lanes.append(entry)
        self.steps.append({"operation": operation, "movement": movement, "mask": mask, "lanes": lanes,
                           "type": kind or self.type})

    def move(self, operation, source_of, group=None, mask=None):
        """A source outside of the group gives an undefined value."""
        group = range(self.lanes) if group is None else group
        sources = {lane: source_of(lane) for lane in group}
        results = {lane: self.values[source] if source in group else None for lane, source in sources.items()}
        self.step(operation, "move", group, mask, self.values, results, sources)
        self.values = [results.get(lane, value) for lane, value in enumerate(self.values)]


# Each of these returns a line of the kernel and what it does to a model of either warp size.

def hip_shuffle(rng, mask_text="", group=None, mask=None):
    kind = rng.choice(["", "_up", "_down", "_xor"])
    width = rng.choice([2, 4, 8, 16, 32])
    amount = rng.randrange(1, width)
    name = f"__shfl{kind}" + ("_sync" if mask_text else "")

    def source_of(lane):
        first = lane // width * width
        if kind == "":
            return first + amount % width
        if kind == "_up":
            return lane - amount if lane - amount >= first else lane
        if kind == "_down":
            return lane + amount if lane % width + amount < width else lane
        return lane ^ amount if lane ^ amount < first + width else lane

    return f"v = {name}({mask_text}v, {amount}, {width});", lambda model: model.move(name, source_of, group, mask)


def library_shuffle(rng):
    kind = rng.choice(["idx", "up", "down", "xor"])
    width = rng.choice([0, 2, 8, 16, 32])
    amount = rng.randrange(0, 40)

    def apply(model):
        segment = width or model.lanes

        def source_of(lane):
            place = lane % segment
            source = {"idx": amount, "up": place - amount, "down": place + amount, "xor": place ^ amount}[kind]
            inside = 0 <= source < segment and (kind != "xor" or amount < segment)
            return lane - place + source if inside else lane
        model.move(f"shuffle_{kind}", source_of)

    return f"v = warpz::warp::shuffle_{kind}<{width}>(v, {amount});", apply


def broadcast(rng):
    source = rng.randrange(32)
    return f"v = warpz::warp::broadcast(v, {source}u);", lambda model: model.move("broadcast", lambda lane: source)


def masked(rng):
    """A branch whose lanes name themselves, and whose sources may not be among them."""
    mask = rng.getrandbits(32) | 1 << rng.randrange(32)
    group = [lane for lane in range(32) if mask >> lane & 1]
    line, apply = hip_shuffle(rng, f"{mask:#x}ull, ", group, f"{mask:#x}")
    return f"if ({mask:#x}ull >> lane & 1) {line}", apply


def ballot(rng):
    limit = rng.randrange(-30, 60)
    name, decides = rng.choice([("__ballot", None), ("vote", None), ("__any", any), ("__all", all)])
    call = f"warpz::warp::vote(v < {limit})" if name == "vote" else f"{name}(v < {limit})"

    def apply(model):
        holds = [int(value < limit) for value in model.values]
        bits = sum(bit << lane for lane, bit in enumerate(holds))
        everybody = range(model.lanes)
        if decides:
            result = int(decides(holds))
            model.step(name, "decide", everybody, None, holds, [result] * model.lanes, kind="uint32")
            model.combine(lambda value, lane: value + result)
        else:
            model.step(name, "vote", everybody, None, holds, [f"{bits:#x}"] * model.lanes, kind="uint32")
            model.combine(lambda value, lane: value + (bits >> lane & 1))

    bit = "" if decides else " >> lane & 1"
    return f"v += static_cast<T>({call}{bit});", apply


def tile(rng):
    """Each tile decides by itself, and goes on before the next one does: so the warp meets then."""
    limit, size = rng.randrange(-30, 60), rng.choice([8, 16, 32])
    name, decides = rng.choice([("any", any), ("all", all)])

    def apply(model):
        holds = [int(value < limit) for value in model.values]
        for first in range(0, model.lanes, size):
            group = range(first, first + size)
            result = int(decides(holds[lane] for lane in group))
            mask = sum(1 << lane for lane in group)
            model.step(f"thread_block_tile::{name}", "decide", group, f"{mask:#x}", holds, [result] * model.lanes, kind="uint32")
        model.combine(lambda value, lane: value + int(decides(holds[lane // size * size:][:size])))
        sync(model)

    return (f"v += static_cast<T>(cooperative_groups::tiled_partition<{size}>(cooperative_groups::this_thread_block())"
            f".{name}(v < {limit})); __syncwarp();", apply)


def match(rng):
    modulus = rng.choice([2, 3, 5])

    def apply(model):
        keys = [lane % modulus for lane in range(model.lanes)]
        sets = [sum(1 << other for other, key in enumerate(keys) if key == mine) for mine in keys]
        model.step("__match_any", "match", range(model.lanes), None, keys, [f"{each:#x}" for each in sets], kind="int32")
        model.combine(lambda value, lane: value + bin(sets[lane]).count("1"))

    return f"v += static_cast<T>(__popcll(__match_any(lane % {modulus})));", apply


def match_all(rng):
    modulus = rng.choice([1, 2])

    def apply(model):
        keys = [lane % modulus for lane in range(model.lanes)]
        same = (1 << model.lanes) - 1 if modulus == 1 else 0
        model.step("__match_all", "match", range(model.lanes), None, keys, [f"{same:#x}"] * model.lanes, kind="int32")
        model.combine(lambda value, lane: value + (modulus == 1))

    return f"{{ int is_same; __match_all(lane % {modulus}, &is_same); v += static_cast<T>(is_same); }}", apply


def reduce(rng):
    name, function = rng.choice([("add", sum), ("min", min), ("max", max), ("and", lambda all: functools.reduce(int.__and__, all)),
                                 ("or", lambda all: functools.reduce(int.__or__, all)),
                                 ("xor", lambda all: functools.reduce(int.__xor__, all))])
    of_bits = name in ("and", "or", "xor")

    def apply(model):
        keys = [lane ^ 5 for lane in range(model.lanes)]
        model.step(f"__reduce_{name}_sync", "combine", range(model.lanes), None, keys, [function(keys)] * model.lanes,
                   kind="uint32" if of_bits else "int32")
        model.combine(lambda value, lane: value + function(keys))

    operand = "static_cast<unsigned>(lane ^ 5)" if of_bits else "lane ^ 5"
    return f"v += static_cast<T>(__reduce_{name}_sync(~0ull, {operand}));", apply


def sync(model, name="__syncwarp"):
    everybody = f"{(1 << model.lanes) - 1:#x}"
    model.step(name, "meet", range(model.lanes), None, [None] * model.lanes, [everybody] * model.lanes, kind="bits")


def meet(rng):
    name = rng.choice(["__syncwarp", "__activemask"])

    def apply(model):
        sync(model, name)
        if name == "__activemask":
            model.combine(lambda value, lane: value + model.lanes)

    return {"__syncwarp": "__syncwarp();", "__activemask": "v += static_cast<T>(__popcll(__activemask()));"}[name], apply


def arithmetic(rng):
    add = rng.randrange(-9, 9)
    return f"v = v + {add};", lambda model: model.combine(lambda value, lane: value + add)


def kernel(seed, count=24):
    """(its text, what runs it as a model of so many lanes)"""
    rng = random.Random(seed)
    is_float = seed % 2 == 1
    # Votes on undefined values may or may not be undefined, so those come first.
    makers = [rng.choice([hip_shuffle, library_shuffle, broadcast, ballot, tile, match, match_all, reduce, meet, arithmetic])
              for _ in range(count // 2)]
    makers += [rng.choice([hip_shuffle, library_shuffle, masked, masked, arithmetic]) for _ in range(count // 2)]
    lines = [maker(rng) for maker in makers]
    text = INCLUDES + HEAD + f"  using T = {'float' if is_float else 'int'};\n"
    text += "  const int lane = static_cast<int>(__lane_id());\n  T v = static_cast<T>(3 * lane - 20);\n"
    text += "".join(f"  {line}\n" for line, _ in lines)
    text += "  const int i = blockIdx.x * blockDim.x + threadIdx.x;\n  if (i < size) output[i] = static_cast<float>(v) + input[i];\n}\n"

    def run(lanes):
        model = Model(lanes, is_float)
        number = text.split("\n").index("  " + lines[0][0]) + 1
        for at, (_, apply) in enumerate(lines):
            before = len(model.steps)
            apply(model)
            for step in model.steps[before:]:
                step["line"] = number + at
        return model

    return text, run
