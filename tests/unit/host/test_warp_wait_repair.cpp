// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The loop around a wait and what ends the wait of others, by the text of a source.
#include "source/warp_wait_repair.hpp"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace warp_wait_repairs {

using namespace warpz;

source_line place_of(const std::string& source, const std::string& word) {
  const std::size_t at = source.find(word);
  source_line place;
  place.file = "f.hip";
  place.line = 1;
  std::size_t begin = 0;
  for (std::size_t i = source.find('\n'); i < at; i = source.find('\n', i + 1)) {
    ++place.line;
    begin = i + 1;
  }
  place.column = static_cast<unsigned>(at - begin + 1);
  return place;
}

/// The source behind the repair of a wait at `look(` for `give(`; empty: there is none.
std::string repaired(const std::string& source) {
  symbolized_finding finding{};
  finding.record.kind = WARPZ_WAIT_WITHIN_WARP;
  finding.places = {place_of(source, "look("), place_of(source, "give(")};
  const auto repair = warp_wait_repair(finding, source);
  if (!repair) return "";
  std::vector<std::string> lines{""};
  for (const char each : source) {
    if (each == '\n') {
      lines.emplace_back();
    } else {
      lines.back() += each;
    }
  }
  for (auto each = repair->edits.rbegin(); each != repair->edits.rend(); ++each) {
    std::string& line = lines[each->line - 1];
    line = each->replaces ? each->text : line + "\n" + each->text;
  }
  std::string text;
  for (const std::string& each : lines) text += (text.empty() ? "" : "\n") + each;
  return text;
}

TEST(warp_wait_repair, puts_a_loop_around_both) {
  const std::string end = "  a += 1;\n  give(l);\n    waits = false;\n  }\n  b = 2;\n}\n";
  const std::string begin = "void f() {\n  for (bool waits = true; waits;) {\n";
  const std::string rest = "  a += 1;\n  give(l);\n  b = 2;\n}\n";
  EXPECT_EQ(repaired("void f() {\n  while (look(l) != 0) continue;\n" + rest),
            begin + "  if (look(l) != 0) continue;\n" + end);
  EXPECT_EQ(repaired("void f() {\n  while (look(l) != 0);\n" + rest), begin + "  if (look(l) != 0) continue;\n" + end);
  EXPECT_EQ(repaired("void f() {\n  while (look(l) != 0) {\n  }\n" + rest),
            begin + "  if (look(l) != 0) {\n    continue;\n  }\n" + end);
  EXPECT_EQ(repaired("void f() {\n  while (look(l) != 0) sleep(1);\n" + rest),
            begin + "  if (look(l) != 0) { sleep(1); continue; }\n" + end);
  EXPECT_EQ(repaired("void f() {\n  do {\n    was = look(l);\n  } while (was != 0);\n" + rest),
            begin + "  {\n    was = look(l);\n  }\n  if (was != 0) continue;\n" + end);
  EXPECT_EQ(repaired("void f() {\n  while (true) {\n    if (look(l) == 0) break;\n  }\n" + rest),
            begin + "  {\n    if (!(look(l) == 0)) continue;\n  }\n" + end);
}

TEST(warp_wait_repair, ends_behind_the_last_use_of_what_is_declared_within) {
  EXPECT_EQ(
      repaired("void f() {\n  while (look(l) != 0) continue;\n  const int sum = *p;\n  give(l);\n  q = sum;\n}\n"),
      "void f() {\n  for (bool waits = true; waits;) {\n  if (look(l) != 0) continue;\n  const int sum = *p;\n"
      "  give(l);\n  q = sum;\n    waits = false;\n  }\n}\n");
}

TEST(warp_wait_repair, tries_once_in_a_function_and_repeats_its_calls) {
  EXPECT_EQ(repaired("void take() { while (look(l)) continue; }\nvoid pass() { give(l); }\nvoid f() {\n  take();\n"
                     "  a += 1;\n  pass();\n}\n"),
            "bool take() { if (look(l)) return false; return true; }\nvoid pass() { give(l); }\nvoid f() {\n"
            "  for (bool waits = true; waits;) {\n  if (!take()) continue;\n  a += 1;\n  pass();\n    waits = false;\n"
            "  }\n}\n");
}

TEST(warp_wait_repair, not_where_what_is_between_cannot_be_repeated) {
  const auto between = [](const std::string& code) {
    return repaired("void f() {\n  while (look(l) != 0) continue;\n  " + code + "\n  give(l);\n}\n");
  };
  EXPECT_NE(between("for (int i = 0; i < 3; ++i) if (a[i]) break;"), "");
  EXPECT_EQ(between("__syncwarp();"), "");
  EXPECT_EQ(between("if (a) return;"), "");
  EXPECT_EQ(between("bool waits = a;"), "");
  EXPECT_EQ(
      repaired("void f() {\n  for (;;) {\n    while (look(l)) continue;\n    if (a) break;\n    give(l);\n  }\n}\n"),
      "");
  // A second look would take another ticket.
  EXPECT_EQ(repaired("void take() {\n  const int mine = draw();\n  while (look(l) != mine) continue;\n}\nvoid f() {\n"
                     "  take();\n  give(l);\n}\n"),
            "");
  EXPECT_EQ(repaired("void f() {\n  if (a) {\n    while (look(l)) continue;\n  }\n  give(l);\n}\n"), "");
}

}  // namespace warp_wait_repairs
