// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Memory in three dimensions: allocated, copied and filled, compared with loops over plain arrays.
#include <gtest/gtest.h>
#include <hip/hip_runtime.h>

#include <vector>

namespace test_hip_boxes {

constexpr size_t width = 24, height = 5, depth = 3;

class hip_boxes : public testing::Test {
 protected:
  void SetUp() override {
    ASSERT_EQ(hipMalloc3D(&device_, make_hipExtent(width, height, depth)), hipSuccess);
    host_.resize(width * height * depth);
    for (size_t i = 0; i < host_.size(); ++i) host_[i] = static_cast<unsigned char>(i * 7 + 1);
  }
  void TearDown() override {
    EXPECT_EQ(hipFree(device_.ptr), hipSuccess);
    static_cast<void>(hipGetLastError());
  }

  hipMemcpy3DParms whole(hipMemcpyKind kind) {
    const hipPitchedPtr host = make_hipPitchedPtr(host_.data(), width, width, height);
    hipMemcpy3DParms copy{};
    copy.srcPtr = kind == hipMemcpyHostToDevice ? host : device_;
    copy.dstPtr = kind == hipMemcpyHostToDevice ? device_ : host;
    copy.extent = make_hipExtent(width, height, depth);
    copy.kind = kind;
    return copy;
  }
  unsigned char on_device(size_t x, size_t y, size_t z) const {
    return static_cast<unsigned char*>(device_.ptr)[(z * height + y) * device_.pitch + x];
  }
  unsigned char expected(size_t x, size_t y, size_t z) const {
    return static_cast<unsigned char>(((z * height + y) * width + x) * 7 + 1);
  }

