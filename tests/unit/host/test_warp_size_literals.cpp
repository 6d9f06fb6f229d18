// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The numbers in a kernel's source that are a warp's size.
#include "source/warp_size_literals.hpp"

#include <gtest/gtest.h>

namespace {

using namespace warpz;

/// The numbers of the lines that are found.
std::vector<unsigned> lines_in(std::string_view source, unsigned warp_size = 32) {
  std::vector<unsigned> numbers;
  for (const source_line& each : warp_size_literals(source, "k.hip", warp_size)) numbers.push_back(each.line);
  return numbers;
}

using lines = std::vector<unsigned>;

/// "line: reason" of each line that is surely written for 32 lanes.
std::vector<std::string> assumptions_in(std::string_view source) {
  std::vector<std::string> found;
  for (const warp_size_assumption& each : warp_size_assumptions(source, "k.hip"))
    found.push_back(std::to_string(each.line.line) + ": " + each.reason);
  return found;
}

using texts_of_lines = std::vector<std::string>;

TEST(warp_size_literals, sizes_in_calls) {
  EXPECT_EQ(lines_in("\nx = __shfl_down(v, 16);"), lines{2});
  EXPECT_EQ(lines_in("x = __shfl(v, 31);"), lines{1});
  EXPECT_EQ(lines_in("x = __shfl_xor(v, 1, 32);"), lines{1});
  EXPECT_EQ(lines_in("x = __shfl_sync(0xffffffffull, v, 0);"), lines{1});
  EXPECT_EQ(lines_in("x = __shfl_sync(0xFFFF'FFFFul, v, 0);"), lines{1});
  EXPECT_EQ(lines_in("x = __ballot_sync(4294967295ull, p);"), lines{1});
  EXPECT_EQ(lines_in("x = warpz::shuffle_idx(v, 31);"), lines{1});
  EXPECT_EQ(lines_in("__syncwarp(0xffffffffull);"), lines{1});
}

TEST(warp_size_literals, sizes_by_name) {
  EXPECT_EQ(lines_in("#define FULL 0xffffffffull\nx = __shfl_sync(FULL, v, 0);"), lines{2});
  EXPECT_EQ(lines_in("constexpr int width = 32;\nx = __shfl(v, 0, width);"), lines{2});
  EXPECT_EQ(lines_in("int width = 32;\nwidth = warpSize;\nx = __shfl(v, 0, width);"), lines{});
  for (const char* const change : {"width *= 2;", "width >>= 1;", "++width;", "width--;"}) {
    EXPECT_EQ(lines_in("int width = 32;\n" + std::string(change) + "\nx = __shfl(v, 0, width);"), lines{}) << change;
  }
}

TEST(warp_size_literals, sizes_in_loops_around_a_call) {
  EXPECT_EQ(lines_in("for (int d = 16; d > 0; d /= 2)\n  v += __shfl_down(v, d);"), lines{1});
  EXPECT_EQ(lines_in("for (int d = 1; d < 32; d *= 2) {\n  float o = __shfl_up(v, d);\n}"), lines{1});
  EXPECT_EQ(lines_in("for (int d = 16; d > 0; d /= 2)\n  sum += d;\nx = __shfl(v, 0);"), lines{});
  EXPECT_EQ(lines_in("for (int k = 0; k < 16; ++k) v += __shfl_down(v, 1);"), lines{});
  EXPECT_EQ(lines_in("for (int d = warpSize / 2; d > 0; d /= 2) v += __shfl_down(v, d);"), lines{});
}

TEST(warp_size_literals, lanes_and_warps_made_of_the_thread) {
  for (const char* const result : {"threadIdx.x % 32", "threadIdx.x / 32", "threadIdx.x & 31", "threadIdx.x >> 5",
                                   "(int)threadIdx.x % 32u", "static_cast<int>(threadIdx.x) / 32"}) {
    EXPECT_EQ(lines_in("\nint n = " + std::string(result) + ";"), lines{2}) << result;
    EXPECT_EQ(lines_in("int n = " + std::string(result) + ";", 64), lines{}) << result;
  }
  EXPECT_EQ(lines_in("int n = threadIdx.x >> 6;", 64), lines{1});
  EXPECT_EQ(lines_in("int t = threadIdx.x;\nint lane = t % 32;"), lines{2});
  EXPECT_EQ(lines_in("const int WS = 32;\nint lane = threadIdx.x % WS;"), lines{2});
  for (const char* const other : {"threadIdx.y % 32", "threadIdx.x % 16", "threadIdx.x & 32", "threadIdx.x >> 4",
                                  "threadIdx.x + 32", "f(threadIdx.x) % 32", "threadIdx.x % warpSize", "t % 32"}) {
    EXPECT_EQ(lines_in("int n = " + std::string(other) + ";"), lines{}) << other;
  }
}

TEST(warp_size_literals, steps_of_a_warp) {
  EXPECT_EQ(lines_in("\nfor (int i = threadIdx.x; i < n; i += 32) s += v[i];"), lines{2});
  EXPECT_EQ(lines_in("int t = threadIdx.x;\nfor (int i = t; i < n; i += 32) s += v[i];"), lines{2});
  EXPECT_EQ(lines_in("for (int i = threadIdx.x; i < n; i += warpSize) s += v[i];"), lines{});
  EXPECT_EQ(lines_in("for (int i = 0; i < n; i += 32) s += v[i];"), lines{});
}

TEST(warp_size_literals, masks_in_32_bits) {
  for (const char* const type : {"unsigned", "int", "unsigned int", "uint32_t", "const unsigned"}) {
    EXPECT_EQ(lines_in(std::string(type) + " above = __ballot(p);"), lines{1}) << type;
  }
  EXPECT_EQ(lines_in("\nunsigned here = __activemask();"), lines{2});
  EXPECT_EQ(lines_in("unsigned same = hip::__match_any_sync(here, v);"), lines{1});
  EXPECT_EQ(lines_in("unsigned above = ::__ballot(p);"), lines{1});
  for (const char* const type : {"unsigned long long", "long long int", "auto", "uint64_t", "bool"}) {
    EXPECT_EQ(lines_in(std::string(type) + " above = __ballot(p);"), lines{}) << type;
  }
  EXPECT_EQ(lines_in("int count = __popcll(__ballot(p));"), lines{});
  EXPECT_EQ(lines_in("unsigned above = __ballot(p);", 64), lines{});
}

TEST(warp_size_literals, numbers_elsewhere_are_none) {
  EXPECT_EQ(lines_in("// __shfl(v, 31)\n/* __shfl(v,\n 31) */ const char* s = \"__shfl(v, 31)\";"), lines{});
  EXPECT_EQ(lines_in("x = __shfl(32, 0); y = __shfl_sync(~0ull, 31, 0); z = __shfl(v, i + 31);"), lines{});
  EXPECT_EQ(lines_in("x = a[31] + f(16, 32);"), lines{});
  EXPECT_EQ(lines_in("x = __shfl(v, 31);", 64), lines{});
  EXPECT_EQ(lines_in("x = __shfl(v, 63);", 64), lines{1});
  EXPECT_EQ(lines_in("__shfl("), lines{});
  EXPECT_EQ(lines_in("for ("), lines{});
  EXPECT_EQ(lines_in("x = __shfl(v, 99999999999999999999999);"), lines{});
}

TEST(warp_size_literals, behind_whatever_could_hide_them) {
  for (const char* const before : {R"(char c = '"';)", R"(char c = '\'';)", R"x(auto s = R"(")";)x",
                                   R"x(auto s = R"a(" // )" )a";)x", "long n = 1'000;", R"(auto s = "\"//";)"}) {
    EXPECT_EQ(lines_in("\n" + std::string(before) + " int lane = threadIdx.x % 32;"), lines{2}) << before;
  }
  EXPECT_EQ(lines_in("auto s = R\"(\n\n)\"; int lane = threadIdx.x % 32;"), lines{3});
}

