// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Commands that are words, and puzzles and files without an option.
#include "cli/commands.hpp"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "error.hpp"

namespace {

using namespace warpz;
using word_list = std::vector<std::string>;

std::optional<word_command> parsed(std::vector<const char*> arguments) {
  arguments.insert(arguments.begin(), "warpz");
  return parse_command(static_cast<int>(arguments.size()), arguments.data());
}

word_list bare(std::vector<const char*> arguments) {
  arguments.insert(arguments.begin(), "warpz");
  word_list all = with_bare_words(static_cast<int>(arguments.size()), arguments.data());
  all.erase(all.begin());
  return all;
}

template <class Call>
std::string refused(const Call& call) {
  try {
    call();
  } catch (const error& reason) {
    EXPECT_EQ(reason.code(), exit_code::bad_input);
    return reason.what();
  }
  return "";
}

TEST(commands, take_their_operands_and_options) {
  EXPECT_EQ(parsed({"learn"})->name, "learn");
  EXPECT_EQ(parsed({"learn", "neighbor"})->operands, word_list{"neighbor"});
  EXPECT_TRUE(parsed({"hint", "vote", "--solution"})->solution);
  EXPECT_FALSE(parsed({"hint", "vote"})->solution);
  EXPECT_TRUE(parsed({"reset", "--yes", "vote"})->yes);
  EXPECT_EQ(parsed({"reset", "--yes", "vote"})->operands, word_list{"vote"});
}

TEST(commands, are_none_where_the_first_word_is_another) {
  EXPECT_FALSE(parsed({}));
  EXPECT_FALSE(parsed({"--learn"}));
  EXPECT_FALSE(parsed({"neighbor", "learn"}));
}

TEST(commands, explain_themselves) {
  EXPECT_EQ(parsed({"watch", "--help"})->name, "help");
  EXPECT_EQ(parsed({"watch", "-h"})->operands, word_list{"watch"});
  EXPECT_NE(help_on_command("reset")->find("--yes"), std::string::npos);
  EXPECT_EQ(parsed({"help", "learn"})->name, "help");
  EXPECT_EQ(parsed({"help", "learn"})->operands, word_list{"learn"});
  EXPECT_FALSE(help_on_command("neighbor"));
}

TEST(commands, refuse_what_they_do_not_take) {
  EXPECT_EQ(refused([] { parsed({"learn", "a", "b"}); }), "warpz learn takes no 'b'");
  EXPECT_EQ(refused([] { parsed({"hint", "--all"}); }), "warpz hint takes no '--all'");
  EXPECT_EQ(refused([] { parsed({"status", "--yes"}); }), "warpz status takes no '--yes'");
  EXPECT_EQ(refused([] { parsed({"reset"}); }), "warpz reset needs PUZZLE");
}

TEST(bare_words, are_puzzles_files_and_folders) {
  const std::string folder = std::filesystem::temp_directory_path();
  EXPECT_EQ(bare({"neighbor", "average"}), (word_list{"--neighbor", "--average"}));
  EXPECT_EQ(bare({"vote", "a.hip", "--size", "5"}), (word_list{"--vote", "--kernel=a.hip", "--size", "5"}));
  EXPECT_EQ(bare({folder.c_str()}), word_list{"--kernel=" + folder});
  EXPECT_EQ(bare({"--run", "a.hip", "neighbor"}), (word_list{"--run", "a.hip", "neighbor"}));
  EXPECT_EQ(bare({""}), word_list{""});
}

TEST(bare_words, may_stand_behind_options) {
  EXPECT_EQ(bare({"--size", "5", "neighbor"}), (word_list{"--size", "5", "--neighbor"}));
  EXPECT_EQ(bare({"--quiet", "a.hip", "-o", "b.hip"}), (word_list{"--quiet", "--kernel=a.hip", "-o", "b.hip"}));
  EXPECT_EQ(bare({"--trace", "neighbor"}), (word_list{"--trace", "--neighbor"}));
  EXPECT_EQ(bare({"--trace", "svg", "neighbor"}), (word_list{"--trace", "svg", "--neighbor"}));
  EXPECT_EQ(bare({"--trace", "--kernel", "a.hip"}), (word_list{"--trace", "--kernel", "a.hip"}));
  // These are values, or words of a program.
  EXPECT_EQ(bare({"--pattern", "neighbor"}), (word_list{"--pattern", "neighbor"}));
  EXPECT_EQ(bare({"--neighbor", "--cxxflags", "a.hip"}), (word_list{"--neighbor", "--cxxflags", "a.hip"}));
  EXPECT_EQ(bare({"--all", "--", "neighbor"}), (word_list{"--all", "--", "neighbor"}));
  EXPECT_EQ(bare({"--all", "nothing-here"}), (word_list{"--all", "nothing-here"}));
}

TEST(bare_words, name_one_file) {
  for (const word_list& first : {word_list{"a.hip"}, word_list{"--kernel", "a.hip"}, word_list{"--kernel=a.hip"}}) {
    std::vector<const char*> arguments;
    for (const std::string& each : first) arguments.push_back(each.c_str());
    arguments.push_back("b.hip");
    EXPECT_EQ(refused([&] { bare(arguments); }), "two files are named, a.hip and b.hip");
  }
}

TEST(bare_words, that_are_none_of_these_are_refused) {
  EXPECT_EQ(refused([] { bare({"neighbour-ish"}); }), "'neighbour-ish' is no command, no puzzle and no file");
  EXPECT_EQ(refused([] { bare({"neighbor", "nothing-here"}); }), "'nothing-here' is no command, no puzzle and no file");
}

}  // namespace
