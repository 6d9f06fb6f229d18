// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "simt/counters/warp_access.hpp"

#include <algorithm>

namespace simt::counters {
namespace {

constexpr unsigned banks = 32, word_bytes = 4, line_bytes = 128;
constexpr unsigned sector_bytes = 32, request_bytes = 64;

/// Numbers of words, units or addresses: of 64 lanes, each of which touches at most five words.
class numbers {
 public:
  void add(std::uint64_t number) { list_[count_++] = number; }
  void sort() { std::sort(begin(), end()); }
  void sort_unique() {
    sort();
    count_ = static_cast<unsigned>(std::unique(begin(), end()) - begin());
  }
  std::uint64_t* begin() { return list_; }
  std::uint64_t* end() { return list_ + count_; }
  unsigned count() const { return count_; }

 private:
  unsigned count_ = 0;
  std::uint64_t list_[max_warp_size * 5];
};

bool is_active(const warp_access& access, unsigned lane) { return (access.lanes >> lane & 1) != 0; }

/// Lanes of different phases never conflict: each phase is passes of its own.
unsigned phase_of(const warp_access& access, unsigned lane) {
  if (access.bytes <= 4) return lane / 32;
  if (access.bytes <= 8) return lane / 16;
  if (access.warp_size == 32 || access.writes) return lane / 8;
  // AMD reads 16 bytes of each lane by groups of four neighbors, two of them at a time.
  constexpr unsigned pair_of_group[8] = {0, 1, 2, 3, 1, 0, 3, 2};
  return lane / 32 * 4 + pair_of_group[lane % 32 / 4];
}

unsigned phases_of(const warp_access& access) {
  return access.warp_size / (access.bytes <= 4 ? 32 : access.bytes <= 8 ? 16 : 8);
}

template <class Use>
void for_each_unit(std::uint64_t address, unsigned bytes, unsigned unit_bytes, Use use) {
  for (std::uint64_t unit = address / unit_bytes; unit <= (address + bytes - 1) / unit_bytes; ++unit) use(unit);
}

unsigned units_touched(const warp_access& access, unsigned unit_bytes) {
  numbers units;
  for (unsigned lane = 0; lane < access.warp_size; ++lane) {
    if (!is_active(access, lane)) continue;
    for_each_unit(access.address[lane], access.bytes, unit_bytes, [&](std::uint64_t unit) { units.add(unit); });
  }
  units.sort_unique();
  return units.count();
}

numbers addresses_in_order(const warp_access& access) {
  numbers addresses;
  for (unsigned lane = 0; lane < access.warp_size; ++lane) {
    if (is_active(access, lane)) addresses.add(access.address[lane]);
  }
  addresses.sort();
  return addresses;
}

/// Bytes that several lanes access count once.
unsigned different_bytes(const warp_access& access) {
  numbers addresses = addresses_in_order(access);
  std::uint64_t count = 0, end = 0;
  for (const std::uint64_t address : addresses) {
    const std::uint64_t begin = std::max(address, end);
    end = std::max(end, address + access.bytes);
    count += end - begin;
  }
  return static_cast<unsigned>(count);
}

}  // namespace

cost shared_passes(const warp_access& access) {
  cost result{0, 0};
  for (unsigned phase = 0; phase < phases_of(access); ++phase) {
    // One phase after the other: this runs on a lane's stack.
    numbers words;
    for (unsigned lane = 0; lane < access.warp_size; ++lane) {
      if (!is_active(access, lane) || phase_of(access, lane) != phase) continue;
      for_each_unit(access.address[lane], access.bytes, word_bytes, [&](std::uint64_t word) { words.add(word); });
    }
    // NVIDIA leaves out a phase in which no lane is active, and AMD does not.
    if (words.count() == 0) {
      if (access.warp_size == 64) result = {result.needed + 1, result.fewest + 1, result.ways};
      continue;
    }
    words.sort_unique();
    unsigned in_bank[banks] = {};
    for (const std::uint64_t word : words) ++in_bank[word % banks];
    const unsigned passes = *std::max_element(in_bank, in_bank + banks);
    result.needed += passes;
    result.ways = std::max(result.ways, passes);
    ++result.fewest;
  }
  return result;
}

cost global_transactions(const warp_access& access) {
  const unsigned unit = access.warp_size == 32 ? sector_bytes : request_bytes;
  return {units_touched(access, unit), (different_bytes(access) + unit - 1) / unit};
}

unsigned cache_lines(const warp_access& access) { return units_touched(access, line_bytes); }

unsigned lanes_on_one_address(const warp_access& access) {
  numbers addresses = addresses_in_order(access);
  unsigned most = 0;
  for (std::uint64_t* each = addresses.begin(); each != addresses.end();) {
    std::uint64_t* const next = std::upper_bound(each, addresses.end(), *each);
    most = std::max(most, static_cast<unsigned>(next - each));
    each = next;
  }
  return most;
}

unsigned span(const warp_access& access) {
  return static_cast<unsigned>(64 - __builtin_clzll(access.lanes) - __builtin_ctzll(access.lanes));
}

std::int64_t stride(const warp_access& access) {
  std::int64_t first = 0;
  unsigned pairs = 0, alike = 0;
  for (unsigned lane = 0; lane + 1 < access.warp_size; ++lane) {
    if (!is_active(access, lane) || !is_active(access, lane + 1)) continue;
    const auto step = static_cast<std::int64_t>(access.address[lane + 1] - access.address[lane]);
    if (pairs++ == 0) first = step;
    alike += step == first ? 1 : 0;
  }
  return 4 * alike >= 3 * pairs ? first : 0;
}

}  // namespace simt::counters
