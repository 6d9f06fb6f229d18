// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What --help, --list and --version print. That the README says the same is tested on the program.
#include "cli/help.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <sstream>

#include "cli/option_table.hpp"
#include "error.hpp"

namespace {

using namespace warpz;

std::vector<std::string> lines(const std::string& text) {
  std::vector<std::string> all;
  std::istringstream stream(text);
  for (std::string line; std::getline(stream, line);) all.push_back(line);
  return all;
}

// With line breaks and indentation as single blanks.
std::string unwrapped(const std::string& text) {
  std::istringstream stream(text);
  std::string flat;
  for (std::string word; stream >> word;) flat += word + " ";
  return flat;
}

TEST(help, fits_80_columns_and_ends_its_lines) {
  const std::string text = *help_on_options("options");
  for (const std::string& line : lines(text)) {
    EXPECT_LE(line.size(), 80u) << line;
    EXPECT_FALSE(line.ends_with(' ')) << line;
  }
  EXPECT_TRUE(text.ends_with('\n'));
  EXPECT_FALSE(text.ends_with("\n\n"));
}

TEST(help, begins_with_one_line_that_says_what_it_is_and_the_usage) {
  const auto all = lines(help_text());
  EXPECT_TRUE(all.at(0).starts_with("warpz "));
  EXPECT_EQ(all.at(1), "");
  EXPECT_TRUE(all.at(2).starts_with("Usage: warpz "));
}

TEST(help, has_every_option_with_its_text_and_default_in_its_group) {
  const std::string flat = unwrapped(*help_on_options("options"));
  for (const option_row& row : option_table()) {
    std::string entry = " --" + std::string(row.name);
    if (!row.takes.empty()) entry += " " + std::string(row.takes);
    entry += " " + std::string(row.help) + " ";
    if (!row.without.empty()) entry += "[default: " + std::string(row.without) + "] ";
    const std::size_t place = flat.find(entry);
    ASSERT_NE(place, std::string::npos) << entry;
    EXPECT_EQ(flat.find(entry, place + 1), std::string::npos) << "twice: " << entry;
    EXPECT_GT(place, flat.find(std::string(title(row.group)) + ":")) << entry;
  }
  EXPECT_NE(flat.find(" -h, --help print"), std::string::npos);
}

TEST(help, is_a_screen_of_lines_without_a_topic) {
  EXPECT_LE(lines(help_text()).size(), 24u);
  for (const std::string& line : lines(help_text())) EXPECT_LE(line.size(), 80u) << line;
}

TEST(help, has_each_group_by_itself) {
  std::size_t count = 0;
  for (const std::string_view topic : {"puzzles", "data", "device", "kernels", "trace", "output", "information"}) {
    const auto text = help_on_options(topic);
    ASSERT_TRUE(text) << topic;
    EXPECT_NE(help_on_options("options")->find(*text), std::string::npos) << topic;
    count += static_cast<std::size_t>(std::count(text->begin(), text->end(), '\n'));
  }
  EXPECT_GT(count, 150u);
  EXPECT_EQ(help_on_options("trac"), std::nullopt);
}

TEST(help, has_every_exit_code) {
  const std::string text = *help_on_options("options");
  for (const exit_code code : {exit_code::passed, exit_code::wrong_result, exit_code::bad_input, exit_code::broken_rule,
                               exit_code::no_device, exit_code::does_not_compile})
    EXPECT_NE(text.find("\n  " + std::to_string(static_cast<int>(code)) + "  "), std::string::npos);
}

TEST(list, has_flag_title_and_kernel_of_each_puzzle_in_80_columns) {
  const auto all = lines(list_text());
  const std::string flat = unwrapped(list_text());
  const std::size_t title = all[0].find(puzzles()[0]->title);
  std::size_t flags = 0;
  for (const std::string& line : all) {
    EXPECT_LE(line.size(), 80u) << line;
    EXPECT_FALSE(line.ends_with(' ')) << line;
    flags += line.starts_with("--") ? 1 : 0;
  }
  EXPECT_EQ(flags, puzzles().size());
  for (const puzzle* one : puzzles()) {
    const auto line = std::find_if(all.begin(), all.end(), [one](const std::string& each) {
      return each.starts_with("--" + std::string(one->flag) + "  ");
    });
    ASSERT_NE(line, all.end()) << one->flag;
    EXPECT_EQ(line->substr(title), one->title);
    const std::string usual = one->documented_pivot ? "float* output, const float* input, int size, float pivot"
                                                    : "float* output, const float* input, int size";
    const std::string takes = one->kernel_takes.empty() ? usual : std::string(one->kernel_takes);
    EXPECT_NE(flat.find(" " + std::string(one->title) + " " + std::string(one->kernel) + "(" + takes + ") "),
              std::string::npos)
        << one->flag;
  }
}

TEST(version, names_program_version_and_compiler) {
  const auto all = lines(version_text());
  ASSERT_EQ(all.size(), 2u);
  EXPECT_EQ(all[0], "warpz " WARPZ_VERSION);
#ifdef __clang__
  EXPECT_EQ(all[1], "built by Clang " __clang_version__);
#else
  EXPECT_EQ(all[1], "built by GCC " __VERSION__);
#endif
}

}  // namespace
