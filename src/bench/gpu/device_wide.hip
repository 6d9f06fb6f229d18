// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The device-wide operations beside CUB's, on one NVIDIA GPU in one run: milliseconds for arrays that no cache holds.
// scripts/bench-gpu --device makes a table of it; with WARPZ_BENCH_NARROW the types are those of 8 and 16 bits.
//
//     device-wide ELEMENTS...
//
// Prints a line of CSV for each: operation, type, elements, implementation, bytes moved, median and least milliseconds.
// What warpz's and CUB's results are is compared on the GPU; exit code 3 where they differ.
#include <hip/hip_runtime.h>

#ifdef WARPZ_BENCH_NARROW
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#endif

#include <thrust/execution_policy.h>
#include <thrust/reverse.h>
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cub/cub.cuh>
#include <string>
#include <type_traits>
#include <vector>

#include "warpz/device.hpp"

namespace {

namespace device = warpz::device;

void check(hipError_t code, const char* call) {
  if (code == hipSuccess) return;
  std::fprintf(stderr, "bench-gpu: %s: %s\n", call, hipGetErrorString(code));
  std::exit(4);
}
#define CHECK(call) check((call), #call)

void check_cub(cudaError_t code, const char* call) {
  if (code == cudaSuccess) return;
  std::fprintf(stderr, "bench-gpu: %s: %s\n", call, cudaGetErrorString(code));
  std::exit(4);
}
#define CHECK_CUB(call) check_cub((call), #call)

constexpr int warm_ups = 3, runs = 15;

/// Memory of the device, for as long as it lives.
template <class T>
class buffer {
 public:
  explicit buffer(std::size_t size) : bytes_(size * sizeof(T)) {
    CHECK(hipMalloc(reinterpret_cast<void**>(&data_), bytes_));
    CHECK(hipMemset(data_, 0, bytes_));
  }
  buffer(const buffer&) = delete;
  buffer& operator=(const buffer&) = delete;
  ~buffer() { static_cast<void>(hipFree(data_)); }
  T* data() const { return data_; }
  std::size_t bytes() const { return bytes_; }
  void clear(int byte) const { clear(byte, bytes_ / sizeof(T)); }
  void clear(int byte, std::size_t count) const { CHECK(hipMemsetAsync(data_, byte, count * sizeof(T), nullptr)); }

 private:
  T* data_ = nullptr;
  std::size_t bytes_;
};

template <class T>
constexpr bool is_float = !std::is_integral<T>::value;
template <class T>
constexpr bool is_narrow_float = is_float<T> && sizeof(T) == 2;

/// Random bits; floats of a small range, whose sums are exact as long as they are few. Of narrow ones each is followed
/// by its opposite: CUB adds halves as halves, and sums that are large would differ from ours, which are rounded once.
template <class T>
__global__ void fill(T* numbers, std::size_t size) {
  for (std::size_t i = blockIdx.x * std::size_t{blockDim.x} + threadIdx.x; i < size;
       i += std::size_t{gridDim.x} * blockDim.x) {
    std::uint64_t mixed = ((is_narrow_float<T> ? i / 2 : i) + 1) * 0x9E3779B97F4A7C15u;
    mixed = (mixed ^ (mixed >> 30)) * 0xBF58476D1CE4E5B9u;
    mixed = (mixed ^ (mixed >> 27)) * 0x94D049BB133111EBu;
    mixed ^= mixed >> 31;
    if constexpr (is_narrow_float<T>) {
      const int whole = static_cast<int>(mixed >> 60) - 8;
      numbers[i] = static_cast<T>(static_cast<float>(i % 2 == 0 ? whole : -whole));
    } else {
      numbers[i] = is_float<T> ? static_cast<T>(static_cast<int>(mixed >> 55) - 256) / 4 : static_cast<T>(mixed);
    }
  }
}

/// As what results are compared.
template <class T>
using comparable = std::conditional_t<is_narrow_float<T>, float, T>;

template <class T>
__global__ void copy_four(T* output, const T* input, std::size_t count) {
  const std::size_t i = blockIdx.x * std::size_t{blockDim.x} + threadIdx.x;
  if (i < count) output[i] = input[i];
}

/// Floats that were added in another order may differ by rounding.
template <class T>
__global__ void count_differences(unsigned* different, const T* one, const T* other, std::size_t size,
                                  comparable<T> tolerance) {
  for (std::size_t i = blockIdx.x * std::size_t{blockDim.x} + threadIdx.x; i < size;
       i += std::size_t{gridDim.x} * blockDim.x) {
    const comparable<T> a = static_cast<comparable<T>>(one[i]), b = static_cast<comparable<T>>(other[i]);
    const comparable<T> difference = a > b ? a - b : b - a;
    // A NaN differs from all.
    if (!(difference <= tolerance)) atomicAdd(different, 1U);
  }
}

template <class Launch>
void measure(const std::string& row, double bytes, const Launch& launch) {
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
  std::printf("%s,%.0f,%.4f,%.4f\n", row.c_str(), bytes, milliseconds[runs / 2], milliseconds[0]);
  std::fflush(stdout);
}

/// The values of one type and size, and both sides' results.
template <class T>
struct arrays {
  explicit arrays(std::size_t size, const char* type)
      : size(size),
        name("," + std::string(type) + "," + std::to_string(size) + ","),
        input(size),
        ours(size),
        theirs(size),
        different(1) {
    fill<<<4096, 256>>>(input.data(), size);
  }

