// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Which bytes of the memory that all blocks share the blocks of a trial have read and written, page by page: of each
// block while it runs, and of all together. A block's are added when it ends. So two blocks have met in memory if one
// of them adds a byte that is there already, and one of the two has written it. What a block writes by atomics is
// added at once: blocks mostly meet by them, and a trial in which they do should not go on.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>

#include "simt/check/access_kind.hpp"

namespace simt::check {

inline constexpr unsigned page_bits = 12;
inline constexpr std::size_t page_bytes = std::size_t{1} << page_bits;

/// A bit for each byte of a page.
class page_bytes_set {
 public:
  static constexpr unsigned words = page_bytes / 64;

  void clear() {
    for (std::uint64_t rest = used_; rest != 0; rest &= rest - 1) bits_[__builtin_ctzll(rest)] = 0;
    used_ = 0;
  }
  /// Adds bytes that the page has.
  [[gnu::always_inline]] void add(std::size_t offset, std::size_t size) {
    if (size > 64) return add_many(offset, size);
    const std::uint64_t row = ~std::uint64_t{0} >> (64 - size);
    add_to(offset / 64, row << offset % 64);
    if (offset % 64 + size > 64) add_to(offset / 64 + 1, row >> (64 - offset % 64));
  }
  /// Adds bytes of 64 by their bits.
  void add_to(std::size_t word, std::uint64_t bits) {
    bits_[word] |= bits;
    used_ |= std::uint64_t{1} << word;
  }
  /// Whether it has any of these bytes.
  [[gnu::always_inline]] bool has_any(std::size_t offset, std::size_t size) const {
    if (size > 64) return has_any_of_many(offset, size);
    const std::uint64_t row = ~std::uint64_t{0} >> (64 - size);
    if ((bits_[offset / 64] & row << offset % 64) != 0) return true;
    return offset % 64 + size > 64 && (bits_[offset / 64 + 1] & row >> (64 - offset % 64)) != 0;
  }
  std::uint64_t operator[](std::size_t word) const { return bits_[word]; }
  /// A bit for each word that may have some.
  std::uint64_t used() const { return used_; }

  /// Calls function(offset, size) for each row of bytes in the set, in order.
  template <class Function>
  void for_each_row(const Function& function) const;

 private:
  void add_many(std::size_t offset, std::size_t size);
  bool has_any_of_many(std::size_t offset, std::size_t size) const;

  std::uint64_t used_;
  std::uint64_t bits_[words];
};
static_assert(page_bytes_set::words == 64);

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

/// A page of a region, in a trial. All zeros: no block has touched it.
class shared_page {
 public:
  /// True for the first one who asks.
  bool is_first() {
    return !is_known_.load(std::memory_order_relaxed) && !is_known_.exchange(true, std::memory_order_relaxed);
  }

  /// Copies these bytes, which are going to be written, to where they are kept, unless somebody has done so.
  void keep(std::byte* kept, const std::byte* bytes, std::size_t size);
  bool is_kept() const { return is_kept_; }

  /// Adds what a block has read and written, other than what it has `changed`. False: it has met another one there.
  bool add(const page_bytes_set& read, const page_bytes_set& written, const page_bytes_set& changed);

  /// Adds what a block writes by an atomic, for the first time. False: it has met another one there.
  bool add_changed(std::size_t offset, std::size_t size);

  const page_bytes_set& written() const { return written_; }

  void clear();

  /// For a thread that was stopped for good.
  void unlock() { is_locked_.store(false, std::memory_order_release); }

 private:
  class guard;

  std::atomic<bool> is_known_;
  std::atomic<bool> is_locked_;
  bool is_kept_;
  page_bytes_set read_;
  page_bytes_set written_;
};

}  // namespace simt::check
