// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Votes on the way to a place, by the text of a source.
#include "source/lane_votes.hpp"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace lane_vote_tests {

using namespace warpz;

/// Who comes to `here`, and the lines that tell: `L+ text` behind line L, `L= text` in its place. Empty: unknown.
std::string votes_in(const std::string& source) {
  const source_outline outline(source);
  std::size_t at = 0;
  while (!outline.tokens()[at].is("here")) ++at;
  std::vector<std::string> names;
  const std::optional<lane_votes> votes = votes_before(outline, at, {"vote", "all"}, names);
  if (!votes) return "";
  std::string told = votes->lanes;
  for (const line_edit& each : votes->edits)
    told += "\n" + std::to_string(each.line) + (each.replaces ? "= " : "+ ") + each.text;
  return told;
}

std::string votes_in_kernel(const std::string& body) { return votes_in("__global__ void f(int i) {\n" + body + "}\n"); }

TEST(lane_votes, ask_what_the_branch_asks) {
  const std::string told = "in_branch\n1+   const auto in_branch = vote(all, i < (4 + 4));";
  EXPECT_EQ(votes_in_kernel("  if (i < (4 + 4)) {\n    here();\n  }\n"), told);
  EXPECT_EQ(votes_in_kernel("  if (i < (4 + 4)) here();\n"), told);
  EXPECT_EQ(votes_in_kernel("  if (i < (4 + 4)) {\n    here();\n  } else {\n    a = 1;\n  }\n"), told);
  EXPECT_EQ(votes_in_kernel("  if constexpr (is_wide) {\n    here();\n  }\n"),
            "in_branch\n1+   const auto in_branch = vote(all, is_wide);");
  EXPECT_EQ(votes_in_kernel("  if (i < (4 + 4)) for (int d = 4; d > 0; d /= 2) here();\n"), told);
}

TEST(lane_votes, are_of_those_that_come_so_far) {
  EXPECT_EQ(votes_in_kernel("  here();\n"), "vote(all, true)");
  EXPECT_EQ(votes_in_kernel("  if (i > 9) return;\n  if (i < 8) {\n    here();\n  }\n"),
            "in_branch\n1+   const auto staying = vote(all, !(i > 9));\n"
            "2+   const auto in_branch = vote(staying, i < 8);");
  EXPECT_EQ(votes_in_kernel("  if (w) {\n    if (i < 8) {\n      here();\n    }\n  }\n"),
            "in_branch_2\n1+   const auto in_branch = vote(all, w);\n"
            "2+     const auto in_branch_2 = vote(in_branch, i < 8);");
  EXPECT_EQ(votes_in_kernel("  int in_branch = 0;\n  if (i < 8) {\n    here();\n  }\n"),
            "in_branch_2\n2+   const auto in_branch_2 = vote(all, i < 8);");
}

TEST(lane_votes, are_taken_again_in_each_round) {
  EXPECT_EQ(votes_in_kernel("  for (int n = 0; n < i; ++n) {\n    here();\n  }\n"),
            "in_loop\n1+   auto in_loop = vote(all, true);\n"
            "2=   for (int n = 0; in_loop = vote(in_loop, n < i), n < i; ++n) {");
  EXPECT_EQ(votes_in_kernel("  while (i > 0) {  // down\n    i -= here();\n  }\n"),
            "in_loop\n1+   auto in_loop = vote(all, true);\n"
            "2=   while (in_loop = vote(in_loop, i > 0), i > 0) {  // down");
  EXPECT_EQ(votes_in_kernel("  do {\n    i -= here();\n  } while (i > 0);\n"),
            "in_loop\n1+   auto in_loop = vote(all, true);\n"
            "4=   } while (in_loop = vote(in_loop, i > 0), i > 0);");
  // All go round as often.
  EXPECT_EQ(votes_in_kernel("  for (int d = 16; d > 0; d /= 2) {\n    here();\n  }\n"), "vote(all, true)");
}

TEST(lane_votes, not_where_lanes_may_be_missing) {
  EXPECT_EQ(votes_in_kernel("  if (i < 8) {\n    a = 1;\n  } else if (i < 9) {\n    here();\n  }\n"), "");
  EXPECT_EQ(votes_in_kernel("  while (i > 0) {\n    if (a) break;\n    i -= here();\n  }\n"), "");
  EXPECT_EQ(votes_in_kernel("  while (i > 0) {\n    if (a) continue;\n    i -= here();\n  }\n"), "");
  EXPECT_EQ(votes_in_kernel("  if (i > 9) {\n    a = 1;\n    return;\n  }\n  here();\n"), "");
  EXPECT_EQ(votes_in_kernel("  a = i > 3 ? here() : 0;\n"), "");
  EXPECT_EQ(votes_in_kernel("  for (int k = 0; k < i; ++k) here();\n"), "");
  EXPECT_EQ(votes_in("void f(int i) {\n  here();\n}\n"), "");
  EXPECT_EQ(votes_in("void f() {\n  here();\n}\n__global__ void g(int i) {\n  if (i > 2) f();\n}\n"), "");
  EXPECT_EQ(votes_in("void f() {\n  here();\n}\n__global__ void g() {\n  f();\n  f();\n}\n"), "");
}

TEST(lane_votes, in_a_function_that_all_lanes_call) {
  EXPECT_EQ(votes_in("void f(int i) {\n  if (i > 3) {\n    here();\n  }\n}\n__global__ void g() {\n  f(1);\n}\n"),
            "in_branch\n1+   const auto in_branch = vote(all, i > 3);");
}

TEST(lane_votes, not_where_they_could_not_be_written) {
  EXPECT_EQ(votes_in_kernel("  if (const int n = g(i); n != 0) {\n    here();\n  }\n"), "");
  EXPECT_EQ(votes_in_kernel("  while (i-- > 0) {\n    here();\n  }\n"), "");
  EXPECT_EQ(votes_in_kernel("  while (next(i)) {\n    here();\n  }\n"), "");
  EXPECT_EQ(votes_in_kernel("  for (;;) {\n    here();\n  }\n"), "");
  EXPECT_EQ(votes_in_kernel("  a = 1; if (i < 8) {\n    here();\n  }\n"), "");
}

}  // namespace lane_vote_tests
