// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "puzzle/comparison.hpp"

#include <algorithm>
#include <atomic>
#include <bit>
#include <cmath>
#include <cstring>
#include <limits>
#include <mutex>
#include <stdexcept>

#include "puzzle/parts.hpp"

namespace warpz {
namespace {

// Pieces that fit the cache are compared bit by bit first: almost all are equal.
constexpr std::size_t compared_at_once = 4096;

/// Of the magnitudes that are added.
constexpr double relative_tolerance = 1e-5;
constexpr double greatest = std::numeric_limits<float>::max();

enum class likeness { equal, rounded, different };

/// Judges the elements of one output, in several threads if need be. What takes a look at all of the input is found out
/// when it is needed.
class element_judge {
 public:
  element_judge(const puzzle& task, std::span<const float> x, std::span<const float> expected, const parameters& values)
      : task_(task), x_(x), expected_(expected), values_(values) {}

  likeness judge(std::size_t i, float output) {
    const float wanted = expected_[i];
    if (output == wanted || (std::isnan(output) && std::isnan(wanted) && !never_written(output))) {
      return likeness::equal;
    }
    if (task_.magnitudes == nullptr || never_written(output)) return likeness::different;
    // Of fractions nearly all results round. Magnitudes are never less than their sum, so most need no look at them.
    if (task_.has_fractions && std::isfinite(wanted) &&
        distance(output, wanted) <= relative_tolerance * std::fabs(wanted)) {
      return likeness::rounded;
    }
    const bool is_near = may_overflow(i) ? is_overflow(i, output) : distance(output, wanted) <= allowed(i);
    return is_near ? likeness::rounded : likeness::different;
  }

  /// Two outputs are no farther from each other than both may be from what is expected.
  bool is_near(std::size_t i, float one, float other) {
    return task_.magnitudes != nullptr && distance(one, other) <= 2 * allowed(i);
  }

 private:
  static double distance(float a, float b) {
    if (!std::isfinite(a) || !std::isfinite(b)) return std::numeric_limits<double>::infinity();
    return std::fabs(static_cast<double>(a) - static_cast<double>(b));
  }

  double terms(std::size_t i) {
    if (!task_.is_running_sum) return task_.magnitudes(x_, i, values_) * task_.mean_of;
    // Of each element all those before it: adding them up anew each time would take the square of their number.
    std::call_once(has_running_terms_, [this] {
      running_terms_.reserve(x_.size());
      double sum = 0;
      for (const float each : x_) running_terms_.push_back(sum += std::fabs(static_cast<double>(each)));
    });
    return running_terms_[i];
  }

  double allowed(std::size_t i) {
    if (!std::isfinite(expected_[i]) || is_exact(i)) return 0;
    if (task_.is_running_sum) return relative_tolerance * terms(i);
    return tolerance_of(task_, x_, expected_, i, values_);
  }

  bool is_exact(std::size_t i) {
    if (task_.has_fractions) return false;
    std::call_once(has_unit_, [this] {
      const double unit = unit_of(x_);
      const auto divides = [&](float each) { return std::fmod(each, unit * task_.mean_of) == 0; };
      is_divided_ = task_.mean_of == 1 || unit == 0 || std::all_of(x_.begin(), x_.end(), divides);
      exact_below_ = max_exact_units * std::pow(unit, task_.factors);
    });
    return is_divided_ && terms(i) < exact_below_;
  }

  /// The numbers are finite, and what they add up to may not be.
  bool may_overflow(std::size_t i) {
    const double sum = terms(i);
    return std::isfinite(sum) && sum > greatest;
  }

  /// The output may come of an overflow, or of an order of additions that has none.
  bool is_overflow(std::size_t i, float output) {
    std::call_once(is_scaled_, [this] { scale(); });
    const double magnitudes =
        task_.is_running_sum ? std::ldexp(terms(i), -scale_bits()) : task_.magnitudes(scaled_x_, i, values_);
    const double value = scaled_expected_[i], most = std::ldexp(greatest, -scale_bits()) / task_.mean_of;
    const bool above = magnitudes + value > most, below = magnitudes - value > most;
    if (std::isnan(output)) return above && below;
    if (std::isinf(output)) return output > 0 ? above : below;
    return std::fabs(std::ldexp(static_cast<double>(output), -scale_bits()) - value) <= relative_tolerance * magnitudes;
  }

  /// The reference adds and multiplies: of numbers that are smaller by a power of two, it makes results that are, too.
  void scale() {
    constexpr int bits = 40;
    for (const float each : x_) scaled_x_.push_back(std::ldexp(each, -bits * static_cast<int>(task_.factors)));
    scaled_expected_.resize(expected_.size());
    task_.reference(scaled_x_, scaled_expected_, values_);
  }
  int scale_bits() const { return 40 * static_cast<int>(task_.factors * task_.factors); }

