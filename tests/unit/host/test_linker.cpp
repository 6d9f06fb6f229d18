// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The linker's command in what Clang prints for -###.
#include "compile/linker.hpp"

#include <gtest/gtest.h>

#include <array>
#include <string>
#include <vector>

#include "compile/toolchain.hpp"

namespace linking {

using namespace warpz;
using words = std::vector<std::string>;

constexpr std::string_view answer =
    "Debian clang version 14.0.6\nTarget: x86_64-pc-linux-gnu\nInstalledDir: /usr/bin\n"
    " \"/usr/bin/ld.gold\" \"-shared\" \"-o\" \"warpz-result\" \"/lib/crt \\\"i\\\\.o\" \"warpz-objects\" \"-lc\"\n";

TEST(linker, words_of_the_line_that_links) {
  const words expected{"/usr/bin/ld.gold", "-shared", "-o", "warpz-result", "/lib/crt \"i\\.o", "warpz-objects", "-lc"};
  EXPECT_EQ(linker_words(answer), expected);
}

TEST(linker, files_take_their_places) {
  const words expected{"/usr/bin/ld.gold", "-shared", "-o", "m.so", "/lib/crt \"i\\.o", "a.o", "b.o", "-lc"};
  const std::array<std::string, 2> objects{"a.o", "b.o"};
  EXPECT_EQ(link_command(linker_words(answer), "m.so", objects).words, expected);
}

TEST(linker, no_words_where_the_answer_has_none) {
  EXPECT_EQ(linker_words(""), words{});
  EXPECT_EQ(linker_words("clang: error: unknown argument: '-###'\n \"/usr/bin/ld\" \"-o\" \"other\"\n"), words{});
}

TEST(linker, question_asks_without_linking) {
  EXPECT_EQ(linker_question({{"/usr/bin/clang++", "-shared"}, {}}).words,
            words({"/usr/bin/clang++", "-###", "-shared"}));
}

}  // namespace linking
