// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compile/cache_key.hpp"

#include <fmt/format.h>

#include <filesystem>

namespace warpz {

cache_key::cache_key(std::string_view kind) {
  add(kind);
  add(WARPZ_VERSION);
}

void cache_key::add(std::string_view part) { text_ += fmt::format("{}:{}\n", part.size(), part); }

void cache_key::add_working_folder() {
  std::error_code failed;
  add(std::filesystem::current_path(failed).string());
}

void cache_key::add(const command& one) {
  for (const std::string& word : one.words) add(word);
  for (const std::string& variable : one.environment) add(variable);
}

}  // namespace warpz
