// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// How long the host takes for its part of a large run, of each puzzle: `bench_references [LOG2_OF_SIZE [PUZZLE...]]`.
// Seconds by the clock and, behind a slash, of all cores together.
#include <fmt/format.h>
#include <time.h>

#include <algorithm>
#include <charconv>
#include <chrono>
#include <cmath>
#include <cstring>
#include <functional>
#include <limits>
#include <numeric>
#include <string>
#include <thread>
#include <vector>

#include "puzzle/comparison.hpp"
#include "puzzle/patterns.hpp"
#include "puzzle/puzzle.hpp"
#include "puzzle/random.hpp"

namespace {

using namespace warpz;

double seconds_of_all_cores() {
  timespec time{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
  return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_nsec) / 1e9;
}

std::string timed(const std::function<void()>& work) {
  const auto begin = std::chrono::steady_clock::now();
  const double cores_begin = seconds_of_all_cores();
  work();
  const std::chrono::duration<double> taken = std::chrono::steady_clock::now() - begin;
  return fmt::format("{:.2f} / {:.2f}", taken.count(), seconds_of_all_cores() - cores_begin);
}

void print_row(const puzzle& task, std::size_t size) {
  parameters values;
  values.pivot = task.documented_pivot.value_or(0);
  const plan launched = plan_of(task, size, values);
  std::vector<float> x(std::accumulate(launched.inputs.begin(), launched.inputs.end(), std::size_t{0}));
  std::vector<float> expected(launched.output);
  const std::span<float> numbers = std::span(x).first(size);
  const std::string documented = timed([&] { task.documented_input(numbers, values.warp_size); });
  const std::string random = timed([&] { fill_random(numbers, 1); });
  const std::string of_random = timed([&] { task.reference(x, expected, values); });
  std::vector<float> output = expected;
  const std::string equal = timed([&] {
    if (compare(task, x, output, expected, values).mismatch_count != 0)
      throw std::logic_error("it differs from itself");
  });
  // Sums of these round, so that each element may be the next number.
  const std::string pattern = timed([&] { find_pattern("thirds").fill(numbers, task, values); });
  const std::string of_pattern = timed([&] { task.reference(x, expected, values); });
  std::string near = "-";
  if (task.magnitudes != nullptr) {
    for (std::size_t i = 0; i < output.size(); ++i)
      output[i] = std::nextafter(expected[i], std::numeric_limits<float>::infinity());
    near = timed([&] {
      const comparison found = compare(task, x, output, expected, values);
      if (found.mismatch_count > output.size() / 2) throw std::logic_error("what is near is far");
    });
  }
  fmt::print("| {} | {} | {} | {} | {} | {} | {} | {} |\n", task.flag, documented, random, pattern, of_random,
             of_pattern, equal, near);
  std::fflush(stdout);
}

}  // namespace

int main(int count, char** words) {
  unsigned log2_of_size = 28;
  if (count > 1) std::from_chars(words[1], words[1] + std::strlen(words[1]), log2_of_size);
  fmt::print("2^{} numbers, {} cores\n\n", log2_of_size, std::thread::hardware_concurrency());
  fmt::print(
      "| puzzle | documented input | random | thirds | reference, random | reference, thirds | comparison, equal | "
      "comparison, near |\n| --- | --- | --- | --- | --- | --- | --- | --- |\n");
  for (const puzzle* const task : puzzles()) {
    // Its work grows faster than its input.
    if (task->documented_shape) continue;
    const bool is_wanted =
        count < 3 || std::any_of(words + 2, words + count, [&](const char* word) { return task->flag == word; });
    if (is_wanted) print_row(*task, std::size_t{1} << log2_of_size);
  }
  return 0;
}
