// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What moves values, as a table: each operation × each type × each width of a segment × each warp size × kinds of block
// × distances, oversize ones among them; within masks of every kind; and one after the other in a loop.
#include <algorithm>
#include <cstdint>
#include <cstring>
#include <functional>
#include <string>
#include <vector>

#include "covers.hpp"
#include "lanes.hpp"
#include "values.hpp"
#include "warpz/warp.hpp"

namespace test_moves {

namespace warp = warpz::warp;
using lanes::shape;
using warpz::lane_mask;

template <std::size_t size>
struct bytes {
  unsigned char content[size];
};

struct mixed {
  double wide;
  float narrow;
  short shorter;
  char least[2];  // no byte is padding, whose content need not arrive
};

enum class color : unsigned char {};

/// Tells threads apart in every byte.
template <class T>
T value_of(unsigned thread) {
  unsigned char content[sizeof(T)];
  for (unsigned i = 0; i < sizeof(T); ++i) content[i] = static_cast<unsigned char>(thread * 37 + thread / 7 + i * 11);
  T result;
  std::memcpy(static_cast<void*>(&result), content, sizeof(T));
  return result;
}

template <class T>
bool same_bits(const T& a, const T& b) {
  return std::memcmp(&a, &b, sizeof(T)) == 0;
}

constexpr unsigned kinds = 4;  // how many shuffles the switches below have

/// The lane that a shuffle reads; the caller's own where there is none.
unsigned source_of(unsigned kind, unsigned lane, unsigned segment, unsigned existing, std::uint64_t argument) {
  const std::int64_t begin = lane / segment * segment, end = begin + segment, by = static_cast<std::int64_t>(argument);
  const std::int64_t sources[kinds] = {begin + by, lane - by, lane + by, static_cast<std::int64_t>(lane) ^ by};
  const std::int64_t source = sources[kind];
  return begin <= source && source < end && source < existing ? static_cast<unsigned>(source) : lane;
}

template <unsigned width, class T>
__device__ T shuffled(unsigned kind, T v, unsigned argument, lane_mask mask) {
  switch (kind) {
    case 0:
      return warp::shuffle_idx<width>(v, argument, mask);
    case 1:
      return warp::shuffle_up<width>(v, argument, mask);
    case 2:
      return warp::shuffle_down<width>(v, argument, mask);
    default:
      return warp::shuffle_xor<width>(v, argument, mask);
  }
}

constexpr unsigned distances = 12;

/// One that each lane has for itself, then some that all share.
__host__ __device__ unsigned distance(unsigned which, unsigned thread, unsigned segment) {
  switch (which) {
    case 0:
      return (thread * 7 + 3) % (2 * segment);
    case 1:
      return 0;
    case 2:
      return 1;
    case 3:
      return segment / 2;
    case 4:
      return segment - 1;
    case 5:
      return segment;
    case 6:
      return segment + 1;
    case 7:
      return 2;
    case 8:
      return 64;
    case 9:
      return 0x7fffffff;
    case 10:
      return 0x80000001;
    default:
      return ~0U;
  }
}

template <class T>
struct moved {
  T by[kinds][distances];
};

/// All shuffles by all distances, in the lanes of `mask`. The others do nothing, so nobody may wait for them.
template <unsigned width>
struct all_shuffles {
  lane_mask mask;
  unsigned segment;

