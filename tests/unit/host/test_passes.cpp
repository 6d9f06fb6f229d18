// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Intermediate code written by hand, for the host and for the device, and what is left of each.
#include "source/passes.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "source/ir_module.hpp"

namespace {

using namespace warpz;

constexpr std::string_view marks =
    R"(@.k = private unnamed_addr constant [13 x i8] c"warpz_kernel\00", section "llvm.metadata"
@.d = private unnamed_addr constant [13 x i8] c"warpz_device\00", section "llvm.metadata"
)";

/// The annotations of one kernel and one variable, as Clang writes them.
std::string annotations(std::string_view kernel, std::string_view variable) {
  return "@llvm.global.annotations = appending global [2 x { ptr, ptr, ptr, i32, ptr }] [{ ptr, ptr, ptr, i32, ptr } { "
         "ptr @" +
         std::string(kernel) + ", ptr @.k, ptr @.f, i32 1, ptr null }, { ptr, ptr, ptr, i32, ptr } { ptr @" +
         std::string(variable) + ", ptr @.d, ptr @.f, i32 2, ptr null }]\n";
}

/// Of these, what stays in the device's code, of one of the two: the plugin reads it.
std::string kept_annotation(std::string_view name, std::string_view mark, int line) {
  return fmt::format(
      "@llvm.global.annotations = appending global [1 x {{ ptr, ptr, ptr, i32, ptr }}] [{{ ptr, ptr, ptr, i32, ptr }} "
      "{{ ptr @{}, ptr @{}, ptr @.f, i32 {}, ptr null }}]\n",
      name, mark, line);
}

source_passes separated(const std::string& host, const std::string& device) {
  source_passes passes{host, device};
  separate({&passes, 1});
  return passes;
}

bool has(std::string_view code, std::string_view line) { return code.find(line) != std::string_view::npos; }

TEST(passes, a_kernel_is_the_devices_and_the_host_refers_to_it) {
  const std::string kernel = "define void @_Z1kPf(ptr noundef %0) #0 !dbg !5 {\n  call void @_Z1fv()\n  ret void\n}\n";
  const std::string functions =
      "define dso_local void @_Z1fv() #1 {\n  ret void\n}\n"
      "define noundef i32 @main() #2 {\n  call void @_Z1kPf(ptr null)\n  call void @_Z1fv()\n  ret i32 0\n}\n";
  const std::string code = std::string(marks) + annotations("_Z1kPf", "x") + kernel + functions;
  const auto [host, device] = separated(code, code);
  EXPECT_EQ(host, std::string(marks) + "declare hidden void @_Z1kPf(ptr noundef %0) #0\n" + functions);
  EXPECT_EQ(device, std::string(marks) + kept_annotation("_Z1kPf", ".k", 1) +
                        "define hidden void @_Z1kPf(ptr noundef %0) #0 !dbg !5 {\n  call void @_Z1fv()\n  ret void\n}\n"
                        "define internal void @_Z1fv() #1 {\n  ret void\n}\n");
}

TEST(passes, templates_of_kernels_are_merged_and_other_templates_are_not) {
  const std::string code =
      std::string(marks) + "$_Z1kIiEvv = comdat any\n$_Z1fIiEvv = comdat any\n" + annotations("_Z1kIiEvv", "x") +
      "define linkonce_odr dso_local void @_Z1kIiEvv() #0 comdat align 2 {\n  call void @_Z1fIiEvv()\n}\n"
      "define linkonce_odr dso_local void @_Z1fIiEvv() #0 comdat($_Z1fIiEvv) align 2 {\n}\n";
  const auto [host, device] = separated(code, code);
  EXPECT_TRUE(has(host, "declare hidden void @_Z1kIiEvv() #0\n")) << host;
  EXPECT_TRUE(has(host, "define linkonce_odr dso_local void @_Z1fIiEvv() #0 comdat($_Z1fIiEvv) align 2 {\n}\n"))
      << host;
  EXPECT_TRUE(has(device, "define weak_odr hidden void @_Z1kIiEvv() #0 comdat align 2 {\n")) << device;
  EXPECT_TRUE(has(device, "define internal void @_Z1fIiEvv() #0 align 2 {\n}\n")) << device;
}

