# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""PTX in device code: arithmetic, bits, several instructions between the quotes, shuffles, votes, memory. Each value is
compared with a model of the PTX ISA's text in this file."""

import re

from kernel_support import RunTest
from skips import main

WORD = 0xFFFFFFFF
LANES = 32

# Operands: v is the lane's word, t the lane. Each result is a word.
SIMPLE = [
    ("bfe.u32 %0, %1, %2, 5;", lambda v, t: v >> t & 31),
    ("bfe.s32 %0, %1, %2, 7;", lambda v, t: extracted(v, t, 7)),
    ("bfi.b32 %0, %1, 0x12345678, %2, 9;", lambda v, t: 0x12345678 & ~(511 << t) | v << t & 511 << t),
    ("prmt.b32 %0, %1, 0x80c1f27f, %2;", lambda v, t: permuted(v, 0x80C1F27F, t)),
    ("prmt.b32 %0, %1, 0x80c1f27f, 0xf5a0;", lambda v, t: permuted(v, 0x80C1F27F, 0xF5A0)),
    ("vshr.u32.u32.u32.clamp.add %0, %1, %2, 7;", lambda v, t: (v >> t) + 7),
    ("vshl.u32.u32.u32.clamp.add %0, %1, %2, 7;", lambda v, t: (v << t) + 7),
    ("vadd.u32.u32.u32.add %0, %1, %2, 9;", lambda v, t: v + t + 9),
    ("vabsdiff4.u32.u32.u32.add %0, %1, 0x12f4a680, %2;", lambda v, t: sum(distances(v, 0x12F4A680, 8, False)) + t),
    ("vabsdiff2.u32.s32.s32 %0, %1, 0x7ffea680, 0;",
     lambda v, t: sum(each << 16 * i for i, each in enumerate(distances(v, 0x7FFEA680, 16, True)))),
    ("shl.b32 %0, %1, 33;", lambda v, t: 0),
    ("shr.s32 %0, %1, 40;", lambda v, t: WORD if v >> 31 else 0),
    ("shf.l.wrap.b32 %0, %1, %2, 4;", lambda v, t: t << 4 | v >> 28),
    ("shf.r.clamp.b32 %0, %1, %2, 50;", lambda v, t: t),
    ("lop3.b32 %0, %1, %2, 0x55, 0xe8;", lambda v, t: v & t | v & 0x55 | t & 0x55),
    ("mul.hi.u32 %0, %1, %1;", lambda v, t: v * v >> 32),
    ("mad.lo.u32 %0, %1, %2, 0f3F800000;", lambda v, t: v * t + 0x3F800000),
    ("popc.b32 %0, %1;", lambda v, t: bin(v).count("1")),
    ("bfind.u32 %0, %1;", lambda v, t: v.bit_length() - 1),
    ("min.s32 %0, %1, %2;", lambda v, t: v if v >> 31 else min(v, t)),
    # Carries, a pair of words, a predicate and its contrary, an immediate that is negative.
    ("{ .reg .u32 low; add.cc.u32 low, %1, 0x80000000; addc.u32 %0, %2, 0; }", lambda v, t: t + (v + 2**31 >> 32)),
    ("{ .reg .u64 wide; .reg .b32 part<2>; mul.wide.u32 wide, %1, 0x10001; mov.b64 {part0, part1}, wide;"
     " xor.b32 %0, part0, part1; }", lambda v, t: v * 0x10001 & WORD ^ v * 0x10001 >> 32),
    ("{ .reg .pred p, q; setp.lt.s32 p|q, %1, 0; selp.b32 %0, 3, 5, q; @p add.s32 %0, %0, -9; }",
     lambda v, t: 5 - 9 if v >> 31 else 3),
    ("{ .reg .f32 x; cvt.rn.f32.u32 x, %2; fma.rn.f32 x, x, 0fC0200000, 0f3F000000; cvt.rzi.s32.f32 %0, x; }",
     lambda v, t: int(t * -2.5 + 0.5)),
    # Of lanes: up to the lane 3 below, of segments of 8 lanes; all bits of the others; their votes.
    ("{ .reg .u32 r; .reg .pred p; shfl.sync.up.b32 r|p, %1, 3, 0x1800, 0xffffffff; @p add.u32 r, r, %1;"
     " mov.u32 %0, r; }", lambda v, t: v + word(t - 3) if t % 8 >= 3 else v),
    ("shfl.sync.bfly.b32 %0, %1, 5, 0x1f, -1;", lambda v, t: word(t ^ 5)),
    ("shfl.sync.idx.b32 %0, %1, 9, 0x181f, -1;", lambda v, t: word(t // 8 * 8 + 1)),
    ("{ .reg .pred p; and.b32 %0, %1, 4; setp.eq.u32 p, %0, 4; vote.ballot.sync.b32 %0, p, 0xffffffff;"
     " @!p not.b32 %0, %0; }",
     lambda v, t: sum(1 << i for i in range(LANES) if (word(i) & 4) == (v & 4))),
    ("{ .reg .u32 r; and.b32 r, %1, 3; match.any.sync.b32 %0, r, -1; }",
     lambda v, t: sum(1 << i for i in range(LANES) if (word(i) & 3) == (v & 3))),
    ("mad.lo.u32 %0, %%ntid.x, 3, %%tid.x;", lambda v, t: 96 + t),
]


def word(lane):
    return (lane + 1) * 2654435761 & WORD


def extracted(value, position, length):
    """bfe.s32 by the ISA's own loop over bits."""
    sign = value >> min(position + length - 1, 31) & 1
    return sum((value >> position + i & 1 if i < length and position + i < 32 else sign) << i for i in range(32))


def distances(a, b, bits, is_signed):
    """Of the parts of two words, from the lowest on."""
    for at in range(0, 32, bits):
        x, y = (int.from_bytes((each >> at & (1 << bits) - 1).to_bytes(bits // 8, "little"), "little", signed=is_signed)
                for each in (a, b))
        yield abs(x - y)


def permuted(low, high, selector):
    pair = (high << 32 | low).to_bytes(8, "little")
    result = []
    for i in range(4):
        nibble = selector >> 4 * i & 15
        byte = pair[nibble & 7]
        result.append((0xFF if byte & 0x80 else 0) if nibble & 8 else byte)
    return int.from_bytes(bytes(result), "little")


def program(statements):
    body = "".join(f'  asm volatile("{text}" : "=r"(r) : "r"(v), "r"(t));\n  out[{len(statements)} * t + {i}] = r;\n'
                   for i, text in enumerate(statements))
    return f"""\
#include <cstdio>
__global__ void all(unsigned* out) {{
  const unsigned t = threadIdx.x, v = (t + 1) * 2654435761u;
  unsigned r;
{body}}}
int main() {{
  unsigned* out;
  cudaMallocManaged(&out, {4 * LANES * len(statements)});
  all<<<1, {LANES}>>>(out);
  cudaDeviceSynchronize();
  for (int i = 0; i < {LANES * len(statements)}; ++i) std::printf("%x\\n", out[i]);
  cudaFree(out);
}}
"""


# Halves, floats and bytes, whose constraints only PTX has, in a macro; words of two elements; an atomic.
MEMORY = """\
#include <cstdio>
#define MOVE(type, constraint, from, to)                                  \\
  {                                                                       \\
    type r;                                                               \\
    asm volatile("ld.cg." #from " %0, [%1];" : "=" constraint(r) : "l"(in)); \\
    asm volatile("st." #to " [%0], %1;" ::"l"(out), constraint(r));        \\
  }
__device__ float sum(float a, float b) {
  float r;
  asm("{ .reg .f32 x; add.f32 x, %1, %2; mul.rz.f32 %0, x, 0f3FC00000; }" : "=f"(r) : "f"(a), "f"(b));
  return r;
}
__device__ unsigned char byte(const unsigned char* from) {
  unsigned short r;
  asm volatile("{ .reg .u8 datum; ld.ca.u8 datum, [%1]; cvt.u16.u8 %0, datum; }" : "=h"(r) : "l"(from));
  return static_cast<unsigned char>(r);
}
__global__ void move(const unsigned* in, unsigned* out, float* sums, int* count) {
  if (threadIdx.x == 0) {
    unsigned a, b;
    asm volatile("ld.global.nc.v2.u32 {%0, %1}, [%2+8];" : "=r"(a), "=r"(b) : "l"(in));
    asm volatile("st.global.cg.v2.u32 [%0], {%2, %1};" ::"l"(out + 2), "r"(a), "r"(b));
    unsigned short half;
    asm volatile("ld.volatile.u16 %0, [%1];" : "=h"(half) : "l"(in));
    asm volatile("st.volatile.u16 [%0], %1;" ::"l"(out + 4), "h"(half));
    *sums = sum(1.25f, 2.5f) + byte(reinterpret_cast<const unsigned char*>(in) + 3);
  }
  asm volatile("bar.sync 0;");
  int old;
  asm volatile("atom.global.add.s32 %0, [%1], %2;" : "=r"(old) : "l"(count), "r"(2) : "memory");
  asm volatile("red.global.max.s32 [%0], %1;" ::"l"(count + 1), "r"(old) : "memory");
}
int main() {
  unsigned *in, *out;
  float* sums;
  int* count;
  cudaMallocManaged(&in, 16);
  cudaMallocManaged(&out, 20);
  cudaMallocManaged(&sums, 4);
  cudaMallocManaged(&count, 8);
  for (int i = 0; i < 4; ++i) in[i] = 0x07020103 * (i + 1);
  for (int i = 0; i < 5; ++i) out[i] = 0;
  count[0] = count[1] = 0;
  move<<<1, 64>>>(in, out, sums, count);
  cudaDeviceSynchronize();
  std::printf("%x %x %x %g %d %d\\n", out[2], out[3], out[4], *sums, count[0], count[1]);
  cudaFree(in);
  cudaFree(out);
  cudaFree(sums);
  cudaFree(count);
}
"""

RACE = """\
__global__ void race(int* out) {
  if (threadIdx.x == %s) asm volatile("st.global.u32 [%%0], %%1;" ::"l"(out), "r"(1));
  int r;
  asm volatile("ld.global.u32 %%0, [%%1];" : "=r"(r) : "l"(out));
  out[1 + threadIdx.x] = r;
}
int main() {
  int* out;
  cudaMalloc(&out, 4 * 65);
  cudaMemset(out, 0, 4 * 65);
  race<<<1, 64>>>(out);
  cudaDeviceSynchronize();
  cudaFree(out);
}
"""

# In a function, under a predicate; several blocks on each lane's stack, and a second launch.
EXIT = """\
#include <cstdio>
constexpr int blocks = 300, threads = 128;
__device__ __noinline__ int left(int i) {
  asm volatile("{ .reg .pred p; setp.ge.s32 p, %0, 100; @p exit; }" ::"r"(i));
  if (i % 3 == 0) asm volatile("exit;");
  return i;
}
__global__ void kernel(int* out, int* counts) {
  const int i = blockIdx.x * threads + threadIdx.x;
  out[i] = -1;
  const int v = left(threadIdx.x);
  atomicAdd(counts + blockIdx.x, 1);
  out[i] = v;
}
int main() {
  int *out, *counts;
  cudaMallocManaged(&out, 4 * blocks * threads);
  cudaMallocManaged(&counts, 4 * blocks);
  for (int launch = 1; launch < 3; ++launch) {
    for (int i = 0; i < blocks; ++i) counts[i] = 0;
    kernel<<<blocks, threads>>>(out, counts);
    cudaDeviceSynchronize();
    int wrong = 0;
    for (int i = 0; i < blocks * threads; ++i) {
      const int thread = i % threads;
      wrong += out[i] != (thread >= 100 || thread % 3 == 0 ? -1 : thread);
    }
    for (int i = 0; i < blocks; ++i) wrong += counts[i] != 66;
    std::printf("%d\\n", wrong);
  }
  cudaFree(out);
  cudaFree(counts);
}
"""

# Lane 0 has left, and is named by the mask.
EXIT_OF_NAMED_LANE = """\
__global__ void kernel(int* out) {
  if (threadIdx.x == 0) asm volatile("exit;");
  out[threadIdx.x] = __shfl_sync(0xffffffff, threadIdx.x, 1);
}
int main() {
  int* out;
  cudaMalloc(&out, 128);
  kernel<<<1, 32>>>(out);
  cudaDeviceSynchronize();
  cudaFree(out);
}
"""

REFUSED = ["mma.sync.aligned.m8n8k4.row.col.f64.f64.f64.f64 %0, %1, %2, %0;", "bfe.u32 %0, %1;", "add.u32 %0, %1, nobody;",
           "ld.global.u32 %0, [%1];", "there: bra there;", "add.sat.s32 %0, %1, %2;", "mov.u32 %0, %%smid;"]


class PtxTest(RunTest):
    def test_instructions(self):
        self.write(program([text for text, _ in SIMPLE]), "all.cu")
        out, err, code = self.run_program("all.cu")
        self.assertEqual((err, code), ("", 0))
        values = [int(each, 16) for each in out.split()]
        self.assertEqual(len(values), LANES * len(SIMPLE))
        for i, (text, model) in enumerate(SIMPLE):
            for lane in range(LANES):
                with self.subTest(text, lane=lane):
                    self.assertEqual(values[len(SIMPLE) * lane + i], model(word(lane), lane) & WORD)

    def test_memory_and_constraints_that_only_ptx_has(self):
        self.write(MEMORY, "memory.cu")
        # (1.25 + 2.5) * 1.5 and the byte 7; 64 additions of 2, of which the last one saw 126.
        self.assertEqual(self.run_program("memory.cu"), (f"{0x07020103 * 4:x} {0x07020103 * 3:x} 103 12.625 128 126\n", "", 0))

    def test_accesses_are_checked(self):
        self.write(RACE % "32", "race.cu")
        _, err, code = self.run_program("race.cu")
        self.assertEqual(code, 3)
        self.assertRegex(err, r"race.cu:[24]")

    def test_exit_ends_a_lane(self):
        self.write(EXIT, "exit.cu")
        for check in ("off", "collectives", "all"):
            for lanes in ("32", "64"):
                with self.subTest(check, lanes=lanes):
                    self.assertEqual(self.run_program("exit.cu", "--check", check, "--warp-size", lanes), ("0\n0\n", "", 0))

    def test_a_lane_that_exit_has_ended_takes_part_in_nothing(self):
        self.write(EXIT_OF_NAMED_LANE, "named.cu")
        _, err, code = self.run_program("named.cu")
        self.assertEqual(code, 3)
        self.assertIn("has returned from the kernel", err)

    def test_registers_with_one_sign_are_mended(self):
        self.write("""#include <cstdio>
__global__ void lanes() {
  unsigned lane, thread, first;
  asm volatile("mov.u32 %0, %laneid;" : "=r"(lane));
  asm("{ .reg .u32 r; mov.u32 r, %ntid.x; mov.u32 %0, %tid.x; mad.lo.u32 %0, %0, 2, r; }" : "=r"(thread));
  asm("mov.u32 %0, %%laneid;" : "=r"(first));
  if (lane == 5) printf("%u %u %u %%laneid\\n", lane, thread, first);
}
int main() {
  lanes<<<1, 32>>>();
  return cudaDeviceSynchronize();
}
""", "my.cu")
        self.assertEqual(self.run_program("my.cu"), ("5 42 5 %laneid\n", "", 0))

    def test_what_is_not_known_is_refused_at_its_line(self):
        for text in REFUSED:
            with self.subTest(text):
                self.write(program([text]), "refused.cu")
                _, err, code = self.run_program("refused.cu")
                self.assertEqual(code, 5)
                words = re.escape(text.rstrip(";").replace("%%", "%"))
                self.assertRegex(err, rf"refused.cu:5:\d+: error: .*the CPU machine has no such instruction: '{words}'")


if __name__ == "__main__":
    main()
