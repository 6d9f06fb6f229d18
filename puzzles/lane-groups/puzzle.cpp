// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "puzzle/puzzle.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace {

constexpr double relative_tolerance = 1e-5;
constexpr std::size_t judges = 8;

/// The group's elements.
std::span<const float> group(std::span<const float> x, std::size_t number) {
  const std::size_t first = number * judges;
  return x.subspan(first, std::min(judges, x.size() - first));
}

/// Halves from 1 to 10 in disorder.
void input(std::span<float> x, unsigned /*warp_size*/) {
  for (std::size_t i = 0; i < x.size(); ++i) x[i] = static_cast<float>((i * i * 5 + i * 3) % 19) / 2 + 1;
}

/// Of each group the sum; of more than two elements without the greatest and the least one.
void reference(std::span<const float> x, std::span<float> expected, const warpz::parameters& /*with*/) {
  for (std::size_t i = 0; i < expected.size(); ++i) {
    const std::span<const float> marks = group(x, i);
    const auto fold = [marks](auto f) { return std::accumulate(marks.begin(), marks.end(), marks.front(), f); };
    const float sum = std::accumulate(marks.begin(), marks.end(), 0.0F);
    const float best = fold([](float a, float b) { return std::fmax(a, b); });
    const float worst = fold([](float a, float b) { return std::fmin(a, b); });
    expected[i] = marks.size() > 2 ? sum - best - worst : sum;
  }
}

/// A sum may round in its own order, so what is allowed grows with the magnitudes that were added.
double tolerance(std::span<const float> x, std::span<const float> /*expected*/, std::size_t i,
                 const warpz::parameters& /*with*/) {
  double magnitudes = 0;
  for (const float mark : group(x, i)) magnitudes += std::fabs(static_cast<double>(mark));
  return relative_tolerance * magnitudes;
}

warpz::plan plan(std::size_t size, const warpz::parameters& with) {
  warpz::plan made;
  made.output = (size + judges - 1) / judges;
  made.inputs = {size};
  made.counts = {static_cast<std::int32_t>(size)};
  made.grid = {static_cast<std::uint32_t>((size + with.warp_size - 1) / with.warp_size), 1};
  made.block = {with.warp_size, 1};
  made.element_per_thread = false;
  return made;
}

constexpr warpz::puzzle definition = {
    .number = 43,
    .flag = "lane-groups",
    .title = "Lane groups",
    .kernel = "marks_of_juries",
    .summary = "a mark for each group of eight (lane_group_sum)",
    .documented_size = 204,
    .plan_for = plan,
    .documented_input = input,
    .reference = reference,
    .tolerance = tolerance,
};

}  // namespace

WARPZ_PUZZLE(definition);