TEST(warp_size_literals, operators_are_no_variables) {
  EXPECT_EQ(lines_in("for (int k = 0; k < 16; k += 1) v += __shfl_down(v, n + 1);"), lines{});
  EXPECT_EQ(lines_in("constexpr int W = 32; static_assert(W == 32);\nx = __shfl(v, 0, W);"), lines{2});
}

TEST(warp_size_literals, the_line_is_shown_as_it_stands) {
  const auto found = warp_size_literals("\n\n  x = __shfl(v, 31);\t\n", "a/k.hip", 32);
  ASSERT_EQ(found.size(), 1u);
  EXPECT_EQ(found[0].file, "a/k.hip");
  EXPECT_EQ(found[0].function, "x = __shfl(v, 31);");
}

TEST(warp_size_literals, masks_that_lose_their_upper_half_later) {
  for (const char* const cut : {"int n = __popc(__ballot(p));", "auto m = __ballot(p);\nint n = __popc(m & below);",
                                "unsigned m;\nm = __ballot(p);", "f((unsigned)__ballot(p));",
                                "f(static_cast<uint32_t>(::__ballot(p)));", "f(unsigned(__activemask()));"}) {
    EXPECT_EQ(lines_in(cut).size(), 1u) << cut;
  }
  for (const char* const whole : {"int n = __popcll(__ballot(p));", "uint64_t m;\nm = __ballot(p);",
                                  "void g(unsigned m);\nuint64_t m;\nm = __ballot(p);", "int n = __popc(bits);",
                                  "bool any = __ballot(p) != 0;", "f((bool)__ballot(p));"}) {
    EXPECT_EQ(lines_in(whole), lines{}) << whole;
  }
}

