// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A temporary folder for the compilers, removed at the end with all its files. What earlier runs have left is removed
// at the beginning: all of their processes were killed at once.
//
// A file that cannot be written there is an error of the machine (no_device), not of the kernel's author.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "compile/command.hpp"
#include "system/descriptor.hpp"
#include "system/temporary_path.hpp"

namespace warpz {

class temp_dir {
 public:
  /// Creates it in $TMPDIR, or in /tmp.
  temp_dir();
  temp_dir(const temp_dir&) = delete;
  temp_dir& operator=(const temp_dir&) = delete;

  std::string file(std::string_view name) const;
  /// False for a path that leads out of it again, as that of #include "../../x.hpp" in a file here.
  bool holds(const std::string& file) const;
  void write(std::string_view name, std::string_view text) const;

  /// Now, as this process is about to become another one.
  void remove() { path_.reset(); }

  /// The command with this folder as its own for temporary files, which a compiler that is killed leaves.
  command command_in(command job) const;

  /// Throws where there is no room: then a compiler can't have written its result, either.
  void check_room() const;

 private:
  bool make(const std::string& path);

  std::optional<os::temporary_path> path_;
  os::descriptor lock_;  ///< held as long as this process lives: shows that the folder is in use
};

}  // namespace warpz
