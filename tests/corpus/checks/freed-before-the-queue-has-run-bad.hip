// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A buffer's destructor frees it at once, while kernels that write to it are still in a queue.
// modelled on: https://github.com/ComputationalRadiationPhysics/picongpu/pull/5763
// run: program
// finds: use_after_free
// lane: 1 1
#include <hip/hip_runtime.h>

#include <cstdio>
#include <vector>

struct task {
  float* cells;
  int n;
};

std::vector<task> queue;

__global__ void fill_inside(float* cells, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i > 0 && i < n - 1) cells[i] = 1.0f;  // first
}

void run_queue() {
  for (const task& each : queue) fill_inside<<<1, 64>>>(each.cells, each.n);
  std::printf("%d done\n", static_cast<int>(queue.size()));
  queue.clear();
}

class buffer {
 public:
  explicit buffer(int n) : n_(n) { hipMalloc(&cells_, n * sizeof(float)); }
  ~buffer() {
    hipFree(cells_);  // second
  }
  void enqueue_fill() const { queue.push_back({cells_, n_}); }

 private:
  float* cells_ = nullptr;
  int n_;
};

int main() {
  {
    const buffer field(60);
    field.enqueue_fill();
  }
  run_queue();
  return 0;
}
