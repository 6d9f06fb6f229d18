// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "simt/check/bounds.hpp"

#include <sys/auxv.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>

#include "simt/check/host_heap.hpp"
#include "simt/check/module_memory.hpp"
#include "simt/check/reports.hpp"
#include "simt/machine/observer.hpp"
#include "simt/machine/trial.hpp"

namespace simt::check {
namespace {

bool is_far(const region& memory, std::uintptr_t address) {
  constexpr std::uintptr_t far = std::uintptr_t{1} << 31;
  return (address < memory.begin ? memory.begin - address : address - memory.begin) >= far;
}

/// Whether a function of the host program that launches the kernel has the address among its local variables. The
/// program's name is at the end of the stack.
bool is_of_host_stack(const launch_request& request, std::uintptr_t address) {
  if (request.number == 0 || host_memory_is_shared) return false;
  return address > request.caller_stack && address < getauxval(AT_EXECFN);
}

/// Lets an access to memory beside a region happen. False where that is impossible.
bool make_accessible(const region& memory, std::uintptr_t address, std::size_t size, bool writes) {
  if (memory.of_block || memory.kind == WARPZ_MEMORY_VARIABLE) return true;
  const auto page = static_cast<std::uintptr_t>(sysconf(_SC_PAGESIZE));
  const std::uintptr_t mapped_begin = memory.begin / page * page;
  const std::uintptr_t mapped_end = (memory.begin + memory.bytes + page - 1) / page * page;
  for (std::uintptr_t at = address / page * page; at < address + size; at += page) {
    if (at >= mapped_begin && at < mapped_end) {
      if (writes && !memory.writable) return false;
    } else if (mprotect(reinterpret_cast<void*>(at), page, PROT_READ | PROT_WRITE) != 0) {
      return false;
    }
  }
  return true;
}

void publish_miss(checked_block& block, checked_access event) {
  leave_trial();
  access_finding found = finding_of(WARPZ_OUT_OF_BOUNDS, event);
  found.can_continue =
      event.memory != nullptr && make_accessible(*event.memory, event.address, event.size, writes(event.kind));
  publish(found, *block.current);
}

void publish_host_access(const checked_block& block, const checked_access& event, const char* rule) {
  access_finding found = finding_of(WARPZ_OUT_OF_BOUNDS, event);
  found.rule = rule;
  publish(found, *block.current);
}

/// Reports the access and ends the kernel if it is one by an unsigned index below 0: `tile[threadIdx.x - 1]` is 2^32
/// elements beyond tile[-1].
void report_wrapped(checked_block& block, checked_access event) {
  constexpr std::size_t max_below = std::size_t{1} << 20;
  const std::uintptr_t meant = event.address - (std::uintptr_t{event.size} << 32);
  region* const memory = block.regions.find(meant);
  if (memory == nullptr || (meant < memory->begin && memory->begin - meant > max_below) ||
      meant >= memory->begin + memory->bytes) {
    return;
  }
  access_finding found = finding_of(WARPZ_OUT_OF_BOUNDS, event);
  found.memory = memory;
  found.address = meant;
  found.can_continue = false;
  found.rule = "a lane accesses memory by an unsigned index that went below 0";
  publish(found, *block.current);
}

}  // namespace

bool is_unreadable(std::uintptr_t address) {
  // The call always fails, as there is no operation of this number, but it reads its argument first.
  constexpr int no_operation = -1;
  constexpr std::size_t mask_bytes = 8;
  return syscall(SYS_rt_sigprocmask, no_operation, address / mask_bytes * mask_bytes, nullptr, mask_bytes) != 0 &&
         errno == EFAULT;
}

void bounds::access_outside(checked_block& block, checked_access event) {
  constexpr std::uintptr_t null_pages = 65536;
  if (event.address < null_pages) publish_miss(block, event);
  if (is_unreadable(event.address)) {
    report_wrapped(block, event);
  } else if (is_of_host_stack(block.current->request(), event.address)) {
    publish_host_access(block, event,
                        "a lane accesses a local variable of the host program, which a device does not reach");
  } else if (is_of_host_heap(block.current->request(), event.address)) {
    publish_host_access(block, event,
                        "a lane accesses memory that the host program has allocated, which a device does not reach");
  } else {
    known_page(event.address) = event.address >> page_bits;
  }
}

void bounds::report_near(checked_block& block, checked_access event) {
  if (is_far(*event.memory, event.address)) report_wrapped(block, event);
  publish_miss(block, event);
}

bool variable_bounds::report_miss(checked_block& block, checked_access event) {
  const bool is_of_host = is_of_host_variable(event.address);
  if (is_of_host && host_memory_is_shared) return true;
  if (is_of_host) {
    publish_host_access(block, event, "a lane accesses a variable of the host program, which a device does not reach");
  } else {
    publish_miss(block, event);
  }
  return false;
}

}  // namespace simt::check
