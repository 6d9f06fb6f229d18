// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compile/temp_dir.hpp"

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <vector>

#include "error.hpp"
#include "host/error_support.hpp"

namespace {

using error_support::folder;

/// Makes temporary folders in the given one, in a process of its own, which ends with 0 where all could be made.
pid_t make_temp_dirs(const folder& place) {
  const pid_t child = fork();
  if (child != 0) return child;
  setenv("TMPDIR", place.path().c_str(), 1);
  try {
    for (int i = 0; i < 500; ++i) warpz::temp_dir().write("file", "text");
  } catch (const warpz::error&) {
    _exit(1);
  }
  _exit(0);
}

// Each removes what looks abandoned before it makes its own; and a new folder looks so until it is locked.
TEST(temp_dir, runs_at_once_leave_each_other_theirs) {
  const folder place;
  std::vector<pid_t> children;
  for (int i = 0; i < 4; ++i) children.push_back(make_temp_dirs(place));
  for (const pid_t child : children) {
    int status = 0;
    ASSERT_EQ(waitpid(child, &status, 0), child);
    EXPECT_EQ(status, 0);
  }
  EXPECT_TRUE(std::filesystem::is_empty(place.path()));
}

TEST(temp_dir, holds_no_path_that_leads_out_of_it) {
  const warpz::temp_dir here;
  for (const char* const inside : {"a", "b/a", "b/../a", "./a", "..a"})
    EXPECT_TRUE(here.holds(here.file(inside))) << inside;
  for (const char* const outside : {"../a", "b/../../a", "./../a", ".."})
    EXPECT_FALSE(here.holds(here.file(outside))) << outside;
  EXPECT_FALSE(here.holds("a"));
  EXPECT_FALSE(here.holds("/usr/include/stdio.h"));
}

}  // namespace
