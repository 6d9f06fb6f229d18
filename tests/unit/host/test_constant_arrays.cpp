// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Definitions in intermediate code, as Clang 14 and newer ones write them.
#include "source/constant_arrays.hpp"

#include <gtest/gtest.h>

#include <utility>

namespace constant_arrays_of_code {

using namespace warpz;

TEST(constant_arrays, are_variables) {
  for (const auto& [before, after] :
       {std::pair<std::string, std::string>{
            "@_ZL5table = internal constant [4 x float] [float 1.0, float 2.0], align 16\n",
            "@_ZL5table = internal externally_initialized global [4 x float] [float 1.0, "
            "float 2.0], align 16\n"},
        {"@_ZN1XIiE1vE = linkonce_odr hidden constant [2 x i32] [i32 1, i32 2], comdat, align 4\n",
         "@_ZN1XIiE1vE = linkonce_odr hidden global [2 x i32] [i32 1, i32 2], comdat, align 4\n"},
        {"@table = dso_local constant [2 x i8*] [i8* null, i8* null]",
         "@table = dso_local global [2 x i8*] [i8* null, i8* null]"},
        {"@there = external constant [2 x i32], align 4", "@there = external global [2 x i32], align 4"},
        {"@pair = internal constant %struct.pair { [2 x i32] [i32 1, i32 2] }",
         "@pair = internal externally_initialized global %struct.pair { [2 x i32] [i32 1, i32 2] }"},
        {"@tail = internal constant <{ i32, [15 x i32] }> <{ i32 1, [15 x i32] zeroinitializer }>",
         "@tail = internal externally_initialized global <{ i32, [15 x i32] }> <{ i32 1, [15 x i32] zeroinitializer "
         "}>"},
        {"@either = linkonce_odr constant { i32, [4 x i8] } undef",
         "@either = linkonce_odr global { i32, [4 x i8] } undef"},
        {"@\"a b\" = internal constant [1 x %struct.pair] zeroinitializer",
         "@\"a b\" = internal externally_initialized global [1 x %struct.pair] zeroinitializer"}}) {
    EXPECT_EQ(with_accessed_constant_arrays(before), after);
    EXPECT_EQ(with_accessed_constant_arrays("\n" + before + "}\n" + before), "\n" + after + "}\n" + after);
  }
}

TEST(constant_arrays, what_nobody_has_declared_stays_constant) {
  for (const std::string line :
       {"@.str = private unnamed_addr constant [4 x i8] c\"abc\\00\", align 1",
        "@_ZTS1V = linkonce_odr constant [3 x i8] c\"1V\\00\", comdat, align 1",
        "@_ZTI1V = linkonce_odr constant { i8*, i8* } { i8* null, i8* null }",
        "@_ZN4simt3hip10whole_warpE = linkonce_odr constant %\"struct.simt::participants\" { i64 -1, i8 2 }, comdat",
        "@limit = internal constant i32 5, align 4", "@numbers = internal global [2 x i32] [i32 1, i32 2]",
        "@numbers = internal global [2 x i8] c\" constant [2 x i8]\"", "  %x = constant [2 x i32]", "@x constant [",
        "@", "", "\n", "@x = internal constant "}) {
    EXPECT_EQ(with_accessed_constant_arrays(line), line);
  }
}

}  // namespace constant_arrays_of_code
