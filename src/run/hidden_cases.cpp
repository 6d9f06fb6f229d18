// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "run/hidden_cases.hpp"

#include <algorithm>
#include <memory>
#include <set>
#include <string>
#include <utility>

namespace warpz {
namespace {

/// Up to here all smaller sizes are tried for a smaller failure: more than two warps of 64, one of them partial.
constexpr std::size_t max_shrunk = 200;

float negative(std::size_t index) { return -1.0f - static_cast<float>(index % 7); }
float equal(std::size_t) { return 5; }
float opposite(std::size_t index) { return index % 2 == 0 ? -3.0f : 3.0f; }
float zero(std::size_t index) { return index % 3 == 0 ? -0.0f : 0.0f; }

run_request request_for(const hidden_case& one, run_request request) {
  request.size = one.size;
  if (one.seed) {
    request.seed = *one.seed;
    request.input = {input_source::kind::random, std::to_string(*one.seed)};
  }
  if (one.number != nullptr) {
    std::vector<float> numbers(one.size);
    for (std::size_t i = 0; i < numbers.size(); ++i) numbers[i] = one.number(i);
    request.given = std::make_shared<const std::vector<float>>(std::move(numbers));
    request.input = {input_source::kind::file, "-"};
  }
  request.schedules.clear();
  if (one.is_reordered) request.schedules = {1, 2};
  return request;
}

}  // namespace

std::vector<hidden_case> hidden_cases(const puzzle& task, unsigned warp_size) {
  const std::size_t warp = warp_size;
  const std::size_t block = task.threads_of_a_block(warp_size);
  const std::set<std::size_t> sizes{1,         2,         warp - 1,  warp,          warp + 1, 2 * warp + 5,
                                    block - 1, block + 1, 2 * block, 3 * block + 7, 100};
  // What a puzzle shows on purpose takes as many elements as are documented, and numbers that show it.
  const bool shows_finding = task.expected_finding != 0;
  const std::size_t least = shows_finding ? task.size_for(warp_size) : 1;
  std::vector<hidden_case> cases;
  for (const std::size_t size : sizes) {
    if (size >= least) cases.push_back({size});
  }
  for (const std::size_t size : {warp + 1, 3 * block + 7}) {
    if (size < least) continue;
    if (!shows_finding) {
      for (const auto number : {negative, equal, opposite, zero}) cases.push_back({size, {}, number});
    }
    for (const std::uint64_t seed : {1, 2}) cases.push_back({size, seed});
  }
  cases.push_back({.size = std::max(3 * block + 7, least), .seed = 3, .is_reordered = true});
  return cases;
}

std::optional<puzzle_outcome> smallest_failure(runner& hidden, const puzzle& task, const run_request& request,
                                               unsigned warp_size, const std::function<void()>& on_case) {
  const auto failure_of = [&](const hidden_case& one) -> std::optional<puzzle_outcome> {
    on_case();
    puzzle_outcome outcome = hidden.run(task, request_for(one, request));
    if (outcome.result == verdict::passed) return {};
    outcome.is_hidden_case = true;
    return outcome;
  };
  for (const hidden_case& one : hidden_cases(task, warp_size)) {
    std::optional<puzzle_outcome> found = failure_of(one);
    if (!found) continue;
    hidden_case smaller = one;
    const std::size_t end = std::min(one.size, max_shrunk);
    for (smaller.size = task.expected_finding != 0 ? end : 1; smaller.size < end; ++smaller.size) {
      if (std::optional<puzzle_outcome> shrunk = failure_of(smaller)) return shrunk;
    }
    // Once more, as other runs have been in its buffers since.
    return one.size == 1 ? std::move(found) : failure_of(one);
  }
  return {};
}

}  // namespace warpz
