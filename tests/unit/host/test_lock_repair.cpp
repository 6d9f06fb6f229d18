// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A lock that is given back before each way out, by the text of a source.
#include "source/lock_repair.hpp"

#include <gtest/gtest.h>

#include <string>

namespace lock_repairs {

using namespace warpz;

/// The line in place of the one that has this text; empty: it stays.
std::string changed(const std::string& code, const std::string& text) {
  const std::string source =
      "__global__ void f(int* l, int* p) {\n  while (atomicCAS(l, 0, 1) != 0) continue;\n" + code + "}\n";
  const auto repair = lock_repair(source, 2);
  if (!repair) return "";
  const auto at = source.begin() + static_cast<std::ptrdiff_t>(source.find(text));
  const auto line = static_cast<unsigned>(1 + std::count(source.begin(), at, '\n'));
  for (const line_edit& each : repair->edits) {
    if (each.line == line && each.replaces) return each.text;
  }
  return "";
}

const std::string end = "  __threadfence();\n  atomicExch(l, 0);\n";

TEST(lock_repair, gives_it_back_with_its_fence_before_each_way_out) {
  EXPECT_EQ(changed("  if (*p) return;\n" + end, "return"), "  if (*p) { __threadfence(); atomicExch(l, 0); return; }");
  EXPECT_EQ(changed("  if (*p) return;\n  atomicExch(l, 0);\n", "return"), "  if (*p) { atomicExch(l, 0); return; }");
  EXPECT_EQ(changed("  if (*p) return 2 * n;\n" + end, "return"),
            "  if (*p) { __threadfence(); atomicExch(l, 0); return 2 * n; }");
  // Before others may change it.
  EXPECT_EQ(changed("  if (*p) return p[1];\n" + end, "return"),
            "  if (*p) { const auto result = p[1]; __threadfence(); atomicExch(l, 0); return result; }");
}

TEST(lock_repair, leaves_what_keeps_no_lock) {
  EXPECT_EQ(changed("  if (*p) {\n    atomicExch(l, 0);\n    return;\n  }\n" + end, "return"), "");
  EXPECT_EQ(changed("  while (*p) break;\n" + end, "break"), "");
  EXPECT_EQ(changed(end + "  if (*p) return;\n", "return"), "");
  // Another lock, and what is not known at the exit.
  EXPECT_EQ(changed("  if (*p) return;\n  atomicExch(m, 0);\n", "return"), "");
  EXPECT_EQ(changed("  if (*p) return;\n  const int free = 0;\n  atomicExch(l, free);\n", "return"), "");
}

}  // namespace lock_repairs
