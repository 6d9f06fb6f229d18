// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compile/kernel_cache.hpp"

#include <dirent.h>
#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <functional>
#include <memory>
#include <nlohmann/json.hpp>
#include <random>

#include "system/file_content.hpp"
#include "system/private_folder.hpp"
#include "system/temporary_path.hpp"

namespace warpz {
namespace {

/// Changes whenever the layout of records does.
constexpr std::string_view format = "warpz kernel 6";
constexpr std::string_view suffix = ".kernel";
/// A younger unfinished file may belong to a process that is still writing.
constexpr time_t max_write_seconds = 600;

/// Before the metadata, as CBOR, and the module's bytes, which stay outside of it: a library reads them one by one.
struct record_head {
  std::uint64_t hash;  ///< the hash of all that follows
  std::uint64_t metadata_bytes;
};

std::uint64_t content_hash(std::string_view bytes) { return std::hash<std::string_view>{}(bytes); }

/// Writes all bytes; false where the disk is full, or on any other failure.
bool write_file(int descriptor, std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t count = write(descriptor, bytes.data(), bytes.size());
    if (count <= 0) return false;
    bytes.remove_prefix(static_cast<std::size_t>(count));
  }
  return true;
}

/// The names that this cache gives: a fingerprint and the suffix, with a few letters behind while it is written.
bool is_entry_name(std::string_view name) {
  constexpr std::string_view hexadecimal = "0123456789abcdef";
  constexpr std::size_t hash_digits = 16;
  const std::size_t dash = name.find_first_not_of(hexadecimal);
  if (dash == std::string_view::npos || dash == 0 || name[dash] != '-') return false;
  const std::size_t dot = name.find_first_not_of(hexadecimal, dash + 1);
  if (dot != dash + 1 + hash_digits) return false;
  name.remove_prefix(dot);
  if (!name.starts_with(suffix)) return false;
  name.remove_prefix(suffix.size());
  return name.empty() || (name[0] == '.' && name.size() > 6 && name.size() < 10 && name.find('.', 1) == name.npos);
}

/// A regular file that only this user can have written.
bool is_own_file(const os::descriptor& file) {
  struct stat found {};
  return fstat(file.number(), &found) == 0 && S_ISREG(found.st_mode) && found.st_uid == geteuid() &&
         (found.st_mode & (S_IWGRP | S_IWOTH)) == 0;
}

}  // namespace

// Strings may hold any bytes: nlohmann::json checks for UTF-8 only where it reads or writes JSON.
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(input_file, path, fingerprint)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(kernel_name, identity, name)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(compiled_code, kernels, launch_bounds, messages, inputs)

std::string cache_record(std::string_view key, const compiled_code& code) {
  record_head head{};
  std::string record(sizeof head, '\0');
  nlohmann::json::to_cbor({{"format", format}, {"key", key}, {"code", code}}, record);
  head.metadata_bytes = record.size() - sizeof head;
  record += code.module;
  std::memcpy(record.data(), &head, sizeof head);
  head.hash = content_hash(std::string_view(record).substr(sizeof head.hash));
  std::memcpy(record.data(), &head, sizeof head);
  return record;
}

std::optional<compiled_code> read_cache_record(std::string_view record, std::string_view key) {
  record_head head{};
  if (record.size() < sizeof head) return {};
  std::memcpy(&head, record.data(), sizeof head);
  const std::string_view content = record.substr(sizeof head);
  if (content_hash(record.substr(sizeof head.hash)) != head.hash || head.metadata_bytes > content.size()) return {};
  try {
    const auto metadata = nlohmann::json::from_cbor(content.substr(0, head.metadata_bytes));
    const auto is = [&](const char* name, std::string_view expected) {
      return metadata.at(name).get_ref<const std::string&>() == expected;
    };
    if (!is("format", format) || !is("key", key)) return {};
    auto code = metadata.at("code").get<compiled_code>();
    code.module = content.substr(head.metadata_bytes);
    return code;
  } catch (const nlohmann::json::exception&) {
    return {};
  }
}

std::string fingerprint(std::string_view bytes) {
  return fmt::format("{:x}-{:016x}", bytes.size(), content_hash(bytes));
}

