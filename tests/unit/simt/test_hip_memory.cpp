// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Memory of the CPU machine: allocating, registering, describing and freeing it, and all that is refused.
#include <gtest/gtest.h>
#include <hip/hip_runtime.h>

#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <thread>
#include <vector>

#include "simt/hip/allocations.hpp"
#include "system/memory_limit.hpp"

namespace test_hip_memory {

class hip_memory : public testing::Test {
 protected:
  void TearDown() override {
    EXPECT_EQ(hipSetDevice(0), hipSuccess);
    static_cast<void>(hipGetLastError());
  }
};

TEST_F(hip_memory, is_aligned_and_all_of_it_usable) {
  for (const std::size_t bytes : {1UL, 3UL, 255UL, 256UL, 100000UL}) {
    unsigned char* data = nullptr;
    ASSERT_EQ(hipMalloc(&data, bytes), hipSuccess);
    EXPECT_EQ(reinterpret_cast<std::uintptr_t>(data) % 256, 0U);
    std::memset(data, 0x5a, bytes);
    EXPECT_EQ(data[bytes - 1], 0x5a);
    EXPECT_EQ(hipFree(data), hipSuccess);
  }
}

TEST_F(hip_memory, may_be_meant_for_reading_only) {
  const float* data = nullptr;
  ASSERT_EQ(hipMalloc(&data, 64), hipSuccess);
  EXPECT_NE(data, nullptr);
  EXPECT_EQ(hipFree(const_cast<float*>(data)), hipSuccess);
}

TEST_F(hip_memory, of_no_bytes_is_a_null_pointer) {
  void* data = &data;
  EXPECT_EQ(hipMalloc(&data, 0), hipSuccess);
  EXPECT_EQ(data, nullptr);
  EXPECT_EQ(hipFree(data), hipSuccess);
  data = &data;
  EXPECT_EQ(hipHostMalloc(&data, 0), hipSuccess);
  EXPECT_EQ(data, nullptr);
  EXPECT_EQ(hipHostFree(data), hipSuccess);
  EXPECT_EQ(hipMallocManaged(&data, 0), hipErrorInvalidValue);
}

TEST_F(hip_memory, needs_somewhere_to_put_the_pointer) {
  EXPECT_EQ(hipMalloc(static_cast<void**>(nullptr), 4), hipErrorInvalidValue);
  EXPECT_EQ(hipGetLastError(), hipErrorInvalidValue);
  EXPECT_EQ(hipHostMalloc(static_cast<void**>(nullptr), 4), hipErrorInvalidValue);
  EXPECT_EQ(hipMallocManaged(static_cast<void**>(nullptr), 4), hipErrorInvalidValue);
  std::size_t pitch = 0;
  EXPECT_EQ(hipMallocPitch(nullptr, &pitch, 4, 4), hipErrorInvalidValue);
}

TEST_F(hip_memory, is_freed_once_from_its_beginning_by_its_own_call) {
  int local = 0;
  EXPECT_EQ(hipFree(&local), hipErrorInvalidValue);
  EXPECT_EQ(hipHostFree(&local), hipErrorInvalidValue);

  char* data = nullptr;
  ASSERT_EQ(hipMalloc(&data, 64), hipSuccess);
  EXPECT_EQ(hipFree(data + 1), hipErrorInvalidValue);
  EXPECT_EQ(hipHostFree(data), hipErrorInvalidValue);
  EXPECT_EQ(hipFree(data), hipSuccess);
  EXPECT_EQ(hipFree(data), hipErrorInvalidValue);

  ASSERT_EQ(hipHostMalloc(&data, 64), hipSuccess);
  EXPECT_EQ(hipFree(data), hipErrorInvalidValue);
  EXPECT_EQ(hipHostFree(data), hipSuccess);

  ASSERT_EQ(hipMallocManaged(&data, 64), hipSuccess);
  EXPECT_EQ(hipHostFree(data), hipErrorInvalidValue);
  EXPECT_EQ(hipFree(data), hipSuccess);
  EXPECT_EQ(hipFree(nullptr), hipSuccess);
  EXPECT_EQ(hipHostFree(nullptr), hipSuccess);
}

TEST_F(hip_memory, in_the_order_of_a_stream) {
  int* data = nullptr;
  ASSERT_EQ(hipMallocAsync(&data, 64, nullptr), hipSuccess);
  EXPECT_EQ(hipFreeAsync(data, nullptr), hipSuccess);
  const auto made_up = reinterpret_cast<hipStream_t>(&data);
  EXPECT_EQ(hipMallocAsync(&data, 64, made_up), hipErrorInvalidHandle);
  EXPECT_EQ(hipFreeAsync(data, made_up), hipErrorInvalidHandle);
}

TEST_F(hip_memory, more_than_there_is_is_refused) {
  std::size_t free = 0;
  std::size_t total = 0;
  ASSERT_EQ(hipMemGetInfo(&free, &total), hipSuccess);
  EXPECT_GT(free, 0U);
  EXPECT_LE(free, total);
  void* data = &data;
  EXPECT_EQ(hipMalloc(&data, total + 1), hipErrorOutOfMemory);
  EXPECT_EQ(hipGetLastError(), hipErrorOutOfMemory);
  EXPECT_EQ(hipMalloc(&data, SIZE_MAX), hipErrorOutOfMemory);
  EXPECT_EQ(hipMalloc(&data, SIZE_MAX - 4096), hipErrorOutOfMemory);
  EXPECT_EQ(data, &data);
  std::size_t pitch = 0;
  EXPECT_EQ(hipMallocPitch(&data, &pitch, SIZE_MAX, 1), hipErrorInvalidValue);
  EXPECT_EQ(hipMallocPitch(&data, &pitch, SIZE_MAX / 4, 8), hipErrorOutOfMemory);
}

// Linux hands out what is not there as long as nobody writes to it.
TEST_F(hip_memory, granted_and_unwritten_counts_as_taken) {
  constexpr std::size_t mebi = std::size_t{1} << 20;
  static std::uint64_t available;
  available = 164 * mebi;  // of which 64 are kept free
  simt::allocations small([] { return available; });
  const auto device = simt::memory_kind::device;
  EXPECT_EQ(small.available(), 100 * mebi);
  void* first = nullptr;
  ASSERT_EQ(small.allocate(&first, 70 * mebi, device, 0), hipSuccess);
  EXPECT_EQ(small.available(), 30 * mebi);
  void* second = nullptr;
  EXPECT_EQ(small.allocate(&second, 31 * mebi, device, 0), hipErrorOutOfMemory);
  ASSERT_EQ(small.allocate(&second, 30 * mebi, device, 0), hipSuccess);
  void* third = nullptr;
  EXPECT_EQ(small.allocate(&third, 1, device, 0), hipErrorOutOfMemory);
  EXPECT_TRUE(small.remove(second, device));
  EXPECT_EQ(small.available(), 30 * mebi);

  // Another process took it.
  available = 74 * mebi;
  EXPECT_EQ(small.available(), 10 * mebi);
  EXPECT_EQ(small.allocate(&second, 11 * mebi, device, 0), hipErrorOutOfMemory);
  available = 0;
  EXPECT_EQ(small.available(), 0U);
  EXPECT_TRUE(small.remove(first, device));
}

TEST_F(hip_memory, kinds_have_the_numbers_of_hip) {
  EXPECT_EQ(hipMemoryTypeHost, 1);
  EXPECT_EQ(hipMemoryTypeDevice, 2);
  EXPECT_EQ(hipMemoryTypeManaged, 3);
  EXPECT_EQ(hipMemoryTypeArray, 10);
  EXPECT_EQ(hipMemoryTypeUnified, 11);
}

TEST_F(hip_memory, rows_begin_a_pitch_apart) {
  char* data = nullptr;
  std::size_t pitch = 0;
  ASSERT_EQ(hipMallocPitch(reinterpret_cast<void**>(&data), &pitch, 300, 5), hipSuccess);
  EXPECT_GE(pitch, 300U);
  EXPECT_EQ(pitch % 256, 0U);
  std::memset(data, 1, pitch * 5);
  std::size_t bytes = 0;
  EXPECT_EQ(hipMemPtrGetInfo(data, &bytes), hipSuccess);
  EXPECT_EQ(bytes, pitch * 5);
  EXPECT_EQ(hipFree(data), hipSuccess);
  char* whole = nullptr;
  ASSERT_EQ(hipMallocPitch(reinterpret_cast<void**>(&whole), &pitch, 512, 2), hipSuccess);
  EXPECT_EQ(pitch, 512U) << "no more than the rows need";
  EXPECT_EQ(hipFree(whole), hipSuccess);
}

TEST_F(hip_memory, of_each_kind_describes_itself) {
  ASSERT_EQ(hipSetDevice(1), hipSuccess);
  int* device = nullptr;
  int* host = nullptr;
  int* managed = nullptr;
  ASSERT_EQ(hipMalloc(&device, 64), hipSuccess);
  ASSERT_EQ(hipHostMalloc(&host, 64, hipHostMallocMapped), hipSuccess);
  ASSERT_EQ(hipMallocManaged(&managed, 64), hipSuccess);

  hipPointerAttribute_t about;
  ASSERT_EQ(hipPointerGetAttributes(&about, device + 3), hipSuccess);
  EXPECT_EQ(about.type, hipMemoryTypeDevice);
  EXPECT_EQ(about.memoryType, hipMemoryTypeDevice);
  EXPECT_EQ(about.device, 1);
  EXPECT_EQ(about.devicePointer, device + 3);
  EXPECT_EQ(about.hostPointer, nullptr);
  EXPECT_EQ(about.isManaged, 0);

  ASSERT_EQ(hipPointerGetAttributes(&about, host), hipSuccess);
  EXPECT_EQ(about.type, hipMemoryTypeHost);
  EXPECT_EQ(about.hostPointer, host);
  EXPECT_EQ(about.allocationFlags, static_cast<unsigned>(hipHostMallocMapped));

  ASSERT_EQ(hipPointerGetAttributes(&about, managed), hipSuccess);
  EXPECT_EQ(about.type, hipMemoryTypeManaged);
  EXPECT_EQ(about.isManaged, 1);

  // One past the end is somebody else's.
  ASSERT_EQ(hipPointerGetAttributes(&about, device + 16), hipSuccess);
  EXPECT_EQ(about.type, hipMemoryTypeUnregistered);
  EXPECT_EQ(hipPointerGetAttributes(&about, nullptr), hipErrorInvalidValue);

  unsigned flags = 0;
  EXPECT_EQ(hipHostGetFlags(&flags, host), hipSuccess);
  EXPECT_EQ(flags, static_cast<unsigned>(hipHostMallocMapped));
  EXPECT_EQ(hipHostGetFlags(&flags, device), hipErrorInvalidValue);

  EXPECT_EQ(hipFree(device), hipSuccess);
  EXPECT_EQ(hipHostFree(host), hipSuccess);
  EXPECT_EQ(hipFree(managed), hipSuccess);
}

TEST_F(hip_memory, flags_that_do_not_exist_are_refused) {
  void* data = nullptr;
  EXPECT_EQ(hipHostMalloc(&data, 64, 0x100), hipErrorInvalidValue);
  EXPECT_EQ(hipHostMalloc(&data, 64, hipHostMallocCoherent | hipHostMallocNonCoherent), hipErrorInvalidValue);
  EXPECT_EQ(hipMallocManaged(&data, 64, 0), hipErrorInvalidValue);
  EXPECT_EQ(hipMallocManaged(&data, 64, hipMemAttachSingle), hipErrorInvalidValue);
  int local[4];
  EXPECT_EQ(hipHostRegister(local, sizeof local, 0x100), hipErrorInvalidValue);
}

TEST_F(hip_memory, of_the_program_can_be_registered) {
  std::vector<int> mine(100);
  void* seen = nullptr;
  EXPECT_EQ(hipHostGetDevicePointer(&seen, mine.data(), 0), hipErrorInvalidValue);
  ASSERT_EQ(hipHostRegister(mine.data(), 400, hipHostRegisterMapped), hipSuccess);
  EXPECT_EQ(hipHostGetDevicePointer(&seen, mine.data() + 7, 0), hipSuccess);
  EXPECT_EQ(seen, mine.data() + 7);
  EXPECT_EQ(hipHostGetDevicePointer(&seen, mine.data(), 1), hipErrorInvalidValue);

  EXPECT_EQ(hipHostRegister(mine.data(), 400, hipHostRegisterMapped), hipErrorHostMemoryAlreadyRegistered);
  EXPECT_EQ(hipHostRegister(mine.data() + 99, 8, hipHostRegisterMapped), hipErrorHostMemoryAlreadyRegistered);
  EXPECT_EQ(hipHostRegister(mine.data() - 1, 8, hipHostRegisterMapped), hipErrorHostMemoryAlreadyRegistered);
  EXPECT_EQ(hipFree(mine.data()), hipErrorInvalidValue);
  EXPECT_EQ(hipHostFree(mine.data()), hipErrorInvalidValue);

  EXPECT_EQ(hipHostUnregister(mine.data() + 1), hipErrorHostMemoryNotRegistered);
  EXPECT_EQ(hipHostUnregister(mine.data()), hipSuccess);
  EXPECT_EQ(hipHostUnregister(mine.data()), hipErrorHostMemoryNotRegistered);
  EXPECT_EQ(hipHostUnregister(nullptr), hipErrorInvalidValue);
  EXPECT_EQ(hipHostRegister(nullptr, 400, 0), hipErrorInvalidValue);
  EXPECT_EQ(hipHostRegister(mine.data(), 0, 0), hipErrorInvalidValue);
  EXPECT_EQ(hipHostRegister(mine.data(), SIZE_MAX, 0), hipErrorInvalidValue);
}

TEST_F(hip_memory, hints_are_checked) {
  char* data = nullptr;
  ASSERT_EQ(hipMallocManaged(&data, 64), hipSuccess);
  EXPECT_EQ(hipMemPrefetchAsync(data, 64, 1), hipSuccess);
  EXPECT_EQ(hipMemPrefetchAsync(data, 64, hipCpuDeviceId), hipSuccess);
  EXPECT_EQ(hipMemPrefetchAsync(data, 65, 0), hipErrorInvalidValue);
  EXPECT_EQ(hipMemPrefetchAsync(data, 64, 2), hipErrorInvalidDevice);
  EXPECT_EQ(hipMemAdvise(data, 64, hipMemAdviseSetReadMostly, 0), hipSuccess);
  EXPECT_EQ(hipMemAdvise(data, 64, static_cast<hipMemoryAdvise>(50), 0), hipErrorInvalidValue);
  char local[64];
  EXPECT_EQ(hipMemPrefetchAsync(local, 64, 0), hipErrorInvalidValue);
  EXPECT_EQ(hipFree(data), hipSuccess);
}

TEST_F(hip_memory, of_a_device_goes_with_its_reset) {
  int* kept = nullptr;
  int* gone = nullptr;
  ASSERT_EQ(hipMalloc(&kept, 64), hipSuccess);
  ASSERT_EQ(hipSetDevice(1), hipSuccess);
  ASSERT_EQ(hipMalloc(&gone, 64), hipSuccess);
  EXPECT_EQ(hipDeviceReset(), hipSuccess);
  EXPECT_EQ(hipFree(gone), hipErrorInvalidValue);
  EXPECT_EQ(hipFree(kept), hipSuccess);
}

TEST_F(hip_memory, can_be_taken_by_several_threads) {
  std::vector<std::thread> threads;
  std::vector<int> failures(4);
  for (int& failed : failures) {
    threads.emplace_back([&failed] {
      for (int i = 0; i < 20000; ++i) {
        int* data = nullptr;
        if (hipMalloc(&data, 100) != hipSuccess) {
          ++failed;
          continue;
        }
        *data = i;
        if (hipFree(data) != hipSuccess) ++failed;
      }
    });
  }
  for (std::thread& each : threads) each.join();
  EXPECT_EQ(failures, std::vector<int>(4));
}

// The limit, read from files as Linux writes them.

class memory_files : public testing::Test {
 protected:
  void SetUp() override {
    root_ = testing::TempDir() + "warpz-memory-files-XXXXXX";
    ASSERT_NE(mkdtemp(root_.data()), nullptr);
    write("/proc/meminfo", "MemTotal:       16000 kB\nMemFree:         1000 kB\nMemAvailable:    8000 kB\n");
  }
  void TearDown() override { std::filesystem::remove_all(root_); }

