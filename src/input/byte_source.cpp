// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "input/byte_source.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <system_error>

#include "error.hpp"
#include "text/printable.hpp"

namespace warpz {
namespace {

[[noreturn]] void cannot_read(const std::string& name, int problem) {
  throw error(exit_code::bad_input, fmt::format("cannot read {}: {}", name, std::generic_category().message(problem)));
}

}  // namespace

byte_source::byte_source(const std::string& file)
    : fd_(STDIN_FILENO), name_(file == "-" ? "standard input" : fmt::format("'{}'", printable(file))) {
  if (file != "-") fd_ = ::open(file.c_str(), O_RDONLY | O_CLOEXEC | O_NOCTTY);
  if (fd_ < 0) cannot_read(name_, errno);
  struct stat about {};
  if (::fstat(fd_, &about) != 0) {
    const int problem = errno;
    if (fd_ != STDIN_FILENO) ::close(fd_);
    cannot_read(name_, problem);
  }
  // Another process may have read a part of standard input already.
  const off_t place = S_ISREG(about.st_mode) ? ::lseek(fd_, 0, SEEK_CUR) : -1;
  if (place >= 0) file_bytes_ = static_cast<std::uint64_t>(about.st_size > place ? about.st_size - place : 0);
  buffer_.resize(capacity);
}

byte_source::~byte_source() {
  if (fd_ != STDIN_FILENO) ::close(fd_);
}

std::string_view byte_source::look(std::size_t wanted) {
  if (filled_ - taken_ < wanted && !ended_) {
    std::memmove(buffer_.data(), buffer_.data() + taken_, filled_ - taken_);
    dropped_ += taken_;
    filled_ -= taken_;
    taken_ = 0;
    while (filled_ < wanted && !ended_) {
      const ssize_t count = ::read(fd_, buffer_.data() + filled_, buffer_.size() - filled_);
      if (count < 0 && errno == EINTR) continue;
      if (count < 0) cannot_read(name_, errno);
      filled_ += static_cast<std::size_t>(count);
      ended_ = count == 0;
    }
  }
  return {buffer_.data() + taken_, filled_ - taken_};
}

std::optional<std::uint64_t> byte_source::bytes_left() const {
  if (!file_bytes_) return {};
  const std::uint64_t taken = dropped_ + taken_;
  return *file_bytes_ > taken ? *file_bytes_ - taken : 0;
}

}  // namespace warpz
