// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// compile_commands.json, in which a build says how it compiles each file: what of it tells a source which headers and
// macros it has. Nothing else of a build's command counts, such as how far it optimizes.
#pragma once

#include <optional>
#include <string>
#include <vector>

namespace warpz {

/// The compile_commands.json in the source's folder, in the folder `build` there, or in the nearest folder above that
/// has one; nothing where there is none. What another user has written does not count: it could include any file.
std::optional<std::string> find_compile_commands(const std::string& source);

class compile_commands {
 public:
  /// Throws error(bad_input) where the file cannot be read or is none of that kind.
  explicit compile_commands(const std::string& file);

  /// The include folders, macros and language standard of the source; nothing where the file does not name it. The
  /// first of several entries counts. Throws error(bad_input) where its command cannot be understood.
  std::optional<std::vector<std::string>> flags_of(const std::string& source) const;

 private:
  struct entry {
    std::string directory, file;
    std::vector<std::string> words;
  };
  std::vector<entry> entries_;
};

}  // namespace warpz