  const puzzle& task_;
  std::span<const float> x_, expected_;
  const parameters& values_;
  std::once_flag has_unit_, has_running_terms_, is_scaled_;
  double exact_below_ = 0;
  bool is_divided_ = true;  ///< all of a mean's divisors divide the numbers
  std::vector<double> running_terms_;
  std::vector<float> scaled_x_, scaled_expected_;
};

/// Adds what was found in another part of the output.
void add(comparison& whole, const comparison& part) {
  whole.mismatch_count += part.mismatch_count;
  whole.rests_on_rounding = whole.rests_on_rounding || part.rests_on_rounding;
  whole.first.insert(whole.first.end(), part.first.begin(), part.first.end());
  std::sort(whole.first.begin(), whole.first.end(),
            [](const mismatch& a, const mismatch& b) { return a.index < b.index; });
  whole.first.resize(std::min(whole.first.size(), max_mismatches_kept));
}

}  // namespace

double tolerance_of(const puzzle& task, std::span<const float> x, std::span<const float> expected, std::size_t i,
                    const parameters& values) {
  // A mean's is relative to the mean itself: its task says so.
  const double magnitudes =
      task.mean_of == 1 ? task.magnitudes(x, i, values) : std::fabs(static_cast<double>(expected[i]));
  return relative_tolerance * magnitudes;
}

double unit_of(std::span<const float> x) {
  constexpr int none = std::numeric_limits<int>::max();
  std::atomic<int> all_least = none;
  for_each_part(x.size(), 1, [&](std::size_t begin, std::size_t end) {
    int least = none;
    for (const float each : x.subspan(begin, end - begin)) {
      if (each == 0 || !std::isfinite(each)) continue;
      // What is stored as exponent 0 has that of 1, without the leading digit.
      const auto bits = std::bit_cast<std::uint32_t>(each);
      const std::uint32_t exponent = bits >> 23 & 0xff, digits = (bits & 0x7fffff) | (exponent != 0 ? 0x800000 : 0);
      least = std::min(least, static_cast<int>(std::max(exponent, 1U)) - 150 + std::countr_zero(digits));
    }
    for (int before = all_least; least < before && !all_least.compare_exchange_weak(before, least);) {
    }
  });
  return all_least == none ? 0 : std::ldexp(1.0, all_least);
}

comparison compare(const puzzle& task, std::span<const float> x, std::span<const float> output,
                   std::span<const float> expected, const parameters& values) {
  if (output.size() != expected.size()) throw std::logic_error("output and expected differ in length");
  if (task.plan_for == nullptr && x.size() != expected.size())
    throw std::logic_error("input and expected differ in length");
  const unsigned elements_per_thread = plan_of(task, x.size(), values).elements_per_thread;
  const unsigned block_threads = task.threads_of_a_block(values.warp_size);
  element_judge judge(task, x, expected, values);
  comparison result;
  std::mutex adding;
  for_each_part(output.size(), 1, [&](std::size_t part_begin, std::size_t part_end) {
    comparison found;
    for (std::size_t begin = part_begin; begin < part_end; begin += compared_at_once) {
      const std::size_t end = std::min(begin + compared_at_once, part_end);
      if (std::memcmp(&output[begin], &expected[begin], (end - begin) * sizeof(float)) == 0) continue;
      for (std::size_t i = begin; i < end; ++i) {
        const likeness like = judge.judge(i, output[i]);
        // There are no numbers on which fractions do not round.
        if (like == likeness::rounded) found.rests_on_rounding = !task.has_fractions;
        if (like != likeness::different) continue;
        ++found.mismatch_count;
        if (found.first.size() == max_mismatches_kept) continue;
        const std::size_t writer = i / std::max(elements_per_thread, 1U);
        const auto block = static_cast<unsigned>(writer / block_threads),
                   thread = static_cast<unsigned>(writer % block_threads);
        found.first.push_back({i, output[i], expected[i], block, thread / values.warp_size, thread % values.warp_size,
                               elements_per_thread != 0});
      }
    }
    const std::lock_guard lock(adding);
    add(result, found);
  });
  return result;
}

std::optional<std::size_t> first_difference(const puzzle& task, std::span<const float> x, std::span<const float> one,
                                            std::span<const float> other, std::span<const float> expected,
                                            const parameters& values) {
  element_judge judge(task, x, expected, values);
  for (std::size_t i = 0; i < expected.size(); ++i) {
    if (std::memcmp(&one[i], &other[i], sizeof(float)) == 0) continue;
    const auto is_right = [&](float output) { return judge.judge(i, output) != likeness::different; };
    if ((is_right(one[i]) && is_right(other[i])) || judge.is_near(i, one[i], other[i])) continue;
    return i;
  }
  return {};
}

}  // namespace warpz
