// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "system/file_content.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstddef>

namespace os {

std::optional<std::string> content_of(const std::string& path) {
  const int descriptor = open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (descriptor < 0) return {};
  struct stat found {};
  std::string bytes;
  // One byte more than it should have shows its end without another read.
  bytes.resize(fstat(descriptor, &found) == 0 && found.st_size > 0 ? static_cast<std::size_t>(found.st_size) + 1
                                                                   : 4096);
  std::size_t filled = 0;
  for (;;) {
    const ssize_t count = read(descriptor, bytes.data() + filled, bytes.size() - filled);
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) {
      close(descriptor);
      if (count < 0) return {};
      bytes.resize(filled);
      return bytes;
    }
    filled += static_cast<std::size_t>(count);
    if (filled == bytes.size()) bytes.resize(2 * bytes.size());
  }
}

}  // namespace os
