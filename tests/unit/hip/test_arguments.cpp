// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Kernels' arguments of all shapes arrive as they were passed: what a calling convention splits, joins, extends or
// passes by an address.
#include <gtest/gtest.h>
#include <hip/hip_runtime.h>

#include <cstring>
#include <tuple>

namespace test_arguments {

struct pair_of_floats {
  float x, y;
};
struct mixed {
  float x, y;
  int z;
  double w;
};
struct large {
  double values[5];
  char last;
};
struct bytes_of_three {
  unsigned char r, g, b;
};
struct nothing {};
struct packed {
  char first;
  int second;
} __attribute__((packed));
struct alignas(32) aligned {
  long value;
};
struct holder {
  int* pointer;
  __host__ __device__ explicit holder(int* p) : pointer(p) {}
  __host__ __device__ holder(const holder& other) : pointer(other.pointer) {}
};
union number {
  long whole;
  double real;
};
enum class color : unsigned char { red = 3, green = 250 };
using vector4 = float __attribute__((ext_vector_type(4)));

constexpr int count = 18;

__global__ void take_all(bool* same, bool flag, char letter, short small, color shade, pair_of_floats two, mixed mix,
                         large much, bytes_of_three rgb, nothing, packed odd, aligned wide, holder held, number either,
                         __int128 huge, vector4 four, long double longest, float (*function)(float),
                         const int& referred, float) {
  const bool all[count] = {flag,
                           letter == 'x',
                           small == -7,
                           shade == color::green,
                           two.x == 1 && two.y == 2,
                           mix.x == 3 && mix.y == 4 && mix.z == 5 && mix.w == 6,
                           much.values[0] == 7 && much.values[4] == 8 && much.last == 'l',
                           rgb.r == 9 && rgb.g == 10 && rgb.b == 11,
                           odd.first == 'o' && odd.second == 12,
                           wide.value == 13 && reinterpret_cast<size_t>(&wide) % 32 == 0,
                           *held.pointer == 14,
                           either.real == 15.5,
                           huge == (static_cast<__int128>(16) << 100) + 1,
                           four.x == 17 && four.w == 20,
                           longest == 21.25L,
                           function == nullptr,
                           referred == 22,
                           true};
  for (int i = 0; i < count; ++i) same[i] = all[i];
}

struct arguments {
  int fourteen = 14, twenty_two = 22;
  number either;
  arguments() { either.real = 15.5; }
};

void expect_all(const bool* same) {
  for (int i = 0; i < count; ++i) EXPECT_TRUE(same[i]) << i;
}

TEST(hip_arguments, of_all_shapes_by_a_launch) {
  arguments values;
  bool same[count] = {};
  take_all<<<1, 1>>>(same, true, 'x', -7, color::green, {1, 2}, {3, 4, 5, 6}, {{7, 0, 0, 0, 8}, 'l'}, {9, 10, 11}, {},
                     {'o', 12}, {13}, holder(&values.fourteen), values.either, (static_cast<__int128>(16) << 100) + 1,
                     vector4{17, 18, 19, 20}, 21.25L, nullptr, values.twenty_two, 1.0f);
  EXPECT_EQ(hipGetLastError(), hipSuccess);
  expect_all(same);
}

extern "C" __global__ void c_linkage(float* output, mixed mix, large much) {
  output[threadIdx.x] = mix.x + mix.z + static_cast<float>(much.values[4]);
}

template <class First, class Second>
__global__ void joined(double* output, First first, Second second) {
  output[0] = static_cast<double>(first.x) + second;
}

namespace {
__global__ void without_a_name_outside(int* output, pair_of_floats) { output[0] = 5; }
}  // namespace

static __global__ void of_this_file(int* output) { output[0] = 6; }

__global__ void none() {}

TEST(hip_arguments, of_kernels_of_each_linkage) {
  float output[3] = {};
  c_linkage<<<1, 3>>>(output, {1, 2, 3, 4}, {{0, 0, 0, 0, 5}, 'l'});
  EXPECT_EQ(output[2], 9);
  double sum = 0;
  joined<<<1, 1>>>(&sum, pair_of_floats{1.5f, 2}, 2.25);
  EXPECT_EQ(sum, 3.75);
  int number = 0;
  without_a_name_outside<<<1, 1>>>(&number, {});
  EXPECT_EQ(number, 5);
  of_this_file<<<1, 1>>>(&number);
  EXPECT_EQ(number, 6);
  none<<<1, 1>>>();
  EXPECT_EQ(hipGetLastError(), hipSuccess);
}

template <class Body>
__global__ void run(Body body) {
  body(threadIdx.x);
}

TEST(hip_arguments, lambdas_bring_what_they_capture) {
  int output[8] = {};
  int* const place = output;
  const mixed captured{1, 2, 3, 4};
  run<<<1, 8>>>([=] __device__(unsigned i) { place[i] = static_cast<int>(i) + captured.z; });
  EXPECT_EQ(output[7], 10);
  run<<<1, 8>>>([=] __host__ __device__(unsigned i) { place[i] = static_cast<int>(captured.w) - static_cast<int>(i); });
  EXPECT_EQ(output[7], -3);
}

}  // namespace test_arguments
