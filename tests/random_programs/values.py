# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Small programs about values: of lanes that take no part in a shuffle, of variables that were never set, and of atomics
whose order nothing decides.

What is right comes from computing each program for every lane with many values in place of what is undefined, or in
every order of its atomics."""

import dataclasses
import random

BITS = 0xffffffff
# In place of what is undefined, one at a time and all different.
SUBSTITUTES = (0, 1, 2, 3, 5, 100, 0x7fffffff, 0x80000000, 0xfffffffe, BITS, 0x40534276, 0x3f800000)


@dataclasses.dataclass(frozen=True)
class Undefined:
    """Computes with one of the values. `value(reader)` is what a lane gets from nowhere."""
    kind: int

    def value(self, reader):
        if self.kind < len(SUBSTITUTES):
            return SUBSTITUTES[self.kind]
        return random.Random(f"{self.kind} {reader}").getrandbits(32)


# Shuffles.

@dataclasses.dataclass(frozen=True)
class Shuffle:
    operation: str  # __shfl, __shfl_up, __shfl_down, __shfl_xor
    argument: int
    width: int
    mask: int  # of the lanes that take part; the others do not call
    combine: str  # +, max, min, ^, replace
    used_by: int  # of these lanes the result counts

    def source(self, lane, warp_size):
        """CUDA's and HIP's rule: within a segment, else the lane's own value."""
        first = lane // self.width * self.width
        if self.operation == "__shfl":
            return first + self.argument % self.width
        if self.operation == "__shfl_up":
            return lane - self.argument if lane - self.argument >= first else lane
        if self.operation == "__shfl_down":
            return lane + self.argument if lane + self.argument < first + self.width else lane
        return lane ^ self.argument if lane ^ self.argument < first + self.width else lane


COMBINED = {"+": lambda a, b: (a + b) & BITS, "max": max, "min": min, "^": lambda a, b: a ^ b,
            "replace": lambda a, b: b}
COMBINED_TEXT = {"+": "r += got;", "max": "r = max(r, got);", "min": "r = min(r, got);", "^": "r ^= got;",
                 "replace": "r = got;"}


@dataclasses.dataclass(frozen=True)
class ShuffleProgram:
    """One block, whose last warp may be part of one. Lanes that `returned` names leave before the shuffles."""
    warp_size: int
    threads: int
    shuffles: tuple
    variable_set_by: int = None  # lanes that set the variable at all; None: each does
    variable_used_by: int = 0

    def results(self, undefined):
        size = self.warp_size
        r = []
        for thread in range(self.threads):
            value = thread * 37 % 251 + 1
            if self.variable_set_by is not None and not self.variable_set_by >> thread % size & 1:
                value = undefined.value(("variable", thread))
            r.append(value)
        out = [0] * self.threads
        for number, shuffle in enumerate(self.shuffles):
            before = list(r)
            for thread in range(self.threads):
                lane, first = thread % size, thread // size * size
                if not shuffle.mask >> lane & 1:
                    continue
                source = shuffle.source(lane, size)
                is_there = shuffle.mask >> source & 1 and first + source < self.threads
                got = before[first + source] if is_there else undefined.value((number, thread))
                if shuffle.used_by >> lane & 1:
                    r[thread] = COMBINED[shuffle.combine](before[thread], got)
        for thread in range(self.threads):
            if self.variable_set_by is None or self.variable_used_by >> thread % size & 1:
                out[thread] = r[thread]
        return out

    def is_defined(self):
        first = self.results(Undefined(0))
        return all(self.results(Undefined(kind)) == first for kind in range(1, len(SUBSTITUTES) + 6))

    def text(self, name):
        full = (1 << self.warp_size) - 1
        lines = [f"__global__ void {name}_0(const unsigned* in, unsigned* out) {{",
                 "  const unsigned t = threadIdx.x, lane = t % warpSize;"]
        if self.variable_set_by is None:
            lines.append("  unsigned r = in[t], got = 0;")
        else:
            lines += ["  unsigned r, got = 0;", f"  if (0x{self.variable_set_by:x}ull >> lane & 1) r = in[t];"]
        for each in self.shuffles:
            call = f"{each.operation}_sync(0x{each.mask:x}ull, r, {each.argument}, {each.width})"
            use = COMBINED_TEXT[each.combine]
            if each.used_by & each.mask != each.mask:
                use = f"if (0x{each.used_by:x}ull >> lane & 1) {use}"
            line = f"got = {call}; {use}"
            lines.append(f"  {line}" if each.mask == full else f"  if (0x{each.mask:x}ull >> lane & 1) {{ {line} }}")
        use = f"0x{self.variable_used_by:x}ull >> lane & 1 ? r : 0" if self.variable_set_by is not None else "r"
        lines += [f"  out[t] = {use};", "}", f"static void {name}() {{", "  unsigned *in, *out;",
                  f"  hipMallocManaged(&in, {4 * self.threads}); hipMalloc(&out, {4 * self.threads});",
                  f"  for (int i = 0; i < {self.threads}; ++i) in[i] = i * 37 % 251 + 1;",
                  f"  {name}_0<<<1, {self.threads}>>>(in, out);", f"  unsigned all[{self.threads}];",
                  "  hipMemcpy(all, out, sizeof all, hipMemcpyDeviceToHost);",
                  "  unsigned long long hash = 0; for (unsigned each : all) hash = hash * 1000003 + each;",
                  f'  std::printf("{name} %llu\\n", hash); hipFree(in); hipFree(out);', "}"]
        return lines


