// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Each operation on numbers × each type of number × each warp size × each kind of block × each sort of values, bit for
// bit against the host's own idea of it (values.hpp).
#include <algorithm>
#include <initializer_list>

#include "covers.hpp"
#include "lanes.hpp"
#include "values.hpp"
#include "warpz/warp.hpp"

namespace test_numbers {

namespace warp = warpz::warp;
using lanes::shape;

template <class T>
struct results {
  T sum, max, min, inclusive, exclusive;
  T pairs_sum, groups_sum, groups_max, groups_min, strided_sum, strided_max, strided_min;
};

/// All in one kernel, one behind the other.
struct all_operations {
  template <class T>
  LANE_FUNCTION results<T> operator()(T v, unsigned) const {
    results<T> result{};
    result.sum = warp::sum(v);
    result.max = warp::max(v);
    result.min = warp::min(v);
    result.inclusive = warp::prefix_sum(v);
    result.exclusive = warp::prefix_sum<true>(v);
    result.pairs_sum = warp::lane_group_sum<2>(v);
    result.groups_sum = warp::lane_group_sum<16>(v);
    result.groups_max = warp::lane_group_max<8>(v);
    result.groups_min = warp::lane_group_min<64>(v);
    result.strided_sum = warp::lane_group_sum<8, 4>(v);
    result.strided_max = warp::lane_group_max<2, 32>(v);
    result.strided_min = warp::lane_group_min<4, 2>(v);
    return result;
  }
};

/// The values of the lane's group that exist, in order.
template <class T>
std::vector<T> group_of(const std::vector<T>& warp, unsigned lane, unsigned lanes, unsigned stride) {
  std::vector<T> group;
  for (unsigned other = 0; other < warp.size(); ++other) {
    if (other / (lanes * stride) == lane / (lanes * stride) && other % stride == lane % stride) {
      group.push_back(warp[other]);
    }
  }
  return group;
}

template <class T>
class numbers : public testing::Test {};

TYPED_TEST_SUITE(numbers, values::numbers);

struct judged {
  const char* operation;
  bool right;
};

void expect_all(const shape& on, values::sort sort, unsigned thread, std::initializer_list<judged> operations) {
  for (const judged& each : operations) {
    ASSERT_TRUE(each.right) << each.operation << ": " << testing::PrintToString(on) << ", values "
                            << static_cast<int>(sort) << ", thread " << thread;
  }
}

template <class T>
void check(const shape& on, values::sort sort) {
  std::vector<T> inputs;
  for (unsigned thread = 0; thread < on.threads(); ++thread) inputs.push_back(values::value<T>(sort, thread));
  const auto got = lanes::mapped(on, inputs, all_operations{});
  for (unsigned first = 0; first < on.threads(); first += on.warp_size) {
    const std::vector<T> warp(inputs.begin() + first, inputs.begin() + first + on.existing(first));
    const std::vector<T> scanned = values::scan(warp, values::plus<T>);
    const T sum = values::tree(warp, values::plus<T>), max = values::tree(warp, values::greater_of<T>),
            min = values::tree(warp, values::lesser_of<T>);
    for (unsigned lane = 0; lane < warp.size(); ++lane) {
      const results<T>& is = got[first + lane];
      const auto group = [&](unsigned lanes, unsigned stride, T (*combine)(T, T)) {
        return values::tree(group_of(warp, lane, lanes, stride), combine);
      };
      expect_all(on, sort, first + lane,
                 {{"sum", values::same(is.sum, sum)},
                  {"max", values::same_extreme(is.max, max)},
                  {"min", values::same_extreme(is.min, min)},
                  {"prefix_sum", values::same(is.inclusive, scanned[lane])},
                  {"exclusive prefix_sum", values::same(is.exclusive, lane == 0 ? T{} : scanned[lane - 1])},
                  {"sum of pairs", values::same(is.pairs_sum, group(2, 1, values::plus<T>))},
                  {"sum of 16", values::same(is.groups_sum, group(16, 1, values::plus<T>))},
                  {"max of 8", values::same_extreme(is.groups_max, group(8, 1, values::greater_of<T>))},
                  {"min of a warp's group", values::same_extreme(is.groups_min, min)},
                  {"sum of 8, stride 4", values::same(is.strided_sum, group(8, 4, values::plus<T>))},
                  {"max of 2, stride 32", values::same_extreme(is.strided_max, group(2, 32, values::greater_of<T>))},
                  {"min of 4, stride 2", values::same_extreme(is.strided_min, group(4, 2, values::lesser_of<T>))}});
      if (testing::Test::HasFatalFailure()) return;
    }
  }
}

TYPED_TEST(numbers, have_the_promised_bits) {
  covers("sum max min prefix_sum lane_group_sum lane_group_max lane_group_min", lanes::warp_sizes());
  for (const unsigned W : lanes::warp_sizes()) {
    for (const shape& on : lanes::shapes(W)) {
      for (const values::sort sort : values::sorts) {
        check<TypeParam>(on, sort);
        if (this->HasFatalFailure()) return;
      }
    }
  }
}

TYPED_TEST(numbers, have_the_promised_bits_in_blocks_of_every_size) {
  covers("sum max min prefix_sum lane_group_sum lane_group_max lane_group_min", lanes::warp_sizes());
  for (const unsigned W : lanes::warp_sizes()) {
    for (unsigned threads = 1; threads <= W; ++threads) {
      check<TypeParam>({W, dim3(threads)}, values::sort::usual);
      check<TypeParam>({W, dim3(threads)}, values::sort::negative_zero);
      if (this->HasFatalFailure()) return;
    }
  }
}

/// Sums again and again, each of what the last one left.
struct many_rounds {
  template <class T>
  LANE_FUNCTION T operator()(T v, unsigned) const {
    for (int i = 0; i < 20; ++i) {
      v = warp::prefix_sum<true>(warp::max(warp::sum(v)));
      v = warp::min(warp::prefix_sum(v));
    }
    return v;
  }
};

template <class T>
T many_rounds_of(std::vector<T> warp) {
  for (int i = 0; i < 20; ++i) {
    const T sum = values::tree(warp, values::plus<T>);
    std::vector<T> scanned = values::scan(std::vector<T>(warp.size(), sum), values::plus<T>);
    scanned.insert(scanned.begin(), T{});
    scanned.pop_back();
    warp.assign(warp.size(), values::tree(values::scan(scanned, values::plus<T>), values::lesser_of<T>));
  }
  return warp[0];
}

template <class T>
void check_many_rounds(const shape& on) {
  std::vector<T> inputs;
  for (unsigned thread = 0; thread < on.threads(); ++thread) {
    inputs.push_back(values::narrow<T>(-1.0 - thread % 3));
  }
  const auto got = lanes::mapped(on, inputs, many_rounds{});
  for (unsigned thread = 0; thread < on.threads(); ++thread) {
    const unsigned first = on.first(thread);
    const T right =
        many_rounds_of(std::vector<T>(inputs.begin() + first, inputs.begin() + first + on.existing(thread)));
    ASSERT_TRUE(values::same_extreme(got[thread], right)) << testing::PrintToString(on) << ", thread " << thread;
  }
}

TYPED_TEST(numbers, keep_their_bits_from_call_to_call) {
  for (const unsigned W : lanes::warp_sizes()) {
    for (const unsigned threads : {W, 3 * W + 5}) check_many_rounds<TypeParam>({W, dim3(threads)});
  }
}

/// A product, which a compiler likes to fuse with the addition that follows. Its factor is never 1.
struct products {
  template <class T>
  LANE_FUNCTION T operator()(T v, unsigned thread) const {
    return warp::sum(v * static_cast<T>(thread % 5 + 1.25f)) - warp::prefix_sum(v * static_cast<T>(thread % 3 + 1.75f));
  }
};

template <class T>
void check_products(const shape& on) {
  std::vector<T> inputs;
  for (unsigned thread = 0; thread < on.threads(); ++thread) {
    inputs.push_back(values::value<T>(values::sort::usual, thread));
  }
  const auto got = lanes::mapped(on, inputs, products{});
  for (unsigned first = 0; first < on.threads(); first += on.warp_size) {
    std::vector<T> summed, scanned;
    for (unsigned thread = first; thread < first + on.existing(first); ++thread) {
      summed.push_back(inputs[thread] * static_cast<T>(thread % 5 + 1.25f));
      scanned.push_back(inputs[thread] * static_cast<T>(thread % 3 + 1.75f));
    }
    const T sum = values::tree(summed, values::plus<T>);
    scanned = values::scan(scanned, values::plus<T>);
    for (unsigned lane = 0; lane < summed.size(); ++lane) {
      ASSERT_TRUE(values::same(got[first + lane], static_cast<T>(sum - scanned[lane]))) << lane;
    }
  }
}

TEST(sums_of_products, are_rounded_before_they_are_added) {
  for (const unsigned W : lanes::warp_sizes()) {
    check_products<float>({W, dim3(2 * W + 5)});
    check_products<double>({W, dim3(2 * W + 5)});
  }
}

struct extremes_of_bools {
  struct answers {
    bool max, min, pairs_max, pairs_min;
  };
  LANE_FUNCTION answers operator()(bool v, unsigned) const {
    return {warp::max(v), warp::min(v), warp::lane_group_max<2>(v), warp::lane_group_min<2>(v)};
  }
};

void check_bools(const shape& on, unsigned divisor) {
  std::vector<unsigned char> inputs;
  for (unsigned thread = 0; thread < on.threads(); ++thread) inputs.push_back(thread / divisor % 2);
  const auto got = lanes::mapped(on, inputs, extremes_of_bools{});
  for (unsigned thread = 0; thread < on.threads(); ++thread) {
    const auto begin = inputs.begin() + on.first(thread), end = begin + on.existing(thread);
    ASSERT_EQ(got[thread].max, std::find(begin, end, 1) != end) << testing::PrintToString(on);
    ASSERT_EQ(got[thread].min, std::find(begin, end, 0) == end) << testing::PrintToString(on);
    const unsigned lane = on.lane(thread), partner = (lane ^ 1) < on.existing(thread) ? thread ^ 1 : thread;
    ASSERT_EQ(got[thread].pairs_max, (inputs[thread] | inputs[partner]) != 0) << testing::PrintToString(on);
    ASSERT_EQ(got[thread].pairs_min, (inputs[thread] & inputs[partner]) != 0) << testing::PrintToString(on);
  }
}

TEST(bools, have_a_greatest_and_a_least) {
  covers("max min lane_group_max lane_group_min", lanes::warp_sizes(), "bool");
  for (const unsigned W : lanes::warp_sizes()) {
    for (const shape& on : lanes::shapes(W)) {
      for (const unsigned divisor : {1U, 7U, 100U}) check_bools(on, divisor);
    }
  }
}

}  // namespace test_numbers
