// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Arrays: what can be allocated, what is told about them, and copies to and from them.
#include <gtest/gtest.h>
#include <hip/hip_runtime.h>

#include <cstdint>
#include <numeric>
#include <vector>

namespace test_arrays {

class arrays : public testing::Test {
 protected:
  void TearDown() override {
    for (const hipArray_t each : made_) EXPECT_EQ(hipFreeArray(each), hipSuccess);
    static_cast<void>(hipGetLastError());
  }

  template <class T>
  hipArray_t make(hipExtent extent, unsigned flags = hipArrayDefault) {
    const hipChannelFormatDesc element = hipCreateChannelDesc<T>();
    hipArray_t array = nullptr;
    EXPECT_EQ(hipMalloc3DArray(&array, &element, extent, flags), hipSuccess);
    made_.push_back(array);
    return array;
  }

  /// All elements of an array of two dimensions.
  template <class T>
  static std::vector<T> elements_of(hipArray_t array) {
    hipExtent extent{};
    EXPECT_EQ(hipArrayGetInfo(nullptr, &extent, nullptr, array), hipSuccess);
    std::vector<T> elements(extent.width * extent.height);
    const std::size_t row = extent.width * sizeof(T);
    EXPECT_EQ(hipMemcpy2DFromArray(elements.data(), row, array, 0, 0, row, extent.height, hipMemcpyDeviceToHost),
              hipSuccess);
    return elements;
  }

  static hipError_t try_to_make(hipExtent extent, unsigned flags,
                                const hipChannelFormatDesc& element = hipCreateChannelDesc<float>()) {
    hipArray_t array = nullptr;
    return hipMalloc3DArray(&array, &element, extent, flags);
  }

