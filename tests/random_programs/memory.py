# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Small programs in which a few lanes access memory: of every width, shared and global, plain and atomic, ordered by
barriers, masks, fences with flags, locks, counters and the end of a launch.

A kernel is a list of statements that all lanes pass one after the other; most of them only a few lanes carry out. So
the events of each lane are known without running anything (`events`), and `orders` can try their orders."""

import dataclasses
import functools

# By type: its bytes, and the alignment that it asks for.
TYPES = {"unsigned char": (1, 1), "unsigned short": (2, 2), "unsigned": (4, 4), "float": (4, 4),
         "unsigned long long": (8, 8), "uchar3": (3, 1), "ushort3": (6, 2), "uint2": (8, 8), "uint3": (12, 4),
         "uint4": (16, 16), "Five": (5, 1), "Seven": (7, 1)}
ATOMIC_TYPES = ("unsigned", "unsigned long long")
ATOMICS = ("atomicAdd", "atomicMax", "atomicOr", "atomicExch")
# Atomics that use the value in memory: without one it is read before it is written.
READING = ("atomicAdd", "atomicMax", "atomicOr")

PRELUDE = """\
struct Five { unsigned char v[5]; };
struct Seven { unsigned char v[7]; };
#define DEVICE __device__ __forceinline__
template <class T> DEVICE T& at(unsigned char* area, long offset) { return *reinterpret_cast<T*>(area + offset); }
template <class T> DEVICE void put(T& to, unsigned value) { to = static_cast<T>(value); }
DEVICE void put(uchar3& to, unsigned v) { to = make_uchar3(v, v, v); }
DEVICE void put(ushort3& to, unsigned v) { to = make_ushort3(v, v, v); }
DEVICE void put(uint2& to, unsigned v) { to = make_uint2(v, v); }
DEVICE void put(uint3& to, unsigned v) { to = make_uint3(v, v, v); }
DEVICE void put(uint4& to, unsigned v) { to = make_uint4(v, v, v, v); }
DEVICE void put(Five& to, unsigned v) { Five all; for (unsigned char& each : all.v) each = v; to = all; }
DEVICE void put(Seven& to, unsigned v) { Seven all; for (unsigned char& each : all.v) each = v; to = all; }
template <class T> DEVICE unsigned get(const T& from) { return static_cast<unsigned>(from); }
DEVICE unsigned get(const uchar3& from) { const uchar3 all = from; return all.x + all.y + all.z; }
DEVICE unsigned get(const ushort3& from) { const ushort3 all = from; return all.x + all.y + all.z; }
DEVICE unsigned get(const uint2& from) { const uint2 all = from; return all.x + all.y; }
DEVICE unsigned get(const uint3& from) { const uint3 all = from; return all.x + all.y + all.z; }
DEVICE unsigned get(const uint4& from) { const uint4 all = from; return all.x + all.y + all.z + all.w; }
DEVICE unsigned get(const Five& from) { const Five all = from; unsigned s = 0; for (unsigned char e : all.v) s += e; return s; }
DEVICE unsigned get(const Seven& from) { const Seven all = from; unsigned s = 0; for (unsigned char e : all.v) s += e; return s; }

