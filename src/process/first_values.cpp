// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "process/first_values.hpp"

#include <link.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <span>

#include "abi/device_image.h"

namespace warpz {
namespace {

struct question {
  std::uintptr_t address;
  std::uintptr_t page_bytes;
  std::vector<address_range> writable;
};

int visit(dl_phdr_info* info, std::size_t, void* data) {
  question& asked = *static_cast<question*>(data);
  bool is_it = false;
  std::vector<address_range> writable;
  address_range fixed;
  for (int i = 0; i < info->dlpi_phnum; ++i) {
    const ElfW(Phdr)& each = info->dlpi_phdr[i];
    const std::uintptr_t begin = info->dlpi_addr + each.p_vaddr;
    const address_range range{begin, begin + each.p_memsz};
    if (each.p_type == PT_LOAD && range.holds(asked.address)) is_it = true;
    if (each.p_type == PT_LOAD && (each.p_flags & PF_W) != 0) writable.push_back(range);
    if (each.p_type == PT_GNU_RELRO) fixed = range;
  }
  if (!is_it) return 0;
  // The dynamic linker has made whole pages of what needs no later change read-only.
  fixed.end = fixed.end / asked.page_bytes * asked.page_bytes;
  for (address_range& each : writable) {
    if (each.holds(fixed.begin)) each.begin = std::clamp(fixed.end, each.begin, each.end);
  }
  asked.writable = std::move(writable);
  return 1;
}

bool are_zeros(std::span<const std::byte> bytes) {
  return bytes.empty() || (bytes[0] == std::byte{} && std::memcmp(&bytes[0], &bytes[1], bytes.size() - 1) == 0);
}

}  // namespace

bool first_values::keep(const void* in_module) {
  question asked{reinterpret_cast<std::uintptr_t>(in_module), static_cast<std::uintptr_t>(sysconf(_SC_PAGESIZE)), {}};
  if (dl_iterate_phdr(visit, &asked) == 0) return false;
  return keep_ranges(asked.writable);
}

bool first_values::keep_own() {
  std::vector<address_range> variables;
  for (const warpz_device_image* const* each = __start_warpz_images; each != __stop_warpz_images; ++each) {
    for (const warpz_device_variable& one : std::span((*each)->variables, (*each)->variable_count)) {
      const auto begin = reinterpret_cast<std::uintptr_t>(one.address);
      variables.push_back({begin, begin + one.bytes});
    }
  }
  return keep_ranges(variables);
}

bool first_values::keep_ranges(const std::vector<address_range>& ranges) {
  const auto page_bytes = static_cast<std::uintptr_t>(sysconf(_SC_PAGESIZE));
  std::size_t bytes = 0;
  for (const address_range& each : ranges) bytes += each.end - each.begin;
  if (bytes > max_bytes) return false;
  for (const address_range& each : ranges) {
    // Most of them are zeros that nobody has touched. A page fault for each page of them would take longer than to look
    // at it.
    constexpr int populate_read = 22;  // MADV_POPULATE_READ, which older headers have not
    const std::uintptr_t first_page = each.begin / page_bytes * page_bytes;
    static_cast<void>(madvise(reinterpret_cast<void*>(first_page), each.end - first_page, populate_read));
    for (std::uintptr_t begin = each.begin; begin < each.end;) {
      const std::uintptr_t end = std::min((begin / page_bytes + 1) * page_bytes, each.end);
      const std::span<std::byte> variables(reinterpret_cast<std::byte*>(begin), end - begin);
      part& added = parts_.emplace_back(part{variables, {}});
      if (!are_zeros(variables)) added.values.assign(variables.begin(), variables.end());
      begin = end;
    }
  }
  return true;
}

void first_values::restore() const {
  // Only what has changed is written: the first write to a page makes a copy of it.
  for (const part& each : parts_) {
    if (!each.values.empty()) {
      if (std::memcmp(each.variables.data(), each.values.data(), each.values.size()) != 0)
        std::memcpy(each.variables.data(), each.values.data(), each.values.size());
    } else if (!are_zeros(each.variables)) {
      std::memset(each.variables.data(), 0, each.variables.size());
    }
  }
}

}  // namespace warpz
