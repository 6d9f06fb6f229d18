// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// How floats are printed and read. The spellings are those of Python's repr; NumPy's float32 has the same, but for the
// float next to 0.0001, which is a little less and there 1e-04.
#include "text/number.hpp"

#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <limits>
#include <random>

namespace {

using namespace warpz;

constexpr float infinity = std::numeric_limits<float>::infinity();
constexpr float not_a_number = std::numeric_limits<float>::quiet_NaN();

TEST(number_text, known_spellings) {
  const struct {
    float value;
    const char* text;
  } known[] = {
      {0.0F, "0.0"},
      {-0.0F, "-0.0"},
      {1.0F, "1.0"},
      {-3.0F, "-3.0"},
      {1000.0F, "1000.0"},
      {0.5F, "0.5"},
      {0.1F, "0.1"},
      {10.0F / 3, "3.3333333"},
      {316.0F / 3, "105.333336"},
      {1.0F / 3, "0.33333334"},
      {16777216.0F, "16777216.0"},
      {123456789.0F, "123456790.0"},
      {33554432.0F, "33554432.0"},
      {1e15F, "1000000000000000.0"},
      {9.999999e15F, "9999999000000000.0"},
      {1e16F, "1e+16"},
      {1.5e16F, "1.5e+16"},
      {-1e20F, "-1e+20"},
      {0.001F, "0.001"},
      {0.0001F, "0.0001"},
      {0.00012345F, "0.00012345"},
      {0.00009999F, "9.999e-05"},
      {1e-5F, "1e-05"},
      {1.25e-10F, "1.25e-10"},
      {std::numeric_limits<float>::max(), "3.4028235e+38"},
      {std::numeric_limits<float>::lowest(), "-3.4028235e+38"},
      {std::numeric_limits<float>::min(), "1.1754944e-38"},
      {std::numeric_limits<float>::denorm_min(), "1e-45"},
      {std::numeric_limits<float>::epsilon(), "1.1920929e-07"},
      {infinity, "inf"},
      {-infinity, "-inf"},
      {not_a_number, "nan"},
      {-not_a_number, "nan"},
      {std::bit_cast<float>(0x7fbadbadu), "nan"},
  };
  for (const auto& [value, text] : known) EXPECT_EQ(number_text(value), text);
  EXPECT_EQ(largest_float, number_text(std::numeric_limits<float>::max()));
}

// The fewest digits for which printf's correctly rounded decimal reads back to the same float.
std::size_t digits_needed(float value) {
  char text[64];
  for (int digits = 1; digits < 9; ++digits) {
    std::snprintf(text, sizeof text, "%.*e", digits - 1, static_cast<double>(value));
    if (std::strtof(text, nullptr) == value) return static_cast<std::size_t>(digits);
  }
  return 9;
}

// Counts digits without zeros that only place the point.
std::size_t digits_in(std::string text) {
  text = text.substr(0, text.find('e'));
  std::erase_if(text, [](char c) { return c == '.' || c == '-'; });
  text.erase(0, text.find_first_not_of('0'));
  return text.find_last_not_of('0') + 1;
}

TEST(number_text, reads_back_and_is_the_shortest_that_does) {
  std::mt19937 random(1);
  for (int round = 0; round < 200'000; ++round) {
    const float value = std::bit_cast<float>(static_cast<std::uint32_t>(random()));
    if (!std::isfinite(value) || value == 0) continue;
    const std::string text = number_text(value);
    ASSERT_EQ(std::strtof(text.c_str(), nullptr), value) << text;
    ASSERT_LE(digits_in(text), digits_needed(value)) << text;
    ASSERT_LT(text.size(), number_width);
    ASSERT_EQ(parse_float(text).value, value) << text;
  }
}

TEST(number_text, each_power_of_two_and_its_neighbors) {
  for (int exponent = -149; exponent < 128; ++exponent) {
    const float power = std::ldexp(1.0F, exponent);
    for (const float value : {power, std::nextafter(power, infinity), std::nextafter(power, 0.0F)}) {
      if (value == 0) continue;
      const std::string text = number_text(value);
      EXPECT_EQ(std::strtof(text.c_str(), nullptr), value) << text;
      EXPECT_LE(digits_in(text), digits_needed(value)) << text;
    }
  }
}

TEST(parse_float, reads_what_people_write) {
  const struct {
    const char* text;
    float value;
  } known[] = {
      {"0", 0},
      {"-0", -0.0F},
      {"+1", 1},
      {"1.", 1},
      {".5", 0.5F},
      {"-.5", -0.5F},
      {"1e3", 1000},
      {"1E+3", 1000},
      {"25e-1", 2.5F},
      {"007", 7},
      {"inf", infinity},
      {"-Inf", -infinity},
      {"+inf", infinity},
      {"INFINITY", infinity},
      {"1e-46", 0},
      {"-1e-999", -0.0F},
      {"3.4028235e38", 3.4028235e38F},
      {"0.1000000000000000055511151231257827", 0.1F},
  };
  for (const auto& [text, value] : known) {
    const parsed_float parsed = parse_float(text);
    EXPECT_EQ(parsed.problem, number_problem::none) << text;
    EXPECT_EQ(parsed.value, value) << text;
    EXPECT_EQ(std::signbit(parsed.value), std::signbit(value)) << text;
  }
  for (const char* const text : {"nan", "NaN", "-nan", "+nan"}) {
    EXPECT_EQ(parse_float(text).problem, number_problem::none) << text;
    EXPECT_TRUE(std::isnan(parse_float(text).value)) << text;
  }
}

TEST(parse_float, rounds_once_to_the_nearest) {
  // Halfway between 1 and the next float, and a little more: rounding to double first would lose the little.
  EXPECT_EQ(parse_float("1.000000059604644775390625").value, 1.0F);
  EXPECT_EQ(parse_float("1.000000059604644775390626").value, std::nextafter(1.0F, 2.0F));
  EXPECT_EQ(parse_float("1.00000005960464477539062500000000000000000000000000000000001").value,
            std::nextafter(1.0F, 2.0F));
  // Halfway from the largest float to the next power of two is too large, anything less is not.
  EXPECT_EQ(parse_float("340282356779733661637539395458142568447").value, std::numeric_limits<float>::max());
  EXPECT_EQ(parse_float("340282356779733661637539395458142568448").problem, number_problem::too_large);
}

TEST(parse_float, refuses_what_is_no_number) {
  for (const std::string_view text :
       {"",    " ",   "1 ",  " 1",  "a",     "1a",    "0x10", "1e",      "1e+",  "e5",     ".",  "-", "+",
        "+-1", "++1", "--1", "1,5", "1_000", "1.2.3", "nano", "infinit", "nan(", "nan(1)", "1f", "٣", "½"})
    EXPECT_EQ(parse_float(text).problem, number_problem::not_a_number) << text;
  EXPECT_EQ(parse_float(std::string_view("1\0", 2)).problem, number_problem::not_a_number);
  for (const char* const text : {"1e39", "-1e39", "1e999999999999", "3.5e38"})
    EXPECT_EQ(parse_float(text).problem, number_problem::too_large) << text;
}

TEST(parse_whole, reads_digits_only) {
  EXPECT_EQ(parse_whole("0"), 0u);
  EXPECT_EQ(parse_whole("007"), 7u);
  EXPECT_EQ(parse_whole("18446744073709551615"), std::numeric_limits<std::uint64_t>::max());
  for (const std::string_view text : {"", "18446744073709551616", "-1", "+1", " 1", "1 ", "1.0", "1e3", "0x1", "max"})
    EXPECT_FALSE(parse_whole(text)) << text;
}

}  // namespace
