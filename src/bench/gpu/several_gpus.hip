// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The operations over several GPUs (warpz/distributed.hpp) beside those of one GPU, in one run, and what the links
// between the GPUs carry. scripts/bench-gpu --gpus makes a table of it.
//
//     several-gpus GPUS ELEMENTS...
//
// Prints a line of CSV for each: operation, type, elements, GPUs, bytes moved, median and least milliseconds. Each
// result is compared with that of one GPU, bit by bit; exit code 3 where they differ.
#include <hip/hip_runtime.h>
#include <nccl.h>

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <numeric>
#include <string>
#include <vector>

#include "warpz/device.hpp"
#include "warpz/distributed.hpp"

namespace {

namespace device = warpz::device;
namespace distributed = warpz::distributed;

void check(hipError_t code, const char* call) {
  if (code == hipSuccess) return;
  std::fprintf(stderr, "bench-gpu: %s: %s\n", call, hipGetErrorString(code));
  std::exit(4);
}
#define CHECK(call) check((call), #call)

void check_nccl(ncclResult_t code, const char* call) {
  if (code == ncclSuccess) return;
  std::fprintf(stderr, "bench-gpu: %s: %s\n", call, ncclGetErrorString(code));
  std::exit(4);
}
#define CHECK_NCCL(call) check_nccl((call), #call)

constexpr int warm_ups = 3, runs = 11;

/// Memory of one GPU, for as long as it lives.
template <class T>
class buffer {
 public:
  buffer(int gpu, std::size_t size) : bytes_(size * sizeof(T)) {
    CHECK(hipSetDevice(gpu));
    CHECK(hipMalloc(reinterpret_cast<void**>(&data_), bytes_));
    CHECK(hipMemset(data_, 0, bytes_));
  }
  buffer(const buffer&) = delete;
  buffer& operator=(const buffer&) = delete;
  ~buffer() { static_cast<void>(hipFree(data_)); }
  T* data() const { return data_; }
  std::size_t bytes() const { return bytes_; }

