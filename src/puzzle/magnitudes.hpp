// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The magnitudes that puzzles add up, for the comparison of results that round.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <limits>
#include <span>

namespace warpz {

/// Adds up the magnitudes of consecutive elements, once for each element of an output. Neighbors of an output often
/// have the same terms, or one more: where the elements begin at the same place as before, only new ones are added, and
/// the sum has the same bits as if all were added at once. The elements must not change in the meantime.
class magnitude_sums {
 public:
  double of(std::span<const float> elements) { return of(elements, 0); }

  /// The sum for fractions of the elements. Numbers below the least normal float have fewer digits, so each counts as
  /// at least that.
  double of_fractions(std::span<const float> elements) { return of(elements, std::numeric_limits<float>::min()); }

 private:
  double of(std::span<const float> elements, double least) {
    if (elements.data() != first_ || elements.size() < count_) {
      first_ = elements.data();
      count_ = 0;
      sums_ = {};
    }
    const auto add = [&](std::size_t i) {
      sums_[i % chains] += std::max(std::fabs(static_cast<double>(elements[i])), least);
    };
    while (count_ < elements.size() && count_ % chains != 0) add(count_++);
    for (; count_ + chains <= elements.size(); count_ += chains) {
      for (std::size_t i = 0; i < chains; ++i) add(count_ + i);
    }
    while (count_ < elements.size()) add(count_++);
    std::array<double, chains> sums = sums_;
    for (std::size_t half = chains / 2; half > 0; half /= 2) {
      for (std::size_t i = 0; i < half; ++i) sums[i] += sums[i + half];
    }
    return sums[0];
  }

  /// Several sums at once, as each addition has to wait for the one before it.
  static constexpr std::size_t chains = 8;

  const float* first_ = nullptr;
  std::size_t count_ = 0;
  std::array<double, chains> sums_{};
};

}  // namespace warpz
