// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <gtest/gtest.h>

#include <cstring>
#include <string>

#include "abi/text.h"

namespace {

std::string beginning(const std::string& text) {
  char field[10];
  std::memset(field, '#', sizeof field);
  warpz_copy_beginning(field, sizeof field, text.c_str());
  return field;
}

std::string end(const std::string& text) {
  char field[10];
  std::memset(field, '#', sizeof field);
  warpz_copy_end(field, sizeof field, text.c_str());
  return field;
}

TEST(record_text, what_fits_is_whole) {
  for (const char* const text : {"", "a", "123456789", "1234567\xc3\xa9"}) {
    EXPECT_EQ(beginning(text), text);
    EXPECT_EQ(end(text), text);
  }
}

TEST(record_text, what_is_cut_is_marked_so) {
  EXPECT_EQ(beginning("1234567890"), "123456...");
  EXPECT_EQ(end("1234567890"), "...567890");
}

TEST(record_text, no_character_is_cut) {
  EXPECT_EQ(beginning("12345\xc3\xa9 and more"), "12345...");
  EXPECT_EQ(beginning("1234\xc3\xa9 and more"), "1234\xc3\xa9...");
  EXPECT_EQ(beginning("123\xf0\x9f\x98\x80 and more"), "123...");
  EXPECT_EQ(end("more and \xc3\xa9"
                "12345"),
            "...12345");
  EXPECT_EQ(end("more and \xc3\xa9"
                "1234"),
            "...\xc3\xa9"
            "1234");
  // No text at all, but bytes that go on for ever.
  EXPECT_EQ(beginning(std::string(20, '\x80')), "...");
  EXPECT_EQ(end(std::string(20, '\x80')), "...");
}

}  // namespace
