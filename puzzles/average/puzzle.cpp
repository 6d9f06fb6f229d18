// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "puzzle/puzzle.hpp"

#include <algorithm>

#include "puzzle/warps.hpp"

namespace {

constexpr std::size_t window = 3;

/// The triangular numbers: 1, 3, 6, 10, …
void input(std::span<float> x, unsigned /*warp_size*/) {
  warpz::fill_each(
      x, [](std::size_t i) { return static_cast<float>(static_cast<double>(i + 1) * static_cast<double>(i + 2) / 2); });
}

void reference(std::span<const float> x, std::span<float> expected, const warpz::parameters& values) {
  warpz::for_each_warp(x, expected, values.warp_size, [](auto part, auto out) {
    for (std::size_t i = 0; i < part.size(); ++i) {
      const auto seen = part.subspan(i, std::min(window, part.size() - i));
      float sum = 0;
      for (const float element : seen) sum += element;
      out[i] = sum / static_cast<float>(seen.size());
    }
  });
}

double magnitudes(std::span<const float> x, std::size_t i, const warpz::parameters& values,
                  warpz::magnitude_sums& sums) {
  const std::span<const float> behind =
      warpz::block_of(x, i / values.warp_size, values.warp_size).subspan(i % values.warp_size);
  const auto seen = behind.first(std::min(window, behind.size()));
  return sums.of(seen) / static_cast<double>(seen.size());
}

const warpz::puzzle definition = {
    .number = 2,
    .flag = "average",
    .title = "Moving average",
    .kernel = "moving_average_3",
    .tuned_kernel = "moving_average_3_tuned",
    .summary = "mean of three neighbors (shuffle_down twice)",
    .style = warpz::list_style::host_buffer,
    .size_label = "SIZE_2",
    .documented_blocks = 2,
    .documented_size = 64,
    .documented_input = input,
    .reference = reference,
    .magnitudes = magnitudes,
    .mean_of = window,
    .operations = window,
};

}  // namespace

WARPZ_PUZZLE(definition);
