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

[[noreturn]] void refuse(const std::string& file, std::string_view why) {
  throw error(exit_code::bad_input, fmt::format("cannot read {}: {}", printable(file), why),
              "It has to be a list of entries with directory, file, and command or arguments, as CMake writes it with "
              "-DCMAKE_EXPORT_COMPILE_COMMANDS=ON.");
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
      const fs::path path = directory / flags[i];
      all.push_back(has_path && fs::exists(path) ? path.lexically_normal().native() : flags[i]);
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

std::optional<std::vector<std::string>> flags_in_compile_commands(const std::string& file, const std::string& source) {
  const std::optional<std::string> text = os::content_of(file);
  if (!text) refuse(file, "there is no such file");
  const json entries = json::parse(*text, nullptr, false);
  if (!entries.is_array()) refuse(file, "it is no list in JSON");
  std::error_code failed;
  const fs::path wanted = real_path(fs::absolute(source, failed));
  try {
    for (const json& each : entries) {
      const fs::path directory =
          real_path(fs::absolute(file, failed).parent_path() / each.at("directory").get<std::string>());
      if (real_path(directory / each.at("file").get<std::string>()) != wanted) continue;
      std::vector<std::string> words = each.contains("arguments") ? each.at("arguments").get<std::vector<std::string>>()
                                                                  : option_words(each.at("command").get<std::string>());
      if (words.empty()) continue;
      words.erase(words.begin());
      return preprocessing(parse_driver_words("", words).flags, directory);
    }
  } catch (const json::exception& wrong) {
    refuse(file, wrong.what());
  }
  return {};
}

}  // namespace warpz
