// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Measures rows: one operation by several implementations, in turns, on one NVIDIA GPU. Of each implementation the
// cycles of a chain of dependent operations in one warp (for blocks: one block), and milliseconds for a full GPU.
//
// A program of rows lists them and ends with measure_rows(), which prints a line of CSV for each implementation:
// operation, implementation, cycles, milliseconds, a hash of the results. scripts/bench-gpu makes ratios of them.
//
// An implementation is an expression of `v`, the lane's value, that gives its next one, and of `here`, what its user
// finds out once and not for each operation. A row that is given twice has the implementations of both.
#pragma once

#include <hip/hip_runtime.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <type_traits>
#include <vector>

namespace bench {

/// For each lane so many threads' values, and behind them as many zeros.
constexpr int most_threads = 256;
/// Every kind of GPU runs so many blocks: what 132 multiprocessors hold twice over.
constexpr int blocks = 2112;
constexpr int chain_length = 512, unrolled = 8;
constexpr int runs = 9;

inline void check(hipError_t code, const char* call) {
  if (code == hipSuccess) return;
  std::fprintf(stderr, "bench-gpu: %s: %s\n", call, hipGetErrorString(code));
  std::exit(4);
}
#define CHECK(call) bench::check((call), #call)

/// What the compiler may not look through, so that one operation's last steps and the next one's first do not cancel
/// out, and none becomes a constant.
template <class T>
__device__ __forceinline__ void keep(T& v) {
  if constexpr (std::is_same<T, float>::value) {
    asm volatile("" : "+f"(v));
  } else if constexpr (std::is_same<T, double>::value) {
    asm volatile("" : "+d"(v));
  } else if constexpr (std::is_integral<T>::value && sizeof(T) == 8) {
    asm volatile("" : "+l"(v));
  } else if constexpr (std::is_integral<T>::value) {
    asm volatile("" : "+r"(v));
  } else {
    unsigned short bits;
    memcpy(&bits, &v, sizeof bits);
    asm volatile("" : "+h"(bits));
    memcpy(&v, &bits, sizeof bits);
  }
}

/// A chain of operations, each on the result of the one before: `rounds` times `unrolled` of them, and all that
/// `passes` times. In the second pass instructions are cached; it is the last one's cycles that count.
template <class T, class Context, class Step>
__global__ void __launch_bounds__(most_threads)
    repeat(T* out, const T* in, long long* cycles, int rounds, int passes, Step step) {
  const Context here;
  T v = in[threadIdx.x];
  const T nothing = in[most_threads + threadIdx.x];
  long long begin = 0;
#pragma unroll 1
  for (int pass = 0; pass < passes; ++pass) {
    __syncthreads();
    begin = clock64();
#pragma unroll 1
    for (int round = 0; round < rounds; ++round) {
#pragma unroll
      for (int i = 0; i < unrolled; ++i) {
        v = step(v, here);
        // A thread's own, so that the compiler does not find that all have the same and leave out what follows.
        v = v + nothing;
        keep(v);
      }
    }
  }
  const long long end = clock64();
  out[blockIdx.x * blockDim.x + threadIdx.x] = v;
  if (threadIdx.x == 0 && blockIdx.x == 0) *cycles = end - begin;
}

struct nothing_known {};

/// A kernel, or none: a peer that this program leaves out.
struct implementation {
  const char* name = nullptr;
  const void* kernel = nullptr;
};

template <class T, class Context, class Step>
implementation by(const char* name, Step) {
  return {name, reinterpret_cast<const void*>(&repeat<T, Context, Step>)};
}

// To the others' implementations, a program of warpz's alone (for warps of any size) is deaf.
#define STEP(context, ...) \
  [] __device__(T v, [[maybe_unused]] const context& here) -> T { return static_cast<T>(__VA_ARGS__); }
#define OURS(...) bench::by<T, bench::nothing_known>("warpz", STEP(bench::nothing_known, __VA_ARGS__))
#ifdef WARPZ_BENCH_ALONE
#define PEER(...) \
  bench::implementation {}
#else
#define PEER(name, context, ...) bench::by<T, context>(name, STEP(context, __VA_ARGS__))
#endif

struct row {
  std::string name;
  int chain_threads, block_threads;
  std::vector<char> input;
  std::vector<implementation> implementations;
};

inline std::vector<row>& all_rows() {
  static std::vector<row> all;
  return all;
}

/// Numbers of few values, some of them twice in a warp; of floats the sums are not exact.
template <class T>
std::vector<char> input() {
  std::vector<char> bytes(2 * most_threads * sizeof(T));
  for (int i = 0; i < most_threads; ++i) {
    const int number = i * 7 % 31 + 1;
    T value{};
    if constexpr (std::is_integral<T>::value) {
      value = static_cast<T>(number);
    } else {
      value = static_cast<T>(1.0F + static_cast<float>(number) / 31.0F);
    }
    std::memcpy(&bytes[i * sizeof(T)], &value, sizeof(T));
  }
  return bytes;
}

/// The rows of one type, of chains and full GPUs with so many threads in a block.
template <class T>
class rows_of {
 public:
  rows_of(const char* type, int chain_threads, int block_threads)
      : type_(type), chain_threads_(chain_threads), block_threads_(block_threads) {}

