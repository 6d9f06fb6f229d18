// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "puzzle/comparison.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <stdexcept>

namespace warpz {
namespace {

// Pieces that fit the cache are compared bit by bit first: almost all are equal.
constexpr std::size_t compared_at_once = 4096;

bool matches(const puzzle& task, std::span<const float> x, std::span<const float> expected, std::size_t i, float output,
             const parameters& values) {
  const float wanted = expected[i];
  if (output == wanted || (std::isnan(output) && std::isnan(wanted) && !never_written(output))) return true;
  if (task.tolerance == nullptr || !std::isfinite(output) || !std::isfinite(wanted)) return false;
  const double difference = std::fabs(static_cast<double>(output) - static_cast<double>(wanted));
  return difference <= task.tolerance(x, expected, i, values);
}

}  // namespace

comparison compare(const puzzle& task, std::span<const float> x, std::span<const float> output,
                   std::span<const float> expected, const parameters& values) {
  if (output.size() != expected.size()) throw std::logic_error("output and expected differ in length");
  if (task.plan_for == nullptr && x.size() != expected.size())
    throw std::logic_error("input and expected differ in length");
  const bool placed = task.plan_for == nullptr || task.plan_for(x.size(), values).element_per_thread;
  const unsigned block_threads = task.threads_of_a_block(values.warp_size);
  comparison result;
  for (std::size_t begin = 0; begin < output.size(); begin += compared_at_once) {
    const std::size_t end = std::min(begin + compared_at_once, output.size());
    if (std::memcmp(&output[begin], &expected[begin], (end - begin) * sizeof(float)) == 0) continue;
    for (std::size_t i = begin; i < end; ++i) {
      if (matches(task, x, expected, i, output[i], values)) continue;
      ++result.mismatch_count;
      if (result.first.size() == max_mismatches_kept) continue;
      const auto block = static_cast<unsigned>(i / block_threads), thread = static_cast<unsigned>(i % block_threads);
      result.first.push_back(
          {i, output[i], expected[i], block, thread / values.warp_size, thread % values.warp_size, placed});
    }
  }
  return result;
}

std::optional<std::size_t> first_difference(const puzzle& task, std::span<const float> x, std::span<const float> one,
                                            std::span<const float> other, std::span<const float> expected,
                                            const parameters& values) {
  for (std::size_t i = 0; i < expected.size(); ++i) {
    if (std::memcmp(&one[i], &other[i], sizeof(float)) == 0) continue;
    if (matches(task, x, expected, i, one[i], values) && matches(task, x, expected, i, other[i], values)) continue;
    if (task.tolerance != nullptr && std::isfinite(one[i]) && std::isfinite(other[i]) && std::isfinite(expected[i])) {
      const double difference = std::fabs(static_cast<double>(one[i]) - static_cast<double>(other[i]));
      if (difference <= 2 * task.tolerance(x, expected, i, values)) continue;
    }
    return i;
  }
  return {};
}

}  // namespace warpz
