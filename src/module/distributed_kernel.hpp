// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// How the operation of a kernel runs on several GPUs: registered under the kernel's name, beside the kernel itself.
#pragma once

#include <cstddef>

#include "warpz/gpu_group.hpp"

namespace warpz {

/// What the results of an operation are, and how many of them each GPU has chosen where that is its own to say.
enum class distributed_results { one, as_dealt, chosen, chosen_and_rest };

struct distributed_kernel {
  using counts = distributed::per_gpu<unsigned long long*>;

  const char* identity;  ///< the kernel's
  distributed_results results;
  distributed::layout (*layout)(std::size_t size, unsigned gpus);
  /// Queues it, with the number to compare with where the kernel takes one; returns the counts, if it has any.
  counts (*queue)(distributed::gpu_group& group, const distributed::array<float>& output,
                  const distributed::array<const float>& input, float pivot);
  const distributed_kernel* next = nullptr;
};

/// The module's, newest first.
inline const distributed_kernel*& distributed_kernel_list() {
  static const distributed_kernel* first = nullptr;
  return first;
}

struct distributed_registration {
  distributed_kernel entry;

  explicit distributed_registration(const distributed_kernel& registered) : entry(registered) {
    entry.next = distributed_kernel_list();
    distributed_kernel_list() = &entry;
  }
};

}  // namespace warpz
