// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compile/compile_commands.hpp"

#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <string_view>

#include "compile/driver_options.hpp"
#include "compile/user_flags.hpp"
#include "error.hpp"
#include "system/file_content.hpp"
#include "text/printable.hpp"

namespace warpz {
namespace {

namespace fs = std::filesystem;
using json = nlohmann::json;

fs::path real_path(const fs::path& path) {
  std::error_code failed;
  return fs::weakly_canonical(path, failed);
}

[[noreturn]] void refuse_commands(const std::string& file, std::string_view why) {
  throw error(exit_code::bad_input, fmt::format("cannot read {}: {}", printable(file), why),
              "It has to be a list of entries with directory, file, and command or arguments, as CMake writes it with "
              "-DCMAKE_EXPORT_COMPILE_COMMANDS=ON.");
}

/// The words, with files of options named from the root on.
std::vector<std::string> with_absolute_option_files(std::vector<std::string> words, const fs::path& directory) {
  for (std::size_t i = 0; i < words.size(); ++i) {
    const bool is_named = i > 0 && (words[i - 1] == "--options-file" || words[i - 1] == "-optf");
    if (is_named) words[i] = (directory / words[i]).native();
    if (words[i].starts_with("@")) words[i] = "@" + (directory / words[i].substr(1)).native();
  }
  return words;
}

/// A folder of ROCm's or CUDA's own headers, in whose place warpz has its own.
bool is_of_vendor(const fs::path& folder) {
  std::error_code failed;
  return fs::exists(folder / "hip/hip_runtime.h", failed) || fs::exists(folder / "cuda_runtime.h", failed);
}

/// The options that say what the preprocessor sees, with folders and files named from the root on.
std::vector<std::string> preprocessing(const std::vector<std::string>& flags, const fs::path& directory) {
  constexpr std::string_view with_paths[] = {"-I", "-isystem", "-iquote", "-idirafter", "-include", "-imacros"};
  std::vector<std::string> all;
  for (std::size_t i = 0; i < flags.size(); ++i) {
    const bool has_path = std::find(std::begin(with_paths), std::end(with_paths), flags[i]) != std::end(with_paths);
    if (i + 1 < flags.size() && (has_path || flags[i] == "-D" || flags[i] == "-U")) {
      all.push_back(flags[i]);
      ++i;
      // A file that is included may also be one that is looked for.
      const fs::path path = (directory / flags[i]).lexically_normal();
      std::error_code failed;
      all.push_back(has_path && fs::exists(path, failed) ? path.native() : flags[i]);
      // Behind warpz's headers, which are a system's.
      if (all[all.size() - 2] == "-I" && is_of_vendor(path)) all[all.size() - 2] = "-isystem";
    } else if (flags[i].starts_with("-std=")) {
      all.push_back(flags[i]);
    }
  }
  return all;
}

}  // namespace

std::optional<std::string> find_compile_commands(const std::string& source) {
  std::error_code failed;
  for (fs::path folder = real_path(fs::absolute(source, failed)).parent_path(); folder.has_relative_path();
       folder = folder.parent_path()) {
    for (const char* const name : {"compile_commands.json", "build/compile_commands.json"}) {
      struct stat found {};
      if (stat((folder / name).c_str(), &found) != 0 || !S_ISREG(found.st_mode)) continue;
      if (found.st_uid == geteuid() || found.st_uid == 0) return (folder / name).native();
    }
  }
  return {};
}

compile_commands::compile_commands(const std::string& file) {
  const std::optional<std::string> text = os::content_of(file);
  if (!text) {
    std::error_code failed;
    throw error(exit_code::bad_input,
                fmt::format("cannot read {}: {}", printable(file),
                            fs::exists(file, failed) ? "it is no file that can be read" : "there is no such file"),
                "CMake writes one with -DCMAKE_EXPORT_COMPILE_COMMANDS=ON.");
  }
  const json all = json::parse(*text, nullptr, false);
  if (!all.is_array()) refuse_commands(file, "it is no list in JSON");
  std::error_code failed;
  const fs::path folder = fs::absolute(file, failed).parent_path();
  try {
    for (const json& each : all) {
      entries_.push_back({(folder / each.at("directory").get<std::string>()).native(),
                          each.at("file").get<std::string>(),
                          each.contains("arguments") ? each.at("arguments").get<std::vector<std::string>>()
                                                     : option_words(each.at("command").get<std::string>())});
    }
  } catch (const json::exception&) {
    refuse_commands(file, fmt::format("entry {} lacks one of these", entries_.size() + 1));
  }
}

std::optional<std::vector<std::string>> compile_commands::flags_of(const std::string& source) const {
  std::error_code failed;
  const fs::path absolute = fs::absolute(source, failed), wanted = real_path(absolute);
  for (const entry& each : entries_) {
    // There may be thousands, and to follow their links takes time.
    const fs::path name = fs::path(each.file).filename();
    if (name != absolute.filename() && name != wanted.filename()) continue;
    if (each.words.size() < 2 || real_path(fs::path(each.directory) / each.file) != wanted) continue;
    const std::vector<std::string> words =
        with_absolute_option_files({each.words.begin() + 1, each.words.end()}, each.directory);
    return preprocessing(parse_driver_words("", words).flags, each.directory);
  }
  return {};
}

}  // namespace warpz
