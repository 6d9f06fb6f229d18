// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "source/kernel_names.hpp"

#include <gtest/gtest.h>

namespace {

using warpz::kernel_names_in;
using name_set = std::set<std::string>;

TEST(kernel_names, stand_behind_their_mark) {
  EXPECT_EQ(kernel_names_in("__global__ void a(int x) { b(x); }\nvoid c();"), name_set{"a"});
  EXPECT_EQ(kernel_names_in("static __global__ __launch_bounds__(128, min(2, 3)) void a(int) {}\n"
                            "__global__ void __attribute__((noinline)) d(float*);"),
            (name_set{"a", "d"}));
  EXPECT_EQ(kernel_names_in("template <class T> __global__ auto e(T* x) -> void;"), name_set{"e"});
}

TEST(kernel_names, are_not_in_comments_or_unfinished_code) {
  EXPECT_EQ(kernel_names_in("// __global__ void a(int)\n\"__global__ void b(int)\""), name_set{});
  for (const char* const text : {"", "__global__", "__global__ void", "__global__ void a", "__global__ void a;",
                                 "__global__ struct { int x; } y(3)"}) {
    EXPECT_EQ(kernel_names_in(text), name_set{}) << text;
  }
}

TEST(kernel_names, a_file_may_say_its_warp_size) {
  EXPECT_EQ(warpz::warp_size_said_in("#include <x>\n// warpz: --warp-size 64\r\nvoid f();"), 64U);
  EXPECT_EQ(warpz::warp_size_said_in("// warpz: --warp-size 32"), 32U);
  for (const char* const text :
       {"", "// warpz: --warp-size 31", "  // warpz: --warp-size 32", "// warpz: --warp-size"}) {
    EXPECT_EQ(warpz::warp_size_said_in(text), std::nullopt) << text;
  }
}

}  // namespace