 private:
  T* data_ = nullptr;
  std::size_t bytes_;
};

/// Element i of the whole array: random bits, or a float whose sums round.
template <class T>
__device__ T number(std::size_t i) {
  std::uint64_t mixed = (i + 1) * 0x9E3779B97F4A7C15u;
  mixed = (mixed ^ (mixed >> 30)) * 0xBF58476D1CE4E5B9u;
  mixed = (mixed ^ (mixed >> 27)) * 0x94D049BB133111EBu;
  mixed ^= mixed >> 31;
  return std::is_floating_point<T>::value ? static_cast<T>(static_cast<int>(mixed >> 40) - (1 << 23)) / 3
                                          : static_cast<T>(mixed);
}

/// The number of a GPU's element in the whole array.
__device__ std::size_t in_whole(const distributed::layout& dealt, unsigned gpu, std::size_t own) {
  return (own / dealt.stripe * dealt.gpus + gpu) * dealt.stripe + own % dealt.stripe;
}

template <class T>
__global__ void fill(T* part, distributed::layout dealt, unsigned gpu) {
  const std::size_t size = dealt.elements_of(gpu);
  for (std::size_t i = blockIdx.x * std::size_t{blockDim.x} + threadIdx.x; i < size;
       i += std::size_t{gridDim.x} * blockDim.x) {
    part[i] = number<T>(in_whole(dealt, gpu, i));
  }
}

template <class T>
__global__ void count_differences(unsigned* different, const T* part, const T* whole, distributed::layout dealt,
                                  unsigned gpu) {
  const std::size_t size = dealt.elements_of(gpu);
  for (std::size_t i = blockIdx.x * std::size_t{blockDim.x} + threadIdx.x; i < size;
       i += std::size_t{gridDim.x} * blockDim.x) {
    std::conditional_t<sizeof(T) == 4, unsigned, unsigned long long> one, other;
    __builtin_memcpy(&one, &part[i], sizeof one);
    __builtin_memcpy(&other, &whole[in_whole(dealt, gpu, i)], sizeof other);
    if (one != other) atomicAdd(different, 1U);
  }
}

template <class Queue>
void measure(distributed::gpu_group& group, const std::string& row, double bytes, const Queue& queue) {
  CHECK(hipSetDevice(group.number_of(0)));
  hipEvent_t begin, end;
  CHECK(hipEventCreate(&begin));
  CHECK(hipEventCreate(&end));
  std::vector<float> milliseconds;
  for (int run = 0; run < warm_ups + runs; ++run) {
    group.synchronize();
    CHECK(hipSetDevice(group.number_of(0)));
    CHECK(hipEventRecord(begin, group.stream(0)));
    group.join();
    queue();
    CHECK(hipGetLastError());
    group.join();
    CHECK(hipSetDevice(group.number_of(0)));
    CHECK(hipEventRecord(end, group.stream(0)));
    CHECK(hipEventSynchronize(end));
    float took = 0;
    CHECK(hipEventElapsedTime(&took, begin, end));
    if (run >= warm_ups) milliseconds.push_back(took);
  }
  CHECK(hipEventDestroy(begin));
  CHECK(hipEventDestroy(end));
  std::sort(milliseconds.begin(), milliseconds.end());
  std::printf("%s,%u,%.0f,%.4f,%.4f\n", row.c_str(), group.size(), bytes, milliseconds[runs / 2], milliseconds[0]);
  std::fflush(stdout);
}

template <class T>
__global__ void __launch_bounds__(device::block_threads)
    reduce(T* output, const T* input, unsigned* state, std::size_t size) {
  device::sum(output, input, size, state);
}

template <class T>
__global__ void __launch_bounds__(device::block_threads, device::scan_blocks())
    scan(T* output, const T* input, unsigned* state, std::size_t size) {
  device::prefix_sum(output, input, size, state);
}

/// About half of them.
struct every_other {
  template <class T>
  __host__ __device__ bool operator()(T v) const {
    return (static_cast<long long>(v) & 1) != 0;
  }
};

template <class T>
__global__ void __launch_bounds__(device::block_threads, 3)
    partition(T* output, const T* input, unsigned* state, std::size_t size) {
  device::partition(output, input, size, every_other(), state);
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
using kernel_of_one = void (*)(T*, const T*, unsigned*, std::size_t);

/// One size and type, on one GPU and on all of a group.
template <class T>
class comparison {
 public:
  comparison(distributed::gpu_group& one, distributed::gpu_group& all, std::size_t size, const char* type)
      : one_(one),
        all_(all),
        size_(size),
        name_("," + std::string(type) + "," + std::to_string(size)),
        input_(one.number_of(0), size),
        output_(one.number_of(0), size) {
    fill<<<4096, 256>>>(input_.data(), distributed::layout{size, size, 1}, 0);
    CHECK(hipDeviceSynchronize());
  }

  /// On one GPU, on the first `size` elements; `zeros` words of its state are cleared within the time measured.
  void on_one(const char* operation, double bytes, kernel_of_one<T> kernel, unsigned blocks, std::size_t state_words,
              std::size_t zeros, std::size_t size) {
    const buffer<unsigned> state(one_.number_of(0), state_words);
    measure(one_, operation + name_ + (size == size_ ? "" : " share"), bytes, [&] {
      if (zeros != 0) CHECK(hipMemsetAsync(state.data(), 0, zeros * sizeof(unsigned), one_.stream(0)));
      kernel<<<blocks, device::block_threads, 0, one_.stream(0)>>>(output_.data(), input_.data(), state.data(), size);
    });
  }

  /// On all GPUs: queue(output, input), and then compare(output).
  template <class Queue, class Compare>
  void on_all(const char* operation, double bytes, const distributed::layout& dealt, const Queue& queue,
              const Compare& compare) {
    std::vector<std::unique_ptr<buffer<T>>> memory;
    distributed::array<T> output{dealt, {}};
    distributed::array<const T> input{dealt, {}};
    // A GPU without elements has a sum all the same.
    for (unsigned gpu = 0; gpu < all_.size(); ++gpu) {
      memory.push_back(std::make_unique<buffer<T>>(all_.number_of(gpu), dealt.elements_of(gpu) + 1));
      input.part.of[gpu] = memory.back()->data();
      fill<<<4096, 256>>>(memory.back()->data(), dealt, gpu);
      memory.push_back(std::make_unique<buffer<T>>(all_.number_of(gpu), dealt.elements_of(gpu) + 1));
      output.part.of[gpu] = memory.back()->data();
      CHECK(hipDeviceSynchronize());
    }
    measure(all_, operation + name_, bytes, [&] { queue(output, input); });
    all_.synchronize();
    operation_ = operation;
    compare(output);
  }

  /// Ends with 3 where a part has other bits than one GPU's results from that place on; `as` is the GPU's number among
  /// those that they are dealt out to.
  void compare_part(unsigned gpu, const T* part, std::size_t place, const distributed::layout& dealt, unsigned as) {
    const buffer<unsigned> different(all_.number_of(gpu), 1);
    count_differences<<<1024, 256>>>(different.data(), part, output_.data() + place, dealt, as);
    unsigned found = 0;
    CHECK(hipMemcpy(&found, different.data(), sizeof found, hipMemcpyDeviceToHost));
    if (found == 0) return;
    std::fprintf(stderr, "bench-gpu: %s%s: %u elements on GPU %u differ from one GPU's\n", operation_, name_.c_str(),
                 found, gpu);
    std::exit(3);
  }
  void compare_all(const distributed::array<T>& output) {
    for (unsigned gpu = 0; gpu < all_.size(); ++gpu) compare_part(gpu, output.part[gpu], 0, output.dealt, gpu);
  }

  void reduce_and_scan() {
    const double once = static_cast<double>(size_ * sizeof(T));
    const unsigned gpus = all_.size();
    on_one("reduce", once, reduce<T>, device::reduce_blocks<T>(size_), device::reduce_state<T>(size_), 0, size_);
    on_all(
        "reduce", once, distributed::reduce_layout<T>(size_, gpus),
        [&](const auto& output, const auto& input) { distributed::sum(all_, output.part, input); },
        [&](const auto& output) {
          for (unsigned gpu = 0; gpu < gpus; ++gpu) compare_part(gpu, output.part[gpu], 0, {1, 1, 1}, 0);
        });
    on_one("scan", 2 * once, scan<T>, device::blocks_for<T>(size_), device::scan_state<T>(size_), 0, size_);
    on_all(
        "scan", 2 * once, distributed::scan_layout<T>(size_, gpus),
        [&](const auto& output, const auto& input) { distributed::prefix_sum(all_, output, input); },
        [&](const auto& output) { compare_all(output); });
  }

  /// What each GPU has chosen is part of what one GPU has in front, and the others of what it has behind.
  void compare_split(const distributed::array<T>& output, const distributed::per_gpu<unsigned long long*>& counts,
                     bool has_rest) {
    std::vector<unsigned long long> chosen(all_.size());
    CHECK(hipMemcpy(chosen.data(), counts[0], chosen.size() * sizeof chosen[0], hipMemcpyDeviceToHost));
    std::size_t place = 0, rest_place = std::accumulate(chosen.begin(), chosen.end(), std::size_t{0});
    for (unsigned gpu = 0; gpu < all_.size(); ++gpu) {
      const std::size_t mine = chosen[gpu], rest = output.dealt.elements_of(gpu) - mine;
      if (mine != 0) compare_part(gpu, output.part[gpu], place, {mine, mine, 1}, 0);
      if (has_rest && rest != 0) compare_part(gpu, output.part[gpu] + mine, rest_place, {rest, rest, 1}, 0);
      place += mine;
      rest_place += rest;
    }
  }

  void split() {
    const double once = static_cast<double>(size_ * sizeof(T));
    const distributed::layout dealt = distributed::part_layout<T>(size_, all_.size());
    distributed::per_gpu<unsigned long long*> counts{};
    on_one("compaction", 1.5 * once, compact<T>, device::blocks_for<T>(size_), device::split_state<T>(size_), 0, size_);
    on_all(
        "compaction", 1.5 * once, dealt,
        [&](const auto& output, const auto& input) {
          counts = distributed::compact(all_, output, input, every_other());
        },
        [&](const auto& output) { compare_split(output, counts, false); });
    on_one("partition", 2 * once, partition<T>, device::blocks_for<T>(size_), device::split_state<T>(size_), 0, size_);
    on_all(
        "partition", 2 * once, dealt,
        [&](const auto& output, const auto& input) {
          counts = distributed::partition(all_, output, input, every_other());
        },
        [&](const auto& output) { compare_split(output, counts, true); });
  }

  void sorts() {
    const double once = static_cast<double>(size_ * sizeof(T));
    const std::size_t share = size_ / all_.size();
    on_one("sort", 2 * once / all_.size(), sort<T>, device::blocks_for<T>(share), device::sort_state<T>(share),
           device::sort_zeros<T>(share), share);
    on_one("sort", 2 * once, sort<T>, device::blocks_for<T>(size_), device::sort_state<T>(size_),
           device::sort_zeros<T>(size_), size_);
    on_all(
        "sort", 2 * once, distributed::part_layout<T>(size_, all_.size()),
        [&](const auto& output, const auto& input) { distributed::sort(all_, output, input); },
        [&](const auto& output) { compare_all(output); });
  }

 private:
  distributed::gpu_group& one_;
  distributed::gpu_group& all_;
  const std::size_t size_;
  const std::string name_;
  const char* operation_ = "";
  const buffer<T> input_, output_;
};

/// What the links carry when each GPU sends so many bytes to the next one, all at the same time; and how long it takes
/// to gather so many bytes of each.
void measure_links(distributed::gpu_group& all, const std::vector<int>& gpus, std::size_t bytes) {
  const unsigned count = all.size();
  std::vector<std::unique_ptr<buffer<char>>> sent, received;
  for (const int gpu : gpus) {
    sent.push_back(std::make_unique<buffer<char>>(gpu, bytes));
    received.push_back(std::make_unique<buffer<char>>(gpu, bytes));
  }
  std::vector<ncclComm_t> communicators(count);
  CHECK_NCCL(ncclCommInitAll(communicators.data(), static_cast<int>(count), gpus.data()));
  const std::string size = ",bytes," + std::to_string(bytes);
  const auto each = [&](const auto& act) {
    for (unsigned gpu = 0; gpu < count; ++gpu) act(gpu, (gpu + 1) % count, (gpu + count - 1) % count);
  };
  measure(all, "peer copies" + size, static_cast<double>(bytes), [&] {
    each([&](unsigned gpu, unsigned next, unsigned) {
      CHECK(hipSetDevice(gpus[gpu]));
      CHECK(
          hipMemcpyPeerAsync(received[next]->data(), gpus[next], sent[gpu]->data(), gpus[gpu], bytes, all.stream(gpu)));
    });
  });
  measure(all, "ncclSend and ncclRecv" + size, static_cast<double>(bytes), [&] {
    CHECK_NCCL(ncclGroupStart());
    each([&](unsigned gpu, unsigned next, unsigned last) {
      CHECK_NCCL(
          ncclSend(sent[gpu]->data(), bytes, ncclInt8, static_cast<int>(next), communicators[gpu], all.stream(gpu)));
      CHECK_NCCL(ncclRecv(received[gpu]->data(), bytes, ncclInt8, static_cast<int>(last), communicators[gpu],
                          all.stream(gpu)));
    });
    CHECK_NCCL(ncclGroupEnd());
  });
  const std::size_t of_results = 65536;
  measure(all, "ncclAllGather,bytes," + std::to_string(of_results), static_cast<double>(of_results), [&] {
    CHECK_NCCL(ncclGroupStart());
    each([&](unsigned gpu, unsigned, unsigned) {
      char* const data = received[gpu]->data();
      CHECK_NCCL(
          ncclAllGather(data + gpu * of_results, data, of_results, ncclInt8, communicators[gpu], all.stream(gpu)));
    });
    CHECK_NCCL(ncclGroupEnd());
  });
  for (const ncclComm_t one : communicators) ncclCommDestroy(one);
}

template <class T>
void measure_all(distributed::gpu_group& one, distributed::gpu_group& all, std::size_t size, const char* type) {
  comparison<T> both(one, all, size, type);
  both.reduce_and_scan();
  both.split();
  both.sorts();
}

}  // namespace

int main(int count, char** words) {
  if (count < 3) return 2;
  std::vector<int> gpus(std::strtoul(words[1], nullptr, 10));
  std::iota(gpus.begin(), gpus.end(), 0);
  hipDeviceProp_t properties;
  CHECK(hipGetDeviceProperties(&properties, 0));
  std::printf("# %s\n", properties.name);
  try {
    distributed::gpu_group one({0}), all(gpus);
    if (gpus.size() > 1) measure_links(all, gpus, std::size_t{1} << 31);
    for (int i = 2; i < count; ++i) {
      const std::size_t size = std::strtoull(words[i], nullptr, 10);
      if (size == 0) return 2;
      measure_all<float>(one, all, size, "float");
      measure_all<std::uint32_t>(one, all, size, "uint32");
      measure_all<long long>(one, all, size / 2, "int64");
    }
  } catch (const distributed::error& problem) {
    std::fprintf(stderr, "bench-gpu: %s\n", problem.what());
    return 4;
  }
  return 0;
}
