// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "system/installed.hpp"

#include <unistd.h>

#include <algorithm>
#include <filesystem>

namespace warpz {

std::vector<std::string> places_of(std::string_view name) {
  std::error_code failed;
  const std::filesystem::path program = std::filesystem::read_symlink("/proc/self/exe", failed);
  if (failed) return {};
  const std::filesystem::path folder = program.parent_path();
  return {folder / name, folder / ".." / WARPZ_LIBRARY_FOLDER / "warpz" / name};
}

std::string document(std::string_view name) {
  std::error_code failed;
  const std::filesystem::path program = std::filesystem::read_symlink("/proc/self/exe", failed);
  const auto installed = program.parent_path() / ".." / WARPZ_DOCUMENT_FOLDER / "docs" / name;
  const bool is_there = !failed && std::filesystem::exists(installed, failed);
  return is_there ? installed.lexically_normal().string() : "docs/" + std::string(name);
}

std::string first_existing(const std::vector<std::string>& places) {
  const auto exists = [](const std::string& path) { return access(path.c_str(), F_OK) == 0; };
  const auto found = std::find_if(places.begin(), places.end(), exists);
  return found != places.end() ? *found : "";
}

}  // namespace warpz
