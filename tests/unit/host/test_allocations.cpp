// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <gtest/gtest.h>

#include "source/allocations.hpp"

namespace {

using warpz::with_own_allocations;

TEST(allocations, calls_and_declarations_are_the_machines) {
  EXPECT_EQ(with_own_allocations("%1 = call noalias ptr @malloc(i64 8)\n"
                                 "%2 = invoke ptr @_Znwm(i64 8)\n"
                                 "%3 = call i8* @_Znam(i64 %n)\n"
                                 "declare noalias ptr @malloc(i64) #1\n"
                                 "@keep = global ptr @malloc\n"),
            "%1 = call noalias ptr @simt_malloc(i64 8)\n"
            "%2 = invoke ptr @simt_new(i64 8)\n"
            "%3 = call i8* @simt_new_array(i64 %n)\n"
            "declare noalias ptr @simt_malloc(i64) #1\n"
            "@keep = global ptr @simt_malloc\n");
}

TEST(allocations, other_names_and_strings_stay) {
  for (const char* const text : {"call ptr @malloc_usable_size(ptr %p)", "call ptr @my.malloc(i64 8)", "@malloc2", "",
                                 "@.str = constant [8 x i8] c\"@malloc\\00\"", "c\"@malloc",
                                 "call ptr @_ZnwmSt11align_val_t(", "%a = add i32 %aa, 1", "@"}) {
    EXPECT_EQ(with_own_allocations(text), text);
  }
}

TEST(allocations, what_the_code_defines_itself_stays) {
  const char* const text = "call ptr @_Znwm(i64 8)\ndefine ptr @_Znwm(i64 %0) {\n}\n";
  EXPECT_EQ(with_own_allocations(text), text);
}

TEST(allocations, no_declaration_says_that_memory_has_no_values) {
  EXPECT_EQ(with_own_allocations("attributes #1 = { allockind(\"alloc,uninitialized\") allocsize(0) }"),
            "attributes #1 = {  allocsize(0) }");
}

}  // namespace