TEST(passes, variables_have_one_owner) {
  const std::string kernel =
      "define void @k() {\n  %1 = load i32, ptr @_ZL6hosted\n  %2 = load i32, ptr @tile\n  %3 = load [2 x i32], ptr "
      "@table\n  %4 = load i32, ptr @only\n}\n";
  const auto code = [&](const std::string& more) {
    return std::string(marks) + annotations("k", "total") +
           "@total = global %struct.pair { i32 1, i32 2 }, align 8, !dbg !3\n"
           "@_ZL6hosted = internal global i32 7, align 4\n"
           "@tile = internal thread_local global i32 undef, align 4\n"
           "@table = linkonce_odr dso_local constant [2 x i32] [i32 1, i32 2], comdat, align 4\n"
           "@other = global i32 9\n" +
           more + kernel;
  };
  const auto [host, device] = separated(code(""), code("@only = internal global i32 3\n"));
  EXPECT_TRUE(has(host, "@total = external hidden global %struct.pair, align 8\n")) << host;
  EXPECT_TRUE(has(host, "@_ZL6hosted = hidden global i32 7, align 4\n")) << host;
  EXPECT_TRUE(has(host, "@tile = internal thread_local global i32 undef, align 4\n")) << host;
  EXPECT_TRUE(has(host, "@other = global i32 9\n")) << host;
  EXPECT_EQ(device, std::string(marks) + annotations("k", "total") +
                        "@total = hidden global %struct.pair { i32 1, i32 2 }, align 8, !dbg !3\n"
                        "@_ZL6hosted = external hidden global i32, align 4\n"
                        "@tile = internal thread_local global i32 undef, align 4\n"
                        "@table = internal constant [2 x i32] [i32 1, i32 2], align 4\n"
                        "@only = internal global i32 3\n" +
                        std::string("define hidden") + kernel.substr(6));
}

TEST(passes, names_of_one_source_that_another_has_too_are_changed_in_both_codes) {
  const std::string code = std::string(marks) + annotations("_ZL1kv", "_ZL1xE") +
                           "@_ZL1xE = internal global ptr @\"_ZL1xE\"\n"
                           "define internal void @_ZL1kv() {\n  store i32 1, ptr @_ZL1xE\n}\n"
                           "define i32 @main() {\n  call void @_ZL1kv()\n}\n";
  std::vector<source_passes> both(2, {code, code});
  separate(both);
  EXPECT_TRUE(has(both[0].host, "declare hidden void @_ZL1kv.0()\n")) << both[0].host;
  EXPECT_TRUE(has(both[0].host, "  call void @_ZL1kv.0()\n")) << both[0].host;
  EXPECT_TRUE(has(both[1].device, "define hidden void @_ZL1kv.1() {\n  store i32 1, ptr @_ZL1xE.1\n}\n"))
      << both[1].device;
  EXPECT_TRUE(has(both[1].host, "@_ZL1xE.1 = external hidden global ptr\n")) << both[1].host;
}

TEST(passes, device_functions_of_another_source_are_its_device_code) {
  const std::string first = std::string(marks) + annotations("k", "x") +
                            "declare i32 @f(i32)\ndeclare i32 @puts(ptr)\n"
                            "define void @k() {\n  call i32 @f(i32 1)\n  call i32 @puts(ptr @.d)\n}\n";
  const std::string second =
      "define i32 @f(i32 %0) {\n  call i32 @g()\n}\ndefine i32 @g() {\n}\n"
      "define i32 @unused() {\n}\n";
  std::vector<source_passes> both = {{first, first}, {second, second}};
  separate(both);
  EXPECT_TRUE(has(both[0].device, "declare i32 @f.device(i32)\ndeclare i32 @puts(ptr)\n")) << both[0].device;
  EXPECT_TRUE(has(both[0].device, "  call i32 @f.device(i32 1)\n  call i32 @puts(ptr @.d)\n")) << both[0].device;
  EXPECT_EQ(both[1].host, second);
  EXPECT_EQ(both[1].device,
            "define hidden i32 @f.device(i32 %0) {\n  call i32 @g()\n}\ndefine internal i32 @g() {\n}\n");
}

TEST(passes, the_host_begins_and_ends_the_program) {
  const std::string lines =
      "module asm \".globl x\"\n"
      "@llvm.global_ctors = appending global [1 x { i32, ptr, ptr }] [{ i32, ptr, ptr } { i32 1, ptr @init, ptr null "
      "}]\n@llvm.used = appending global [1 x ptr] [ptr @init], section \"llvm.metadata\"\n"
      "define internal void @init() {\n}\n";
  const auto [host, device] = separated(lines, lines);
  EXPECT_EQ(host, lines);
  EXPECT_EQ(device, "");
}

