// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// compile_commands.json, in which a build says how it compiles each file: what of it tells a source which headers and
// macros it has.
#pragma once

#include <optional>
#include <string>
#include <vector>

namespace warpz {

/// The compile_commands.json in the source's folder, in the folder `build` there, or in the nearest folder above that
/// has one; nothing where there is none. What another user has written does not count: it could include any file.
std::optional<std::string> find_compile_commands(const std::string& source);

/// The include folders, macros and language standard of the source; nothing where the file does not name it. The first
/// of several entries counts. Throws error(bad_input) where the file cannot be read or is none of that kind.
std::optional<std::vector<std::string>> flags_in_compile_commands(const std::string& file, const std::string& source);

}  // namespace warpz
