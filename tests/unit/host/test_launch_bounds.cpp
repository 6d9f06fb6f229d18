// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <gtest/gtest.h>

#include <string>

#include "source/launch_bounds.hpp"

namespace warpz {
namespace {

TEST(launch_bounds, wherever_the_declaration_has_them) {
  EXPECT_EQ(launch_bound_of("__global__ void __launch_bounds__(256) mine(float*) {}", "mine"), 256u);
  EXPECT_EQ(launch_bound_of("__launch_bounds__(64, 2) __global__ void mine(float*) {}", "mine"), 64u);
  EXPECT_EQ(launch_bound_of("__global__ __launch_bounds__(1'024u) static\nvoid mine(float*) {}", "mine"), 1024u);
  EXPECT_EQ(launch_bound_of("template <> __global__ void __launch_bounds__(96) mine<2>(float*) {}", "mine"), 96u);
  EXPECT_EQ(launch_bound_of("__launch_bounds__(32) __attribute__((noinline)) void mine(float*) {}", "mine"), 32u);
}

TEST(launch_bounds, by_a_name_that_the_file_defines) {
  EXPECT_EQ(launch_bound_of("#  define THREADS 128 // of a block\n__launch_bounds__(THREADS) void mine();", "mine"),
            128u);
  EXPECT_EQ(launch_bound_of("constexpr int threads = 192;\n__launch_bounds__(threads, 1) void mine();", "mine"), 192u);
}

TEST(launch_bounds, of_this_kernel_only) {
  constexpr std::string_view two =
      "__launch_bounds__(64) void first(int);\n__global__ void second(float* x) { first(1); }\n"
      "__launch_bounds__(128) void third();\n__launch_bounds__(512) void third() {}";
  EXPECT_EQ(launch_bound_of(two, "first"), 64u);
  EXPECT_EQ(launch_bound_of(two, "second"), 0u);
  EXPECT_EQ(launch_bound_of(two, "third"), 128u);
  EXPECT_EQ(launch_bound_of(two, "fourth"), 0u);
}

TEST(launch_bounds, of_which_nothing_is_known) {
  for (const std::string_view source :
       {"", "void mine();", "// __launch_bounds__(64)\nvoid mine();", "__launch_bounds__(2 * 64) void mine();",
        "__launch_bounds__(elsewhere) void mine();", "#define THREADS (64)\n__launch_bounds__(THREADS) void mine();",
        "__launch_bounds__(64) void mine(); __launch_bounds__(N) void mine() {}", "__launch_bounds__(64u) = 3; mine",
        "__launch_bounds__(99999999999999999999) void mine();", "__launch_bounds__(4294967296) void mine();"})
    EXPECT_EQ(launch_bound_of(source, "mine"), 0u) << source;
}

TEST(launch_bounds, of_what_is_no_program) {
  for (const std::string_view cut :
       {"__launch_bounds__", "__launch_bounds__(", "__launch_bounds__(64", "__launch_bounds__(64)",
        "__launch_bounds__(64) __x(", "__launch_bounds__(64) mine(", "__launch_bounds__(64) __x))) mine"})
    EXPECT_LE(launch_bound_of(cut, "mine"), 64u) << cut;
}

TEST(launch_bounds, of_a_file_of_one_long_line) {
  const std::string text = "__launch_bounds__(N) void mine(); //" + std::string(std::size_t{1} << 20, '#');
  EXPECT_EQ(launch_bound_of(text, "mine"), 0u);
}

}  // namespace
}  // namespace warpz
