// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Textures of arrays and of memory, read by kernels, against a model (texture_model.hpp).
#include <gtest/gtest.h>

#include <cstring>
#include <limits>
#include <numeric>
#include <vector>

#include "hip_kernels.hpp"
#include "texture_model.hpp"

namespace test_textures {

using texture_model::direction;
using texture_model::texture_values;

constexpr hipTextureAddressMode all_modes[] = {hipAddressModeWrap, hipAddressModeClamp, hipAddressModeMirror,
                                               hipAddressModeBorder};

/// An array that holds these elements, and is freed.
class array_of {
 public:
  template <class T>
  array_of(const std::vector<T>& elements, hipExtent extent, unsigned flags = hipArrayDefault)
      : array_of(hipCreateChannelDesc<T>(), elements.data(), sizeof(T), extent, flags) {}

  array_of(const hipChannelFormatDesc& element, const void* elements, std::size_t bytes, hipExtent extent,
           unsigned flags) {
    EXPECT_EQ(hipMalloc3DArray(&array_, &element, extent, flags), hipSuccess);
    hipMemcpy3DParms copy{};
    const std::size_t rows = extent.height > 0 ? extent.height : 1, slices = extent.depth > 0 ? extent.depth : 1;
    copy.srcPtr = make_hipPitchedPtr(const_cast<void*>(elements), extent.width * bytes, extent.width, rows);
    copy.dstArray = array_;
    copy.extent = {extent.width, rows, slices};
    copy.kind = hipMemcpyHostToDevice;
    EXPECT_EQ(hipMemcpy3D(&copy), hipSuccess);
    resource.resType = hipResourceTypeArray;
    resource.res.array.array = array_;
  }
  ~array_of() { EXPECT_EQ(hipFreeArray(array_), hipSuccess); }
  array_of(const array_of&) = delete;
  array_of& operator=(const array_of&) = delete;

  hipResourceDesc resource{};

 private:
  hipArray_t array_ = nullptr;
};

class texture_object {
 public:
  texture_object(const hipResourceDesc& resource, const hipTextureDesc& sampling,
                 const hipResourceViewDesc* view = nullptr) {
    EXPECT_EQ(hipCreateTextureObject(&object, &resource, &sampling, view), hipSuccess);
  }
  ~texture_object() { EXPECT_EQ(hipDestroyTextureObject(object), hipSuccess); }
  texture_object(const texture_object&) = delete;
  texture_object& operator=(const texture_object&) = delete;

