// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The data of a run on several GPUs: a host's array is dealt out to their memory, and their results are put together.
#pragma once

#include <hip/hip_runtime.h>

#include <algorithm>
#include <cstddef>
#include <numeric>
#include <vector>

#include "module/distributed_kernel.hpp"

namespace warpz {

/// An array in the memory of a group's GPUs, for as long as it lives.
class distributed_buffer {
 public:
  distributed_buffer(const distributed::gpu_group& group, const distributed::layout& dealt) : all_{dealt, {}} {
    for (unsigned gpu = 0; gpu < dealt.gpus; ++gpu) {
      check(hipSetDevice(group.number_of(gpu)), "hipSetDevice");
      // A sum's result is on each GPU, also on one that has no elements.
      const std::size_t elements = std::max<std::size_t>(dealt.elements_of(gpu), 1);
      check(hipMalloc(reinterpret_cast<void**>(&all_.part.of[gpu]), elements * sizeof(float)), "hipMalloc");
    }
  }
  ~distributed_buffer() {
    for (unsigned gpu = 0; gpu < all_.dealt.gpus; ++gpu) static_cast<void>(hipFree(all_.part[gpu]));
  }
  distributed_buffer(const distributed_buffer&) = delete;
  distributed_buffer& operator=(const distributed_buffer&) = delete;

  const distributed::array<float>& array() const { return all_; }
  distributed::array<const float> read_only() const {
    distributed::array<const float> same{all_.dealt, {}};
    for (unsigned gpu = 0; gpu < all_.dealt.gpus; ++gpu) same.part.of[gpu] = all_.part[gpu];
    return same;
  }

  void deal_out(const float* numbers) const {
    each_stripe([&](float* stripe, std::size_t first, std::size_t count) {
      check(hipMemcpy(stripe, numbers + first, count * sizeof(float), hipMemcpyHostToDevice), "hipMemcpy");
    });
  }

  /// The one number that each GPU has.
  void set_one(float number) const {
    for (unsigned gpu = 0; gpu < all_.dealt.gpus; ++gpu) {
      check(hipMemcpy(all_.part[gpu], &number, sizeof number, hipMemcpyHostToDevice), "hipMemcpy");
    }
  }

  /// The results in the order in which one GPU has them; zeros in place of what is not chosen.
  void put_together(float* numbers, distributed_results results, const distributed_kernel::counts& counts) const {
    switch (results) {
      case distributed_results::one:
        return fetch(numbers, all_.part[0], 1);
      case distributed_results::as_dealt:
        return each_stripe(
            [&](const float* stripe, std::size_t first, std::size_t count) { fetch(numbers + first, stripe, count); });
      case distributed_results::chosen:
      case distributed_results::chosen_and_rest:
        break;
    }
    std::vector<unsigned long long> chosen(all_.dealt.gpus);
    check(hipMemcpy(chosen.data(), counts[0], chosen.size() * sizeof chosen[0], hipMemcpyDeviceToHost), "hipMemcpy");
    float* next = numbers;
    for (unsigned gpu = 0; gpu < all_.dealt.gpus; ++gpu) {
      fetch(next, all_.part[gpu], chosen[gpu]);
      next += chosen[gpu];
    }
    if (results == distributed_results::chosen) {
      std::fill(next, numbers + all_.dealt.size, 0.0F);
      return;
    }
    for (unsigned gpu = 0; gpu < all_.dealt.gpus; ++gpu) {
      const std::size_t rest = all_.dealt.elements_of(gpu) - chosen[gpu];
      fetch(next, all_.part[gpu] + chosen[gpu], rest);
      next += rest;
    }
  }

 private:
  static void check(hipError_t code, const char* call) {
    if (code != hipSuccess) throw distributed::error(call, hipGetErrorName(code), hipGetErrorString(code));
  }

  static void fetch(float* into, const float* from, std::size_t count) {
    if (count != 0) check(hipMemcpy(into, from, count * sizeof(float), hipMemcpyDeviceToHost), "hipMemcpy");
  }

  template <class Act>
  void each_stripe(const Act& act) const {
    const distributed::layout& dealt = all_.dealt;
    for (std::size_t first = 0, number = 0; first < dealt.size; first += dealt.stripe, ++number) {
      act(all_.part[static_cast<unsigned>(number % dealt.gpus)] + number / dealt.gpus * dealt.stripe, first,
          std::min(dealt.stripe, dealt.size - first));
    }
  }

  distributed::array<float> all_;
};

}  // namespace warpz
