// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the tests of bad input share: the error as one text, files with given bytes, a child process for what would
// change this one.
#pragma once

#include <gtest/gtest.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>
#include <string_view>

#include "error.hpp"
#include "sanitized.hpp"

namespace error_support {

/// The error that `work` throws, as "what happened | what to try"; it has to be bad_input.
template <class Work>
std::string complaint(Work work) {
  try {
    work();
  } catch (const warpz::error& problem) {
    EXPECT_EQ(problem.code(), warpz::exit_code::bad_input);
    return problem.advice().empty() ? problem.what() : std::string(problem.what()) + " | " + problem.advice();
  }
  return "no error";
}

/// A folder of its own, gone at the end.
class folder {
 public:
  folder() {
    std::string name = std::filesystem::temp_directory_path() / "warpz-test-XXXXXX";
    if (mkdtemp(name.data()) == nullptr) throw std::runtime_error("no temporary folder");
    path_ = name;
  }
  ~folder() { std::filesystem::remove_all(path_); }
  folder(const folder&) = delete;
  folder& operator=(const folder&) = delete;

  /// Writes a file and returns its name.
  std::string file(const std::string& name, std::string_view bytes) const {
    std::filesystem::create_directories((path_ / name).parent_path());
    std::ofstream(path_ / name, std::ios::binary) << bytes;
    return path_ / name;
  }
  std::string path() const { return path_; }

 private:
  std::filesystem::path path_;
};

/// A file in memory: what is written thousands of times needs no disk.
class memory_file {
 public:
  memory_file() : descriptor_(memfd_create("test", MFD_CLOEXEC)) {}
  ~memory_file() { close(descriptor_); }
  memory_file(const memory_file&) = delete;
  memory_file& operator=(const memory_file&) = delete;

  /// Replaces what is in it and returns its name.
  std::string written(std::string_view bytes) {
    EXPECT_EQ(ftruncate(descriptor_, 0), 0);
    EXPECT_EQ(pwrite(descriptor_, bytes.data(), bytes.size(), 0), static_cast<ssize_t>(bytes.size()));
    return "/dev/fd/" + std::to_string(descriptor_);
  }

 private:
  int descriptor_;
};

/// The exit code of a child process in which `work` returns it; -1 if a signal ended it.
template <class Work>
int exit_code_of_child(Work work) {
  const pid_t child = fork();
  if (child == 0) _exit(work());
  int status = 0;
  waitpid(child, &status, 0);
  return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

/// Leaves the calling process no more than so much address space; false where that fails.
inline bool limit_address_space(rlim_t bytes) {
  const rlimit limit{bytes, bytes};
  return setrlimit(RLIMIT_AS, &limit) == 0;
}

}  // namespace error_support
