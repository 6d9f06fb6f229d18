// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// How C++ is cut into tokens.
#include "source/tokens.hpp"

#include <gtest/gtest.h>

namespace tokens_of_text {

using namespace warpz;

std::vector<std::string_view> texts_of(std::string_view text) {
  std::vector<std::string_view> found;
  for (const token& each : tokens_of(text)) found.push_back(each.text);
  return found;
}

using text_list = std::vector<std::string_view>;

TEST(tokens, punctuators_of_several_characters) {
  EXPECT_EQ(texts_of("a<<<b, c>>>(d)"), (text_list{"a", "<<<", "b", ",", "c", ">>>", "(", "d", ")"}));
  EXPECT_EQ(texts_of("a->b::c<d>>>>(e)"), (text_list{"a", "->", "b", "::", "c", "<", "d", ">>>>", "(", "e", ")"}));
  EXPECT_EQ(texts_of("a <<= b >>= c"), (text_list{"a", "<<=", "b", ">>=", "c"}));
  EXPECT_EQ(texts_of("a+=b++!=c...->*d"), (text_list{"a", "+=", "b", "++", "!=", "c", "...", "->*", "d"}));
}

TEST(tokens, what_hides_a_character) {
  EXPECT_EQ(texts_of(R"(f("<<<\"", '"', '\'', x))"),
            (text_list{"f", "(", R"("<<<\"")", ",", "'\"'", ",", R"('\'')", ",", "x", ")"}));
  EXPECT_EQ(texts_of("u8R\"x(a)\" )x\"s + LR\"()\" y"), (text_list{"u8R\"x(a)\" )x\"s", "+", "LR\"()\"", "y"}));
  EXPECT_EQ(texts_of("1'000'000 0x1p-3f .5e+2 a"), (text_list{"1'000'000", "0x1p-3f", ".5e+2", "a"}));
  EXPECT_EQ(texts_of("a // <<<\nb /* \" */ c"), (text_list{"a", "b", "c"}));
  EXPECT_EQ(texts_of("# 1 \"it's.hip\"\na\n  #pragma b\nc # d"), (text_list{"a", "c", "#", "d"}));
  EXPECT_EQ(texts_of("\"no end"), (text_list{"\"no end"}));
  EXPECT_EQ(texts_of("R\"x(no end)\""), (text_list{"R\"x(no end)\""}));
}

TEST(tokens, their_lines) {
  std::vector<unsigned> lines;
  for (const token& each : tokens_of("a /*\n*/ b\n#x\nR\"(\n)\" c")) lines.push_back(each.line);
  EXPECT_EQ(lines, (std::vector<unsigned>{1, 2, 4, 5}));
}

}  // namespace tokens_of_text
