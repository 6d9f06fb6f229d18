// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The vendor's library, CUB or rocPRIM, at the tasks of puzzles: --bench measures it beside their kernels, with the
// same arguments and in the same blocks. The kernel of a puzzle is found by its name: library_ and the puzzle's flag,
// with underscores. For a puzzle that has none here the libraries have no operation.
//
// Nothing is here on the CPU machine, and for AMD where rocPRIM is not installed.
#include "warpz/kernel.hpp"

#ifdef __WARPZ_CPU__
#elif defined(__HIP_PLATFORM_NVIDIA__)
#include "bench/library_cub.hpp"
#define WARPZ_HAS_LIBRARY
#elif defined(WARPZ_HAS_ROCPRIM) && __has_include(<rocprim/rocprim.hpp>)
#include "bench/library_rocprim.hpp"
#define WARPZ_HAS_LIBRARY
#endif

#ifdef WARPZ_HAS_LIBRARY

namespace warpz_library {

struct plus {
  template <class T>
  __device__ __host__ T operator()(T a, T b) const {
    return a + b;
  }
};
struct greater {
  __device__ __host__ float operator()(float a, float b) const { return fmaxf(a, b); }
};
struct lesser {
  __device__ __host__ float operator()(float a, float b) const { return fminf(a, b); }
};
struct farther_from_zero {
  __device__ __host__ float operator()(float a, float b) const {
    const float greatest = fmaxf(a, b), least = fminf(a, b);
    return -least > greatest ? least : greatest;
  }
};
/// NaNs last.
struct ascending {
  __device__ bool operator()(float a, float b) const { return a < b || (b != b && a == a); }
};
struct below {
  float pivot;
  __device__ __host__ bool operator()(float element) const { return element < pivot; }
};
struct above {
  float pivot;
  __device__ __host__ bool operator()(float element) const { return element > pivot; }
};

/// Changes no maximum, no minimum, and no order: what threads without an element have.
__device__ inline float none() { return __int_as_float(0x7fc00000); }

/// The caller's lane: its block is one warp.
__device__ inline int lane() { return static_cast<int>(threadIdx.x); }
__device__ inline int elements_of_block(int size) {
  return min(static_cast<int>(blockDim.x), size - static_cast<int>(blockIdx.x * blockDim.x));
}

/// The first lane whose element it is.
__device__ inline float lane_of(float element, float x) {
  const float first = in_warp(x == element ? static_cast<float>(lane()) : none(), lesser());
  return first == first ? first : -1.0f;
}

/// Where elements go if those in front are moved to the front of their warp.
__device__ inline int place_behind(bool in_front) {
  const int before = sum_before(in_front ? 1 : 0), all = in_warp(in_front ? 1 : 0, plus());
  return in_front ? before : all + lane() - before;
}

__device__ inline float chosen(bool first, float one, float other) { return first ? one : other; }

template <int columns, int rows = 1, class Operation>
__device__ float in_block(float x, Operation operation) {
  __shared__ float result;
  const float in_first = in_first_of_block<columns, rows>(x, operation);
  if (threadIdx.x == 0 && threadIdx.y == 0) result = in_first;
  __syncthreads();
  return result;
}

}  // namespace warpz_library

/// A kernel of threads that each make a result of their element x, and of `missing` where they have none.
#define WARPZ_LIBRARY_KERNEL(name, missing, ...)                                                                     \
  __global__ void name(float* output, const float* input, int size) {                                                \
    using namespace warpz_library;                                                                                   \
    const int threads = static_cast<int>(blockDim.x * blockDim.y);                                                   \
    const int i = static_cast<int>(blockIdx.x) * threads + static_cast<int>(threadIdx.y * blockDim.x + threadIdx.x); \
    [[maybe_unused]] const int count = elements_of_block(size);                                                      \
    const float x = i < size ? input[i] : (missing);                                                                 \
    const float result = (__VA_ARGS__);                                                                              \
    if (i < size) output[i] = result;                                                                                \
  }                                                                                                                  \
  WARPZ_KERNEL(name)

WARPZ_LIBRARY_KERNEL(library_warp_sum, 0, in_warp(x, plus()));
WARPZ_LIBRARY_KERNEL(library_warp_max, none(), x - in_warp(x, greater()));
WARPZ_LIBRARY_KERNEL(library_warp_min, none(), lane_of(in_warp(x, lesser()), x));
WARPZ_LIBRARY_KERNEL(library_parallel_max, none(), in_warp(x, greater()));
WARPZ_LIBRARY_KERNEL(library_conditional_max, none(),
                     chosen(lane() % 2 == 0, in_warp(x, greater()), in_warp(x, lesser())));