TEST(warp_size_literals, a_width_is_no_half_of_a_warp) {
  EXPECT_EQ(lines_in("x = __shfl(x, 0, 32);", 64), lines{});
  EXPECT_EQ(lines_in("x = __shfl(x, 0, 64);", 64), lines{1});
  EXPECT_EQ(lines_in("x = __shfl_down_sync(m, x, 1, 32);"), lines{1});
  EXPECT_EQ(lines_in("x = __shfl_down(x, 32);", 64), lines{1});
}

TEST(warp_size_literals, loops_for_64_lanes_are_not_for_32) {
  EXPECT_EQ(lines_in("for (int d = 32; d > 0; d /= 2) v += __shfl_down(v, d);"), lines{});
  EXPECT_EQ(lines_in("for (int d = 32; d > 0; d /= 2) v += __shfl_down(v, d);", 64), lines{1});
  EXPECT_EQ(lines_in("for (int d = 32 / 2; d > 0; d /= 2) v += __shfl_down(v, d);"), lines{1});
  EXPECT_EQ(lines_in("for (int d = 1; d <= 16; d *= 2) v += __shfl_up(v, d);"), lines{1});
}

TEST(warp_size_literals, assumptions_have_a_reason) {
  EXPECT_EQ(assumptions_in("\nm = b & (1u << lane);"), texts_of_lines{"2: a lane's bit is shifted in 32 bits"});
  EXPECT_EQ(assumptions_in("if (lane_id == 31) f();"), texts_of_lines{"1: 31 is taken for the last lane"});
  EXPECT_EQ(assumptions_in("unsigned m = __ballot(p);"), texts_of_lines{"1: a set of lanes is kept in 32 bits"});
  EXPECT_EQ(assumptions_in("x = __shfl(v, 31);"), texts_of_lines{"1: a width or a lane is that of 32 lanes"});
  EXPECT_EQ(assumptions_in("__syncwarp(0xffffffffull);"), texts_of_lines{"1: a mask names 32 lanes"});
  for (const char* const other : {"x = __shfl_xor(v, 16);", "m = 1ull << lane;", "m = 1u << bit;",
                                  "if (lane == 0) f();", "if (row == 31) f();", "x = __shfl_xor(v, 1);"}) {
    EXPECT_EQ(assumptions_in(other), texts_of_lines{}) << other;
  }
}

}  // namespace
