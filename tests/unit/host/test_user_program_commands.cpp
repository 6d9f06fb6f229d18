// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Which of the user's flags reach the commands that compile a preprocessed program and link it.
#include "compile/user_program_commands.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

namespace {

using namespace warpz;

TEST(user_program_commands, flags_of_the_preprocessor_are_left_out_after_it) {
  user_program_compilation common;
  common.flags = {"-I",       "folder",  "-Iother",        "-DA=1", "-U",     "B",
                  "-include", "first.h", "-funroll-loops", "-lm",   "-Wextra"};
  const std::vector<std::string> kept = {"-funroll-loops", "-lm", "-Wextra"};
  const cpu_compiler compiler{"clang++", ""};
  const command compilation =
      user_program_object_commands(compiler, common, code_side::host, "source.ii", "source.o").front();
  const command link = user_program_link_command(compiler, common, std::vector<std::string>{"source.o"}, "program.so");
  for (const std::vector<std::string>& words : {compilation.words, link.words}) {
    EXPECT_NE(std::search(words.begin(), words.end(), kept.begin(), kept.end()), words.end());
    for (const std::string& flag : common.flags) {
      const bool is_kept = std::find(kept.begin(), kept.end(), flag) != kept.end();
      EXPECT_EQ(std::count(words.begin(), words.end(), flag), is_kept ? 1 : 0) << flag;
    }
  }
}

}  // namespace