WARPZ_LIBRARY_KERNEL(library_prefix_sum, 0, sum_up_to(x));
WARPZ_LIBRARY_KERNEL(library_exclusive_scan, 0, sum_before(x));
WARPZ_LIBRARY_KERNEL(library_bitonic_sort, none(), sorted_in_warp(x, ascending()));
WARPZ_LIBRARY_KERNEL(library_quicksort, none(), sorted_in_warp(x, ascending()));
WARPZ_LIBRARY_KERNEL(library_neighbor, 0, chosen(lane() == count - 1, 0, to_the_next(x)));
WARPZ_LIBRARY_KERNEL(library_shuffle_up, 0, less_the_one_before(x));
WARPZ_LIBRARY_KERNEL(library_pair_swap, 0, sent_to((lane() ^ 1) < count && lane() < count ? lane() ^ 1 : lane(), x));
WARPZ_LIBRARY_KERNEL(library_shuffle_idx, 0,
                     sent_to(lane() >= count ? lane() : (lane() % 2 == 0 ? 0 : (count + 1) / 2) + lane() / 2, x));
WARPZ_LIBRARY_KERNEL(library_rotate, 0, sent_to(lane() >= count ? lane() : (lane() + count - 1) % count, x));
WARPZ_LIBRARY_KERNEL(library_reverse, 0, sent_to(lane() >= count ? lane() : count - 1 - lane(), x));
WARPZ_LIBRARY_KERNEL(library_block_sum, 0, in_block<96>(x, plus()));
WARPZ_LIBRARY_KERNEL(library_block_max, none(), in_block<12, 10>(x, greater()));
WARPZ_LIBRARY_KERNEL(library_block_prefix_sum, 0, block_sum_up_to<112>(x));
WARPZ_LIBRARY_KERNEL(library_hybrid_reduction, none(), in_block<416>(x, farther_from_zero()));

__global__ void library_adaptive(float* output, const float* input, int*, int size) {
  const int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  const float count = warpz_library::in_warp(i < size && input[i] >= 0 ? 1.0f : 0.0f, warpz_library::plus());
  if (i < size) output[i] = count;
}
WARPZ_KERNEL(library_adaptive);

__global__ void library_vote(float* output, const float* input, int size, float pivot) {
  const int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  const bool is_above = i < size && input[i] > pivot;
  const int count = warpz_library::in_warp(is_above ? 1 : 0, warpz_library::plus());
  if (i < size) output[i] = static_cast<float>(is_above ? count : warpz_library::elements_of_block(size) - count);
}
WARPZ_KERNEL(library_vote);

__global__ void library_partition(float* output, const float* input, int size, float pivot) {
  const int first = static_cast<int>(blockIdx.x * blockDim.x), i = first + static_cast<int>(threadIdx.x);
  const float x = i < size ? input[i] : 0.0f;
  const int place = warpz_library::place_behind(i < size && x < pivot);
  if (i < size) output[first + place] = x;
}
WARPZ_KERNEL(library_partition);

__global__ void library_stream_compaction(float* output, const float* input, int size, float pivot) {
  const int first = static_cast<int>(blockIdx.x * blockDim.x), i = first + static_cast<int>(threadIdx.x);
  const float x = i < size ? input[i] : 0.0f;
  const bool is_kept = i < size && x > pivot;
  const int place = warpz_library::place_behind(is_kept);
  if (i < size) output[first + place] = is_kept ? x : 0.0f;
}
WARPZ_KERNEL(library_stream_compaction);

__global__ void library_lane_groups(float* output, const float* input, int size) {
  using namespace warpz_library;
  constexpr int judges = 8;
  const int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  const float sum = in_warp<judges>(i < size ? input[i] : 0.0f, plus());
  const float x = i < size ? input[i] : none();
  const float greatest = in_warp<judges>(x, greater()), least = in_warp<judges>(x, lesser());
  if (i < size && i % judges == 0) output[i / judges] = size - i > 2 ? sum - greatest - least : sum;
}
WARPZ_KERNEL(library_lane_groups);

__global__ void library_block_min(float* output, const float* input, int size) {
  const int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  const float least =
      warpz_library::in_first_of_block<200>(i < size ? input[i] : warpz_library::none(), warpz_library::lesser());
  if (threadIdx.x == 0) output[blockIdx.x] = least;
}
WARPZ_KERNEL(library_block_min);

__global__ void library_dot_product(float* output, const float* a, const float* b, int size) {
  const int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  const float sum = warpz_library::in_first_of_block<160>(i < size ? a[i] * b[i] : 0.0f, warpz_library::plus());
  if (threadIdx.x == 0) output[blockIdx.x] = sum;
}
WARPZ_KERNEL(library_dot_product);