  hipPitchedPtr device_{};
  std::vector<unsigned char> host_;
};

TEST_F(hip_boxes, are_copied_there_and_back) {
  EXPECT_GE(device_.pitch, width);
  EXPECT_EQ(device_.xsize, width);
  EXPECT_EQ(device_.ysize, height);
  const hipMemcpy3DParms there = whole(hipMemcpyHostToDevice);
  ASSERT_EQ(hipMemcpy3D(&there), hipSuccess);
  for (size_t z = 0; z < depth; ++z) {
    for (size_t y = 0; y < height; ++y) {
      for (size_t x = 0; x < width; ++x) ASSERT_EQ(on_device(x, y, z), expected(x, y, z)) << x << ' ' << y << ' ' << z;
    }
  }
  const std::vector<unsigned char> before = host_;
  host_.assign(host_.size(), 0);
  const hipMemcpy3DParms back = whole(hipMemcpyDeviceToHost);
  ASSERT_EQ(hipMemcpy3DAsync(&back, nullptr), hipSuccess);
  EXPECT_EQ(host_, before);
}

TEST_F(hip_boxes, are_copied_from_and_to_a_position) {
  ASSERT_EQ(hipMemset3D(device_, 0, make_hipExtent(width, height, depth)), hipSuccess);
  hipMemcpy3DParms part = whole(hipMemcpyHostToDevice);
  part.extent = make_hipExtent(4, 2, 2);
  part.srcPos = make_hipPos(3, 1, 0);
  part.dstPos = make_hipPos(10, 3, 1);
  ASSERT_EQ(hipMemcpy3D(&part), hipSuccess);
  for (size_t z = 0; z < depth; ++z) {
    for (size_t y = 0; y < height; ++y) {
      for (size_t x = 0; x < width; ++x) {
        const bool inside = x >= 10 && x < 14 && y >= 3 && z >= 1;
        ASSERT_EQ(on_device(x, y, z), inside ? expected(x - 7, y - 2, z - 1) : 0) << x << ' ' << y << ' ' << z;
      }
    }
  }
}

TEST_F(hip_boxes, are_filled) {
  ASSERT_EQ(hipMemset3D(device_, 1, make_hipExtent(width, height, depth)), hipSuccess);
  ASSERT_EQ(hipMemset3DAsync(device_, 9, make_hipExtent(2, 3, 2)), hipSuccess);
  for (size_t z = 0; z < depth; ++z) {
    for (size_t y = 0; y < height; ++y) {
      for (size_t x = 0; x < width; ++x) ASSERT_EQ(on_device(x, y, z), x < 2 && y < 3 && z < 2 ? 9 : 1);
    }
  }
  EXPECT_EQ(hipMemset3D(device_, 9, make_hipExtent(device_.pitch + 1, 1, 1)), hipErrorInvalidValue);
  EXPECT_EQ(hipMemset3D(device_, 9, make_hipExtent(1, 1, depth + 1)), hipErrorInvalidValue);
  EXPECT_EQ(hipMemset3D(device_, 9, make_hipExtent(0, 1, 1)), hipSuccess);
}

TEST_F(hip_boxes, that_do_not_fit_are_refused) {
  EXPECT_EQ(hipMemcpy3D(nullptr), hipErrorInvalidValue);
  hipMemcpy3DParms copy = whole(hipMemcpyHostToDevice);
  copy.dstPos.x = device_.pitch;
  EXPECT_EQ(hipMemcpy3D(&copy), hipErrorInvalidValue);
  copy = whole(hipMemcpyHostToDevice);
  copy.dstPos.y = 1;
  EXPECT_EQ(hipMemcpy3D(&copy), hipErrorInvalidValue);
  copy = whole(hipMemcpyHostToDevice);
  copy.dstPos.z = 1;
  EXPECT_EQ(hipMemcpy3D(&copy), hipErrorInvalidValue) << "past the allocation";
  copy = whole(hipMemcpyHostToDevice);
  copy.srcPtr.pitch = width - 1;
  EXPECT_EQ(hipMemcpy3D(&copy), hipErrorInvalidPitchValue);
  copy = whole(hipMemcpyHostToDevice);
  copy.kind = static_cast<hipMemcpyKind>(9);
  EXPECT_EQ(hipMemcpy3D(&copy), hipErrorInvalidMemcpyDirection);
  copy = whole(hipMemcpyHostToDevice);
  copy.srcPtr.ptr = nullptr;
  EXPECT_EQ(hipMemcpy3D(&copy), hipErrorInvalidValue);
  copy.extent.depth = 0;
  EXPECT_EQ(hipMemcpy3D(&copy), hipSuccess);
}

TEST_F(hip_boxes, by_the_driver_interface) {
  hip_Memcpy2D rows{};
  rows.srcMemoryType = hipMemoryTypeHost;
  rows.srcHost = host_.data();
  rows.srcPitch = width;
  rows.srcY = 1;
  rows.dstMemoryType = hipMemoryTypeDevice;
  rows.dstDevice = device_.ptr;
  rows.dstPitch = device_.pitch;
  rows.dstXInBytes = 2;
  rows.WidthInBytes = 8;
  rows.Height = 3;
  ASSERT_EQ(hipMemcpyParam2D(&rows), hipSuccess);
  for (size_t y = 0; y < 3; ++y) {
    for (size_t x = 0; x < 8; ++x) EXPECT_EQ(on_device(x + 2, y, 0), expected(x, y + 1, 0));
  }
  HIP_MEMCPY3D box{};
  box.srcMemoryType = hipMemoryTypeDevice;
  box.srcDevice = device_.ptr;
  box.srcPitch = device_.pitch;
  box.srcHeight = height;
  box.srcXInBytes = 2;
  box.dstMemoryType = hipMemoryTypeHost;
  std::vector<unsigned char> got(8 * 3);
  box.dstHost = got.data();
  box.WidthInBytes = 8;
  box.Height = 3;
  box.Depth = 1;
  ASSERT_EQ(hipDrvMemcpy3D(&box), hipSuccess);
  for (size_t i = 0; i < got.size(); ++i) EXPECT_EQ(got[i], expected(i % 8, i / 8 + 1, 0));
  EXPECT_EQ(hipMemcpyParam2D(nullptr), hipErrorInvalidValue);
}

}  // namespace test_hip_boxes
