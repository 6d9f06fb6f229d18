// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Definitions in intermediate code, as Clang 14 and newer ones write them.
#include "source/marked_kernels.hpp"

#include <gtest/gtest.h>

namespace {

using namespace warpz;

constexpr char older[] = R"(
define dso_local void @_ZN5probe4of_0EPfPKfi(float* noundef %output, float* noundef %input, i32 noundef %size) #0 section "marked" !dbg !1 {
  ret void
}
declare void @_Z5otherPf(float*) #1 section "marked"
define internal void @_ZL4minePfPKfi(float* noundef %0, float* noundef %1, i32 noundef %2) #0 section "marked" comdat align 2 personality i8* bitcast (i32 (...)* @__gxx_personality_v0 to i8*) {
  call void @_Z5otherPf(float* null)
}
define weak_odr void @"_Z6\C3\A9tudePfPKfi"(float* noundef byval(float) align 4 %0, float* %1, i32 %2) section "marked" {
}
define void @_Z4hostv() #2 {
}
)";

constexpr char newer[] = R"(define void @of(ptr noundef %0, i32 noundef %1, float noundef %2) section "marked" {
}
define void @f(ptr noundef %0, i32 noundef %1, float noundef %2) section "marked" {
})";

TEST(marked_kernels, are_those_that_the_section_has) {
  const std::vector<std::string> expected{"_ZN5probe4of_0EPfPKfi", "_ZL4minePfPKfi", "_Z6\xc3\xa9tudePfPKfi"};
  EXPECT_EQ(functions_in_section(older, "marked"), expected);
  EXPECT_EQ(functions_in_section(older, "mark"), std::vector<std::string>{});
  EXPECT_EQ(functions_in_section("define", "marked"), std::vector<std::string>{});
  EXPECT_EQ(functions_in_section("define @\"", "marked"), std::vector<std::string>{});
  EXPECT_EQ(functions_in_section("define void @f(", "marked"), std::vector<std::string>{});
}

TEST(marked_kernels, get_names_for_code_beside_them) {
  const std::vector<function_alias> aliases{{"first", "_ZL4minePfPKfi", "_ZN5probe4of_0E"},
                                            {"second", "_Z6\xc3\xa9tudePfPKfi", "_ZN5probe4of_0E"},
                                            {"third", "_Z4nonev", "_ZN5probe4of_0E"}};
  EXPECT_EQ(with_aliases(older, aliases), std::string(older) +
                                              "\n@first = hidden alias void (float*, float*, i32), "
                                              "void (float*, float*, i32)* @_ZL4minePfPKfi\n"
                                              "@second = hidden alias void (float*, float*, i32), "
                                              "void (float*, float*, i32)* @\"_Z6\\C3\\A9tudePfPKfi\"\n");
  EXPECT_EQ(with_aliases(newer, std::vector<function_alias>{{"a", "f", "of"}}),
            std::string(newer) + "\n@a = hidden alias void (ptr, i32, float), ptr @f\n");
}

}  // namespace
