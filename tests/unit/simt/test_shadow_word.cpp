// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What shadow memory keeps of a word's accesses, transition by transition.
#include <gtest/gtest.h>

#include "simt/check/shadow_word.hpp"

namespace shadow_words {

using simt::check::access_stamp;
using simt::check::shadow_byte;
using simt::check::shadow_tail;
using simt::check::shadow_word;

constexpr access_stamp earlier{64, 5, 0x123}, later{0xffffffff, 1023, 0x1fffff};

struct shadow_words : testing::Test {
  shadow_word word{};
  shadow_tail tail{};
};

TEST(access_stamps, keep_time_thread_and_place_at_their_limits) {
  EXPECT_EQ(later.time(), 0xffffffffU);
  EXPECT_EQ(later.thread(), 1023U);
  EXPECT_EQ(later.code(), 0x1fffffU);
  EXPECT_TRUE(later.exists());
  EXPECT_FALSE(access_stamp{}.exists());
  EXPECT_FALSE(earlier == later);
}

TEST(access_stamps, a_step_is_one_thread_at_one_time_wherever_in_the_code) {
  EXPECT_TRUE(earlier.is_same_step({64, 5, 7}));
  EXPECT_FALSE(earlier.is_same_step({64, 6, 0x123}));
  EXPECT_FALSE(earlier.is_same_step({65, 5, 0x123}));
}

TEST_F(shadow_words, zeros_are_a_word_without_accesses) {
  word.claim();
  EXPECT_FALSE(word.is_split());
  EXPECT_FALSE(word.last_write().exists());
  EXPECT_FALSE(word.other().exists());
  EXPECT_EQ(word.readers(), 0U);
}

TEST_F(shadow_words, a_first_reader) {
  word.set_reader(0xffffffff, 31, 63, 0x1fffff);
  EXPECT_EQ(word.readers(), std::uint64_t{1} << 63);
  EXPECT_EQ(word.read_time(), 0xffffffffU);
  EXPECT_EQ(word.reader_warp(), 31U);
  EXPECT_EQ(word.read_code(), 0x1fffffU);
  EXPECT_EQ(word.read_code_of(63, tail), 0x1fffffU);
  EXPECT_FALSE(word.is_split());
}

TEST_F(shadow_words, more_readers_at_the_place_of_the_first) {
  word.set_reader(64, 2, 0, 7);
  word.add_reader(9, tail);
  EXPECT_EQ(word.readers(), 0x201U);
  EXPECT_EQ(word.read_time(), 64U);
  EXPECT_EQ(word.reader_warp(), 2U);
  EXPECT_EQ(word.read_code(), 7U);
  EXPECT_EQ(word.read_code_of(0, tail), 7U);
  EXPECT_EQ(word.read_code_of(9, tail), 7U);
}

TEST_F(shadow_words, readers_at_three_places_are_known) {
  word.set_reader(64, 2, 0, 7);
  word.add_reader_elsewhere(1, 8, tail);
  EXPECT_EQ(word.readers(), 3U);
  EXPECT_EQ(word.read_time(), 64U);
  EXPECT_EQ(word.reader_warp(), 2U);
  EXPECT_EQ(word.read_code(), 8U);
  EXPECT_EQ(word.read_code_of(0, tail), 7U);
  EXPECT_EQ(word.read_code_of(1, tail), 8U);
  word.add_reader(2, tail);
  EXPECT_EQ(word.read_code_of(1, tail), 8U);
  EXPECT_EQ(word.read_code_of(2, tail), 8U);
  word.add_reader_elsewhere(3, 9, tail);
  EXPECT_EQ(word.readers(), 15U);
  EXPECT_EQ(word.read_code(), 9U);
  EXPECT_EQ(word.read_code_of(0, tail), 7U);
  EXPECT_EQ(word.read_code_of(2, tail), 8U);
  EXPECT_EQ(word.read_code_of(3, tail), 9U);
}

TEST_F(shadow_words, lanes_that_read_at_two_places_in_turn_keep_both) {
  word.set_reader(64, 2, 0, 7);
  word.add_reader_elsewhere(0, 8, tail);
  for (unsigned lane = 1; lane < 32; ++lane) {
    const simt::check::code_id place = lane % 2 == 0 ? 8 : 7;
    word.read_code() == place ? word.add_reader(lane, tail) : word.add_reader_elsewhere(lane, place, tail);
  }
  for (unsigned lane = 1; lane < 32; ++lane) EXPECT_EQ(word.read_code_of(lane, tail), lane % 2 == 0 ? 8U : 7U) << lane;
}

TEST_F(shadow_words, of_four_places_the_one_that_was_the_last_long_ago_is_forgotten) {
  word.set_reader(64, 2, 0, 7);
  word.add_reader_elsewhere(1, 8, tail);
  word.add_reader_elsewhere(2, 9, tail);
  word.add_reader_elsewhere(3, 7, tail);  // now 7, 9, 8
  word.add_reader_elsewhere(4, 0x1fffff, tail);
  EXPECT_EQ(word.read_code_of(0, tail), 7U);
  EXPECT_EQ(word.read_code_of(1, tail), 0U);
  EXPECT_EQ(word.read_code_of(2, tail), 9U);
  EXPECT_EQ(word.read_code_of(3, tail), 7U);
  EXPECT_EQ(word.read_code_of(4, tail), 0x1fffffU);
  EXPECT_EQ(word.readers(), 31U);
}

TEST_F(shadow_words, a_new_reader_replaces_those_at_several_places) {
  word.set_reader(64, 2, 0, 7);
  word.add_reader_elsewhere(1, 8, tail);
  word.set_reader(65, 3, 4, 9);
  EXPECT_EQ(word.readers(), 16U);
  EXPECT_EQ(word.reader_warp(), 3U);
  EXPECT_EQ(word.read_code_of(4, tail), 9U);
}

TEST_F(shadow_words, the_other_access_is_a_read_or_a_write) {
  word.set_other_read(later);
  EXPECT_TRUE(word.other() == later);
  EXPECT_FALSE(word.other_is_write());
  word.set_other_write(earlier);
  EXPECT_TRUE(word.other() == earlier);
  EXPECT_TRUE(word.other_is_write());
  word.clear_other();
  EXPECT_FALSE(word.other().exists());
  EXPECT_FALSE(word.other_is_write());
}

TEST_F(shadow_words, a_plain_write_ends_all_that_was_before) {
  word.set_reader(64, 2, 0, 7);
  word.add_reader_elsewhere(1, 8, tail);
  word.set_other_write(earlier);
  word.set_write(later);
  EXPECT_TRUE(word.last_write() == later);
  EXPECT_EQ(word.readers(), 0U);
  EXPECT_FALSE(word.other().exists());
  EXPECT_FALSE(word.other_is_write());
  EXPECT_FALSE(word.is_split());
}

TEST_F(shadow_words, an_atomic_write_keeps_the_other_access_and_chosen_readers) {
  word.set_reader(64, 2, 0, 7);
  word.add_reader(1, tail);
  word.set_other_write(earlier);
  word.set_atomic_write(later, 6);
  EXPECT_TRUE(word.last_write() == later);
  EXPECT_EQ(word.readers(), 2U);
  EXPECT_EQ(word.read_time(), 64U);
  EXPECT_EQ(word.read_code(), 7U);
  EXPECT_TRUE(word.other() == earlier);
  EXPECT_TRUE(word.other_is_write());
}

TEST_F(shadow_words, an_atomic_write_that_keeps_no_reader_forgets_when_they_read) {
  word.set_reader(64, 2, 0, 7);
  word.set_atomic_write(later, 6);
  EXPECT_EQ(word.readers(), 0U);
  EXPECT_EQ(word.read_time(), 0U);
  EXPECT_EQ(word.read_code(), 0U);
}

TEST_F(shadow_words, a_new_block_forgets_what_an_earlier_one_has_done) {
  word.set_write({64, 0, 1});
  word.set_reader(65, 2, 0, 7);
  word.set_other_read({66, 0, 1});
  word.forget_before(67);
  EXPECT_FALSE(word.last_write().exists());
  EXPECT_EQ(word.readers(), 0U);
  EXPECT_FALSE(word.other().exists());
}

TEST_F(shadow_words, a_new_block_keeps_its_own_reads_of_what_it_has_not_written) {
  word.set_write({64, 0, 1});
  word.set_reader(67, 2, 0, 7);
  word.set_other_read({68, 3, 1});
  word.forget_before(67);
  EXPECT_FALSE(word.last_write().exists());
  EXPECT_EQ(word.readers(), 1U);
  EXPECT_TRUE(word.other() == access_stamp(68, 3, 1));
}

TEST_F(shadow_words, a_block_keeps_what_it_has_written) {
  const access_stamp write{67, 3, 1};
  word.set_reader(67, 2, 0, 7);
  word.set_atomic_write(write, 1);
  word.set_other_write({67, 4, 1});
  word.forget_before(67);
  EXPECT_TRUE(word.last_write() == write);
  EXPECT_EQ(word.readers(), 1U);
  EXPECT_TRUE(word.other_is_write());
}

TEST_F(shadow_words, the_bytes_of_a_split_word_begin_alike) {
  // Lanes 21 to 23, whose bits the tail holds until then.
  word.set_reader(64, 0, 0, 7);
  word.add_reader_elsewhere(21, 8, tail);
  word.add_reader(22, tail);
  word.split({earlier, later}, tail);
  EXPECT_TRUE(word.is_split());
  for (unsigned number = 0; number < 4; ++number) {
    EXPECT_TRUE(word.byte(number, tail).write == earlier) << number;
    EXPECT_TRUE(word.byte(number, tail).read == later) << number;
  }
}

TEST_F(shadow_words, each_byte_of_a_split_word_has_a_shadow_of_its_own) {
  word.split({}, tail);
  for (unsigned number = 0; number < 4; ++number) {
    word.set_byte(number, {{64, number, 1}, {65, number, 2}}, tail);
    EXPECT_TRUE(word.is_split()) << number;
  }
  for (unsigned number = 0; number < 4; ++number) {
    const shadow_byte byte = word.byte(number, tail);
    EXPECT_TRUE(byte.write == access_stamp(64, number, 1)) << number;
    EXPECT_TRUE(byte.read == access_stamp(65, number, 2)) << number;
  }
}

TEST_F(shadow_words, a_byte_of_no_variable_is_known_from_any_access) {
  word.split({}, tail);
  word.set_byte(1, {access_stamp::no_variable(), {}}, tail);
  EXPECT_TRUE(word.byte(1, tail).write == access_stamp::no_variable());
  EXPECT_EQ(access_stamp::no_variable().time(), 0U);
  EXPECT_FALSE(word.byte(0, tail).write == access_stamp::no_variable());
}

}  // namespace shadow_words
