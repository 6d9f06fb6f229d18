// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compile/temp_dir.hpp"

#include <fmt/format.h>
#include <stdlib.h>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <utility>

#include "error.hpp"
#include "text/printable.hpp"

namespace warpz {
namespace {

namespace fs = std::filesystem;

error no_room(const std::string& where, int reason) {
  return {exit_code::no_device,
          fmt::format("--kernel can't write its temporary files, {}: {}", printable(where), std::strerror(reason)),
          "TMPDIR names another folder for them."};
}

}  // namespace

temp_dir::temp_dir() {
  std::error_code failed;
  const fs::path where = fs::temp_directory_path(failed);
  path_ = (failed ? fs::path("/tmp") : where) / "warpz-kernel-XXXXXX";
  if (mkdtemp(path_.data()) == nullptr) {
    const int reason = errno;
    throw no_room(std::exchange(path_, {}), reason);
  }
}

temp_dir::~temp_dir() {
  std::error_code failed;
  fs::remove_all(path_, failed);
}

std::string temp_dir::file(std::string_view name) const { return fmt::format("{}/{}", path_, name); }

command temp_dir::command_in(command job) const {
  job.environment.push_back("TMPDIR=" + path_);
  return job;
}

void temp_dir::write(std::string_view name, std::string_view text) const {
  std::ofstream stream(file(name), std::ios::binary);
  stream << text;
  stream.close();
  if (!stream) throw no_room(path_, errno);
}

void temp_dir::check_room() const {
  write("room", std::string(std::size_t{1} << 18, '.'));
  std::error_code failed;
  fs::remove(file("room"), failed);
}

}  // namespace warpz