  void write(const std::string& path, const std::string& text) {
    std::filesystem::create_directories(std::filesystem::path(root_ + path).parent_path());
    std::ofstream(root_ + path) << text;
  }

  os::memory_limit limit() const { return os::read_memory_limit(root_); }

  std::string root_;
};

TEST_F(memory_files, of_the_machine) {
  EXPECT_EQ(limit().total, 16000U * 1024);
  EXPECT_EQ(limit().available, 8000U * 1024);
}

TEST_F(memory_files, of_nested_groups) {
  write("/proc/self/cgroup", "0::/a/b\n");
  write("/sys/fs/cgroup/a/memory.max", "5000000\n");
  write("/sys/fs/cgroup/a/memory.current", "4000000\n");
  write("/sys/fs/cgroup/a/memory.stat", "anon 3000000\ninactive_file 500000\n");
  write("/sys/fs/cgroup/a/b/memory.max", "max\n");
  EXPECT_EQ(limit().total, 5000000U);
  EXPECT_EQ(limit().available, 1500000U);
  write("/sys/fs/cgroup/a/b/memory.max", "1000000\n");
  write("/sys/fs/cgroup/a/b/memory.current", "2000000\n");
  EXPECT_EQ(limit().total, 1000000U);
  EXPECT_EQ(limit().available, 0U);
}

TEST_F(memory_files, of_an_older_kernel_in_a_container) {
  write("/proc/self/cgroup", "7:cpu,cpuacct:/x\n5:memory:/docker/abc\n");
  write("/sys/fs/cgroup/memory/memory.limit_in_bytes", "3000000\n");
  write("/sys/fs/cgroup/memory/memory.usage_in_bytes", "1000000\n");
  EXPECT_EQ(limit().total, 3000000U);
  EXPECT_EQ(limit().available, 2000000U);
}

}  // namespace test_hip_memory
