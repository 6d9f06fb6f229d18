// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "system/pages.hpp"

#include <sys/mman.h>
#include <unistd.h>

#include <cstdint>

namespace os {
namespace {

constexpr std::size_t huge_page = std::size_t{2} << 20;

/// Advice about the whole pages among these bytes. No failure matters.
void advise(void* begin, std::size_t bytes, int advice) {
  static const auto page = static_cast<std::uintptr_t>(sysconf(_SC_PAGESIZE));
  const auto first = reinterpret_cast<std::uintptr_t>(begin);
  const std::uintptr_t low = (first + page - 1) / page * page, high = (first + bytes) / page * page;
  if (low < high) madvise(reinterpret_cast<void*>(low), high - low, advice);
}

}  // namespace

void use_huge_pages(void* begin, std::size_t bytes) {
  if (bytes >= 2 * huge_page) advise(begin, bytes, MADV_HUGEPAGE);
}

void find_pages(void* begin, std::size_t bytes) {
  constexpr int populate_write = 23;  // MADV_POPULATE_WRITE, since Linux 5.14
  advise(begin, bytes, populate_write);
}

}  // namespace os
