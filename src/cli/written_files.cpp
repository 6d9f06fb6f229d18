// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "cli/written_files.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "error.hpp"
#include "puzzle/solution_files.hpp"
#include "text/printable.hpp"

namespace warpz {
namespace {

namespace fs = std::filesystem;

struct named_file {
  std::string_view option;
  std::string name;
};

/// Whether two names mean the same file: through links, or as paths to a file that does not exist yet.
bool is_same_file(const std::string& one, const std::string& other) {
  std::error_code failed;
  if (fs::equivalent(one, other, failed)) {
    const fs::file_type type = fs::status(one, failed).type();
    return type == fs::file_type::regular;
  }
  const fs::path path = fs::weakly_canonical(fs::absolute(one, failed), failed);
  return !failed && !fs::exists(path, failed) && path == fs::weakly_canonical(fs::absolute(other, failed), failed);
}

/// Whether it is there and its name says that it is code, which may be included: what is included is not known where it
/// does not compile.
bool is_existing_source(const std::string& name) {
  constexpr std::array suffixes{".h",   ".hh",  ".hpp", ".hxx", ".cuh", ".inc", ".inl", ".ipp",
                                ".tpp", ".hip", ".cu",  ".c",   ".cc",  ".cpp", ".cxx", ".def"};
  std::error_code failed;
  return std::find(suffixes.begin(), suffixes.end(), fs::path(name).extension().string()) != suffixes.end() &&
         fs::is_regular_file(name, failed);
}

}  // namespace

void check_written_files(std::span<const given_option> given, const options& command) {
  std::vector<named_file> read, written;
  for (const given_option& one : given) {
    const option_row& row = *one.row;
    if (row.kind != value_kind::file && row.kind != value_kind::files) continue;
    for (const std::string& each : one.values) (row.is_written ? written : read).push_back({row.name, each});
  }
  // Files that are read or written because of these: files of flags, a folder's kernels, and the list for make.
  for (const std::string& each : command.program.flags) {
    if (each.starts_with("@")) read.push_back({"cxxflags", each.substr(1)});
  }
  if (std::error_code failed; command.kernel.file && fs::is_directory(*command.kernel.file, failed)) {
    for (const puzzle* const each : puzzles()) {
      for (const std::string& file : solution_files(*command.kernel.file, *each)) {
        if (fs::exists(file, failed)) read.push_back({"kernel", file});
      }
    }
  }
  if (command.program.output) written.push_back({"output", *command.program.output + ".d"});
  for (std::size_t i = 0; i < written.size(); ++i) {
    std::vector<named_file> others = read;
    others.insert(others.end(), written.begin(), written.begin() + static_cast<std::ptrdiff_t>(i));
    for (const named_file& each : others) {
      if (!is_same_file(written[i].name, each.name)) continue;
      throw error(exit_code::bad_input,
                  fmt::format("--{} {} would write over the file of --{}", written[i].option,
                              printable(written[i].name), each.option),
                  "Name another file.");
    }
    if (is_existing_source(written[i].name)) {
      throw error(exit_code::bad_input,
                  fmt::format("--{} {} would write over a source file", written[i].option, printable(written[i].name)),
                  "Name another file.");
    }
  }
}

}  // namespace warpz
