// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The variables of a module, as they were before its first kernel ran.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace warpz {

struct address_range {
  std::uintptr_t begin = 0;
  std::uintptr_t end = 0;

  bool holds(std::uintptr_t address) const { return address >= begin && address < end; }
};

class first_values {
 public:
  /// Keeps the values of all variables of the module that contains this address. False, with nothing kept, where they
  /// take more than max_bytes.
  bool keep(const void* in_module);

  /// Likewise of the device variables of this program's own kernels.
  bool keep_own();

  /// Gives all variables the values that were kept. No other thread may use them.
  void restore() const;

 private:
  /// Copying more would take longer than loading the module again.
  static constexpr std::size_t max_bytes = std::size_t{4} << 20;

  struct part {
    std::span<std::byte> variables;  ///< at most a page
    std::vector<std::byte> values;   ///< empty: zeros
  };

  bool keep_ranges(const std::vector<address_range>& ranges);

  std::vector<part> parts_;
};

}  // namespace warpz