using kernel = void (*)(unsigned char*, unsigned*, unsigned*);
static void run(const kernel (&kernels)[2], int blocks, int threads, int bytes, bool is_written, int flags) {
  unsigned char* g;
  unsigned *f, *out;
  hipMalloc(&g, bytes);
  hipMalloc(&f, 4 * flags);
  hipMalloc(&out, 4 * blocks * threads);
  if (is_written) hipMemset(g, 1, bytes);
  for (const kernel each : kernels) {
    hipMemset(f, 0, 4 * flags);
    if (each != nullptr) each<<<blocks, threads>>>(g, f, out);
  }
  hipDeviceSynchronize();
  hipFree(g);
  hipFree(f);
  hipFree(out);
}
"""


@dataclasses.dataclass(frozen=True)
class Cell:
    """A place in the shared memory of each block ("s") or in global memory ("g")."""
    area: str
    offset: int
    type: str

    @property
    def bytes(self):
        return TYPES[self.type][0]

    def moved(self, by):
        return Cell(self.area, self.offset + by, self.type)


@dataclasses.dataclass(frozen=True)
class Step:
    """What some lanes do. `action`: load, store, an atomic, fence, set, wait, or for all lanes barrier, syncwarp,
    shuffle. `each`: every lane of every block has a cell of its own, `turn` further, in a row of them."""
    action: str
    lanes: tuple = ()  # of (block, thread)
    cell: Cell = None
    value: int = 0
    mask: int = None  # of syncwarp; None: all lanes
    flag: int = None
    each: bool = False
    turn: int = 0
    steps: tuple = ()  # of lock, or of those that come last ("last")
    fences: tuple = (True, True)


@dataclasses.dataclass(frozen=True)
class Event:
    lane: tuple
    key: tuple  # the place in the program
    kind: str  # R, W, A, F, SET, WAIT, LOCK, UNLOCK, COUNT
    area: object = None
    low: int = 0
    high: int = 0
    flag: int = None
    reads: bool = False  # of an atomic
    last: int = None  # happens only to the last one at this counter

    def overlaps(self, other):
        return self.area == other.area and self.area is not None and self.low < other.high and other.low < self.high


@dataclasses.dataclass(frozen=True)
class Shape:
    blocks: int
    threads: int

    @property
    def lanes(self):
        return [(b, t) for b in range(self.blocks) for t in range(self.threads)]


@dataclasses.dataclass(frozen=True)
class Program:
    warp_size: int
    blocks: int
    threads: int
    shared_bytes: int
    global_bytes: int
    host_writes: bool  # all of the global memory, before the first launch
    launches: tuple  # one or two tuples of steps


def element(shape, step, lane):
    """The cell of a lane where each has its own. In global memory those of the blocks lie behind each other."""
    block, thread = lane
    number = (thread + step.turn) % shape.threads
    if step.cell.area == "g":
        number += block * shape.threads
    return step.cell.moved(number * step.cell.bytes)


def access(step, cell, lane, key, last=None):
    area = ("s", lane[0]) if cell.area == "s" else "g"
    kind = {"load": "R", "store": "W"}.get(step.action, "A")
    return Event(lane, key, kind, area, cell.offset, cell.offset + cell.bytes, reads=step.action in READING, last=last)


@functools.lru_cache(1024)
def events_of_step(shape, step, number):
    """The events of all lanes of a program of this shape."""
    key = (number, 0)
    if step.each:
        return [access(step, element(shape, step, lane), lane, key) for lane in shape.lanes]
    found = []
    for lane in step.lanes:
        if step.action == "fence":
            found.append(Event(lane, key, "F"))
        elif step.action in ("set", "wait"):
            found.append(Event(lane, key, step.action.upper(), flag=step.flag))
        elif step.action == "lock":
            inner = [Event(lane, None, "LOCK", flag=step.flag), *[Event(lane, None, "F")] * step.fences[0]]
            inner += [access(each, each.cell, lane, None) for each in step.steps]
            inner += [*[Event(lane, None, "F")] * step.fences[1], Event(lane, None, "UNLOCK", flag=step.flag)]
            found += [dataclasses.replace(each, key=(number, i)) for i, each in enumerate(inner)]
        elif step.action == "last":
            inner = [*[Event(lane, None, "F")] * step.fences[0], Event(lane, None, "COUNT", flag=step.flag)]
            inner += [Event(lane, None, "F", last=step.flag)] * step.fences[1]
            inner += [access(each, each.cell, lane, None, step.flag) for each in step.steps]
            found += [dataclasses.replace(each, key=(number, i)) for i, each in enumerate(inner)]
        elif step.cell is not None:
            found.append(access(step, step.cell, lane, key))
    return found


def events(program, steps):
    shape = Shape(program.blocks, program.threads)
    return [event for number, step in enumerate(steps) for event in events_of_step(shape, step, number)]


# The text of a program.

def guard(program, lanes):
    def one(lane):
        return f"t == {lane[1]}u" + (f" && b == {lane[0]}u" if program.blocks > 1 else "")

    return " || ".join(f"({one(lane)})" if len(lanes) > 1 else one(lane) for lane in lanes)


def access_text(program, step):
    cell = step.cell
    offset = str(cell.offset)
    if step.each:
        number = f"(t + {step.turn}u) % {program.threads}u" if step.turn else "t"
        if cell.area == "g":
            number = f"b * {program.threads}u + {number}"
        offset += f" + ({number}) * {cell.bytes}l"
    place = f"at<{cell.type}>({cell.area}, {offset})"
    if step.action == "load":
        return f"sum += get({place});"
    if step.action == "store":
        return f"put({place}, {step.value}u);"
    return f"{step.action}(&{place}, static_cast<{cell.type}>({step.value}u));"


def step_text(program, step):
    whose = guard(program, step.lanes) if step.lanes else ""
    inner = " ".join(access_text(program, each) for each in step.steps)
    flag = f"&f[{step.flag}]"
    begins, ends = ("__threadfence(); " if each else "" for each in step.fences)
    texts = {
        "barrier": "__syncthreads();",
        "shuffle": "other += __shfl_xor(t, 1);",
        "fence": "__threadfence();",
        "set": f"atomicExch({flag}, 1u);",
        "wait": f"while (atomicAdd({flag}, 0u) == 0u) continue;",
        "lock": f"for (bool done = false; !done;) if (atomicCAS({flag}, 0u, 1u) == 0u) "
                f"{{ {begins}{inner} {ends}atomicExch({flag}, 0u); done = true; }}",
        "last": f"{begins}if (atomicAdd({flag}, 1u) == {len(step.lanes) - 1}u) {{ {ends}{inner} }}",
    }
    if step.action == "syncwarp":
        if step.mask is None:
            return "__syncwarp();"
        return f"if (0x{step.mask:x}ull >> t % warpSize & 1) __syncwarp(0x{step.mask:x}ull);"
    text = texts.get(step.action) or access_text(program, step)
    return f"if ({whose}) {{ {text} }}" if whose else text


def text_of(program, name):
    """The kernels of a program and a function that launches them, as lines."""
    lines = []
    for number, steps in enumerate(program.launches):
        lines.append(f"__global__ void {name}_{number}(unsigned char* g, unsigned* f, unsigned* out) {{")
        if program.shared_bytes:
            lines.append(f"  alignas(16) __shared__ unsigned char s[{program.shared_bytes}];")
        lines.append("  const unsigned t = threadIdx.x, b = blockIdx.x;")
        lines.append("  unsigned sum = 0, other = 0;")
        lines += ["  " + step_text(program, step) for step in steps]
        lines += [f"  out[b * {program.threads}u + t] = sum + other;", "}"]
    flags = 1 + max([step.flag for steps in program.launches for step in steps if step.flag is not None], default=0)
    kernels = ", ".join(f"{name}_{number}" for number in range(len(program.launches)))
    lines.append(f"static void {name}() {{ run({{{kernels}}}, {program.blocks}, {program.threads}, {program.global_bytes}, "
                 f"{str(program.host_writes).lower()}, {flags}); }}")
    return lines


# Making programs.

def random_cells(rng, area, threads_in_row):
    """Some cells, a row of cells for all lanes, and the bytes of both."""
    cells, end = [], 0
    types = list(TYPES)
    for _ in range(rng.randint(2, 5)):
        kind = rng.choice(ATOMIC_TYPES) if rng.random() < 0.4 else rng.choice(types)
        size, alignment = TYPES[kind]
        end = -(-end // alignment) * alignment
        cells.append(Cell(area, end, kind))
        end += size
    row = None
    if rng.random() < 0.6:
        size, alignment = TYPES[kind := rng.choice(types)]
        end = -(-end // alignment) * alignment
        row = Cell(area, end, kind)
        end += size * threads_in_row
    return cells, row, end


class Maker:
    """Adds random steps that an oracle accepts."""

    def __init__(self, rng, warp_size, is_right):
        """`is_right(program, launch, step)` judges a program by its steps from there on."""
        self.rng, self.is_right = rng, is_right
        warps, blocks = rng.choice((1, 1, 2, 3)), rng.choice((1, 1, 2))
        threads = warps * warp_size
        self.shared, self.shared_row, shared_bytes = random_cells(rng, "s", threads)
        self.globals, self.global_row, global_bytes = random_cells(rng, "g", threads * blocks)
        self.program = Program(warp_size, blocks, threads, shared_bytes, global_bytes, rng.random() < 0.4, ())
        lanes = [(b, t) for b in range(blocks) for t in rng.sample(range(threads), 2 if blocks > 1 else 3)]
        self.actors = rng.sample(lanes, min(len(lanes), rng.randint(2, 4)))
        self.flags = 0
        self.value = 0

    def random_access(self, cells=None):
        rng = self.rng
        cell = rng.choice(cells or self.shared + self.globals)
        action = rng.choice(("load", "load", "store"))
        if cell.type in ATOMIC_TYPES and rng.random() < 0.4:
            action = rng.choice(ATOMICS)
        self.value = self.value % 250 + 1
        return Step(action, (rng.choice(self.actors),), cell, self.value)

    def random_step(self):
        rng = self.rng
        chance = rng.random()
        if chance < 0.45:
            return [self.random_access()]
        if chance < 0.6:
            row = rng.choice((self.shared_row, self.global_row))
            if row is None:
                return []
            self.value = self.value % 250 + 1
            turn = rng.choice((0, 0, 1, self.program.warp_size // 2, self.program.threads - 1))
            return [Step(rng.choice(("load", "store")), (), row, self.value, each=True, turn=turn)]
        if chance < 0.7:
            return [Step("barrier")]
        if chance < 0.78:
            mask = None
            if rng.random() < 0.5:
                mask = sum(1 << lane for lane in {t % self.program.warp_size for _, t in self.actors}
                           if rng.random() < 0.9)
            return [] if mask == 0 else [Step("syncwarp", mask=mask)]
        if chance < 0.82:
            return [Step("shuffle")]
        if chance < 0.92:
            return self.handover()
        self.flags += 1
        inner = tuple(self.random_access() for _ in range(rng.randint(1, 2)))
        # What only the last one writes others could not count on.
        if any(each.action == "store" for each in inner) or rng.random() < 0.4:
            return [Step("lock", tuple(self.actors), flag=self.flags - 1, steps=inner)]
        return [Step("last", tuple(self.actors), flag=self.flags - 1, steps=inner)]

    def handover(self):
        """A lane sets a flag for which another one waits; on either side a barrier may let others take part."""
        rng = self.rng
        self.flags += 1
        giver, taker = rng.sample(self.actors, 2)
        steps = [Step("fence", (giver,)), Step("set", (giver,), flag=self.flags - 1),
                 Step("wait", (taker,), flag=self.flags - 1), Step("fence", (taker,))]
        if rng.random() < 0.3:
            steps.insert(0, Step("fence", tuple(self.actors)))
            steps.insert(1, Step("barrier"))
        if rng.random() < 0.3:
            steps.append(Step("barrier"))
        return steps

    def first_values(self):
        """Each cell gets one, of any lane, and a barrier makes most of them known."""
        rng = self.rng
        steps = []
        for cell in self.shared + self.globals:
            if rng.random() < 0.8:
                steps.append(Step("store", (rng.choice(self.actors),), cell, len(steps) + 1))
        steps += [Step("store", (), row, len(steps) + 1, each=True)
                  for row in (self.shared_row, self.global_row) if row is not None and rng.random() < 0.8]
        self.value = len(steps)
        if rng.random() < 0.5:
            # Shared memory is each block's own.
            steps = [step if step.each or step.cell.area == "g" else dataclasses.replace(step, lanes=self.one_a_block())
                     for step in steps]
        return steps + [Step("barrier")] if rng.random() < 0.8 else steps

    def one_a_block(self):
        thread = self.rng.randrange(self.program.threads)
        return tuple((block, thread) for block in range(self.program.blocks))

    def make(self):
        rng = self.rng
        launches = []
        for _ in range(rng.choice((1, 1, 1, 2))):
            steps = self.first_values()
            for _ in range(rng.randint(6, 18)):
                more = self.random_step()
                trial = dataclasses.replace(self.program, launches=(*launches, (*steps, *more)))
                if self.is_right(trial, len(launches), len(steps)):
                    steps += more
            launches.append(tuple(steps))
        return dataclasses.replace(self.program, launches=tuple(launches))


# Faults.

def changed(program, launch, number, steps):
    """The program with these steps in place of one."""
    launches = list(program.launches)
    launches[launch] = (*launches[launch][:number], *steps, *launches[launch][number + 1:])
    return dataclasses.replace(program, launches=tuple(launches))


def places(program, is_meant):
    return [(launch, number, step) for launch, steps in enumerate(program.launches)
            for number, step in enumerate(steps) if is_meant(step)]


def less_order(rng, program):
    """Something that orders accesses is left out, or does less."""
    found = places(program, lambda step: step.action not in ("load", "store", "set", "shuffle"))
    if not found:
        return None
    launch, number, step = rng.choice(found)
    if step.action in ("barrier", "fence", "wait"):
        less = [Step("syncwarp")] if step.action == "barrier" and rng.random() < 0.3 else []
    elif step.action == "syncwarp":
        names = (1 << program.warp_size) - 1 if step.mask is None else step.mask
        named = [lane for lane in range(program.warp_size) if names >> lane & 1]
        mask = names & ~(1 << rng.choice(named))
        less = [dataclasses.replace(step, mask=mask)] if mask and rng.random() < 0.6 else []
    elif step.action == "lock":
        less = [dataclasses.replace(step, fences=rng.choice(((False, True), (True, False))))]
        if rng.random() < 0.3:
            less = [dataclasses.replace(each, lanes=step.lanes) for each in step.steps]
    elif step.action == "last":
        less = [dataclasses.replace(step, fences=rng.choice(((False, True), (True, False))))]
    else:
        less = [dataclasses.replace(step, action=rng.choice(("load", "store")))]
    return changed(program, launch, number, less)


def other_lane(rng, program):
    """An access by another lane."""
    found = places(program, lambda step: step.cell is not None and not step.each)
    if not found:
        return None
    launch, number, step = rng.choice(found)
    lane = rng.randrange(program.blocks), rng.randrange(program.threads)
    return changed(program, launch, number, [dataclasses.replace(step, lanes=(lane,))])


def racy(rng, program):
    return (less_order if rng.random() < 0.75 else other_lane)(rng, program)


def area_bytes(program, cell):
    return program.shared_bytes if cell.area == "s" else program.global_bytes


def outside(rng, program):
    """An access in front of its area or behind it, as far as checks.md promises to find."""
    found = places(program, lambda step: step.cell is not None)
    if not found:
        return None
    launch, number, step = rng.choice(found)
    cell, size = step.cell, area_bytes(program, step.cell)
    alignment = TYPES[cell.type][1]
    farthest = max(256, 2 * size) - cell.bytes if cell.area == "s" else 2**20
    if step.each:
        # One of the lanes, at least.
        count = program.threads * (program.blocks if cell.area == "g" else 1)
        if rng.random() < 0.5:
            moved = size - cell.offset - (count - 1) * cell.bytes
        else:
            moved = -cell.offset - alignment
    elif rng.random() < 0.5:
        behind = rng.choice((1, 2, farthest // 2, farthest)) if rng.random() < 0.7 else cell.bytes
        moved = size + behind - cell.bytes - cell.offset
    else:
        moved = -cell.offset - rng.choice((1, alignment, farthest // 2))
    moved = moved // alignment * alignment if moved < 0 else -(-moved // alignment) * alignment
    return changed(program, launch, number, [dataclasses.replace(step, cell=cell.moved(moved))])


def is_outside(program):
    for steps in program.launches:
        for event in events(program, steps):
            if event.area is None:
                continue
            size = program.global_bytes if event.area == "g" else program.shared_bytes
            if event.low < 0 or event.high > size:
                return True
    return False


def crooked(rng, program):
    """An access at an address that its type does not allow."""
    found = places(program, lambda step: step.cell is not None and TYPES[step.cell.type][1] > 1)
    if not found:
        return None
    launch, number, step = rng.choice(found)
    alignment = TYPES[step.cell.type][1]
    by = rng.choice([each for each in range(1 - alignment, alignment) if each])
    return changed(program, launch, number, [dataclasses.replace(step, cell=step.cell.moved(by))])


def is_crooked(program):
    return any(step.cell is not None and step.cell.offset % TYPES[step.cell.type][1]
               for steps in program.launches for step in steps)


def unwritten(rng, program):
    """Values that nobody writes."""
    if program.host_writes:
        program = dataclasses.replace(program, host_writes=False)
        if rng.random() < 0.5:
            return program
    found = places(program, lambda step: step.action in ("store", "atomicExch"))
    if not found:
        return program
    launch, number, step = rng.choice(found)
    if rng.random() < 0.5:
        return changed(program, launch, number, [])
    # All of them.
    launches = tuple(tuple(each for each in steps if each.action not in ("store", "atomicExch") or each.cell != step.cell)
                     for steps in program.launches)
    return dataclasses.replace(program, launches=launches)
