// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Shuffles, broadcasts and votes: which lane's value arrives where, for every type, width and kind of block.
#include <cstdint>
#include <cstring>

#include "lanes.hpp"
#include "warpz/warp.hpp"

namespace {

namespace warp = warpz::warp;
using lanes::results_of;
using lanes::shape;
using warpz::lane_mask;

/// A value of any type that tells threads apart in every byte.
template <class T>
__host__ __device__ T value_of(unsigned thread) {
  unsigned char bytes[sizeof(T)];
  for (unsigned i = 0; i < sizeof(T); ++i) bytes[i] = static_cast<unsigned char>(thread * 37 + thread / 7 + i * 11);
  T made;
  std::memcpy(&made, bytes, sizeof(T));
  return made;
}

template <>
__host__ __device__ bool value_of<bool>(unsigned thread) {
  return thread % 3 == 1;
}

template <std::size_t size>
struct bytes {
  unsigned char data[size];
};

struct mixed {
  double wide;
  float narrow;
  short shorter;
  char least[2];  // no byte is padding, whose content need not arrive
};

template <class T>
bool same_bits(const T& a, const T& b) {
  return std::memcmp(&a, &b, sizeof(T)) == 0;
}

enum class operation { idx, up, down, exclusive_or };

constexpr operation operations[] = {operation::idx, operation::up, operation::down, operation::exclusive_or};

/// The rules of the four shuffles: the lane that is read, or the caller's own where there is none.
unsigned source_of(operation which, unsigned lane, unsigned segment, unsigned existing, std::uint64_t argument) {
  const std::uint64_t begin = lane / segment * segment, end = begin + segment;
  std::uint64_t source = 0;
  switch (which) {
    case operation::idx:
      source = begin + argument;
      break;
    case operation::up:
      source = lane - argument;
      break;  // wraps below 0 and is then beyond every end
    case operation::down:
      source = lane + argument;
      break;
    case operation::exclusive_or:
      source = lane ^ argument;
      break;
  }
  return begin <= source && source < end && source < existing ? static_cast<unsigned>(source) : lane;
}

template <unsigned width, class T>
__device__ T shuffled(operation which, T v, unsigned argument) {
  switch (which) {
    case operation::idx:
      return warp::shuffle_idx<width>(v, argument);
    case operation::up:
      return warp::shuffle_up<width>(v, argument);
    case operation::down:
      return warp::shuffle_down<width>(v, argument);
    default:
      return warp::shuffle_xor<width>(v, argument);
  }
}

/// Arguments that all lanes share; behind them comes one that each lane has for itself.
std::vector<unsigned> shared_arguments(unsigned segment) {
  return {0,  1,  2,  3,  5,    segment / 2, segment - 1, segment,    segment + 1,
          31, 32, 63, 64, 1000, 0x7fffffff,  0x80000000,  0xfffffff0, 0xffffffff};
}

template <unsigned width, class T>
void check_shuffles(const shape& on) {
  const unsigned segment = width == 0 || width > on.warp_size ? on.warp_size : width;
  const std::vector<unsigned> shared = shared_arguments(segment);
  for (const operation which : operations) {
    for (std::size_t round = 0; round <= shared.size(); ++round) {
      const bool of_its_own = round == shared.size();
      const unsigned for_all = of_its_own ? 0 : shared[round];
      const auto argument_of = [=](unsigned thread) { return of_its_own ? (thread * 7 + 3) % (2 * segment) : for_all; };
      const auto got = results_of(on, [=] __device__(unsigned thread) {
        return shuffled<width>(which, value_of<T>(thread), argument_of(thread));
      });
      ASSERT_EQ(got.size(), on.threads());
      for (unsigned thread = 0; thread < got.size(); ++thread) {
        const unsigned lane = on.lane(thread);
        const unsigned source =
            on.first(thread) + source_of(which, lane, segment, on.existing(thread), argument_of(thread));
        ASSERT_TRUE(same_bits(got[thread], value_of<T>(source)))
            << "operation " << static_cast<int>(which) << ", " << testing::PrintToString(on) << ", width " << width
            << ", argument " << argument_of(thread) << ": thread " << thread << " should have thread " << source
            << "'s value";
      }
    }
  }
}

class warp_operation : public testing::TestWithParam<unsigned> {
 protected:
  const unsigned W = GetParam();
};

INSTANTIATE_TEST_SUITE_P(both_warp_sizes, warp_operation, testing::Values(32U, 64U));

TEST_P(warp_operation, shuffles_keep_to_their_rules_for_every_width) {
  for (const shape& on : lanes::shapes(W)) {
    check_shuffles<0, unsigned>(on);
    check_shuffles<1, unsigned>(on);
    check_shuffles<2, unsigned>(on);
    check_shuffles<4, unsigned>(on);
    check_shuffles<8, unsigned>(on);
    check_shuffles<16, unsigned>(on);
    check_shuffles<32, unsigned>(on);
    if (W == 64) check_shuffles<64, unsigned>(on);
    if (HasFatalFailure()) return;
  }
}

template <class... T>
void check_types(unsigned warp_size) {
  for (const unsigned threads : {5U, warp_size, warp_size + 9}) (check_shuffles<0, T>({warp_size, dim3(threads)}), ...);
}

TEST_P(warp_operation, shuffles_move_every_number) {
  check_types<bool, signed char, short, int, unsigned, long, unsigned long, long long, float, double>(W);
}

TEST_P(warp_operation, shuffles_move_any_trivially_copyable_type) {
  enum class color : unsigned char {};
  check_types<bytes<1>, bytes<3>, bytes<5>, bytes<8>, bytes<12>, bytes<16>, bytes<23>, mixed, int*, color>(W);
}

TEST_P(warp_operation, size_and_lane_id_are_the_warps) {
  for (const shape& on : lanes::shapes(W)) {
    const auto got = results_of(on, [] __device__(unsigned) { return warp::size() * 1000 + warp::lane_id(); });
    for (unsigned thread = 0; thread < got.size(); ++thread) {
      ASSERT_EQ(got[thread], static_cast<int>(W * 1000 + thread % W)) << testing::PrintToString(on);
    }
  }
}

TEST_P(warp_operation, broadcast_gives_the_first_lanes_value_to_all) {
  for (const shape& on : lanes::shapes(W)) {
    const auto got =
        results_of(on, [] __device__(unsigned thread) { return warp::broadcast(value_of<mixed>(thread)); });
    for (unsigned thread = 0; thread < got.size(); ++thread) {
      ASSERT_TRUE(same_bits(got[thread], value_of<mixed>(on.first(thread)))) << testing::PrintToString(on) << thread;
    }
  }
}

TEST_P(warp_operation, broadcast_gives_any_lanes_value_to_all_and_each_its_own_where_that_lane_is_missing) {
  for (const shape& on : lanes::shapes(W)) {
    for (const unsigned source : {0U, 1U, 4U, 30U, 31U, 32U, 63U, 64U, 0xffffffffU}) {
      const auto got =
          results_of(on, [=] __device__(unsigned thread) { return warp::broadcast(value_of<double>(thread), source); });
      for (unsigned thread = 0; thread < got.size(); ++thread) {
        const unsigned from = source < on.existing(thread) ? on.first(thread) + source : thread;
        ASSERT_TRUE(same_bits(got[thread], value_of<double>(from))) << testing::PrintToString(on) << thread;
      }
    }
  }
}

TEST_P(warp_operation, shuffles_within_the_lanes_that_a_mask_names) {
  const lane_mask low = (lane_mask{1} << W / 2) - 1;
  for (const unsigned threads : {W, W + 3, W / 2 + 3}) {
    const auto got = results_of({W, dim3(threads)}, [=] __device__(unsigned thread) {
      // Two branches, each with all the lanes of its mask.
      if (warp::lane_id() < warp::size() / 2) return warp::shuffle_xor(thread, 1, low);
      return warp::shuffle_down(thread, 1, ~low) + 1000;
    });
    const shape on{W, dim3(threads)};
    for (unsigned thread = 0; thread < threads; ++thread) {
      const unsigned lane = on.lane(thread), existing = on.existing(thread);
      const unsigned partner = (lane ^ 1) < existing ? thread ^ 1 : thread;
      const unsigned next = lane + 1 < existing ? thread + 1 : thread;
      ASSERT_EQ(got[thread], lane < W / 2 ? partner : next + 1000) << threads << " threads, thread " << thread;
    }
  }
}

TEST_P(warp_operation, shuffles_among_lanes_that_came_in_different_orders) {
  // Odd lanes first make a detour by themselves, so that all meet in the last shuffle from two directions.
  const lane_mask odd = 0xaaaaaaaaaaaaaaaa;
  const auto got = results_of({W, dim3(W)}, [=] __device__(unsigned thread) {
    unsigned v = thread;
    if (thread % 2 == 1) v = warp::shuffle_xor(v, 2, odd);
    return warp::shuffle_xor(v, 1);
  });
  for (unsigned thread = 0; thread < W; ++thread) ASSERT_EQ(got[thread], thread % 2 == 0 ? (thread ^ 3) : (thread ^ 1));
}

TEST_P(warp_operation, vote_any_and_all_know_existing_lanes_only) {
  struct answers {
    lane_mask vote;
    bool any, all;
  };
  const lane_mask patterns[] = {
      0, 1, 2, 0x8000000000000000, 0x5555555555555555, 0xffffffff, 0xffffffff00000000, ~lane_mask{0}};
  for (const shape& on : lanes::shapes(W)) {
    for (const lane_mask pattern : patterns) {
      const auto got = results_of(on, [=] __device__(unsigned) {
        const bool holds = (pattern >> warp::lane_id() & 1) != 0;
        return answers{warp::vote(holds), warp::any(holds), warp::all(holds)};
      });
      for (unsigned thread = 0; thread < got.size(); ++thread) {
        const unsigned existing = on.existing(thread);
        const lane_mask there = existing == 64 ? ~lane_mask{0} : (lane_mask{1} << existing) - 1;
        ASSERT_EQ(got[thread].vote, pattern & there) << testing::PrintToString(on);
        ASSERT_EQ(got[thread].any, (pattern & there) != 0) << testing::PrintToString(on);
        ASSERT_EQ(got[thread].all, (pattern & there) == there) << testing::PrintToString(on);
      }
    }
  }
}

TEST_P(warp_operation, active_mask_names_the_caller_and_none_that_took_the_other_branch) {
  for (const unsigned threads : {W, W / 2 + 3, W + 5}) {
    const shape on{W, dim3(threads)};
    const auto got = results_of(on, [] __device__(unsigned thread) {
      if (thread % 3 == 0) return warp::active_mask();
      return warp::active_mask();
    });
    for (unsigned thread = 0; thread < threads; ++thread) {
      const unsigned lane = on.lane(thread);
      ASSERT_TRUE(got[thread] >> lane & 1) << thread;
      for (unsigned other = 0; other < 64; ++other) {
        if ((got[thread] >> other & 1) == 0) continue;
        ASSERT_LT(other, on.existing(thread));
        ASSERT_EQ((on.first(thread) + other) % 3 == 0, thread % 3 == 0) << thread << " with lane " << other;
      }
    }
  }
}

static_assert(warpz::vendor() == warpz::platform::cpu, "these tests are built for the CPU machine");
static_assert(warpz::full_mask == ~std::uint64_t{0}, "the full mask names all lanes of either warp size");

}  // namespace
