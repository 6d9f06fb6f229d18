// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Transforms for the references of several puzzles.
#pragma once

#include <algorithm>
#include <bit>
#include <cmath>
#include <complex>
#include <cstddef>
#include <limits>
#include <numbers>
#include <span>
#include <vector>

#include "puzzle/parts.hpp"

namespace warpz {

/// The Walsh-Hadamard transform. Element k is the sum of all elements, where those are subtracted whose number has an
/// odd number of bits in common with k. Missing elements up to a power of two count as 0.
inline void walsh_transform(std::span<const float> x, std::span<float> transformed) {
  std::vector<float> sums(x.begin(), x.end());
  sums.resize(std::bit_ceil(x.size()));
  for (std::size_t distance = 1; distance < sums.size(); distance *= 2) {
    for (std::size_t i = 0; i < sums.size(); ++i) {
      if ((i & distance) != 0) continue;
      const float lower = sums[i], upper = sums[i + distance];
      sums[i] = lower + upper;
      sums[i + distance] = lower - upper;
    }
  }
  std::copy_n(sums.begin(), transformed.size(), transformed.begin());
}

/// Fills the documented input of a Fourier transform: complex numbers, half of them a tone of four samples a period, in
/// stretches of `tone_length`, with an additional impulse every quarter of a stretch. The transform of so many numbers,
/// or of half as many, has only whole numbers, none of them 0; and all numbers are 0 that are multiplied on the way by
/// anything but 1 and -i. So no rounding shows on any platform.
inline void fill_with_tones(std::span<float> x, std::size_t tone_length) {
  fill_each(x, [apart = tone_length / 4, tone_length](std::size_t i) {
    constexpr std::complex<float> tone[] = {{1, 0}, {0, 1}, {-1, 0}, {0, -1}};
    const std::size_t number = i / 2;
    std::complex<float> value = number / tone_length % 2 == 0 ? tone[number % 4] : 0;
    const auto impulse = static_cast<float>(number / apart % 10);
    if (number % apart == 0) value += std::complex<float>(5 + 2 * impulse, 2 + impulse);
    return i % 2 == 0 ? value.real() : value.imag();
  });
}

/// The Fourier transform of `count` complex numbers, a power of two of at least 4. They are given as floats, real and
/// imaginary parts in turn; missing ones at the end count as 0. If one float is not finite, all of the result are NaNs.
class fourier_transform {
 public:
  explicit fourier_transform(std::size_t length) : roots_(length) {
    const std::size_t quarter = length / 4;
    for (std::size_t i = 0; i < quarter; ++i) {
      const double angle = 2 * std::numbers::pi * static_cast<double>(i) / static_cast<double>(length);
      // The others by quarter turns, which are exact: the cosine of the double nearest to pi / 2 is not 0.
      std::complex<double> root(std::cos(angle), -std::sin(angle));
      for (std::size_t k = i; k < length; k += quarter) {
        roots_[k] = root;
        root = {root.imag(), -root.real()};
      }
    }
  }

  void operator()(std::span<const float> x, std::span<float> transformed) const {
    std::vector<std::complex<double>> numbers(roots_.size()), results(roots_.size());
    bool is_finite = true;
    for (std::size_t i = 0; i < x.size(); ++i) {
      is_finite = is_finite && std::isfinite(x[i]);
      const std::complex<double> before = numbers[i / 2];
      numbers[i / 2] = i % 2 == 0 ? std::complex<double>(x[i]) : std::complex<double>(before.real(), x[i]);
    }
    transform(numbers.data(), 1, results.data(), roots_.size());
    for (std::size_t i = 0; i < transformed.size(); ++i) {
      const std::complex<double> result = results[i / 2];
      transformed[i] = is_finite ? static_cast<float>(i % 2 == 0 ? result.real() : result.imag())
                                 : std::numeric_limits<float>::quiet_NaN();
    }
  }

 private:
  /// Transforms `count` numbers that are `stride` apart: first those at even places and those at odd places.
  void transform(const std::complex<double>* numbers, std::size_t stride, std::complex<double>* results,
                 std::size_t count) const {
    if (count == 1) {
      *results = *numbers;
      return;
    }
    const std::size_t half = count / 2;
    transform(numbers, 2 * stride, results, half);
    transform(numbers + stride, 2 * stride, results + half, half);
    for (std::size_t k = 0; k < half; ++k) {
      // Multiplied by hand: the operator looks for NaNs.
      const std::complex<double> even = results[k], odd = results[half + k], root = roots_[k * stride];
      const std::complex<double> turned(odd.real() * root.real() - odd.imag() * root.imag(),
                                        odd.real() * root.imag() + odd.imag() * root.real());
      results[k] = even + turned;
      results[half + k] = even - turned;
    }
  }

  std::vector<std::complex<double>> roots_;  ///< once around the circle, clockwise
};

}  // namespace warpz
