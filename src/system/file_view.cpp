// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "system/file_view.hpp"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>

#include "system/descriptor.hpp"

namespace os {

file_view::file_view(const char* path) {
  const descriptor file(open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC));
  struct stat status {};
  if (!file || fstat(file.number(), &status) != 0 || !S_ISREG(status.st_mode) || status.st_size <= 0) return;
  void* const mapped =
      mmap(nullptr, static_cast<std::size_t>(status.st_size), PROT_READ, MAP_PRIVATE, file.number(), 0);
  if (mapped == MAP_FAILED) return;
  begin_ = mapped;
  size_ = static_cast<std::size_t>(status.st_size);
}

file_view::~file_view() {
  if (begin_ != nullptr) munmap(begin_, size_);
}

}  // namespace os