 private:
  std::vector<hipArray_t> made_;
};

template <class T>
void expect_element(int x, int y, int z, int w, hipChannelFormatKind kind) {
  constexpr hipChannelFormatDesc element = hipCreateChannelDesc<T>();
  EXPECT_TRUE(element.x == x && element.y == y && element.z == z && element.w == w && element.f == kind);
}

TEST_F(arrays, hold_elements_of_c_types) {
  expect_element<char>(8, 0, 0, 0, hipChannelFormatKindSigned);
  expect_element<unsigned char>(8, 0, 0, 0, hipChannelFormatKindUnsigned);
  expect_element<ushort2>(16, 16, 0, 0, hipChannelFormatKindUnsigned);
  expect_element<int4>(32, 32, 32, 32, hipChannelFormatKindSigned);
  expect_element<uint1>(32, 0, 0, 0, hipChannelFormatKindUnsigned);
  expect_element<float>(32, 0, 0, 0, hipChannelFormatKindFloat);
  expect_element<float4>(32, 32, 32, 32, hipChannelFormatKindFloat);
  const hipChannelFormatDesc halves = hipCreateChannelDescHalf2();
  EXPECT_TRUE(halves.x == 16 && halves.y == 16 && halves.z == 0 && halves.f == hipChannelFormatKindFloat);
}

TEST_F(arrays, tell_what_they_are) {
  const hipArray_t array = make<short2>({5, 3, 7}, hipArrayLayered);
  hipChannelFormatDesc element{};
  hipExtent extent{};
  unsigned flags = 0;
  ASSERT_EQ(hipArrayGetInfo(&element, &extent, &flags, array), hipSuccess);
  EXPECT_TRUE(extent.width == 5 && extent.height == 3 && extent.depth == 7);
  EXPECT_TRUE(element.x == 16 && element.y == 16 && element.z == 0 && element.f == hipChannelFormatKindSigned);
  EXPECT_EQ(flags, static_cast<unsigned>(hipArrayLayered));
  HIP_ARRAY3D_DESCRIPTOR descriptor{};
  ASSERT_EQ(hipArray3DGetDescriptor(&descriptor, array), hipSuccess);
  EXPECT_EQ(descriptor.Format, HIP_AD_FORMAT_SIGNED_INT16);
  EXPECT_EQ(descriptor.NumChannels, 2U);
  EXPECT_EQ(descriptor.Depth, 7U);
  EXPECT_EQ(hipGetChannelDesc(&element, nullptr), hipErrorInvalidHandle);
  EXPECT_EQ(hipArrayGetDescriptor(nullptr, array), hipErrorInvalidValue);
}

TEST_F(arrays, are_made_by_the_drivers_formats_too) {
  const hipArray_Format formats[] = {HIP_AD_FORMAT_UNSIGNED_INT8,  HIP_AD_FORMAT_UNSIGNED_INT16,
                                     HIP_AD_FORMAT_UNSIGNED_INT32, HIP_AD_FORMAT_SIGNED_INT8,
                                     HIP_AD_FORMAT_SIGNED_INT16,   HIP_AD_FORMAT_SIGNED_INT32,
                                     HIP_AD_FORMAT_HALF,           HIP_AD_FORMAT_FLOAT};
  const int bits[] = {8, 16, 32, 8, 16, 32, 16, 32};
  for (unsigned i = 0; i < 8; ++i) {
    const HIP_ARRAY_DESCRIPTOR asked{4, 2, formats[i], 4};
    hipArray_t array = nullptr;
    ASSERT_EQ(hipArrayCreate(&array, &asked), hipSuccess);
    hipChannelFormatDesc element{};
    EXPECT_EQ(hipGetChannelDesc(&element, array), hipSuccess);
    EXPECT_EQ(element.w, bits[i]);
    HIP_ARRAY_DESCRIPTOR told{};
    EXPECT_EQ(hipArrayGetDescriptor(&told, array), hipSuccess);
    EXPECT_EQ(told.Format, formats[i]);
    EXPECT_EQ(hipArrayDestroy(array), hipSuccess);
  }
  HIP_ARRAY3D_DESCRIPTOR wrong{4, 4, 4, HIP_AD_FORMAT_FLOAT, 3, 0};
  hipArray_t array = nullptr;
  EXPECT_EQ(hipArray3DCreate(&array, &wrong), hipErrorInvalidValue);
  wrong.NumChannels = 1;
  wrong.Format = static_cast<hipArray_Format>(0x30);
  EXPECT_EQ(hipArray3DCreate(&array, &wrong), hipErrorInvalidValue);
  EXPECT_EQ(hipArray3DCreate(&array, nullptr), hipErrorInvalidValue);
}

TEST_F(arrays, are_refused_where_no_device_has_them) {
  EXPECT_EQ(try_to_make({0, 4, 0}, hipArrayDefault), hipErrorInvalidValue);
  EXPECT_EQ(try_to_make({4, 0, 4}, hipArrayDefault), hipErrorInvalidValue);
  EXPECT_EQ(try_to_make({4, 4, 0}, hipArrayLayered), hipErrorInvalidValue);
  EXPECT_EQ(try_to_make({4, 4, 5}, hipArrayCubemap), hipErrorInvalidValue);
  EXPECT_EQ(try_to_make({4, 3, 6}, hipArrayCubemap), hipErrorInvalidValue);
  EXPECT_EQ(try_to_make({4, 4, 8}, hipArrayCubemap | hipArrayLayered), hipErrorInvalidValue);
  EXPECT_EQ(try_to_make({4, 0, 0}, hipArrayTextureGather), hipErrorInvalidValue);
  EXPECT_EQ(try_to_make({4, 4, 0}, 0x40), hipErrorInvalidValue);
  EXPECT_EQ(try_to_make({SIZE_MAX, SIZE_MAX, 0}, hipArrayDefault), hipErrorInvalidValue);
  hipDeviceProp_t properties{};
  ASSERT_EQ(hipGetDeviceProperties(&properties, 0), hipSuccess);
  const auto width = static_cast<std::size_t>(properties.maxTexture2D[0]);
  EXPECT_EQ(try_to_make({width + 1, 1, 0}, hipArrayDefault), hipErrorInvalidValue);
  for (const hipChannelFormatDesc& wrong : {hipChannelFormatDesc{32, 32, 32, 0, hipChannelFormatKindFloat},
                                            hipChannelFormatDesc{8, 0, 0, 0, hipChannelFormatKindFloat},
                                            hipChannelFormatDesc{8, 16, 0, 0, hipChannelFormatKindSigned},
                                            hipChannelFormatDesc{0, 8, 0, 0, hipChannelFormatKindSigned},
                                            hipChannelFormatDesc{64, 0, 0, 0, hipChannelFormatKindUnsigned},
                                            hipChannelFormatDesc{32, 0, 0, 0, hipChannelFormatKindNone}}) {
    EXPECT_EQ(try_to_make({4, 4, 0}, hipArrayDefault, wrong), hipErrorInvalidValue);
  }
  EXPECT_EQ(hipMallocArray(nullptr, nullptr, 4), hipErrorInvalidValue);
}

TEST_F(arrays, are_freed_once) {
  hipArray_t array = nullptr;
  const hipChannelFormatDesc element = hipCreateChannelDesc<char>();
  ASSERT_EQ(hipMallocArray(&array, &element, 4), hipSuccess);
  EXPECT_EQ(hipFree(array), hipErrorInvalidValue);
  EXPECT_EQ(hipFreeArray(array), hipSuccess);
  EXPECT_EQ(hipFreeArray(array), hipErrorContextIsDestroyed);
  EXPECT_EQ(hipFreeArray(nullptr), hipErrorInvalidValue);
  hipChannelFormatDesc told{};
  EXPECT_EQ(hipGetChannelDesc(&told, array), hipErrorInvalidHandle);
}

TEST_F(arrays, get_rows_at_a_place) {
  const hipArray_t array = make<int>({4, 3, 0});
  const std::vector<int> zeros(12), numbers{1, 2, 99, 3, 4, 99};
  ASSERT_EQ(hipMemcpyToArray(array, 0, 0, zeros.data(), 48, hipMemcpyHostToDevice), hipSuccess);
  ASSERT_EQ(hipMemcpy2DToArray(array, 4, 1, numbers.data(), 12, 8, 2, hipMemcpyHostToDevice), hipSuccess);
  EXPECT_EQ(elements_of<int>(array), (std::vector<int>{0, 0, 0, 0, 0, 1, 2, 0, 0, 3, 4, 0}));
  const hipArray_t second = make<int>({4, 3, 0});
  ASSERT_EQ(hipMemcpyToArray(second, 0, 0, zeros.data(), 48, hipMemcpyHostToDevice), hipSuccess);
  ASSERT_EQ(hipMemcpy2DArrayToArray(second, 0, 0, array, 4, 1, 8, 2), hipSuccess);
  EXPECT_EQ(elements_of<int>(second), (std::vector<int>{1, 2, 0, 0, 3, 4, 0, 0, 0, 0, 0, 0}));
}

TEST_F(arrays, get_bytes_over_the_ends_of_rows) {
  const hipArray_t array = make<short>({3, 3, 0});
  const std::vector<short> zeros(9), numbers{1, 2, 3, 4};
  ASSERT_EQ(hipMemcpyToArray(array, 0, 0, zeros.data(), 18, hipMemcpyHostToDevice), hipSuccess);
  ASSERT_EQ(hipMemcpyToArray(array, 4, 0, numbers.data(), 8, hipMemcpyHostToDevice), hipSuccess);
  EXPECT_EQ(elements_of<short>(array), (std::vector<short>{0, 0, 1, 2, 3, 4, 0, 0, 0}));
  std::vector<short> back(3);
  ASSERT_EQ(hipMemcpyFromArray(back.data(), array, 2, 1, 6, hipMemcpyDeviceToHost), hipSuccess);
  EXPECT_EQ(back, (std::vector<short>{3, 4, 0}));
  EXPECT_EQ(hipMemcpyToArray(array, 4, 2, numbers.data(), 4, hipMemcpyHostToDevice), hipErrorInvalidValue);
}

TEST_F(arrays, of_one_dimension_have_copies_of_their_own) {
  const hipArray_t line = make<char>({8, 0, 0}), plane = make<char>({8, 2, 0});
  char text[8] = {'a', 'b', 'c', 'd', 'e', 'f', 'g', 'h'}, back[8] = {};
  ASSERT_EQ(hipMemcpyHtoA(line, 0, text, 8), hipSuccess);
  ASSERT_EQ(hipMemcpyHtoA(line, 6, text, 2), hipSuccess);
  ASSERT_EQ(hipMemcpyAtoH(back, line, 4, 4), hipSuccess);
  EXPECT_EQ(std::string(back, 4), "efab");
  EXPECT_EQ(hipMemcpyHtoA(line, 7, text, 2), hipErrorInvalidValue);
  EXPECT_EQ(hipMemcpyHtoA(plane, 0, text, 2), hipErrorInvalidValue);
  EXPECT_EQ(hipMemcpyAtoH(nullptr, line, 0, 2), hipErrorInvalidValue);
}

TEST_F(arrays, of_three_dimensions_get_boxes) {
  const hipArray_t array = make<float>({3, 4, 5});
  std::vector<float> all(60), back(60, -1);
  std::iota(all.begin(), all.end(), 0.0F);
  hipMemcpy3DParms in{};
  in.srcPtr = make_hipPitchedPtr(all.data(), 12, 12, 4);
  in.dstArray = array;
  in.extent = make_hipExtent(3, 4, 5);
  in.kind = hipMemcpyHostToDevice;
  ASSERT_EQ(hipMemcpy3D(&in), hipSuccess);
  // The box of 2 x 2 x 2 at (1, 2, 3), to the place (0, 1, 0) of a host's box of the same rows. Where an array takes
  // part the width counts its elements, and the host's place bytes.
  hipMemcpy3DParms out{};
  out.srcArray = array;
  out.srcPos = make_hipPos(1, 2, 3);
  out.dstPtr = make_hipPitchedPtr(back.data(), 12, 12, 4);
  out.dstPos = make_hipPos(4, 1, 0);
  out.extent = make_hipExtent(2, 2, 2);
  out.kind = hipMemcpyDeviceToHost;
  ASSERT_EQ(hipMemcpy3D(&out), hipSuccess);
  std::vector<float> expected(60, -1);
  for (int z = 0; z < 2; ++z) {
    for (int y = 0; y < 2; ++y) {
      for (int x = 0; x < 2; ++x) {
        expected[(z * 4 + y + 1) * 3 + x + 1] = static_cast<float>(((z + 3) * 4 + y + 2) * 3 + x + 1);
      }
    }
  }
  EXPECT_EQ(back, expected);

  out.srcPos = make_hipPos(2, 2, 3);
  EXPECT_EQ(hipMemcpy3D(&out), hipErrorInvalidValue);
  out.srcPos = make_hipPos(0, 0, 0);
  out.dstPtr.pitch = 4;
  EXPECT_EQ(hipMemcpy3D(&out), hipErrorInvalidPitchValue);
  out.dstPtr = make_hipPitchedPtr(nullptr, 12, 12, 4);
  EXPECT_EQ(hipMemcpy3D(&out), hipErrorInvalidValue);
  EXPECT_EQ(hipMemcpy3D(nullptr), hipErrorInvalidValue);
}

TEST_F(arrays, take_part_in_the_drivers_copies) {
  const hipArray_t array = make<int>({4, 2, 0});
  std::vector<int> numbers{1, 2, 3, 4, 5, 6, 7, 8};
  hip_Memcpy2D in{};
  in.srcMemoryType = hipMemoryTypeHost;
  in.srcHost = numbers.data();
  in.srcPitch = 16;
  in.dstMemoryType = hipMemoryTypeArray;
  in.dstArray = array;
  in.WidthInBytes = 16;
  in.Height = 2;
  ASSERT_EQ(hipMemcpyParam2D(&in), hipSuccess);
  EXPECT_EQ(elements_of<int>(array), numbers);
  HIP_MEMCPY3D out{};
  out.srcMemoryType = hipMemoryTypeArray;
  out.srcArray = array;
  out.srcXInBytes = 8;
  out.srcY = 1;
  out.dstMemoryType = hipMemoryTypeHost;
  int back[2] = {};
  out.dstHost = back;
  out.WidthInBytes = 8;
  out.Height = out.Depth = 1;
  ASSERT_EQ(hipDrvMemcpy3D(&out), hipSuccess);
  EXPECT_TRUE(back[0] == 7 && back[1] == 8);
  out.dstMemoryType = static_cast<hipMemoryType>(77);
  EXPECT_EQ(hipDrvMemcpy3D(&out), hipErrorInvalidValue);
}

TEST_F(arrays, refuse_copies_beside_them) {
  const hipArray_t array = make<int>({4, 2, 0});
  std::vector<int> numbers(8);
  const auto copy = [&](hipArray_t to, std::size_t x, std::size_t y, std::size_t width, std::size_t height,
                        std::size_t pitch = 16, hipMemcpyKind kind = hipMemcpyHostToDevice) {
    return hipMemcpy2DToArray(to, x, y, numbers.data(), pitch, width, height, kind);
  };
  EXPECT_EQ(copy(array, 4, 0, 16, 1), hipErrorInvalidValue);
  EXPECT_EQ(copy(array, 0, 1, 16, 2), hipErrorInvalidValue);
  EXPECT_EQ(copy(array, SIZE_MAX, 0, 16, 1), hipErrorInvalidValue);
  EXPECT_EQ(copy(nullptr, 0, 0, 16, 1), hipErrorInvalidHandle);
  EXPECT_EQ(copy(array, 0, 0, 16, 2, 8), hipErrorInvalidPitchValue);
  EXPECT_EQ(copy(array, 0, 0, 16, 2, 16, static_cast<hipMemcpyKind>(9)), hipErrorInvalidMemcpyDirection);
  EXPECT_EQ(copy(array, 0, 0, 16, 2, 16, hipMemcpyDeviceToHost), hipErrorInvalidValue);
  EXPECT_EQ(copy(array, 0, 0, 0, 2), hipSuccess);
  EXPECT_EQ(hipMemcpy2DToArray(array, 0, 0, nullptr, 16, 16, 2, hipMemcpyHostToDevice), hipErrorInvalidValue);
  hipStream_t stream = nullptr;
  ASSERT_EQ(hipStreamCreate(&stream), hipSuccess);
  EXPECT_EQ(hipMemcpy2DToArrayAsync(array, 0, 0, numbers.data(), 16, 16, 2, hipMemcpyHostToDevice, stream), hipSuccess);
  ASSERT_EQ(hipStreamDestroy(stream), hipSuccess);
  EXPECT_EQ(hipMemcpy2DToArrayAsync(array, 0, 0, numbers.data(), 16, 16, 2, hipMemcpyHostToDevice, stream),
            hipErrorInvalidHandle);
}

// As HIP answers on Linux.
TEST_F(arrays, have_one_level) {
  hipMipmappedArray_t levels = nullptr;
  const hipChannelFormatDesc element = hipCreateChannelDesc<float>();
  EXPECT_EQ(hipMallocMipmappedArray(&levels, &element, {4, 4, 0}, 2), hipErrorNotSupported);
  EXPECT_EQ(hipFreeMipmappedArray(levels), hipErrorInvalidValue);
  hipArray_t level = nullptr;
  EXPECT_EQ(hipGetMipmappedArrayLevel(&level, levels, 0), hipErrorInvalidValue);
  hipResourceDesc resource{};
  resource.resType = hipResourceTypeMipmappedArray;
  const hipTextureDesc sampling{};
  hipTextureObject_t object = nullptr;
  EXPECT_EQ(hipCreateTextureObject(&object, &resource, &sampling, nullptr), hipErrorNotSupported);
}

TEST_F(arrays, are_gone_when_the_device_is_reset) {
  hipArray_t array = nullptr;
  const hipChannelFormatDesc element = hipCreateChannelDesc<char>();
  ASSERT_EQ(hipMallocArray(&array, &element, 4), hipSuccess);
  ASSERT_EQ(hipDeviceReset(), hipSuccess);
  EXPECT_EQ(hipFreeArray(array), hipErrorContextIsDestroyed);
}

}  // namespace test_arrays
