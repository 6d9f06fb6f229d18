// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the cache of compiled code returns, and what it does not.
#include "compile/kernel_cache.hpp"

#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <filesystem>
#include <fstream>
#include <iterator>

#include "host/error_support.hpp"

namespace {

using namespace warpz;
namespace fs = std::filesystem;

class kernel_cache_test : public testing::Test {
 protected:
  std::string used(const std::string& name, std::string_view bytes) const { return folder_.file(name, bytes); }

  compiled_code made_of(const std::vector<std::string>& files, std::string module = std::string("ELF\0\n1", 6)) const {
    compiled_code result{
        std::move(module), {{"warpz_kernel_0", "scale"}, {"warpz_kernel_1", "other"}}, {256, 0}, "a warning\n", {}};
    for (const std::string& file : files) result.inputs.push_back({file, fingerprint_of_file(file)});
    return result;
  }

  std::vector<fs::path> entries() const {
    std::vector<fs::path> found;
    for (const auto& each : fs::directory_iterator(place_)) found.push_back(each.path());
    return found;
  }

  void age(const fs::path& file, std::chrono::minutes by) const {
    fs::last_write_time(file, fs::file_time_type::clock::now() - by);
  }

  error_support::folder folder_;
  const std::string place_ = folder_.path() + "/deep/down/kernels";
  const kernel_cache cache_{place_};
};

TEST_F(kernel_cache_test, gives_back_what_was_kept) {
  EXPECT_FALSE(cache_.find("key"));
  EXPECT_FALSE(fs::exists(place_)) << "looking makes nothing";
  const compiled_code result = made_of({used("a.h", "1"), used("b\n.h", "")});
  cache_.keep("key", result);
  EXPECT_EQ(cache_.find("key"), result);
  EXPECT_FALSE(cache_.find("other key"));
  EXPECT_EQ(kernel_cache(place_).find("key"), result);
  EXPECT_EQ(entries().size(), 1u);
}

TEST_F(kernel_cache_test, writes_a_module_to_a_file_as_long_as_it_is_valid) {
  const std::string file = used("a.h", "1"), copy = used("copy", "what was there before, and is longer");
  EXPECT_FALSE(cache_.copy_module("key", copy));
  cache_.keep("key", made_of({file}));
  ASSERT_TRUE(cache_.copy_module("key", copy));
  std::ifstream stream(copy, std::ios::binary);
  EXPECT_EQ(std::string(std::istreambuf_iterator<char>(stream), {}), made_of({}).module);
  EXPECT_FALSE(cache_.copy_module("other", copy));
  EXPECT_FALSE(cache_.copy_module("key", folder_.path() + "/none/copy"));
  used("a.h", "2");
  EXPECT_FALSE(cache_.copy_module("key", copy));
  used("a.h", "1");
  std::ofstream(entries().front(), std::ios::binary | std::ios::app) << '.';
  EXPECT_FALSE(cache_.copy_module("key", copy));
}

TEST_F(kernel_cache_test, the_last_one_kept_counts) {
  cache_.keep("key", made_of({}, "old"));
  cache_.keep("key", made_of({}, "new"));
  EXPECT_EQ(cache_.find("key")->module, "new");
  EXPECT_EQ(entries().size(), 1u);
}

TEST_F(kernel_cache_test, a_used_file_that_changed_or_went_makes_it_invalid) {
  const std::string file = used("a.h", "1");
  cache_.keep("key", made_of({file}));
  used("a.h", "2");
  EXPECT_FALSE(cache_.find("key"));
  used("a.h", "1");
  EXPECT_TRUE(cache_.find("key"));
  fs::remove(file);
  EXPECT_FALSE(cache_.find("key"));
}

TEST_F(kernel_cache_test, another_key_of_the_same_name_is_noticed) {
  cache_.keep("key", made_of({}));
  const fs::path entry = entries().front();
  cache_.keep("other", made_of({}));
  for (const fs::path& each : entries())
    if (each != entry) fs::rename(entry, each);
  EXPECT_FALSE(cache_.find("other"));
}

TEST_F(kernel_cache_test, damaged_records_are_none) {
  cache_.keep("key", made_of({used("a.h", "1")}));
  const fs::path entry = entries().front();
  std::ifstream file(entry, std::ios::binary);
  const std::string good{std::istreambuf_iterator<char>(file), {}};
  const auto write = [&](std::string_view bytes) { std::ofstream(entry, std::ios::binary) << bytes; };
  for (std::size_t place = 0; place < good.size(); ++place) {
    write(good.substr(0, place));
    EXPECT_FALSE(cache_.find("key")) << "cut at " << place;
    std::string flipped = good;
    flipped[place] = static_cast<char>(flipped[place] ^ (1 << place % 8));
    write(flipped);
    EXPECT_FALSE(cache_.find("key")) << "flipped at " << place;
  }
  write(good + '.');
  EXPECT_FALSE(cache_.find("key"));
  write(good);
  EXPECT_TRUE(cache_.find("key"));
}

TEST_F(kernel_cache_test, folders_that_others_may_write_to_are_not_used) {
  cache_.keep("key", made_of({}));
  for (const mode_t mode : {0770, 0702}) {
    ASSERT_EQ(chmod(place_.c_str(), mode), 0);
    EXPECT_FALSE(cache_.find("key"));
    cache_.keep("other", made_of({}));
    EXPECT_EQ(entries().size(), 1u);
  }
  ASSERT_EQ(chmod(place_.c_str(), 0755), 0);
  EXPECT_TRUE(cache_.find("key"));
  struct stat found {};
  ASSERT_EQ(stat(entries().front().c_str(), &found), 0);
  EXPECT_EQ(found.st_mode & 0777, 0600u);
}

TEST_F(kernel_cache_test, of_others_are_not_used) {
  if (geteuid() != 0) GTEST_SKIP() << "only root can give a folder away";
  cache_.keep("key", made_of({}));
  ASSERT_EQ(chown(place_.c_str(), 12345, 12345), 0);
  EXPECT_FALSE(cache_.find("key"));
}

TEST_F(kernel_cache_test, without_a_folder_nothing_is_kept) {
  const kernel_cache none("");
  none.keep("key", made_of({}));
  EXPECT_FALSE(none.find("key"));
  const kernel_cache file(used("file", ""));
  file.keep("key", made_of({}));
  EXPECT_FALSE(file.find("key"));
}

TEST_F(kernel_cache_test, a_write_that_fails_leaves_what_was_there) {
  cache_.keep("key", made_of({}, "old"));
  const pid_t child = fork();
  if (child == 0) {
    std::signal(SIGXFSZ, SIG_IGN);
    const rlimit limit{1000, 1000};
    setrlimit(RLIMIT_FSIZE, &limit);
    cache_.keep("key", made_of({}, std::string(2000, 'x')));
    _exit(0);
  }
  int status = 0;
  waitpid(child, &status, 0);
  ASSERT_EQ(status, 0);
  EXPECT_EQ(entries().size(), 1u);
  EXPECT_EQ(cache_.find("key")->module, "old");
}

TEST_F(kernel_cache_test, those_not_used_for_longest_go_first) {
  const kernel_cache small(place_, 3800);
  const compiled_code result = made_of({}, std::string(1000, 'x'));
  for (int i = 0; i < 3; ++i) {
    const std::string key = std::to_string(i);
    small.keep(key, result);
    // Each record has its key as text.
    for (const fs::path& each : entries()) {
      std::ifstream file(each);
      const std::string text{std::istreambuf_iterator<char>(file), {}};
      if (text.find("ckeya" + key) != std::string::npos) age(each, std::chrono::minutes(30 - i));
    }
  }
  EXPECT_EQ(entries().size(), 3u);
  ASSERT_TRUE(small.find("0"));
  small.keep("3", result);
  EXPECT_TRUE(small.find("0")) << "it was used just now";
  EXPECT_FALSE(small.find("1"));
  EXPECT_TRUE(small.find("2"));
  EXPECT_TRUE(small.find("3"));
}

TEST_F(kernel_cache_test, what_a_killed_process_left_half_written_goes_after_a_while) {
  cache_.keep("a", made_of({}));
  const fs::path old = place_ + "/1-0123456789abcdef.kernel.abcdef",
                 young = place_ + "/2-0123456789abcdef.kernel.12345678";
  for (const fs::path& each : {old, young}) std::ofstream(each) << "half";
  age(old, std::chrono::minutes(11));
  cache_.keep("b", made_of({}));
  EXPECT_FALSE(fs::exists(old));
  EXPECT_TRUE(fs::exists(young));
}

TEST(kernel_cache_folder, is_the_one_of_the_xdg_specification) {
  const std::string home = std::getenv("HOME") != nullptr ? std::getenv("HOME") : "";
  const char* const before = std::getenv("XDG_CACHE_HOME");
  const std::string cache = before != nullptr ? before : "";
  setenv("HOME", "/home/u", 1);
  setenv("XDG_CACHE_HOME", "/var/c", 1);
  EXPECT_EQ(default_cache_folder(), "/var/c/warpz/kernels");
  for (const char* const other : {"", "relative/c"}) {
    setenv("XDG_CACHE_HOME", other, 1);
    EXPECT_EQ(default_cache_folder(), "/home/u/.cache/warpz/kernels");
  }
  unsetenv("XDG_CACHE_HOME");
  EXPECT_EQ(default_cache_folder(), "/home/u/.cache/warpz/kernels");
  unsetenv("HOME");
  EXPECT_EQ(default_cache_folder(), "");
  setenv("HOME", home.c_str(), 1);
  if (before != nullptr) setenv("XDG_CACHE_HOME", cache.c_str(), 1);
}

}  // namespace
