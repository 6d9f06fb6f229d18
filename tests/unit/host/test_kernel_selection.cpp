// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Which kernel runs in which puzzle, what is compiled for it, and what of a compiler's output is read.
// tests/end_to_end/test_kernel.py has the compilers do it.
#include "compile/kernel_selection.hpp"

#include <gtest/gtest.h>

#include "host/error_support.hpp"
#include "puzzle/puzzle.hpp"
#include "source/compiler_output.hpp"

namespace {

using namespace warpz;
using error_support::complaint;

constexpr char plain[] = "float*, float const*, int";

listed_kernel kernel(std::string name, std::string parameters = plain) {
  return {{}, std::move(name), std::move(parameters), 0};
}

/// What the compiler finds: the puzzle's own parameters first.
std::vector<listed_kernel> found(std::vector<listed_kernel> kernels) {
  kernels.insert(kernels.begin(), kernel("warpz_puzzle_parameters::of_0"));
  return kernels;
}

std::vector<std::string> runs(const std::vector<listed_kernel>& kernels, std::optional<std::string> entry = {}) {
  const kernel_source source{"my.hip", "", {find_puzzle("neighbor")}, std::move(entry)};
  std::vector<std::string> names;
  for (const chosen_kernel& each : choose_kernels(source, found(kernels))) names.push_back(each.kernel.name);
  return names;
}

using name_list = std::vector<std::string>;

TEST(signature, is_what_the_kernels_take) {
  EXPECT_EQ(signature_of(*find_puzzle("neighbor")), "float* output, const float* input, int size");
  EXPECT_EQ(signature_of(*find_puzzle("partition")), "float* output, const float* input, int size, float pivot");
}

TEST(kernel_selection, the_one_with_the_puzzles_parameters) {
  EXPECT_EQ(runs({kernel("a", "float*"), kernel("b")}), name_list{"b"});
}

TEST(kernel_selection, of_several_the_one_of_the_puzzles_name) {
  EXPECT_EQ(runs({kernel("a"), kernel("mine::neighbor_difference")}), name_list{"mine::neighbor_difference"});
  EXPECT_NE(complaint([] {
              runs({kernel("a::neighbor_difference"), kernel("b::neighbor_difference")});
            }).find("has 2 kernels that --neighbor can run"),
            std::string::npos);
}

TEST(kernel_selection, by_name) {
  const std::vector<listed_kernel> kernels = {kernel("a"),      kernel("mine::b"),  kernel("(anonymous namespace)::c"),
                                              kernel("d<int>"), kernel("d<float>"), kernel("a", "int")};
  EXPECT_EQ(runs(kernels, "a"), name_list{"a"});
  EXPECT_EQ(runs(kernels, "::a"), name_list{"a"});
  EXPECT_EQ(runs(kernels, "b"), name_list{"mine::b"});
  EXPECT_EQ(runs(kernels, "mine::b"), name_list{"mine::b"});
  EXPECT_EQ(runs(kernels, "c"), name_list{"(anonymous namespace)::c"});
  EXPECT_EQ(runs(kernels, "d<float>"), name_list{"d<float>"});
  EXPECT_NE(complaint([&] { runs(kernels, "d"); }).find("has 2 kernels"), std::string::npos);
  EXPECT_NE(complaint([&] { runs(kernels, "warpz_puzzle_parameters::of_0"); }).find("has no kernel named"),
            std::string::npos);
}

TEST(kernel_selection, the_modules_source_is_the_users_and_what_runs_its_kernels) {
  const kernel_source source{"a \"b\".hip", "user's text", {}, {}};
  const chosen_kernel one{kernel("mine::(anonymous namespace)::scale<float>"), plain};
  const std::string text = module_text(source, std::vector{one});
  const std::size_t user = text.find("# 1 \"a \\\"b\\\".hip\"\nuser's text\n# 1 \"warpz\" 3\n");
  ASSERT_NE(user, std::string::npos) << text;
  EXPECT_NE(text.find("(&kernel)(float*, float const*, int) = ::mine::scale<float>;\n"
                      "WARPZ_KERNEL_AS(\"warpz_kernel_0\", kernel);\n",
                      user),
            std::string::npos)
      << text;
}

TEST(kernel_selection, kernels_of_one_name_are_told_from_each_other) {
  const std::string name(200, 'n');
  const std::vector<chosen_kernel> all{{kernel("a::scale"), plain},
                                       {kernel("b::scale"), plain},
                                       {kernel("a::scale", "float*"), "float*"},
                                       {kernel(name + "1"), plain},
                                       {kernel(name + "2"), plain}};
  EXPECT_EQ(short_name_of(all[1]), "scale");
  EXPECT_EQ(short_name_of(all[3]), name + "1");
  const std::string text = module_text({"my.hip", "", {}, {}}, all);
  for (const char* const each :
       {"(float*, float const*, int) = ::a::scale;\nWARPZ_KERNEL_AS(\"warpz_kernel_0\", ",
        " = ::b::scale;\nWARPZ_KERNEL_AS(\"warpz_kernel_1\", ",
        "(float*) = ::a::scale;\nWARPZ_KERNEL_AS(\"warpz_kernel_2\", ", "n1;\nWARPZ_KERNEL_AS(\"warpz_kernel_3\", ",
        "n2;\nWARPZ_KERNEL_AS(\"warpz_kernel_4\", "}) {
    EXPECT_NE(text.find(each), std::string::npos) << each << "\n" << text;
  }
}

TEST(compiler_output, the_files_of_a_rule_for_make) {
  EXPECT_EQ(files_in_depfile("my.o: a.h \\\n b/c.h\\\n  d\\ e.h \\\n f$$g.h h\\#i.h\nother\n"),
            (name_list{"a.h", "b/c.h", "d e.h", "f$g.h", "h#i.h", "other"}));
  EXPECT_EQ(files_in_depfile(""), name_list{});
  EXPECT_EQ(files_in_depfile("my.o:"), name_list{});
}

TEST(compiler_output, colors_are_taken_out) {
  EXPECT_EQ(without_colors("\x1b[1ma\x1b[0m\x1b[01;31m\x1b[K b\x1b[0;1;32m[c]"), "a b[c]");
  EXPECT_EQ(without_colors("plain\n"), "plain\n");
  EXPECT_EQ(without_colors("cut \x1b[0"), "cut ");
}

TEST(compiler_output, words_that_an_error_names) {
  constexpr std::string_view words[] = {"cuda", "hipcub/"};
  EXPECT_TRUE(error_names("a/k.hip:1:10: \x1b[0;1;31mfatal error: \x1b[0m'hipcub/hipcub.hpp' file not found\n", words));
  EXPECT_TRUE(error_names("x.cu:4:1: warning: unused\nx.cu:4:1: error: unknown type name 'cudaError_t'", words));
  EXPECT_FALSE(error_names("a-cuda/k.hip:1:10: error: expected ';'\n  cudaMalloc(&p, 4)\n", words));
  EXPECT_FALSE(error_names("x.cu:3:3: warning: cuda\n", words));
  EXPECT_FALSE(error_names("", words));
}

TEST(compiler_output, messages_keep_their_colors_and_lines_and_no_other_control_characters) {
  EXPECT_EQ(harmless("\x1b[1ma\x1b[0m\x1b[01;31m\x1b[K b\n\tc"), "\x1b[1ma\x1b[0m\x1b[01;31m\x1b[K b\n\tc");
  EXPECT_EQ(harmless("\x1b]0;title\x07\x1b[2Ja\r\x1b"), "\\x1b]0;title\\x07\\x1b[2Ja\\x0d\\x1b");
  EXPECT_EQ(harmless("cut \x1b[0"), "cut \\x1b[0");
  EXPECT_EQ(harmless(""), "");
}

}  // namespace
