// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Where the compilers work: a temporary folder, gone at the end with all that is in it.
//
// What cannot be written there is an error (no_device): the machine's, and not the mistake of who wrote the kernel.
#pragma once

#include <string>
#include <string_view>

namespace warpz {

class temp_dir {
 public:
  /// In $TMPDIR, or /tmp.
  temp_dir();
  ~temp_dir();
  temp_dir(const temp_dir&) = delete;
  temp_dir& operator=(const temp_dir&) = delete;

  std::string file(std::string_view name) const;
  bool holds(const std::string& file) const { return file.starts_with(path_ + "/"); }
  void write(std::string_view name, std::string_view text) const;

  /// Throws where a compiler can't have written its result either.
  void check_room() const;

 private:
  std::string path_;
};

}  // namespace warpz