  template <class T>
  LANE_FUNCTION moved<T> operator()(T v, unsigned thread) const {
    moved<T> result;
    if ((mask >> warp::lane_id() & 1) != 0) {
      for (unsigned kind = 0; kind < kinds; ++kind) {
        for (unsigned which = 0; which < distances; ++which) {
          result.by[kind][which] = shuffled<width>(kind, v, distance(which, thread, segment), mask);
        }
      }
    }
    return result;
  }
};

/// Whether a thread holds the value of thread `source` after the shuffle of this kind by this distance.
using holds = std::function<bool(unsigned thread, unsigned kind, unsigned which, unsigned source)>;

void expect_shuffled(const shape& on, lane_mask mask, unsigned width, unsigned segment, const holds& right) {
  for (unsigned thread = 0; thread < on.threads(); ++thread) {
    const unsigned lane = on.lane(thread);
    if ((mask >> lane & 1) == 0) continue;
    for (unsigned kind = 0; kind < kinds; ++kind) {
      for (unsigned which = 0; which < distances; ++which) {
        const unsigned by = distance(which, thread, segment);
        const unsigned source = source_of(kind, lane, segment, on.existing(thread), by);
        // The value of a lane that the mask leaves out is undefined.
        if ((mask >> source & 1) == 0) continue;
        ASSERT_TRUE(right(thread, kind, which, on.first(thread) + source))
            << testing::PrintToString(on) << ", kind " << kind << " by " << by << ", width " << width << ", mask "
            << std::hex << mask << std::dec << ", thread " << thread;
      }
    }
  }
}

// What is instantiated for each width and type: no more than moves them.
template <unsigned width, class T>
void check_shuffles(const shape& on, lane_mask mask = warpz::full_mask) {
  const unsigned segment = width == 0 || width > on.warp_size ? on.warp_size : width;
  std::vector<T> inputs;
  for (unsigned thread = 0; thread < on.threads(); ++thread) inputs.push_back(value_of<T>(thread));
  const auto got = lanes::mapped(on, inputs, all_shuffles<width>{mask, segment});
  expect_shuffled(on, mask, width, segment, [&](unsigned thread, unsigned kind, unsigned which, unsigned source) {
    return same_bits(got[thread].by[kind][which], inputs[source]);
  });
}

template <class T>
class moves : public testing::Test {};

using movable = types_to_test<testing::Types<signed char, short, int, long long, float, double, __half, hip_bfloat16,
                                             int*, color, mixed, bytes<3>, bytes<23>>,
                              testing::Types<signed char, double, bytes<3>, bytes<23>>>;
TYPED_TEST_SUITE(moves, movable);

template <class T, unsigned... widths>
void check_widths(const shape& on) {
  (check_shuffles<widths, T>(on), ...);
}

TYPED_TEST(moves, of_every_width) {
  covers("shuffle_idx shuffle_up shuffle_down shuffle_xor", lanes::warp_sizes());
  for (const unsigned W : lanes::warp_sizes()) {
    for (const dim3& block : {dim3(5), dim3(W), dim3(W + 9), dim3(7, 3, 5)}) {
      check_widths<TypeParam, 0, 1, 2, 4, 8, 16, 32>({W, block});
      if (W == 64) check_widths<TypeParam, 64>({W, block});
      if (this->HasFatalFailure()) return;
    }
  }
}

TYPED_TEST(moves, within_masks) {
  covers("shuffle_idx shuffle_up shuffle_down shuffle_xor", lanes::warp_sizes());
  // Halves, every other lane, pairs, one lane, all but one, and no order at all.
  const lane_mask masks[] = {
      0xffff,        0xffffffff,         0x5555555555555555, 0xcccccccccccccccc, 0x8, 0x0000000100000000,
      ~lane_mask{1}, 0x9e3779b97f4a7c15, 0xbf58476d1ce4e5b9};
  for (const unsigned W : lanes::warp_sizes()) {
    for (const unsigned threads : {W, W + W / 2 + 3}) {
      for (const lane_mask mask : masks) {
        check_shuffles<0, TypeParam>({W, dim3(threads)}, mask);
        check_shuffles<8, TypeParam>({W, dim3(threads)}, ~mask);
        if (this->HasFatalFailure()) return;
      }
    }
  }
}

struct odd_byte {
  template <class T>
  __host__ __device__ bool operator()(const T& v) const {
    return (reinterpret_cast<const unsigned char*>(&v)[sizeof(T) - 1] & 1) != 0;
  }
};

template <class T>
struct told {
  T from_first, from_other;
  int place, place_by_bool;
};

struct broadcasts_and_partitions {
  unsigned source;

  template <class T>
  LANE_FUNCTION told<T> operator()(T v, unsigned) const {
    return {warp::broadcast(v), warp::broadcast(v, source), warp::partition(v, odd_byte{}),
            warp::partition(v, odd_byte{}(v))};
  }
};

template <class T>
void check_broadcasts(const shape& on, unsigned source) {
  std::vector<T> inputs;
  for (unsigned thread = 0; thread < on.threads(); ++thread) inputs.push_back(value_of<T>(thread));
  const auto got = lanes::mapped(on, inputs, broadcasts_and_partitions{source});
  for (unsigned first = 0; first < on.threads(); first += on.warp_size) {
    std::vector<unsigned> order(on.existing(first));
    for (unsigned lane = 0; lane < order.size(); ++lane) order[lane] = lane;
    std::stable_partition(order.begin(), order.end(), [&](unsigned lane) { return odd_byte{}(inputs[first + lane]); });
    for (unsigned place = 0; place < order.size(); ++place) {
      const unsigned thread = first + order[place];
      const T& wanted = inputs[source < on.existing(first) ? first + source : thread];
      ASSERT_TRUE(same_bits(got[thread].from_first, inputs[first])) << testing::PrintToString(on) << thread;
      ASSERT_TRUE(same_bits(got[thread].from_other, wanted)) << testing::PrintToString(on) << source << thread;
      ASSERT_EQ(got[thread].place, static_cast<int>(place)) << testing::PrintToString(on) << thread;
      ASSERT_EQ(got[thread].place_by_bool, static_cast<int>(place)) << testing::PrintToString(on) << thread;
    }
  }
}

TYPED_TEST(moves, of_one_lanes_value_to_all_and_of_some_to_the_front) {
  covers("broadcast partition", lanes::warp_sizes());
  for (const unsigned W : lanes::warp_sizes()) {
    for (const shape& on : lanes::shapes(W)) {
      for (const unsigned source : {0U, 3U, 31U, 32U, 63U, 64U, ~0U}) {
        check_broadcasts<TypeParam>(on, source);
        if (this->HasFatalFailure()) return;
      }
    }
  }
}

/// A turn's operations each work on what the one before has made, so that one that takes a value of the turn before, or
/// of the turn after, spoils all that follows.
struct many_turns {
  int turns;

