// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "run/hidden_cases.hpp"

#include <algorithm>
#include <limits>
#include <set>
#include <utility>

#include "puzzle/patterns.hpp"

namespace warpz {
namespace {

/// All sizes up to this are tried for a smaller failure: it is more than two warps of 64 and a partial one.
constexpr std::size_t max_shrunk = 200;

constexpr float infinity = std::numeric_limits<float>::infinity();
/// Pivots below, above and among the random numbers, and equal to some of them.
constexpr float pivots[] = {0, -12.25F, 63, -infinity, infinity};

/// Sides of 1, shorter than a tile, about as long, and of several tiles.
constexpr matrix_shape shapes[] = {{1, 1, 1},    {1, 2, 3},   {3, 2, 1},    {5, 1, 17},  {16, 16, 16},
                                   {15, 17, 16}, {17, 33, 5}, {33, 17, 50}, {48, 32, 64}};

input_source random_numbers(std::uint64_t seed) { return {input_source::kind::random, std::to_string(seed)}; }

/// The cases of one puzzle with one warp size.
class case_list {
 public:
  case_list(const puzzle& task, unsigned warp_size)
      : task_(task), warp_(warp_size), block_(task.elements_of_a_block(warp_size)) {}

  std::vector<hidden_case> all() {
    if (task_.has_one_input) return {{}, {.launches = 2}, {.is_reordered = true}};
    if (!task_.documented_shape) {
      add_sizes();
      add_patterns();
    }
    // The documented case, which may have other numbers or blocks with the other warp size.
    add({});
    add_random();
    for (const float pivot : pivots) {
      if (task_.documented_pivot) add({.size = 2 * block_ + 7, .input = random_numbers(5), .seed = 5, .pivot = pivot});
    }
    add_shapes();
    const std::size_t many = task_.tile != 0 ? 3 * task_.tile : many_blocks * block_;
    if (!task_.documented_shape && takes_tiles(0)) add({.size = many + 7, .input = random_numbers(6), .seed = 6});
    // What the first launch leaves in the kernel's variables, the second one finds there.
    add({.size = 3 * block_ + 7, .input = random_numbers(9), .seed = 9, .launches = 2});
    add({.size = 3 * block_ + 7, .input = random_numbers(7), .seed = 7, .is_reordered = true});
    return std::move(cases_);
  }

 private:
  static constexpr std::size_t many_blocks = 40;

  /// A puzzle that shows a finding on purpose needs the documented number of elements at least, and numbers that show
  /// it.
  bool shows_finding() const { return task_.expected_finding != 0; }

  void add(hidden_case one) {
    if (one.size != 0 && shows_finding()) one.size = std::max(one.size, task_.size_for(warp_));
    cases_.push_back(std::move(one));
  }

  void add_sizes() {
    std::set<std::size_t> sizes{1, 2, 31, 32, 33, 63, 64, 65, 100, std::size_t{2} * warp_ + 5};
    sizes.insert({block_ - 1, block_, block_ + 1, 2 * block_, 3 * block_ + 7});
    std::size_t number = 0;
    for (const std::size_t size : {task_.tile - 1, task_.tile, task_.tile + 1}) {
      if (task_.tile != 0 && takes_tiles(number++)) sizes.insert(size);
    }
    for (const std::size_t size : sizes) {
      if (!shows_finding() || size >= task_.size_for(warp_)) add({.size = size});
    }
  }

  /// More elements than a block works on at once, and the last of them in a block with an even number: patterns may
  /// have other numbers there than in one with an odd number, such as that of the smaller size.
  std::size_t several_tiles() const {
    const std::size_t size = (task_.tile != 0 ? task_.tile : std::max(2 * block_, task_.size_for(warp_))) + 7;
    return (size - 1) / block_ % 2 == 0 ? size : size + block_;
  }

  /// Tiles take much longer than single elements of threads: with either warp size, every other size or pattern is
  /// tried on them.
  bool takes_tiles(std::size_t number) const { return task_.tile == 0 || (number % 2 != 0) == (warp_ > 32); }

