// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Accesses at addresses that are not multiples of the alignment of their type.
//
// Numbers have to be aligned to their width, which each access has. Vectors and structs, which optimized code accesses
// in parts or copies as bytes, announce themselves with the alignment of their type (src/instrument/alignment.cpp).
#pragma once

#include <cstdint>

#include "simt/check/reports.hpp"

namespace simt::check {

class alignment : public access_check {
 public:
  [[gnu::always_inline]] bool access_region(checked_block& block, checked_access& event) {
    if ((event.address & (event.alignment - 1)) != 0) report_number(block, event);
    return true;
  }

  /// The running lane is about to access a vector or a struct there.
  void report_composite(checked_block& block, checked_access event);

 private:
  void report_number(checked_block& block, checked_access event);
  bool is_known(checked_access event) const;

  /// The last vector or struct: its members and its neighbors in an array are misaligned because it is.
  std::uintptr_t address_ = 0;
  std::uint32_t thread_ = 0;
};

}  // namespace simt::check
