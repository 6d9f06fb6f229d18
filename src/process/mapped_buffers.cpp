// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "process/mapped_buffers.hpp"

#include <sys/mman.h>
#include <unistd.h>

#include <cerrno>
#include <cstddef>
#include <cstdio>
#include <cstring>

namespace warpz {
namespace {

/// One page, or, where each access is checked, so many that a wrong index is unlikely to lead past them.
std::uint64_t guard_bytes(std::uint32_t check) {
  // Not a power of two, so that no other buffer lies 2^32 elements away.
  return check == WARPZ_CHECK_ALL ? std::uint64_t{13} << 29 : static_cast<std::uint64_t>(sysconf(_SC_PAGESIZE));
}

bool is_written(const kernel_argument& argument) {
  return argument.kind == WARPZ_OUTPUT || argument.kind == WARPZ_STATE;
}

}  // namespace

mapped_buffer::mapped_buffer(const buffer_pages& pages, bool is_writable, int file, std::uint64_t guard)
    : pages_(pages), guard_(guard), mapped_(MAP_FAILED) {
  reserved_ = mmap(nullptr, reserved_bytes(), PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (reserved_ == MAP_FAILED) return;
  // All pages at once: one page fault for each would take longer than many kernels.
  mapped_ =
      mmap(static_cast<std::byte*>(reserved_) + guard, pages.room(), is_writable ? PROT_READ | PROT_WRITE : PROT_READ,
           MAP_SHARED | MAP_FIXED | MAP_POPULATE, file, static_cast<off_t>(pages.offset));
}

mapped_buffer::~mapped_buffer() {
  if (reserved_ != MAP_FAILED) munmap(reserved_, reserved_bytes());
}

void* mapped_buffer::data() const {
  return mapped_ == MAP_FAILED ? nullptr : static_cast<std::byte*>(mapped_) + pages_.lead();
}

void mapped_buffers::use(os::descriptor file) {
  clear();
  file_ = std::move(file);
}

bool mapped_buffers::map(kernel_protocol& shared) {
  buffer_request wanted{guard_bytes(shared.launch.settings.check), {}};
  for (std::uint32_t i = 0; i < shared.buffer_count; ++i) wanted.buffers.push_back({shared.buffers[i], false});
  for (std::uint32_t i = 0; i < shared.launch.argument_count; ++i) {
    if (is_written(shared.arguments[i])) wanted.buffers[shared.arguments[i].buffer].is_writable = true;
  }
  if (wanted == mapped_) return true;
  clear();
  for (const requested_buffer& each : wanted.buffers) {
    buffers_.emplace_back(each.pages, each.is_writable, file_.number(), wanted.guard);
    if (buffers_.back().data() != nullptr) continue;
    warpz_error& error = shared.result.error;
    std::snprintf(error.text, sizeof error.text, "%s", strerror(errno));
    std::snprintf(error.call, sizeof error.call, "mmap(%llu bytes)", static_cast<unsigned long long>(each.pages.bytes));
    clear();
    return false;
  }
  mapped_ = std::move(wanted);
  return true;
}

void mapped_buffers::finish() {
  constexpr std::uint64_t max_kept_bytes = std::uint64_t{16} << 20;
  std::uint64_t bytes = 0;
  for (const requested_buffer& each : mapped_.buffers) bytes += each.pages.room();
  if (bytes > max_kept_bytes) clear();
}

void mapped_buffers::clear() {
  buffers_.clear();
  mapped_ = {};
}

}  // namespace warpz
