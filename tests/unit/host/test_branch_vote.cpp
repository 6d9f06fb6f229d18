// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A vote in front of a branch, by the text of a source.
#include "source/branch_vote.hpp"

#include <gtest/gtest.h>

#include <string>

namespace branch_votes {

using namespace warpz;

/// The line in front of the branch in which `here` stands; empty: there is none.
std::string vote_in(const std::string& body) {
  const std::string source = "void f(int i) {\n" + body + "}\n";
  const source_outline outline(source);
  std::size_t at = 0;
  while (!outline.tokens()[at].is("here")) ++at;
  const std::optional<branch_vote> vote = vote_before_branch(outline, at, "~0ull");
  return vote ? vote->line.text : "";
}

TEST(branch_vote, asks_what_the_branch_asks) {
  const std::string line = "  const auto in_branch = __ballot_sync(~0ull, i < (4 + 4));";
  EXPECT_EQ(vote_in("  if (i < (4 + 4)) {\n    here();\n  }\n"), line);
  EXPECT_EQ(vote_in("  if (i < (4 + 4)) {\n    here();\n  } else {\n    a = 1;\n  }\n"), line);
  EXPECT_EQ(vote_in("  if constexpr (is_wide) {\n    here();\n  }\n"),
            "  const auto in_branch = __ballot_sync(~0ull, is_wide);");
}

TEST(branch_vote, not_where_lanes_may_be_missing) {
  EXPECT_EQ(vote_in("  if (i > 9) return;\n  if (i < 8) {\n    here();\n  }\n"), "");
  EXPECT_EQ(vote_in("  if (w) {\n    if (i < 8) {\n      here();\n    }\n  }\n"), "");
  EXPECT_EQ(vote_in("  for (int n = 0; n < i; ++n) {\n    here();\n  }\n"), "");
  EXPECT_EQ(vote_in("  if (i < 8) {\n    a = 1;\n  } else if (i < 9) {\n    here();\n  }\n"), "");
}

TEST(branch_vote, not_where_it_could_not_be_written) {
  EXPECT_EQ(vote_in("  if (const int n = g(i); n != 0) {\n    here();\n  }\n"), "");
  EXPECT_EQ(vote_in("  int in_branch = 0;\n  if (i < 8) {\n    here();\n  }\n"), "");
}

}  // namespace branch_votes
