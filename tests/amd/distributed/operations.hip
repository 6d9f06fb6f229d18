// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The operations of warpz/distributed.hpp as a program calls them that has several GPUs: this deals an array out,
// queues the operation, waits, and fetches the results. scripts/run-amd-code calls these functions; HIP and RCCL are
// what runtime.hip puts in their places. What has to come out scripts/lib/amd_code/distributed_tests.py says.
#include <hip/hip_runtime.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <exception>
#include <vector>

#include "warpz/device.hpp"
#include "warpz/distributed.hpp"

// Names that are local to a file would not be the same to the compilers of the two sides.
namespace operations {

namespace device = warpz::device;
namespace distributed = warpz::distributed;

using i64 = std::int64_t;
using u32 = std::uint32_t;
using f32 = float;
using f64 = double;

constexpr unsigned char unwritten = 0xAD;

/// An array in the memory of a group's GPUs.
template <class T>
class parts {
 public:
  parts(const distributed::gpu_group& group, const distributed::layout& dealt) : all_{dealt, {}} {
    for (unsigned gpu = 0; gpu < dealt.gpus; ++gpu) {
      check(hipSetDevice(group.number_of(gpu)));
      // A sum's result is on each GPU, also on one that has no elements.
      const std::size_t bytes = std::max<std::size_t>(dealt.elements_of(gpu), 1) * sizeof(T);
      check(hipMalloc(reinterpret_cast<void**>(&all_.part.of[gpu]), bytes));
      check(hipMemset(all_.part.of[gpu], unwritten, bytes));
    }
  }
  ~parts() {
    for (unsigned gpu = 0; gpu < all_.dealt.gpus; ++gpu) static_cast<void>(hipFree(all_.part[gpu]));
  }
  parts(const parts&) = delete;
  parts& operator=(const parts&) = delete;

  const distributed::array<T>& written() const { return all_; }
  distributed::array<const T> read() const {
    distributed::array<const T> same{all_.dealt, {}};
    for (unsigned gpu = 0; gpu < all_.dealt.gpus; ++gpu) same.part.of[gpu] = all_.part[gpu];
    return same;
  }

  void deal_out(const T* numbers) const {
    each_stripe([&](T* stripe, std::size_t first, std::size_t count) {
      check(hipMemcpy(stripe, numbers + first, count * sizeof(T), hipMemcpyHostToDevice));
    });
  }
  void put_together(T* numbers) const {
    each_stripe([&](const T* stripe, std::size_t first, std::size_t count) {
      check(hipMemcpy(numbers + first, stripe, count * sizeof(T), hipMemcpyDeviceToHost));
    });
  }

  static void check(hipError_t code) {
    if (code != hipSuccess) throw distributed::error("HIP", hipGetErrorName(code), hipGetErrorString(code));
  }

 private:
  template <class Act>
  void each_stripe(const Act& act) const {
    const distributed::layout& dealt = all_.dealt;
    for (std::size_t first = 0, number = 0; first < dealt.size; first += dealt.stripe, ++number) {
      act(all_.part[static_cast<unsigned>(number % dealt.gpus)] + number / dealt.gpus * dealt.stripe, first,
          std::min(dealt.stripe, dealt.size - first));
    }
  }

