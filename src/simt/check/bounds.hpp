// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Accesses outside of the memory that they are meant for: beside a buffer, at a null pointer, between variables.
#pragma once

#include "simt/check/checked_access.hpp"

namespace simt::check {

/// Whether the address cannot be read.
bool is_unreadable(std::uintptr_t address);

class bounds : public access_check {
 public:
  /// Whether the address is known to be accessible. In the table, page 0, which never is, stands for none.
  bool is_accessible(std::uintptr_t address) {
    const std::uintptr_t page = address >> page_bits;
    return known_page(address) == page && page != 0;
  }

  void access_outside(checked_block& block, checked_access event);

  [[gnu::always_inline]] bool access_region(checked_block& block, checked_access& event) {
    if (event.memory->holds(event.address, event.size)) return true;
    report_near(block, event);
    return false;
  }

 private:
  std::uintptr_t& known_page(std::uintptr_t address) {
    // A hash, as the lanes' stacks are many and all equally far apart.
    constexpr std::uint64_t golden_ratio = 0x9E3779B97F4A7C15;
    return accessible_pages_[(address >> page_bits) * golden_ratio >> (64 - known_page_bits)];
  }

  static void report_near(checked_block& block, checked_access event);

  static constexpr unsigned known_page_bits = 12;
  std::uintptr_t accessible_pages_[1 << known_page_bits] = {};
};

/// Accesses to the bytes between a module's variables, which are within a region, and to the host program's variables.
struct variable_bounds : access_check {
  [[gnu::always_inline]] bool access_region(checked_block& block, checked_access& event) {
    return !event.misses_variable || report_miss(block, event);
  }

 private:
  /// Whether it is none after all.
  static bool report_miss(checked_block& block, checked_access event);
};

}  // namespace simt::check
