# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""CUDA's tiles of several warps: their values, that only their own warps wait, and what is found about them."""

import itertools

from kernel_support import RunTest
from sampling import sample
from skips import main

HEAD = """\
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
#include <cooperative_groups/scan.h>
#include <cstdio>
namespace cg = cooperative_groups;
"""

# Blocks of 448 threads: the last tile of 512, 256 or 128 lacks threads.
TILES = HEAD + """\
struct pair {
  double sum;
  int most;
};
constexpr int in_block = THREADS, n = 2 * in_block;
template <unsigned size>
__global__ void use(int* out) {
  __shared__ cg::block_tile_memory<512> memory;
  __shared__ int values[in_block];
  const auto block = cg::this_thread_block(memory);
  const auto tile = cg::tiled_partition<size>(block);
  static_assert(decltype(tile)::size() == size && decltype(tile)::num_threads() == size, "");
  const int rank = block.thread_rank(), i = blockIdx.x * in_block + rank, value = i * 7 % 31;
  int* const to = out + 10 * i;
  // The first tile has one turn, the second two, and so on: no tile waits for another one.
  for (unsigned turn = 0; turn <= tile.meta_group_rank(); ++turn) {
    values[rank] = value + turn;
    tile.sync();
    const int left = rank - tile.thread_rank();
    const int there = in_block - left < int(size) ? in_block - left : size;
    to[0] = values[left + (tile.thread_rank() + 40) % there];
    cg::sync(tile);
  }
  to[1] = cg::reduce(tile, value, cg::plus<int>());
  to[2] = cg::inclusive_scan(tile, value);
  to[3] = cg::exclusive_scan(tile, value, cg::plus<int>());
  const auto both = [](const pair& x, const pair& y) { return pair{x.sum + y.sum, x.most > y.most ? x.most : y.most}; };
  const pair all = cg::reduce(tile, pair{value / 2.0, value}, both);
  to[4] = 2 * all.sum;
  to[5] = all.most;
  to[6] = tile.shfl(value, 45);
  to[7] = tile.any(value == 3) + 2 * tile.all(value < 30) + 4 * tile.all(value < 31);
  const auto smaller = cg::tiled_partition<32>(tile);
  to[8] = smaller.meta_group_rank() * 1000 + smaller.meta_group_size() * 10 + (tile.meta_group_size() == (in_block + size - 1) / size);
  const cg::thread_group plain = tile;
  plain.sync();
  to[9] = plain.thread_rank() * 1000 + plain.size();
}
template <unsigned size>
void run() {
  int* out;
  cudaMallocManaged(&out, 10 * n * sizeof(int));
  use<size><<<2, in_block>>>(out);
  cudaDeviceSynchronize();
  for (int i = 0; i < 10 * n; ++i) printf(i % 10 < 9 ? "%d " : "%d\\n", out[i]);
  cudaFree(out);
}
int main() { run<64>(), run<128>(), run<256>(), run<512>(); }
"""


def expected(in_block):
    lines = []
    for size in (64, 128, 256, 512):
        for i in range(2 * in_block):
            rank = i % in_block
            left = rank // size * size
            members = [j * 7 % 31 for j in range(i - rank + left, i - rank + min(left + size, in_block))]
            mine = rank - left
            tile = rank // size
            lines.append([members[(mine + 40) % len(members)] + tile, sum(members), sum(members[:mine + 1]),
                          sum(members[:mine]), sum(members), max(members), members[45],
                          (3 in members) + 2 * (max(members) < 30) + 4, mine // 32 * 1000 + size // 32 * 10 + 1,
                          mine * 1000 + size])
    return "".join(" ".join(map(str, line)) + "\n" for line in lines)


EARLIER = HEAD + """\
__global__ void use(int* out) {
  __shared__ cg::experimental::block_tile_memory<sizeof(int), 128> memory;
  const auto block = cg::experimental::this_thread_block(memory);
  const auto tile = cg::experimental::tiled_partition<128>(block);
  out[threadIdx.x] = cg::reduce(tile, int(threadIdx.x), cg::greater<int>()) + cg::experimental::this_thread_block().size();
}
int main() {
  int* out;
  cudaMallocManaged(&out, 128 * sizeof(int));
  use<<<1, 128>>>(out);
  cudaDeviceSynchronize();
  printf("%d %d\\n", out[0], out[127]);
  cudaFree(out);
}
"""

# The second half of a tile reads what the first half writes; BETWEEN is what may order them.
ORDER = HEAD + """\
__global__ void use(int* out) {
  __shared__ int values[256];
  const auto tile = cg::tiled_partition<TILE>(cg::this_thread_block());
  values[threadIdx.x] = threadIdx.x;
  BETWEEN
  out[threadIdx.x] = values[(threadIdx.x + DISTANCE) % 256];
}
int main() {
  int* out;
  cudaMallocManaged(&out, 256 * sizeof(int));
  use<<<1, 256>>>(out);
  cudaDeviceSynchronize();
  cudaFree(out);
}
"""


class Tiles(RunTest):
    def run_text(self, text, *options, **values):
        for name, value in values.items():
            text = text.replace(name, value)
        self.write(text, "tiles.cu")
        return self.run_program("tiles.cu", *options)

    def test_have_the_values_of_their_threads(self):
        for lanes, threads in sample(itertools.product(("32", "64"), (512, 448)), 3):
            with self.subTest(lanes=lanes, threads=threads):
                self.assertEqual(self.run_text(TILES, "--warp-size", lanes, THREADS=str(threads)), (expected(threads), "", 0))

    def test_by_the_names_before_cuda_12(self):
        for lanes in ("32", "64"):
            self.assertEqual(self.run_text(EARLIER, "--warp-size", lanes), ("255 255\n", "", 0))

    def test_order_their_own_threads_alone(self):
        cases = (("256", "tile.sync();", "128", False), ("256", "", "128", True), ("128", "tile.sync();", "128", True),
                 ("128", "tile.sync();", "0", False), ("256", "static_cast<void>(tile.any(1));", "128", False))
        for lanes, (tile, between, distance, is_found) in sample(itertools.product(("32", "64"), cases), 2):
            with self.subTest(lanes=lanes, tile=tile, between=between, distance=distance):
                _, err, code = self.run_text(ORDER, "--warp-size", lanes, TILE=tile, BETWEEN=between, DISTANCE=distance)
                self.assertEqual((code, "data race" in err), (3, True) if is_found else (0, False), err)

    def test_a_warp_that_does_not_come_is_waited_for(self):
        _, err, code = self.run_text(ORDER, "--timeout", "2", TILE="256", BETWEEN="if (threadIdx.x < 128) tile.sync();",
                                     DISTANCE="0")
        self.assertEqual(code, 3)
        self.assertIn("thread_block_tile::sync at tiles.cu:10", " ".join(err.split()))


if __name__ == "__main__":
    main()