namespace warpz_library {

/// Turns round what lies behind the first *count elements.
__global__ void turn_rest(float* output, const unsigned* count, int size) {
  const int first = static_cast<int>(*count), rest = size - first;
  for (int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x); i < rest / 2;
       i += static_cast<int>(gridDim.x * blockDim.x)) {
    const float one = output[first + i];
    output[first + i] = output[size - 1 - i];
    output[size - 1 - i] = one;
  }
}

struct reduce {
  hipError_t operator()(void* memory, std::size_t& bytes, hipStream_t on, float* output, const float* input, unsigned*,
                        int size) const {
    return reduce_all(memory, bytes, input, output, size, 0.0f, plus(), on);
  }
};
struct scan {
  hipError_t operator()(void* memory, std::size_t& bytes, hipStream_t on, float* output, const float* input, unsigned*,
                        int size) const {
    return scan_all(memory, bytes, input, output, size, plus(), on);
  }
};
struct scan_for_greatest {
  hipError_t operator()(void* memory, std::size_t& bytes, hipStream_t on, float* output, const float* input, void*,
                        int size) const {
    return scan_all(memory, bytes, input, output, size, greater(), on);
  }
};
struct sort {
  hipError_t operator()(void* memory, std::size_t& bytes, hipStream_t on, float* output, const float* input, unsigned*,
                        int size) const {
    return sort_all(memory, bytes, input, output, size, on);
  }
};
struct compact {
  hipError_t operator()(void* memory, std::size_t& bytes, hipStream_t on, float* output, const float* input,
                        unsigned* state, int size, float pivot) const {
    const hipError_t cleared =
        memory == nullptr ? hipSuccess : hipMemsetAsync(output, 0, sizeof(float) * static_cast<std::size_t>(size), on);
    return cleared != hipSuccess ? cleared : select_all(memory, bytes, input, output, state, size, above{pivot}, on);
  }
};
struct partition {
  hipError_t operator()(void* memory, std::size_t& bytes, hipStream_t on, float* output, const float* input,
                        unsigned* state, int size, float pivot) const {
    const hipError_t code = partition_all(memory, bytes, input, output, state, size, below{pivot}, on);
    if (memory == nullptr || code != hipSuccess) return code;
    hipLaunchKernelGGL(turn_rest, dim3(1024), dim3(256), 0, on, output, state, size);
    return hipGetLastError();
  }
};

/// Calls the library twice for each size: to learn how much memory it needs, which then is kept, and to work. The
/// arguments are those of the puzzle's kernel.
template <class Operation, class... Arguments>
hipError_t call(hipStream_t on, int size, Arguments... arguments) {
  static void* memory = nullptr;
  static std::size_t bytes = 0;
  static int known_size = -1;
  hipError_t code = hipSuccess;
  if (size != known_size) {
    static_cast<void>(hipFree(memory));
    known_size = -1;
    code = Operation()(nullptr, bytes, on, arguments...);
    if (code == hipSuccess) code = hipMalloc(&memory, bytes);
    if (code == hipSuccess) known_size = size;
  }
  return code == hipSuccess ? Operation()(memory, bytes, on, arguments...) : code;
}

/// What the operation takes, in place of a kernel. Its code is not run; whether the device has any is looked up by it.
template <class State, class... Pivot>
__global__ void arguments_of_kernel(float*, const float*, State*, int, Pivot...) {}

template <class T>
T at(void* address) {
  return *static_cast<T*>(address);
}

template <class Operation, class State, class... Pivot>
hipError_t call_at(hipStream_t on, void** addresses) {
  // There is at most one pivot.
  return call<Operation>(on, at<int>(addresses[3]), at<float*>(addresses[0]), at<const float*>(addresses[1]),
                         at<State*>(addresses[2]), at<int>(addresses[3]), at<Pivot>(addresses[4])...);
}

template <class Operation, class State, class... Pivot>
warpz::detail::kernel_registration operation(const char* identity) {
  return {identity, arguments_of_kernel<State, Pivot...>, call_at<Operation, State, Pivot...>};
}

const warpz::detail::kernel_registration operations[] = {
    operation<reduce, unsigned>("library_device_reduce"),
    operation<reduce, unsigned>("library_threadfence"),
    operation<scan, unsigned>("library_device_scan"),
    operation<scan_for_greatest, void>("library_ticket_semaphore"),
    operation<sort, unsigned>("library_device_sort"),
    operation<compact, unsigned, float>("library_device_compaction"),
    operation<partition, unsigned, float>("library_device_partition")};

}  // namespace warpz_library

#endif
