// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "puzzle/plan.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "puzzle/puzzle.hpp"

namespace warpz {

matrix_shape square_matrices(std::size_t numbers) {
  std::uint32_t side = 1;
  while (2 * std::uint64_t{side} * side < numbers) ++side;
  return {side, side, side};
}

std::string text_of(const matrix_shape& shape) { return fmt::format("{}x{}x{}", shape.m, shape.n, shape.k); }

std::string signature_of(const puzzle& what) {
  if (!what.kernel_takes.empty()) return std::string(what.kernel_takes);
  return fmt::format("float* output, const float* input, int size{}", what.documented_pivot ? ", float pivot" : "");
}

plan plan_in_blocks(std::size_t size, std::uint32_t threads, std::size_t elements) {
  plan made;
  made.output = size;
  made.inputs = {size};
  made.counts = {static_cast<std::int32_t>(size)};
  made.grid = {static_cast<std::uint32_t>(ceil_div(size, elements)), 1};
  made.block = {threads, 1};
  made.element_per_thread = threads == elements;
  return made;
}

plan plan_in_blocks(std::size_t size, std::uint32_t threads) { return plan_in_blocks(size, threads, threads); }

plan plan_of(const puzzle& what, std::size_t size, const parameters& values) {
  if (what.plan_for != nullptr) return what.plan_for(size, values);
  return plan_in_blocks(size, what.threads_of_a_block(values.warp_size));
}

std::optional<plan> plan_in_larger_blocks(const puzzle& what, std::size_t size, const parameters& values,
                                          unsigned max_threads, std::uint64_t seed) {
  constexpr unsigned max_of_a_block = 1024;
  const unsigned max_warps = std::min(max_threads, max_of_a_block) / values.warp_size;
  if (!what.independent_warps || what.plan_for != nullptr || what.block_threads != 0 || max_warps < 2) return {};
  const auto warps = static_cast<unsigned>(1 + seed % max_warps);
  if (warps == 1) return {};
  return plan_in_blocks(size, warps * values.warp_size);
}

}  // namespace warpz
