// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The documented puzzles' kernels, each variant of each, beside copies, on one GPU in one run: milliseconds for an
// array that no cache holds. scripts/bench-gpu --puzzles compiles it behind the kernels' own files and makes a table of
// it.
//
//     puzzles ELEMENTS PAIR...      PAIR: a kernel and its tuned one, separated by a colon
//
// Prints a line of CSV for each: kernel, median, least milliseconds. The results of a pair are compared on the GPU.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <vector>

#include "warpz/kernel.hpp"

namespace {

void check(hipError_t code, const char* call) {
  if (code == hipSuccess) return;
  std::fprintf(stderr, "bench-gpu: %s: %s\n", call, hipGetErrorString(code));
  std::exit(4);
}
#define CHECK(call) check((call), #call)

/// As tuned_plan (src/puzzle/puzzle.hpp) has it.
constexpr unsigned tuned_threads = 256;
constexpr unsigned tuned_elements = 4 * tuned_threads;
constexpr int warm_ups = 3, runs = 15;
/// Sums in another order.
constexpr float tolerance = 1e-5F;

__global__ void copy_four(float4* output, const float4* input, int count) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < count) output[i] = input[i];
}

/// Numbers of a small range, so that partitions and maxima have something to do.
__global__ void fill(float* numbers, int size) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  const unsigned mixed = (i ^ i >> 16) * 0x45d9f3bU;
  if (i < static_cast<unsigned>(size)) numbers[i] = static_cast<float>((mixed ^ mixed >> 16) % 1000) / 8.0F;
}

__global__ void count_differences(unsigned* different, const float* one, const float* other, int size) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < size && !(fabsf(one[i] - other[i]) <= tolerance * fmaxf(32.0F, fabsf(one[i])))) atomicAdd(different, 1U);
}

template <class Launch>
void measure(const char* name, const Launch& launch) {
  hipEvent_t begin, end;
  CHECK(hipEventCreate(&begin));
  CHECK(hipEventCreate(&end));
  std::vector<float> milliseconds;
  for (int run = 0; run < warm_ups + runs; ++run) {
    CHECK(hipEventRecord(begin, nullptr));
    launch();
    CHECK(hipGetLastError());
    CHECK(hipEventRecord(end, nullptr));
    CHECK(hipEventSynchronize(end));
    float took = 0;
    CHECK(hipEventElapsedTime(&took, begin, end));
    if (run >= warm_ups) milliseconds.push_back(took);
  }
  CHECK(hipEventDestroy(begin));
  CHECK(hipEventDestroy(end));
  std::sort(milliseconds.begin(), milliseconds.end());
  std::printf("%s,%.4f,%.4f\n", name, milliseconds[runs / 2], milliseconds[0]);
  std::fflush(stdout);
}

const warpz::kernel_entry& kernel_named(const std::string& name) {
  for (const warpz::kernel_entry* each = warpz::kernel_list(); each != nullptr; each = each->next) {
    if (name == each->identity) return *each;
  }
  std::fprintf(stderr, "bench-gpu: there is no kernel %s\n", name.c_str());
  std::exit(2);
}

void run(const std::string& name, float* output, float* input, int size, unsigned threads, unsigned elements) {
  const warpz::kernel_entry& kernel = kernel_named(name);
  float pivot = 50;
  void* arguments[] = {&output, &input, &size, &pivot};
  const auto blocks = (static_cast<unsigned>(size) + elements - 1) / elements;
  measure(kernel.identity, [&] { CHECK(kernel.launch(dim3(blocks), dim3(threads), 0, nullptr, arguments)); });
}

}  // namespace

int main(int count, char** words) {
  const int size = count > 1 ? std::atoi(words[1]) : 0;
  if (size < 4) return 2;
  hipDeviceProp_t properties;
  CHECK(hipGetDeviceProperties(&properties, 0));
  std::printf("# %s\n", properties.name);
  const std::size_t bytes = sizeof(float) * static_cast<std::size_t>(size);
  float *input, *output, *tuned_output;
  unsigned* different;
  CHECK(hipMalloc(&input, bytes));
  CHECK(hipMalloc(&output, bytes));
  CHECK(hipMalloc(&tuned_output, bytes));
  CHECK(hipMalloc(&different, sizeof *different));
  const unsigned blocks = (static_cast<unsigned>(size) + 255) / 256;
  fill<<<blocks, 256>>>(input, size);
  measure("copy by the runtime",
          [&] { CHECK(hipMemcpyAsync(output, input, bytes, hipMemcpyDeviceToDevice, nullptr)); });
  for (const unsigned threads : {128U, 256U, 512U, 1024U}) {
    const std::string name = "copy in blocks of " + std::to_string(threads);
    measure(name.c_str(), [&] {
      copy_four<<<(static_cast<unsigned>(size) / 4 + threads - 1) / threads, threads>>>(
          reinterpret_cast<float4*>(output), reinterpret_cast<const float4*>(input), size / 4);
    });
  }
  const auto warp_size = static_cast<unsigned>(properties.warpSize);
  for (int i = 2; i < count; ++i) {
    const std::string pair = words[i];
    const std::size_t colon = pair.find(':');
    if (colon == std::string::npos) return 2;
    run(pair.substr(0, colon), output, input, size, warp_size, warp_size);
    CHECK(hipMemset(tuned_output, 0xff, bytes));
    run(pair.substr(colon + 1), tuned_output, input, size, tuned_threads, tuned_elements);
    CHECK(hipMemset(different, 0, sizeof *different));
    count_differences<<<blocks, 256>>>(different, output, tuned_output, size);
    unsigned found = 0;
    CHECK(hipMemcpy(&found, different, sizeof found, hipMemcpyDeviceToHost));
    if (found == 0) continue;
    std::fprintf(stderr, "bench-gpu: %s: %u elements differ\n", pair.c_str(), found);
    return 3;
  }
  return 0;
}
