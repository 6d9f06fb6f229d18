// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compile/kernel_cache.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <functional>

#include "system/file_content.hpp"

namespace warpz {
namespace {

namespace fs = std::filesystem;

/// Changes with the way in which entries are written.
constexpr std::string_view format = "warpz kernel 3";
constexpr std::string_view suffix = ".kernel";
// Another process is at work on it, if it is no older.
constexpr auto max_write = std::chrono::minutes(10);

/// Texts one after the other, each behind its length.
class writer {
 public:
  void add(std::string_view text) { bytes_ += fmt::format("{}\n{}\n", text.size(), text); }
  void add(std::size_t count) { add(std::to_string(count)); }
  const std::string& bytes() const { return bytes_; }

 private:
  std::string bytes_;
};

class reader {
 public:
  explicit reader(std::string_view bytes) : rest_(bytes) {}
  bool good() const { return good_; }

  std::string_view text() {
    std::size_t length = 0;
    const auto [end, problem] = std::from_chars(rest_.data(), rest_.data() + rest_.size(), length);
    const auto digits = static_cast<std::size_t>(end - rest_.data());
    if (problem != std::errc{} || rest_.size() - digits < 2 || length > rest_.size() - digits - 2 ||
        rest_[digits] != '\n' || rest_[digits + 1 + length] != '\n') {
      good_ = false;
      rest_ = {};
      return {};
    }
    const std::string_view found = rest_.substr(digits + 1, length);
    rest_.remove_prefix(digits + length + 2);
    return found;
  }

  std::size_t count() {
    const std::string_view digits = text();
    std::size_t value = 0;
    const auto [end, problem] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
    if (problem != std::errc{} || end != digits.data() + digits.size()) good_ = false;
    return good_ ? value : 0;
  }

 private:
  std::string_view rest_;
  bool good_ = true;
};

std::string written(std::string_view key, const compiled_kernels& made) {
  writer to;
  to.add(format);
  to.add(key);
  to.add(made.runs_as.size());
  for (const std::string& each : made.runs_as) to.add(each);
  to.add(made.used.size());
  for (const used_file& each : made.used) {
    to.add(each.path);
    to.add(each.content);
  }
  to.add(made.messages);
  to.add(made.module);
  writer whole;
  whole.add(fingerprint(to.bytes()));
  whole.add(to.bytes());
  return whole.bytes();
}

std::optional<compiled_kernels> read_entry(std::string_view bytes, std::string_view key) {
  reader whole(bytes);
  const std::string_view mark = whole.text();
  const std::string_view entry = whole.text();
  if (!whole.good() || fingerprint(entry) != mark) return {};
  reader from(entry);
  if (from.text() != format || from.text() != key) return {};
  compiled_kernels found;
  for (std::size_t left = from.count(); left > 0 && from.good(); --left) found.runs_as.emplace_back(from.text());
  for (std::size_t left = from.count(); left > 0 && from.good(); --left) {
    found.used.emplace_back();
    found.used.back().path = from.text();
    found.used.back().content = from.text();
  }
  found.messages = from.text();
  found.module = from.text();
  if (!from.good()) return {};
  return found;
}

/// Writes all of it; false where the disk is full, or anything else is the matter.
bool write_file(int descriptor, std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t count = write(descriptor, bytes.data(), bytes.size());
    if (count <= 0) return false;
    bytes.remove_prefix(static_cast<std::size_t>(count));
  }
  return true;
}

}  // namespace

std::string fingerprint(std::string_view bytes) {
  return fmt::format("{:x}-{:016x}", bytes.size(), std::hash<std::string_view>{}(bytes));
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

std::optional<compiled_kernels> kernel_cache::find(std::string_view key) const {
  if (!is_private()) return {};
  const std::string file = file_of(key);
  const std::optional<std::string> bytes = os::content_of(file);
  if (!bytes) return {};
  std::optional<compiled_kernels> found = read_entry(*bytes, key);
  const auto changed = [](const used_file& each) { return fingerprint_of_file(each.path) != each.content; };
  if (!found || std::any_of(found->used.begin(), found->used.end(), changed)) return {};
  // Used now: the last to be removed.
  utimensat(AT_FDCWD, file.c_str(), nullptr, 0);
  return found;
}

void kernel_cache::keep(std::string_view key, const compiled_kernels& made) const {
  if (folder_.empty()) return;
  std::error_code failed;
  fs::create_directories(fs::path(folder_).parent_path(), failed);
  mkdir(folder_.c_str(), 0700);
  if (!is_private()) return;
  const std::string file = file_of(key);
  std::string unfinished = file + ".XXXXXX";
  const int descriptor = mkostemp(unfinished.data(), O_CLOEXEC);
  if (descriptor < 0) return;
  const bool complete = write_file(descriptor, written(key, made));
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
  // A relative one is to be ignored, says the XDG specification.
  if (cache != nullptr && cache[0] == '/') return std::string(cache) + "/warpz/kernels";
  const char* const home = std::getenv("HOME");
  return home != nullptr && home[0] == '/' ? std::string(home) + "/.cache/warpz/kernels" : "";
}

}  // namespace warpz
