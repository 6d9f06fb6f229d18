#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Random kernels without races, for comparing lanes that run in loops with lanes that have stacks (WARPZ_LANES=stacks):
what they compute, bit by bit, and what is found in those whose lanes do not all arrive. Called by itself with a warpz, a
number of kernels and a seed, it compares so many and keeps the sources of those that differ."""

import os
import pathlib
import random
import subprocess
import sys
import tempfile

BATCH = 50
SHAPES = ("32", "48", "64", "96", "256", "dim3(16, 4)", "dim3(8, 4, 2)", "dim3(24, 3)", "dim3(1, 40)", "dim3(64, 4)")
HEAD = """\
#include <hip/hip_runtime.h>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <vector>
__device__ unsigned mixed(unsigned a, unsigned b) {
  for (unsigned k = 0; k < (b & 3); ++k) a += __shfl_xor(a, 1) >> k;
  return a;
}
// Where a conversion is undefined, vectors give other values; and of what sign a NaN is depends on the operands' order.
__device__ unsigned whole(double x) { return x >= 0 && x < 4e9 ? (unsigned)x : 7; }
__device__ unsigned bits(float x) { return x == x ? __float_as_uint(x) : 9; }
__device__ unsigned told(unsigned a, int lane) { return __shfl(a, lane) + (unsigned)__popcll(__ballot(a & 1)); }
"""
MAIN = """\
template <class Kernel>
void run(const char* name, Kernel kernel, dim3 block, int n) {
  const int blocks = BLOCKS, size = blocks * 256;
  std::vector<unsigned> in(size), out(2 * size + 16);
  for (int i = 0; i < size; ++i) in[i] = i * 2654435761u ^ i << 7;
  unsigned *on_in, *on_out;
  hipMalloc(&on_in, size * 4);
  hipMalloc(&on_out, out.size() * 4);
  hipMemcpy(on_in, in.data(), size * 4, hipMemcpyHostToDevice);
  hipMemset(on_out, 0, out.size() * 4);
  kernel<<<blocks, block>>>(on_out, on_out + size, on_out + 2 * size, on_in, n);
  const hipError_t code = hipDeviceSynchronize();
  hipMemcpy(out.data(), on_out, out.size() * 4, hipMemcpyDeviceToHost);
  unsigned long long hash = 14695981039346656037ull;
  for (unsigned each : out) hash = (hash ^ each) * 1099511628211ull;
  std::printf("%s %d %llx\\n", name, (int)code, hash);
  hipFree(on_in);
  hipFree(on_out);
}
"""


class Maker:
    """The text of one kernel."""

    def __init__(self, rng):
        self.rng = rng
        self.loops = 0
        self.has_atomics = rng.random() < 0.3

    def value(self):
        return self.rng.choice(("a", "b", "tid", "(unsigned)lane", "(a >> 3)", "(a ^ b)", f"{self.rng.randrange(64)}u"))

    def differing(self):
        return self.rng.choice(("(a & 1) != 0", "lane < 7", "tid % 3 == 0", "(b & 6) == 2", "i < n", "a > b"))

    def same(self):
        return self.rng.choice(("(n & 4) != 0", "blockIdx.x == 1", "blockDim.x > 48", "n > 100"))

    def plain(self, depth):
        """Of one lane alone."""
        rng = self.rng
        kind = rng.randrange(11)
        if kind == 0 and depth < 3:
            other = f" else {{ {self.plain(depth + 1)} }}" if rng.random() < 0.5 else ""
            return f"if ({self.differing()}) {{ {self.plain(depth + 1)} {self.plain(depth + 1)} }}{other}"
        if kind == 1 and depth < 3:
            self.loops += 1
            k = f"k{self.loops}"
            end = rng.choice(("(a & 7)", "(tid & 3)", "5", "(n & 7)"))
            return f"for (unsigned {k} = 0, e = {end}; {k} < e; ++{k}) {{ a += {k}; {self.plain(depth + 1)} }}"
        return rng.choice((f"a = a * {rng.randrange(3, 99)}u + {self.value()};", f"b ^= a >> {rng.randrange(1, 9)};",
                           f"f = f * 0.75f + (float)({self.value()} & 255);", "f = sqrtf(f * f + 1.0f) / 3.0f;",
                           f"kept[a & 7] += {self.value()};", "a ^= kept[b & 7];", f"a += whole(f * {rng.randrange(1, 9)}.5f) & 1023;",
                           f"mine[i] += {self.value()};", "b += mine[i];", "a += in[i] + in[(i + a % 64) % size];",
                           f"d = d * 0.5 + {self.value()};", "b += blockIdx.x * n + threadIdx.x;"))

    def reading(self):
        """A loop that only reads, whose rounds lanes may take in step."""
        rng = self.rng
        self.loops += 1
        k, j = f"k{self.loops}", f"j{self.loops}"
        ends = ("(a & 15)", "(unsigned)(n & 15)", "9u", "(tid & 7) + 1", "(blockIdx.x + 3)", "(unsigned)lane")
        steps = (f"a += in[i] >> ({k} & 7);", f"f += (float)(in[{k} & 63] & 255) * 0.25f;", f"if (in[i] & (1u << ({k} & 31))) b ^= {k} * 77u;",
                 f"if (({k} & 2) != 0) d += in[{k}];", f"f = sqrtf(f + {k}) - d * 0.25f;", "if (b % 61 == 7) break;", f"if (a & {k}) continue;",
                 f"for (unsigned {j} = 0; {j} < {rng.choice(ends)}; ++{j}) {{ a += in[{j}] ^ {k}; f = f * 0.5f + {j}; }}",
                 "a = a * 3u + (b >> 5); b ^= a << 1; a += b * 7u; b -= a >> 3; a ^= b << 2; b += a * 5u; a -= in[b & 63];",
                 f"a += b * {k};", "b = b * 13u + 1u;", "f += part[tid];")
        body = " ".join(rng.choice(steps) for _ in range(rng.randrange(1, 5)))
        loop = f"for (unsigned {k} = 0, e = {rng.choice(ends)}; {k} < e; ++{k}) {{ {body} }}"
        return loop if rng.random() < 0.7 else f"if ({self.differing()}) {{ {loop} a += 3; }}"

    def meeting(self):
        """Of all lanes of the warp."""
        rng = self.rng
        return rng.choice((
            f"a += __shfl_xor(b, {1 << rng.randrange(5)});", f"b = __shfl_down(a, {rng.randrange(1, 9)});",
            f"f += __shfl_up(f, {rng.randrange(1, 5)}, {1 << rng.randrange(1, 6)});", f"a ^= __shfl(b, {self.value()} % 32);",
            f"a ^= (unsigned)__ballot({self.differing()});", f"b += __any({self.differing()});",
            f"b += 2 * __all({self.differing()});", "__syncwarp();", "a = mixed(a, n);", f"b += told(a, {rng.randrange(32)});",
            "a += (unsigned)__popcll(__match_any(b & 3));", "d += __shfl_xor(d, 2);", "b += (unsigned)__popcll(__activemask());",
            "{ unsigned left = a & 15; while (__any(left != 0)) { left >>= 1; b += left; } }",
            "for (int o = warpSize / 2; o > 0; o /= 2) a += __shfl_xor(a, o);",
            "if (lane < 16) b += __shfl_xor_sync(0xffffull, b, 3);",
            "a += __shfl_xor_sync(lane < 16 ? 0xffffull : ~0xffffull, a, 5);", "a ^= __shfl_sync(~0ull, b, 3);"))

    def of_block(self):
        rng = self.rng
        if not self.has_atomics or rng.random() < 0.5:
            return rng.choice(self.exchanges())
        return rng.choice(self.atomics())

    def exchanges(self):
        return (
            "__syncthreads();", f"b += __syncthreads_count({self.differing()});",
            f"part[tid] = a; __syncthreads(); b += part[(tid * 5 + {self.rng.randrange(9)}) % threads]; __syncthreads();",
            "if (tid < threads / 2) part[tid] = b; __syncthreads(); if (tid < threads / 2) a += part[threads / 2 - 1 - tid]; __syncthreads();")

    def atomics(self):
        rng = self.rng
        return (
            "atomicAdd(&sums[a & 7], b); __syncthreads(); a += sums[b & 7]; __syncthreads();",
            "atomicMax(&sums[a & 7], b & 65535u); __syncthreads(); a += sums[lane & 7]; __syncthreads();",
            "if (lane == 0) atomicAdd(&total, f); __syncthreads(); f += total; __syncthreads();",
            "b += atomicAdd(&sums[3], 1u) * 3; __syncthreads();",
            f"if (lane == {rng.randrange(32)}) b += atomicExch(&sums[5], a); __syncthreads();",
            f"if ({self.differing()}) b += atomicExch(&sums[6], a) + atomicAdd(&sums[4], b); a ^= __shfl_xor(b, 4);",
            f"if ({self.differing()}) a += atomicAdd(&sums[2], a & 3); __syncthreads();")

    def statement(self, depth, may_meet_block):
        rng = self.rng
        kind = rng.randrange(12)
        if kind < 2:
            return self.plain(0)
        if kind < 4:
            return self.reading()
        if kind < 7 or depth > 2:
            return self.meeting()
        if kind < 9 and may_meet_block:
            return self.of_block()
        inner = " ".join(self.statement(depth + 1, may_meet_block) for _ in range(rng.randrange(1, 4)))
        if kind == 9:
            return f"if ({self.same()}) {{ {inner} }}"
        if kind == 10:
            self.loops += 1
            k = f"k{self.loops}"
            end = rng.choice(("3", "(n & 3)", "(int)blockIdx.x + 1"))
            return f"for (int {k} = 0; {k} < {end}; ++{k}) {{ a += {k} * 7; {inner} }}"
        inner = " ".join(self.statement(depth + 1, False) for _ in range(2))
        return f"if ((tid / warpSize) % 2 == 0) {{ {inner} }}"

    def kernel(self, name, parts):
        steps = [self.statement(0, True) for _ in range(self.rng.randrange(3, 9))]
        if parts:
            steps.insert(self.rng.randrange(len(steps)), self.rng.choice(
                ("if (i % 64 > 40) return;", "if ((a & 3) == 1) return;", "if (lane < 5) b += __shfl_down(b, 1);",
                 "if (tid < 40) __syncthreads();", "for (unsigned k = 0; k < (a & 1); ++k) a += __shfl_xor(b, 1);")))
        body = "\n  ".join(steps)
        return f"""\
