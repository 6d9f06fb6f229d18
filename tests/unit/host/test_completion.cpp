// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the completion scripts contain; tests/end_to_end/test_completion.py has the shells run them.
#include "cli/completion.hpp"

#include <gtest/gtest.h>

#include "cli/option_table.hpp"

namespace {

using namespace warpz;

bool contains(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

TEST(completion, every_option_is_in_every_script) {
  const std::string bash = completion_script(shell::bash);
  const std::string zsh = completion_script(shell::zsh);
  const std::string fish = completion_script(shell::fish);
  for (const option_row& row : option_table()) {
    const std::string name(row.name);
    EXPECT_TRUE(contains(bash, " --" + name + " ") || contains(bash, "'--" + name + " ")) << name;
    EXPECT_TRUE(contains(zsh, "--" + name + (row.takes.empty() ? "[" : "=[")) || contains(zsh, ",--" + name + "}'["))
        << name;
    EXPECT_TRUE(contains(fish, "complete -c warpz -l " + name + " ")) << name;
  }
}

TEST(completion, every_choice_is_in_every_script) {
  std::size_t found = 0;
  for (const option_row& row : option_table()) {
    if (row.kind != value_kind::choice) continue;
    std::string words;
    for (const std::string_view choice : choices(row)) words += (words.empty() ? "" : " ") + std::string(choice);
    EXPECT_TRUE(contains(completion_script(shell::bash), "--" + std::string(row.name) + ") words='" + words + "' ;;"));
    EXPECT_TRUE(contains(completion_script(shell::zsh), ":" + std::string(row.name) + ":(" + words + ")'"));
    EXPECT_TRUE(contains(completion_script(shell::fish), "-l " + std::string(row.name) + " -x -a '" + words + "'"));
    ++found;
  }
  EXPECT_GE(found, 5u);
}

}  // namespace
