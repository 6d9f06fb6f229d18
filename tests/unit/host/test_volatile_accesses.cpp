// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Which volatile accesses become relaxed atomics: those that only poll or publish.
#include "source/volatile_accesses.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <string>

namespace volatile_accesses_of_code {

using warpz::with_volatile_accesses;

/// A function of Clang's as it comes before anything is optimized: `flag` is a parameter, %flag.addr the variable that
/// holds it, %i another variable.
std::string function_of(const std::string& body) {
  return "define void @k(i32* %flag) {\n  %flag.addr = alloca i32*, align 8\n  %i = alloca i32, align 4\n"
         "  store i32* %flag, i32** %flag.addr, align 8\n" +
         body + "}\n";
}

bool has(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

/// A loop: `before` stands in front of it, `pointer` computes %p, and `rest` what the loop does with the value %v and
/// how its branch, %c, comes about.
std::string loop(const std::string& pointer, const std::string& rest) {
  return function_of("  br label %head\n\nhead:\n  %f = load i32*, i32** %flag.addr, align 8\n" + pointer +
                     "  %v = load volatile i32, i32* %p, align 4, !dbg !20, !tbaa !16\n" + rest +
                     "  br i1 %c, label %head, label %done\n\ndone:\n  ret void\n");
}

const std::string itself = "  %p = bitcast i32* %f to i32*\n";
const std::string element = "  %n = load i32, i32* %i, align 4\n  %p = getelementptr inbounds i32, i32* %f, i32 %n\n";
const std::string atomic = "  %v = load atomic volatile i32, i32* %p monotonic, align 4, !dbg !20, !tbaa !16\n";
const std::string plain = "  %v = load volatile i32, i32* %p, align 4, !dbg !20, !tbaa !16\n";

TEST(volatile_accesses, a_load_that_decides_its_loop_polls) {
  const std::string direct = with_volatile_accesses(loop(itself, "  %c = icmp eq i32 %v, 0\n"));
  EXPECT_TRUE(has(direct,
                  "  %simt.volatile.0 = bitcast i32* %p to i8*\n"
                  "  call void @simt_volatile_poll(i8* %simt.volatile.0, i64 4), !dbg !20\n" +
                      atomic))
      << direct;
  EXPECT_TRUE(has(direct, "\ndeclare void @simt_volatile_poll(i8*, i64) nounwind\n"));
  // Through a variable, and at an element that the loop does not choose.
  const std::string by_variable =
      "  store i32 %v, i32* %seen, align 4\n  %w = load i32, i32* %seen, align 4\n"
      "  %c = icmp eq i32 %w, 0\n";
  const std::string text = loop("  %seen = alloca i32, align 4\n" + element, by_variable);
  EXPECT_TRUE(has(with_volatile_accesses(text), atomic));
}

TEST(volatile_accesses, a_load_that_decides_nothing_or_walks_over_data_stays) {
  const std::string sums = "  store i32 %v, i32* %i, align 4\n  %c = icmp eq i32 0, 0\n";
  EXPECT_TRUE(has(with_volatile_accesses(loop(itself, sums)), plain));
  EXPECT_TRUE(has(with_volatile_accesses(loop(itself, sums)), "call void @simt_volatile_read("));
  const std::string walks = "  %m = add i32 %n, 1\n  store i32 %m, i32* %i, align 4\n  %c = icmp eq i32 %v, 0\n";
  EXPECT_TRUE(has(with_volatile_accesses(loop(element, walks)), plain));
  const std::string once = function_of("  %p = load i32*, i32** %flag.addr, align 8\n" + plain + "  ret void\n");
  EXPECT_TRUE(has(with_volatile_accesses(once), plain));
}

TEST(volatile_accesses, a_branch_within_the_loop_may_decide_it) {
  const std::string text = function_of(
      "  store i32 0, i32* %i, align 4\n  br label %head\n\nhead:\n  %f = load i32*, i32** %flag.addr, align 8\n" +
      itself + plain +
      "  %c = icmp eq i32 %v, 0\n  br i1 %c, label %wait, label %set\n\nset:\n  store i32 1, i32* %i, align 4\n"
      "  br label %wait\n\nwait:\n  %n = load i32, i32* %i, align 4\n  %d = icmp eq i32 %n, 0\n"
      "  br i1 %d, label %head, label %done\n\ndone:\n  ret void\n");
  EXPECT_TRUE(has(with_volatile_accesses(text), atomic));
}

TEST(volatile_accesses, a_store_publishes_unless_its_value_comes_from_the_object) {
  const auto stored = [](const std::string& value) {
    return with_volatile_accesses(function_of("  %p = load i32*, i32** %flag.addr, align 8\n" + value +
                                              "  store volatile i32 %x, i32* %p, align 4, !dbg !3\n  ret void\n"));
  };
  const std::string published = "  store atomic volatile i32 %x, i32* %p monotonic, align 4, !dbg !3\n";
  EXPECT_TRUE(has(stored("  %x = load i32, i32* %i, align 4\n"), published));
  EXPECT_FALSE(has(stored("  %x = load i32, i32* %i, align 4\n"),
                   "simt_volatile_write("
                   "i8* %"));
  const std::string updated = stored(
      "  %q = load i32*, i32** %flag.addr, align 8\n"
      "  %v = load volatile i32, i32* %q, align 4\n  %x = add i32 %v, 1\n");
  EXPECT_TRUE(has(updated, "  store volatile i32 %x, i32* %p, align 4, !dbg !3\n")) << updated;
  EXPECT_TRUE(has(updated, "call void @simt_volatile_write("));
  EXPECT_FALSE(has(stored("  %x = call i32 @next(i32* %p)\n"), published));
}

TEST(volatile_accesses, a_function_that_only_loads_polls_where_all_its_callers_do) {
  const std::string look =
      "define i32 @look(i32* %q) {\n  %p = bitcast i32* %q to i32*\n" + plain + "  ret i32 %v\n}\n";
  const std::string waits = loop(itself, "  %w = call i32 @look(i32* %f)\n  %c = icmp eq i32 %w, 0\n");
  EXPECT_TRUE(has(with_volatile_accesses(look + waits).substr(0, look.size() + 200), atomic));
  const std::string reads = "define i32 @data(i32* %f) {\n  %w = call i32 @look(i32* %f)\n  ret i32 %w\n}\n";
  EXPECT_FALSE(has(with_volatile_accesses(look + waits + reads).substr(0, look.size() + 200), atomic));
}

TEST(volatile_accesses, other_types_and_a_lane_s_own_variables_stay) {
  const std::string polls = loop(itself, "  %c = icmp eq i32 %v, 0\n");
  const auto changed = [&](const std::string& before, const std::string& after) {
    std::string text = polls;
    text.replace(text.find(before), before.size(), after);
    return with_volatile_accesses(text);
  };
  EXPECT_TRUE(has(changed("volatile i32", "volatile float"), "atomic"));
  EXPECT_FALSE(has(changed("volatile i32", "volatile i128"), "atomic"));
  EXPECT_FALSE(has(changed("align 4, !dbg", "align 2, !dbg"), "atomic"));
  const std::string own = loop("  %p = bitcast i32* %i to i32*\n", "  %c = icmp eq i32 %v, 0\n");
  EXPECT_EQ(with_volatile_accesses(own), own);
}

TEST(volatile_accesses, a_constant_address_is_one_operand) {
  const std::string address = "getelementptr inbounds ([64 x float], [64 x float]* @sums, i64 0, i64 0)";
  const std::string text = with_volatile_accesses(function_of(
      "  %v = load volatile float, float* " + address + ", align 16, !dbg !3\n  store volatile float 1.0, float* " +
      address + ", align 16, !dbg !3\n  ret void\n"));
  EXPECT_TRUE(has(text, "  %simt.volatile.0 = bitcast float* " + address + " to i8*\n")) << text;
  EXPECT_TRUE(has(text, "  store atomic volatile float 1.0, float* " + address + " monotonic, align 16, !dbg !3\n"))
      << text;
}

TEST(volatile_accesses, pointers_without_types_are_understood) {
  const std::string text =
      "define void @k(ptr %flag) {\n  %flag.addr = alloca ptr, align 8\n  store ptr %flag, ptr %flag.addr, align 8\n"
      "  br label %head\n\nhead:\n  %p = load ptr, ptr %flag.addr, align 8\n"
      "  %v = load volatile i32, ptr %p, align 4, !dbg !20\n  %c = icmp eq i32 %v, 0\n"
      "  br i1 %c, label %head, label %done\n\ndone:\n  ret void\n}\n";
  const std::string written = with_volatile_accesses(text);
  EXPECT_TRUE(has(written,
                  "  call void @simt_volatile_poll(ptr %p, i64 4), !dbg !20\n"
                  "  %v = load atomic volatile i32, ptr %p monotonic, align 4, !dbg !20\n"))
      << written;
}

}  // namespace volatile_accesses_of_code
