// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "puzzle/comparison.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <stdexcept>

namespace warpz {
namespace {

// Pieces that fit the cache are compared bit by bit first: almost all are equal.
constexpr std::size_t piece = 4096;

bool matches(const puzzle& of, std::span<const float> x, std::span<const float> expected, std::size_t i, float output,
             const parameters& with) {
  const float wanted = expected[i];
  if (output == wanted || (std::isnan(output) && std::isnan(wanted) && !never_written(output))) return true;
  if (of.tolerance == nullptr || !std::isfinite(output) || !std::isfinite(wanted)) return false;
  const double difference = std::fabs(static_cast<double>(output) - static_cast<double>(wanted));
  return difference <= of.tolerance(x, expected, i, with);
}

}  // namespace

comparison compare(const puzzle& of, std::span<const float> x, std::span<const float> output,
                   std::span<const float> expected, const parameters& with) {
  if (output.size() != expected.size() || x.size() != expected.size())
    throw std::logic_error("input, output and expected differ in length");
  comparison result;
  for (std::size_t begin = 0; begin < output.size(); begin += piece) {
    const std::size_t end = std::min(begin + piece, output.size());
    if (std::memcmp(&output[begin], &expected[begin], (end - begin) * sizeof(float)) == 0) continue;
    for (std::size_t i = begin; i < end; ++i) {
      if (matches(of, x, expected, i, output[i], with)) continue;
      ++result.mismatch_count;
      if (result.first.size() < most_mismatches_kept)
        result.first.push_back({i, output[i], expected[i], static_cast<unsigned>(i / with.warp_size), 0,
                                static_cast<unsigned>(i % with.warp_size)});
    }
  }
  return result;
}

}  // namespace warpz
