// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Assumptions about addresses in Clang's intermediate code, and the calls that they become.
#include "source/misalignment.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <string>

namespace misalignment_of_code {

using namespace warpz;

/// What these lines become in a function of this name, up to its end.
std::string function_of(const std::string& lines, std::string_view name = "_Z1kPf") {
  const std::string begin = fmt::format("define void @{}() {{\n", name);
  const std::string code = with_assumed_alignment(fmt::format("{}{}\n}}\n", begin, lines));
  return code.substr(begin.size(), code.find("\n}\n") - begin.size());
}

TEST(misalignment, accesses_that_ask_for_more_than_their_width) {
  const std::string store = "  store float 1.0, float* %3, align 16, !dbg !9";
  EXPECT_EQ(function_of(store),
            "  call void @llvm.assume(i1 true) [ \"align\"(float* %3, i64 16), \"cold\"() ], !dbg !9\n" + store);
  const std::string load = "  %4 = load float, ptr %3, align 8";
  EXPECT_EQ(function_of(load), "  call void @llvm.assume(i1 true) [ \"align\"(ptr %3, i64 8) ]\n" + load);
  for (const std::string other : {"  %4 = load double, ptr %3, align 8", "  %4 = load <4 x float>, ptr %3, align 16",
                                  "  %4 = load float, float* %3, align 4, !dbg !9", "  store i64 %1, ptr @g, align 16"})
    EXPECT_EQ(function_of(other), other);
  for (const std::string_view own : {"_ZN4simt4lane3runEv", "_ZNK4simt4site5typedENS_10value_typeE",
                                     "_ZZN5warpz3sumEvENKUlvE_clEv", "_ZSt4moveIN5warpz6detail4copyEEvT_"})
    EXPECT_EQ(function_of(store, own), store) << "of the machine itself: " << own;
  for (const std::string_view other : {"_ZSt4moveIPfEvT_", "_Z4simtv", "_ZN4mine5warpzEv"})
    EXPECT_NE(function_of(store, other), store) << other;
}

TEST(misalignment, both_sides_of_a_copy) {
  const std::string copy =
      "  call void @llvm.memcpy.p0i8.p0i8.i64(i8* noundef align 16 %7, i8* align 8 %8, i64 16, i1 false), !dbg !9";
  EXPECT_EQ(function_of(copy),
            "  call void @llvm.assume(i1 true) [ \"align\"(i8* %7, i64 16), \"cold\"() ], !dbg !9\n"
            "  call void @llvm.assume(i1 true) [ \"align\"(i8* %8, i64 8) ], !dbg !9\n" +
                copy);
}

TEST(misalignment, local_variables_are_aligned_by_the_compiler) {
  const std::string local =
      "  %1 = alloca %struct.a, align 16\n  %2 = bitcast %struct.a* %1 to i8*\n"
      "  %3 = getelementptr inbounds i8, i8* %2, i64 0\n"
      "  call void @llvm.memcpy.p0i8.p0i8.i64(i8* align 16 %3, i8* align 1 %9, i64 16, i1 false)";
  EXPECT_EQ(function_of(local), local);
}

TEST(misalignment, assumptions_become_calls) {
  const std::string begin = "define void @k() {\n", end = "\n}\n";
  const auto checked = [&](const std::string& line) {
    const std::string code = with_checked_alignment(begin + line + end);
    return code.substr(begin.size(), code.find(end) - begin.size());
  };
  EXPECT_EQ(checked("  call void @llvm.assume(i1 true) #8 [ \"align\"(i8* %7, i64 16), \"cold\"() ], !dbg !9"),
            "  %simt.aligned.0 = bitcast i8* %7 to i8*, !dbg !9\n"
            "  call void @simt_aligned(i8* %simt.aligned.0, i64 16, i32 1), !dbg !9");
  EXPECT_EQ(checked("  call void @llvm.assume(i1 true) [ \"align\"(ptr %7, i64 8) ]"),
            "  call void @simt_aligned(ptr %7, i64 8, i32 0)");
  for (const std::string other :
       {"  call void @llvm.assume(i1 %3)", "  call void @llvm.assume(i1 true) [ \"nonnull\"(ptr %1) ]"})
    EXPECT_EQ(checked(other), other);
  EXPECT_TRUE(assumes_alignment(function_of("  %4 = load float, ptr %3, align 8")));
  EXPECT_FALSE(assumes_alignment("  call void @llvm.assume(i1 %3)"));
}

}  // namespace misalignment_of_code
