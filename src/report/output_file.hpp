// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A file that is written once, completely or not at all.
//
// A regular file is replaced in one step by a new one beside it. A device, a pipe or a file in a folder without write
// access cannot be replaced, and is written in place.
#pragma once

#include <string>
#include <string_view>

namespace warpz {

class output_file {
 public:
  /// `option` is what errors call the file: "--junit".
  output_file(std::string option, std::string path);

  /// Throws error(bad_input) if the file could not be written at present. Changes nothing.
  void check();

  /// Gives the file this content. Throws error(bad_input) where it fails.
  void replace(std::string_view content);

 private:
  [[noreturn]] void fail(int reason) const;
  int open_new();
  bool may_be_replaced() const;

  std::string option_;
  std::string given_path_;
  std::string path_;      ///< without symbolic links where the file exists
  std::string new_path_;  ///< the file that will replace it
  bool folder_takes_none_ = false;
};

}  // namespace warpz
