// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// How C++ is cut into tokens, and the numbers among them.
#include "source/tokens.hpp"

#include <gtest/gtest.h>

namespace tokens_of_text {

using namespace warpz;

std::vector<std::string_view> texts_of(std::string_view text, directives wanted = directives::skipped) {
  std::vector<std::string_view> found;
  for (const token& each : tokens_of(text, wanted)) found.push_back(each.text);
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

TEST(tokens, directives_where_they_are_wanted) {
  EXPECT_EQ(texts_of("a\n # define N 32 // b\nc", directives::included),
            (text_list{"a", "#", "define", "N", "32", "c"}));
}

TEST(tokens, their_lines) {
  std::vector<unsigned> lines;
  for (const token& each : tokens_of("a /*\n*/ b\n#x\nR\"(\n)\" c")) lines.push_back(each.line);
  EXPECT_EQ(lines, (std::vector<unsigned>{1, 2, 4, 5}));
}

std::optional<std::uint64_t> value_of(std::string_view text) { return integer_value(tokens_of(text).at(0)); }

TEST(tokens, integer_values) {
  for (const char* const text : {"256", "256u", "256ULL", "2'56", "0x100", "0X1'00l", "0400", "0b1'0000'0000"})
    EXPECT_EQ(value_of(text), 256u) << text;
  EXPECT_EQ(value_of("0"), 0u);
  EXPECT_EQ(value_of("18446744073709551615"), 18446744073709551615u);
  for (const char* const text :
       {"18446744073709551616", "1.5", "1e3", "256f", "0x", "08", "0b2", "u", "'a'", "\"1\"", "-"})
    EXPECT_FALSE(value_of(text)) << text;
}

using constants = std::map<std::string_view, std::uint64_t>;

constants constants_in(std::string_view text) { return integer_constants(tokens_of(text, directives::included)); }

TEST(tokens, names_with_one_value) {
  EXPECT_EQ(constants_in("#define A 32\nconst int b = 0x10, c = 8; if (b == 3) d = b;"),
            (constants{{"A", 32}, {"b", 16}, {"c", 8}}));
  for (const char* const text :
       {"int a = 1; a = 2;", "int a = 1; a += 2;", "int a = 1; ++a;", "int a = 1; a--;", "int a = 1; a >>= 1;",
        "int a = 1 + 1;", "int a = b;", "int a = 1)", "#define a (1)", "#define a 1 + 1", "#define a\n1", "#define a",
        "#define a 1\n#define a 2", "a =", "="})
    EXPECT_EQ(constants_in(text), constants{}) << text;
}

}  // namespace tokens_of_text
