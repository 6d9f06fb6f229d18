// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Mathematics: the names HIP has beside the C library's, and min and max.
#include <cmath>
#include <limits>
#include <type_traits>

#include <gtest/gtest.h>

#include <hip/hip_runtime.h>

namespace test_hip_math {

constexpr float infinity = std::numeric_limits<float>::infinity();

// The C library's mathematics is there without std::, and for each type.
static_assert(std::is_same_v<decltype(sqrtf(2.0f)), float>);
static_assert(std::is_same_v<decltype(sin(1.0f)), float>);
static_assert(std::is_same_v<decltype(fma(2.0, 3.0, 4.0)), double>);
static_assert(std::is_same_v<decltype(abs(-1.5f)), float>);
static_assert(std::is_same_v<decltype(abs(-1)), int>);
static_assert(std::is_same_v<decltype(isnan(1.0f)), bool>);
static_assert(std::is_same_v<decltype(isinf(1.0)), bool>);

TEST(hip_math, min_and_max_of_any_two_numbers) {
  EXPECT_EQ(min(3, 5), 3);
  EXPECT_EQ(max(3, 5), 5);
  EXPECT_EQ(min(-1, 5u), 5u);
  EXPECT_EQ(max(-1, 5u), ~0u);
  EXPECT_EQ(max(1.5f, 2), 2.0f);
  EXPECT_EQ(min(1.5f, 1.25), 1.25);
  EXPECT_EQ(max(1ll << 40, 7), 1ll << 40);
  static_assert(std::is_same_v<decltype(min(1, 2u)), unsigned>);
  static_assert(std::is_same_v<decltype(max(1.0f, 2.0)), double>);
  static_assert(std::is_same_v<decltype(max(short{1}, short{2})), int>);
  for (const float nan : {NAN, -NAN}) {
    EXPECT_EQ(max(nan, 1.0f), 1.0f);
    EXPECT_EQ(max(1.0f, nan), 1.0f);
    EXPECT_EQ(min(nan, 1.0f), 1.0f);
    EXPECT_EQ(min(1.0f, nan), 1.0f);
  }
}

TEST(hip_math, min_and_max_beside_those_of_std) {
  using namespace std;
  EXPECT_EQ(max(1, 2) + min(3, 4), 5);
  EXPECT_EQ(max(1.0f, 2.0f), 2.0f);
  EXPECT_EQ(max(1, 2u), 2u);
}

TEST(hip_math, multiples_of_pi_are_exact_where_they_can_be) {
  for (int i = -9; i <= 9; ++i) {
    EXPECT_EQ(sinpi(static_cast<double>(i)), 0.0);
    EXPECT_EQ(std::signbit(sinpi(static_cast<double>(i))), i < 0) << i;
    EXPECT_EQ(cospi(i + 0.5), 0.0);
    EXPECT_EQ(cospif(static_cast<float>(i)), i % 2 == 0 ? 1.0f : -1.0f);
    EXPECT_EQ(sinpif(static_cast<float>(i) + 0.5f), i % 2 == 0 ? 1.0f : -1.0f);
  }
  for (double x = -4; x < 4; x += 0.01) {
    EXPECT_NEAR(sinpi(x), std::sin(3.14159265358979323846 * x), 4e-15) << x;
    EXPECT_NEAR(cospi(x), std::cos(3.14159265358979323846 * x), 4e-15) << x;
    double sine = 0, cosine = 0;
    sincospi(x, &sine, &cosine);
    EXPECT_EQ(sine, sinpi(x));
    EXPECT_EQ(cosine, cospi(x));
  }
  EXPECT_EQ(sinpi(1e300), 0.0);
  EXPECT_EQ(cospi(1e300), 1.0);
  EXPECT_TRUE(std::isnan(sinpif(infinity)));
  EXPECT_EQ(sinpi(0.5f), 1.0f);
  EXPECT_EQ(cospi(1.0f), -1.0f);
}

TEST(hip_math, roots_norms_and_their_inverses) {
  EXPECT_EQ(rsqrtf(4.0f), 0.5f);
  EXPECT_EQ(rsqrt(0.25), 2.0);
  EXPECT_EQ(rsqrt(4.0f), 0.5f);
  EXPECT_FLOAT_EQ(rcbrtf(8.0f), 0.5f);
  EXPECT_DOUBLE_EQ(rcbrt(27.0), 1.0 / 3.0);
  EXPECT_FLOAT_EQ(rhypotf(3.0f, 4.0f), 0.2f);
  EXPECT_FLOAT_EQ(norm3df(2.0f, 3.0f, 6.0f), 7.0f);
  EXPECT_DOUBLE_EQ(norm3d(2e200, 3e200, 6e200), 7e200);
  EXPECT_FLOAT_EQ(norm4df(1.0f, 2.0f, 2.0f, 4.0f), 5.0f);
  EXPECT_DOUBLE_EQ(rnorm4d(1.0, 2.0, 2.0, 4.0), 0.2);
  const double five[] = {1, 2, 2, 4, 0};
  const float five_f[] = {1, 2, 2, 4, 0};
  EXPECT_DOUBLE_EQ(norm(5, five), 5.0);
  EXPECT_FLOAT_EQ(rnormf(5, five_f), 0.2f);
  EXPECT_DOUBLE_EQ(normcdf(1.0), 0.841344746068542949);
  EXPECT_NEAR(normcdff(-1.0f), 0.158655254f, 1e-8f);
  EXPECT_EQ(powif(2.0f, -3), 0.125f);
  EXPECT_EQ(powi(3.0, 4), 81.0);
}

TEST(hip_math, fast_names) {
  for (float x = 0.125f; x < 6; x += 0.25f) {
    EXPECT_EQ(__sinf(x), sinf(x));
    EXPECT_EQ(__cosf(x), cosf(x));
    EXPECT_EQ(__tanf(x), tanf(x));
    EXPECT_EQ(__expf(x), expf(x));
    EXPECT_NEAR(__exp10f(x), std::pow(10.0, static_cast<double>(x)), 1e-6 * std::pow(10.0, static_cast<double>(x)));
    EXPECT_EQ(__logf(x), logf(x));
    EXPECT_EQ(__log2f(x), log2f(x));
    EXPECT_EQ(__log10f(x), log10f(x));
    EXPECT_EQ(__powf(x, 1.5f), powf(x, 1.5f));
    float sine = 0, cosine = 0;
    __sincosf(x, &sine, &cosine);
    EXPECT_EQ(sine, sinf(x));
    EXPECT_EQ(cosine, cosf(x));
  }
  EXPECT_EQ(__fdividef(1.0f, 4.0f), 0.25f);
  EXPECT_EQ(__saturatef(-1.0f), 0.0f);
  EXPECT_EQ(__saturatef(0.5f), 0.5f);
  EXPECT_EQ(__saturatef(1.5f), 1.0f);
  EXPECT_EQ(__saturatef(NAN), 0.0f);
}

TEST(hip_math, rounded_once_and_never_fused) {
  // x * x does not fit; a fused multiplication and addition would give the rest.
  const float x = 1.0f + 0x1p-12f;
  const float square = 1.0f + 0x1p-11f;
  EXPECT_EQ(__fadd_rn(__fmul_rn(x, x), -square), 0.0f);
  EXPECT_EQ(__fsub_rn(x * x, square), 0.0f);
  EXPECT_EQ(__fmaf_rn(x, x, -square), 0x1p-24f);
  const double y = 1.0 + 0x1p-27;
  EXPECT_EQ(__dadd_rn(__dmul_rn(y, y), -(1.0 + 0x1p-26)), 0.0);
  EXPECT_EQ(__fma_rn(y, y, -(1.0 + 0x1p-26)), 0x1p-54);
  EXPECT_EQ(__dsub_rn(1.0, 0x1p-54), 1.0);
  EXPECT_EQ(__fdiv_rn(1.0f, 3.0f), 1.0f / 3.0f);
  EXPECT_EQ(__ddiv_rn(1.0, 3.0), 1.0 / 3.0);
  EXPECT_EQ(__frcp_rn(3.0f), 1.0f / 3.0f);
  EXPECT_EQ(__drcp_rn(3.0), 1.0 / 3.0);
  EXPECT_EQ(__fsqrt_rn(2.0f), std::sqrt(2.0f));
  EXPECT_EQ(__dsqrt_rn(2.0), std::sqrt(2.0));
  EXPECT_EQ(__frsqrt_rn(3.0f), static_cast<float>(1.0 / std::sqrt(3.0)));
}

TEST(hip_math, ldg_is_a_load) {
  const double v[] = {1, 2};
  EXPECT_EQ(__ldg(v + 1), 2.0);
}

}  // namespace test_hip_math
