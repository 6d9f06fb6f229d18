// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The kernel's buffers as the process has them that runs it: mapped from the file that its parent sends.
#pragma once

#include <cstdint>
#include <deque>
#include <vector>

#include "process/kernel_buffers.hpp"
#include "process/kernel_protocol.hpp"
#include "system/descriptor.hpp"

namespace warpz {

/// A buffer mapped between inaccessible pages, so that an access past either end faults, as does a write to a buffer
/// that is not writable.
class mapped_buffer {
 public:
  /// `guard`: bytes of the inaccessible range on either side.
  mapped_buffer(const buffer_pages& pages, bool is_writable, int file, std::uint64_t guard);
  ~mapped_buffer();
  mapped_buffer(const mapped_buffer&) = delete;
  mapped_buffer& operator=(const mapped_buffer&) = delete;

  /// Null, with errno, where there is no memory.
  void* data() const;

 private:
  std::uint64_t reserved_bytes() const { return pages_.room() + 2 * guard_; }

  const buffer_pages pages_;
  const std::uint64_t guard_;
  void* reserved_;
  void* mapped_;
};

/// The buffers of a request, in their order. Those of the last one stay where they are, if they are the same: a kernel
/// that is run again would spend much of its time with their page faults.
class mapped_buffers {
 public:
  /// From now on buffers are parts of this file.
  void use(os::descriptor file);
  /// False, with shared.result.error, where there is no memory.
  bool map(kernel_protocol& shared);
  /// After the run. Large ones are not kept: both would be there when the next request has others.
  void finish();

  void* data(std::uint64_t number) const { return buffers_[number].data(); }
  std::uint64_t guard() const { return mapped_.guard; }

 private:
  struct requested_buffer {
    buffer_pages pages;
    bool is_writable;

    bool operator==(const requested_buffer&) const = default;
  };

  struct buffer_request {
    std::uint64_t guard = 0;
    std::vector<requested_buffer> buffers;

    bool operator==(const buffer_request&) const = default;
  };

  void clear();

  os::descriptor file_;
  buffer_request mapped_;
  std::deque<mapped_buffer> buffers_;
};

}  // namespace warpz
