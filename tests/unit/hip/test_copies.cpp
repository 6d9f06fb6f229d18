// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Copies and fills: what arrives, and what is refused before a byte is written.
#include <gtest/gtest.h>
#include <hip/hip_runtime.h>

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <numeric>
#include <vector>

namespace test_hip_copies {

__constant__ int table[8];
__device__ float number;
__device__ const int* pointer;

class hip_copies : public testing::Test {
 protected:
  void SetUp() override {
    host_.resize(count);
    std::iota(host_.begin(), host_.end(), 1);
    ASSERT_EQ(hipMalloc(&device_, bytes), hipSuccess);
    ASSERT_EQ(hipMemset(device_, 0, bytes), hipSuccess);
  }
  void TearDown() override {
    EXPECT_EQ(hipFree(device_), hipSuccess);
    static_cast<void>(hipGetLastError());
  }

  std::vector<int> on_device() const { return std::vector<int>(device_, device_ + count); }

  static constexpr std::size_t count = 100;
  static constexpr std::size_t bytes = count * sizeof(int);
  std::vector<int> host_;
  int* device_ = nullptr;
};

TEST_F(hip_copies, go_in_every_direction) {
  ASSERT_EQ(hipMemcpy(device_, host_.data(), bytes, hipMemcpyHostToDevice), hipSuccess);
  EXPECT_EQ(on_device(), host_);
  int* second = nullptr;
  ASSERT_EQ(hipMalloc(&second, bytes), hipSuccess);
  ASSERT_EQ(hipMemcpy(second, device_, bytes, hipMemcpyDeviceToDevice), hipSuccess);
  std::vector<int> back(count);
  ASSERT_EQ(hipMemcpy(back.data(), second, bytes, hipMemcpyDeviceToHost), hipSuccess);
  EXPECT_EQ(back, host_);
  std::vector<int> copied(count);
  ASSERT_EQ(hipMemcpy(copied.data(), back.data(), bytes, hipMemcpyHostToHost), hipSuccess);
  EXPECT_EQ(copied, host_);
  std::fill(back.begin(), back.end(), 0);
  ASSERT_EQ(hipMemcpy(back.data(), second, bytes, hipMemcpyDefault), hipSuccess);
  EXPECT_EQ(back, host_);
  EXPECT_EQ(hipFree(second), hipSuccess);
}

TEST_F(hip_copies, on_a_stream_are_done_when_the_call_returns) {
  hipStream_t stream = nullptr;
  ASSERT_EQ(hipStreamCreate(&stream), hipSuccess);
  ASSERT_EQ(hipMemcpyAsync(device_, host_.data(), bytes, hipMemcpyHostToDevice, stream), hipSuccess);
  EXPECT_EQ(on_device(), host_);
  ASSERT_EQ(hipMemsetAsync(device_, 0, bytes, stream), hipSuccess);
  EXPECT_EQ(on_device(), std::vector<int>(count));
  ASSERT_EQ(hipMemcpyWithStream(device_, host_.data(), bytes, hipMemcpyHostToDevice, stream), hipSuccess);
  ASSERT_EQ(hipStreamDestroy(stream), hipSuccess);
  EXPECT_EQ(hipMemcpyAsync(device_, host_.data(), bytes, hipMemcpyHostToDevice, stream), hipErrorInvalidHandle);
  EXPECT_EQ(hipMemsetAsync(device_, 0, bytes, stream), hipErrorInvalidHandle);
}

TEST_F(hip_copies, by_the_names_without_a_kind) {
  std::vector<int> back(count);
  ASSERT_EQ(hipMemcpyHtoD(device_, host_.data(), bytes), hipSuccess);
  ASSERT_EQ(hipMemcpyDtoH(back.data(), device_, bytes), hipSuccess);
  EXPECT_EQ(back, host_);
  EXPECT_EQ(hipMemcpyDtoD(device_, host_.data(), bytes), hipErrorInvalidValue);
  EXPECT_EQ(hipMemcpyHtoDAsync(device_, host_.data(), bytes, nullptr), hipSuccess);
  EXPECT_EQ(hipMemcpyDtoHAsync(back.data(), device_, bytes, nullptr), hipSuccess);
  EXPECT_EQ(hipMemcpyDtoDAsync(device_, device_, bytes, nullptr), hipSuccess);
  EXPECT_EQ(hipMemcpyPeer(device_, 0, device_, 1, bytes), hipSuccess);
  EXPECT_EQ(hipMemcpyPeer(device_, 0, device_, 2, bytes), hipErrorInvalidDevice);
  EXPECT_EQ(hipMemcpyPeerAsync(device_, -1, device_, 0, bytes), hipErrorInvalidDevice);
}

TEST_F(hip_copies, in_a_direction_that_does_not_fit_the_pointers) {
  EXPECT_EQ(hipMemcpy(device_, host_.data(), bytes, hipMemcpyDeviceToHost), hipErrorInvalidValue);
  EXPECT_EQ(hipMemcpy(host_.data(), device_, bytes, hipMemcpyHostToDevice), hipErrorInvalidValue);
  EXPECT_EQ(hipMemcpy(host_.data(), device_, bytes, hipMemcpyHostToHost), hipErrorInvalidValue);
  EXPECT_EQ(hipMemcpy(device_, host_.data(), bytes, hipMemcpyDeviceToDevice), hipErrorInvalidValue);
  EXPECT_EQ(on_device(), std::vector<int>(count));
  EXPECT_EQ(host_[0], 1);
  for (const int kind : {5, -1, 1023}) {
    EXPECT_EQ(hipMemcpy(device_, host_.data(), bytes, static_cast<hipMemcpyKind>(kind)),
              hipErrorInvalidMemcpyDirection);
  }
}

TEST_F(hip_copies, pinned_and_managed_memory_is_on_both_sides) {
  int* pinned = nullptr;
  int* managed = nullptr;
  ASSERT_EQ(hipHostMalloc(&pinned, bytes), hipSuccess);
  ASSERT_EQ(hipMallocManaged(&managed, bytes), hipSuccess);
  for (int* const both : {pinned, managed}) {
    EXPECT_EQ(hipMemcpy(both, host_.data(), bytes, hipMemcpyHostToDevice), hipSuccess);
    EXPECT_EQ(hipMemcpy(device_, both, bytes, hipMemcpyHostToDevice), hipSuccess);
    EXPECT_EQ(hipMemcpy(both, device_, bytes, hipMemcpyDeviceToHost), hipSuccess);
    EXPECT_EQ(hipMemcpy(both, device_, bytes, hipMemcpyDeviceToDevice), hipSuccess);
    EXPECT_EQ(on_device(), host_);
    EXPECT_EQ(hipMemset(both, 0, bytes), hipSuccess);
    EXPECT_EQ(both[count - 1], 0);
  }
  EXPECT_EQ(hipHostFree(pinned), hipSuccess);
  EXPECT_EQ(hipFree(managed), hipSuccess);
}

TEST_F(hip_copies, stay_within_the_allocation) {
  std::vector<int> larger(count + 1);
  EXPECT_EQ(hipMemcpy(device_, larger.data(), bytes + 1, hipMemcpyHostToDevice), hipErrorInvalidValue);
  EXPECT_EQ(hipMemcpy(larger.data(), device_ + 1, bytes, hipMemcpyDeviceToHost), hipErrorInvalidValue);
  EXPECT_EQ(hipMemcpy(larger.data(), device_, SIZE_MAX, hipMemcpyDeviceToHost), hipErrorInvalidValue);
  EXPECT_EQ(hipMemcpy(device_ + 1, larger.data(), bytes - 4, hipMemcpyHostToDevice), hipSuccess);
  EXPECT_EQ(hipMemset(device_, 0, bytes + 1), hipErrorInvalidValue);
  EXPECT_EQ(hipMemset(device_ + 1, 0, bytes), hipErrorInvalidValue);
  EXPECT_EQ(hipMemsetD32(device_, 0, count + 1), hipErrorInvalidValue);
  EXPECT_EQ(hipMemsetD32(device_, 0, SIZE_MAX / 4 + 2), hipErrorInvalidValue);
}

TEST_F(hip_copies, null_and_nothing) {
  EXPECT_EQ(hipMemcpy(nullptr, host_.data(), 4, hipMemcpyHostToDevice), hipErrorInvalidValue);
  EXPECT_EQ(hipMemcpy(device_, nullptr, 4, hipMemcpyHostToDevice), hipErrorInvalidValue);
  EXPECT_EQ(hipMemcpy(nullptr, nullptr, 0, hipMemcpyHostToDevice), hipSuccess);
  EXPECT_EQ(hipMemset(nullptr, 0, 4), hipErrorInvalidValue);
  EXPECT_EQ(hipMemset(nullptr, 0, 0), hipSuccess);
  EXPECT_EQ(hipMemset(host_.data(), 0, 4), hipErrorInvalidValue);
  EXPECT_EQ(host_[0], 1);
}

TEST_F(hip_copies, may_overlap) {
  ASSERT_EQ(hipMemcpy(device_, host_.data(), bytes, hipMemcpyHostToDevice), hipSuccess);
  ASSERT_EQ(hipMemcpy(device_ + 1, device_, bytes - 4, hipMemcpyDeviceToDevice), hipSuccess);
  std::vector<int> expected(host_);
  std::copy_backward(host_.begin(), host_.end() - 1, expected.end());
  EXPECT_EQ(on_device(), expected);
}

TEST_F(hip_copies, fills_by_element_size) {
  const auto* const as_bytes = reinterpret_cast<const unsigned char*>(device_);
  ASSERT_EQ(hipMemset(device_, 0x1ff, bytes), hipSuccess);
  EXPECT_EQ(as_bytes[bytes - 1], 0xff);
  ASSERT_EQ(hipMemsetD8(device_, 7, 5), hipSuccess);
  EXPECT_EQ(as_bytes[4], 7);
  EXPECT_EQ(as_bytes[5], 0xff);
  ASSERT_EQ(hipMemsetD16(device_, 0x1234, 3), hipSuccess);
  EXPECT_EQ(as_bytes[4], 0x34);
  EXPECT_EQ(as_bytes[5], 0x12);
  EXPECT_EQ(as_bytes[6], 0xff);
  ASSERT_EQ(hipMemsetD32(device_, 123456789, count), hipSuccess);
  EXPECT_EQ(on_device(), std::vector<int>(count, 123456789));
  EXPECT_EQ(hipMemsetD32(const_cast<unsigned char*>(as_bytes) + 1, 0, 1), hipErrorInvalidValue);
  EXPECT_EQ(hipMemsetD32Async(device_, 5, count), hipSuccess);
  EXPECT_EQ(hipMemsetD16Async(device_, 0, 2), hipSuccess);
  EXPECT_EQ(hipMemsetD8Async(device_, 0, 2), hipSuccess);
  EXPECT_EQ(on_device()[1], 5);
}

TEST_F(hip_copies, of_rows) {
  // 5 rows of 3 ints, 10 ints apart there and 4 apart here.
  std::vector<int> back(20, -1);
  ASSERT_EQ(hipMemcpy(device_, host_.data(), bytes, hipMemcpyHostToDevice), hipSuccess);
  ASSERT_EQ(hipMemcpy2D(back.data(), 16, device_, 40, 12, 5, hipMemcpyDeviceToHost), hipSuccess);
  for (int row = 0; row < 5; ++row) {
    for (int column = 0; column < 4; ++column) {
      EXPECT_EQ(back[row * 4 + column], column < 3 ? row * 10 + column + 1 : -1) << row << ' ' << column;
    }
  }
  EXPECT_EQ(hipMemcpy2D(back.data(), 8, device_, 40, 12, 5, hipMemcpyDeviceToHost), hipErrorInvalidPitchValue);
  EXPECT_EQ(hipMemcpy2D(back.data(), 16, device_, 8, 12, 5, hipMemcpyDeviceToHost), hipErrorInvalidPitchValue);
  // The last row ends with the allocation; one more does not fit.
  EXPECT_EQ(hipMemcpy2D(device_, 40, host_.data(), 40, 40, 10, hipMemcpyHostToDevice), hipSuccess);
  EXPECT_EQ(hipMemcpy2D(device_ + 28, 40, host_.data(), 4, 4, 8, hipMemcpyHostToDevice), hipSuccess);
  EXPECT_EQ(hipMemcpy2D(device_ + 30, 40, host_.data(), 4, 4, 8, hipMemcpyHostToDevice), hipErrorInvalidValue);
  EXPECT_EQ(hipMemcpy2D(device_, SIZE_MAX / 2, host_.data(), SIZE_MAX / 2, 4, 5, hipMemcpyHostToDevice),
            hipErrorInvalidValue);
  EXPECT_EQ(hipMemcpy2D(nullptr, 0, nullptr, 0, 0, 5, hipMemcpyHostToDevice), hipSuccess);
  EXPECT_EQ(hipMemcpy2D(device_, 4, nullptr, 4, 4, 1, hipMemcpyHostToDevice), hipErrorInvalidValue);
  EXPECT_EQ(hipMemcpy2DAsync(device_, 4, host_.data(), 4, 4, 1, static_cast<hipMemcpyKind>(9)),
            hipErrorInvalidMemcpyDirection);
}

TEST_F(hip_copies, fills_of_rows) {
  ASSERT_EQ(hipMemset2D(device_, 40, 1, 8, 10), hipSuccess);
  for (std::size_t i = 0; i < count; ++i) EXPECT_EQ(device_[i], i % 10 < 2 ? 0x01010101 : 0) << i;
  EXPECT_EQ(hipMemset2DAsync(device_, 40, 1, 44, 1), hipErrorInvalidPitchValue);
  EXPECT_EQ(hipMemset2D(device_, 40, 1, 40, 11), hipErrorInvalidValue);
  EXPECT_EQ(hipMemset2D(host_.data(), 40, 1, 40, 1), hipErrorInvalidValue);
  EXPECT_EQ(hipMemset2D(nullptr, 40, 1, 40, 1), hipErrorInvalidValue);
}

__global__ void read_symbols(float* output) { output[threadIdx.x] = table[threadIdx.x] * number + *pointer; }

TEST_F(hip_copies, to_and_from_symbols) {
  ASSERT_EQ(hipMemcpyToSymbol(HIP_SYMBOL(table), host_.data(), sizeof table), hipSuccess);
  const float two = 2;
  ASSERT_EQ(hipMemcpyToSymbol(number, &two, sizeof two), hipSuccess);
  const int* const target = device_;
  ASSERT_EQ(hipMemcpyToSymbol(HIP_SYMBOL(pointer), &target, sizeof target), hipSuccess);
  ASSERT_EQ(hipMemsetD32(device_, 100, 1), hipSuccess);

  float* output = nullptr;
  ASSERT_EQ(hipMallocManaged(&output, 8 * sizeof(float)), hipSuccess);
  hipLaunchKernelGGL(read_symbols, 1, 8, 0, 0, output);
  ASSERT_EQ(hipGetLastError(), hipSuccess);
  for (int i = 0; i < 8; ++i) EXPECT_EQ(output[i], 2.0f * static_cast<float>(i + 1) + 100);
  EXPECT_EQ(hipFree(output), hipSuccess);

  int back[2] = {};
  ASSERT_EQ(hipMemcpyFromSymbol(back, HIP_SYMBOL(table), 8, 12), hipSuccess);
  EXPECT_EQ(back[0], 4);
  EXPECT_EQ(back[1], 5);
  const int seven = 7;
  ASSERT_EQ(hipMemcpyToSymbolAsync(HIP_SYMBOL(table), &seven, 4, 28, hipMemcpyHostToDevice), hipSuccess);
  ASSERT_EQ(hipMemcpyFromSymbolAsync(back, HIP_SYMBOL(table), 4, 28, hipMemcpyDeviceToHost), hipSuccess);
  EXPECT_EQ(back[0], 7);
}

TEST_F(hip_copies, stay_within_the_symbol) {
  EXPECT_EQ(hipMemcpyToSymbol(HIP_SYMBOL(table), host_.data(), sizeof table + 1), hipErrorInvalidValue);
  EXPECT_EQ(hipMemcpyToSymbol(HIP_SYMBOL(table), host_.data(), 8, 28), hipErrorInvalidValue);
  EXPECT_EQ(hipMemcpyToSymbol(HIP_SYMBOL(table), host_.data(), SIZE_MAX, 4), hipErrorInvalidValue);
  EXPECT_EQ(hipMemcpyFromSymbol(host_.data(), HIP_SYMBOL(table), 8, 28), hipErrorInvalidValue);
  EXPECT_EQ(hipMemcpyFromSymbol(host_.data(), HIP_SYMBOL(table), 1, 33), hipErrorInvalidValue);
  EXPECT_EQ(hipMemcpyToSymbol(HIP_SYMBOL(table), host_.data(), 8, 0, hipMemcpyDeviceToHost),
            hipErrorInvalidMemcpyDirection);
  EXPECT_EQ(hipMemcpyFromSymbol(host_.data(), HIP_SYMBOL(table), 8, 0, hipMemcpyHostToDevice),
            hipErrorInvalidMemcpyDirection);
  EXPECT_EQ(hipMemcpyToSymbol(HIP_SYMBOL(table), nullptr, 8), hipErrorInvalidValue);
}

TEST_F(hip_copies, a_symbol_with_an_address_is_device_memory) {
  void* address = nullptr;
  ASSERT_EQ(hipGetSymbolAddress(&address, HIP_SYMBOL(table)), hipSuccess);
  ASSERT_EQ(hipGetSymbolAddress(&address, HIP_SYMBOL(table)), hipSuccess);
  std::size_t size = 0;
  ASSERT_EQ(hipGetSymbolSize(&size, HIP_SYMBOL(table)), hipSuccess);
  EXPECT_EQ(size, sizeof table);
  ASSERT_EQ(hipMemcpy(address, host_.data(), size, hipMemcpyHostToDevice), hipSuccess);
  EXPECT_EQ(static_cast<int*>(address)[7], 8);
  EXPECT_EQ(hipMemcpy(address, host_.data(), size + 1, hipMemcpyHostToDevice), hipErrorInvalidValue);
  EXPECT_EQ(hipFree(address), hipErrorInvalidValue);
  EXPECT_EQ(hipGetSymbolAddress(nullptr, HIP_SYMBOL(table)), hipErrorInvalidValue);
  EXPECT_EQ(hipGetSymbolSize(nullptr, HIP_SYMBOL(table)), hipErrorInvalidValue);
}

}  // namespace test_hip_copies
