// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What puzzles add up, for the comparison of results that round.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <span>

namespace warpz {

/// Adds up the magnitudes of consecutive elements, as often as for each element of an output. Neighbors there have the
/// same terms, or one more: of elements that begin where the last ones did, only those are added that are new. The sum
/// is that of all of them one after the other, to the bit. The elements must not change meanwhile.
class magnitude_sums {
 public:
  double of(std::span<const float> elements) { return of(elements, 0); }

  /// The same of fractions of the elements. Those below the least normal float have fewer digits, so none counts as
  /// less.
  double of_fractions(std::span<const float> elements) { return of(elements, std::numeric_limits<float>::min()); }

 private:
  double of(std::span<const float> elements, double least) {
    if (elements.data() != first_ || elements.size() < count_) {
      first_ = elements.data();
      count_ = 0;
      sum_ = 0;
    }
    for (; count_ < elements.size(); ++count_)
      sum_ += std::max(std::fabs(static_cast<double>(elements[count_])), least);
    return sum_;
  }

  const float* first_ = nullptr;
  std::size_t count_ = 0;
  double sum_ = 0;
};

}  // namespace warpz