  void compare(const std::string& operation, std::size_t count, comparable<T> tolerance) const {
    different.clear(0);
    count_differences<<<4096, 256>>>(different.data(), ours.data(), theirs.data(), count, tolerance);
    unsigned found = 0;
    CHECK(hipMemcpy(&found, different.data(), sizeof found, hipMemcpyDeviceToHost));
    if (found == 0) return;
    std::fprintf(stderr, "bench-gpu: %s%s: %u elements differ from CUB's\n", operation.c_str(), name.c_str(), found);
    std::exit(3);
  }

  /// Ours with a state, zero at first, of which `zeros` words are cleared within the time measured, and CUB's, each on
  /// results that are poisoned before.
  template <class Kernel, class Theirs>
  void versus(const std::string& operation, double bytes, std::size_t count, comparable<T> tolerance, unsigned blocks,
              std::size_t state_words, std::size_t zeros, Kernel kernel, const Theirs& theirs_call) const {
    ours.clear(0xff);
    theirs.clear(0xfe);
    const buffer<unsigned> state(state_words);
    measure(operation + name + "warpz", bytes, [&] {
      if (zeros != 0) state.clear(0, zeros);
      kernel(dim3(blocks), dim3(device::block_threads), state.data());
    });
    std::size_t room = 0;
    CHECK_CUB(theirs_call(nullptr, room));
    const buffer<char> temporary(room);
    measure(operation + name + "CUB", bytes, [&] { CHECK_CUB(theirs_call(temporary.data(), room)); });
    compare(operation, count, tolerance);
  }

