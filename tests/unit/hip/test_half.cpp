// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// half and bfloat16: every pattern, and rounding against references that work another way.
#include <gtest/gtest.h>
#include <hip/hip_bf16.h>
#include <hip/hip_bfloat16.h>
#include <hip/hip_fp16.h>
#include <hip/hip_runtime.h>

#include <climits>
#include <cmath>
#include <cstring>
#include <random>
#include <vector>

namespace test_hip_half {

const double inf = std::numeric_limits<double>::infinity();
const double nan_value = std::numeric_limits<double>::quiet_NaN();

__half bits(unsigned pattern) { return __ushort_as_half(static_cast<unsigned short>(pattern)); }

/// What a pattern of half means, by the definition of the format.
double meaning(unsigned pattern) {
  const double sign = (pattern & 0x8000) != 0 ? -1 : 1;
  const int exponent = static_cast<int>(pattern >> 10 & 31);
  const int fraction = static_cast<int>(pattern & 1023);
  if (exponent == 31) return fraction != 0 ? nan_value : sign * inf;
  if (exponent == 0) return sign * std::ldexp(fraction, -24);
  return sign * std::ldexp(1024 + fraction, exponent - 25);
}

/// A number rounded to half by counting units in the last place.
double rounded(double number, double (*to_integer)(double)) {
  if (number == 0 || !std::isfinite(number)) return number;
  const double unit = std::ldexp(1.0, std::max(std::ilogb(number), -14) - 10);
  const double result = to_integer(number / unit) * unit;
  if (std::fabs(result) < 65536) return result == 0 ? std::copysign(0.0, number) : result;
  // Infinity is where the next number would be.
  const bool outwards = std::fabs(to_integer(std::copysign(1.5, number))) == 2;
  return std::copysign(outwards ? inf : 65504, number);
}

double nearest(double number) { return std::nearbyint(number); }
double down(double number) { return std::floor(number); }
double up(double number) { return std::ceil(number); }
double towards_zero(double number) { return std::trunc(number); }

/// Equal as IEEE's data: zeros with their signs, NaNs among themselves.
bool same(double a, double b) {
  if (std::isnan(a) || std::isnan(b)) return std::isnan(a) && std::isnan(b);
  return a == b && std::signbit(a) == std::signbit(b);
}

float float_of(std::uint32_t pattern) {
  float result;
  std::memcpy(&result, &pattern, sizeof result);
  return result;
}

/// Numbers where rounding is hard: each half, what lies in the middle to the next one, and both sides of that.
std::vector<float> hard_floats() {
  std::vector<float> numbers;
  for (unsigned pattern = 0; pattern < 0x7c00; ++pattern) {
    const double here = meaning(pattern);
    const double next = pattern + 1 < 0x7c00 ? meaning(pattern + 1) : 65536;
    const float middle = static_cast<float>((here + next) / 2);
    for (const float each :
         {static_cast<float>(here), middle, std::nextafter(middle, 0.0f), std::nextafter(middle, 1e9f)}) {
      numbers.push_back(each);
      numbers.push_back(-each);
    }
  }
  return numbers;
}

TEST(hip_half, every_pattern_means_what_the_format_says) {
  for (unsigned pattern = 0; pattern < 65536; ++pattern) {
    ASSERT_TRUE(same(__half2float(bits(pattern)), meaning(pattern))) << pattern;
    ASSERT_EQ(__half_as_ushort(bits(pattern)), pattern);
    ASSERT_EQ(__half_as_short(__short_as_half(static_cast<short>(pattern))), static_cast<short>(pattern));
  }
}

TEST(hip_half, every_pattern_survives_a_float) {
  for (unsigned pattern = 0; pattern < 65536; ++pattern) {
    const bool signaling = (pattern & 0x7fff) > 0x7c00 && (pattern & 0x200) == 0;
    ASSERT_EQ(__half_as_ushort(__float2half(__half2float(bits(pattern)))), signaling ? pattern | 0x200 : pattern);
  }
}

TEST(hip_half, floats_are_rounded) {
  std::vector<float> numbers = hard_floats();
  std::mt19937 random(1);
  for (int i = 0; i < 300000; ++i) numbers.push_back(float_of(random()));
  for (int i = 0; i < 300000; ++i) numbers.push_back(float_of((random() & 0x87ffffff) | 0x33000000));
  for (const float special : {65504.0f, 65519.996f, 65520.0f, 65536.0f, 1e30f, float_of(0x7f800000),
                              float_of(0x7f800001), float_of(0x7fa01000), float_of(1)}) {
    numbers.push_back(special);
    numbers.push_back(-special);
  }
  for (const float number : numbers) {
    ASSERT_TRUE(same(__half2float(__float2half(number)), rounded(number, nearest))) << number;
    ASSERT_TRUE(same(__half2float(__float2half_rn(number)), rounded(number, nearest))) << number;
    ASSERT_TRUE(same(__half2float(__float2half_rz(number)), rounded(number, towards_zero))) << number;
    ASSERT_TRUE(same(__half2float(__float2half_ru(number)), rounded(number, up))) << number;
    ASSERT_TRUE(same(__half2float(__float2half_rd(number)), rounded(number, down))) << number;
  }
}

// By way of a float they would be rounded twice.
TEST(hip_half, doubles_are_rounded_once) {
  const double just_above_a_tie = 2049 + std::ldexp(1.0, -40);
  EXPECT_EQ(double(float(__double2half(just_above_a_tie))), 2050);
  EXPECT_EQ(double(float(__half(2049.0))), 2048);
  EXPECT_EQ(__half_as_ushort(__double2half(std::ldexp(1.0, -1074))), 0);
  const std::uint64_t nan_of_low_bits = 0x7ff0000000000001;
  double number;
  std::memcpy(&number, &nan_of_low_bits, sizeof number);
  EXPECT_TRUE(__hisnan(__double2half(number)));
  EXPECT_EQ(__half_as_ushort(__double2half(-std::ldexp(1.0, -25))), 0x8000);
  EXPECT_EQ(__half_as_ushort(__double2half(std::nextafter(std::ldexp(1.0, -25), 1))), 1);
}

TEST(hip_half, sums_products_and_quotients) {
  std::mt19937 random(2);
  for (int i = 0; i < 500000; ++i) {
    const unsigned patterns = random();
    const unsigned p = patterns & 0xffff;
    const unsigned q = patterns >> 16;
    const double a = meaning(p);
    const double b = meaning(q);
    // Exact in double, but for the quotient, which is exact enough.
    ASSERT_TRUE(same(float(bits(p) + bits(q)), rounded(a + b, nearest))) << p << ' ' << q;
    ASSERT_TRUE(same(float(bits(p) - bits(q)), rounded(a - b, nearest))) << p << ' ' << q;
    ASSERT_TRUE(same(float(bits(p) * bits(q)), rounded(a * b, nearest))) << p << ' ' << q;
    ASSERT_TRUE(same(float(bits(p) / bits(q)), rounded(a / b, nearest))) << p << ' ' << q;
  }
  EXPECT_TRUE(same(float(__hdiv(bits(0x3c00), bits(0x8000))), -inf));
  EXPECT_TRUE(same(float(__hadd(bits(0x7c00), bits(0xfc00))), nan_value));
}

__extension__ typedef __int128 wide_integer;

/// A half in units of 2^-24.
long long units(unsigned pattern) { return static_cast<long long>(std::ldexp(meaning(pattern), 24)); }

/// a * b + c in units of 2^-48, rounded to half with integers alone.
double fused(unsigned a, unsigned b, unsigned c) {
  wide_integer exact = static_cast<wide_integer>(units(a)) * units(b) + static_cast<wide_integer>(units(c)) * (1 << 24);
  const double sign = exact < 0 ? -1 : 1;
  if (exact < 0) exact = -exact;
  int bit_count = 0;
  while (exact >> bit_count != 0) ++bit_count;
  const int drop = std::max(bit_count - 11, 24);
  wide_integer kept = exact >> drop;
  const wide_integer rest = exact - (kept << drop);
  const wide_integer half = static_cast<wide_integer>(1) << (drop - 1);
  if (rest > half || (rest == half && (kept & 1) != 0)) ++kept;
  const double result = std::ldexp(static_cast<double>(kept), drop - 48);
  return sign * (result > 65504 ? inf : result);
}

TEST(hip_half, fused_multiply_add_rounds_once) {
  std::mt19937 random(3);
  int compared = 0;
  while (compared < 300000) {
    const unsigned a = random() & 0xffff;
    const unsigned b = random() & 0xffff;
    const unsigned c = random() & 0xffff;
    if (!std::isfinite(meaning(a)) || !std::isfinite(meaning(b)) || !std::isfinite(meaning(c))) continue;
    ++compared;
    ASSERT_EQ(double(float(__hfma(bits(a), bits(b), bits(c)))), fused(a, b, c)) << a << ' ' << b << ' ' << c;
  }
  // 3 * 683 is a tie between 2048 and 2050; the smallest number decides it.
  EXPECT_EQ(float(__hfma(__half(3), __half(683), __half(0))), 2048);
  EXPECT_EQ(float(__hfma(__half(3), __half(683), bits(1))), 2050);
  EXPECT_TRUE(__hisnan(__hfma(bits(0x7c00), __half(0), __half(1))));
  EXPECT_TRUE(__hisinf(__hfma(bits(0x7c00), __half(1), __half(1))));
}

TEST(hip_half, comparisons) {
  const unsigned patterns[] = {0, 0x8000, 1, 0x8001, 0x3c00, 0xbc00, 0x7bff, 0x7c00, 0xfc00, 0x7e00, 0x7c01};
  for (const unsigned p : patterns) {
    for (const unsigned q : patterns) {
      const double a = meaning(p);
      const double b = meaning(q);
      const bool unordered = std::isnan(a) || std::isnan(b);
      const __half x = bits(p);
      const __half y = bits(q);
      const __half2 pair_x(x, x);
      const __half2 pair_y(y, x);
#define CHECK_COMPARE(name, op)                                        \
  EXPECT_EQ(x op y, a op b) << p << ' ' << q;                          \
  EXPECT_EQ(__h##name(x, y), a op b) << p << ' ' << q;                 \
  EXPECT_EQ(__h##name##u(x, y), unordered || a op b) << p << ' ' << q; \
  EXPECT_EQ(float(__h##name##2(pair_x, pair_y).x), a op b ? 1 : 0);    \
  EXPECT_EQ(float(__h##name##2(pair_x, pair_y).y), a op a ? 1 : 0);    \
  EXPECT_EQ(__hb##name##2(pair_x, pair_y), a op b&& a op a);
      CHECK_COMPARE(eq, ==)
      CHECK_COMPARE(ne, !=)
      CHECK_COMPARE(lt, <)
      CHECK_COMPARE(le, <=)
      CHECK_COMPARE(gt, >)
      CHECK_COMPARE(ge, >=)
#undef CHECK_COMPARE
      EXPECT_TRUE(same(float(__hmax(x, y)), a == b ? (p < q ? a : b) : std::fmax(a, b))) << p << ' ' << q;
      EXPECT_TRUE(same(float(__hmin(x, y)), a == b ? (p > q ? a : b) : std::fmin(a, b))) << p << ' ' << q;
      EXPECT_TRUE(same(float(__hmax_nan(x, y)), unordered ? nan_value : double(float(__hmax(x, y)))));
      EXPECT_TRUE(same(float(__hmin_nan(x, y)), unordered ? nan_value : double(float(__hmin(x, y)))));
    }
    EXPECT_EQ(__hisnan(bits(p)), std::isnan(meaning(p)));
    EXPECT_EQ(__hisinf(bits(p)), std::isinf(meaning(p)));
    EXPECT_TRUE(same(float(-bits(p)), -meaning(p)));
    EXPECT_TRUE(same(float(__hneg(bits(p))), -meaning(p)));
    EXPECT_TRUE(same(float(__habs(bits(p))), std::fabs(meaning(p))));
  }
}

TEST(hip_half, functions_are_rounded_once) {
  for (unsigned pattern = 0; pattern < 65536; pattern += 7) {
    const double a = meaning(pattern);
    const __half x = bits(pattern);
    ASSERT_TRUE(same(float(htrunc(x)), std::trunc(a))) << pattern;
    ASSERT_TRUE(same(float(hceil(x)), std::ceil(a))) << pattern;
    ASSERT_TRUE(same(float(hfloor(x)), std::floor(a))) << pattern;
    ASSERT_TRUE(same(float(hrint(x)), std::nearbyint(a))) << pattern;
    ASSERT_TRUE(same(float(hsqrt(x)), rounded(std::sqrt(a), nearest))) << pattern;
    ASSERT_TRUE(same(float(hrsqrt(x)), rounded(1 / std::sqrt(a), nearest))) << pattern;
    ASSERT_TRUE(same(float(hrcp(x)), rounded(1 / a, nearest))) << pattern;
    ASSERT_TRUE(same(float(hsin(x)), rounded(std::sin(a), nearest))) << pattern;
    ASSERT_TRUE(same(float(hcos(x)), rounded(std::cos(a), nearest))) << pattern;
    ASSERT_TRUE(same(float(hexp(x)), rounded(std::exp(a), nearest))) << pattern;
    ASSERT_TRUE(same(float(hexp2(x)), rounded(std::exp2(a), nearest))) << pattern;
    ASSERT_TRUE(same(float(hexp10(x)), rounded(std::pow(10, a), nearest))) << pattern;
    ASSERT_TRUE(same(float(hlog(x)), rounded(std::log(a), nearest))) << pattern;
    ASSERT_TRUE(same(float(hlog2(x)), rounded(std::log2(a), nearest))) << pattern;
    ASSERT_TRUE(same(float(hlog10(x)), rounded(std::log10(a), nearest))) << pattern;
  }
  const __half2 pair = h2floor(__half2(1.5, -1.5));
  EXPECT_EQ(float(pair.x), 1);
  EXPECT_EQ(float(pair.y), -2);
}

TEST(hip_half, integers) {
  EXPECT_EQ(__half2int_rn(__half(2.5)), 2);
  EXPECT_EQ(__half2int_rn(__half(3.5)), 4);
  EXPECT_EQ(__half2int_rz(__half(-2.75)), -2);
  EXPECT_EQ(__half2int_ru(__half(-2.75)), -2);
  EXPECT_EQ(__half2int_rd(__half(-2.75)), -3);
  EXPECT_EQ(__half2int_rn(bits(0x7e00)), 0);
  EXPECT_EQ(__half2int_rn(bits(0x7c00)), INT_MAX);
  EXPECT_EQ(__half2int_rn(bits(0xfc00)), INT_MIN);
  EXPECT_EQ(__half2short_rn(__half(40000)), SHRT_MAX);
  EXPECT_EQ(__half2ushort_rn(__half(40000)), 40000);
  EXPECT_EQ(__half2uint_rn(__half(-1)), 0U);
  EXPECT_EQ(__half2ll_rz(bits(0x7c00)), LLONG_MAX);
  EXPECT_EQ(__half2ull_rz(bits(0x7c00)), ULLONG_MAX);
  EXPECT_EQ(float(__int2half_rn(2049)), 2048);
  EXPECT_EQ(float(__int2half_rn(2051)), 2052);
  EXPECT_EQ(float(__int2half_rz(-2051)), -2050);
  EXPECT_EQ(float(__int2half_rd(-2049)), -2050);
  EXPECT_EQ(float(__uint2half_ru(2049)), 2050);
  EXPECT_EQ(float(__ll2half_rn(LLONG_MAX)), inf);
  EXPECT_EQ(float(__ll2half_rz(LLONG_MIN)), -65504);
  EXPECT_EQ(float(__ull2half_rd(ULLONG_MAX)), 65504);
  EXPECT_EQ(float(__ushort2half_ru(65505)), inf);
}

TEST(hip_half, operators_and_conversions_of_a_number) {
  __half x = 1.5f;
  x += 2;
  x *= __half(2);
  x -= 1.0;
  x /= __half(4);
  EXPECT_EQ(float(x), 1.5f);
  EXPECT_EQ(float(x++), 1.5f);
  EXPECT_EQ(float(--x), 1.5f);
  EXPECT_EQ(static_cast<int>(x), 1);
  EXPECT_TRUE(x);
  EXPECT_FALSE(__half(-0.0));
  const __half_raw raw{0x3c00};
  EXPECT_EQ(float(__half(raw)), 1);
  EXPECT_EQ(float(__hadd_sat(x, x)), 1);
  EXPECT_EQ(float(__hsub_sat(x, __half(3))), 0);
  EXPECT_EQ(float(__hmul_sat(x, __half(0.5))), 0.75f);
  EXPECT_EQ(float(__hfma_sat(x, x, bits(0x7e00))), 0);
}

TEST(hip_half, pairs) {
  static_assert(sizeof(__half2) == 4 && alignof(__half2) == 4);
  const __half2 a = __floats2half2_rn(1, 2);
  const __half2 b = __halves2half2(__half(3), __half(5));
  const auto is = [](__half2 pair, float x, float y) { return float(pair.x) == x && float(pair.y) == y; };
  EXPECT_TRUE(is(a + b, 4, 7));
  EXPECT_TRUE(is(__hsub2(a, b), -2, -3));
  EXPECT_TRUE(is(a * b, 3, 10));
  EXPECT_TRUE(is(__h2div(b, a), 3, 2.5f));
  EXPECT_TRUE(is(__hfma2(a, b, b), 6, 15));
  EXPECT_TRUE(is(-a, -1, -2));
  EXPECT_TRUE(is(__habs2(-a), 1, 2));
  EXPECT_TRUE(is(__hmax2(a, -b), 1, 2));
  EXPECT_TRUE(is(__hmin2(a, -b), -3, -5));
  EXPECT_TRUE(is(__low2half2(b), 3, 3));
  EXPECT_TRUE(is(__high2half2(b), 5, 5));
  EXPECT_TRUE(is(__lows2half2(a, b), 1, 3));
  EXPECT_TRUE(is(__highs2half2(a, b), 2, 5));
  EXPECT_TRUE(is(__lowhigh2highlow(b), 5, 3));
  EXPECT_TRUE(is(__float2half2_rn(4), 4, 4));
  EXPECT_TRUE(is(__half2half2(__half(4)), 4, 4));
  EXPECT_TRUE(is(__float22half2_rn(make_float2(6, 7)), 6, 7));
  EXPECT_EQ(__half22float2(b), make_float2(3, 5));
  EXPECT_EQ(__low2float(b) + float(__high2half(b)), 8);
  EXPECT_EQ(__high2float(b) + float(__low2half(b)), 8);
  EXPECT_TRUE(a == a && !(a == b) && a != b && a < b && b >= a);
  EXPECT_FALSE(a < __half2(5, 1));
  EXPECT_FALSE(a != __half2(1, 5));
}

__global__ void halves(half* output, const half* input) {
  output[threadIdx.x] = __hfma(input[threadIdx.x], __float2half(2.0f), half(1));
}

TEST(hip_half, goes_through_a_kernel) {
  half* data = nullptr;
  ASSERT_EQ(hipMallocManaged(&data, 70 * sizeof(half)), hipSuccess);
  for (int i = 0; i < 70; ++i) data[i] = i;
  hipLaunchKernelGGL(halves, 1, 70, 0, 0, data, data);
  ASSERT_EQ(hipGetLastError(), hipSuccess);
  for (int i = 0; i < 70; ++i) EXPECT_EQ(float(data[i]), 2 * i + 1);
  EXPECT_EQ(hipFree(data), hipSuccess);
}

// Bfloat16.

__hip_bfloat16 brain(unsigned pattern) { return __ushort_as_bfloat16(static_cast<unsigned short>(pattern)); }

TEST(hip_bfloat16, every_pattern_is_the_upper_half_of_a_float) {
  for (unsigned pattern = 0; pattern < 65536; ++pattern) {
    const float whole = float_of(pattern << 16);
    ASSERT_TRUE(same(__bfloat162float(brain(pattern)), whole)) << pattern;
    ASSERT_EQ(__bfloat16_as_ushort(brain(pattern)), pattern);
    if (!std::isnan(whole)) {
      ASSERT_EQ(__bfloat16_as_ushort(__float2bfloat16(whole)), pattern);
    } else {
      ASSERT_TRUE(__hisnan(__float2bfloat16(whole)));
    }
  }
}

// The usual trick with integers: adding just under half a unit, or exactly half to an odd one.
TEST(hip_bfloat16, floats_are_rounded) {
  std::mt19937 random(4);
  for (int i = 0; i < 500000; ++i) {
    std::uint32_t pattern = random();
    if (i % 4 == 0) pattern = (pattern & 0xffff0000U) | 0x8000U;
    if (std::isnan(float_of(pattern))) continue;
    const std::uint32_t expected = (pattern + 0x7fffU + (pattern >> 16 & 1)) >> 16;
    ASSERT_EQ(__bfloat16_as_ushort(__float2bfloat16(float_of(pattern))), expected) << pattern;
    ASSERT_EQ(hip_bfloat16(float_of(pattern)).data, expected) << pattern;
    ASSERT_EQ(hip_bfloat16(float_of(pattern), hip_bfloat16::truncate).data, pattern >> 16) << pattern;
  }
}

TEST(hip_bfloat16, sums_products_and_quotients) {
  std::mt19937 random(5);
  for (int i = 0; i < 300000; ++i) {
    const unsigned patterns = random();
    const __hip_bfloat16 a = brain(patterns & 0xffff);
    const __hip_bfloat16 b = brain(patterns >> 16);
    // A float has enough digits that rounding to it first does no harm.
    ASSERT_TRUE(same(float(a + b), float(__float2bfloat16(float(a) + float(b))))) << patterns;
    ASSERT_TRUE(same(float(a - b), float(__float2bfloat16(float(a) - float(b))))) << patterns;
    const float product = float(a) * float(b);
    if (std::fabs(product) > 1e-30f) {
      ASSERT_TRUE(same(float(a * b), float(__float2bfloat16(product)))) << patterns;
    }
    const float quotient = float(a) / float(b);
    if (std::fabs(quotient) > 1e-30f) {
      ASSERT_TRUE(same(float(a / b), float(__float2bfloat16(quotient)))) << patterns;
    }
  }
}

TEST(hip_bfloat16, the_older_type_adds_and_subtracts) {
  EXPECT_EQ(float(hip_bfloat16(3.0f) + hip_bfloat16(1.0f)), 4);
  EXPECT_EQ(float(hip_bfloat16(3.0f) - hip_bfloat16(1.0f)), 2);
  EXPECT_EQ(float(hip_bfloat16(3.0f) * hip_bfloat16(5.0f)), 15);
  EXPECT_EQ(float(hip_bfloat16(3.0f) / hip_bfloat16(2.0f)), 1.5f);
}

TEST(hip_half, a_pair_compares_if_both_do) {
  const __half2 low(__half(1), __half(2)), high(__half(3), __half(2));
  EXPECT_TRUE(low <= low);
  EXPECT_TRUE(low <= high);
  EXPECT_FALSE(high <= low);
  EXPECT_TRUE(high >= low);
  EXPECT_FALSE(low < high) << "their second ones are equal";
  EXPECT_FALSE(high > low);
  EXPECT_FALSE(low == high);
  EXPECT_FALSE(low != high) << "not both differ";
}

TEST(hip_bfloat16, fused_multiply_add_rounds_once) {
  // 7 * 37 = 259 is a tie between 258 and 260, and 9 * 29 = 261 one between 260 and 262.
  const __hip_bfloat16 tiny = 1e-30f;
  EXPECT_EQ(float(__hfma(__hip_bfloat16(7), __hip_bfloat16(37), __hip_bfloat16(0))), 260);
  EXPECT_EQ(float(__hfma(__hip_bfloat16(7), __hip_bfloat16(37), -tiny)), 258);
  EXPECT_EQ(float(__hfma(__hip_bfloat16(9), __hip_bfloat16(29), __hip_bfloat16(0))), 260);
  EXPECT_EQ(float(__hfma(__hip_bfloat16(9), __hip_bfloat16(29), tiny)), 262);
  EXPECT_EQ(float(__hfma(__hip_bfloat16(-9), __hip_bfloat16(29), -tiny)), -262);
}

TEST(hip_bfloat16, large_integers_are_rounded_once) {
  const long long tie = (1LL << 60) + (1LL << 52);
  EXPECT_EQ(float(__hip_bfloat16(tie)), std::ldexp(1.0f, 60));
  EXPECT_EQ(float(__hip_bfloat16(tie + 1)), std::ldexp(1.0f, 60) + std::ldexp(1.0f, 53));
  EXPECT_EQ(float(__hip_bfloat16(-tie - 1)), -std::ldexp(1.0f, 60) - std::ldexp(1.0f, 53));
  EXPECT_EQ(float(__hip_bfloat16(ULLONG_MAX)), std::ldexp(1.0f, 64));
}

TEST(hip_bfloat16, pairs_and_the_older_type) {
  const __hip_bfloat162 pair = __halves2bfloat162(__hip_bfloat16(1), __hip_bfloat16(2));
  EXPECT_EQ(__bfloat1622float2(__hfma2(pair, pair, pair)), make_float2(2, 6));
  EXPECT_EQ(__bfloat1622float2(__lowhigh2highlow(pair)), make_float2(2, 1));
  EXPECT_EQ(__bfloat1622float2(__float22bfloat162_rn(make_float2(3, 4))), make_float2(3, 4));
  EXPECT_EQ(float(__low2bfloat16(pair)) + float(__high2bfloat16(pair)), 3);
  hip_bfloat16 old(1.5f);
  old += hip_bfloat16(2.0f);
  old = old * old;
  EXPECT_EQ(float(old), 12.25f);
  old = 3.0f;
  EXPECT_EQ(float(-old), -3);
  EXPECT_TRUE(old == hip_bfloat16(3.0f) && old < hip_bfloat16(4.0f));
}

}  // namespace test_hip_half
