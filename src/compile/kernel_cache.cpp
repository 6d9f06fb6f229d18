// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compile/kernel_cache.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <functional>
#include <nlohmann/json.hpp>

#include "system/file_content.hpp"

namespace warpz {
namespace {

namespace fs = std::filesystem;

/// Changes whenever the layout of records does.
constexpr std::string_view format = "warpz kernel 4";
constexpr std::string_view suffix = ".kernel";
/// A younger unfinished file may belong to a process that is still writing.
constexpr auto max_write = std::chrono::minutes(10);

/// Before the metadata, as CBOR, and the module's bytes, which stay outside of it: a library reads them one by one.
struct record_head {
  std::uint64_t hash;  ///< of all that follows
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

}  // namespace

// Strings may hold any bytes: nlohmann::json checks for UTF-8 only where it reads or writes JSON.
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(input_file, path, fingerprint)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(compiled_code, kernels, messages, inputs)

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

std::string kernel_cache::file_of(std::string_view key) const {
  return fmt::format("{}/{}{}", folder_, fingerprint(key), suffix);
}

bool kernel_cache::is_private() const {
  struct stat found {};
  return !folder_.empty() && stat(folder_.c_str(), &found) == 0 && S_ISDIR(found.st_mode) &&
         found.st_uid == geteuid() && (found.st_mode & (S_IWGRP | S_IWOTH)) == 0;
}

std::optional<compiled_code> kernel_cache::find(std::string_view key) const {
  if (!is_private()) return {};
  const std::string file = file_of(key);
  const std::optional<std::string> bytes = os::content_of(file);
  if (!bytes) return {};
  std::optional<compiled_code> found = read_cache_record(*bytes, key);
  const auto changed = [](const input_file& each) { return fingerprint_of_file(each.path) != each.fingerprint; };
  if (!found || std::any_of(found->inputs.begin(), found->inputs.end(), changed)) return {};
  // Now it is the most recently used one, and the last to be removed.
  utimensat(AT_FDCWD, file.c_str(), nullptr, 0);
  return found;
}

void kernel_cache::keep(std::string_view key, const compiled_code& code) const {
  if (folder_.empty()) return;
  std::error_code failed;
  fs::create_directories(fs::path(folder_).parent_path(), failed);
  mkdir(folder_.c_str(), 0700);
  if (!is_private()) return;
  const std::string file = file_of(key);
  std::string unfinished = file + ".XXXXXX";
  const int descriptor = mkostemp(unfinished.data(), O_CLOEXEC);
  if (descriptor < 0) return;
  const bool complete = write_file(descriptor, cache_record(key, code));
  if (close(descriptor) != 0 || !complete || rename(unfinished.c_str(), file.c_str()) != 0) unlink(unfinished.c_str());
  remove_oldest();
}

void kernel_cache::remove_oldest() const {
  struct entry {
    fs::path file;
    fs::file_time_type used;
    std::uint64_t bytes;
  };
  std::vector<entry> entries;
  std::uint64_t total = 0;
  std::error_code failed;
  for (fs::directory_iterator each(folder_, failed), end; !failed && each != end; each.increment(failed)) {
    std::error_code gone;
    const entry one{each->path(), each->last_write_time(gone), each->file_size(gone)};
    if (gone) continue;
    if (one.file.extension() != suffix) {
      if (one.used + max_write < fs::file_time_type::clock::now()) fs::remove(one.file, gone);
      continue;
    }
    entries.push_back(one);
    total += one.bytes;
  }
  std::sort(entries.begin(), entries.end(), [](const entry& a, const entry& b) { return a.used < b.used; });
  for (const entry& one : entries) {
    if (total <= limit_) break;
    std::error_code gone;
    fs::remove(one.file, gone);
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