std::string fingerprint_of_file(const std::string& path) {
  const std::optional<std::string> bytes = os::content_of(path);
  return bytes ? fingerprint(*bytes) : "";
}

std::string kernel_cache::name_of(std::string_view key) { return fingerprint(key) + std::string(suffix); }

std::optional<compiled_code> kernel_cache::find(std::string_view key) const {
  if (folder_.empty()) return {};
  const os::descriptor folder = os::open_private_folder(folder_).folder;
  if (!folder) return {};
  // Opened once: what is looked at is what is loaded. Opening a pipe must not wait.
  const os::descriptor file(
      openat(folder.number(), name_of(key).c_str(), O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC));
  if (!file || !is_own_file(file)) return {};
  const std::optional<std::string> bytes = os::content_of(file);
  if (!bytes) return {};
  std::optional<compiled_code> found = read_cache_record(*bytes, key);
  const auto changed = [](const input_file& each) { return fingerprint_of_file(each.path) != each.fingerprint; };
  if (!found || std::any_of(found->inputs.begin(), found->inputs.end(), changed)) return {};
  // Now it is the most recently used one, and the last to be removed.
  futimens(file.number(), nullptr);
  return found;
}

void kernel_cache::keep(std::string_view key, const compiled_code& code) const {
  if (folder_.empty()) return;
  os::make_private_folder(folder_);
  const os::descriptor folder = os::open_private_folder(folder_).folder;
  if (!folder) return;
  const std::string name = name_of(key);
  const std::string unfinished = fmt::format("{}.{:08x}", name, std::random_device{}());
  os::temporary_path temporary(fmt::format("{}/{}", folder_, unfinished));
  os::descriptor file(
      openat(folder.number(), unfinished.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600));
  if (!file) return;
  const bool is_complete = write_file(file.number(), cache_record(key, code));
  file.close();
  if (is_complete && renameat(folder.number(), unfinished.c_str(), folder.number(), name.c_str()) == 0) {
    temporary.release();
  }
  remove_oldest(folder);
}

void kernel_cache::remove_oldest(const os::descriptor& folder) const {
  struct entry {
    std::string name;
    std::int64_t used;  ///< in nanoseconds since 1970
    std::uint64_t bytes;
  };
  std::vector<entry> entries;
  std::uint64_t total = 0;
  const auto close_list = [](DIR* opened) { closedir(opened); };
  const std::unique_ptr<DIR, decltype(close_list)> list(fdopendir(dup(folder.number())), close_list);
  if (list == nullptr) return;
  rewinddir(list.get());
  while (const dirent* const each = readdir(list.get())) {
    struct stat found {};
    const std::string name = each->d_name;
    if (!is_entry_name(name) || fstatat(folder.number(), name.c_str(), &found, AT_SYMLINK_NOFOLLOW) != 0 ||
        !S_ISREG(found.st_mode) || found.st_uid != geteuid()) {
      continue;
    }
    if (!name.ends_with(suffix)) {
      if (found.st_mtime + max_write_seconds < time(nullptr)) unlinkat(folder.number(), name.c_str(), 0);
      continue;
    }
    const auto bytes = static_cast<std::uint64_t>(found.st_size);
    entries.push_back({name, found.st_mtim.tv_sec * 1'000'000'000 + found.st_mtim.tv_nsec, bytes});
    total += bytes;
  }
  std::sort(entries.begin(), entries.end(), [](const entry& a, const entry& b) { return a.used < b.used; });
  for (const entry& one : entries) {
    if (total <= limit_) break;
    unlinkat(folder.number(), one.name.c_str(), 0);
    total -= one.bytes;
  }
}

std::string default_cache_folder() {
  const char* const cache = std::getenv("XDG_CACHE_HOME");
  // The XDG specification says to ignore a relative one.
  if (cache != nullptr && cache[0] == '/') return std::string(cache) + "/warpz/kernels";
  const char* const home = std::getenv("HOME");
  return home != nullptr && home[0] == '/' ? std::string(home) + "/.cache/warpz/kernels" : "";
}

}  // namespace warpz
