// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Intermediate code as Clang 14 and as newer ones write it, with values asked for in place of patterns.
#include "source/unset_values.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace unset_values_of_code {

using namespace warpz;

constexpr std::string_view end = "!7 = !{!\"auto-init\"}\n";

/// The lines that come of this one, with the number of the variable as N, and without what is declared at the end.
std::vector<std::string> lines_of(const std::string& line) {
  const std::string code = with_unset_values("define void @k() {\n" + line + "\n}\n" + std::string(end), "k.ll");
  std::vector<std::string> lines;
  std::string_view rest = code;
  for (rest.remove_prefix(rest.find('\n') + 1); rest.substr(0, 1) != "}"; rest.remove_prefix(rest.find('\n') + 1)) {
    std::string each(rest.substr(0, rest.find('\n')));
    constexpr std::string_view call = "@simt_unset_value(i64 ";
    if (const std::size_t at = each.find(call); at != std::string::npos) {
      const std::size_t begin = at + call.size();
      each.replace(begin, each.find(')', begin) - begin, "N");
    }
    lines.push_back(each);
  }
  return lines;
}

const std::string ask = "  %simt.unset.0 = call i64 @simt_unset_value(i64 N), !dbg !12";
const std::string trunc = "  %simt.unset.0.trunc = trunc i64 %simt.unset.0 to ";
const std::string tail = ", align 8, !dbg !12, !annotation !7";

TEST(unset_values, a_number_is_as_wide_as_its_type) {
  EXPECT_EQ(lines_of("  store i32 -1431655766, ptr %1" + tail),
            (std::vector{ask, trunc + "i32", "  store i32 %simt.unset.0.trunc, ptr %1" + tail}));
  EXPECT_EQ(lines_of("  store i64 -6148914691236517206, i64* %1" + tail),
            (std::vector{ask, "  store i64 %simt.unset.0, i64* %1" + tail}));
  EXPECT_EQ(lines_of("  store volatile i8 -86, i8* %1" + tail),
            (std::vector{ask, trunc + "i8", "  store volatile i8 %simt.unset.0.trunc, i8* %1" + tail}));
  EXPECT_EQ(lines_of("  store half 0xHFFFF, half* %1" + tail),
            (std::vector{ask, trunc + "i16",
                         std::string("  %simt.unset.0.trunc.bitcast = bitcast i16 %simt.unset.0.trunc to half"),
                         "  store half %simt.unset.0.trunc.bitcast, half* %1" + tail}));
  EXPECT_EQ(lines_of("  store double 0xFFFFFFFFFFFFFFFF, ptr %1" + tail),
            (std::vector{ask, std::string("  %simt.unset.0.bitcast = bitcast i64 %simt.unset.0 to double"),
                         "  store double %simt.unset.0.bitcast, ptr %1" + tail}));
}

TEST(unset_values, a_pointer) {
  EXPECT_EQ(lines_of("  store ptr inttoptr (i64 -6148914691236517206 to ptr), ptr %1" + tail),
            (std::vector{ask, std::string("  %simt.unset.0.inttoptr = inttoptr i64 %simt.unset.0 to ptr"),
                         "  store ptr %simt.unset.0.inttoptr, ptr %1" + tail}));
  for (const std::string type : {"void (%\"struct.a, b\"*, i32)*", "i32 (...)**", "i32 (i32, i32)**"}) {
    EXPECT_EQ(lines_of(fmt::format("  store {0} inttoptr (i64 -6148914691236517206 to {0}), {0}* %1{1}", type, tail)),
              (std::vector{ask, fmt::format("  %simt.unset.0.inttoptr = inttoptr i64 %simt.unset.0 to {}", type),
                           fmt::format("  store {0} %simt.unset.0.inttoptr, {0}* %1{1}", type, tail)}));
  }
}

