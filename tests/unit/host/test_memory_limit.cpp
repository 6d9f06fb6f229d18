// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What is left for a run, by the system's own files, which the tests write.
#include "input/size_limit.hpp"

#include <gtest/gtest.h>
#include <sys/resource.h>

#include <cstdlib>
#include <limits>

#include "host/error_support.hpp"
#include "system/memory_limit.hpp"

namespace {

using namespace warpz;
using error_support::complaint;
using error_support::folder;

constexpr std::uint64_t unlimited = std::numeric_limits<std::uint64_t>::max();
constexpr std::uint64_t kibi = 1024;

class memory_limit : public testing::Test {
 protected:
  void SetUp() override {
    rlimit limit{};
    getrlimit(RLIMIT_AS, &limit);
    if (limit.rlim_cur != RLIM_INFINITY) GTEST_SKIP() << "the address space is limited here";
  }
  void has(const std::string& file, std::string_view text) { folder_.file(file, text); }
  std::uint64_t available() { return os::read_memory_limit(folder_.path()).available; }
  folder folder_;
};

TEST_F(memory_limit, nothing_known_is_no_limit) { EXPECT_EQ(available(), unlimited); }

TEST_F(memory_limit, the_machine_says_what_is_available) {
  has("proc/meminfo", "MemTotal:  8000 kB\nMemFree:    10 kB\nMemAvailable:    5000 kB\nBuffers: 1 kB\n");
  EXPECT_EQ(available(), 5000 * kibi);
}

TEST_F(memory_limit, lines_of_another_kind_are_no_limit) {
  for (const char* const text :
       {"", "\n\n", "MemAvailable:", "MemAvailable: \n", "MemAvailable: x kB\n", "MemAvail: 5 kB"}) {
    has("proc/meminfo", text);
    EXPECT_EQ(available(), unlimited) << text;
  }
}

TEST_F(memory_limit, a_control_group_of_version_2_limits) {
  has("proc/meminfo", "MemAvailable: 5000 kB\n");
  has("proc/self/cgroup", "0::/user/job\n");
  has("sys/fs/cgroup/user/job/memory.max", "3000000\n");
  EXPECT_EQ(available(), 3'000'000u);
  has("sys/fs/cgroup/user/job/memory.current", "1000000\n");
  EXPECT_EQ(available(), 2'000'000u);
  has("sys/fs/cgroup/user/job/memory.stat", "anon 5\nactive_file 7\ninactive_file 400000\n");
  EXPECT_EQ(available(), 2'400'000u) << "cached files can be dropped";
  has("sys/fs/cgroup/user/memory.max", "1500000\n");
  EXPECT_EQ(available(), 1'500'000u) << "the group above has less";
  has("sys/fs/cgroup/user/memory.max", "max\n");
  EXPECT_EQ(available(), 2'400'000u);
  has("sys/fs/cgroup/user/job/memory.current", "9000000\n");
  EXPECT_EQ(available(), 0u);
}

TEST_F(memory_limit, in_a_container_the_mounts_root_is_the_group) {
  has("proc/self/cgroup", "0::/docker/0123\n");
  has("sys/fs/cgroup/memory.max", "777\n");
  EXPECT_EQ(available(), 777u);
  has("proc/self/cgroup", "0::/\n");
  EXPECT_EQ(available(), 777u);
}

TEST_F(memory_limit, a_control_group_of_version_1_limits) {
  has("proc/self/cgroup", "12:cpu,cpuacct:/other\n5:hugetlb,memory:/job\n0::/\n");
  has("sys/fs/cgroup/memory/job/memory.limit_in_bytes", "3000000\n");
  has("sys/fs/cgroup/memory/job/memory.usage_in_bytes", "1000000\n");
  has("sys/fs/cgroup/memory/job/memory.stat", "inactive_file 1\ntotal_inactive_file 500000\n");
  has("sys/fs/cgroup/memory/other/memory.limit_in_bytes", "1\n");
  EXPECT_EQ(available(), 2'500'000u);
}

TEST_F(memory_limit, odd_group_lines_end) {
  for (const char* const text : {"0::job\n", "0::\n", "0:\n", ":::\n", "0::////\n", "\n\n"}) {
    has("proc/self/cgroup", text);
    EXPECT_EQ(available(), unlimited) << text;
  }
}

TEST_F(memory_limit, the_least_of_all_counts) {
  has("proc/meminfo", "MemAvailable: 1 kB\n");
  has("proc/self/cgroup", "0::/\n");
  has("sys/fs/cgroup/memory.max", "3000000\n");
  EXPECT_EQ(available(), kibi);
}

TEST_F(memory_limit, this_machine_has_some) {
  EXPECT_GT(os::read_memory_limit().available, 1u << 20);
  EXPECT_LT(os::read_memory_limit().available, unlimited);
}

/// What the code under test allocates has to come from somewhere when no page can be had any more.
void keep_some_heap() {
  void* volatile spare = std::malloc(100'000);
  std::free(spare);
}

TEST_F(memory_limit, the_address_space_limits) {
  if (address_sanitized) GTEST_SKIP() << "the address space cannot be limited here";
  const int code = error_support::exit_code_of_child([] {
    keep_some_heap();
    if (!error_support::limit_address_space(rlim_t{1} << 20)) return 2;
    return os::read_memory_limit().available == 0 && affordable_elements() == 0 ? 0 : 1;
  });
  EXPECT_EQ(code, 0);
}

TEST_F(memory_limit, sizes_that_no_kernel_takes_are_refused) {
  EXPECT_EQ(complaint([] { check_elements(2'147'483'585, "--size 2147483585"); }),
            "--size 2147483585 is too large: a kernel takes the size as an int, so at most 2147483584 elements");
  EXPECT_EQ(complaint([] { check_elements(unlimited, "'x'"); }),
            "'x' is too large: a kernel takes the size as an int, so at most 2147483584 elements");
  // The threads of the last warp are counted in an int too.
  EXPECT_LE((max_elements + 63) / 64 * 64, static_cast<std::uint64_t>(std::numeric_limits<int>::max()));
  EXPECT_NO_THROW(check_elements(1, "one"));
}

TEST_F(memory_limit, sizes_without_memory_are_refused_with_what_is_possible) {
  if (address_sanitized) GTEST_SKIP() << "the address space cannot be limited here";
  const int code = error_support::exit_code_of_child([] {
    keep_some_heap();
    if (!error_support::limit_address_space(rlim_t{1} << 20)) return 2;
    const std::string told = complaint([] { check_elements(100'000'000, "--size 100000000"); });
    if (told !=
        "--size 100000000 needs 1589 MiB of memory (16 bytes per element and 64 MiB), and 0 MiB are free | "
        "This machine has room for about 0 elements: --size takes fewer.")
      return 1;
    return complaint([] { check_elements(1'000'000, "few"); }) == "no error" ? 0 : 3;
  });
  EXPECT_EQ(code, 0);
}

}  // namespace
