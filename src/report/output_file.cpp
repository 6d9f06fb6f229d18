// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "report/output_file.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <optional>
#include <random>
#include <utility>

#include "error.hpp"
#include "report/output_stream.hpp"
#include "system/temporary_path.hpp"
#include "text/printable.hpp"

namespace warpz {
namespace {

std::string without_links(const std::string& path) {
  const std::unique_ptr<char, decltype(&std::free)> resolved(realpath(path.c_str(), nullptr), std::free);
  return resolved != nullptr ? resolved.get() : path;
}

/// A name such as /dev/stdout stands for an open file and its position, whatever file that is.
bool is_descriptor_name(std::string_view path) { return path.starts_with("/dev/") || path.starts_with("/proc/"); }

/// A link to a file that does not exist: replacing the link would not create that file. Other links are followed.
bool is_link_to_nothing(const std::string& path) {
  struct stat found {};
  return lstat(path.c_str(), &found) == 0 && S_ISLNK(found.st_mode);
}

/// Closes a descriptor that was opened, whatever happens.
class open_file {
 public:
  explicit open_file(int descriptor) : descriptor_(descriptor) {}
  ~open_file() { static_cast<void>(close()); }
  open_file(const open_file&) = delete;
  open_file& operator=(const open_file&) = delete;
  int descriptor() const { return descriptor_; }
  int close() { return descriptor_ < 0 ? 0 : ::close(std::exchange(descriptor_, -1)); }

 private:
  int descriptor_;
};

}  // namespace

output_file::output_file(std::string option, std::string path)
    : option_(std::move(option)),
      given_path_(std::move(path)),
      path_(without_links(given_path_)),
      new_path_(fmt::format("{}.{:08x}.tmp", path_, std::random_device{}())) {}

void output_file::check() {
  struct stat found {};
  const bool exists = stat(path_.c_str(), &found) == 0;
  if (!exists && (errno != ENOENT || path_.empty())) fail(errno);
  if (!exists && is_link_to_nothing(path_)) fail(ENOENT);
  if (exists && S_ISDIR(found.st_mode)) fail(EISDIR);
  if (exists && access(path_.c_str(), W_OK) != 0) fail(errno);
  if (!may_be_replaced()) return;
  os::temporary_path probe(new_path_);
  if (open_file(open_new()).descriptor() >= 0) return;
  const int reason = errno;
  probe.release();
  if (!exists) fail(reason);
  folder_takes_none_ = true;
}

void output_file::replace(std::string_view content) {
  const bool in_place = folder_takes_none_ || !may_be_replaced();
  const int position = is_descriptor_name(given_path_) ? O_APPEND : O_TRUNC;
  std::optional<os::temporary_path> unfinished;
  if (!in_place) unfinished.emplace(new_path_);
  open_file file(in_place ? open(given_path_.c_str(), O_WRONLY | O_CLOEXEC | position) : open_new());
  if (file.descriptor() < 0) fail(errno);
  output_stream stream(file.descriptor(), fmt::format("{} {}", option_, printable(given_path_)));
  stream.write(content);
  stream.flush();
  struct stat old {};
  if (!in_place && stat(path_.c_str(), &old) == 0 && fchmod(file.descriptor(), old.st_mode & 07777) != 0) fail(errno);
  if (file.close() != 0) fail(errno);
  if (in_place) return;
  if (rename(new_path_.c_str(), path_.c_str()) != 0) fail(errno);
  unfinished->release();
}

bool output_file::may_be_replaced() const {
  struct stat found {};
  if (is_descriptor_name(given_path_) || is_descriptor_name(path_) || is_link_to_nothing(path_)) return false;
  return stat(path_.c_str(), &found) != 0 || S_ISREG(found.st_mode);
}

int output_file::open_new() { return open(new_path_.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666); }

void output_file::fail(int reason) const {
  throw error(exit_code::bad_input,
              fmt::format("{} {} cannot be written: {}", option_, printable(given_path_), std::strerror(reason)),
              "Name a file in a folder that exists and that you may write to.");
}

}  // namespace warpz
