// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Vector types: layout, make_ functions, operators, and their way through a kernel.
#include <gtest/gtest.h>
#include <hip/hip_complex.h>
#include <hip/hip_runtime.h>

#include <type_traits>

namespace test_hip_vector_types {

template <class V, class T, unsigned N>
constexpr bool has_layout(std::size_t alignment) {
  return sizeof(V) == N * sizeof(T) && alignof(V) == alignment && std::is_trivially_copyable_v<V> &&
         std::is_trivially_default_constructible_v<V> && std::is_standard_layout_v<V>;
}

#define LAYOUTS(name, T)                                   \
  static_assert(has_layout<name##1, T, 1>(sizeof(T)));     \
  static_assert(has_layout<name##2, T, 2>(2 * sizeof(T))); \
  static_assert(has_layout<name##3, T, 3>(sizeof(T)));     \
  static_assert(has_layout<name##4, T, 4>(4 * sizeof(T))); \
  static_assert(std::is_same_v<decltype(name##4 ::w), T>); \
  static_assert(make_##name##1(1).x == 1);                 \
  static_assert(make_##name##2(1, 2).y == 2);              \
  static_assert(make_##name##3(1, 2, 3).z == 3);           \
  static_assert(make_##name##4(1, 2, 3, 4).w == 4 && make_##name##4(1, 2, 3, 4).x == 1);

LAYOUTS(char, char)
LAYOUTS(uchar, unsigned char)
LAYOUTS(short, short)
LAYOUTS(ushort, unsigned short)
LAYOUTS(int, int)
LAYOUTS(uint, unsigned)
LAYOUTS(long, long)
LAYOUTS(ulong, unsigned long)
LAYOUTS(longlong, long long)
LAYOUTS(ulonglong, unsigned long long)
LAYOUTS(float, float)
LAYOUTS(double, double)

// 12 bytes that need no more than 4: an array of float3 has no gaps.
static_assert(sizeof(float3[5]) == 60);

TEST(hip_vector_types, operators_work_component_by_component) {
  const int4 a = make_int4(1, -2, 30, 400);
  const int4 b = {5, 6, 7, 8};
  EXPECT_EQ(a + b, make_int4(6, 4, 37, 408));
  EXPECT_EQ(a - b, make_int4(-4, -8, 23, 392));
  EXPECT_EQ(a * b, make_int4(5, -12, 210, 3200));
  EXPECT_EQ(a / b, make_int4(0, 0, 4, 50));
  EXPECT_EQ(a % b, make_int4(1, -2, 2, 0));
  EXPECT_EQ(a & b, make_int4(1, 6, 6, 0));
  EXPECT_EQ(a | b, make_int4(5, -2, 31, 408));
  EXPECT_EQ(a ^ b, make_int4(4, -8, 25, 408));
  EXPECT_EQ(b << make_int4(0, 1, 2, 3), make_int4(5, 12, 28, 64));
  EXPECT_EQ(b >> make_int4(0, 1, 2, 3), make_int4(5, 3, 1, 1));
  EXPECT_EQ(-a, make_int4(-1, 2, -30, -400));
  EXPECT_EQ(+a, a);
  EXPECT_EQ(~a, make_int4(-2, 1, -31, -401));
}

TEST(hip_vector_types, a_scalar_stands_for_all_components) {
  float3 v(1, 2, 3);
  EXPECT_EQ(v * 2, make_float3(2, 4, 6));
  EXPECT_EQ(6 / v, make_float3(6, 3, 2));
  EXPECT_EQ(10.0 - v, make_float3(9, 8, 7));
  v += 1;
  v *= 0.5;
  EXPECT_EQ(v, make_float3(1, 1.5f, 2));
  v -= make_float3(1, 1, 1);
  v /= 2.0f;
  EXPECT_EQ(v, make_float3(0, 0.25f, 0.5f));
  EXPECT_EQ(float4(7), make_float4(7, 7, 7, 7));
  EXPECT_TRUE(uint2(3u, 3u) == 3u);
  EXPECT_TRUE(3u == uint2(3u, 3u));
  EXPECT_TRUE(uint2(3u, 4u) != 3u);
  EXPECT_TRUE(3u != uint2(4u, 3u));
}

TEST(hip_vector_types, equal_means_all_components) {
  const double4 v = make_double4(1, 2, 3, 4);
  EXPECT_TRUE(v == make_double4(1, 2, 3, 4));
  EXPECT_FALSE(v == make_double4(0, 2, 3, 4));
  EXPECT_FALSE(v == make_double4(1, 0, 3, 4));
  EXPECT_FALSE(v == make_double4(1, 2, 0, 4));
  EXPECT_FALSE(v == make_double4(1, 2, 3, 0));
  EXPECT_TRUE(v != make_double4(1, 2, 3, 0));
}

TEST(hip_vector_types, steps) {
  ushort2 v(65535, 1);
  EXPECT_EQ(v++, make_ushort2(65535, 1));
  EXPECT_EQ(v, make_ushort2(0, 2));
  EXPECT_EQ(--v, make_ushort2(65535, 1));
  EXPECT_EQ(v--, make_ushort2(65535, 1));
  EXPECT_EQ(++v, make_ushort2(65535, 1));
}

TEST(hip_vector_types, results_wrap_as_their_component_does) {
  EXPECT_EQ(make_uchar2(200, 1) + make_uchar2(100, 1), make_uchar2(44, 2));
  EXPECT_EQ(make_uchar2(200, 1) << 1, make_uchar2(144, 2));
  EXPECT_EQ(float4{}, make_float4(0, 0, 0, 0));
}

TEST(hip_vector_types, extents_convert) {
  const dim3 extent = make_uint3(2, 3, 4);
  EXPECT_EQ(extent.z, 4U);
  const uint3 back = extent;
  EXPECT_EQ(back, make_uint3(2, 3, 4));
  const dim3 standard;
  EXPECT_EQ(standard.x * standard.y * standard.z, 1U);
}

__global__ void scale(float4* output, const float4* input, float4 offset, float factor) {
  output[threadIdx.x] = input[threadIdx.x] * factor + offset;
}

TEST(hip_vector_types, go_through_a_kernel) {
  float4* data = nullptr;
  ASSERT_EQ(hipMallocManaged(&data, 40 * sizeof(float4)), hipSuccess);
  for (int i = 0; i < 40; ++i) data[i] = float4(i, i + 1, i + 2, i + 3);
  hipLaunchKernelGGL(scale, 1, 40, 0, 0, data, data, make_float4(1, 2, 3, 4), 2);
  ASSERT_EQ(hipGetLastError(), hipSuccess);
  for (int i = 0; i < 40; ++i) EXPECT_EQ(data[i], make_float4(2 * i + 1, 2 * i + 4, 2 * i + 7, 2 * i + 10)) << i;
  EXPECT_EQ(hipFree(data), hipSuccess);
}

TEST(hip_vector_types, complex_numbers) {
  const hipFloatComplex p = make_hipFloatComplex(3, 4);
  const hipFloatComplex q = make_hipComplex(1, -2);
  EXPECT_EQ(hipCrealf(p), 3);
  EXPECT_EQ(hipCimagf(p), 4);
  EXPECT_EQ(hipCabsf(p), 5);
  EXPECT_EQ(hipCsqabsf(p), 25);
  EXPECT_EQ(hipConjf(p), make_float2(3, -4));
  EXPECT_EQ(hipCaddf(p, q), make_float2(4, 2));
  EXPECT_EQ(hipCsubf(p, q), make_float2(2, 6));
  EXPECT_EQ(hipCmulf(p, q), make_float2(11, -2));
  EXPECT_EQ(hipCdivf(p, q), make_float2(-1, 2));
  EXPECT_EQ(hipCfmaf(p, q, p), make_float2(14, 2));
  const hipDoubleComplex wide = hipComplexFloatToDouble(p);
  EXPECT_EQ(hipCmul(wide, wide), make_double2(-7, 24));
  EXPECT_EQ(hipCabs(wide), 5);
  EXPECT_EQ(hipComplexDoubleToFloat(wide), p);
}

}  // namespace test_hip_vector_types
