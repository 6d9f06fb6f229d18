# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""cuda_pipeline.h: a thread's asynchronous copies, which nobody sees before it has waited for them."""

from kernel_support import RunTest
from skips import main

# Stages of four bytes, of an array by a pipeline, and of a pair whose second half is set to 0. WAIT leaves that many
# groups.
STAGES = """\
#include <cstdio>
#include <cuda_pipeline.h>
constexpr int rounds = 6;
__global__ void staged(const int* in, int* out) {
  __shared__ int stages[2][64];
  __shared__ int2 pairs[64];
  __shared__ int4 fours[64];
  const int i = threadIdx.x;
  const auto begin = [&](int round) {
    if (round < rounds) __pipeline_memcpy_async(&stages[round % 2][i], in + 64 * round + i, sizeof(int));
    __pipeline_commit();
  };
  begin(0);
  int sum = 0;
  for (int round = 0; round < rounds; ++round) {
    begin(round + 1);
    __pipeline_wait_prior(WAIT);
    __syncthreads();
    sum += (round + 1) * stages[round % 2][63 - i];
    __syncthreads();
  }
  out[i] = sum;
  nvcuda::experimental::pipeline pipe;
  nvcuda::experimental::memcpy_async(fours[i], reinterpret_cast<const int4*>(in)[i], pipe);
  pipe.commit();
  const int* const from = in + 2 * i;
  nvcuda::experimental::memcpy_async(nvcuda::experimental::segment<2>(&pairs[i].x),
                                     nvcuda::experimental::segment<1>(from), pipe);
  pipe.commit();
  pipe.wait_prior<1>();
  out[64 + i] = fours[i].x + fours[i].w;
  pipe.commit_and_wait();
  out[128 + i] = 100 * pairs[i].x + pairs[i].y;
}
__global__ void copied(const int* in, int* out) {
  __shared__ int tile[64];
  __pipeline_memcpy_async(tile, in, BYTES, 0);
  __pipeline_commit();
  __pipeline_wait_prior(0);
  out[0] = tile[0];
}
int main() {
  int *in, *out;
  cudaMallocManaged(&in, 64 * rounds * sizeof *in);
  cudaMallocManaged(&out, 192 * sizeof *out);
  for (int i = 0; i < 64 * rounds; ++i) in[i] = i * i % 37;
  staged<<<1, 64>>>(in, out);
  cudaDeviceSynchronize();
  for (int i = 0; i < 192; ++i) std::printf(i % 64 < 63 ? "%d " : "%d\\n", out[i]);
  copied<<<1, 1>>>(in, out);
  cudaDeviceSynchronize();
  cudaFree(in);
  cudaFree(out);
}
"""


def element(i):
    return i * i % 37


class CudaPipelineTest(RunTest):
    def program(self, wait=1, number="4"):
        self.write(STAGES.replace("WAIT", str(wait)).replace("BYTES", number), "stages.cu")

    def test_copies_are_there_after_the_wait(self):
        self.program()
        rows = [[sum((k + 1) * element(64 * k + 63 - i) for k in range(6)) for i in range(64)],
                [element(4 * i) + element(4 * i + 3) for i in range(64)],
                [100 * element(2 * i) for i in range(64)]]
        expected = "".join(" ".join(map(str, row)) + "\n" for row in rows)
        for lanes in ("32", "64"):
            for check in ("all", "off"):
                self.assertEqual(self.run_program("stages.cu", "--warp-size", lanes, "--check", check),
                                 (expected, "", 0))

    def test_they_are_not_there_before_it(self):
        self.program(wait=2)
        for lanes in ("32", "64"):
            _, err, code = self.run_program("stages.cu", "--warp-size", lanes)
            self.assertEqual(code, 3)
            self.assertIn("a lane reads memory that nobody has written", err)
            self.assertIn("at stages.cu:19\n", err)

    def test_what_cuda_excludes_is_a_finding(self):
        for number, rule in (("12", "a copy has 4, 8 or 16 bytes"),
                             ("4, 5", "no more bytes are set to 0 than the copy has")):
            self.program(number=number + ");  //")
            _, err, code = self.run_program("stages.cu")
            self.assertEqual(code, 3)
            self.assertIn(f"__pipeline_memcpy_async: assertion `{rule}' does not hold", err)
            self.assertIn("at stages.cu:37\n", err)
        self.program(number="4);  __pipeline_memcpy_async(tile + 1, in + 3, 8")
        self.assertIn("both addresses are multiples of the copy's bytes", self.run_program("stages.cu")[1])


if __name__ == "__main__":
    main()