  hipTextureObject_t object = nullptr;
};

/// Reads by `each`, which gets a number, so many times in one kernel.
template <class Each>
auto results_of(unsigned count, const Each& each) {
  std::vector<decltype(each(0U))> results(count);
  hip_kernels::run(32, dim3(1), dim3(64), [&] {
    for (unsigned i = threadIdx.x; i < count; i += blockDim.x) results[i] = each(i);
  });
  return results;
}

hipTextureDesc sampling(hipTextureFilterMode filter, bool is_normalized, hipTextureAddressMode x,
                        hipTextureAddressMode y = hipAddressModeClamp, hipTextureAddressMode z = hipAddressModeClamp) {
  hipTextureDesc description{};
  description.filterMode = filter;
  description.normalizedCoords = is_normalized;
  description.addressMode[0] = x;
  description.addressMode[1] = y;
  description.addressMode[2] = z;
  return description;
}

// Products of these coordinates and sizes have no rounding, so that a point filter has one answer.
constexpr float step = 1.0F / 64;

TEST(textures, of_one_dimension_follow_the_model) {
  constexpr int width = 16;
  std::vector<float> elements(width);
  for (int i = 0; i < width; ++i) elements[i] = static_cast<float>((i * 7) % 11) - 3.5F;
  const array_of array(elements, {width, 0, 0});
  for (const bool is_normalized : {false, true}) {
    for (const hipTextureAddressMode mode : all_modes) {
      for (const hipTextureFilterMode filter : {hipFilterModePoint, hipFilterModeLinear}) {
        hipTextureDesc description = sampling(filter, is_normalized, mode);
        description.borderColor[0] = 2.25F;
        const texture_object texture(array.resource, description);
        const texture_values model{
            {{width, mode, is_normalized}}, [&](const std::vector<int>& at) { return elements[at[0]]; }, 2.25};
        constexpr unsigned count = 1000;
        const auto coordinate = [=](unsigned i) {
          const float x = (static_cast<float>(i) - 450) * step * 4;
          return is_normalized ? x / width : x;
        };
        const auto results = results_of(count, [&](unsigned i) { return tex1D<float>(texture.object, coordinate(i)); });
        for (unsigned i = 0; i < count; ++i) {
          const std::vector<double> at{coordinate(i)};
          ASSERT_NEAR(results[i], filter == hipFilterModePoint ? model.point(at) : model.linear(at), 1e-6)
              << "mode " << mode << " filter " << filter << " normalized " << is_normalized << " at " << at[0];
        }
      }
    }
  }
}

TEST(textures, of_two_dimensions_have_a_mode_for_each) {
  constexpr int width = 8, height = 4;
  std::vector<float> elements(width * height);
  std::iota(elements.begin(), elements.end(), 10.0F);
  const array_of array(elements, {width, height, 0});
  for (const hipTextureAddressMode x_mode : all_modes) {
    for (const hipTextureAddressMode y_mode : all_modes) {
      for (const hipTextureFilterMode filter : {hipFilterModePoint, hipFilterModeLinear}) {
        const texture_object texture(array.resource, sampling(filter, true, x_mode, y_mode));
        const texture_values model{{{width, x_mode, true}, {height, y_mode, true}},
                                   [&](const std::vector<int>& at) { return elements[at[1] * width + at[0]]; },
                                   0};
        constexpr unsigned side = 70;
        const auto x = [](unsigned i) { return (static_cast<float>(i % side) - 30) * 3 * step; };
        const auto y = [](unsigned i) { return (static_cast<float>(i / side) - 25) * 5 * step; };
        const auto results =
            results_of(side * side, [&](unsigned i) { return tex2D<float>(texture.object, x(i), y(i)); });
        for (unsigned i = 0; i < side * side; ++i) {
          const std::vector<double> at{x(i), y(i)};
          ASSERT_NEAR(results[i], filter == hipFilterModePoint ? model.point(at) : model.linear(at), 1e-5)
              << "modes " << x_mode << ' ' << y_mode << " filter " << filter << " at " << at[0] << ' ' << at[1];
        }
      }
    }
  }
}

TEST(textures, of_three_dimensions_filter_along_each) {
  constexpr int width = 4, height = 2, depth = 8;
  std::vector<float> elements(width * height * depth);
  for (std::size_t i = 0; i < elements.size(); ++i) elements[i] = static_cast<float>((i * 13) % 29);
  const array_of array(elements, {width, height, depth});
  const hipTextureAddressMode modes[] = {hipAddressModeMirror, hipAddressModeWrap, hipAddressModeBorder};
  for (const hipTextureFilterMode filter : {hipFilterModePoint, hipFilterModeLinear}) {
    const texture_object texture(array.resource, sampling(filter, true, modes[0], modes[1], modes[2]));
    const texture_values model{
        {{width, modes[0], true}, {height, modes[1], true}, {depth, modes[2], true}},
        [&](const std::vector<int>& at) { return elements[(at[2] * height + at[1]) * width + at[0]]; },
        0};
    constexpr unsigned side = 16;
    const auto x = [](unsigned i) { return (static_cast<float>(i % side) - 7) * 11 * step; };
    const auto y = [](unsigned i) { return (static_cast<float>(i / side % side) - 5) * 9 * step; };
    const auto z = [](unsigned i) { return (static_cast<float>(i / side / side) - 3) * 7 * step; };
    const auto results =
        results_of(side * side * side, [&](unsigned i) { return tex3D<float>(texture.object, x(i), y(i), z(i)); });
    for (unsigned i = 0; i < results.size(); ++i) {
      const std::vector<double> at{x(i), y(i), z(i)};
      ASSERT_NEAR(results[i], filter == hipFilterModePoint ? model.point(at) : model.linear(at), 1e-5)
          << "filter " << filter << " at " << at[0] << ' ' << at[1] << ' ' << at[2];
    }
  }
}

TEST(textures, give_elements_of_each_type_as_they_are) {
  const auto expect_copy = [](auto zero, const auto& values) {
    using type = decltype(zero);
    const std::vector<type> elements(values);
    const array_of array(elements, {elements.size(), 0, 0});
    const texture_object texture(array.resource, sampling(hipFilterModePoint, false, hipAddressModeClamp));
    const auto results = results_of(static_cast<unsigned>(elements.size()), [&](unsigned i) {
      return tex1D<type>(texture.object, static_cast<float>(i) + 0.5F);
    });
    EXPECT_TRUE(results == elements);
  };
  expect_copy(char{}, std::vector<char>{-128, -1, 0, 127});
  expect_copy(uchar1{}, std::vector<uchar1>{uchar1(255), uchar1(128)});
  expect_copy(short{}, std::vector<short>{-32768, -1, 32767});
  expect_copy(static_cast<unsigned short>(0), std::vector<unsigned short>{65535, 32768, 1});
  expect_copy(0, std::vector<int>{std::numeric_limits<int>::min(), -1, std::numeric_limits<int>::max()});
  expect_copy(0U, std::vector<unsigned>{~0U, 0x80000001U});
  expect_copy(0.0F, std::vector<float>{-0.1F, 1e30F});
  expect_copy(char2{}, std::vector<char2>{char2(-128, 127), char2(3, -4)});
  expect_copy(ushort2{}, std::vector<ushort2>{ushort2(65535, 1), ushort2(2, 40000)});
  expect_copy(uchar4{}, std::vector<uchar4>{uchar4(1, 200, 255, 0), uchar4(9, 8, 7, 6)});
  expect_copy(short4{}, std::vector<short4>{short4(-1, 2, -32768, 4)});
  expect_copy(int4{}, std::vector<int4>{int4(-1, 2, -3, 1 << 30), int4(5, 6, 7, 8)});
  expect_copy(uint2{}, std::vector<uint2>{uint2(~0U, 5), uint2(6, 7)});
  expect_copy(float2{}, std::vector<float2>{float2(0.5F, -1.5F)});
  expect_copy(float4{}, std::vector<float4>{float4(1, 2, 3, 4), float4(-5, 6.5F, 7, 8)});
}

TEST(textures, complete_a_color_where_the_element_lacks_components) {
  const array_of floats(std::vector<float>{7}, {1, 0, 0});
  const array_of integers(std::vector<int>{7}, {1, 0, 0});
  const hipTextureDesc plain = sampling(hipFilterModePoint, false, hipAddressModeClamp);
  const texture_object of_floats(floats.resource, plain), of_integers(integers.resource, plain);
  EXPECT_TRUE(results_of(1, [&](unsigned) { return tex1D<float4>(of_floats.object, 0); })[0] == float4(7, 0, 0, 1));
  EXPECT_TRUE(results_of(1, [&](unsigned) { return tex1D<int4>(of_integers.object, 0); })[0] == int4(7, 0, 0, 1));
}

template <class T>
void expect_normalized(double largest) {
  std::vector<T> elements;
  for (int i = 0; i <= 255; ++i) {
    elements.push_back(static_cast<T>(std::numeric_limits<T>::min() + i * (largest >= 256 ? 257 : 1)));
  }
  const array_of array(elements, {elements.size(), 0, 0});
  hipTextureDesc description = sampling(hipFilterModePoint, false, hipAddressModeClamp);
  description.readMode = hipReadModeNormalizedFloat;
  const texture_object texture(array.resource, description);
  const auto results = results_of(256, [&](unsigned i) { return tex1D<float>(texture.object, static_cast<float>(i)); });
  for (unsigned i = 0; i < 256; ++i) EXPECT_NEAR(results[i], std::fmax(elements[i] / largest, -1), 1e-7) << i;
}

TEST(textures, map_integers_to_floats_on_demand) {
  expect_normalized<unsigned char>(255);
  expect_normalized<signed char>(127);
  expect_normalized<unsigned short>(65535);
  expect_normalized<short>(32767);
}

TEST(textures, leave_integers_of_32_bits_as_they_are) {
  const array_of array(std::vector<int>{-5, 1 << 30}, {2, 0, 0});
  hipTextureDesc description = sampling(hipFilterModePoint, false, hipAddressModeClamp);
  description.readMode = hipReadModeNormalizedFloat;
  const texture_object texture(array.resource, description);
  const auto results = results_of(2, [&](unsigned i) { return tex1D<int>(texture.object, static_cast<float>(i)); });
  EXPECT_EQ(results, (std::vector<int>{-5, 1 << 30}));
}

TEST(textures, filter_integers_that_are_mapped_to_floats) {
  const array_of array(std::vector<uchar4>{uchar4(0, 51, 255, 102), uchar4(255, 0, 0, 204)}, {2, 0, 0});
  hipTextureDesc description = sampling(hipFilterModeLinear, false, hipAddressModeClamp);
  description.readMode = hipReadModeNormalizedFloat;
  const texture_object texture(array.resource, description);
  const float4 half = results_of(1, [&](unsigned) { return tex1D<float4>(texture.object, 1); })[0];
  EXPECT_NEAR(half.x, 0.5, 1e-6);
  EXPECT_NEAR(half.y, 0.1, 1e-6);
  EXPECT_NEAR(half.z, 0.5, 1e-6);
  EXPECT_NEAR(half.w, 0.6, 1e-6);
}

// Some values of IEC 61966-2-1.
TEST(textures, make_srgb_colors_linear_and_leave_alpha) {
  const array_of array(std::vector<uchar4>{uchar4(10, 128, 255, 128)}, {1, 0, 0});
  hipTextureDesc description = sampling(hipFilterModePoint, false, hipAddressModeClamp);
  description.readMode = hipReadModeNormalizedFloat;
  description.sRGB = 1;
  const texture_object texture(array.resource, description);
  const float4 color = results_of(1, [&](unsigned) { return tex1D<float4>(texture.object, 0); })[0];
  EXPECT_NEAR(color.x, 0.00303527, 1e-7);
  EXPECT_NEAR(color.y, 0.21586050, 1e-6);
  EXPECT_NEAR(color.z, 1.0, 1e-6);
  EXPECT_NEAR(color.w, 128 / 255.0, 1e-6);
}

TEST(textures, read_halves_as_floats) {
  // 1, -2, the least number above 0, infinity.
  const unsigned short halves[] = {0x3c00, 0xc000, 0x0001, 0x7c00};
  const array_of array(hipCreateChannelDescHalf(), halves, sizeof halves[0], {4, 0, 0}, hipArrayDefault);
  const texture_object texture(array.resource, sampling(hipFilterModePoint, false, hipAddressModeClamp));
  const auto results = results_of(4, [&](unsigned i) { return tex1D<float>(texture.object, static_cast<float>(i)); });
  EXPECT_EQ(results[0], 1.0F);
  EXPECT_EQ(results[1], -2.0F);
  EXPECT_EQ(results[2], std::ldexp(1.0F, -24));
  EXPECT_EQ(results[3], std::numeric_limits<float>::infinity());
}

TEST(textures, of_layers_do_not_mix_them) {
  std::vector<float> elements(2 * 3 * 4);
  std::iota(elements.begin(), elements.end(), 0.0F);
  const array_of array(elements, {2, 3, 4}, hipArrayLayered);
  const texture_object texture(array.resource,
                               sampling(hipFilterModeLinear, false, hipAddressModeClamp, hipAddressModeClamp));
  const auto results =
      results_of(6, [&](unsigned i) { return tex2DLayered<float>(texture.object, 1, 1.5F, static_cast<int>(i) - 1); });
  // Layers beside the texture are those at its ends.
  const std::vector<float> expected{2.5F, 2.5F, 8.5F, 14.5F, 20.5F, 20.5F};
  EXPECT_EQ(results, expected);

  const array_of lines(elements, {6, 0, 4}, hipArrayLayered);
  const texture_object of_lines(lines.resource, sampling(hipFilterModePoint, false, hipAddressModeClamp));
  EXPECT_EQ(results_of(1, [&](unsigned) { return tex1DLayered<float>(of_lines.object, 2, 3); })[0], 20);
}

TEST(textures, of_cubes_are_read_by_direction) {
  // Each face has its number in the tens, and its elements 0 to 3 row by row.
  std::vector<float> elements;
  for (int face = 0; face < 12; ++face) {
    for (int i = 0; i < 4; ++i) elements.push_back(static_cast<float>(10 * face + i));
  }
  const array_of array(std::vector<float>(elements.begin(), elements.begin() + 24), {2, 2, 6}, hipArrayCubemap);
  const array_of cubes(elements, {2, 2, 12}, hipArrayCubemap | hipArrayLayered);
  const hipTextureDesc plain = sampling(hipFilterModePoint, true, hipAddressModeClamp);
  const texture_object texture(array.resource, plain), of_cubes(cubes.resource, plain);
  // By the guide's table: for +x, s = -z and t = -y, and so on; an element's column follows from s, its row from t.
  const float directions[][3] = {{1, 0.5F, 0.5F},  {1, -0.5F, -0.5F}, {-1, 0.5F, 0.5F}, {0.5F, 1, -0.5F},
                                 {0.5F, -1, 0.5F}, {-0.5F, 0.5F, 1},  {0.5F, 0.5F, -1}, {-0.5F, -0.5F, -1}};
  const std::vector<float> expected{0, 3, 11, 21, 31, 40, 50, 53};
  const auto results = results_of(8, [&](unsigned i) {
    return texCubemap<float>(texture.object, directions[i][0], directions[i][1], directions[i][2]);
  });
  EXPECT_EQ(results, expected);
  const float second =
      results_of(1, [&](unsigned) { return texCubemapLayered<float>(of_cubes.object, 0, 0, 9, 1); })[0];
  EXPECT_EQ(second, 103);
}

TEST(textures, gather_a_component_of_four_elements) {
  std::vector<uchar4> elements;
  for (unsigned char i = 0; i < 6; ++i) elements.push_back(uchar4(i, 10 + i, 20 + i, 30 + i));
  const array_of array(elements, {3, 2, 0}, hipArrayTextureGather);
  const texture_object texture(array.resource,
                               sampling(hipFilterModePoint, false, hipAddressModeClamp, hipAddressModeClamp));
  const auto results = results_of(2, [&](unsigned i) { return tex2Dgather<uchar4>(texture.object, 2, 1, i); });
  EXPECT_TRUE(results[0] == uchar4(4, 5, 2, 1));
  EXPECT_TRUE(results[1] == uchar4(14, 15, 12, 11));
}

TEST(textures, of_linear_memory_give_0_beside_it) {
  std::vector<int> elements{5, 6, 7, 8};
  int* memory = nullptr;
  ASSERT_EQ(hipMalloc(&memory, 16), hipSuccess);
  ASSERT_EQ(hipMemcpy(memory, elements.data(), 16, hipMemcpyHostToDevice), hipSuccess);
  hipResourceDesc resource{};
  resource.resType = hipResourceTypeLinear;
  resource.res.linear.devPtr = memory;
  resource.res.linear.desc = hipCreateChannelDesc<int>();
  resource.res.linear.sizeInBytes = 16;
  {
    const texture_object texture(resource, {});
    const auto results =
        results_of(7, [&](unsigned i) { return tex1Dfetch<int>(texture.object, static_cast<int>(i) - 1); });
    EXPECT_EQ(results, (std::vector<int>{0, 5, 6, 7, 8, 0, 0}));
  }
  EXPECT_EQ(hipFree(memory), hipSuccess);
}

TEST(textures, of_rows_in_memory_follow_the_pitch) {
  char* memory = nullptr;
  std::size_t pitch = 0;
  ASSERT_EQ(hipMallocPitch(reinterpret_cast<void**>(&memory), &pitch, 3 * sizeof(float), 2), hipSuccess);
  const std::vector<float> elements{1, 2, 3, 4, 5, 6};
  ASSERT_EQ(hipMemcpy2D(memory, pitch, elements.data(), 12, 12, 2, hipMemcpyHostToDevice), hipSuccess);
  hipResourceDesc resource{};
  resource.resType = hipResourceTypePitch2D;
  resource.res.pitch2D = {memory, hipCreateChannelDesc<float>(), 3, 2, pitch};
  {
    const texture_object texture(resource, sampling(hipFilterModeLinear, false, hipAddressModeClamp));
    EXPECT_EQ(results_of(1, [&](unsigned) { return tex2D<float>(texture.object, 2, 1); })[0], 4);
  }
  EXPECT_EQ(hipFree(memory), hipSuccess);
}

TEST(textures, have_a_value_at_every_coordinate) {
  const array_of array(std::vector<float>{1, 2, 3, 4}, {4, 0, 0});
  const float infinite = std::numeric_limits<float>::infinity();
  const float coordinates[] = {infinite, -infinite, std::nanf(""), 1e38F, -1e38F, std::numeric_limits<float>::min()};
  for (const hipTextureAddressMode mode : all_modes) {
    for (const hipTextureFilterMode filter : {hipFilterModePoint, hipFilterModeLinear}) {
      const texture_object texture(array.resource, sampling(filter, true, mode));
      const auto results = results_of(6, [&](unsigned i) { return tex1D<float>(texture.object, coordinates[i]); });
      for (const float each : results) EXPECT_TRUE(each >= 0 && each <= 4) << mode << ' ' << each;
    }
  }
}

TEST(textures, with_a_level_or_gradients_have_one_level) {
  const array_of array(std::vector<float>{1, 2, 3, 4}, {2, 2, 0});
  const texture_object texture(array.resource, sampling(hipFilterModePoint, false, hipAddressModeClamp));
  const auto results = results_of(1, [&](unsigned) {
    float pointed = 0;
    tex2D(&pointed, texture.object, 1, 1);
    return tex2DLod<float>(texture.object, 1, 0, 3) * 100 +
           tex2DGrad<float>(texture.object, 0, 1, float2(1, 1), float2(2, 2)) * 10 + pointed;
  });
  EXPECT_EQ(results[0], 234);
}

TEST(textures, can_be_seen_as_other_elements_and_as_some_layers) {
  const std::vector<unsigned> elements{0x04030201, 0x08070605, 0x0c0b0a09};
  const array_of array(elements, {1, 0, 3}, hipArrayLayered);
  hipResourceViewDesc view{};
  view.format = hipResViewFormatUnsignedChar4;
  view.width = 1;
  view.firstLayer = 1;
  view.lastLayer = 2;
  const texture_object texture(array.resource, sampling(hipFilterModePoint, false, hipAddressModeClamp), &view);
  const auto results =
      results_of(2, [&](unsigned i) { return tex1DLayered<uchar4>(texture.object, 0, static_cast<int>(i)); });
  EXPECT_TRUE(results[0] == uchar4(5, 6, 7, 8));
  EXPECT_TRUE(results[1] == uchar4(9, 10, 11, 12));
  hipResourceViewDesc told{};
  EXPECT_EQ(hipGetTextureObjectResourceViewDesc(&told, texture.object), hipSuccess);
  EXPECT_EQ(told.lastLayer, 2U);
  view.format = hipResViewFormatUnsignedChar2;
  hipTextureObject_t refused = nullptr;
  const hipTextureDesc plain = sampling(hipFilterModePoint, false, hipAddressModeClamp);
  EXPECT_EQ(hipCreateTextureObject(&refused, &array.resource, &plain, &view), hipErrorInvalidValue);
}

TEST(textures, tell_what_they_were_made_of) {
  const array_of array(std::vector<float>{1, 2}, {2, 0, 0});
  const hipTextureDesc description = sampling(hipFilterModeLinear, true, hipAddressModeMirror);
  hipResourceDesc resource{};
  hipTextureDesc told{};
  {
    const texture_object texture(array.resource, description);
    ASSERT_EQ(hipGetTextureObjectResourceDesc(&resource, texture.object), hipSuccess);
    ASSERT_EQ(hipGetTextureObjectTextureDesc(&told, texture.object), hipSuccess);
    hipResourceViewDesc view{};
    EXPECT_EQ(hipGetTextureObjectResourceViewDesc(&view, texture.object), hipErrorInvalidValue);
  }
  EXPECT_EQ(resource.res.array.array, array.resource.res.array.array);
  EXPECT_EQ(told.addressMode[0], hipAddressModeMirror);
  EXPECT_EQ(hipGetTextureObjectTextureDesc(&told, nullptr), hipErrorInvalidValue);
}

TEST(textures, are_refused_where_no_gpu_can_read_them) {
  hipTextureObject_t object = nullptr;
  const hipTextureDesc plain = sampling(hipFilterModePoint, false, hipAddressModeClamp);
  const array_of array(std::vector<int>{1, 2}, {2, 0, 0});
  EXPECT_EQ(hipCreateTextureObject(nullptr, &array.resource, &plain, nullptr), hipErrorInvalidValue);
  EXPECT_EQ(hipCreateTextureObject(&object, nullptr, &plain, nullptr), hipErrorInvalidValue);
  EXPECT_EQ(hipCreateTextureObject(&object, &array.resource, nullptr, nullptr), hipErrorInvalidValue);
  hipTextureDesc wrong = plain;
  wrong.filterMode = hipFilterModeLinear;  // of integers
  EXPECT_EQ(hipCreateTextureObject(&object, &array.resource, &wrong, nullptr), hipErrorInvalidValue);
  wrong = plain;
  wrong.addressMode[1] = static_cast<hipTextureAddressMode>(4);
  EXPECT_EQ(hipCreateTextureObject(&object, &array.resource, &wrong, nullptr), hipErrorInvalidValue);
  hipResourceDesc nothing{};
  EXPECT_EQ(hipCreateTextureObject(&object, &nothing, &plain, nullptr), hipErrorInvalidHandle);

  int* memory = nullptr;
  ASSERT_EQ(hipMalloc(&memory, 1024), hipSuccess);
  hipResourceDesc linear{};
  linear.resType = hipResourceTypeLinear;
  const auto create_linear = [&](void* begin, std::size_t bytes) {
    linear.res.linear.devPtr = begin;
    linear.res.linear.desc = hipCreateChannelDesc<int>();
    linear.res.linear.sizeInBytes = bytes;
    return hipCreateTextureObject(&object, &linear, &plain, nullptr);
  };
  EXPECT_EQ(create_linear(nullptr, 1024), hipErrorInvalidValue);
  EXPECT_EQ(create_linear(memory, 0), hipErrorInvalidValue);
  EXPECT_EQ(create_linear(memory, 1028), hipErrorInvalidValue);
  EXPECT_EQ(create_linear(memory + 1, 512), hipErrorInvalidValue);
  hipResourceDesc rows{};
  rows.resType = hipResourceTypePitch2D;
  const auto create_rows = [&](std::size_t width, std::size_t height, std::size_t pitch) {
    rows.res.pitch2D = {memory, hipCreateChannelDesc<int>(), width, height, pitch};
    return hipCreateTextureObject(&object, &rows, &plain, nullptr);
  };
  EXPECT_EQ(create_rows(64, 5, 256), hipErrorInvalidValue);
  EXPECT_EQ(create_rows(65, 2, 256), hipErrorInvalidValue);
  EXPECT_EQ(create_rows(8, 2, 100), hipErrorInvalidValue);
  EXPECT_EQ(create_rows(8, 0, 256), hipErrorInvalidValue);
  EXPECT_EQ(create_rows(8, 2, ~std::size_t{255}), hipErrorInvalidValue);
  EXPECT_EQ(create_rows(64, 4, 256), hipSuccess);
  EXPECT_EQ(hipDestroyTextureObject(object), hipSuccess);
  EXPECT_EQ(hipDestroyTextureObject(object), hipErrorInvalidValue);
  EXPECT_EQ(hipDestroyTextureObject(nullptr), hipSuccess);
  EXPECT_EQ(hipFree(memory), hipSuccess);
  static_cast<void>(hipGetLastError());
}

TEST(textures, are_read_through_references_that_are_bound) {
  static texture<float, hipTextureType2D, hipReadModeElementType> floats(0, hipFilterModeLinear);
  static texture<uchar2, hipTextureType1D, hipReadModeNormalizedFloat> bytes;
  const array_of array(std::vector<float>{1, 2, 3, 4}, {2, 2, 0});
  ASSERT_EQ(hipBindTextureToArray(floats, array.resource.res.array.array), hipSuccess);
  EXPECT_EQ(results_of(1, [&](unsigned) { return tex2D(floats, 1, 1); })[0], 2.5F);

  uchar2* memory = nullptr;
  ASSERT_EQ(hipMalloc(&memory, 8), hipSuccess);
  const std::vector<uchar2> elements{uchar2(0, 255), uchar2(51, 102), uchar2(1, 2), uchar2(3, 4)};
  ASSERT_EQ(hipMemcpy(memory, elements.data(), 8, hipMemcpyHostToDevice), hipSuccess);
  std::size_t offset = 1;
  ASSERT_EQ(hipBindTexture(&offset, bytes, memory, 8), hipSuccess);
  EXPECT_EQ(offset, 0U);
  const float2 second = results_of(1, [&](unsigned) { return tex1Dfetch(bytes, 1); })[0];
  EXPECT_NEAR(second.x, 0.2, 1e-6);
  EXPECT_NEAR(second.y, 0.4, 1e-6);
  EXPECT_EQ(hipUnbindTexture(bytes), hipSuccess);
  EXPECT_EQ(bytes.textureObject, nullptr);
  EXPECT_EQ(hipUnbindTexture(floats), hipSuccess);
  EXPECT_EQ(hipBindTexture(nullptr, bytes, nullptr, 8), hipErrorInvalidValue);
  EXPECT_EQ(hipFree(memory), hipSuccess);
  static_cast<void>(hipGetLastError());
}

}  // namespace test_textures
