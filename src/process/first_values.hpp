// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The variables of a loaded module, as they were before its first kernel ran.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace warpz {

class first_values {
 public:
  /// Keeps the values of all variables of the module that contains this address. False, with nothing kept, where they
  /// take more than max_bytes.
  bool keep(const void* in_module);

  /// Gives all variables the values that were kept. No other thread may use them.
  void restore() const;

 private:
  /// Copying more would take longer than loading the module again.
  static constexpr std::size_t max_bytes = std::size_t{4} << 20;

  struct part {
    std::span<std::byte> variables;  ///< at most a page
    std::vector<std::byte> values;   ///< empty: zeros
  };

  std::vector<part> parts_;
};

}  // namespace warpz
