// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "system/private_folder.hpp"

#include <sys/stat.h>

#include <cstdlib>
#include <memory>
#include <string_view>
#include <utility>

namespace os {
namespace {

/// Why others could have put something into the folder; null if they could not.
const char* weakness(const struct stat& folder, bool is_last) {
  if (folder.st_uid != geteuid() && (is_last || folder.st_uid != 0)) return "belongs to another user";
  const bool is_open = (folder.st_mode & (S_IWGRP | S_IWOTH)) != 0;
  if (is_open && (is_last || (folder.st_mode & S_ISVTX) == 0)) return "can be written to by others";
  return nullptr;
}

}  // namespace

private_folder open_private_folder(const std::string& path) {
  const std::unique_ptr<char, decltype(&std::free)> resolved(realpath(path.c_str(), nullptr), std::free);
  if (resolved == nullptr) return {};
  // One folder after the other by descriptors, so that each folder is entered as it was checked.
  std::string reached = "/";
  std::string_view rest(resolved.get() + 1);
  descriptor folder(open("/", O_PATH | O_DIRECTORY | O_CLOEXEC));
  for (;;) {
    struct stat found {};
    if (!folder || fstat(folder.number(), &found) != 0) return {};
    if (const char* const reason = weakness(found, rest.empty())) {
      const bool is_own = found.st_uid == geteuid();
      return {{}, reached + " " + reason + (is_own ? ": chmod go-w " + reached : "")};
    }
    if (rest.empty()) break;
    const std::string name(rest.substr(0, rest.find('/')));
    rest.remove_prefix(name.size() + (name.size() < rest.size() ? 1 : 0));
    folder = descriptor(openat(folder.number(), name.c_str(), O_PATH | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC));
    reached += (reached.size() > 1 ? "/" : "") + name;
  }
  return {descriptor(openat(folder.number(), ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC)), {}};
}

void make_private_folder(const std::string& path) {
  for (std::size_t end = path.find('/', 1); end != std::string::npos; end = path.find('/', end + 1)) {
    mkdir(path.substr(0, end).c_str(), 0700);
  }
  mkdir(path.c_str(), 0700);
}

}  // namespace os
