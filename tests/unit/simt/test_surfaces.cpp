// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Surfaces: what kernels read and write, and what accesses beside them do.
#include <gtest/gtest.h>

#include <numeric>
#include <vector>

#include "hip_kernels.hpp"

namespace test_surfaces {

/// A surface of an array that holds 0, 1, 2 and so on.
class surface_of {
 public:
  surface_of(hipExtent extent, unsigned flags = hipArraySurfaceLoadStore) : extent_(extent) {
    extent_.height = extent.height > 0 ? extent.height : 1;
    extent_.depth = extent.depth > 0 ? extent.depth : 1;
    const hipChannelFormatDesc element = hipCreateChannelDesc<int>();
    EXPECT_EQ(hipMalloc3DArray(&array_, &element, extent, flags), hipSuccess);
    std::vector<int> numbers(extent_.width * extent_.height * extent_.depth);
    std::iota(numbers.begin(), numbers.end(), 0);
    hipMemcpy3DParms copy{};
    copy.srcPtr = make_hipPitchedPtr(numbers.data(), 4 * extent_.width, extent_.width, extent_.height);
    copy.dstArray = array_;
    copy.extent = extent_;
    copy.kind = hipMemcpyHostToDevice;
    EXPECT_EQ(hipMemcpy3D(&copy), hipSuccess);
    hipResourceDesc resource{};
    resource.resType = hipResourceTypeArray;
    resource.res.array.array = array_;
    EXPECT_EQ(hipCreateSurfaceObject(&object, &resource), hipSuccess);
  }
  ~surface_of() {
    EXPECT_EQ(hipDestroySurfaceObject(object), hipSuccess);
    EXPECT_EQ(hipFreeArray(array_), hipSuccess);
  }
  surface_of(const surface_of&) = delete;
  surface_of& operator=(const surface_of&) = delete;

  std::vector<int> content() const {
    std::vector<int> numbers(extent_.width * extent_.height * extent_.depth);
    hipMemcpy3DParms copy{};
    copy.srcArray = array_;
    copy.dstPtr = make_hipPitchedPtr(numbers.data(), 4 * extent_.width, extent_.width, extent_.height);
    copy.extent = extent_;
    copy.kind = hipMemcpyDeviceToHost;
    EXPECT_EQ(hipMemcpy3D(&copy), hipSuccess);
    return numbers;
  }

  hipSurfaceObject_t object = nullptr;

 private:
  hipExtent extent_;
  hipArray_t array_ = nullptr;
};

template <class Body>
void run(const Body& body) {
  hip_kernels::run(32, dim3(1), dim3(1), body);
}

TEST(surfaces, are_read_by_bytes_rows_and_slices) {
  const surface_of line({4, 0, 0}), plane({4, 3, 0}), solid({4, 3, 2});
  run([&] {
    EXPECT_EQ(surf1Dread<int>(line.object, 8), 2);
    EXPECT_EQ(surf2Dread<int>(plane.object, 4, 2), 9);
    EXPECT_EQ(surf3Dread<int>(solid.object, 12, 1, 1), 19);
    int pointed = 0;
    surf2Dread(&pointed, plane.object, 0, 1);
    EXPECT_EQ(pointed, 4);
    // Two elements at once.
    EXPECT_TRUE(surf2Dread<int2>(plane.object, 8, 1) == int2(6, 7));
  });
}

TEST(surfaces, are_written_where_the_same_place_is_read) {
  const surface_of line({2, 0, 0}), plane({2, 2, 0}), solid({2, 2, 2});
  run([&] {
    surf1Dwrite(-1, line.object, 4);
    surf2Dwrite(-2, plane.object, 0, 1);
    surf3Dwrite(-3, solid.object, 4, 0, 1);
  });
  EXPECT_EQ(line.content(), (std::vector<int>{0, -1}));
  EXPECT_EQ(plane.content(), (std::vector<int>{0, 1, -2, 3}));
  EXPECT_EQ(solid.content(), (std::vector<int>{0, 1, 2, 3, 4, -3, 6, 7}));
}

TEST(surfaces, have_layers_and_faces) {
  const surface_of lines({2, 0, 3}, hipArrayLayered), planes({2, 2, 2}, hipArrayLayered);
  const surface_of cube({2, 2, 6}, hipArrayCubemap), cubes({2, 2, 12}, hipArrayCubemap | hipArrayLayered);
  run([&] {
    EXPECT_EQ(surf1DLayeredread<int>(lines.object, 4, 2), 5);
    EXPECT_EQ(surf2DLayeredread<int>(planes.object, 4, 1, 1), 7);
    EXPECT_EQ(surfCubemapread<int>(cube.object, 4, 0, 5), 21);
    EXPECT_EQ(surfCubemapLayeredread<int>(cubes.object, 0, 1, 3, 1), 38);
    surf1DLayeredwrite(-1, lines.object, 0, 1);
  });
  EXPECT_EQ(lines.content(), (std::vector<int>{0, 1, -1, 3, 4, 5}));
}

TEST(surfaces, answer_accesses_beside_them_by_the_mode) {
  const surface_of plane({4, 2, 0});
  run([&] {
    EXPECT_EQ(surf2Dread<int>(plane.object, 16, 0), 0);
    EXPECT_EQ(surf2Dread<int>(plane.object, -4, 1), 0);
    EXPECT_EQ(surf2Dread<int>(plane.object, 4, 2), 0);
    EXPECT_TRUE(surf2Dread<int2>(plane.object, 12, 1) == int2(0, 0));
    EXPECT_EQ(surf2Dread<int>(plane.object, 400, -3, hipBoundaryModeClamp), 3);
    EXPECT_EQ(surf2Dread<int>(plane.object, -8, 9, hipBoundaryModeClamp), 4);
    surf2Dwrite(-1, plane.object, 16, 0);
    surf2Dwrite(-2, plane.object, 0, -1, hipBoundaryModeZero);
    surf2Dwrite(-3, plane.object, 2147483647, 0, hipBoundaryModeClamp);
  });
  EXPECT_EQ(plane.content(), (std::vector<int>{0, 1, 2, -3, 4, 5, 6, 7}));
}

TEST(surfaces, end_the_kernel_where_the_mode_says_so) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  const surface_of plane({4, 2, 0});
  EXPECT_FINDING(
      hip_kernels::run_broken(32, dim3(1), [&] { surf2Dwrite(1, plane.object, 16, 0, hipBoundaryModeTrap); }),
      "surf2Dwrite: .*hipBoundaryModeTrap");
}

TEST(surfaces, are_made_of_arrays_alone) {
  hipSurfaceObject_t object = nullptr;
  hipResourceDesc resource{};
  EXPECT_EQ(hipCreateSurfaceObject(&object, nullptr), hipErrorInvalidValue);
  EXPECT_EQ(hipCreateSurfaceObject(nullptr, &resource), hipErrorInvalidValue);
  EXPECT_EQ(hipCreateSurfaceObject(&object, &resource), hipErrorInvalidHandle);
  resource.resType = hipResourceTypeLinear;
  EXPECT_EQ(hipCreateSurfaceObject(&object, &resource), hipErrorInvalidValue);
  static_cast<void>(hipGetLastError());
}

}  // namespace test_surfaces
