// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What warpz-hipcc takes the words of hipcc, nvcc and Clang for.
#include "compile/driver_options.hpp"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "error.hpp"

namespace {

using namespace warpz;
using words = std::vector<std::string>;

driver_job parsed(const words& all, const char* program = "warpz-hipcc") { return parse_driver_words(program, all); }

TEST(driver_options, values_stand_behind_in_or_after_an_option) {
  const words expected = {"-I", "a", "-D", "B=1", "-isystem", "c", "-std=c++20", "-O3"};
  for (const words& all : {words{"-Ia", "-DB=1", "-isystem", "c", "-std=c++20", "-O3", "x.hip"},
                           words{"-I", "a", "-D", "B=1", "-isystem=c", "-std", "c++20", "-O3", "x.hip"},
                           words{"--include-path=a", "--define-macro", "B=1", "--system-include=c", "--std=c++20",
                                 "--optimize", "3", "x.hip"}}) {
    EXPECT_EQ(parsed(all).flags, expected);
  }
}

TEST(driver_options, what_a_gpu_alone_has_is_dropped_with_its_value) {
  const driver_job job = parsed({"-gencode", "arch=compute_90,code=sm_90", "--offload-arch=gfx90a", "-arch", "sm_80",
                                 "-Xptxas", "-v", "-t", "4", "-rdc=true", "-dc", "x.cu", "-lcudart", "-lm"});
  EXPECT_TRUE(job.flags.empty());
  EXPECT_EQ(job.result, driver_result::objects);
  ASSERT_EQ(job.linked.size(), 2U);
  EXPECT_EQ(job.linked[1].word, "-lm");
}

TEST(driver_options, the_hosts_compiler_and_the_linker_get_what_is_theirs) {
  const driver_job job = parsed({"-Xcompiler=-Wall,-fPIC", "-Xcompiler", "-pthread", "-Xlinker=-rpath,/a", "x.o"});
  EXPECT_EQ(job.host_flags, (words{"-Wall", "-fPIC", "-pthread"}));
  EXPECT_EQ(job.linked[0].word, "-Wl,-rpath,/a");
  EXPECT_EQ(job.result, driver_result::linked);
}

TEST(driver_options, a_source_has_the_language_of_its_ending_or_of_x) {
  const auto language = [](const words& all, const char* program) { return parsed(all, program).sources[0].language; };
  EXPECT_EQ(language({"a.cpp"}, "/some/hipcc"), source_language::hip);
  EXPECT_EQ(language({"a.cpp"}, "nvcc"), source_language::host_of_cuda);
  EXPECT_EQ(language({"a.cu"}, "hipcc"), source_language::cuda);
  EXPECT_EQ(language({"-x", "hip", "a.cu"}, "hipcc"), source_language::hip);
  EXPECT_EQ(language({"-xc++", "a.cpp"}, "hipcc"), source_language::host);
  EXPECT_EQ(language({"-xc++", "-xhip", "a.cpp"}, "hipcc"), source_language::hip);
  EXPECT_EQ(language({"a.c"}, "hipcc"), source_language::c);
}

TEST(driver_options, nvccs_archives_are_no_library_named_ib) {
  EXPECT_EQ(parsed({"-lib", "a.o"}).result, driver_result::archive);
  EXPECT_EQ(parsed({"-dlink", "a.o"}).result, driver_result::device_link);
}

TEST(driver_options, dependencies_keep_their_target) {
  const driver_job job = parsed({"-MD", "-MT", "a", "-MF", "b", "-c", "x.hip"});
  EXPECT_TRUE(job.writes_dependencies);
  EXPECT_EQ(job.dependencies_file, "b");
  EXPECT_EQ(job.dependencies_flags, (words{"-MD", "-MT", "a"}));
}

TEST(driver_options, refuses_what_cannot_be) {
  EXPECT_THROW(parsed({"-cubin", "x.cu"}), error);
  EXPECT_THROW(parsed({"-x", "fortran", "x.f"}), error);
  EXPECT_THROW(parsed({"-c", "a.hip", "b.hip", "-o", "x.o"}), error);
  EXPECT_THROW(parsed({"-o"}), error);
}

}  // namespace