  LANE_FUNCTION std::uint32_t operator()(std::uint32_t v, unsigned) const {
    for (int i = 0; i < turns; ++i) {
      const unsigned turn = static_cast<unsigned>(i), lane = static_cast<unsigned>(warp::lane_id());
      v = v * 31 + warp::shuffle_up(v, turn % 5);
      v = v * 31 + warp::shuffle_down<16>(v, turn % 7);
      v = v * 31 + warp::shuffle_xor(v, turn % 64);
      v = v * 31 + warp::shuffle_idx(v, lane * 5 + turn);
      v = v * 31 + warp::broadcast(v);
      v = v * 31 + warp::broadcast(v, turn % 40);
      v = v * 31 + static_cast<std::uint32_t>(__popcll(warp::vote((v & 8) != 0)));
      v = v * 31 + (warp::any((v & 0x700) == 0) ? 1 : 0) + (warp::all((v & 0x30000) != 0) ? 2 : 0);
      v = v * 31 + static_cast<std::uint32_t>(__popcll(warp::match_any(v & 3)));
      v = v * 31 + (warp::match_all(v >> 31) != 0 ? 1 : 0);
      v = v * 31 + static_cast<std::uint32_t>(warp::partition(v, (v & 4) != 0));
    }
    return v;
  }
};

std::vector<std::uint32_t> many_turns_of(std::vector<std::uint32_t> v, unsigned W, int turns) {
  const unsigned count = static_cast<unsigned>(v.size());
  const auto add = [&](auto term) {
    const std::vector<std::uint32_t> before = v;
    for (unsigned lane = 0; lane < count; ++lane) v[lane] = before[lane] * 31 + term(before, lane);
  };
  const auto shuffle = [&](unsigned kind, unsigned segment, auto by) {
    add([=](const auto& old, unsigned lane) { return old[source_of(kind, lane, segment, count, by(lane))]; });
  };
  const auto counted = [](const auto& old, auto holds) {
    return static_cast<std::uint32_t>(std::count_if(old.begin(), old.end(), holds));
  };
  for (int i = 0; i < turns; ++i) {
    const unsigned turn = static_cast<unsigned>(i);
    shuffle(1, W, [=](unsigned) { return turn % 5; });
    shuffle(2, 16, [=](unsigned) { return turn % 7; });
    shuffle(3, W, [=](unsigned) { return turn % 64; });
    shuffle(0, W, [=](unsigned lane) { return lane * 5 + turn; });
    shuffle(0, W, [](unsigned) { return 0U; });
    shuffle(0, W, [=](unsigned) { return turn % 40; });
    add([&](const auto& old, unsigned) { return counted(old, [](std::uint32_t x) { return (x & 8) != 0; }); });
    add([&](const auto& old, unsigned) {
      const bool any = counted(old, [](std::uint32_t x) { return (x & 0x700) == 0; }) != 0;
      const bool all = counted(old, [](std::uint32_t x) { return (x & 0x30000) != 0; }) == count;
      return (any ? 1U : 0U) + (all ? 2U : 0U);
    });
    add([&](const auto& old, unsigned lane) {
      return counted(old, [&](std::uint32_t x) { return (x & 3) == (old[lane] & 3); });
    });
    add([&](const auto& old, unsigned) {
      return counted(old, [&](std::uint32_t x) { return x >> 31 == old[0] >> 31; }) == count ? 1U : 0U;
    });
    add([&](const auto& old, unsigned lane) {
      const auto first = [](std::uint32_t x) { return (x & 4) != 0; };
      const bool mine = first(old[lane]);
      const auto before =
          std::count_if(old.begin(), old.begin() + lane, [&](std::uint32_t x) { return first(x) == mine; });
      return static_cast<std::uint32_t>(before) + (mine ? 0 : counted(old, first));
    });
  }
  return v;
}

TEST(moves_in_a_loop, each_work_on_what_the_one_before_has_made) {
  covers("vote any all", lanes::warp_sizes(), "bool");
  for (const unsigned W : lanes::warp_sizes()) {
    for (const shape& on : lanes::shapes(W)) {
      std::vector<std::uint32_t> inputs;
      for (unsigned thread = 0; thread < on.threads(); ++thread) {
        inputs.push_back(static_cast<std::uint32_t>(values::scrambled(thread + 11)));
      }
      const int turns = 70;  // more than there are distances
      const auto got = lanes::mapped(on, inputs, many_turns{turns});
      for (unsigned first = 0; first < on.threads(); first += W) {
        const auto right =
            many_turns_of({inputs.begin() + first, inputs.begin() + first + on.existing(first)}, W, turns);
        for (unsigned lane = 0; lane < right.size(); ++lane) {
          ASSERT_EQ(got[first + lane], right[lane]) << testing::PrintToString(on) << ", thread " << first + lane;
        }
      }
    }
  }
}

}  // namespace test_moves
