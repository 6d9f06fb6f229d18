// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Intermediate code as Clang 14 and as newer ones write it, with calls for the accesses that have none.
#include "source/unseen_accesses.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <string>

#include "source/intermediate_code.hpp"

namespace unseen_accesses_of_code {

using namespace warpz;

constexpr std::string_view types = "%struct.big = type { [9 x float], i8 }\n";
constexpr std::string_view groups =
    "attributes #0 = { nounwind sanitize_thread uwtable }\nattributes #1 = { nounwind }\n";

/// What a function with this line becomes, up to its end.
std::string function_of(const std::string& line, std::string_view group = "#0") {
  const std::string begin = fmt::format("{}define void @k() {} {{\n", types, group);
  const std::string code = with_all_accesses(fmt::format("{}{}\n}}\n{}", begin, line, groups));
  EXPECT_EQ(code.substr(0, begin.size()), begin);
  return code.substr(begin.size(), code.find("\n}\n") - begin.size());
}

TEST(unseen_accesses, odd_widths_get_a_call_at_their_place) {
  EXPECT_EQ(function_of("  store i24 %1, i24* %2, align 1, !dbg !12, !tbaa !3"),
            "  %simt.at.0 = bitcast i24* %2 to i8*, !dbg !12\n"
            "  call void @__tsan_write_range(i8* %simt.at.0, i64 3), !dbg !12\n"
            "  store i24 %1, i24* %2, align 1, !dbg !12, !tbaa !3");
  EXPECT_EQ(function_of("  %3 = load volatile i48, ptr %2, align 2"),
            "  call void @__tsan_read_range(ptr %2, i64 6)\n  %3 = load volatile i48, ptr %2, align 2");
  EXPECT_EQ(function_of("  store <8 x float> <float 1.0, float 2.0>, <8 x float>* %p, align 32"),
            "  %simt.at.0 = bitcast <8 x float>* %p to i8*\n"
            "  call void @__tsan_write_range(i8* %simt.at.0, i64 32)\n"
            "  store <8 x float> <float 1.0, float 2.0>, <8 x float>* %p, align 32");
  EXPECT_NE(function_of("  %3 = load x86_fp80, x86_fp80* %2, align 16").find("i64 10)"), std::string::npos);
  EXPECT_NE(function_of("  store i24 0, i24* bitcast ([3 x i8]* @g to i24*), align 1")
                .find("%simt.at.0 = bitcast i24* bitcast ([3 x i8]* @g to i24*) to i8*"),
            std::string::npos);
}

TEST(unseen_accesses, other_address_spaces) {
  EXPECT_EQ(function_of("  store i32 1, i32 addrspace(3)* %2, align 4"),
            "  %simt.at.0 = addrspacecast i32 addrspace(3)* %2 to i8*\n"
            "  call void @__tsan_write_range(i8* %simt.at.0, i64 4)\n"
            "  store i32 1, i32 addrspace(3)* %2, align 4");
  EXPECT_EQ(function_of("  %3 = load float, ptr addrspace(1) %2, align 4"),
            "  %simt.at.0 = addrspacecast ptr addrspace(1) %2 to ptr\n"
            "  call void @__tsan_read_range(ptr %simt.at.0, i64 4)\n"
            "  %3 = load float, ptr addrspace(1) %2, align 4");
}

TEST(unseen_accesses, copies_for_a_callee) {
  EXPECT_EQ(function_of("  %3 = call float @f(i32 1, ptr noundef byval(%struct.big) align 8 %2), !dbg !9"),
            "  call void @__tsan_read_range(ptr %2, i64 40), !dbg !9\n"
            "  %3 = call float @f(i32 1, ptr noundef byval(%struct.big) align 8 %2), !dbg !9");
  EXPECT_EQ(function_of("  call void @f(%struct.big* noundef byval(%struct.big) align 8 %2, i32 1) #3"),
            "  %simt.at.0 = bitcast %struct.big* %2 to i8*\n"
            "  call void @__tsan_read_range(i8* %simt.at.0, i64 40)\n"
            "  call void @f(%struct.big* noundef byval(%struct.big) align 8 %2, i32 1) #3");
}

TEST(unseen_accesses, all_else_stays) {
  for (const std::string line :
       {"  store i32 1, i32* %2, align 4", "  %3 = load <4 x float>, ptr %2, align 16",
        "  store i8* %1, i8** %2, align 8", "  store void (i8*)* %1, void (i8*)** %2, align 8",
        "  store i1 true, ptr %2, align 1", "  %3 = add i24 %1, %2", "  %4 = atomicrmw add i32* %2, i32 1 seq_cst",
        "  store atomic i64 %1, ptr %2 seq_cst, align 8"}) {
    EXPECT_EQ(function_of(line), line);
  }
  const std::string odd = "  store i24 %1, ptr %2, align 1";
  EXPECT_EQ(function_of(odd, "#1"), odd) << "of a function that is not instrumented";
}

TEST(unseen_accesses, are_expected_where_the_source_has_odd_widths) {
  const auto may_have = [](std::string_view line, std::string_view function = "k") {
    return may_have_unseen_accesses(fmt::format("define void @{}() {{\n{}\n}}\n", function, line));
  };
  EXPECT_TRUE(may_have("  store i24 %1, i24* %2, align 1"));
  EXPECT_TRUE(may_have("  %4 = call i48 @_Z3f()"));
  EXPECT_TRUE(may_have("  call void @llvm.memcpy.p0.p0.i64(ptr align 1 %1, ptr align 1 %2, i64 3, i1 false)"));
  constexpr std::string_view copied = "  call void @f(ptr noundef byval(%struct.big) align 8 %2)";
  EXPECT_TRUE(may_have(copied));
  EXPECT_FALSE(may_have(copied, "_ZN5warpz5block3sumEf")) << "the machine's own";
  EXPECT_TRUE(may_have("  store i24 %1, i24* %2, align 1", "_ZN5warpz5block3sumEf"));
  EXPECT_TRUE(may_have("  %3 = load i32, i32 addrspace(3)* %2"));
  EXPECT_FALSE(may_have("  store i32 1, i32* %2, align 4"));
  EXPECT_FALSE(may_have("  call void @llvm.memcpy.p0.p0.i64(ptr align 4 %1, ptr align 4 %2, i64 12, i1 false)"));
  EXPECT_FALSE(may_have("  %3 = icmp eq i64 24, %2"));
}

TEST(intermediate_types, have_the_sizes_of_the_abi) {
  const std::string code = "%struct.a = type { i8, double, i8 }\n%\"class.b, c\" = type <{ %struct.a, i16 }>\n";
  const intermediate_types sizes(code);
  const auto bytes = [&sizes](std::string_view type) { return sizes.bytes(type).value_or(0); };
  EXPECT_EQ(bytes("%struct.a"), 24U);
  EXPECT_EQ(bytes("%\"class.b, c\""), 26U);
  EXPECT_EQ(bytes("[3 x { i8, [2 x i16] }]"), 18U);
  EXPECT_EQ(bytes("i24"), 4U);
  EXPECT_EQ(sizes.accessed_bytes("i24"), 3U);
  EXPECT_EQ(sizes.accessed_bytes("<3 x i1>"), 1U);
  EXPECT_EQ(sizes.accessed_bytes("<3 x float>"), 12U);
  EXPECT_EQ(sizes.accessed_bytes("float addrspace(1)*"), 8U);
  for (const std::string_view unknown :
       {"", "void", "%struct.none", "i", "i0", "[x i8]", "[4 x", "<{", "i99999999999999"})
    EXPECT_FALSE(sizes.bytes(unknown)) << unknown;
  const std::string endless = "%e = type { %e }\n";
  EXPECT_FALSE(intermediate_types(endless).bytes("%e"));
}

}  // namespace unseen_accesses_of_code
