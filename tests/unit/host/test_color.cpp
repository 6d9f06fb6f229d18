// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Where output is coloured: terminals that have colours, pipes, and what the environment says.
#include "cli/color.hpp"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdlib>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace {

using namespace warpz;

class color : public testing::Test {
 protected:
  color() { set("TERM", "xterm"), set("NO_COLOR", nullptr); }
  ~color() override {
    for (const auto& [name, value] : before_) restore(name, value);
  }
  void set(const char* name, const char* value) {
    const char* const old = std::getenv(name);
    before_.insert(before_.begin(), {name, old == nullptr ? std::optional<std::string>() : old});
    value == nullptr ? unsetenv(name) : setenv(name, value, 1);
  }

 private:
  static void restore(const std::string& name, const std::optional<std::string>& value) {
    value ? setenv(name.c_str(), value->c_str(), 1) : unsetenv(name.c_str());
  }
  std::vector<std::pair<std::string, std::optional<std::string>>> before_;
};

TEST_F(color, is_used_on_a_terminal_that_has_some) {
  const int terminal = posix_openpt(O_RDWR | O_NOCTTY);
  if (terminal < 0) GTEST_SKIP() << "no terminal can be had here";
  EXPECT_TRUE(use_color(color_choice::automatic, terminal));
  EXPECT_FALSE(use_color(color_choice::never, terminal));
  set("NO_COLOR", "");
  EXPECT_TRUE(use_color(color_choice::automatic, terminal)) << "an empty NO_COLOR is none";
  set("NO_COLOR", "1");
  EXPECT_FALSE(use_color(color_choice::automatic, terminal));
  EXPECT_TRUE(use_color(color_choice::always, terminal)) << "asked for";
  set("NO_COLOR", nullptr);
  set("TERM", "dumb");
  EXPECT_FALSE(use_color(color_choice::automatic, terminal));
  set("TERM", nullptr);
  EXPECT_FALSE(use_color(color_choice::automatic, terminal));
  close(terminal);
}

TEST_F(color, is_not_used_in_a_pipe_unless_asked_for) {
  int ends[2];
  ASSERT_EQ(pipe(ends), 0);
  EXPECT_FALSE(use_color(color_choice::automatic, ends[1]));
  EXPECT_FALSE(use_color(color_choice::automatic, -1));
  EXPECT_TRUE(use_color(color_choice::always, ends[1]));
  close(ends[0]);
  close(ends[1]);
}

}  // namespace
