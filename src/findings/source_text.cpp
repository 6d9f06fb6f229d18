// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "findings/source_text.hpp"

#include <algorithm>
#include <filesystem>
#include <map>
#include <system_error>

#include "system/file_content.hpp"

namespace warpz {
namespace {

namespace fs = std::filesystem;

/// Code that this process has compiled, or found in its cache, is that of the sources as they were then.
const fs::file_time_type program_start = fs::file_time_type::clock::now();

/// When the code was compiled at the latest.
fs::file_time_type compile_time(const code_location& code) {
  std::error_code failed;
  // A program that was compiled before and is its own source.
  const bool was_compiled = !code.sources.empty() && fs::equivalent(code.file, code.sources.front(), failed);
  const fs::file_time_type written = was_compiled ? fs::last_write_time(code.file, failed) : program_start;
  return failed ? program_start : std::min(written, program_start);
}

const std::string& content_of(const fs::path& file) {
  static std::map<fs::path, std::string> known;
  const auto [entry, is_new] = known.try_emplace(file);
  if (is_new) entry->second = os::content_of(file).value_or("");
  return entry->second;
}

}  // namespace

bool is_beside(const fs::path& file, const std::vector<std::string>& sources) {
  return std::any_of(sources.begin(), sources.end(), [&file](const std::string& each) {
    std::error_code failed;
    const fs::path source = fs::canonical(each, failed);
    const fs::path folder = source.parent_path();
    return !failed && std::mismatch(folder.begin(), folder.end(), file.begin(), file.end()).first == folder.end();
  });
}

std::string_view file_text(const code_location& code, const std::string& file) {
  std::error_code failed;
  const fs::path path = fs::canonical(file, failed);
  if (failed || !is_beside(path, code.sources)) return {};
  const fs::file_time_type written = fs::last_write_time(path, failed);
  if (failed || written > compile_time(code)) return {};
  return content_of(path);
}

std::string source_text(const code_location& code, const std::string& file, unsigned line) {
  if (line == 0) return {};
  std::string_view rest = file_text(code, file);
  for (; line > 1 && !rest.empty(); --line) rest.remove_prefix(std::min(rest.find('\n'), rest.size() - 1) + 1);
  rest = rest.substr(0, rest.find('\n'));
  return std::string(rest.substr(0, rest.find_last_not_of(" \t\r") + 1));
}

}  // namespace warpz