def random_mask(rng, warp_size):
    full = (1 << warp_size) - 1
    chance = rng.random()
    if chance < 0.6:
        return full
    if chance < 0.8:
        return (1 << rng.randint(1, warp_size)) - 1
    return rng.getrandbits(warp_size) or 1


def shuffle_program(rng, warp_size, has_variable):
    full = (1 << warp_size) - 1
    threads = warp_size * rng.choice((1, 1, 2))
    if rng.random() < 0.3:
        threads -= rng.randint(1, warp_size - 1)
    shuffles = []
    for _ in range(rng.randint(1, 4)):
        mask = random_mask(rng, warp_size)
        used_by = rng.choice((full, full, random_mask(rng, warp_size), (1 << rng.randint(1, warp_size)) - 1))
        operation = rng.choice(("__shfl", "__shfl_up", "__shfl_down", "__shfl_xor"))
        width = rng.choice((warp_size, warp_size, warp_size // 2, 8))
        argument = rng.choice((1, 2, 4, 8, width // 2, rng.randrange(width)))
        shuffles.append(Shuffle(operation, argument % width, width, mask, rng.choice(tuple(COMBINED)), used_by))
    if not has_variable:
        return ShuffleProgram(warp_size, threads, tuple(shuffles))
    set_by = rng.choice((1 << rng.randrange(warp_size), random_mask(rng, warp_size), full >> 1))
    return ShuffleProgram(warp_size, threads, tuple(shuffles[:2]), set_by, rng.choice((full, random_mask(rng, warp_size), set_by)))


# Atomics.

ATOMIC = {"atomicAdd": lambda a, b: (a + b) & BITS, "atomicSub": lambda a, b: (a - b) & BITS, "atomicMax": max,
          "atomicMin": min, "atomicOr": lambda a, b: a | b, "atomicAnd": lambda a, b: a & b,
          "atomicXor": lambda a, b: a ^ b, "atomicExch": lambda a, b: b}


@dataclasses.dataclass(frozen=True)
class Change:
    thread: int
    operation: str
    cell: int
    value: int
    is_kept: bool  # what it returns is part of the result


@dataclasses.dataclass(frozen=True)
class AtomicProgram:
    """Phases of atomics of a few lanes of one block, with barriers between them."""
    warp_size: int
    warps: int
    cells: int
    phases: tuple

    def results(self):
        """All that may come out: the cells, and what lanes have kept."""
        states = {((7,) * self.cells, ())}
        for phase in self.phases:
            lanes = [tuple(each for each in phase if each.thread == thread)
                     for thread in sorted({each.thread for each in phase})]
            after = set()
            for cells, kept in states:
                self.try_orders(lanes, (0,) * len(lanes), cells, dict(kept), after, set())
            states = after
        return states

    def try_orders(self, lanes, done, cells, kept, after, seen):
        state = done, cells, tuple(sorted(kept.items()))
        if state in seen:
            return
        seen.add(state)
        if all(count == len(lane) for count, lane in zip(done, lanes)):
            after.add((cells, state[2]))
        for number, lane in enumerate(lanes):
            if done[number] == len(lane):
                continue
            change = lane[done[number]]
            old = cells[change.cell]
            more = list(cells)
            more[change.cell] = ATOMIC[change.operation](old, change.value)
            now = dict(kept)
            if change.is_kept:
                now[change.thread] = (now.get(change.thread, 0) * 31 + old) & BITS
            self.try_orders(lanes, tuple(count + (i == number) for i, count in enumerate(done)), tuple(more), now,
                            after, seen)

    def text(self, name):
        threads = self.warps * self.warp_size
        lines = [f"__global__ void {name}_0(unsigned* cells, unsigned* out) {{", "  const unsigned t = threadIdx.x;",
                 "  unsigned kept = 0;"]
        for phase in self.phases:
            for each in phase:
                call = f"{each.operation}(&cells[{each.cell}], {each.value}u)"
                lines.append(f"  if (t == {each.thread}u) " + (f"kept = kept * 31 + {call};" if each.is_kept else f"{call};"))
            lines.append("  __syncthreads();")
        lines += ["  out[t] = kept;", "}", f"static void {name}() {{", "  unsigned *cells, *out;",
                  f"  hipMallocManaged(&cells, {4 * self.cells}); hipMallocManaged(&out, {4 * threads});",
                  f"  for (int i = 0; i < {self.cells}; ++i) cells[i] = 7;",
                  f"  {name}_0<<<1, {threads}>>>(cells, out); hipDeviceSynchronize();",
                  f"  unsigned long long hash = 0; for (int i = 0; i < {threads}; ++i) hash = hash * 1000003 + out[i];",
                  f"  for (int i = 0; i < {self.cells}; ++i) hash = hash * 1000003 + cells[i];",
                  f'  std::printf("{name} %llu\\n", hash); hipFree(cells); hipFree(out);', "}"]
        return lines


def atomic_program(rng, warp_size):
    warps = rng.choice((1, 2))
    threads = rng.sample(range(warps * warp_size), rng.randint(2, 4))
    cells = rng.randint(1, 2)
    phases = []
    for _ in range(rng.randint(1, 3)):
        # One kind of operation on a cell mostly commutes with itself.
        usual = [rng.choice(tuple(ATOMIC)) for _ in range(cells)]
        changes = []
        for thread in threads:
            for _ in range(rng.randint(0, 2)):
                cell = rng.randrange(cells)
                operation = usual[cell] if rng.random() < 0.9 else rng.choice(tuple(ATOMIC))
                changes.append(Change(thread, operation, cell, rng.randint(1, 9), rng.random() < 0.1))
        phases.append(tuple(changes))
    return AtomicProgram(warp_size, warps, cells, tuple(phases))
