// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compile/kernel_cache.hpp"

#include <dirent.h>
#include <fcntl.h>
#include <fmt/format.h>
#include <sys/sendfile.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <functional>
#include <memory>
#include <nlohmann/json.hpp>
#include <random>
#include <thread>
#include <utility>

#include "system/file_content.hpp"
#include "system/file_view.hpp"
#include "system/private_folder.hpp"
#include "system/temporary_path.hpp"

namespace warpz {
namespace {

/// Changes whenever the layout of records does.
constexpr std::string_view format = "warpz kernel 7";
constexpr std::string_view suffix = ".kernel";
constexpr const char* lock_name = "lock";
/// Compiling takes a second or a few.
constexpr std::chrono::seconds longest_wait{10};
/// A younger unfinished file may belong to a process that is still writing.
constexpr time_t max_write_seconds = 600;

/// Behind the module's bytes and the metadata, as CBOR. A library reads that byte by byte, so the module is no part of
/// it; and it comes first, so that a copy of the record becomes the module when it is cut.
struct record_tail {
  std::uint64_t metadata_bytes;
  std::uint64_t hash;  ///< the hash of all before it
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

/// Within the kernel: a precompiled header is so large that its way through this process would take longer.
bool copy_file(const os::descriptor& from, const std::string& path) {
  const os::descriptor to(open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600));
  if (!to) return false;
  for (;;) {
    const ssize_t count = sendfile(to.number(), from.number(), nullptr, os::max_content);
    if (count <= 0) return count == 0;
  }
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

bool has_changed_inputs(const compiled_code& code) {
  return std::any_of(code.inputs.begin(), code.inputs.end(),
                     [](const input_file& each) { return fingerprint_of_file(each.path) != each.fingerprint; });
}

/// Now it is the most recently used one, and the last to be removed.
void note_use(const os::descriptor& record) { futimens(record.number(), nullptr); }

}  // namespace

// Strings may hold any bytes: nlohmann::json checks for UTF-8 only where it reads or writes JSON.
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(input_file, path, fingerprint)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(kernel_name, identity, name)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(compiled_code, kernels, launch_bounds, messages, inputs)

std::string cache_record(std::string_view key, const compiled_code& code) {
  std::string record = code.module;
  nlohmann::json::to_cbor({{"format", format}, {"key", key}, {"code", code}}, record);
  record_tail tail{record.size() - code.module.size(), 0};
  record.append(reinterpret_cast<const char*>(&tail.metadata_bytes), sizeof tail.metadata_bytes);
  tail.hash = content_hash(record);
  record.append(reinterpret_cast<const char*>(&tail.hash), sizeof tail.hash);
  return record;
}

namespace {

/// A record's code but for the module, which is so many of its first bytes.
struct record_metadata {
  compiled_code code;
  std::size_t module_bytes;
};

std::optional<record_metadata> metadata_in(std::string_view record, std::string_view key) {
  record_tail tail{};
  if (record.size() < sizeof tail) return {};
  std::string_view content = record.substr(0, record.size() - sizeof tail);
  std::memcpy(&tail, content.data() + content.size(), sizeof tail);
  if (content_hash(record.substr(0, record.size() - sizeof tail.hash)) != tail.hash) return {};
  if (tail.metadata_bytes > content.size()) return {};
  const std::size_t module_bytes = content.size() - tail.metadata_bytes;
  content.remove_prefix(module_bytes);
  try {
    const auto metadata = nlohmann::json::from_cbor(content);
    const auto is = [&](const char* name, std::string_view expected) {
      return metadata.at(name).get_ref<const std::string&>() == expected;
    };
    if (!is("format", format) || !is("key", key)) return {};
    return record_metadata{metadata.at("code").get<compiled_code>(), module_bytes};
  } catch (const nlohmann::json::exception&) {
    return {};
  }
}

}  // namespace

std::optional<compiled_code> read_cache_record(std::string_view record, std::string_view key) {
  std::optional<record_metadata> found = metadata_in(record, key);
  if (!found) return {};
  found->code.module = record.substr(0, found->module_bytes);
  return std::move(found->code);
}

std::string fingerprint(std::string_view bytes) {
  return fmt::format("{:x}-{:016x}", bytes.size(), content_hash(bytes));
}

std::string fingerprint_of_file(const std::string& path) {
  const std::optional<std::string> bytes = os::content_of(path);
  return bytes ? fingerprint(*bytes) : "";
}

std::string kernel_cache::name_of(std::string_view key) { return fingerprint(key) + std::string(suffix); }

/// Once: what is looked at is what is used.
os::descriptor kernel_cache::open_record(std::string_view key) const {
  const os::descriptor folder = folder_.empty() ? os::descriptor() : os::open_private_folder(folder_).folder;
  if (!folder) return {};
  // Opening a pipe must not wait.
  os::descriptor file(openat(folder.number(), name_of(key).c_str(), O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC));
  return file && is_own_file(file) ? std::move(file) : os::descriptor();
}

std::optional<compiled_code> kernel_cache::find(std::string_view key) const {
  const os::descriptor file = open_record(key);
  const std::optional<std::string> bytes = os::content_of(file);
  if (!bytes) return {};
  std::optional<compiled_code> found = read_cache_record(*bytes, key);
  if (!found || has_changed_inputs(*found)) return {};
  note_use(file);
  return found;
}

bool kernel_cache::copy_module(std::string_view key, const std::string& path) const {
  const os::descriptor file = open_record(key);
  if (!file || !copy_file(file, path)) return false;
  const std::optional<record_metadata> found = metadata_in(os::file_view(path.c_str()).bytes(), key);
  if (!found || has_changed_inputs(found->code)) return false;
  note_use(file);
  return truncate(path.c_str(), static_cast<off_t>(found->module_bytes)) == 0;
}

cache_turn kernel_cache::wait_for_turn(std::string_view key) const {
  cache_turn turn;
  if (folder_.empty()) return turn;
  os::make_private_folder(folder_);
  const os::descriptor folder = os::open_private_folder(folder_).folder;
  if (!folder) return turn;
  turn.lock = os::descriptor(openat(folder.number(), lock_name, O_RDWR | O_CREAT | O_NOFOLLOW | O_CLOEXEC, 0600));
  if (!turn.lock) return turn;
  // One file for all keys: each has a byte of its own.
  struct flock wanted {};
  wanted.l_type = F_WRLCK;
  wanted.l_whence = SEEK_SET;
  wanted.l_start = static_cast<off_t>(content_hash(key) >> 2);
  wanted.l_len = 1;
  const auto last = std::chrono::steady_clock::now() + longest_wait;
  while (fcntl(turn.lock.number(), F_OFD_SETLK, &wanted) != 0 && errno == EAGAIN &&
         std::chrono::steady_clock::now() < last) {
    turn.has_waited = true;
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
  }
  return turn;
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
