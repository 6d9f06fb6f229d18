# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Small programs whose host side may go wrong: buffers that are freed too early, twice or never, and launches that no
device accepts; and sums that may be written for one warp size."""

import dataclasses

# Memory of the host side.


@dataclasses.dataclass(frozen=True)
class Buffers:
    """Calls, one after the other: (alloc | write | read | free, the buffer's number). A buffer is written before it is
    read, and allocated once."""
    calls: tuple

    def findings(self):
        alive, freed, found = set(), set(), set()
        for call, buffer in self.calls:
            if call == "alloc":
                alive.add(buffer)
            elif call == "free":
                if buffer in freed:
                    found.add("double_free")
                alive.discard(buffer)
                freed.add(buffer)
            elif buffer in freed:
                found.add("use_after_free")
        return found | ({"leak"} if alive else set())

    def text(self, name):
        count = 1 + max(buffer for _, buffer in self.calls)
        lines = [f"__global__ void {name}_0(int* p) {{ p[threadIdx.x] = threadIdx.x; }}",
                 f"__global__ void {name}_1(const int* p, int* sum) {{ atomicAdd(sum, p[threadIdx.x]); }}",
                 f"static void {name}() {{", f"  int *b[{count}] = {{}}, *sum;", "  hipMallocManaged(&sum, 4); *sum = 0;"]
        texts = {"alloc": "hipMalloc(&b[{0}], 256);", "write": name + "_0<<<1, 64>>>(b[{0}]);",
                 "read": name + "_1<<<1, 64>>>(b[{0}], sum);", "free": "hipFree(b[{0}]);"}
        lines += ["  " + texts[call].format(buffer) for call, buffer in self.calls]
        return lines + ["  hipFree(sum);", "}"]


def right_buffers(rng):
    calls = []
    for buffer in range(rng.randint(1, 4)):
        own = ["alloc", "write", *rng.choices(("write", "read"), k=rng.randint(0, 3)), "free"]
        places = sorted(rng.randint(0, len(calls)) for _ in own)
        for shift, (place, call) in enumerate(zip(places, own)):
            calls.insert(place + shift, (call, buffer))
    return Buffers(tuple(calls))


def misused(rng, buffers):
    calls = list(buffers.calls)
    frees = [number for number, (call, _) in enumerate(calls) if call == "free"]
    number = rng.choice(frees)
    chance = rng.random()
    if chance < 0.35:
        del calls[number]
    elif chance < 0.65:
        calls.insert(rng.randint(number + 1, len(calls)), calls[number])
    else:
        # Earlier than a use, or a use later.
        if rng.random() < 0.5:
            calls.insert(rng.randint(number + 1, len(calls)), (rng.choice(("write", "read")), calls[number][1]))
        else:
            uses = [i for i, (call, buffer) in enumerate(calls[:number])
                    if call in ("write", "read") and buffer == calls[number][1]]
            # The first write stays in front, so that what is read was written.
            if len(uses) < 2:
                return buffers
            calls.insert(rng.choice(uses[1:]), calls.pop(number))
    return Buffers(tuple(calls))


# Launches.

MOST_THREADS, MOST_SHARED = 1024, 65536
UNASKED_SHARED = 49152  # NVIDIA's devices give more after hipFuncSetAttribute alone


@dataclasses.dataclass(frozen=True)
class Launch:
    bound: int  # of __launch_bounds__; None: none
    threads: tuple
    shared: int

    def is_accepted(self):
        x, y, z = self.threads
        return x * y * z <= (self.bound or MOST_THREADS) and self.shared <= MOST_SHARED

    def text(self, name):
        bound = f"__launch_bounds__({self.bound}) " if self.bound else ""
        x, y, z = self.threads
        asks = (f"  hipFuncSetAttribute((const void*){name}_0, hipFuncAttributeMaxDynamicSharedMemorySize, {self.shared});"
                if self.shared > UNASKED_SHARED else "")
        return [f"__global__ void {bound}{name}_0(int* out) {{ if (threadIdx.x == 0) atomicAdd(out, 1); }}",
                f"static void {name}() {{", "  int* out; hipMallocManaged(&out, 4); *out = 0;", asks,
                f"  {name}_0<<<2, dim3({x}, {y}, {z}), {self.shared}>>>(out);", "  hipDeviceSynchronize(); hipFree(out);",
                "}"]


def random_launch(rng):
    bound = rng.choice((None, None, 64, 128, 256, 512, 1024))
    most = bound or MOST_THREADS
    total = rng.choice((most, most + 1, most + 32, 2 * most, rng.randint(1, most), rng.randint(1, 2 * most)))
    y = rng.choice((1, 1, 2, 4))
    shared = rng.choice((0, 0, 0, 1024, MOST_SHARED, MOST_SHARED + 1, rng.randint(0, 2 * MOST_SHARED)))
    return Launch(bound, (max(1, total // y), y, 1), shared)


# Both warp sizes.

WARP_SIZE = "warpSize"


@dataclasses.dataclass(frozen=True)
class Sum:
    """The sum of a block's numbers by warps: with the warp's size, or with a number in its place."""
    threads: int
    seed: int
    first_offset: object  # WARP_SIZE: half of it
    warp: object  # threads that share a part of the sum

    def result(self, warp_size):
        values = [(i * self.seed + 11) % 97 for i in range(self.threads)]
        offset = warp_size // 2 if self.first_offset == WARP_SIZE else self.first_offset
        while offset:
            values = [each + values[i // warp_size * warp_size + (i % warp_size ^ offset)] for i, each in enumerate(values)]
            offset //= 2
        size = warp_size if self.warp == WARP_SIZE else self.warp
        return sum(values[i] for i in range(0, self.threads, size))

    def text(self, name):
        offset = "warpSize / 2" if self.first_offset == WARP_SIZE else self.first_offset
        return [f"__global__ void {name}_0(int* out) {{", "  __shared__ int parts[64];",
                f"  const int t = threadIdx.x, own = (t * {self.seed} + 11) % 97;", "  int sum = own;",
                f"  for (int offset = {offset}; offset > 0; offset /= 2) sum += __shfl_xor(sum, offset);",
                f"  if (t % {self.warp} == 0) parts[t / {self.warp}] = sum;", "  __syncthreads();", "  if (t == 0) {",
                f"    out[0] = 0; for (int i = 0; i < {self.threads} / {self.warp}; ++i) out[0] += parts[i];",
                "  }", "}", f"static void {name}() {{",
                f"  int* out; hipMallocManaged(&out, 4); {name}_0<<<1, {self.threads}>>>(out); hipDeviceSynchronize();",
                f'  std::printf("{name} %d\\n", out[0]); hipFree(out);', "}"]


def random_sum(rng):
    return Sum(rng.choice((64, 128, 256)), rng.choice((3, 5, 7, 13)), rng.choice((WARP_SIZE, WARP_SIZE, 16, 8)),
               rng.choice((WARP_SIZE, WARP_SIZE, 32)))
