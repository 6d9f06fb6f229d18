// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What blocks of a trial have read and written, compared with a model: a set of bytes for each block.
#include <gtest/gtest.h>

#include <bitset>
#include <cstring>
#include <random>
#include <thread>
#include <vector>

#include "simt/check/page_accesses.hpp"

namespace {

using simt::check::page_bytes;
using simt::check::page_bytes_set;
using simt::check::shared_page;

using byte_model = std::bitset<page_bytes>;

struct modelled_accesses {
  page_bytes_set read{}, written{};
  byte_model bytes_read, bytes_written;
  std::vector<std::size_t> atomics;  ///< offsets of bytes

  void add(bool writes, std::size_t offset, std::size_t size) {
    (writes ? written : read).add(offset, size);
    for (std::size_t i = 0; i < size; ++i) (writes ? bytes_written : bytes_read).set(offset + i);
  }

  void add_atomic(std::size_t offset) {
    add(true, offset, 1);
    atomics.push_back(offset);
  }

  bool meets(const modelled_accesses& other) const {
    return (bytes_written & (other.bytes_written | other.bytes_read)).any() || (bytes_read & other.bytes_written).any();
  }
};

byte_model model_of(const page_bytes_set& set) {
  byte_model bytes;
  std::size_t end = 0;
  set.for_each_row([&](std::size_t offset, std::size_t size) {
    // Rows are apart, or they would be one.
    EXPECT_TRUE(offset > end || end == 0);
    end = offset + size;
    for (std::size_t i = 0; i < size; ++i) bytes.set(offset + i);
  });
  return bytes;
}

modelled_accesses random_accesses(std::mt19937& random, std::size_t begin, std::size_t end) {
  modelled_accesses one;
  const unsigned count = random() % 20;
  for (unsigned i = 0; i < count; ++i) {
    const std::size_t offset = begin + random() % (end - begin);
    const std::size_t most = random() % 8 == 0 ? end - offset : std::min<std::size_t>(16, end - offset);
    one.add(random() % 2 == 0, offset, 1 + random() % most);
    if (random() % 4 == 0) one.add_atomic(offset);
  }
  return one;
}

TEST(page_accesses, sets_hold_what_was_added) {
  std::mt19937 random(1);
  for (int round = 0; round < 500; ++round) {
    modelled_accesses one = random_accesses(random, 0, page_bytes);
    EXPECT_EQ(model_of(one.read), one.bytes_read);
    EXPECT_EQ(model_of(one.written), one.bytes_written);
    const std::size_t offset = random() % page_bytes, most = std::min<std::size_t>(200, page_bytes - offset);
    const std::size_t size = 1 + random() % most;
    bool has_any = false;
    for (std::size_t i = 0; i < size; ++i) has_any = has_any || one.bytes_written[offset + i];
    EXPECT_EQ(one.written.has_any(offset, size), has_any);
    one.read.clear();
    EXPECT_TRUE(model_of(one.read).none());
  }
  page_bytes_set all{};
  all.add(0, page_bytes);
  EXPECT_TRUE(model_of(all).all());
}

/// Runs blocks with these accesses, each on a thread; true if none has met another one.
bool are_apart(shared_page& page, const std::vector<modelled_accesses>& blocks) {
  std::atomic<bool> apart{true}, begin{false};
  std::vector<std::thread> threads;
  for (const modelled_accesses& each : blocks) {
    threads.emplace_back([&] {
      while (!begin) std::this_thread::yield();
      page_bytes_set changed{};
      for (const std::size_t offset : each.atomics) {
        if (changed.has_any(offset, 1)) continue;
        changed.add(offset, 1);
        if (!page.add_changed(offset, 1)) apart = false;
      }
      if (!page.add(each.read, each.written, changed)) apart = false;
    });
  }
  begin = true;
  for (std::thread& each : threads) each.join();
  return apart;
}

TEST(page_accesses, blocks_that_meet_are_seen_whichever_comes_first) {
  std::mt19937 random(2);
  static shared_page page;
  int meetings = 0;
  for (int round = 0; round < 300; ++round) {
    std::vector<modelled_accesses> blocks;
    // In each other round each block has a part of the page.
    for (std::size_t i = 0; i < 4; ++i)
      blocks.push_back(round % 2 == 0 ? random_accesses(random, i * 1000, i * 1000 + 1000)
                                      : random_accesses(random, 0, page_bytes));
    bool expected = true;
    for (std::size_t i = 0; i < blocks.size(); ++i) {
      for (std::size_t k = 0; k < i; ++k) expected = expected && !blocks[i].meets(blocks[k]);
    }
    meetings += expected ? 0 : 1;
    ASSERT_EQ(are_apart(page, blocks), expected);
    byte_model written;
    for (const modelled_accesses& each : blocks) written |= each.bytes_written;
    EXPECT_EQ(model_of(page.written()), written);
    page.clear();
    EXPECT_TRUE(model_of(page.written()).none());
  }
  EXPECT_GT(meetings, 50);
  EXPECT_LT(meetings, 200);
}

TEST(page_accesses, what_is_kept_is_from_before_the_first_write) {
  static shared_page page;
  for (int round = 0; round < 200; ++round) {
    std::byte bytes[256] = {}, kept[256];
    std::memset(kept, 7, sizeof kept);
    std::vector<std::thread> threads;
    for (std::size_t i = 0; i < 4; ++i) {
      threads.emplace_back([&, i] {
        page.keep(kept, bytes, sizeof bytes);
        std::memset(bytes + i * 64, 1, 64);
      });
    }
    for (std::thread& each : threads) each.join();
    EXPECT_TRUE(page.is_kept());
    for (const std::byte each : kept) ASSERT_EQ(each, std::byte{0});
    page.clear();
    EXPECT_FALSE(page.is_kept());
  }
}

}  // namespace
