// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "system/file_content.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstddef>

namespace os {

std::optional<std::string> content_of(const std::string& path) {
  // Opening a pipe must not wait for a writer.
  return content_of(descriptor(open(path.c_str(), O_RDONLY | O_NONBLOCK | O_CLOEXEC)));
}

std::optional<std::string> content_of(const descriptor& file) {
  struct stat found {};
  if (!file || fstat(file.number(), &found) != 0 || !S_ISREG(found.st_mode)) return {};
  const auto expected = static_cast<std::size_t>(found.st_size);
  if (expected > max_content) return {};
  std::string bytes;
  // One byte more than it should have shows its end without another read.
  bytes.resize(expected > 0 ? expected + 1 : 4096);
  std::size_t filled = 0;
  for (;;) {
    const ssize_t count = read(file.number(), bytes.data() + filled, bytes.size() - filled);
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) return {};
    if (count == 0) {
      bytes.resize(filled);
      return bytes;
    }
    filled += static_cast<std::size_t>(count);
    if (filled > max_content) return {};
    if (filled == bytes.size()) bytes.resize(2 * bytes.size());
  }
}

}  // namespace os
