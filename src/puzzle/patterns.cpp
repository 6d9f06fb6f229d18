// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "puzzle/patterns.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <limits>

#include "puzzle/comparison.hpp"
#include "puzzle/parts.hpp"
#include "puzzle/random.hpp"

namespace warpz {
namespace {

constexpr float infinity = std::numeric_limits<float>::infinity();
constexpr float not_a_number = std::numeric_limits<float>::quiet_NaN();

/// A pseudo-random number below `limit` for each index.
std::size_t scattered(std::size_t index, std::size_t limit) { return index * 2654435761u % 4294967291u % limit; }

/// The part of the last block, which may be incomplete.
std::span<float> last_block(std::span<float> x, const puzzle& task, const parameters& values) {
  return x.last((x.size() - 1) % task.elements_of_a_block(values.warp_size) + 1);
}

void whole(std::span<float> x, const puzzle& task, const parameters&) {
  constexpr double most = 64;
  // Multiples of 6: halves and thirds of them are whole.
  const unsigned step = task.mean_of == 1 ? 1 : 6;
  const double share = max_exact_units / static_cast<double>(x.size() + 1) / step;
  const double limit = std::min(most, std::floor(task.factors == 1 ? share : std::sqrt(share)));
  if (limit >= 1) {
    return fill_each(x, [&](std::size_t i) {
      return static_cast<float>(step * (1 + scattered(i, static_cast<std::size_t>(limit))));
    });
  }
  // Where too many numbers would be 1: one of each `apart` is, the others are 0.
  const auto apart = static_cast<std::size_t>(std::ceil(1 / share));
  fill_each(x,
            [&](std::size_t i) { return scattered(i / apart, apart) == i % apart ? static_cast<float>(step) : 0.0F; });
}

void negative(std::span<float> x, const puzzle&, const parameters&) {
  // Ascending: the first ones are far smaller than the others.
  fill_each(x, [](std::size_t i) { return static_cast<float>(i % 64) - 64; });
}

void equal(std::span<float> x, const puzzle&, const parameters&) {
  fill_each(x, [](std::size_t) { return 5.0F; });
}

void opposite(std::span<float> x, const puzzle&, const parameters&) {
  fill_each(x, [](std::size_t i) { return i % 2 == 0 ? -3.0F : 3.0F; });
}

void zeros(std::span<float> x, const puzzle&, const parameters&) {
  constexpr float numbers[] = {-0.0F, 0.0F, 1, -1, -0.0F};
  fill_each(x, [&](std::size_t i) { return numbers[i % std::size(numbers)]; });
}

void thirds(std::span<float> x, const puzzle&, const parameters&) {
  fill_each(x, [](std::size_t i) {
    return static_cast<float>(i % 2 == 0 ? 1.0 + static_cast<double>(i) : -2.0 - static_cast<double>(i)) / 3;
  });
}

void large(std::span<float> x, const puzzle&, const parameters&) {
  constexpr float numbers[] = {1, 1e8F, 3, -1e8F};
  fill_each(x, [&](std::size_t i) { return numbers[i % std::size(numbers)]; });
}

void infinite(std::span<float> x, const puzzle& task, const parameters& values) {
  constexpr float numbers[] = {infinity, 1, -infinity, 2};
  fill_each(x, [&](std::size_t i) { return numbers[i % std::size(numbers)]; });
  const std::span<float> last = last_block(x, task, values);
  std::fill(last.begin(), last.end(),
            (x.size() - last.size()) / task.elements_of_a_block(values.warp_size) % 2 == 0 ? -infinity : infinity);
}

void nan(std::span<float> x, const puzzle& task, const parameters& values) {
  fill_each(x, [](std::size_t i) { return i % 5 == 2 ? not_a_number : static_cast<float>(i * 7 % 11) - 4; });
  const std::span<float> last = last_block(x, task, values);
  std::fill(last.begin(), last.end(), not_a_number);
}

/// Whether the puzzle adds nothing: sums of infinities may be NaNs in one order of additions and not in another.
bool adds_nothing(const puzzle& task) { return task.magnitudes == nullptr; }

bool takes_nans(const puzzle& task) { return task.takes_nans; }

constexpr pattern all_patterns[] = {
    {whole_pattern, whole},  {"negative", negative}, {"equal", equal}, {"opposite", opposite},
    {"zeros", zeros},        {"thirds", thirds},     {"large", large}, {"infinite", infinite, adds_nothing},
    {"nan", nan, takes_nans}};

}  // namespace

std::span<const pattern> patterns() { return all_patterns; }

const pattern& find_pattern(std::string_view name) {
  return *std::find_if(std::begin(all_patterns), std::end(all_patterns),
                       [name](const pattern& each) { return each.name == name; });
}

}  // namespace warpz
