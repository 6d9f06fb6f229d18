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
#include "puzzle/warps.hpp"

namespace warpz {
namespace {

// The length of pieces that fit the cache. They are compared bit by bit first, as almost all are equal.
constexpr std::size_t compared_at_once = 4096;

/// By how much a sum may be off, relative to the magnitudes that are added.
constexpr double relative_tolerance = 1e-5;
constexpr double greatest = std::numeric_limits<float>::max();

enum class likeness { equal, rounded, different };

/// By how much a mean may be off, relative to the mean itself, as its task says.
double allowed_of(const puzzle& task, double magnitudes, std::span<const float> expected, std::size_t i) {
  return relative_tolerance * (task.mean_of == 1 ? magnitudes : std::fabs(static_cast<double>(expected[i])));
}

/// Facts that need a look at all of the input, computed when they are first needed. Several threads may ask for them.
class whole_input {
 public:
  whole_input(const puzzle& judged, std::span<const float> input, std::size_t outputs, const parameters& given)
      : task(judged), x(input), values(given), outputs_(outputs) {}

  /// Magnitudes that add up to less than this are exact in every order.
  double exact_below() {
    std::call_once(has_unit_, [this] {
      const double unit = unit_of(x);
      if (task.mean_of == 1 || unit == 0 || all_are_multiples_of(unit * task.mean_of))
        exact_below_ = max_exact_units * std::pow(unit, task.factors);
    });
    return exact_below_;
  }

  struct scaled_numbers {
    std::vector<float> x, expected;
  };

  /// The reference only adds and multiplies: numbers scaled down by a power of two give results scaled down.
  const scaled_numbers& scaled() {
    std::call_once(is_scaled_, [this] {
      scaled_.x.resize(x.size());
      const int bits = -bits_of_factor * static_cast<int>(task.factors);
      for_each_result(scaled_.x, 1, [&](std::size_t i) { return std::ldexp(x[i], bits); });
      scaled_.expected.resize(outputs_);
      task.reference(scaled_.x, scaled_.expected, values);
    });
    return scaled_;
  }
  /// By how many bits a result is scaled down.
  int scale_bits() const { return bits_of_factor * static_cast<int>(task.factors * task.factors); }

  const puzzle& task;
  const std::span<const float> x;
  const parameters& values;

 private:
  static constexpr int bits_of_factor = 40;

  bool all_are_multiples_of(double divisor) const {
    std::atomic<bool> are = true;
    for_each_part(x.size(), 1, [&](std::size_t begin, std::size_t end) {
      for (std::size_t i = begin; i < end && are; ++i)
        if (std::fmod(x[i], divisor) != 0) are = false;
    });
    return are;
  }

  const std::size_t outputs_;
  std::once_flag has_unit_, is_scaled_;
  double exact_below_ = 0;
  scaled_numbers scaled_;
};

/// Judges elements of an output, one after the other.
class element_judge {
 public:
  element_judge(whole_input& whole, std::span<const float> expected)
      : whole_(whole), task_(whole.task), expected_(expected) {}

  likeness judge(std::size_t i, float output) {
    const float wanted = expected_[i];
    if (output == wanted || (std::isnan(output) && std::isnan(wanted) && !never_written(output))) {
      return likeness::equal;
    }
    if (task_.magnitudes == nullptr || never_written(output)) return likeness::different;
    // The magnitudes' sum is at least that of the terms: for most results that round, this alone decides.
    const double least = std::fabs(static_cast<double>(wanted));
    if (std::isfinite(wanted) && distance(output, wanted) <= relative_tolerance * least && may_round(least)) {
      return likeness::rounded;
    }
    const double magnitudes = magnitudes_of(i);
    // The numbers are finite, but their sum may overflow.
    const bool may_overflow = std::isfinite(magnitudes) && magnitudes * task_.mean_of > greatest;
    const bool is_right = may_overflow ? is_overflow(i, output) : distance(output, wanted) <= allowed(i, magnitudes);
    return is_right ? likeness::rounded : likeness::different;
  }

  /// Whether two outputs are no farther from each other than both together may be from what is expected.
  bool is_near(std::size_t i, float one, float other) {
    return task_.magnitudes != nullptr && distance(one, other) <= 2 * allowed(i, magnitudes_of(i));
  }

 private:
  static double distance(float a, float b) {
    if (!std::isfinite(a) || !std::isfinite(b)) return std::numeric_limits<double>::infinity();
    return std::fabs(static_cast<double>(a) - static_cast<double>(b));
  }

  double magnitudes_of(std::size_t i) { return task_.magnitudes(whole_.x, i, whole_.values, sums_); }

  double allowed(std::size_t i, double magnitudes) {
    if (!std::isfinite(expected_[i])) return 0;
    return may_round(magnitudes) ? allowed_of(task_, magnitudes, expected_, i) : 0;
  }

  /// Whether terms of these magnitudes together may round when they are added up.
  bool may_round(double magnitudes) {
    return task_.has_fractions || magnitudes * task_.mean_of >= whole_.exact_below();
  }

  /// Whether the output may come from an overflow, or from an order of additions without one.
  bool is_overflow(std::size_t i, float output) {
    const auto& [scaled_x, scaled_expected] = whole_.scaled();
    const int bits = whole_.scale_bits();
    const double magnitudes = task_.magnitudes(scaled_x, i, whole_.values, scaled_sums_);
    const double value = scaled_expected[i], most = std::ldexp(greatest, -bits) / task_.mean_of;
    const bool above = magnitudes + value > most, below = magnitudes - value > most;
    if (std::isnan(output)) return above && below;
    if (std::isinf(output)) return output > 0 ? above : below;
    return std::fabs(std::ldexp(static_cast<double>(output), -bits) - value) <= relative_tolerance * magnitudes;
  }

  whole_input& whole_;
  const puzzle& task_;
  const std::span<const float> expected_;
  magnitude_sums sums_, scaled_sums_;
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
  magnitude_sums sums;
  return allowed_of(task, task.magnitudes(x, i, values, sums), expected, i);
}

double unit_of(std::span<const float> x) {
  constexpr int none = std::numeric_limits<int>::max();
  std::atomic<int> all_least = none;
  for_each_part(x.size(), 1, [&](std::size_t begin, std::size_t end) {
    int least = none;
    for (const float each : x.subspan(begin, end - begin)) {
      if (each == 0 || !std::isfinite(each)) continue;
      // A stored exponent of 0 stands for 1, without the leading digit.
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
  whole_input whole(task, x, expected.size(), values);
  comparison result;
  std::mutex adding;
  for_each_part(output.size(), 1, [&](std::size_t part_begin, std::size_t part_end) {
    element_judge judge(whole, expected);
    comparison found;
    for (std::size_t begin = part_begin; begin < part_end; begin += compared_at_once) {
      const std::size_t end = std::min(begin + compared_at_once, part_end);
      if (std::memcmp(&output[begin], &expected[begin], (end - begin) * sizeof(float)) == 0) continue;
      for (std::size_t i = begin; i < end; ++i) {
        const likeness like = judge.judge(i, output[i]);
        // Fractions round on any numbers, so no second run could decide.
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
  whole_input whole(task, x, expected.size(), values);
  element_judge judge(whole, expected);
  for (std::size_t i = 0; i < expected.size(); ++i) {
    if (std::memcmp(&one[i], &other[i], sizeof(float)) == 0) continue;
    const auto is_right = [&](float output) { return judge.judge(i, output) != likeness::different; };
    if ((is_right(one[i]) && is_right(other[i])) || judge.is_near(i, one[i], other[i])) continue;
    return i;
  }
  return {};
}

}  // namespace warpz
