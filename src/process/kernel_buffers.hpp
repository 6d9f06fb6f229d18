// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The buffers of a kernel, in a file in memory that this process shares with the one that runs the kernel.
#pragma once

#include <unistd.h>

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "system/descriptor.hpp"

namespace warpz {

/// A buffer's pages in the file. The buffer lies at their end, aligned for the widest vector type, so that an access
/// past its end leaves the pages.
struct buffer_pages {
  std::uint64_t offset;
  std::uint64_t bytes;  ///< the buffer's size

  static constexpr std::uint64_t alignment = 16;

  /// Bytes of the pages.
  std::uint64_t room() const {
    const auto page = static_cast<std::uint64_t>(sysconf(_SC_PAGESIZE));
    return (bytes + page - 1) / page * page;
  }
  /// Bytes of the pages before the buffer.
  std::uint64_t lead() const { return room() - (bytes + alignment - 1) / alignment * alignment; }

  bool operator==(const buffer_pages&) const = default;
};

class kernel_buffers {
 public:
  kernel_buffers() = default;  ///< no buffers
  /// Zeroed buffers of these sizes, in bytes. Throws error(no_device) if memory is short.
  explicit kernel_buffers(std::span<const std::uint64_t> sizes);
  ~kernel_buffers();
  kernel_buffers(const kernel_buffers&) = delete;
  kernel_buffers& operator=(const kernel_buffers&) = delete;

  std::span<std::byte> operator[](std::size_t index) const;

  /// The file's size is sealed: if a kernel could shrink it, accesses to the buffers would end this process.
  const os::descriptor& file() const { return file_; }
  const std::vector<buffer_pages>& layout() const { return layout_; }
  /// Bytes of the file.
  std::uint64_t bytes() const { return bytes_; }

 private:
  os::descriptor file_;
  std::vector<buffer_pages> layout_;
  std::byte* data_ = nullptr;
  std::uint64_t bytes_ = 0;
};

}  // namespace warpz
