// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "text/nearest.hpp"

#include <gtest/gtest.h>

namespace {

using namespace warpz;
using suggested = std::vector<std::string_view>;

TEST(edit_distance, counts_each_kind_of_change_once) {
  EXPECT_EQ(edit_distance("", ""), 0u);
  EXPECT_EQ(edit_distance("abc", "abc"), 0u);
  EXPECT_EQ(edit_distance("", "abc"), 3u);
  EXPECT_EQ(edit_distance("abc", ""), 3u);
  EXPECT_EQ(edit_distance("abc", "abxc"), 1u);
  EXPECT_EQ(edit_distance("abc", "ac"), 1u);
  EXPECT_EQ(edit_distance("abc", "axc"), 1u);
  EXPECT_EQ(edit_distance("abc", "acb"), 1u);
  EXPECT_EQ(edit_distance("kitten", "sitting"), 3u);
  // A pair that was swapped is not changed again: 3, where unrestricted swaps need 2.
  EXPECT_EQ(edit_distance("ca", "abc"), 3u);
}

TEST(edit_distance, is_symmetric) {
  for (const std::string_view a : {"partition", "pratition", "", "x", "neighbor"})
    for (const std::string_view b : {"position", "size", "neigbhor"})
      EXPECT_EQ(edit_distance(a, b), edit_distance(b, a));
}

constexpr std::string_view vocabulary[] = {"neighbor",
                                           "broadcast-basic",
                                           "broadcast-conditional",
                                           "parallel-max",
                                           "conditional-max",
                                           "size",
                                           "color",
                                           "json",
                                           "text",
                                           "32",
                                           "64"};

TEST(nearest, corrects_a_slip) {
  EXPECT_EQ(nearest("neigbor", vocabulary), suggested{"neighbor"});
  EXPECT_EQ(nearest("nieghbor", vocabulary), suggested{"neighbor"});
  EXPECT_EQ(nearest("neighbour", vocabulary), suggested{"neighbor"});
  EXPECT_EQ(nearest("jsn", vocabulary), suggested{"json"});
  EXPECT_EQ(nearest("colour", vocabulary), suggested{"color"});
}

TEST(nearest, capitals_and_underscores_are_no_difference) {
  EXPECT_EQ(nearest("Parallel_Max", vocabulary), suggested{"parallel-max"});
  EXPECT_EQ(nearest("SIZE", vocabulary), suggested{"size"});
}

TEST(nearest, knows_beginnings_and_words) {
  EXPECT_EQ(nearest("neigh", vocabulary), suggested{"neighbor"});
  EXPECT_EQ(nearest("broadcast", vocabulary), (suggested{"broadcast-basic", "broadcast-conditional"}));
  EXPECT_EQ(nearest("max", vocabulary), (suggested{"parallel-max", "conditional-max"}));
  EXPECT_EQ(nearest("conditional", vocabulary), (suggested{"broadcast-conditional", "conditional-max"}));
  EXPECT_EQ(nearest("no-color", vocabulary), suggested{"color"});
  EXPECT_EQ(nearest("warp-size", vocabulary), suggested{"size"});
}

TEST(nearest, says_nothing_rather_than_something_far_fetched) {
  EXPECT_EQ(nearest("", vocabulary), suggested{});
  EXPECT_EQ(nearest("xml", vocabulary), suggested{});
  EXPECT_EQ(nearest("33", vocabulary), suggested{});
  EXPECT_EQ(nearest("ne", vocabulary), suggested{}) << "two letters begin too much";
  EXPECT_EQ(nearest("onal", vocabulary), suggested{}) << "a part of a word is no word";
  EXPECT_EQ(nearest(std::string(65, 'x'), vocabulary), suggested{});
  EXPECT_EQ(nearest("size", {}), suggested{});
}

TEST(nearest, gives_at_most_four_and_only_the_nearest) {
  constexpr std::string_view alike[] = {"size-1", "size-2", "size-3", "size-4", "size-5"};
  EXPECT_EQ(nearest("siz", alike), (suggested{"size-1", "size-2", "size-3", "size-4"}));
  EXPECT_EQ(nearest("size-9", alike), (suggested{"size-1", "size-2", "size-3", "size-4"}));
  constexpr std::string_view two[] = {"prefix-sun", "prefix-sum"};
  EXPECT_EQ(nearest("prefx-sum", two), suggested{"prefix-sum"});
}

TEST(alternatives, read_as_a_sentence) {
  EXPECT_EQ(alternatives({}), "");
  EXPECT_EQ(alternatives(suggested{"a"}), "a");
  EXPECT_EQ(alternatives(suggested{"a", "b"}), "a or b");
  EXPECT_EQ(alternatives(suggested{"a", "b", "c"}, "--"), "--a, --b or --c");
}

}  // namespace
