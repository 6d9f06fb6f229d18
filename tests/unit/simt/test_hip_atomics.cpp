// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Atomics: what they do to the variable, what they return, and that whoever spins on one lets others run.
#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>

#include "hip_kernels.hpp"

namespace test_hip_atomics {

using namespace hip_kernels;

HIP_KERNEL_TESTS(hip_atomics);
HIP_KERNEL_TESTS(hip_spinning);

/// Runs `operation(variable, value)` once, in a kernel, and expects what it returns and leaves.
template <class T, class Operation>
void expect(const Operation& operation, T before, T after) {
  T variable = before;
  T returned{};
  run(32, dim3(1), dim3(1), [&] { returned = operation(&variable); });
  EXPECT_EQ(std::memcmp(&returned, &before, sizeof(T)), 0) << +returned << " instead of " << +before;
  EXPECT_EQ(std::memcmp(&variable, &after, sizeof(T)), 0) << +variable << " instead of " << +after;
}

#define EXPECT_ATOMIC(T, call, before, after)             \
  expect<T>(                                              \
      [](T* p) {                                          \
        static_assert(std::is_same_v<decltype(call), T>); \
        return call;                                      \
      },                                                  \
      before, after)

template <class T>
void check_integer() {
  using limits = std::numeric_limits<T>;
  EXPECT_ATOMIC(T, atomicAdd(p, 5), 7, 12);
  EXPECT_ATOMIC(T, atomicAdd(p, 1), limits::max(), limits::min());
  EXPECT_ATOMIC(T, atomicAdd_system(p, 5), 7, 12);
  EXPECT_ATOMIC(T, atomicSub(p, 5), 7, 2);
  EXPECT_ATOMIC(T, atomicSub(p, 1), limits::min(), limits::max());
  EXPECT_ATOMIC(T, atomicSub_system(p, 5), 7, 2);
  EXPECT_ATOMIC(T, atomicExch(p, 3), 9, 3);
  EXPECT_ATOMIC(T, atomicExch_system(p, 3), 9, 3);
  EXPECT_ATOMIC(T, atomicAnd(p, 0x3c), 0x0f, 0x0c);
  EXPECT_ATOMIC(T, atomicAnd_system(p, 0x3c), 0x0f, 0x0c);
  EXPECT_ATOMIC(T, atomicOr(p, 0x3c), 0x0f, 0x3f);
  EXPECT_ATOMIC(T, atomicOr_system(p, 0x3c), 0x0f, 0x3f);
  EXPECT_ATOMIC(T, atomicXor(p, 0x3c), 0x0f, 0x33);
  EXPECT_ATOMIC(T, atomicXor_system(p, 0x3c), 0x0f, 0x33);
  EXPECT_ATOMIC(T, atomicCAS(p, 4, 6), 4, 6);
  EXPECT_ATOMIC(T, atomicCAS(p, 4, 6), 5, 5);
  EXPECT_ATOMIC(T, atomicCAS_system(p, 4, 6), 4, 6);
}

template <class T>
void check_extrema() {
  EXPECT_ATOMIC(T, atomicMin(p, 3), 9, 3);
  EXPECT_ATOMIC(T, atomicMin(p, 9), 3, 3);
  EXPECT_ATOMIC(T, atomicMin_system(p, 3), 9, 3);
  EXPECT_ATOMIC(T, atomicMax(p, 9), 3, 9);
  EXPECT_ATOMIC(T, atomicMax(p, 3), 9, 9);
  EXPECT_ATOMIC(T, atomicMax_system(p, 9), 3, 9);
  // Compared as the type has it: all bits set are the least or nearly so, or the greatest.
  constexpr bool is_signed = std::numeric_limits<T>::is_signed;
  EXPECT_ATOMIC(T, atomicMax(p, static_cast<T>(-1)), 1, is_signed ? 1 : static_cast<T>(-1));
  EXPECT_ATOMIC(T, atomicMin(p, static_cast<T>(-1)), 1, is_signed ? static_cast<T>(-1) : 1);
}

template <class T>
void check_float() {
  constexpr T nan = std::numeric_limits<T>::quiet_NaN();
  EXPECT_ATOMIC(T, atomicAdd(p, 2), 0.5, 2.5);
  EXPECT_ATOMIC(T, atomicAdd_system(p, T(0.25)), -1, -0.75);
  EXPECT_ATOMIC(T, unsafeAtomicAdd(p, 1), 2, 3);
  EXPECT_ATOMIC(T, safeAtomicAdd(p, 1), 2, 3);
  EXPECT_ATOMIC(T, atomicSub(p, 2), 0.5, -1.5);
  EXPECT_ATOMIC(T, atomicExch(p, T(1.5)), -2, 1.5);
  EXPECT_ATOMIC(T, atomicCAS(p, T(1.5), 8), 1.5, 8);
  EXPECT_ATOMIC(T, atomicCAS(p, 0, 8), T(-0.0), T(-0.0));
  EXPECT_ATOMIC(T, atomicCAS(p, nan, 8), nan, 8);
  EXPECT_ATOMIC(T, atomicMin(p, T(-0.0)), 0, T(-0.0));
  EXPECT_ATOMIC(T, atomicMax(p, 0), T(-0.0), 0);
  EXPECT_ATOMIC(T, atomicMin(p, nan), 1, 1);
  EXPECT_ATOMIC(T, atomicMax(p, nan), 1, 1);
  EXPECT_ATOMIC(T, unsafeAtomicMin(p, -1), 1, -1);
  EXPECT_ATOMIC(T, unsafeAtomicMax(p, 2), 1, 2);
  EXPECT_ATOMIC(T, safeAtomicMin(p, -1), 1, -1);
  EXPECT_ATOMIC(T, safeAtomicMax(p, 2), 1, 2);
  check_extrema<T>();
}

TEST(hip_atomic_results, of_integers) {
  check_integer<int>();
  check_integer<unsigned>();
  check_integer<unsigned long>();
  check_integer<unsigned long long>();
  check_extrema<int>();
  check_extrema<unsigned>();
  check_extrema<long long>();
  check_extrema<unsigned long>();
  check_extrema<unsigned long long>();
}

TEST(hip_atomic_results, of_floats) {
  check_float<float>();
  check_float<double>();
}

TEST(hip_atomic_results, of_counters_that_begin_again) {
  EXPECT_ATOMIC(unsigned, atomicInc(p, 3), 2, 3);
  EXPECT_ATOMIC(unsigned, atomicInc(p, 3), 3, 0);
  EXPECT_ATOMIC(unsigned, atomicInc(p, 3), 9, 0);
  EXPECT_ATOMIC(unsigned, atomicDec(p, 3), 3, 2);
  EXPECT_ATOMIC(unsigned, atomicDec(p, 3), 0, 3);
  EXPECT_ATOMIC(unsigned, atomicDec(p, 3), 4, 3);
}

#define SCOPE __ATOMIC_ACQ_REL, __HIP_MEMORY_SCOPE_AGENT

TEST(hip_atomic_results, with_an_order_and_a_scope) {
  EXPECT_ATOMIC(unsigned, __hip_atomic_load(p, __ATOMIC_ACQUIRE, __HIP_MEMORY_SCOPE_SYSTEM), 7, 7);
  EXPECT_ATOMIC(float, __hip_atomic_load(p, __ATOMIC_RELAXED, __HIP_MEMORY_SCOPE_WORKGROUP), 7, 7);
  EXPECT_ATOMIC(int, __hip_atomic_exchange(p, 9, SCOPE), 7, 9);
  EXPECT_ATOMIC(unsigned long long, __hip_atomic_fetch_add(p, 9, SCOPE), 7, 16);
  EXPECT_ATOMIC(double, __hip_atomic_fetch_add(p, 0.5, SCOPE), 7, 7.5);
  EXPECT_ATOMIC(int, __hip_atomic_fetch_sub(p, 9, SCOPE), 7, -2);
  EXPECT_ATOMIC(unsigned, __hip_atomic_fetch_and(p, 3, SCOPE), 6, 2);
  EXPECT_ATOMIC(unsigned, __hip_atomic_fetch_or(p, 3, SCOPE), 6, 7);
  EXPECT_ATOMIC(unsigned, __hip_atomic_fetch_xor(p, 3, SCOPE), 6, 5);
  EXPECT_ATOMIC(float, __hip_atomic_fetch_min(p, 3, SCOPE), 6, 3);
  EXPECT_ATOMIC(long long, __hip_atomic_fetch_max(p, 8, SCOPE), 6, 8);

  long long variable = 5, expected = 4;
  bool done[3] = {};
  run(32, dim3(1), dim3(1), [&] {
    done[0] = __hip_atomic_compare_exchange_strong(&variable, &expected, 8, __ATOMIC_SEQ_CST, __ATOMIC_RELAXED,
                                                   __HIP_MEMORY_SCOPE_SYSTEM);
    done[1] = expected == 5 && variable == 5;
    done[2] = __hip_atomic_compare_exchange_weak(&variable, &expected, 8, __ATOMIC_SEQ_CST, __ATOMIC_RELAXED,
                                                 __HIP_MEMORY_SCOPE_SYSTEM);
    if (variable == 8) __hip_atomic_store(&variable, 9, __ATOMIC_RELEASE, __HIP_MEMORY_SCOPE_SINGLETHREAD);
  });
  EXPECT_FALSE(done[0]);
  EXPECT_TRUE(done[1]);
  EXPECT_TRUE(done[2]);
  EXPECT_EQ(variable, 9);
}

// Many threads at once.

TEST_P(hip_atomics, lose_nothing_between_lanes_warps_and_blocks) {
  constexpr unsigned blocks = 64;
  const unsigned threads = 3 * W + 5;
  struct totals {
    int sum;
    unsigned count, wrapped;
    unsigned long long wide;
    float real;
    double wide_real;
    int least;
    unsigned greatest;
    unsigned bits;
  } counters{0, 0, 0, 0, 0, 0, 1000, 0, 0};
  std::vector<int> tickets(blocks * threads);
  run(W, dim3(blocks), dim3(threads), [&] {
    const unsigned i = blockIdx.x * threads + rank();
    atomicAdd(&counters.sum, static_cast<int>(i));
    atomicSub(&counters.sum, 3);
    atomicAdd(&counters.wide, 1ull << 33);
    atomicAdd(&counters.real, 0.5f);
    atomicAdd(&counters.wide_real, 0.25);
    atomicMin(&counters.least, -static_cast<int>(i));
    atomicMax(&counters.greatest, i);
    atomicXor(&counters.bits, i);
    atomicInc(&counters.wrapped, 6);
    ++tickets[atomicAdd(&counters.count, 1)];
  });
  const int n = static_cast<int>(blocks * threads);
  unsigned bits = 0;
  for (int i = 0; i < n; ++i) bits ^= static_cast<unsigned>(i);
  EXPECT_EQ(counters.sum, n * (n - 1) / 2 - 3 * n);
  EXPECT_EQ(counters.count, static_cast<unsigned>(n));
  EXPECT_EQ(counters.wrapped, static_cast<unsigned>(n % 7));
  EXPECT_EQ(counters.wide, static_cast<unsigned long long>(n) << 33);
  EXPECT_EQ(counters.real, 0.5f * static_cast<float>(n));
  EXPECT_EQ(counters.wide_real, 0.25 * n);
  EXPECT_EQ(counters.least, 1 - n);
  EXPECT_EQ(counters.greatest, static_cast<unsigned>(n - 1));
  EXPECT_EQ(counters.bits, bits);
  EXPECT_EQ(std::count(tickets.begin(), tickets.end(), 1), n);
}

TEST_P(hip_atomics, of_floats_lose_nothing_between_cores) {
  // So few in each block that the machine does not take it for a waiting one, which gives its core away.
  constexpr int times = 1000, blocks = 12'000;
  double sum = 0;
  run(W, dim3(blocks), dim3(1), [&] {
    for (int i = 0; i < times; ++i) atomicAdd(&sum, 1.0);
  });
  EXPECT_EQ(sum, static_cast<double>(blocks) * times);
}

TEST_P(hip_atomics, work_on_shared_memory) {
  std::vector<unsigned> got(30);
  run(W, dim3(30), dim3(2 * W), [&] {
    __shared__ unsigned histogram[4];
    if (rank() < 4) histogram[rank()] = 0;
    __syncthreads();
    atomicAdd(&histogram[rank() % 4], blockIdx.x);
    __syncthreads();
    if (rank() == 0) got[blockIdx.x] = histogram[0] + histogram[1] + histogram[2] + histogram[3];
  });
  for (unsigned block = 0; block < 30; ++block) EXPECT_EQ(got[block], block * 2 * W);
}

// Spinning.

TEST_P(hip_spinning, a_lock_among_all_threads_of_all_blocks) {
  int lock = 0;
  unsigned guarded = 0;
  run(W, dim3(6), dim3(W + 3), [&] {
    while (atomicCAS(&lock, 0, 1) != 0) {
    }
    __threadfence();
    const unsigned before = guarded;
    __threadfence();
    guarded = before + 1;
    __threadfence();
    atomicExch(&lock, 0);
  });
  EXPECT_EQ(guarded, 6 * (W + 3));
}

TEST_P(hip_spinning, lanes_that_take_turns_backwards) {
  unsigned turn = 0;
  run(W, dim3(1), dim3(2 * W), [&] {
    const unsigned mine = 2 * W - 1 - rank();
    while (atomicAdd(&turn, 0) != mine) {
    }
    atomicAdd(&turn, 1);
  });
  EXPECT_EQ(turn, 2 * W);
}

TEST_P(hip_spinning, blocks_that_wait_for_later_blocks) {
  constexpr unsigned blocks = 24;
  int turn = blocks - 1;
  run(W, dim3(blocks), dim3(W), [&] {
    if (rank() == 0) {
      while (__hip_atomic_load(&turn, __ATOMIC_ACQUIRE, __HIP_MEMORY_SCOPE_AGENT) != static_cast<int>(blockIdx.x)) {
      }
      __hip_atomic_fetch_sub(&turn, 1, __ATOMIC_RELEASE, __HIP_MEMORY_SCOPE_AGENT);
    }
    __syncthreads();
  });
  EXPECT_EQ(turn, -1);
}

TEST_P(hip_spinning, for_nothing_is_a_finding_that_names_the_atomic) {
  static int never = 0;
  EXPECT_FINDING(run_broken(W, dim3(W),
                            [] {
                              while (atomicCAS(&never, 1, 0) == 0) {
                              }
                            }),
                 "kind 4: .*state 4 atomicCAS mask 0 line ");
}

}  // namespace test_hip_atomics
