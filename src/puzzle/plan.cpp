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

std::string signature_of(const puzzle& task) {
  if (!task.kernel_takes.empty()) return std::string(task.kernel_takes);
  return fmt::format("float* output, const float* input, int size{}", task.documented_pivot ? ", float pivot" : "");
}

std::optional<std::uint64_t> plan::block_of(std::size_t element) const {
  const std::uint64_t blocks = std::uint64_t{grid[0]} * grid[1];
  if (elements_per_thread != 0) return element / elements_per_thread / block[0];
  if (blocks == 1) return 0;
  if (row != 0) return element / row / block[1] * grid[0] + element % row / block[0];
  return output == blocks ? std::optional(element) : std::nullopt;
}

plan plan_in_blocks(std::size_t size, std::uint32_t threads, std::size_t elements) {
  plan result;
  result.output = size;
  result.inputs = {size};
  result.counts = {static_cast<std::int32_t>(size)};
  result.grid = {static_cast<std::uint32_t>(ceil_div(size, elements)), 1};
  result.block = {threads, 1};
  result.elements_per_thread = threads == elements ? 1 : 0;
  return result;
}

plan plan_in_blocks(std::size_t size, std::uint32_t threads) { return plan_in_blocks(size, threads, threads); }

namespace {

/// Gives each thread as many elements as the puzzle says.
plan plan_with_threads(const puzzle& task, std::size_t size, std::uint32_t threads) {
  plan result = plan_in_blocks(size, threads, std::size_t{threads} * task.elements_per_thread);
  result.elements_per_thread = task.elements_per_thread;
  return result;
}

}  // namespace

plan plan_of(const puzzle& task, std::size_t size, const parameters& values) {
  if (task.plan_for != nullptr) return task.plan_for(size, values);
  return plan_with_threads(task, size, task.threads_of_a_block(values.warp_size));
}

plan tuned_plan(std::size_t size) {
  constexpr std::uint32_t threads = 256;
  constexpr std::size_t elements_per_thread = 4;
  return plan_in_blocks(size, threads, threads * elements_per_thread);
}

std::optional<plan> plan_in_larger_blocks(const puzzle& task, std::size_t size, const parameters& values,
                                          unsigned allowed_threads, std::uint64_t seed) {
  constexpr unsigned max_of_a_block = 1024;
  const unsigned max_warps = std::min(allowed_threads, max_of_a_block) / values.warp_size;
  if (!task.independent_warps || task.plan_for != nullptr || task.block_threads != 0 || max_warps < 2) return {};
  const auto warps = static_cast<unsigned>(1 + seed % max_warps);
  if (warps == 1) return {};
  return plan_with_threads(task, size, warps * values.warp_size);
}

plan plan_in_few_blocks(std::size_t size, std::uint32_t threads, std::uint32_t blocks, std::size_t state) {
  plan result = plan_in_blocks(size, threads);
  result.grid[0] = blocks;
  result.state = state;
  result.elements_per_thread = 0;
  return result;
}

}  // namespace warpz