  void add_patterns() {
    std::size_t number = 0;
    for (const pattern& each : patterns()) {
      const bool has_negative = each.name == "negative" || each.name == "opposite" || each.name == "zeros";
      if ((each.fits != nullptr && !each.fits(task_)) || (shows_finding() && !has_negative)) continue;
      const input_source input{input_source::kind::pattern, std::string(each.name)};
      add({.size = block_ + 7, .input = input});
      if (takes_tiles(number++)) add({.size = several_tiles(), .input = input});
    }
  }

  void add_random() {
    for (const std::uint64_t seed : {1, 2}) {
      add({.size = seed == 1 ? std::size_t{warp_} + 1 : 3 * block_ + 7, .input = random_numbers(seed), .seed = seed});
    }
  }

  void add_shapes() {
    if (!task_.documented_shape) return;
    for (const matrix_shape& each : shapes) {
      add({.shape = each});
      add({.input = random_numbers(8), .seed = 8, .shape = each});
    }
  }

  const puzzle& task_;
  const unsigned warp_;
  const std::size_t block_;  ///< elements
  std::vector<hidden_case> cases_;
};

run_request request_for(const hidden_case& one, const hidden_runs& runs, const run_request& base) {
  run_request request = request_for(one, base);
  if (one.is_reordered) {
    request.schedules = {1, 2};
    request.seeks_undefined |= runs.seeks_undefined;
  }
  return request;
}

/// Any run may take too long while the machine is busy.
bool ran_too_long(const puzzle_outcome& outcome) {
  return !outcome.findings.empty() && outcome.findings.back().record.kind == WARPZ_NO_PROGRESS;
}

run_request limited_to(double seconds, run_request request) {
  warpz_settings& settings = request.settings;
  for (double* const limit : {&settings.timeout_seconds, &settings.time_limit_seconds}) {
    *limit = *limit == 0 ? seconds : std::min(*limit, seconds);
  }
  return request;
}

/// This case with fewer elements, the smallest first.
std::vector<hidden_case> smaller_cases(const hidden_case& one, const puzzle& task) {
  std::vector<hidden_case> smaller;
  if (one.shape) {
    const std::uint32_t most = std::max({one.shape->m, one.shape->n, one.shape->k});
    for (std::uint32_t side = 1; side < most; ++side) {
      const matrix_shape cut{std::min(one.shape->m, side), std::min(one.shape->n, side), std::min(one.shape->k, side)};
      smaller.push_back(one);
      smaller.back().shape = cut;
    }
    return smaller;
  }
  const std::size_t end = std::min(one.size, max_shrunk);
  for (std::size_t size = task.expected_finding != 0 ? end : 1; size < end; ++size) {
    smaller.push_back(one);
    smaller.back().size = size;
  }
  return smaller;
}

}  // namespace

run_request request_for(const hidden_case& one, run_request request) {
  request.size = one.size == 0 ? std::nullopt : std::optional(one.size);
  request.input = one.input;
  request.seed = one.seed;
  request.pivot = one.pivot;
  request.shape = one.shape;
  request.launches = one.launches;
  request.schedules.clear();
  return request;
}

std::vector<hidden_case> hidden_cases(const puzzle& task, unsigned warp_size) {
  return case_list(task, warp_size).all();
}

std::optional<puzzle_outcome> case_runner::failure_of(const hidden_case& one) {
  const run_request asked = request_for(one, runs_, request_);
  puzzle_outcome outcome = run_puzzle(task_, limited_to(runs_.seconds, asked), on_).outcome;
  if (ran_too_long(outcome) && !runs_.is_endless) {
    outcome = run_puzzle(task_, limited_to(4 * runs_.seconds, asked), on_).outcome;
    runs_.is_endless = ran_too_long(outcome);
  }
  if (outcome.result == verdict::passed) return {};
  outcome.judged = case_kind::hidden;
  return outcome;
}

puzzle_outcome case_runner::smallest_failure(const hidden_case& one, puzzle_outcome found) {
  for (const hidden_case& each : smaller_cases(one, task_)) {
    if (std::optional<puzzle_outcome> smaller = failure_of(each)) return std::move(*smaller);
  }
  return found;
}

}  // namespace warpz