  void operator()(const std::string& operation, const std::vector<implementation>& implementations) const {
    const std::string name = operation + " " + type_;
    std::vector<row>& all = all_rows();
    auto found = std::find_if(all.begin(), all.end(), [&](const row& each) { return each.name == name; });
    if (found == all.end()) {
      found = all.insert(all.end(), row{name, chain_threads_, block_threads_, input<T>(), {}});
    }
    for (const implementation& each : implementations) {
      if (each.kernel != nullptr) found->implementations.push_back(each);
    }
  }

 private:
  std::string type_;
  int chain_threads_, block_threads_;
};

template <class Value>
Value median(std::vector<Value> values) {
  std::nth_element(values.begin(), values.begin() + values.size() / 2, values.end());
  return values[values.size() / 2];
}

/// Tells results apart: FNV-1a.
inline unsigned hash_of(const std::vector<char>& bytes) {
  unsigned hash = 2166136261U;
  for (const char byte : bytes) hash = (hash ^ static_cast<unsigned char>(byte)) * 16777619U;
  return hash;
}

/// The memory that all rows use in turn, and the times of one of them.
class bench_memory {
 public:
  bench_memory() {
    CHECK(hipMalloc(&in_, 2 * most_threads * sizeof(double)));
    CHECK(hipMalloc(&out_, std::size_t{blocks} * most_threads * sizeof(double)));
    CHECK(hipMalloc(reinterpret_cast<void**>(&cycles_), sizeof *cycles_));
    CHECK(hipEventCreate(&begin_));
    CHECK(hipEventCreate(&end_));
  }

  void measure(const row& each) {
    struct times {
      std::vector<double> cycles;
      std::vector<float> milliseconds;
      unsigned hash;
    };
    CHECK(hipMemcpy(in_, each.input.data(), each.input.size(), hipMemcpyHostToDevice));
    std::vector<times> found(each.implementations.size());
    for (std::size_t i = 0; i < found.size(); ++i) {
      launch(each.implementations[i].kernel, 1, each.block_threads, 1, 1);
      std::vector<char> results(each.input.size() / 2 / most_threads * each.block_threads);
      CHECK(hipMemcpy(results.data(), out_, results.size(), hipMemcpyDeviceToHost));
      found[i].hash = hash_of(results);
    }
    // In turns, so that a change of the clock meets all of them.
    for (int run = 0; run < runs; ++run) {
      for (std::size_t i = 0; i < found.size(); ++i) {
        launch(each.implementations[i].kernel, 1, each.chain_threads, chain_length / unrolled, 2);
        long long taken = 0;
        CHECK(hipMemcpy(&taken, cycles_, sizeof taken, hipMemcpyDeviceToHost));
        found[i].cycles.push_back(static_cast<double>(taken) / chain_length);
        CHECK(hipEventRecord(begin_, nullptr));
        launch(each.implementations[i].kernel, blocks, each.block_threads, chain_length / unrolled, 1);
        CHECK(hipEventRecord(end_, nullptr));
        CHECK(hipEventSynchronize(end_));
        float took = 0;
        CHECK(hipEventElapsedTime(&took, begin_, end_));
        found[i].milliseconds.push_back(took);
      }
    }
    for (std::size_t i = 0; i < found.size(); ++i) {
      std::printf("%s,%s,%.1f,%.4f,%08x\n", each.name.c_str(), each.implementations[i].name, median(found[i].cycles),
                  median(found[i].milliseconds), found[i].hash);
    }
    std::fflush(stdout);
  }

 private:
  void launch(const void* kernel, int grid, int threads, int rounds, int passes) {
    // Its last parameter, the step, has no data.
    char step = 0;
    void* arguments[] = {&out_, &in_, &cycles_, &rounds, &passes, &step};
    CHECK(hipLaunchKernel(kernel, dim3(grid), dim3(threads), arguments, 0, nullptr));
  }

  void* in_ = nullptr;
  void* out_ = nullptr;
  long long* cycles_ = nullptr;
  hipEvent_t begin_{}, end_{};
};

/// Measures the rows whose names contain the program's only argument.
inline int measure_rows(int count, char** words) {
  const std::string only = count > 1 ? words[1] : "";
  hipDeviceProp_t properties;
  CHECK(hipGetDeviceProperties(&properties, 0));
  std::printf("# %s\n", properties.name);
  bench_memory memory;
  for (const row& each : all_rows()) {
    if (each.name.find(only) != std::string::npos) memory.measure(each);
  }
  return 0;
}

}  // namespace bench
