// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Which of the user's flags reach the commands that compile and link a program, and how its two sides find each other.
#include "compile/user_program_commands.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

namespace {

using namespace warpz;
using words = std::vector<std::string>;

const cpu_compiler compiler{"clang++", ""};

user_program_compilation with(words flags) { return {compiler, std::move(flags), {"--run", true, false}, 64}; }

words object_words(const user_program_compilation& common, code_side side) {
  return user_program_object_command(common, source_language::hip, side, {"-source.hip", "source.o", "source.d"}).words;
}

bool has(const words& all, const words& part) {
  return std::search(all.begin(), all.end(), part.begin(), part.end()) != all.end();
}

TEST(user_program_commands, flags_reach_both_sides_and_the_linker_but_for_those_of_a_gpu) {
  const words kept = {"-I", "folder", "-DA=1", "-include", "first.h", "-lm", "-Wextra"};
  words flags = kept;
  flags.insert(flags.begin(), {"-fgpu-rdc", "--offload-arch=gfx90a"});
  const user_program_compilation common = with(flags);
  for (const words& all : {object_words(common, code_side::host), object_words(common, code_side::device),
                           user_program_link_command(common, words{"source.o"}, "program.so").words}) {
    EXPECT_TRUE(has(all, kept));
    EXPECT_FALSE(has(all, {"-fgpu-rdc"}));
    EXPECT_FALSE(has(all, {"--offload-arch=gfx90a"}));
  }
}

TEST(user_program_commands, the_linker_needs_the_compiler_where_a_flag_may_say_something_to_it) {
  EXPECT_TRUE(links_without_flags(with({})));
  EXPECT_TRUE(
      links_without_flags(with({"-DA=1", "-Ifolder", "-O2", "-Wextra", "-std=c++20", "--offload-arch=gfx90a"})));
  for (const char* const each : {"-lm", "-Wl,-z,now", "-fopenmp", "-Xlinker", "library.a", "-D"})
    EXPECT_FALSE(links_without_flags(with({"-DA=1", each}))) << each;
}

TEST(user_program_commands, both_sides_have_one_identity_and_the_device_alone_is_checked) {
  const words host = object_words(with({}), code_side::host), device = object_words(with({}), code_side::device);
  const auto identity = [](const words& all) {
    return *std::find_if(all.begin(), all.end(), [](const std::string& each) { return each.starts_with("-cuid="); });
  };
  EXPECT_EQ(identity(host), identity(device));
  for (const char* const checked : {"-warpz-checked", "-DSIMT_INSTRUMENTED=1", "-D__GFX9__=1", "-fcuda-is-device"}) {
    EXPECT_TRUE(has(device, {checked})) << checked;
    EXPECT_FALSE(has(host, {checked})) << checked;
  }
}

TEST(user_program_commands, a_program_sees_itself_on_the_gpu_and_in_the_rocm_that_are_asked_for) {
  user_program_compilation common = with({});
  EXPECT_TRUE(has(object_words(common, code_side::device), {"-D__gfx90a__=1", "-D__GFX9__=1"})) << "of 64 lanes";
  EXPECT_TRUE(has(object_words(common, code_side::host), {"-D__AMDGCN_WAVEFRONT_SIZE=64"}));
  common.code.architecture = "gfx1201";
  common.code.rocm = 7;
  const words host = object_words(common, code_side::host), device = object_words(common, code_side::device);
  EXPECT_TRUE(has(device, {"-D__gfx1201__=1", "-D__GFX12__=1"}));
  EXPECT_FALSE(has(host, {"-D__gfx1201__=1"}));
  for (const words& each : {host, device}) {
    EXPECT_TRUE(has(each, {"-D__WARPZ_ROCM__=7"}));
    EXPECT_FALSE(has(each, {"-D__AMDGCN_WAVEFRONT_SIZE=64"}));
  }
  common.code.architecture = "sm_80";
  const words cuda =
      user_program_object_command(common, source_language::cuda, code_side::device, {"a.cu", "a.o", "a.d"}).words;
  EXPECT_TRUE(has(cuda, {"-D__CUDA_ARCH__=800"}));
}

TEST(user_program_commands, a_program_is_of_one_language_but_for_the_hosts_code) {
  const words files = {"a.cu", "b.cpp", "c.hip"};
  const auto languages = [&files](bool has_hip_in_cu) {
    std::vector<source_language> all;
    for (const std::string& each : files) all.push_back(language_of(each, files, has_hip_in_cu));
    return all;
  };
  using enum source_language;
  EXPECT_EQ(languages(false), (std::vector{cuda, host_of_cuda, hip}));
  EXPECT_EQ(languages(true), (std::vector{hip, hip, hip}));
  EXPECT_EQ(language_of("b.cpp", words{"b.cpp", "c.hip"}, false), hip);
}

TEST(user_program_commands, a_source_is_no_option) {
  EXPECT_EQ(object_words(with({}), code_side::host).back(), "./-source.hip");
}

}  // namespace
