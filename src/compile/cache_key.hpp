// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the result of a compilation depends on, apart from the files that the compiler reads, as the text by which the
// cache finds it. Each part stands behind its length, so that no two lists of parts are alike.
#pragma once

#include <string>
#include <string_view>

#include "compile/command.hpp"

namespace warpz {

class cache_key {
 public:
  /// `kind` tells keys of one kind from those of others. The version of warpz is part of each.
  explicit cache_key(std::string_view kind);

  void add(std::string_view part);
  /// Where names may be relative to it.
  void add_working_folder();
  /// Its words and variables. What it names has to have the same name each time.
  void add(const command& one);

  const std::string& text() const { return text_; }

 private:
  std::string text_;
};

}  // namespace warpz
