// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The table of options as a whole: its rows, any words at all, and the words of a program.
#include "cli/option_table.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>

#include "host/error_support.hpp"
#include "host/options_support.hpp"
#include "text/printable.hpp"

namespace {

using namespace warpz;
using error_support::complaint;
using namespace options_support;

TEST(option_table, a_program_has_files_flags_and_arguments) {
  using words = std::vector<std::string>;
  const options asked =
      typed("--warp-size 64 --run a.hip b.hip --check off --cxxflags -O3 --param c -- -x --cxxflags --");
  EXPECT_EQ(asked.action, action::program);
  EXPECT_EQ(asked.program.files, (words{"a.hip", "b.hip"}));
  EXPECT_EQ(asked.program.flags, (words{"-O3", "--param", "c"}));
  EXPECT_EQ(asked.program.arguments, (words{"-x", "--cxxflags", "--"}));
  EXPECT_EQ(asked.machine.settings.check, WARPZ_CHECK_OFF);
  EXPECT_EQ(asked.device.warp_size, 64u);
  EXPECT_EQ(typed("--run=a.hip b.hip").program.files, (words{"a.hip", "b.hip"}));
  EXPECT_EQ(typed("--run a.hip --").program.arguments, words{});
  EXPECT_TRUE(typed("--run a.hip --warp-size both").device.both_warp_sizes);
  EXPECT_EQ(typed("--run a.hip b.hip --version").action, action::version);

  const options checked = typed(
      "--run a.hip --rules amd --findings-limit 3 --suppress known.txt --sarif out.sarif --schedules 4 --schedule-seed "
      "5 "
      "--memory-limit 6");
  EXPECT_EQ(checked.machine.settings.rules, WARPZ_RULES_AMD);
  EXPECT_EQ(checked.findings.limit, 3u);
  EXPECT_EQ(checked.findings.suppress, "known.txt");
  EXPECT_EQ(checked.output.sarif, "out.sarif");
  EXPECT_EQ(checked.machine.schedules, 4u);
  EXPECT_EQ(checked.machine.schedule_seed, 5u);
  EXPECT_EQ(checked.machine.limits.memory_bytes, std::uint64_t{6} << 20);
  for (const std::string written : {"sarif", "junit", "baseline"}) {
    EXPECT_EQ(refused("--run a.hip --output a --" + written + " file"),
              "--" + written +
                  " does nothing with --output: the program is not run | Give it with --run of the file that --output "
                  "writes.");
  }

  EXPECT_EQ(refused("--run"), "--run needs a value: FILE...");
  EXPECT_EQ(refused("--run --cxxflags --run="),
            "--run needs a value: FILE...; the next word, --cxxflags, is an option | A file named --cxxflags is "
            "./--cxxflags");
  EXPECT_EQ(typed("--run a.hip --cxxflags --help=a -DX=1").program.flags, (words{"--help=a", "-DX=1"}));
  EXPECT_EQ(refused("--run --check off"),
            "--run needs a value: FILE...; the next word, --check, is an option | A file named --check is ./--check");
  EXPECT_EQ(refused("--run a.hip --check off b.hip"), "unexpected word 'b.hip' | warpz --help shows the options.");
  EXPECT_EQ(refused("--run a.hip --size 4"), "--size does nothing with --run");
  EXPECT_EQ(refused("--run a.hip --cxxflags"), "--cxxflags needs a value: FLAG...");
  EXPECT_EQ(refused("--neighbor --cxxflags -O3"), "--cxxflags works only with --run FILE");
  EXPECT_EQ(refused("--neighbor --run a.hip"), "--neighbor and --run cannot be combined");
  EXPECT_EQ(complaint([] { parsed({"--run", "a.hip", ""}); }), "--run is given an empty file name");
}

TEST(option_table, no_two_rows_are_spelled_alike_and_each_names_only_rows) {
  std::vector<std::string_view> all, others;
  for (const option_row& row : option_table()) {
    all.push_back(row.name);
    EXPECT_FALSE(row.help.empty()) << row.name;
    EXPECT_EQ(row.takes.empty(), row.kind == value_kind::none) << row.name;
    EXPECT_TRUE(row.starts || row.used_by != 0) << row.name;
    for (const auto column : {row.excludes, row.does_nothing_with})
      for (const conflict& each : column) others.push_back(each.option);
    for (const std::string_view each : split_at_bars(row.needs)) others.push_back(each);
    EXPECT_TRUE(row.starts || row.store != nullptr) << row.name;
  }
  std::sort(all.begin(), all.end());
  EXPECT_EQ(std::adjacent_find(all.begin(), all.end()), all.end());
  for (const std::string_view each : others) EXPECT_TRUE(std::binary_search(all.begin(), all.end(), each)) << each;
}

// Whatever is typed, it is understood or refused in our own words.
TEST(option_table, any_words_at_all) {
  std::vector<std::string> parts = {"--",    "-",      "",      "=",   "-h",   "5",  "-1",   "0",  "nan",
                                    "abc",   "\xff\n", "{}",    "[1]", "--=x", "++", "-5",   "/h", "%x",
                                    "--no-", "--a.b",  "'",     "\t",  "auto", "64", "json", ".",  "--all",
                                    "bash",  "1e99",   "x.npy", "!",   ":",    "-hh"};
  for (const option_row& row : option_table()) {
    parts.push_back("--" + std::string(row.name));
    for (const std::string_view choice : choices(row)) parts.emplace_back(choice);
  }
  std::mt19937 random(20240229);
  const auto below = [&](std::size_t end) { return std::uniform_int_distribution<std::size_t>(0, end - 1)(random); };
  std::size_t understood = 0;
  // With a table of so many options a round takes a sanitizer milliseconds.
  const int rounds = address_sanitized ? 300 : 2'000;
  for (int round = 0; round < rounds; ++round) {
    std::vector<std::string> words(below(7));
    for (std::string& word : words) {
      for (std::size_t piece = below(8) == 0 ? 2 : 1; piece > 0; --piece) word += parts[below(parts.size())];
      if (below(6) == 0) word += "=" + parts[below(parts.size())];
      if (below(10) == 0 && !word.empty()) word[below(word.size())] = static_cast<char>(1 + below(255));
    }
    try {
      const options asked = parsed(words);
      ++understood;
      // Puzzles of one's own are loaded before the options are read: here, none are.
      const bool may_have_none = asked.kernel.puzzles.has_value();
      EXPECT_TRUE((asked.action != action::run && asked.action != action::benchmark) || !asked.puzzles.empty() ||
                  may_have_none)
          << testing::PrintToString(words);
      EXPECT_GE(asked.data.size.value_or(1), 1u);
      EXPECT_FALSE(std::isnan(asked.data.pivot.value_or(0)));
      EXPECT_TRUE(asked.machine.settings.timeout_seconds > 0 || asked.kernel.debugger);
    } catch (const error& problem) {
      const std::string text = std::string(problem.what()) + problem.advice();
      EXPECT_EQ(problem.code(), exit_code::bad_input);
      EXPECT_EQ(text, printable(text)) << "fit for a terminal";
      EXPECT_FALSE(std::string_view(problem.what()).empty());
    }
  }
  EXPECT_GT(understood, static_cast<std::size_t>(rounds) / 40);
}

}  // namespace
