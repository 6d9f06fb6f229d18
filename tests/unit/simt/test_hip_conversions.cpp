// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Conversions with a stated rounding, against the processor's rounding modes and an integer of 128 bits.
#include <cfenv>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>
#include <random>
#include <type_traits>
#include <vector>

#include <gtest/gtest.h>

#include <hip/hip_runtime.h>

namespace test_hip_conversions {

/// v rounded to an integer in the mode, by the C library.
double rounded(double v, int mode) {
  const int before = std::fegetround();
  std::fesetround(mode);
  volatile double argument = v;
  const double result = std::nearbyint(argument);
  std::fesetround(before);
  return result;
}

/// v as To, converted by the processor in the mode.
template <class To, class From>
To converted(From v, int mode) {
  const int before = std::fegetround();
  std::fesetround(mode);
  volatile From argument = v;
  volatile To result = static_cast<To>(argument);
  std::fesetround(before);
  return result;
}

/// The integer nearest to a whole number, however large; 0 for a NaN.
template <class Integer>
Integer clamped(double whole) {
  using limits = std::numeric_limits<Integer>;
  if (std::isnan(whole)) return 0;
  if (whole >= std::ldexp(1.0, limits::digits)) return limits::max();
  if (whole <= static_cast<double>(limits::min())) return limits::min();
  return static_cast<Integer>(whole);
}

std::vector<double> reals() {
  std::vector<double> all = {0.0,
                             -0.0,
                             0.5,
                             -0.5,
                             1.5,
                             2.5,
                             -1.5,
                             -2.5,
                             0.49999999,
                             1e-300,
                             1e10,
                             -1e10,
                             1e19,
                             -1e19,
                             1e30,
                             -1e30,
                             2147483647.0,
                             2147483648.0,
                             -2147483648.0,
                             -2147483648.5,
                             -2147483649.0,
                             4294967295.0,
                             4294967295.5,
                             4294967296.0,
                             9223372036854774784.0,
                             9223372036854775808.0,
                             18446744073709549568.0,
                             18446744073709551616.0,
                             3.4028235677973366e38,
                             1e39,
                             -1e39,
                             1e-46,
                             -1e-46,
                             std::numeric_limits<double>::infinity(),
                             -std::numeric_limits<double>::infinity(),
                             std::numeric_limits<double>::quiet_NaN(),
                             std::numeric_limits<double>::max()};
  std::mt19937_64 random(3);
  for (int i = 0; i < 400; ++i) {
    all.push_back(
        std::ldexp(static_cast<double>(static_cast<std::int64_t>(random())), static_cast<int>(random() % 120) - 110));
  }
  return all;
}

#define EXPECT_TO_INTEGER(source, value, target, integer)                                                 \
  EXPECT_EQ(__##source##2##target##_rn(value), clamped<integer>(rounded(value, FE_TONEAREST))) << value;  \
  EXPECT_EQ(__##source##2##target##_rz(value), clamped<integer>(rounded(value, FE_TOWARDZERO))) << value; \
  EXPECT_EQ(__##source##2##target##_ru(value), clamped<integer>(rounded(value, FE_UPWARD))) << value;     \
  EXPECT_EQ(__##source##2##target##_rd(value), clamped<integer>(rounded(value, FE_DOWNWARD))) << value

TEST(hip_conversions, floats_to_integers) {
  for (const double d : reals()) {
    const float f = static_cast<float>(d);
    EXPECT_TO_INTEGER(double, d, int, int);
    EXPECT_TO_INTEGER(double, d, uint, unsigned);
    EXPECT_TO_INTEGER(double, d, ll, long long);
    EXPECT_TO_INTEGER(double, d, ull, unsigned long long);
    EXPECT_TO_INTEGER(float, f, int, int);
    EXPECT_TO_INTEGER(float, f, uint, unsigned);
    EXPECT_TO_INTEGER(float, f, ll, long long);
    EXPECT_TO_INTEGER(float, f, ull, unsigned long long);
  }
}

template <class T>
::testing::AssertionResult same_bits(T got, T expected) {
  if (std::memcmp(&got, &expected, sizeof(T)) == 0) return ::testing::AssertionSuccess();
  return ::testing::AssertionFailure() << got << " instead of " << expected;
}

#define EXPECT_TO_FLOAT(source, value, target)                                                                 \
  EXPECT_TRUE(same_bits(__##source##2##target##_rn(value), converted<target>(value, FE_TONEAREST))) << value;  \
  EXPECT_TRUE(same_bits(__##source##2##target##_rz(value), converted<target>(value, FE_TOWARDZERO))) << value; \
  EXPECT_TRUE(same_bits(__##source##2##target##_ru(value), converted<target>(value, FE_UPWARD))) << value;     \
  EXPECT_TRUE(same_bits(__##source##2##target##_rd(value), converted<target>(value, FE_DOWNWARD))) << value

TEST(hip_conversions, doubles_to_floats) {
  for (const double d : reals()) {
    if (std::isnan(d)) continue;
    EXPECT_TO_FLOAT(double, d, float);
  }
  EXPECT_TRUE(std::isnan(__double2float_rd(NAN)));
}

/// The integer as a float of `digits` binary digits, by its bits.
template <class Float, class Integer>
Float by_bits(Integer v, int mode) {
  const bool negative = std::is_signed_v<Integer> && static_cast<std::int64_t>(v) < 0;
  std::uint64_t magnitude = negative ? std::uint64_t{0} - static_cast<std::uint64_t>(v) : static_cast<std::uint64_t>(v);
  int exponent = 0;
  std::uint64_t lost = 0, weight = 1;
  while (magnitude >> std::numeric_limits<Float>::digits != 0) {
    lost |= (magnitude & 1) * weight;
    weight *= 2;
    magnitude >>= 1;
    ++exponent;
  }
  const bool away_from_zero = mode == (negative ? FE_DOWNWARD : FE_UPWARD);
  const bool up = mode == FE_TONEAREST ? 2 * lost > weight || (2 * lost == weight && (magnitude & 1) != 0)
                                       : away_from_zero && lost != 0;
  const Float result = std::ldexp(static_cast<Float>(magnitude + up), exponent);
  return negative ? -result : result;
}

#define EXPECT_INTEGER_TO_FLOAT(source, value, target)                                            \
  EXPECT_EQ(__##source##2##target##_rn(value), (by_bits<target>(value, FE_TONEAREST))) << value;  \
  EXPECT_EQ(__##source##2##target##_rz(value), (by_bits<target>(value, FE_TOWARDZERO))) << value; \
  EXPECT_EQ(__##source##2##target##_ru(value), (by_bits<target>(value, FE_UPWARD))) << value;     \
  EXPECT_EQ(__##source##2##target##_rd(value), (by_bits<target>(value, FE_DOWNWARD))) << value

TEST(hip_conversions, integers_to_floats) {
  std::vector<std::uint64_t> words = {0,
                                      1,
                                      16777215,
                                      16777216,
                                      16777217,
                                      16777219,
                                      0x7fffffff,
                                      0x80000000,
                                      0xffffffff,
                                      0xffffff80,
                                      0xffffffffffffffff,
                                      0x7fffffffffffffff,
                                      0x8000000000000000,
                                      0x8000000000000001,
                                      0x20000000000001,
                                      0x7ffffffffffffdff,
                                      0xfffffffffffffc00};
  std::mt19937_64 random(5);
  for (int i = 0; i < 400; ++i) words.push_back(random() >> (i % 60));
  for (const std::uint64_t word : words) {
    const auto i = static_cast<int>(word);
    const auto u = static_cast<unsigned>(word);
    const auto ll = static_cast<long long>(word);
    const auto ull = static_cast<unsigned long long>(word);
    EXPECT_INTEGER_TO_FLOAT(int, i, float);
    EXPECT_INTEGER_TO_FLOAT(uint, u, float);
    EXPECT_INTEGER_TO_FLOAT(ll, ll, float);
    EXPECT_INTEGER_TO_FLOAT(ull, ull, float);
    EXPECT_INTEGER_TO_FLOAT(ll, ll, double);
    EXPECT_INTEGER_TO_FLOAT(ull, ull, double);
    EXPECT_EQ(__int2double_rn(i), static_cast<double>(i));
    EXPECT_EQ(__uint2double_rn(u), static_cast<double>(u));
  }
}

TEST(hip_conversions, bits_read_as_another_type) {
  EXPECT_EQ(__float_as_int(-1.0f), static_cast<int>(0xbf800000));
  EXPECT_EQ(__float_as_uint(-1.0f), 0xbf800000u);
  EXPECT_EQ(__int_as_float(0x40490fdb), 3.14159274f);
  EXPECT_EQ(__uint_as_float(0x3f800000u), 1.0f);
  EXPECT_EQ(__double_as_longlong(-2.0), static_cast<long long>(0xc000000000000000));
  EXPECT_EQ(__longlong_as_double(0x3ff0000000000000), 1.0);
  EXPECT_EQ(__double2hiint(-1.5), static_cast<int>(0xbff80000));
  EXPECT_EQ(__double2loint(__longlong_as_double(0x123456789abcdef0)), static_cast<int>(0x9abcdef0));
  EXPECT_EQ(__double_as_longlong(__hiloint2double(static_cast<int>(0x87654321), static_cast<int>(0x9abcdef0))),
            static_cast<long long>(0x876543219abcdef0));
}

}  // namespace test_hip_conversions
