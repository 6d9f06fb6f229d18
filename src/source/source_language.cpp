// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "source/source_language.hpp"

#include <algorithm>
#include <optional>

#include "system/file_content.hpp"

namespace warpz {
namespace {

/// What an #include names; empty for any other line.
std::string_view included(std::string_view line) {
  const auto skip_blanks = [&line] { line.remove_prefix(std::min(line.find_first_not_of(" \t"), line.size())); };
  skip_blanks();
  if (!line.starts_with('#')) return {};
  line.remove_prefix(1);
  skip_blanks();
  constexpr std::string_view word = "include";
  if (!line.starts_with(word)) return {};
  line.remove_prefix(word.size());
  skip_blanks();
  if (line.empty() || (line.front() != '<' && line.front() != '"')) return {};
  line.remove_prefix(1);
  return line.substr(0, line.find_first_of(">\""));
}

bool has_name_of_cuda(std::string_view file) { return file.ends_with(".cu"); }

bool is_hip_by_text(const std::string& file) {
  if (!has_name_of_cuda(file)) return false;
  const std::optional<std::string> text = os::content_of(file);
  return text && includes_hip_alone(*text);
}

}  // namespace

bool includes_hip_alone(std::string_view text) {
  bool has_hip = false;
  while (!text.empty()) {
    const std::string_view line = text.substr(0, text.find('\n'));
    const std::string_view header = included(line);
    if (header.starts_with("cuda") || header.starts_with("cooperative_groups")) return false;
    has_hip = has_hip || header.starts_with("hip/");
    text.remove_prefix(std::min(line.size() + 1, text.size()));
  }
  return has_hip;
}

bool is_cuda_file(const std::string& file) { return has_name_of_cuda(file) && !is_hip_by_text(file); }

bool is_cuda_file(const std::string& file, std::span<const std::string> program) {
  return is_cuda_file(file) && std::none_of(program.begin(), program.end(), is_hip_by_text);
}

std::string_view mask_of_all_lanes(const std::string& file) {
  return is_cuda_file(file) || file.ends_with(".cuh") ? "0xffffffff" : "~0ull";
}

}  // namespace warpz
