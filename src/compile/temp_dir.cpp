// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compile/temp_dir.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <random>

#include "error.hpp"
#include "text/printable.hpp"

namespace warpz {
namespace {

namespace fs = std::filesystem;

error no_room(const std::string& folder, int reason) {
  return {exit_code::no_device,
          fmt::format("temporary files can't be written, {}: {}", printable(folder), std::strerror(reason)),
          "TMPDIR names another folder for them."};
}

constexpr std::string_view name_beginning = "warpz-kernel-";
constexpr std::size_t name_digits = 16;

std::string new_name() {
  std::random_device random;
  return fmt::format("{}{:08x}{:08x}", name_beginning, random(), random());
}

bool is_own_name(std::string_view name) {
  return name.starts_with(name_beginning) && name.size() == name_beginning.size() + name_digits;
}

/// Opens the folder, not what a link leads to.
os::descriptor open_folder(const std::string& path) {
  return os::descriptor(open(path.c_str(), O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC));
}

/// False, with errno, where another process has locked it, or it can't be locked.
bool lock(const os::descriptor& folder) { return flock(folder.number(), LOCK_EX | LOCK_NB) == 0; }

/// Removes the folders that no process has locked.
void remove_abandoned(const fs::path& parent) {
  std::error_code failed;
  for (fs::directory_iterator each(parent, failed), end; !failed && each != end; each.increment(failed)) {
    struct stat found {};
    const std::string path = each->path();
    if (!is_own_name(each->path().filename().string()) || lstat(path.c_str(), &found) != 0) continue;
    if (found.st_uid != geteuid() || !S_ISDIR(found.st_mode)) continue;
    const os::descriptor folder = open_folder(path);
    std::error_code ignored;
    if (folder && lock(folder)) fs::remove_all(path, ignored);
  }
}

}  // namespace

temp_dir::temp_dir() {
  std::error_code failed;
  fs::path folder = fs::temp_directory_path(failed);
  if (failed) folder = "/tmp";
  remove_abandoned(folder);
  constexpr int attempts = 100;
  for (int i = 0; i < attempts; ++i) {
    if (make(folder / new_name())) return;
    if (errno != EEXIST) break;
  }
  throw no_room(folder, errno);
}

/// False, with errno, where it can't be made: EEXIST where another name may do.
bool temp_dir::make(const std::string& path) {
  path_.emplace(path);
  if (mkdir(path.c_str(), 0700) != 0) {
    const int reason = errno;
    path_->release();
    errno = reason;
    return false;
  }
  // Before it is locked, another run may take it for an abandoned one.
  lock_ = open_folder(path);
  const bool is_taken = !lock(lock_) && errno == EWOULDBLOCK;
  const bool is_there = access(path.c_str(), F_OK) == 0;
  errno = EEXIST;
  return !is_taken && is_there;
}

std::string temp_dir::file(std::string_view name) const { return fmt::format("{}/{}", path_->get(), name); }

command temp_dir::command_in(command job) const {
  job.environment.push_back("TMPDIR=" + path_->get());
  return job;
}

bool temp_dir::holds(const std::string& file) const {
  const std::string folder = path_->get() + "/";
  return file.starts_with(folder) &&
         fs::path(file).lexically_normal().native().starts_with(fs::path(folder).lexically_normal().native());
}

void temp_dir::write(std::string_view name, std::string_view text) const {
  std::ofstream stream(file(name), std::ios::binary);
  stream << text;
  stream.close();
  if (!stream) throw no_room(path_->get(), errno);
}

void temp_dir::check_room() const {
  write("room", std::string(std::size_t{1} << 18, '.'));
  std::error_code failed;
  fs::remove(file("room"), failed);
}

}  // namespace warpz
