// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What a lane has read last: for each read of a checked kernel a few instructions and no cache line of its own.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>

namespace simt::check {

class latest_reads {
 public:
  struct read {
    std::uintptr_t address;
    std::size_t size;  ///< 65,535: so many bytes, or more
  };

  void clear() { count_ = 0; }

  [[gnu::always_inline]] void add(std::uintptr_t address, std::size_t size) {
    packed_[count_++ % max_reads] = address << size_bits | std::min(size, max_size);
  }

  /// How many there were.
  std::uint64_t count() const { return count_; }
  /// The first number that is still known; the last one is count() - 1.
  std::uint64_t first_known() const { return count_ - std::min<std::uint64_t>(count_, max_reads); }
  read at(std::uint64_t number) const {
    const std::uint64_t packed = packed_[number % max_reads];
    return {packed >> size_bits, packed & max_size};
  }

 private:
  static constexpr unsigned max_reads = 8;
  // Addresses have 48 bits.
  static constexpr unsigned size_bits = 16;
  static constexpr std::size_t max_size = (std::size_t{1} << size_bits) - 1;

  std::uint64_t count_ = 0;
  std::uint64_t packed_[max_reads];
};

}  // namespace simt::check
