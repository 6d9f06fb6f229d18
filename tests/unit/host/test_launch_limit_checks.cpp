// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Annotations of kernels in intermediate code as Clang 14 and as newer ones write it, and the calls that they become.
#include "source/launch_limit_checks.hpp"

#include <gtest/gtest.h>

#include <string>

namespace launch_limit_checks_of_code {

using namespace warpz;

const std::string constants =
    "source_filename = \"k.hip\"\n"
    "@.str = private unnamed_addr constant [6 x i8] c\"other\\00\", section \"llvm.metadata\"\n"
    "@.str.1 = private unnamed_addr constant [6 x i8] c\"k.hip\\00\", section \"llvm.metadata\"\n"
    "@.args = private unnamed_addr constant { i32 } { i32 7 }, section \"llvm.metadata\"\n"
    "@.str.2 = private unnamed_addr constant [20 x i8] c\"warpz_launch_bounds\\00\", section \"llvm.metadata\"\n"
    "@.args.3 = private unnamed_addr constant { i32, i32 } { i32 256, i32 2 }, section \"llvm.metadata\"\n";
const std::string functions =
    "define void @_Z5otherv() #0 {\n  ret void\n}\ndefine linkonce_odr void @_Z1kILi8EEvPi(ptr noundef %0) #0 {\n"
    "  %2 = alloca ptr, align 8\n  ret void\n}\n";

std::string changed(const std::string& annotations) {
  return with_launch_limit_checks(constants + annotations + functions);
}

void expect_checked(const std::string& code) {
  EXPECT_NE(
      code.find("@_Z1kILi8EEvPi(ptr noundef %0) #0 {\n  call void @simt_launch_limits(i64 256, i64 0)\n  %2 = alloca"),
      std::string::npos)
      << code;
  EXPECT_NE(code.find("@_Z5otherv() #0 {\n  ret void\n}"), std::string::npos) << "another annotation is no bound";
  EXPECT_NE(code.find("\ndeclare void @simt_launch_limits(i64, i64)\n"), std::string::npos);
}

TEST(launch_limit_checks, the_first_number_is_told_at_the_beginning_of_the_kernel) {
  expect_checked(changed(
      "@llvm.global.annotations = appending global [2 x { ptr, ptr, ptr, i32, ptr }] [{ ptr, ptr, ptr, i32, ptr } "
      "{ ptr @_Z5otherv, ptr @.str, ptr @.str.1, i32 2, ptr @.args }, { ptr, ptr, ptr, i32, ptr } "
      "{ ptr @_Z1kILi8EEvPi, ptr @.str.2, ptr @.str.1, i32 3, ptr @.args.3 }], section \"llvm.metadata\"\n"));
  expect_checked(changed(
      "@llvm.global.annotations = appending global [2 x { i8*, i8*, i8*, i32, i8* }] [{ i8*, i8*, i8*, i32, i8* } "
      "{ i8* bitcast (void (i32*)* @_Z1kILi8EEvPi to i8*), i8* getelementptr inbounds ([20 x i8], [20 x i8]* @.str.2, "
      "i32 0, i32 0), i8* getelementptr inbounds ([6 x i8], [6 x i8]* @.str.1, i32 0, i32 0), i32 3, i8* bitcast "
      "({ i32, i32 }* @.args.3 to i8*) }, { i8*, i8*, i8*, i32, i8* } { i8* bitcast (void ()* @_Z5otherv to i8*), i8* "
      "getelementptr inbounds ([6 x i8], [6 x i8]* @.str, i32 0, i32 0), i8* getelementptr inbounds ([6 x i8], "
      "[6 x i8]* @.str.1, i32 0, i32 0), i32 2, i8* bitcast ({ i32 }* @.args to i8*) }], section \"llvm.metadata\"\n"));
}

TEST(launch_limit_checks, code_without_bounds_stays) {
  EXPECT_EQ(changed(""), constants + functions);
  const std::string cut = "@llvm.global.annotations = appending global [1 x { ptr, ptr";
  EXPECT_EQ(changed(cut), constants + cut + functions);
}

TEST(launch_limit_checks, the_static_shared_memory_of_all_that_a_kernel_reaches) {
  const std::string variables =
      "%struct.pair = type { i8, double }\n"
      "@_ZZ1kvE1a = internal thread_local global [100 x float] zeroinitializer, align 16\n"
      "@_ZZ6helpervE1b = linkonce_odr thread_local global [2 x %struct.pair] zeroinitializer, comdat, align 16\n"
      "@_ZZ5otherE1c = internal thread_local global [1000 x i32] zeroinitializer, align 16\n"
      "@table = internal global [1000 x i32] zeroinitializer, align 16\n";
  const std::string code = with_launch_limit_checks(
      variables +
      "define void @_Z1kv() #0 section \"warpz_kernels\" {\n  %1 = load i32, ptr @table\n  store float 0.0, ptr "
      "@_ZZ1kvE1a\n"
      "  call void @helper()\n  call void @helper()\n  ret void\n}\n"
      "define void @_Z5otherv() #0 {\n  store i32 0, ptr @_ZZ5otherE1c\n  ret void\n}\n"
      "define linkonce_odr void @helper() #0 {\nentry:\n  store i8 0, ptr @_ZZ6helpervE1b\n  ret void\n}\n");
  EXPECT_NE(code.find("\"warpz_kernels\" {\n  call void @simt_launch_limits(i64 0, i64 432)\n"), std::string::npos)
      << code;
  EXPECT_EQ(code.find("call void @simt_launch_limits", code.find("432")), std::string::npos)
      << "only kernels are launched";
}

}  // namespace launch_limit_checks_of_code