  std::size_t size;
  std::string name;
  buffer<T> input, ours, theirs;
  buffer<unsigned> different;
};

template <class T>
__global__ void __launch_bounds__(device::block_threads)
    reduce(T* output, const T* input, unsigned* state, std::size_t size) {
  device::sum(output, input, size, state);
}

template <bool exclusive, class T>
__global__ void __launch_bounds__(device::block_threads, device::scan_blocks())
    scan(T* output, const T* input, unsigned* state, std::size_t size) {
  device::prefix_sum<exclusive>(output, input, size, state);
}

/// About half of them.
struct every_other {
  template <class T>
  __host__ __device__ bool operator()(T v) const {
    return (static_cast<long long>(static_cast<comparable<T>>(v)) & 1) != 0;
  }
};

template <bool stable, class T>
__global__ void __launch_bounds__(device::block_threads, stable ? 3 : 4)
    partition(T* output, const T* input, unsigned* state, std::size_t size) {
  device::partition<stable>(output, input, size, every_other(), state);
}

template <class T>
__global__ void __launch_bounds__(device::block_threads, 4)
    compact(T* output, const T* input, unsigned* state, std::size_t size) {
  device::compact(output, input, size, every_other(), state);
}

template <class T>
__global__ void __launch_bounds__(device::block_threads, 2)
    sort(T* output, const T* input, unsigned* state, std::size_t size) {
  device::sort(output, input, size, state);
}

template <class T>
void measure_all(std::size_t size, const char* type) {
  const arrays<T> all(size, type);
  const double once = static_cast<double>(size * sizeof(T));
  using number = comparable<T>;
  // Of narrow floats all sums are exact.
  const number rounding =
      std::is_floating_point<T>::value ? static_cast<number>(1e-5 * 64.0 * static_cast<double>(size)) : number{0};
  measure("copy" + all.name + "blocks of 256", 2 * once, [&] {
    const std::size_t count = all.input.bytes() / sizeof(float4);
    copy_four<<<static_cast<unsigned>((count + 255) / 256), 256>>>(
        reinterpret_cast<float4*>(all.ours.data()), reinterpret_cast<const float4*>(all.input.data()), count);
  });
  const unsigned blocks = device::blocks_for<T>(size);
  T* const in = all.input.data();
  T* const ours = all.ours.data();
  T* const theirs = all.theirs.data();
  all.versus(
      "reduce", once, 1, rounding, device::reduce_blocks<T>(size), device::reduce_state<T>(size), 0,
      [&](dim3 grid, dim3 block, unsigned* state) { reduce<T><<<grid, block>>>(ours, in, state, size); },
      [&](void* room, std::size_t& bytes) { return cub::DeviceReduce::Sum(room, bytes, in, theirs, size); });
  all.versus(
      "scan", 2 * once, size, rounding, blocks, device::scan_state<T>(size), 0,
      [&](dim3 grid, dim3 block, unsigned* state) { scan<false, T><<<grid, block>>>(ours, in, state, size); },
      [&](void* room, std::size_t& bytes) { return cub::DeviceScan::InclusiveSum(room, bytes, in, theirs, size); });
  all.versus(
      "exclusive scan", 2 * once, size, rounding, blocks, device::scan_state<T>(size), 0,
      [&](dim3 grid, dim3 block, unsigned* state) { scan<true, T><<<grid, block>>>(ours, in, state, size); },
      [&](void* room, std::size_t& bytes) { return cub::DeviceScan::ExclusiveSum(room, bytes, in, theirs, size); });
#if CCCL_VERSION >= 3006000
  // The order of warpz's additions is always the same; CUB's on request, in calls that allocate their memory.
  if constexpr (std::is_floating_point<T>::value) {
    namespace determinism = cuda::execution::determinism;
    all.versus(
        "scan equal from run to run", 2 * once, size, rounding, blocks, device::scan_state<T>(size), 0,
        [&](dim3 grid, dim3 block, unsigned* state) { scan<false, T><<<grid, block>>>(ours, in, state, size); },
        [&](void* room, std::size_t& bytes) {
          bytes = 1;
          if (room == nullptr) return cudaSuccess;
          return cub::DeviceScan::InclusiveSum(in, theirs, size, cuda::execution::require(determinism::run_to_run));
        });
    // Beyond that CUB's differs from its own other sum.
    if (size <= std::size_t{1} << 28) {
      all.versus(
          "reduce equal on each GPU", once, 1, rounding, device::reduce_blocks<T>(size), device::reduce_state<T>(size),
          0, [&](dim3 grid, dim3 block, unsigned* state) { reduce<T><<<grid, block>>>(ours, in, state, size); },
          [&](void* room, std::size_t& bytes) {
            bytes = 1;
            if (room == nullptr) return cudaSuccess;
            return cub::DeviceReduce::Sum(in, theirs, size, cuda::execution::require(determinism::gpu_to_gpu));
          });
    }
  }
#endif
  const buffer<std::size_t> count(1);
  const auto cub_partition = [&](void* room, std::size_t& bytes) {
    return cub::DevicePartition::If(room, bytes, in, theirs, count.data(), size, every_other());
  };
  all.versus(
      "partition", 2 * once, size, number{0}, blocks, device::split_state<T>(size), 0,
      [&](dim3 grid, dim3 block, unsigned* state) { partition<false, T><<<grid, block>>>(ours, in, state, size); },
      cub_partition);
  // Half of the results are equal, and the other half is in the opposite order.
  std::size_t selected = 0;
  CHECK(hipMemcpy(&selected, count.data(), sizeof selected, hipMemcpyDeviceToHost));
  all.versus(
      "stable partition", 2 * once, selected, number{0}, blocks, device::split_state<T>(size), 0,
      [&](dim3 grid, dim3 block, unsigned* state) { partition<true, T><<<grid, block>>>(ours, in, state, size); },
      cub_partition);
  // With the same result: as Thrust makes a stable partition of CUB's, by reversing the others.
  all.versus(
      "partition that is stable in both parts", 2 * once, size, number{0}, blocks, device::split_state<T>(size), 0,
      [&](dim3 grid, dim3 block, unsigned* state) { partition<true, T><<<grid, block>>>(ours, in, state, size); },
      [&](void* room, std::size_t& bytes) {
        const cudaError_t code = cub_partition(room, bytes);
        if (room != nullptr) thrust::reverse(thrust::cuda::par_nosync, theirs + selected, theirs + size);
        return code;
      });
  all.versus(
      "compaction", once + static_cast<double>(selected * sizeof(T)), selected, number{0}, blocks,
      device::split_state<T>(size), 0,
      [&](dim3 grid, dim3 block, unsigned* state) { compact<T><<<grid, block>>>(ours, in, state, size); },
      [&](void* room, std::size_t& bytes) {
        return cub::DeviceSelect::If(room, bytes, in, theirs, count.data(), size, every_other());
      });
  all.versus(
      "sort", 2 * once, size, number{0}, blocks, device::sort_state<T>(size), device::sort_zeros<T>(size),
      [&](dim3 grid, dim3 block, unsigned* state) { sort<T><<<grid, block>>>(ours, in, state, size); },
      [&](void* room, std::size_t& bytes) { return cub::DeviceRadixSort::SortKeys(room, bytes, in, theirs, size); });
}

}  // namespace

int main(int count, char** words) {
  hipDeviceProp_t properties;
  CHECK(hipGetDeviceProperties(&properties, 0));
  std::printf("# %s\n", properties.name);
  // CUB's calls that allocate their memory get the same again.
  cudaMemPool_t pool = nullptr;
  std::uint64_t kept = ~std::uint64_t{0};
  CHECK_CUB(cudaDeviceGetDefaultMemPool(&pool, 0));
  CHECK_CUB(cudaMemPoolSetAttribute(pool, cudaMemPoolAttrReleaseThreshold, &kept));
  for (int i = 1; i < count; ++i) {
    const std::size_t size = std::strtoull(words[i], nullptr, 10);
    if (size == 0) return 2;
#ifdef WARPZ_BENCH_NARROW
    measure_all<signed char>(size, "int8");
    measure_all<unsigned char>(size, "uint8");
    measure_all<std::int16_t>(size, "int16");
    measure_all<__half>(size, "half");
    measure_all<__nv_bfloat16>(size, "bfloat16");
#else
    measure_all<float>(size, "float");
    measure_all<std::int32_t>(size, "int32");
    measure_all<std::uint32_t>(size, "uint32");
    measure_all<long long>(size, "int64");
#endif
  }
  return 0;
}
