// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The puzzles' host references on cases worked out by hand and by what must hold for any data; and that each puzzle is
// complete and agrees with itself. The documented outputs themselves are tests/models's business.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <numeric>
#include <set>
#include <string>
#include <vector>

#include "puzzle/comparison.hpp"
#include "puzzle/puzzle.hpp"
#include "reference_support.hpp"

namespace {

namespace fs = std::filesystem;
using namespace reference_support;
using warpz::puzzle;

const fs::path source = WARPZ_SOURCE_DIR;

TEST(reference, neighbor) {
  EXPECT_EQ(expected("neighbor", {4}), (list{0}));
  EXPECT_EQ(expected("neighbor", {1, 4, -9, -9.5f}), (list{3, -13, -0.5f, 0}));
  const list two = expected("neighbor", in_two_warps({}, {7, 5}));
  EXPECT_EQ(slice(two, 30, 34), (list{0, 0, -2, 0}));
  EXPECT_EQ(slice(expected("neighbor", in_two_warps({}, {7, 5}), 64), 30, 34), (list{0, 7, -2, 0}));
}

TEST(reference, average) {
  EXPECT_EQ(expected("average", {4}), (list{4}));
  EXPECT_EQ(expected("average", {4, 5}), (list{4.5f, 5}));
  EXPECT_EQ(expected("average", {3, -6, 9, 1}), (list{2, 4.0f / 3, 5, 1}));
  const list x = in_two_warps({}, {6, 3, 3});
  EXPECT_EQ(slice(expected("average", x), 29, 35), (list{0, 0, 0, 4, 3, 3}));
  EXPECT_EQ(slice(expected("average", x, 64), 29, 35), (list{0, 2, 3, 4, 3, 3}));
}

TEST(reference, average_adds_from_the_left) {
  EXPECT_EQ(expected("average", {1e8f, -1e8f, 3})[0], 1);
  EXPECT_EQ(expected("average", {3, 1e8f, -1e8f})[0], 0);
}

TEST(reference, broadcast_basic) {
  EXPECT_EQ(expected("broadcast-basic", {2}), (list{4}));
  EXPECT_EQ(expected("broadcast-basic", {1, 2, 3}), (list{7, 8, 9}));
  EXPECT_EQ(expected("broadcast-basic", {1, 2, 3, 4, 100, -10}), (list{11, 12, 13, 14, 110, 0}));
  const list x = in_two_warps({1, 1, 1, 1}, {5, 6});
  EXPECT_EQ(slice(expected("broadcast-basic", x), 30, 34), (list{4, 4, 16, 17}));
  EXPECT_EQ(slice(expected("broadcast-basic", x, 64), 30, 34), (list{4, 4, 9, 10}));
}

TEST(reference, broadcast_conditional) {
  EXPECT_EQ(expected("broadcast-conditional", {3}), (list{6}));
  EXPECT_EQ(expected("broadcast-conditional", {4, 8, 3.5f, -8}), (list{8, 16, 1.75f, -4}));
  // The greatest, -2, is below its own half, -1: nothing reaches it but what is not negative.
  EXPECT_EQ(expected("broadcast-conditional", {-2, -4, -6}), (list{-1, -2, -3}));
  EXPECT_EQ(expected("broadcast-conditional", {1, 1, 1, 1, 1, 1, 1, 2, 100, 0.5f}),
            (list{2, 2, 2, 2, 2, 2, 2, 4, 200, 0.25f}));
  const list x = in_two_warps({100}, {1, 2});
  EXPECT_EQ(slice(expected("broadcast-conditional", x), 32, 34), (list{2, 4}));
  EXPECT_EQ(slice(expected("broadcast-conditional", x, 64), 32, 34), (list{0.5f, 1}));
}

TEST(reference, broadcast_shuffle_coordination) {
  EXPECT_EQ(expected("broadcast-shuffle-coordination", {8}), (list{16}));
  EXPECT_EQ(expected("broadcast-shuffle-coordination", {2, 4, 6}), (list{18, 30, 18}));
  EXPECT_EQ(expected("broadcast-shuffle-coordination", {2, 4, 6, 8, -1}), (list{30, 50, 70, 35, -5}));
  const list x = in_two_warps({4}, {8, 12});
  EXPECT_EQ(slice(expected("broadcast-shuffle-coordination", x), 30, 34), (list{0, 0, 100, 60}));
  EXPECT_EQ(slice(expected("broadcast-shuffle-coordination", x, 64), 30, 34), (list{0, 8, 20, 12}));
}

TEST(reference, pair_swap) {
  EXPECT_EQ(expected("pair-swap", {1}), (list{1}));
  EXPECT_EQ(expected("pair-swap", {1, 2}), (list{2, 1}));
  EXPECT_EQ(expected("pair-swap", {1, -2, 3, 4, 5}), (list{-2, 1, 4, 3, 5}));
}

TEST(reference, parallel_max) {
  EXPECT_EQ(expected("parallel-max", {-4}), (list{-4}));
  EXPECT_EQ(expected("parallel-max", {-4, -2, -3}), (list{-2, -2, -2}));
  EXPECT_EQ(expected("parallel-max", {not_a_number, -2, not_a_number}), (list{-2, -2, -2}));
  EXPECT_TRUE(std::isnan(expected("parallel-max", {not_a_number, not_a_number})[1]));
  const list x = in_two_warps({9}, {1, 2});
  EXPECT_EQ(slice(expected("parallel-max", x), 31, 34), (list{9, 2, 2}));
  EXPECT_EQ(slice(expected("parallel-max", x, 64), 31, 34), (list{9, 9, 9}));
}

TEST(reference, conditional_max) {
  EXPECT_EQ(expected("conditional-max", {7}), (list{7}));
  EXPECT_EQ(expected("conditional-max", {7, -1, 8}), (list{8, -1, 8}));
  EXPECT_EQ(expected("conditional-max", {not_a_number, 3, -infinity, not_a_number}),
            (list{3, -infinity, 3, -infinity}));
  const list x = in_two_warps({9, -9}, {1, 2});
  EXPECT_EQ(slice(expected("conditional-max", x), 30, 34), (list{9, -9, 2, 1}));
  EXPECT_EQ(slice(expected("conditional-max", x, 64), 30, 34), (list{9, -9, 9, -9}));
}

TEST(reference, prefix_sum) {
  EXPECT_EQ(expected("prefix-sum", {7}), (list{7}));
  EXPECT_EQ(expected("prefix-sum", {3, -1, 4}), (list{3, 2, 6}));
  const list x = in_two_warps({1, 1}, {5, 6});
  EXPECT_EQ(slice(expected("prefix-sum", x), 31, 34), (list{2, 5, 11}));
  EXPECT_EQ(slice(expected("prefix-sum", x, 64), 31, 34), (list{2, 7, 13}));
}

TEST(reference, partition) {
  EXPECT_EQ(expected("partition", {7}), (list{7}));
  EXPECT_EQ(expected("partition", {7, 1}), (list{1, 7}));
  EXPECT_EQ(expected("partition", {9, 5, 4.5f, 6, -1, 5, 4}), (list{4.5f, -1, 4, 9, 5, 6, 5}));
  EXPECT_EQ(expected("partition", {3, 2, 1}, 32, 2), (list{1, 3, 2}));
  const list x = in_two_warps({8}, {6, 1});
  EXPECT_EQ(slice(expected("partition", x), 30, 34), (list{0, 8, 1, 6}));
  EXPECT_EQ(slice(expected("partition", x, 64), 30, 34), (list{0, 1, 8, 6}));
}

// What holds for any data. The random numbers are such that sums are exact.

TEST(property, each_warp_depends_on_its_own_elements_only) {
  for (const puzzle* each : warpz::puzzles()) {
    // Where a block has several warps, it is the block's elements; and of a Fourier transform the warp's size matters
    // where elements are missing, too.
    if (each->block_threads != 0 || each->plan_for != nullptr || each->elements_per_thread != 1) continue;
    on_random_data(each->flag, [each](const list& x, const list& out) {
      EXPECT_EQ(expected(each->flag, x, x.size() > 32 ? 64 : 32), out) << each->flag;
    });
  }
}

TEST(property, neighbor_differences_add_up_to_the_elements) {
  on_random_data("neighbor", [](const list& x, const list& out) {
    float element = x[0];
    for (std::size_t i = 1; i < x.size(); ++i) EXPECT_EQ(element += out[i - 1], x[i]);
    EXPECT_EQ(out.back(), 0);
  });
}

TEST(property, averages_lie_between_their_elements) {
  on_random_data("average", [](const list& x, const list& out) {
    for (std::size_t i = 0; i < x.size(); ++i) {
      const auto begin = x.begin() + static_cast<std::ptrdiff_t>(i);
      const auto [least, greatest] = std::minmax_element(begin, begin + std::min<std::ptrdiff_t>(3, x.end() - begin));
      EXPECT_LE(*least, out[i]);
      EXPECT_GE(*greatest, out[i]);
    }
  });
}

TEST(property, basic_broadcast_adds_the_same_to_all) {
  on_random_data("broadcast-basic", [](const list& x, const list& out) {
    const float sum = std::accumulate(x.begin(), x.begin() + std::min<std::ptrdiff_t>(4, std::ssize(x)), 0.0f);
    for (std::size_t i = 0; i < x.size(); ++i) EXPECT_EQ(out[i] - x[i], sum);
  });
}

TEST(property, conditional_broadcast_doubles_the_greater_and_halves_the_lesser) {
  on_random_data("broadcast-conditional", [](const list& x, const list& out) {
    float least_doubled = infinity, greatest_halved = -infinity;
    for (std::size_t i = 0; i < x.size(); ++i) {
      if (x[i] == 0) continue;
      ASSERT_TRUE(out[i] == x[i] * 2 || out[i] == x[i] / 2);
      if (out[i] == x[i] * 2) {
        least_doubled = std::min(least_doubled, x[i]);
      } else {
        greatest_halved = std::max(greatest_halved, x[i]);
      }
    }
    EXPECT_LT(greatest_halved, least_doubled);
  });
}

TEST(property, coordination_grows_with_the_square_of_its_elements) {
  on_random_data("broadcast-shuffle-coordination", [](const list& x, const list& out) {
    list twice = x;
    for (float& element : twice) element *= 2;
    const list of_twice = expected("broadcast-shuffle-coordination", twice, 64);
    for (std::size_t i = 0; i < x.size(); ++i) EXPECT_EQ(of_twice[i], out[i] * 4);
  });
}

TEST(property, swapping_pairs_twice_changes_nothing) {
  on_random_data("pair-swap", [](const list& x, const list& out) {
    EXPECT_EQ(expected("pair-swap", out), x);
    for (std::size_t i = 0; i + 1 < x.size(); i += 2) EXPECT_EQ(out[i], x[i + 1]);
  });
}

TEST(property, the_maximum_is_one_of_the_elements_and_none_is_greater) {
  on_random_data("parallel-max", [](const list& x, const list& out) {
    EXPECT_EQ(out, list(x.size(), out[0]));
    EXPECT_EQ(std::count_if(x.begin(), x.end(), [&](float element) { return element > out[0]; }), 0);
    EXPECT_NE(std::count(x.begin(), x.end(), out[0]), 0);
  });
}

TEST(property, maximum_and_minimum_alternate) {
  on_random_data("conditional-max", [](const list& x, const list& out) {
    const auto [least, greatest] = std::minmax_element(x.begin(), x.end());
    for (std::size_t i = 0; i < x.size(); ++i) EXPECT_EQ(out[i], i % 2 == 0 ? *greatest : *least);
  });
}

TEST(property, differences_of_prefix_sums_are_the_elements) {
  on_random_data("prefix-sum", [](const list& x, const list& out) {
    EXPECT_EQ(out[0], x[0]);
    for (std::size_t i = 1; i < x.size(); ++i) EXPECT_EQ(out[i] - out[i - 1], x[i]);
  });
}

TEST(property, a_partition_is_a_stable_one) {
  on_random_data("partition", [](list x, const list& out) {
    std::stable_partition(x.begin(), x.end(), [](float element) { return element < 5; });
    EXPECT_EQ(out, x);
  });
}

TEST(tolerance, allows_rounding_and_no_more) {
  const puzzle& average = *warpz::find_puzzle("average");
  const list x{1, 2, 6, -1000}, out = expected("average", x);
  EXPECT_DOUBLE_EQ(tolerance_of(average, x, out, 0, {32, 0}), 3e-5);
  EXPECT_DOUBLE_EQ(tolerance_of(average, x, out, 3, {32, 0}), 1e-2);

  const puzzle& scan = *warpz::find_puzzle("prefix-sum");
  list terms(40, 0.0f);
  terms[0] = 100;
  terms[1] = -100;
  terms[32] = 3;
  const list sums = expected("prefix-sum", terms);
  EXPECT_DOUBLE_EQ(tolerance_of(scan, terms, sums, 0, {32, 0}), 1e-3);
  EXPECT_DOUBLE_EQ(tolerance_of(scan, terms, sums, 31, {32, 0}), 2e-3);
  EXPECT_DOUBLE_EQ(tolerance_of(scan, terms, sums, 33, {32, 0}), 3e-5);
  EXPECT_DOUBLE_EQ(tolerance_of(scan, terms, sums, 33, {64, 0}), 2.03e-3);

  const puzzle& scan_before = *warpz::find_puzzle("exclusive-scan");
  const list sums_before = expected("exclusive-scan", terms);
  EXPECT_EQ(tolerance_of(scan_before, terms, sums_before, 0, {32, 0}), 0);
  EXPECT_DOUBLE_EQ(tolerance_of(scan_before, terms, sums_before, 1, {32, 0}), 1e-3);
  EXPECT_EQ(tolerance_of(scan_before, terms, sums_before, 32, {32, 0}), 0);
  EXPECT_DOUBLE_EQ(tolerance_of(scan_before, terms, sums_before, 33, {64, 0}), 2.03e-3);

  const puzzle& sum = *warpz::find_puzzle("warp-sum");
  const list totals = expected("warp-sum", terms);
  EXPECT_DOUBLE_EQ(tolerance_of(sum, terms, totals, 0, {32, 0}), 2e-3);
  EXPECT_DOUBLE_EQ(tolerance_of(sum, terms, totals, 39, {32, 0}), 3e-5);
  EXPECT_DOUBLE_EQ(tolerance_of(sum, terms, totals, 0, {64, 0}), 2.03e-3);
}

// Each puzzle is complete.

std::string contents(const fs::path& file) {
  std::ifstream in(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

TEST(puzzle_folder, there_is_one_for_each_puzzle_and_none_besides) {
  std::set<std::string> folders, flags;
  for (const fs::directory_entry& each : fs::directory_iterator(source / "puzzles")) {
    if (each.is_directory()) folders.insert(each.path().filename().string());
  }
  for (const puzzle* each : warpz::puzzles()) flags.insert(std::string(each->flag));
  EXPECT_EQ(folders, flags);
}

TEST(puzzle_folder, has_both_kernels_under_the_puzzles_name) {
  for (const puzzle* each : warpz::puzzles()) {
    for (const char* const file : {"problem.hip", "solution.hip"}) {
      std::string text = contents(source / "puzzles" / each->flag / file);
      const std::string kernel(each->kernel), unused = "[[maybe_unused]] ";
      for (std::size_t at; (at = text.find(unused)) != text.npos;) text.erase(at, unused.size());
      EXPECT_NE(text.find(" " + kernel + "(" + signature_of(*each) + ") {\n"), std::string::npos)
          << each->flag << "/" << file;
      EXPECT_TRUE(text.ends_with("\nWARPZ_KERNEL(" + kernel + ");\n")) << each->flag << "/" << file;
    }
  }
}

TEST(puzzle_folder, has_a_readme_with_the_flag_the_kernel_and_folded_hints) {
  for (const puzzle* each : warpz::puzzles()) {
    const std::string text = contents(source / "puzzles" / each->flag / "README.md");
    const std::string flag(each->flag), kernel(each->kernel);
    EXPECT_NE(text.find("(`--" + flag + "`)"), std::string::npos) << flag;
    EXPECT_NE(text.find("`" + kernel + "(float*"), std::string::npos) << flag;
    EXPECT_EQ(text.find("The output is compared exactly") != text.npos, each->magnitudes == nullptr) << flag;
    EXPECT_EQ(text.find("thousandth") != text.npos, each->magnitudes != nullptr) << flag;
    EXPECT_EQ(text.find("(`--pattern whole`)") != text.npos, each->magnitudes != nullptr && !each->has_fractions)
        << flag;
    std::size_t hints = 0;
    for (std::size_t at = 0; (at = text.find("<summary>Hint: ", at)) != std::string::npos; ++at) ++hints;
    EXPECT_GE(hints, 2U) << flag;
    EXPECT_NE(contents(source / "puzzles/README.md").find("(" + flag + "/README.md)"), std::string::npos)
        << flag << " is missing in puzzles/README.md";
  }
}

TEST(puzzle_folder, has_expected_outputs_for_both_warp_sizes) {
  for (const puzzle* each : warpz::puzzles()) {
    for (const unsigned warp_size : {32U, 64U}) {
      const std::string text =
          contents(source / "expected" / ("warp" + std::to_string(warp_size)) / (std::string(each->flag) + ".txt"));
      const std::string head = "WARP_SIZE:  " + std::to_string(warp_size) + "\n" + std::string(each->size_label) +
                               ":  " + std::to_string(each->size_for(warp_size)) + "\noutput: ";
      EXPECT_TRUE(text.starts_with(head)) << each->flag;
      EXPECT_TRUE(text.ends_with("\nOK " + std::string(each->title) + " test passed!\n")) << each->flag;
    }
  }
}

TEST(puzzle_definition, is_complete_and_of_its_own) {
  std::set<int> numbers;
  std::set<std::string_view> flags, titles, kernels, summaries;
  int next = 0;
  for (const puzzle* each : warpz::puzzles()) {
    EXPECT_EQ(each->number, ++next) << "numbers are 1, 2, 3, … without a gap";
    EXPECT_TRUE(numbers.insert(each->number).second && flags.insert(each->flag).second &&
                titles.insert(each->title).second && kernels.insert(each->kernel).second &&
                summaries.insert(each->summary).second)
        << each->flag << " repeats another puzzle";
    EXPECT_FALSE(each->flag.empty() || each->title.empty() || each->kernel.empty() || each->summary.empty())
        << each->flag;
    EXPECT_LE(each->summary.size(), 48U) << each->flag;
    EXPECT_EQ(each->flag.find_first_not_of("abcdefghijklmnopqrstuvwxyz0123456789-"), std::string_view::npos)
        << each->flag;
    EXPECT_EQ(warpz::find_puzzle(each->flag), each);
    // Enough where a warp has 32 lanes, and then with 64 as well.
    if (each->plan_for == nullptr) {
      EXPECT_GE(each->documented_blocks * each->elements_of_a_block(32), each->size_for(32)) << each->flag;
    }
    EXPECT_NE(each->documented_input, nullptr) << each->flag;
    EXPECT_NE(each->reference, nullptr) << each->flag;
  }
  EXPECT_EQ(warpz::find_puzzle("no-such-puzzle"), nullptr);
  EXPECT_EQ(warpz::find_puzzle(""), nullptr);
}

TEST(puzzle_definition, has_input_of_any_length) {
  for (const puzzle* each : warpz::puzzles()) {
    for (const std::size_t size : {std::size_t{0}, std::size_t{1}, std::size_t{1000}}) {
      for (const unsigned warp_size : {32U, 64U}) {
        list x(size, not_a_number);
        each->documented_input(x, warp_size);
        EXPECT_TRUE(std::all_of(x.begin(), x.end(), [](float element) { return std::isfinite(element); }))
            << each->flag;
      }
    }
  }
}

}  // namespace
