// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Branches in place of a return or a continue, by the text of a source.
#include "source/early_exit.hpp"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace early_exits {

using namespace warpz;

/// The source after the change for its first barrier; empty: there is none.
std::string changed(const std::string& source) {
  const source_outline outline(source);
  const std::vector<token>& all = outline.tokens();
  std::size_t barrier = 0;
  while (!all[barrier].is("__syncthreads")) ++barrier;
  const std::optional<source_repair> repair = branches_for_exit(outline, barrier);
  if (!repair) return "";
  std::string text;
  const auto count = static_cast<unsigned>(std::count(source.begin(), source.end(), '\n'));
  for (unsigned line = 1; line <= count; ++line) {
    std::string before(outline.line_text(line)), behind;
    for (const line_edit& each : repair->edits) {
      if (each.line != line) continue;
      if (each.replaces)
        before = each.text;
      else
        behind += each.text + "\n";
    }
    text += before + "\n" + behind;
  }
  return text;
}

TEST(early_exit, a_return_in_front_of_a_barrier) {
  EXPECT_EQ(changed("void f(int i) {\n"
                    "  if (i > 9) return;\n"
                    "  a[i] = 1;\n"
                    "  __syncthreads();\n"
                    "  b[i] = a[0];\n"
                    "}\n"),
            "void f(int i) {\n"
            "  const bool stays = !(i > 9);\n"
            "  if (stays) {\n"
            "  a[i] = 1;\n"
            "  }\n"
            "  __syncthreads();\n"
            "  if (stays) {\n"
            "  b[i] = a[0];\n"
            "  }\n"
            "}\n");
}

TEST(early_exit, a_return_at_once_in_front_of_a_barrier) {
  EXPECT_EQ(changed("void f(int i) {\n"
                    "  if (!valid) { return; }\n"
                    "  __syncthreads();\n"
                    "}\n"),
            "void f(int i) {\n"
            "  const bool stays = valid;\n"
            "  __syncthreads();\n"
            "}\n");
}

TEST(early_exit, a_return_in_a_loop_leaves_what_is_behind_the_loop_as_well) {
  EXPECT_EQ(changed("void f(int i) {\n"
                    "  for (int n = 8; n > 0; n /= 2) {\n"
                    "    if (i >= n) return;\n"
                    "    a[i] += a[i + n];\n"
                    "    __syncthreads();\n"
                    "  }\n"
                    "  b[0] = a[0];\n"
                    "}\n"),
            "void f(int i) {\n"
            "  bool stays = true;\n"
            "  for (int n = 8; n > 0; n /= 2) {\n"
            "    stays = stays && !(i >= n);\n"
            "    if (stays) {\n"
            "    a[i] += a[i + n];\n"
            "    }\n"
            "    __syncthreads();\n"
            "  }\n"
            "  if (stays) {\n"
            "  b[0] = a[0];\n"
            "  }\n"
            "}\n");
}

TEST(early_exit, a_continue_leaves_its_round_alone) {
  EXPECT_EQ(changed("void f(int i) {\n"
                    "  for (int n = 0; n < 8; ++n) {\n"
                    "    if (i == n) continue;\n"
                    "    __syncthreads();\n"
                    "    b[i] = n;\n"
                    "  }\n"
                    "  b[0] = 1;\n"
                    "}\n"),
            "void f(int i) {\n"
            "  for (int n = 0; n < 8; ++n) {\n"
            "    const bool stays = !(i == n);\n"
            "    __syncthreads();\n"
            "    if (stays) {\n"
            "    b[i] = n;\n"
            "    }\n"
            "  }\n"
            "  b[0] = 1;\n"
            "}\n");
}

TEST(early_exit, nothing_where_a_branch_would_change_more) {
  for (const char* const behind : {
           "  int mine = a[i];\n  __syncthreads();\n  b[i] = mine;\n",      // declared for what is behind the barrier
           "  for (int n = 0; n < 2; ++n) {\n    __syncthreads();\n  }\n",  // a barrier within
           "  a[i] = 1; __syncthreads();\n",                                // in one line
           "  __syncthreads();\n  if (i > 3) {\n    __syncthreads();\n  }\n",  // another barrier within
       }) {
    EXPECT_EQ(changed("void f(int i) {\n  if (i > 9) return;\n" + std::string(behind) + "}\n"), "") << behind;
  }
  EXPECT_EQ(changed("void f(int i) {\n  if (i > 9) return; else a[i] = 2;\n  __syncthreads();\n}\n"), "");
  EXPECT_EQ(changed("void f(int i) {\n  if (i > 9) return 3;\n  __syncthreads();\n}\n"), "");
  EXPECT_EQ(changed("void f(int i) {\n  if (w) {\n    if (i > 9) return;\n    __syncthreads();\n  }\n}\n"), "");
  EXPECT_EQ(changed("void f(int i, bool stays) {\n  if (i > 9) return;\n  __syncthreads();\n}\n"), "");
  EXPECT_EQ(changed("void f(int i) {\n  __syncthreads();\n  if (i > 9) return;\n}\n"), "");
  EXPECT_EQ(changed("void f(int i) {\n  if (i > 9) return;\n  if (i < 2) return;\n  __syncthreads();\n}\n"), "");
}

}  // namespace early_exits
