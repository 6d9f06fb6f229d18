// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "process/kernel_buffers.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/mman.h>

#include <cerrno>
#include <cstring>

#include "error.hpp"

namespace warpz {
namespace {

[[noreturn]] void fail_with_errno() {
  throw error(exit_code::no_device, fmt::format("no memory for the kernel's buffers: {}", std::strerror(errno)));
}

}  // namespace

kernel_buffers::kernel_buffers(std::span<const std::uint64_t> sizes) {
  std::uint64_t bytes = 0;
  for (const std::uint64_t each : sizes) {
    layout_.push_back({bytes, each});
    bytes += layout_.back().room();
  }
  file_ = os::descriptor(memfd_create("warpz-buffers", MFD_CLOEXEC | MFD_ALLOW_SEALING));
  if (!file_ || ftruncate(file_.number(), static_cast<off_t>(bytes)) != 0 ||
      fcntl(file_.number(), F_ADD_SEALS, F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_SEAL) != 0) {
    fail_with_errno();
  }
  void* const mapped = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, file_.number(), 0);
  if (mapped == MAP_FAILED) fail_with_errno();
  data_ = static_cast<std::byte*>(mapped);
  bytes_ = bytes;
}

std::span<std::byte> kernel_buffers::operator[](std::size_t index) const {
  const buffer_pages& pages = layout_[index];
  return {data_ + pages.offset + pages.lead(), pages.bytes};
}

kernel_buffers::~kernel_buffers() {
  if (data_ != nullptr) munmap(data_, bytes_);
}

}  // namespace warpz
