// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Files and folders that exist only while this process works on them. If it is killed, a supervisor that shares the
// list removes them (process/supervisor.hpp).
#pragma once

#include <string>

namespace os {

/// The path of a temporary file or folder, which is removed with its contents at the end of the lifetime.
class temporary_path {
 public:
  /// To be called before the file is created.
  explicit temporary_path(std::string path);
  ~temporary_path();
  temporary_path(const temporary_path&) = delete;
  temporary_path& operator=(const temporary_path&) = delete;

  const std::string& get() const { return path_; }
  /// To be called once the file has its final name: nothing is left to remove.
  void release();

 private:
  std::string path_;
  int entry_ = -1;  ///< in the list; -1: it is full
};

/// From now on, this process shares the list with those that it forks.
void share_temporary_paths();

/// From now on, processes that this one forks, which may be hostile, do not get the list.
void withhold_temporary_paths();

/// Removes whatever lies at the paths in the list.
void remove_temporary_paths() noexcept;

}  // namespace os
