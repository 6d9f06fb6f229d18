// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Reductions and scans with any associative operation, matches and partitions: what is combined with what, in which
// order, and which lanes hold it.
#include <algorithm>
#include <cstdint>
#include <cstring>
#include <string>
#include <utility>
#include <vector>

#include "covers.hpp"
#include "lanes.hpp"
#include "values.hpp"
#include "warpz/warp.hpp"

namespace test_operations {

namespace warp = warpz::warp;
using lanes::shape;
using warpz::lane_mask;

/// Neither commutes nor is associative, so that the result tells the whole tree of combinations.
struct tree_hash {
  __host__ __device__ std::uint32_t operator()(std::uint32_t a, std::uint32_t b) const {
    return (a * 31 + 7) ^ (b * 0x9e3779b9u + (a >> 16));
  }
};

/// A run of lanes; joining two that are not side by side breaks it. Associative, does not commute.
struct lane_run {
  std::int16_t first, last, stride, broken;
  std::uint32_t more;
};

struct join {
  __host__ __device__ lane_run operator()(const lane_run& a, const lane_run& b) const {
    lane_run joined = {a.first, b.last, a.stride, static_cast<std::int16_t>(a.broken | b.broken), a.more + b.more};
    if (a.last + a.stride != b.first) joined.broken = 1;
    return joined;
  }
};

template <class T>
struct three {
  T all, down, up;
};

template <unsigned lanes, unsigned stride>
struct grouped {
  template <class T, class Combine>
  __device__ static three<T> by(T v, Combine f) {
    return {warp::lane_group_reduce<lanes, stride>(warp::xor_lanes, v, f),
            warp::lane_group_reduce<lanes, stride>(warp::down_lanes, v, f),
            warp::lane_group_reduce<lanes, stride>(warp::up_lanes, v, f)};
  }
  LANE_FUNCTION three<std::uint32_t> operator()(std::uint32_t v, unsigned) const { return by(v, tree_hash{}); }
  LANE_FUNCTION three<lane_run> operator()(lane_run v, unsigned) const { return by(v, join{}); }
};

/// Those of the whole warp.
struct whole {
  template <class T, class Combine>
  __device__ static three<T> by(T v, Combine f) {
    return {warp::reduce(warp::xor_lanes, v, f), warp::reduce(warp::down_lanes, v, f),
            warp::reduce(warp::up_lanes, v, f)};
  }
  LANE_FUNCTION three<std::uint32_t> operator()(std::uint32_t v, unsigned) const { return by(v, tree_hash{}); }
  LANE_FUNCTION three<lane_run> operator()(lane_run v, unsigned) const { return by(v, join{}); }
};

std::vector<lane_run> runs_of_one(const shape& on, unsigned stride) {
  std::vector<lane_run> runs;
  for (unsigned thread = 0; thread < on.threads(); ++thread) {
    const auto lane = static_cast<std::int16_t>(on.lane(thread));
    runs.push_back({lane, lane, static_cast<std::int16_t>(stride), 0, thread});
  }
  return runs;
}

/// What each thread's hash and run are, which the groups of `lanes` lanes with this stride have made of theirs.
void expect_reduced(const shape& on, unsigned lanes, unsigned stride, const std::vector<std::uint32_t>& inputs,
                    const lanes::list<three<std::uint32_t>>& hashes, const std::vector<lane_run>& runs,
                    const lanes::list<three<lane_run>>& joined) {
  const auto where = [&](unsigned thread) {
    return testing::PrintToString(on) + ", groups of " + std::to_string(lanes) + " with stride " +
           std::to_string(stride) + ", thread " + std::to_string(thread);
  };
  for (unsigned thread = 0; thread < on.threads(); ++thread) {
    std::vector<unsigned> group;
    unsigned own = 0;
    for (unsigned lane = 0; lane < on.existing(thread); ++lane) {
      if (lane / (lanes * stride) != on.lane(thread) / (lanes * stride)) continue;
      if (lane % stride != on.lane(thread) % stride) continue;
      if (lane == on.lane(thread)) own = static_cast<unsigned>(group.size());
      group.push_back(on.first(thread) + lane);
    }
    std::vector<std::uint32_t> members;
    for (const unsigned member : group) members.push_back(inputs[member]);
    const std::uint32_t right = values::tree(members, tree_hash{});
    ASSERT_EQ(hashes[thread].all, right) << where(thread);
    if (own == 0) {
      ASSERT_EQ(hashes[thread].down, right) << where(thread);
    }
    if (own + 1 == group.size() && group.size() == std::min(lanes, on.warp_size / stride)) {
      ASSERT_EQ(hashes[thread].up, right) << where(thread);
    }
    const auto expect_run = [&](const lane_run& run, unsigned source, unsigned target) {
      std::uint32_t more = 0;
      for (unsigned i = source; i <= target; ++i) more += runs[group[i]].more;
      ASSERT_EQ(run.broken, 0) << where(thread);
      ASSERT_EQ(run.first, runs[group[source]].first) << where(thread);
      ASSERT_EQ(run.last, runs[group[target]].last) << where(thread);
      ASSERT_EQ(run.more, more) << where(thread);
    };
    const unsigned last = static_cast<unsigned>(group.size()) - 1;
    expect_run(joined[thread].all, 0, last);
    expect_run(joined[thread].down, own, last);
    expect_run(joined[thread].up, 0, own);
  }
}

// What is instantiated for each operation: no more than runs it.
template <class Operation>
void check_reduction(const shape& on, unsigned lanes, unsigned stride, Operation operation) {
  std::vector<std::uint32_t> inputs;
  for (unsigned thread = 0; thread < on.threads(); ++thread) {
    inputs.push_back(static_cast<std::uint32_t>(values::scrambled(thread + 1)));
  }
  const std::vector<lane_run> runs = runs_of_one(on, stride);
  expect_reduced(on, lanes, stride, inputs, lanes::mapped(on, inputs, operation), runs,
                 lanes::mapped(on, runs, operation));
}

std::vector<shape> shapes_with_every_end(unsigned warp_size) {
  std::vector<shape> result = lanes::shapes(warp_size);
  for (unsigned threads = 1; threads <= warp_size; ++threads) result.push_back({warp_size, dim3(threads)});
  return result;
}

template <unsigned lanes, unsigned stride>
void check_group() {
  for (const unsigned W : lanes::warp_sizes()) {
    for (const shape& on : shapes_with_every_end(W)) {
      check_reduction(on, lanes, stride, grouped<lanes, stride>{});
      if (testing::Test::HasFatalFailure()) return;
    }
  }
}

/// With this stride, groups of so many lanes and of half as many and so on; under a sanitizer, of so many alone.
template <unsigned stride, unsigned lanes = 64 / stride>
void check_groups() {
  check_group<lanes, stride>();
  if constexpr (lanes > 1 && !address_sanitized) check_groups<stride, lanes / 2>();
}

TEST(reductions, of_groups_of_neighbors) {
  covers("lane_group_reduce", lanes::warp_sizes(), "uint32_t any");
  check_groups<1>();
}

TEST(reductions, of_groups_of_lanes_that_are_apart) {
  covers("lane_group_reduce", lanes::warp_sizes(), "uint32_t any");
  check_groups<2>();
  check_groups<4>();
  check_groups<8>();
  check_groups<16>();
  check_groups<32>();
  check_groups<64>();
}

TEST(reductions, of_the_warp) {
  covers("reduce", lanes::warp_sizes(), "uint32_t any");
  for (const unsigned W : lanes::warp_sizes()) {
    for (const shape& on : shapes_with_every_end(W)) {
      check_reduction(on, W, 1, whole{});
      if (HasFatalFailure()) return;
    }
  }
}

struct any_scan {
  struct both {
    std::uint32_t inclusive, exclusive;
    lane_run run;
  };
  LANE_FUNCTION both operator()(std::uint32_t v, unsigned) const {
    const std::int16_t lane = static_cast<std::int16_t>(warp::lane_id());
    const lane_run one = {lane, lane, 1, 0, v}, none = {-1, -1, -1, -1, 0};
    return {warp::scan(v, tree_hash{}, 99u), warp::scan<true>(v, tree_hash{}, 99u),
            warp::scan<true>(one, join{}, none)};
  }
};

void check_scan(const shape& on) {
  std::vector<std::uint32_t> inputs;
  for (unsigned thread = 0; thread < on.threads(); ++thread) {
    inputs.push_back(static_cast<std::uint32_t>(values::scrambled(thread + 7)));
  }
  const auto got = lanes::mapped(on, inputs, any_scan{});
  ASSERT_EQ(got.size(), on.threads());
  for (unsigned thread = 0; thread < on.threads(); ++thread) {
    const unsigned first = on.first(thread), lane = on.lane(thread);
    const auto scanned = values::scan(
        std::vector<std::uint32_t>(inputs.begin() + first, inputs.begin() + first + on.existing(thread)), tree_hash{});
    const auto where = [&] { return testing::PrintToString(on) + ", thread " + std::to_string(thread); };
    ASSERT_EQ(got[thread].inclusive, scanned[lane]) << where();
    ASSERT_EQ(got[thread].exclusive, lane == 0 ? 99u : scanned[lane - 1]) << where();
    std::uint32_t more = 0;
    for (unsigned i = 0; i < lane; ++i) more += inputs[first + i];
    ASSERT_EQ(got[thread].run.broken, lane == 0 ? -1 : 0) << where();
    ASSERT_EQ(got[thread].run.first, lane == 0 ? -1 : 0) << where();
    ASSERT_EQ(got[thread].run.last, static_cast<int>(lane) - 1) << where();
    ASSERT_EQ(got[thread].run.more, more) << where();
  }
}

TEST(scans, with_an_operation_that_does_not_commute) {
  covers("scan", lanes::warp_sizes(), "uint32_t any");
  for (const unsigned W : lanes::warp_sizes()) {
    for (const shape& on : shapes_with_every_end(W)) {
      check_scan(on);
      if (HasFatalFailure()) return;
    }
  }
}

struct both_matches {
  struct masks {
    lane_mask any, all;
  };
  template <class T>
  LANE_FUNCTION masks operator()(T v, unsigned) const {
    return {warp::match_any(v), warp::match_all(v)};
  }
};

/// Values of any type: thread numbers divided or taken modulo, in its first bytes or in its last ones.
template <class T>
T pattern(unsigned thread, unsigned which) {
  const unsigned numbers[] = {0, thread / 5, thread % 3, thread, thread == 17 ? 1u : 0u, thread & 32, thread / 64};
  const unsigned number = numbers[which];
  unsigned char bytes[sizeof(T)] = {};
  if (sizeof(T) < 4) {
    bytes[0] = static_cast<unsigned char>(number);
  } else {
    std::memcpy(bytes + (which % 2 == 0 ? sizeof(T) - 4 : 0), &number, 4);
  }
  T result;
  std::memcpy(static_cast<void*>(&result), bytes, sizeof(T));
  return result;
}

template <class T>
void check_match(const shape& on) {
  for (unsigned which = 0; which < 7; ++which) {
    std::vector<T> inputs;
    for (unsigned thread = 0; thread < on.threads(); ++thread) inputs.push_back(pattern<T>(thread, which));
    const auto got = lanes::mapped(on, inputs, both_matches{});
    ASSERT_EQ(got.size(), on.threads());
    for (unsigned thread = 0; thread < on.threads(); ++thread) {
      lane_mask same = 0, all = 0;
      for (unsigned lane = 0; lane < on.existing(thread); ++lane) {
        all |= lane_mask{1} << lane;
        if (std::memcmp(&inputs[on.first(thread) + lane], &inputs[thread], sizeof(T)) == 0) {
          same |= lane_mask{1} << lane;
        }
      }
      ASSERT_EQ(got[thread].any, same) << testing::PrintToString(on) << ", pattern " << which << ", thread " << thread;
      ASSERT_EQ(got[thread].all, same == all ? all : 0) << testing::PrintToString(on) << ", pattern " << which;
    }
  }
}

struct twelve_bytes {
  unsigned words[3];
};
struct three_bytes {
  unsigned char bytes[3];
};

TEST(matches, of_values_of_any_type) {
  covers("match_any match_all", lanes::warp_sizes(), "uint32_t uint64_t float double __half any");
  for (const unsigned W : lanes::warp_sizes()) {
    for (const shape& on : lanes::shapes(W)) {
      check_match<unsigned>(on);
      check_match<unsigned long long>(on);
      check_match<float>(on);
      check_match<double>(on);
      check_match<__half>(on);
      check_match<unsigned char>(on);
      check_match<twelve_bytes>(on);
      check_match<three_bytes>(on);
      if (HasFatalFailure()) return;
    }
  }
}

TEST(matches, compare_bits) {
  for (const unsigned W : lanes::warp_sizes()) {
    const std::uint32_t kinds[] = {0, 0x80000000, 0x7fc00000, 0x7fc00001};
    std::vector<float> inputs;
    for (unsigned lane = 0; lane < W; ++lane) inputs.push_back(values::of_bits<float>(kinds[lane % 4]));
    const auto got = lanes::mapped({W, dim3(W)}, inputs, both_matches{});
    const lane_mask every_fourth = 0x1111111111111111 & (W == 64 ? ~lane_mask{0} : 0xffffffff);
    for (unsigned lane = 0; lane < W; ++lane) ASSERT_EQ(got[lane].any, every_fourth << lane % 4);
  }
}

struct less_than {
  unsigned limit;
  __host__ __device__ bool operator()(unsigned v) const { return v < limit; }
};

struct places {
  struct both {
    int by_predicate, by_bool;
  };
  unsigned limit;
  LANE_FUNCTION both operator()(unsigned v, unsigned) const {
    return {warp::partition(v, less_than{limit}), warp::partition(v, v < limit)};
  }
};

void check_partition(const shape& on, unsigned limit) {
  std::vector<unsigned> inputs;
  for (unsigned thread = 0; thread < on.threads(); ++thread) inputs.push_back(thread * 37 % 101);
  const auto got = lanes::mapped(on, inputs, places{limit});
  ASSERT_EQ(got.size(), on.threads());
  for (unsigned first = 0; first < on.threads(); first += on.warp_size) {
    std::vector<unsigned> order;
    for (unsigned lane = 0; lane < on.existing(first); ++lane) order.push_back(lane);
    std::stable_partition(order.begin(), order.end(), [&](unsigned lane) { return inputs[first + lane] < limit; });
    for (unsigned place = 0; place < order.size(); ++place) {
      ASSERT_EQ(got[first + order[place]].by_predicate, static_cast<int>(place)) << testing::PrintToString(on);
      ASSERT_EQ(got[first + order[place]].by_bool, static_cast<int>(place)) << testing::PrintToString(on);
    }
  }
}

TEST(partitions, are_stable) {
  covers("partition", lanes::warp_sizes(), "uint32_t");
  for (const unsigned W : lanes::warp_sizes()) {
    for (const shape& on : shapes_with_every_end(W)) {
      for (const unsigned limit : {0u, 1u, 50u, 100u, 101u}) {
        check_partition(on, limit);
        if (HasFatalFailure()) return;
      }
    }
  }
}

}  // namespace test_operations
