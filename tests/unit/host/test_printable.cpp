// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "text/printable.hpp"

#include <gtest/gtest.h>
#include <stdio.h>

#include <string>

namespace {

using namespace warpz;

TEST(printable, leaves_text_alone) {
  EXPECT_EQ(printable(""), "");
  EXPECT_EQ(printable("data 1.txt"), "data 1.txt");
  EXPECT_EQ(printable("größe √2 ✅ 𝄞"), "größe √2 ✅ 𝄞");
}

TEST(printable, escapes_what_steers_a_terminal) {
  EXPECT_EQ(printable("a\nb\tc"), "a\\nb\\tc");
  EXPECT_EQ(printable("\x1b[2J\r\x7f"), "\\x1b[2J\\x0d\\x7f");
  EXPECT_EQ(printable(std::string_view("a\0b", 3)), "a\\x00b");
  EXPECT_EQ(printable("\xc2\x9b"
                      "31m"),
            "\\xc2\\x9b31m")
      << "a control character of two bytes";
}

TEST(printable, escapes_what_is_no_utf8) {
  EXPECT_EQ(printable("\xff\xfe"), "\\xff\\xfe");
  EXPECT_EQ(printable("\xc3"), "\\xc3") << "cut off";
  EXPECT_EQ(printable("\xe2\x9c"), "\\xe2\\x9c") << "cut off";
  EXPECT_EQ(printable("\xc3("), "\\xc3(");
  EXPECT_EQ(printable("\xc0\xaf"), "\\xc0\\xaf") << "overlong";
  EXPECT_EQ(printable("\xe0\x80\xaf"), "\\xe0\\x80\\xaf") << "overlong";
  EXPECT_EQ(printable("\xf0\x80\x80\xaf"), "\\xf0\\x80\\x80\\xaf") << "overlong";
  EXPECT_EQ(printable("\xed\xa0\x80"), "\\xed\\xa0\\x80") << "half a surrogate pair";
  EXPECT_EQ(printable("\xf4\x90\x80\x80"), "\\xf4\\x90\\x80\\x80") << "past the last character";
  EXPECT_EQ(printable("\xef\xbf\xbe\xef\xbf\xbf"), "\\xef\\xbf\\xbe\\xef\\xbf\\xbf") << "no characters";
}

TEST(printable, cuts_between_characters) {
  EXPECT_EQ(printable("abcdef", 6), "abcdef");
  EXPECT_EQ(printable("abcdefg", 6), "abcdef...");
  EXPECT_EQ(printable("aé", 2), "a...");
  EXPECT_EQ(printable("aé", 3), "aé");
}

TEST(shell_word, quotes_only_what_needs_it) {
  EXPECT_EQ(shell_word("data/x_1.txt"), "data/x_1.txt");
  EXPECT_EQ(shell_word(""), "''");
  EXPECT_EQ(shell_word("two words"), "'two words'");
  EXPECT_EQ(shell_word("it's"), "'it'\\''s'");
  EXPECT_EQ(shell_word("~"), "'~'");
}

TEST(shell_word, a_shell_reads_back) {
  for (const std::string word :
       {"a b", "it's", "$HOME `id` \\ \" ! * ? [x] {a,b} ~ #", "-n", "", "a\nb", "'", "é;&|<>()", "\x1b[31mit's a\\b\n",
        "\x01"
        "1\xff"
        "0"}) {
    EXPECT_EQ(printable(shell_word(word)), shell_word(word));
    ASSERT_EQ(setenv("WARPZ_TEST_COMMAND", ("printf '%s.' " + shell_word(word)).c_str(), 1), 0);
    FILE* const shell = popen("exec bash -c \"$WARPZ_TEST_COMMAND\"", "r");
    ASSERT_NE(shell, nullptr);
    char read[256];
    const std::size_t length = fread(read, 1, sizeof read, shell);
    pclose(shell);
    EXPECT_EQ(std::string(read, length), word + ".");
  }
}

TEST(bounded, ends_where_the_text_or_the_record_does) {
  const char ended[8] = "abc";
  const char full[3] = {'a', 'b', 'c'};
  EXPECT_EQ(bounded(ended), "abc");
  EXPECT_EQ(bounded(full), "abc");
}

}  // namespace
