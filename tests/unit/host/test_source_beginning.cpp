// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What may stand before HIP's header, if that is to be read first. The directives are written as Clang prints them.
#include "source/source_beginning.hpp"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace {

using namespace warpz;
using stop = source_beginning::stop;

/// The stops up to the last one; behind a header of the program's own it goes on.
std::vector<stop> stops_in(std::string_view directives) {
  source_beginning beginning(directives);
  std::vector<stop> stops;
  do stops.push_back(beginning.next());
  while (stops.back() == stop::other_header);
  return stops;
}

TEST(source_beginning, hip_header_is_found_behind_what_is_the_programs_own) {
  for (const char* const each :
       {"#include <hip/hip_runtime.h>\n", "#include \"hip/hip_runtime.h\"\n#define _GNU_SOURCE\n",
        "#define N 4\n#define TWICE(x) (2*(x))\n#undef N\n#include <hip/hip_runtime.h>\n",
        "#define LONG do{a();\\\n#if \\\n}while(0)\n#include <hip/hip_runtime.h>\n",
        "#ifndef N\n#define N 4\n#else\n#define M\n#endif\n#include <hip/hip_runtime.h>\n",
        "#pragma once\n#include <hip/hip_runtime.h>\n",
        "#ifndef my_own_h\n#define my_own_h\n#include <hip/hip_runtime.h>\n#endif\n"}) {
    EXPECT_EQ(stops_in(each), std::vector{stop::hip_header}) << each;
  }
}

TEST(source_beginning, what_may_matter_to_the_header_ends_it) {
  for (const char* const each :
       {"#define NDEBUG\n", "#define _GLIBCXX_DEBUG 1\n", "#define HIP_ENABLE_WARP_SYNC_BUILTINS\n",
        "#define max(a,b) a\n", "#undef __HIPCC__\n", "#if N>3\n", "#ifdef __HIPCC__\n",
        "#ifdef N\n#include <hip/hip_runtime.h>\n#endif\n",
        "#ifndef A\n#define B\n#include <hip/hip_runtime.h>\n#endif\n", "#include HEADER\n", "#include\n",
        "#include <a\n", "#include_next <hip/hip_runtime.h>\n", "#endif\n", "#else\n", "#error no\n", "import a;\n",
        "#pragma push_macro(\"A\")\n", "#ifndef a_h\n#define a_h\n#else\n"}) {
    EXPECT_EQ(stops_in(std::string(each) + "#include <hip/hip_runtime.h>\n"), std::vector{stop::other}) << each;
  }
}

TEST(source_beginning, other_headers_are_told_and_whether_they_are_included_for_certain) {
  source_beginning beginning("#include <cstdio>\n#include \"a b.h\"\n#ifdef A\n#include <c>\n#endif\n#include <d>\n");
  ASSERT_EQ(beginning.next(), stop::other_header);
  EXPECT_EQ(beginning.header(), "cstdio");
  EXPECT_FALSE(beginning.is_quoted());
  ASSERT_EQ(beginning.next(), stop::other_header);
  EXPECT_EQ(beginning.header(), "a b.h");
  EXPECT_TRUE(beginning.is_quoted());
  EXPECT_FALSE(beginning.is_conditional());
  ASSERT_EQ(beginning.next(), stop::other_header);
  EXPECT_TRUE(beginning.is_conditional());
  ASSERT_EQ(beginning.next(), stop::other_header);
  EXPECT_FALSE(beginning.is_conditional());
  EXPECT_EQ(beginning.next(), stop::end);
}

TEST(source_beginning, a_file_without_the_header_ends) {
  for (const char* const each : {"", "#define N\n<TokBeforeEOF>\n", "<TokBeforeEOF>\n#include <hip/hip_runtime.h>\n"})
    EXPECT_EQ(stops_in(each), std::vector{stop::end}) << each;
}

TEST(source_beginning, names_of_macros) {
  for (const char* const each : {"N", "BLOCK_SIZE", "A2"}) EXPECT_TRUE(is_own_macro(each)) << each;
  for (const char* const each : {"", "_N", "n", "Nn", "NDEBUG", "HIP", "HIP_X", "CUDA_API", "WARPZ_X"})
    EXPECT_FALSE(is_own_macro(each)) << each;
}

}  // namespace