TEST(unset_values, larger_ones_are_filled_with_the_highest_byte) {
  const std::string byte = "  %simt.unset.0.b = lshr i64 %simt.unset.0, 56";
  const std::string cut = "  %simt.unset.0.b.trunc = trunc i64 %simt.unset.0.b to i8";
  const std::string rest = ", i64 400, i1 false), !dbg !12, !annotation !7";
  const std::string fill = "  call void @llvm.memset.p0.i64(ptr align 16 %5, i8 ";
  EXPECT_EQ(lines_of(fill + "-1" + rest), (std::vector{ask, byte, cut, fill + "%simt.unset.0.b.trunc" + rest}));
  EXPECT_EQ(lines_of("  call void @llvm.memcpy.p0.p0.i64(ptr align 16 %5, ptr align 8 @__const.k.x" + rest),
            (std::vector{ask, byte, cut, fill + "%simt.unset.0.b.trunc" + rest}));
  const std::string typed = "  call void @llvm.memset.p0i8.i64(i8* align 4 %5, i8 ";
  EXPECT_EQ(
      lines_of("  call void @llvm.memcpy.p0i8.p0i8.i64(i8* align 4 %5, i8* align 8 getelementptr inbounds ({ i8, [7 "
               "x i8], i64 }, { i8, [7 x i8], i64 }* @__const.k.x, i32 0, i32 0)" +
               rest),
      (std::vector{ask, byte, cut, typed + "%simt.unset.0.b.trunc" + rest}));
}

TEST(unset_values, all_else_stays_as_it_is) {
  for (const std::string line :
       {"  store i32 5, ptr %1, align 4, !dbg !12", "  store i32 5, ptr %1, align 4, !dbg !12, !annotation !8",
        "  store <4 x float> <float 0xFF>, ptr %1, align 16, !dbg !12, !annotation !7",
        "  store i128 -5, ptr %1, align 16, !annotation !7", "  store i32",
        "  call void @llvm.memset.p0.i64(, !annotation !7", "  call void @llvm.memcpy.p0.i64(ptr, !annotation !7",
        "store i32 -1, !annotation !7"}) {
    EXPECT_EQ(lines_of(line), std::vector{line});
  }
  for (const std::string code :
       {"", "\n", "!7 = !{!\"auto-init\"}", "no code", "  store i32 -1, ptr %1, !annotation !7"}) {
    EXPECT_EQ(with_unset_values(code, "k.ll"), code);
  }
}

TEST(unset_values, parts_of_a_variable_have_its_number_and_others_another) {
  const auto numbers = [](std::string_view name) {
    std::string code = "define void @k() {\n";
    for (const int place : {12, 12, 13})
      code += fmt::format("  store i8 -1, ptr %1, !dbg !{}, !annotation !7\n", place);
    code = with_unset_values(code + "}\n" + std::string(end), name);
    std::vector<std::string> found;
    constexpr std::string_view call = "call i64 @simt_unset_value(i64 ";
    for (std::size_t at = code.find(call); at != std::string::npos; at = code.find(call, at + 1)) {
      found.push_back(code.substr(at + call.size(), code.find(')', at) - at - call.size()));
    }
    return found;
  };
  const std::vector<std::string> one = numbers("0.ll"), other = numbers("1.ll");
  ASSERT_EQ(one.size(), 3);
  EXPECT_EQ(one[0], one[1]);
  EXPECT_NE(one[1], one[2]);
  EXPECT_NE(one[0], other[0]);
}

TEST(unset_values, what_is_called_is_declared_once) {
  const auto declared = [](const std::string& code, std::string_view declaration) {
    const std::string text = with_unset_values(code + std::string(end), "k.ll");
    const std::size_t at = text.find(declaration);
    return at != std::string::npos && text.find(declaration, at + 1) == std::string::npos;
  };
  const std::string copy = "  call void @llvm.memcpy.p0.p0.i64(ptr %5, ptr @x, i64 4, i1 false), !annotation !7\n";
  EXPECT_TRUE(declared(copy, "declare i64 @simt_unset_value(i64)"));
  EXPECT_TRUE(declared(copy, "declare void @llvm.memset.p0.i64("));
  EXPECT_TRUE(declared(copy + "declare void @llvm.memset.p0.i64(ptr)\n", "declare void @llvm.memset.p0.i64("));
  EXPECT_FALSE(declared("  store i8 -1, ptr %1, !annotation !7\n", "declare void @llvm.memset"));
}

}  // namespace unset_values_of_code
