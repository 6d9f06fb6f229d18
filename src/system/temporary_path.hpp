// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Files and folders that are there only while this process works on them. What it can't remove itself, because it is
// killed, a supervisor removes that shares this list (process/supervisor.hpp).
#pragma once

#include <string>

namespace os {

/// The path of a temporary file or folder, which is removed, with all that is in it, at the end of the lifetime.
class temporary_path {
 public:
  /// To be called before the file is made.
  explicit temporary_path(std::string path);
  ~temporary_path();
  temporary_path(const temporary_path&) = delete;
  temporary_path& operator=(const temporary_path&) = delete;

  const std::string& get() const { return path_; }
  /// The file has got its final name: nothing is left to remove.
  void release();

 private:
  std::string path_;
  int entry_ = -1;  ///< in the list; -1: it is full
};

/// Makes the list one that this process shares with those that it forks.
void share_temporary_paths();

/// Keeps the list from the processes that this one forks from now on, which may be hostile.
void withhold_temporary_paths();

/// Removes whatever lies at the paths in the list.
void remove_temporary_paths() noexcept;

}  // namespace os