  distributed::array<T> all_;
};

/// What is asked for: an operation on `size` elements, on the GPUs of these numbers.
struct request {
  unsigned gpus;
  const int* numbers;
  std::size_t size;
  const void* input;
  void* output;                ///< room for two arrays, or for one and a value more for each GPU
  unsigned long long* counts;  ///< for each GPU, the elements of its part; behind them what each says that all chose
  char* trouble;               ///< room for the words of an exception
};
constexpr std::size_t words_of_trouble = 256;

std::vector<int> numbers_of(const request& asked) { return {asked.numbers, asked.numbers + asked.gpus}; }

/// Divisible by three, of floats as integers.
struct every_third {
  template <class T>
  __device__ bool operator()(T v) const {
    return static_cast<i64>(v) % 3 == 0;
  }
};

template <class T>
__global__ void __launch_bounds__(device::block_threads)
    sum_on_one(T* output, const T* input, unsigned* state, std::size_t size) {
  device::sum(output, input, size, state);
}

template <class T>
__global__ void __launch_bounds__(device::block_threads)
    scan_on_one(T* output, const T* input, unsigned* state, std::size_t size) {
  device::prefix_sum(output, input, size, state);
}

template <class T>
using kernel_on_one = void (*)(T*, const T*, unsigned*, std::size_t);

/// The same on one GPU, by warpz/device.hpp.
template <class T>
void run_on_one(const request& asked, kernel_on_one<T> kernel, std::size_t state_words, std::size_t results,
                T* output) {
  distributed::gpu_group group({asked.numbers[0]});
  const parts<T> input(group, {asked.size, asked.size, 1}), result(group, {results, results, 1});
  input.deal_out(static_cast<const T*>(asked.input));
  const auto state =
      group.memory<unsigned>(distributed::seen::at_end, state_words * sizeof(unsigned), state_words * sizeof(unsigned));
  hipLaunchKernelGGL(kernel, dim3(3), dim3(device::block_threads), 0, group.stream(0), result.written().part[0],
                     static_cast<const T*>(input.written().part[0]), state[0], asked.size);
  group.synchronize();
  result.put_together(output);
}

/// Each GPU's sum, and that of one GPU.
template <class T>
void sum(const request& asked) {
  distributed::gpu_group group(numbers_of(asked));
  const parts<T> input(group, distributed::reduce_layout<T>(asked.size, asked.gpus));
  const parts<T> output(group, {asked.gpus, 1, asked.gpus});
  T* const results = static_cast<T*>(asked.output);
  input.deal_out(static_cast<const T*>(asked.input));
  distributed::sum(group, output.written().part, input.read());
  group.synchronize();
  output.put_together(results);
  run_on_one<T>(asked, sum_on_one<T>, device::reduce_state<T>(asked.size), 1, results + asked.gpus);
}

/// The sums, and those of one GPU where they are inclusive.
template <class T, bool exclusive>
void scan(const request& asked) {
  distributed::gpu_group group(numbers_of(asked));
  const distributed::layout dealt = distributed::scan_layout<T>(asked.size, asked.gpus);
  const parts<T> input(group, dealt), output(group, dealt);
  T* const results = static_cast<T*>(asked.output);
  input.deal_out(static_cast<const T*>(asked.input));
  distributed::prefix_sum<exclusive>(group, output.written(), input.read());
  group.synchronize();
  output.put_together(results);
  if (exclusive) return;
  run_on_one<T>(asked, scan_on_one<T>, device::scan_state<T>(asked.size), asked.size, results + asked.size);
}

/// The parts, and how many each GPU has chosen, in the words of each.
template <class T, bool moves_rest>
void split(const request& asked) {
  distributed::gpu_group group(numbers_of(asked));
  const distributed::layout dealt = distributed::part_layout<T>(asked.size, asked.gpus);
  const parts<T> input(group, dealt), output(group, dealt);
  input.deal_out(static_cast<const T*>(asked.input));
  const auto chosen = moves_rest ? distributed::partition(group, output.written(), input.read(), every_third{})
                                 : distributed::compact(group, output.written(), input.read(), every_third{});
  group.synchronize();
  output.put_together(static_cast<T*>(asked.output));
  unsigned long long* counts = asked.counts;
  for (unsigned gpu = 0; gpu < asked.gpus; ++gpu) *counts++ = dealt.elements_of(gpu);
  for (unsigned gpu = 0; gpu < asked.gpus; ++gpu, counts += asked.gpus) {
    parts<T>::check(hipMemcpy(counts, chosen[gpu], asked.gpus * sizeof *counts, hipMemcpyDeviceToHost));
  }
}

/// Two GPUs exchange their keys where `exchanges`, although they are few.
template <class T, bool exchanges>
void sort(const request& asked) {
  distributed::gpu_group group(numbers_of(asked));
  const distributed::layout dealt = distributed::part_layout<T>(asked.size, asked.gpus);
  const parts<T> input(group, dealt), output(group, dealt);
  input.deal_out(static_cast<const T*>(asked.input));
  if (exchanges) {
    warpz::detail::sort_on_all(group, output.written(), input.read(), 0);
  } else {
    distributed::sort(group, output.written(), input.read());
  }
  group.synchronize();
  output.put_together(static_cast<T*>(asked.output));
}

int answer(const request* asked, void (*operation)(const request&)) {
  try {
    operation(*asked);
    return 0;
  } catch (const std::exception& error) {
    std::snprintf(asked->trouble, words_of_trouble, "%s", error.what());
    return 1;
  }
}

}  // namespace operations

#define OPERATION(name, type, ...)                                 \
  extern "C" int name##_##type(const operations::request* asked) { \
    using namespace operations;                                    \
    return answer(asked, __VA_ARGS__);                             \
  }                                                                \
  static_assert(true, "takes the semicolon")

OPERATION(sum, f32, sum<f32>);
OPERATION(sum, u32, sum<u32>);
OPERATION(sum, i64, sum<i64>);
OPERATION(sum, f64, sum<f64>);
OPERATION(prefix_sum, f32, scan<f32, false>);
OPERATION(prefix_sum, i64, scan<i64, false>);
OPERATION(prefix_sum, f64, scan<f64, false>);
OPERATION(exclusive_prefix_sum, u32, scan<u32, true>);
OPERATION(partition, f32, split<f32, true>);
OPERATION(partition, i64, split<i64, true>);
OPERATION(compact, u32, split<u32, false>);
OPERATION(compact, f64, split<f64, false>);
OPERATION(merging_sort, u32, sort<u32, false>);
OPERATION(merging_sort, f64, sort<f64, false>);
OPERATION(exchanging_sort, f32, sort<f32, true>);
OPERATION(exchanging_sort, i64, sort<i64, true>);
