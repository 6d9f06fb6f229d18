// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Which bytes of the memory that all blocks share the blocks of a trial have read and written, page by page: of each
// block while it runs, and of all together. A block's are added when it ends. So two blocks have met in memory if one
// of them adds a byte that is there already, and one of the two has written it.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>

#include "simt/check/access_kind.hpp"

namespace simt::check {

inline constexpr unsigned page_bits = 12;
inline constexpr std::size_t page_bytes = std::size_t{1} << page_bits;

/// A bit for each byte of a page.
class page_bytes_set {
 public:
  static constexpr unsigned words = page_bytes / 64;

  void clear() { std::memset(bits_, 0, sizeof bits_); }
  /// Adds bytes that the page has.
  void add(std::size_t offset, std::size_t size) {
    while (size > 64) {
      add_few(offset, 64);
      offset += 64;
      size -= 64;
    }
    add_few(offset, size);
  }
  std::uint64_t& operator[](unsigned word) { return bits_[word]; }
  std::uint64_t operator[](unsigned word) const { return bits_[word]; }

  /// Calls function(offset, size) for each row of bytes in the set, in order.
  template <class Function>
  void for_each_row(const Function& function) const;

 private:
  /// From 1 to 64 bytes.
  void add_few(std::size_t offset, std::size_t size) {
    const std::uint64_t row = ~std::uint64_t{0} >> (64 - size);
    bits_[offset / 64] |= row << offset % 64;
    if (offset % 64 + size > 64) bits_[offset / 64 + 1] |= row >> (64 - offset % 64);
  }

  std::uint64_t bits_[words];
};

template <class Function>
void page_bytes_set::for_each_row(const Function& function) const {
  std::size_t begin = 0;
  bool is_in_row = false;
  for (unsigned i = 0; i < words; ++i) {
    // Mostly all or none of a word's bytes are in the set.
    const bool is_uniform = bits_[i] == 0 || bits_[i] == ~std::uint64_t{0};
    for (unsigned k = 0; k < 64; k += is_uniform ? 64 : 1) {
      const bool is_set = (bits_[i] >> k & 1) != 0;
      if (is_set == is_in_row) continue;
      const std::size_t at = std::size_t{i} * 64 + k;
      if (is_in_row) function(begin, at - begin);
      begin = at;
      is_in_row = is_set;
    }
  }
  if (is_in_row) function(begin, page_bytes - begin);
}

/// A page of a region, in a trial.
class shared_page {
 public:
  /// Keeps what these bytes hold, if nobody has done so: one of them is going to be written. `first` is an offset in
  /// the page.
  void keep(const std::byte* page, std::size_t first, std::size_t last);

  /// Adds what a block has read and written. False: it has met another one there.
  bool add(const page_bytes_set& read, const page_bytes_set& written);

  const page_bytes_set& written() const { return written_; }

  /// Puts back what was kept of the bytes that were written.
  void restore(std::byte* page) const;

  void clear();

 private:
  class guard;

  std::atomic<bool> is_locked_{false};
  std::size_t kept_begin_ = 0;
  std::unique_ptr<std::byte[]> kept_;  ///< the page from there on
  page_bytes_set read_{};
  page_bytes_set written_{};
};

}  // namespace simt::check
