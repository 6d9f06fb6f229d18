// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Lanes that go through code in turn, by the text of a source.
#include "source/warp_turns.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>

namespace warp_turn_cases {

using namespace warpz;

using search = std::optional<source_repair> (*)(const source_outline&, const std::string&, bool, std::size_t,
                                                std::size_t);

/// What is put into the source of a wait at `look` for `give`, each piece with the line behind which it stands.
std::string put(const std::string& source, search find, bool is_of_cuda = false) {
  const source_outline outline(source);
  const auto token_of = [&](std::string_view name) {
    const auto found = std::find_if(outline.tokens().begin(), outline.tokens().end(),
                                    [&](const token& each) { return each.is(name); });
    return static_cast<std::size_t>(found - outline.tokens().begin());
  };
  const auto repair = find(outline, "f", is_of_cuda, token_of("look"), token_of("give"));
  std::string text;
  for (const line_edit& each : repair ? repair->edits : std::vector<line_edit>())
    text += (each.replaces ? "=" : "+") + std::to_string(each.line) + " " + each.text + "\n";
  return text;
}

const std::string lock =
    "void take() { int mine = draw(); while (look(l) != mine) continue; }\nvoid pass() { give(l); }\n";

TEST(warp_turns, one_lane_after_the_other_from_where_it_takes_a_lock) {
  EXPECT_EQ(put(lock + "__global__ void f() {\n  take();\n  a += 1;\n  pass();\n}\n", turns_of_lanes),
            "+3   for (unsigned turn = 0; turn < warpSize; ++turn) {\n    if (__lane_id() == turn) {\n"
            "+6     }\n    __syncwarp(~0ull);\n  }\n");
  // With what uses a variable that is declared within.
  const std::string text =
      put(lock + "__global__ void f() {\n  take();\n  int b = a;\n  pass();\n  c = b;\n}\n", turns_of_lanes, true);
  EXPECT_NE(text.find("+7 "), text.npos) << text;
  EXPECT_NE(text.find("__syncwarp(0xffffffff)"), text.npos) << text;
}

TEST(warp_turns, an_object_has_the_lock_up_to_the_end_of_its_scope) {
  const std::string guard = "class held {\n  held() { while (look(l)) continue; }\n  ~held() { give(l); }\n};\n";
  const std::string text =
      put(guard + "__global__ void f() {\n  held here;\n  a += 1;\n  b += 1;\n}\n", turns_of_lanes);
  EXPECT_NE(text.find("+5 "), text.npos) << text;
  EXPECT_NE(text.find("+8 "), text.npos) << text;
}

TEST(warp_turns, a_lane_that_returns_does_so_behind_its_turn) {
  EXPECT_EQ(put("__global__ void f() {\n  int mine = atomicAdd(l, 1);\n  while (look(l) != mine) continue;\n"
                "  if (a) {\n    give(l);\n    return;\n  }\n  b = 1;\n  give(l);\n}\n",
                turns_of_lanes),
            "+1   bool leaves = false;\n  for (unsigned turn = 0; turn < warpSize; ++turn) {\n"
            "    if (__lane_id() == turn) {\n=6     leaves = true;\n+7   if (!leaves) {\n"
            "+9   }\n    }\n    __syncwarp(~0ull);\n  }\n  if (leaves) return;\n");
  // Who keeps the lock lets nobody else have a turn.
  EXPECT_EQ(
      put("__global__ void f() {\n  while (look(l)) continue;\n  if (a) return;\n  give(l);\n}\n", turns_of_lanes), "");
}

TEST(warp_turns, none_where_lanes_leave_or_do_not_all_come) {
  for (const char* const code : {"take();\n  if (a) return;\n  pass();", "take();\n  __syncthreads();\n  pass();",
                                 "if (a) take();\n  pass();", "take();", "int turn = 0;\n  take();\n  pass();"})
    EXPECT_EQ(put(lock + "__global__ void f() {\n  " + code + "\n}\n", turns_of_lanes), "") << code;
  EXPECT_EQ(
      put(lock + "void g() {\n  take();\n  pass();\n}\n__global__ void f() {\n  if (a) g();\n}\n", turns_of_lanes), "");
}

TEST(warp_turns, the_branch_that_gives_comes_first) {
  EXPECT_EQ(put("__global__ void f() {\n  if (i < 3) {\n    while (look(l)) continue;\n  } else if (i == 5) {\n"
                "    give(l);\n  } else {\n    a = 1;\n  }\n}\n",
                turns_of_branches),
            "+1   const bool gives = !(i < 3) && (i == 5);\n  for (unsigned turn = 0; turn < 2; ++turn) {\n"
            "    if ((turn == 0) == gives) {\n+8     }\n    __syncwarp(~0ull);\n  }\n");
  EXPECT_EQ(put("__global__ void f() {\n  if (i < 3) while (look(l)) continue;\n  if (i == 5) give(l);\n}\n",
                turns_of_branches),
            "+1   const bool gives = (i == 5);\n  for (unsigned turn = 0; turn < 2; ++turn) {\n"
            "    if ((turn == 0) == gives) {\n+3     }\n    __syncwarp(~0ull);\n  }\n");
}

TEST(warp_turns, not_where_it_waits_as_well_or_asks_what_is_not_known_before) {
  const auto arms = [](const std::string& condition, const std::string& other) {
    return put("void until(int i) { while (i) continue; }\n__global__ void f() {\n  if (" + condition +
                   ") {\n    while (look(l)) continue;\n  } else {\n    " + other + "give(l);\n  }\n}\n",
               turns_of_branches);
  };
  EXPECT_NE(arms("i < 3", ""), "");
  EXPECT_EQ(arms("i < 3", "while (a) continue; "), "");
  EXPECT_EQ(arms("i < 3", "until(3); "), "");
  EXPECT_EQ(arms("a[i] < 3", ""), "");
  EXPECT_EQ(arms("i < 3", "if (a) return; "), "");
  EXPECT_EQ(put("__global__ void f() {\n  if (i < 3) while (look(l)) continue;\n  const int j = a[i];\n"
                "  if (i == j) give(l);\n}\n",
                turns_of_branches),
            "");
}

}  // namespace warp_turn_cases