__global__ void {name}(unsigned* out, unsigned* mine, unsigned* counts, const unsigned* in, int n) {{
  __shared__ unsigned part[256], sums[8];
  __shared__ float total;
  const unsigned threads = blockDim.x * blockDim.y * blockDim.z, size = gridDim.x * threads;
  const unsigned tid = (threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x;
  const unsigned i = blockIdx.x * threads + tid;
  const int lane = tid % warpSize;
  unsigned a = in[i], b = tid, kept[8] = {{tid, 1, 2, 3, 4, 5, 6, 7}};
  float f = tid * 0.25f;
  double d = tid;
  part[tid] = tid;
  if (tid < 8) sums[tid] = tid;
  if (tid == 0) total = 0;
  __syncthreads();
  {body}
  out[i] = a + b * 31 + kept[a & 7] + whole(f) + bits(f) + whole(d);
  if (n & 1) atomicAdd(&counts[a & 15], b);
}}
"""


def source(rng, count, parts):
    names = [f"c{number}" for number in range(count)]
    kernels = "".join(Maker(rng).kernel(name, parts) for name in names)
    calls = "".join(f'  if (chosen < 0 || chosen == {number}) run("{name}", {name}, {rng.choice(SHAPES)}, {rng.randrange(300)});\n'
                    for number, name in enumerate(names))
    blocks = "1" if parts else "3"  # which one is the first to have a finding is not known
    return (HEAD + kernels + MAIN.replace("BLOCKS", blocks) + "int main(int count, char** words) {\n"
            "  const int chosen = count > 1 ? std::atoi(words[1]) : -1;\n" + calls + "}\n")


def outcome(program, file, warp_size, way, words=()):
    """What it prints and finds."""
    command = [program, "--run", file, "--check", "off", "--warp-size", str(warp_size), "--cxxflags", "-w", "--", *words]
    done = subprocess.run([str(each) for each in command], stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False,
                          env={**os.environ, "WARPZ_LANES": way})
    # A busy machine may take long to compile.
    said = [line for line in done.stderr.splitlines() if "still being compiled" not in line]
    # How far other warps have come when a finding ends a launch is not known.
    printed = [line.rsplit(" ", 1)[0] if said else line for line in done.stdout.splitlines()]
    return done.returncode, printed, said


def compare(program, file, warp_size, count, parts):
    """The ways that differ from stacks, and the numbers of the kernels that do. Those whose lanes part are run one by one:
    a finding ends the program."""
    differing = []
    for words in [(str(number),) for number in range(count)] if parts else [()]:
        expected = outcome(program, file, warp_size, "stacks", words)
        differing += [(way, words) for way in ("avx2", "loops") if outcome(program, file, warp_size, way, words) != expected]
    return differing


def main():
    program, count, seed = pathlib.Path(sys.argv[1]).resolve(), int(sys.argv[2]), sys.argv[3]
    folder = pathlib.Path(tempfile.mkdtemp(prefix="lanes-"))
    differing = 0
    batches = -(-count // BATCH)
    for number in range(batches):
        parts = number % 5 == 4
        size = 10 if parts else BATCH
        file = folder / f"{seed}-{number}.hip"
        file.write_text(source(random.Random(f"{seed} {number}"), size, parts))
        wrong = [(warp_size, found) for warp_size in (32, 64) for found in compare(program, file, warp_size, size, parts)]
        if wrong:
            differing += 1
            print(f"{file}: differs: {wrong}", flush=True)
        else:
            file.unlink()
        print(f"{number + 1} of {batches}: {size} kernels", file=sys.stderr, flush=True)
    print(f"{differing} batches differ")
    return differing != 0


if __name__ == "__main__":
    sys.exit(main())