TEST(passes, what_is_marked_as_used_is_kept_on_its_side) {
  const std::string code = std::string(marks) + annotations("k", "x") +
                           "@tile = internal thread_local global [2 x i32] zeroinitializer, align 4\n"
                           "@\"a, b\" = internal thread_local global i32 0\n"
                           "@of_host = internal global i32 3\n";
  const std::string list =
      "@llvm.compiler.used = appending global [3 x i8*] [i8* bitcast ([2 x i32]* @tile to i8*), i8* bitcast (i32* "
      "@of_host to i8*), i32* @\"a, b\"], section "
      "\"llvm.metadata\"\n";
  const std::string kernel = "define void @k() {\n  %1 = load i32, ptr @tile\n  %2 = load i32, ptr @\"a, b\"\n}\n";
  const auto [host, device] = separated(code + list + kernel, code + list + kernel);
  EXPECT_TRUE(has(host,
                  "\n@llvm.compiler.used = appending global [1 x i8*] [i8* bitcast (i32* @of_host to i8*)], section "
                  "\"llvm.metadata\"\n"))
      << host;
  EXPECT_TRUE(has(device,
                  "\n@llvm.compiler.used = appending global [2 x i8*] [i8* bitcast ([2 x i32]* @tile to i8*), i32* "
                  "@\"a, b\"], section \"llvm.metadata\"\n"))
      << device;
  const auto [alone, none] =
      separated(code + "@llvm.used = appending global [1 x ptr] [ptr @tile], section \"x\"\n" + kernel, code + kernel);
  EXPECT_FALSE(has(alone, "llvm.used")) << alone;
}

TEST(passes, what_looks_like_a_name_in_quotes_is_none) {
  const std::string code =
      std::string(marks) + annotations("\"k$ 1\"", "x") +
      "@.s = private unnamed_addr constant [3 x i8] c\"@f\\00\"\n"
      "define internal void @\"k$ 1\"() {\n  call void asm \"call @f\", \"\"()\n  call void @g(ptr "
      "@.s)\n}\ndeclare void @g(ptr)\ndefine void @f() {\n}\n";
  const auto [host, device] = separated(code, code);
  EXPECT_FALSE(has(device, "void @f()")) << device;
  EXPECT_TRUE(has(device, "define hidden void @\"k$ 1\"() {\n")) << device;
  EXPECT_TRUE(has(device, "@.s = private")) << device;
  EXPECT_TRUE(has(host, "declare hidden void @\"k$ 1\"()\n")) << host;
}

TEST(ir_module, types_of_variables_end_before_their_values) {
  const auto declared = [](std::string_view line) {
    const ir_module code(line);
    return declaration(*code.find("x"), false);
  };
  EXPECT_EQ(declared("@x = global i32 0, align 4\n"), "@x = external global i32, align 4\n");
  EXPECT_EQ(declared("@x = dso_local local_unnamed_addr global float* null, align 8, !dbg !0\n"),
            "@x = external local_unnamed_addr global float*, align 8\n");
  EXPECT_EQ(declared("@x = global i32 (float)* @\"global x\", align 8\n"),
            "@x = external global i32 (float)*, align 8\n");
  EXPECT_EQ(declared("@x = global <{ i8, [3 x i8] }> <{ i8 1, [3 x i8] zeroinitializer }>, comdat\n"),
            "@x = external global <{ i8, [3 x i8] }>\n");
  EXPECT_EQ(declared("@x = thread_local externally_initialized global %\"struct.a<b, c>\"* null\n"),
            "@x = external thread_local global %\"struct.a<b, c>\"*\n");
  EXPECT_EQ(declared("@x = constant [4 x [2 x i32 (...)**]] zeroinitializer, section \"constant\"\n"),
            "@x = external constant [4 x [2 x i32 (...)**]]\n");
}

TEST(ir_module, broken_code_is_no_reason_to_crash) {
  for (const std::string code :
       {"@", "@x", "@x =", "@x = global", "@x = global ", "@x = global [", "define ", "define void", "define void @x",
        "define void @x(", "define void @x(\n}\n", "declare ", "@\"x", "@x = alias", "!{ptr @x", "\n\n", "define \n}\n",
        "@x = internal constant <{", "@llvm.global.annotations = [@x, @x"}) {
    source_passes passes{code, code};
    separate({&passes, 1});
    const std::string annotated = std::string(marks) + annotations("x", "x") + code;
    passes = {annotated, annotated};
    separate({&passes, 1});
  }
}

}  // namespace
