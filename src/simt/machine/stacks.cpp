// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "simt/machine/stacks.hpp"

#include <sys/mman.h>
#include <unistd.h>

#include <atomic>
#include <cstdint>

#include "system/pages.hpp"

#ifdef SIMT_ADDRESS_SANITIZER
#include <sanitizer/asan_interface.h>
#endif

namespace simt {
namespace {

std::size_t page_bytes() {
  static const std::size_t bytes = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
  return bytes;
}

/// Bytes from one stack to the next. Not a power of two: pages that far apart would compete for a few sets of the
/// processor's TLB, and each switch of lanes would miss it.
std::size_t spacing() { return bytes_per_stack + page_bytes(); }

std::atomic<std::size_t> lanes_alive{0};

/// Makes a page inaccessible. Linux 6.13 does that in the page table alone. To change the page's protection takes
/// longer, and all threads wait for each other.
bool guard(void* page) {
  constexpr int guard_install = 102;  // MADV_GUARD_INSTALL, which older headers have not
  return madvise(page, page_bytes(), guard_install) == 0 || mprotect(page, page_bytes(), PROT_NONE) == 0;
}

#if !SIMT_INLINE_SWITCH
first_function first = nullptr;

void start(boost::context::detail::transfer_t left) { first(nullptr, detail::finish_switch(left)); }
#endif

}  // namespace

lane_stacks::~lane_stacks() { reserve(0); }

bool lane_stacks::reserve(std::size_t count) {
  if (memory_ != nullptr) {
#ifdef SIMT_ADDRESS_SANITIZER
    // Lanes never return from their first function, so the marks of their frames would stay for the memory's next
    // owner.
    __asan_unpoison_memory_region(memory_, count_ * spacing());
#endif
    munmap(memory_, count_ * spacing());
    lanes_alive -= count_;
    memory_ = nullptr;
    count_ = touched_ = 0;
  }
  if (count == 0) return true;
  if (lanes_alive.fetch_add(count) + count > max_lanes_alive) {
    lanes_alive -= count;
    return false;
  }
  void* const memory = mmap(nullptr, count * spacing(), PROT_READ | PROT_WRITE,
                            MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_STACK, -1, 0);
  if (memory == MAP_FAILED) {
    lanes_alive -= count;
    return false;
  }
  memory_ = static_cast<char*>(memory);
  count_ = count;
  for (std::size_t i = 0; i < count; ++i) {
    if (!guard(memory_ + i * spacing())) return reserve(0) && false;
  }
  return true;
}

void lane_stacks::prepare(std::size_t index, lane& target, first_function entry) {
  // Stacks that all start at the same offset of a page would compete for a few sets of the first-level cache; shifting
  // each by a cache line makes a lane about a third faster.
  const std::size_t shift = (index % 64) * 64;
  char* const low = memory_ + index * spacing();
  char* const top = low + spacing() - shift;
  target.stack_low = low + page_bytes();
  target.stack_bytes = static_cast<std::size_t>(top - low) - page_bytes();
#ifdef SIMT_ADDRESS_SANITIZER
  // The frames of the launch before are still marked, as lanes never return from their first function.
  __asan_unpoison_memory_region(target.stack_low, target.stack_bytes);
#endif
  if (index >= touched_) {
    // What nearly all lanes need: two page faults for each lane can take longer than a launch.
    constexpr std::size_t usual_bytes = 2560;
    char* const begin = low + static_cast<std::size_t>(top - usual_bytes - low) / page_bytes() * page_bytes();
    os::find_pages(begin, static_cast<std::size_t>(low + spacing() - begin));
    touched_ = index + 1;
  }
#if SIMT_INLINE_SWITCH
  // The first function finds the stack as after a call: the stack pointer is 8 past a multiple of 16, and a null return
  // address ends a stack walk.
  void** position = reinterpret_cast<void**>(top) - 1;
  *position = nullptr;
  target.suspended = {position, nullptr, nullptr, reinterpret_cast<void*>(entry)};
#else
  first = entry;
  target.suspended.stack = boost::context::detail::make_fcontext(top, target.stack_bytes, start);
#endif
}

bool lane_stacks::is_guard(const void* address) const {
  const char* const at = static_cast<const char*>(address);
  if (at < memory_ || at >= memory_ + count_ * spacing()) return false;
  return static_cast<std::size_t>(at - memory_) % spacing() < page_bytes();
}

}  // namespace simt
