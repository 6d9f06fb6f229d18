// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Bit and integer intrinsics, each against the plainest loop or the widest type.
#include <cstdint>
#include <random>
#include <vector>

#include <gtest/gtest.h>

#include <hip/hip_runtime.h>

namespace test_hip_integers {

/// Corner cases and arbitrary words.
std::vector<std::uint64_t> words() {
  std::vector<std::uint64_t> all = {0,
                                    1,
                                    2,
                                    3,
                                    0x7f,
                                    0x80,
                                    0xffffffff,
                                    0x7fffffff,
                                    0x80000000,
                                    0x80000001,
                                    0xffffffffffffffff,
                                    0x7fffffffffffffff,
                                    0x8000000000000000,
                                    0x123456789abcdef0,
                                    0xffffff,
                                    0x800000,
                                    0x7fffff,
                                    0xff800000};
  std::mt19937_64 random(7);
  for (int i = 0; i < 60; ++i) all.push_back(random() >> (i % 50));
  return all;
}

bool bit(std::uint64_t v, unsigned place) { return (v >> place & 1) != 0; }

TEST(hip_bits, are_counted_and_found) {
  for (const std::uint64_t v : words()) {
    const auto low = static_cast<unsigned>(v);
    unsigned ones = 0, ones_low = 0;
    int above = 0, above_low = 0, first = 0, first_low = 0;
    for (unsigned i = 0; i < 64; ++i) ones += bit(v, i);
    for (unsigned i = 0; i < 32; ++i) ones_low += bit(v, i);
    while (above < 64 && !bit(v, static_cast<unsigned>(63 - above))) ++above;
    while (above_low < 32 && !bit(v, static_cast<unsigned>(31 - above_low))) ++above_low;
    while (first < 64 && !bit(v, static_cast<unsigned>(first))) ++first;
    while (first_low < 32 && !bit(v, static_cast<unsigned>(first_low))) ++first_low;
    EXPECT_EQ(__popc(low), ones_low) << v;
    EXPECT_EQ(__popcll(v), ones) << v;
    EXPECT_EQ(__clz(static_cast<int>(low)), above_low) << v;
    EXPECT_EQ(__clzll(static_cast<long long>(v)), above) << v;
    EXPECT_EQ(__ffs(low), low == 0 ? 0 : first_low + 1) << v;
    EXPECT_EQ(__ffs(static_cast<int>(low)), low == 0 ? 0 : first_low + 1) << v;
    EXPECT_EQ(__ffsll(v), v == 0 ? 0 : first + 1) << v;
    EXPECT_EQ(__ffsll(static_cast<long long>(v)), v == 0 ? 0 : first + 1) << v;
    EXPECT_EQ(__ffsll(static_cast<unsigned long long>(v)), v == 0 ? 0 : first + 1) << v;
    EXPECT_EQ(__lastbit_u32_u64(v), v == 0 ? ~0u : static_cast<unsigned>(first)) << v;
  }
}

TEST(hip_bits, are_reversed) {
  for (const std::uint64_t v : words()) {
    std::uint64_t wide = 0;
    unsigned low = 0;
    for (unsigned i = 0; i < 64; ++i) wide |= std::uint64_t{bit(v, i)} << (63 - i);
    for (unsigned i = 0; i < 32; ++i) low |= unsigned{bit(v, i)} << (31 - i);
    EXPECT_EQ(__brevll(v), wide) << v;
    EXPECT_EQ(__brev(static_cast<unsigned>(v)), low) << v;
  }
}

TEST(hip_bits, the_nth_one_is_found) {
  for (const std::uint64_t v : words()) {
    for (unsigned base = 0; base < 64; base += 7) {
      EXPECT_EQ(__fns64(v, base, 0), bit(v, base) ? static_cast<int>(base) : -1);
      int ones = 0;
      for (unsigned i = base; i < 64; ++i) {
        if (bit(v, i)) {
          EXPECT_EQ(__fns64(v, base, ++ones), static_cast<int>(i)) << v;
        }
      }
      EXPECT_EQ(__fns64(v, base, ones + 1), -1);
      ones = 0;
      for (unsigned i = base + 1; i-- > 0;) {
        if (bit(v, i)) {
          EXPECT_EQ(__fns64(v, base, -++ones), static_cast<int>(i)) << v;
        }
      }
      EXPECT_EQ(__fns64(v, base, -ones - 1), -1);
    }
  }
  EXPECT_EQ(__fns32(0x80000000u, 0, 1), 31);
  EXPECT_EQ(__fns32(0x80000000u, 31, 1), 31);
  EXPECT_EQ(__fns(0x5u, 0, 2), 2);
  EXPECT_EQ(__fns(0x5u, 32, 1), -1);
  EXPECT_EQ(__fns64(~0ull, 64, 1), -1);
  EXPECT_EQ(__fns64(~0ull, 63, INT32_MIN), -1);
}

TEST(hip_bits, fields_are_taken_out_and_put_in) {
  for (const std::uint64_t v : words()) {
    for (unsigned offset = 0; offset < 64; offset += 5) {
      for (unsigned width = 0; width < 64; width += 3) {
        std::uint64_t out = 0, in = v;
        for (unsigned i = 0; i < width && offset + i < 64; ++i) {
          out |= std::uint64_t{bit(v, offset + i)} << i;
          in = (in & ~(std::uint64_t{1} << (offset + i))) | std::uint64_t{bit(~v, i)} << (offset + i);
        }
        EXPECT_EQ(__bitextract_u64(v, offset, width), out);
        EXPECT_EQ(__bitinsert_u64(v, ~v, offset, width), in);
        const auto low = static_cast<unsigned>(v);
        if (offset >= 32 || width >= 32) continue;
        unsigned out_low = 0, in_low = low;
        for (unsigned i = 0; i < width && offset + i < 32; ++i) {
          out_low |= unsigned{bit(low, offset + i)} << i;
          in_low = (in_low & ~(1u << (offset + i))) | unsigned{bit(~low, i)} << (offset + i);
        }
        EXPECT_EQ(__bitextract_u32(low, offset, width), out_low);
        EXPECT_EQ(__bitinsert_u32(low, ~low, offset, width), in_low);
      }
    }
  }
}

TEST(hip_bits, two_words_are_shifted_through) {
  const unsigned low = 0x89abcdef, high = 0x01234567;
  for (unsigned shift = 0; shift < 70; ++shift) {
    unsigned left = 0, right = 0;
    for (unsigned i = 0; i < 32; ++i) {
      const auto at = [&](unsigned place) { return place < 32 ? bit(low, place) : bit(high, place - 32); };
      left |= unsigned{at(32 + i - shift % 32)} << i;
      right |= unsigned{at(i + shift % 32)} << i;
    }
    EXPECT_EQ(__funnelshift_l(low, high, shift), left) << shift;
    EXPECT_EQ(__funnelshift_r(low, high, shift), right) << shift;
    EXPECT_EQ(__funnelshift_lc(low, high, shift), shift < 32 ? left : low) << shift;
    EXPECT_EQ(__funnelshift_rc(low, high, shift), shift < 32 ? right : high) << shift;
  }
}

TEST(hip_bits, bytes_are_permuted) {
  const unsigned char bytes[] = {0x11, 0x22, 0x33, 0x44, 0x55, 0x66, 0x77, 0x88};
  for (unsigned selector = 0; selector < 0x10000; selector += 37) {
    unsigned expected = 0;
    for (unsigned i = 0; i < 4; ++i) expected |= unsigned{bytes[selector >> 4 * i & 7]} << 8 * i;
    EXPECT_EQ(__byte_perm(0x44332211, 0x88776655, selector), expected) << selector;
  }
}

TEST(hip_integers, have_high_halves_of_products) {
  for (const std::uint64_t a : words()) {
    for (const std::uint64_t b : words()) {
      const auto ia = static_cast<int>(a), ib = static_cast<int>(b);
      EXPECT_EQ(__mulhi(ia, ib), static_cast<int>((std::int64_t{ia} * ib) >> 32));
      EXPECT_EQ(__umulhi(static_cast<unsigned>(a), static_cast<unsigned>(b)),
                static_cast<unsigned>(std::uint64_t{static_cast<unsigned>(a)} * static_cast<unsigned>(b) >> 32));
      // Schoolbook, in halves of 32 bits.
      const std::uint64_t al = a & 0xffffffff, ah = a >> 32, bl = b & 0xffffffff, bh = b >> 32;
      const std::uint64_t middle = ah * bl + (al * bl >> 32), other = al * bh + (middle & 0xffffffff);
      const std::uint64_t high = ah * bh + (middle >> 32) + (other >> 32);
      EXPECT_EQ(__umul64hi(a, b), high);
      const std::uint64_t signed_high = high - (bit(a, 63) ? b : 0) - (bit(b, 63) ? a : 0);
      EXPECT_EQ(static_cast<std::uint64_t>(__mul64hi(static_cast<long long>(a), static_cast<long long>(b))),
                signed_high);
      const auto sign24 = [](std::uint64_t v) {
        return static_cast<std::int64_t>(v & 0xffffff) - (bit(v, 23) ? 0x1000000 : 0);
      };
      EXPECT_EQ(static_cast<unsigned>(__mul24(ia, ib)), static_cast<unsigned>(sign24(a) * sign24(b)));
      EXPECT_EQ(static_cast<unsigned>(__umul24(static_cast<unsigned>(a), static_cast<unsigned>(b))),
                static_cast<unsigned>((a & 0xffffff) * (b & 0xffffff)));
    }
  }
}

TEST(hip_integers, have_averages_and_differences_without_overflow) {
  for (const std::uint64_t a : words()) {
    for (const std::uint64_t b : words()) {
      const auto ia = static_cast<int>(a), ib = static_cast<int>(b);
      const auto ua = static_cast<unsigned>(a), ub = static_cast<unsigned>(b);
      const std::int64_t sum = std::int64_t{ia} + ib, usum = std::int64_t{ua} + ub;
      const auto floor_half = [](std::int64_t v) { return (v - (v % 2 != 0 && v < 0)) / 2; };
      EXPECT_EQ(__hadd(ia, ib), floor_half(sum));
      EXPECT_EQ(__rhadd(ia, ib), floor_half(sum + 1));
      EXPECT_EQ(__uhadd(ua, ub), usum / 2);
      EXPECT_EQ(__urhadd(ua, ub), (usum + 1) / 2);
      const std::int64_t difference = std::int64_t{ia} - ib, udifference = std::int64_t{ua} - ub;
      EXPECT_EQ(__sad(ia, ib, 9), static_cast<unsigned>((difference < 0 ? -difference : difference) + 9));
      EXPECT_EQ(__usad(ua, ub, 9), static_cast<unsigned>((udifference < 0 ? -udifference : udifference) + 9));
    }
  }
}

}  // namespace test_hip_integers
