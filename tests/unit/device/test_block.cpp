// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The operations of a block against models that add in the promised order: for every type, shape of block and kind of
// values, and called again at once.
#include <algorithm>
#include <cstdint>
#include <cstring>
#include <limits>
#include <type_traits>

#include "block_results.hpp"
#include "covers.hpp"
#include "test_block_support.hpp"
#include "values.hpp"
#include "warpz/block.hpp"

namespace test_block {

namespace block = warpz::block;
using blocks::array;
using blocks::results;
using blocks::run_all;
using values::narrow;
using values::plus;
using values::same;

template <class T>
std::vector<std::vector<T>> warps_of(const std::vector<T>& list, unsigned warp_size) {
  std::vector<std::vector<T>> warps;
  for (std::size_t begin = 0; begin < list.size(); begin += warp_size) {
    const std::size_t end = std::min<std::size_t>(list.size(), begin + warp_size);
    warps.emplace_back(list.begin() + static_cast<std::ptrdiff_t>(begin),
                       list.begin() + static_cast<std::ptrdiff_t>(end));
  }
  return warps;
}

template <class T>
T sum_of_block(const std::vector<T>& list, unsigned warp_size) {
  std::vector<T> sums;
  for (const std::vector<T>& each : warps_of(list, warp_size)) sums.push_back(values::tree(each, plus<T>));
  return values::tree(sums, plus<T>);
}

template <class T>
std::vector<T> scan_of_block(const std::vector<T>& list, unsigned warp_size) {
  std::vector<std::vector<T>> scans;
  std::vector<T> totals;
  for (const std::vector<T>& each : warps_of(list, warp_size)) {
    scans.push_back(values::scan(each, plus<T>));
    totals.push_back(scans.back().back());
  }
  totals = values::scan(totals, plus<T>);
  std::vector<T> all;
  for (std::size_t warp = 0; warp < scans.size(); ++warp) {
    for (const T& each : scans[warp]) all.push_back(warp == 0 ? each : plus(totals[warp - 1], each));
  }
  return all;
}

template <class T>
void check(unsigned warp_size, dim3 shape, const std::vector<T>& list) {
  const unsigned threads = blocks::threads_of(shape);
  array<T> input(list);
  array<results<T>> output(threads);
  hipLaunchKernelGGL((run_all<T>), dim3(1), shape, 0, nullptr, input.data(), output.data());
  blocks::finish();
  const std::vector<results<T>> got = output.values();
  const T sum = sum_of_block(list, warp_size);
  const T max = values::tree(list, values::greater_of<T>), min = values::tree(list, values::lesser_of<T>);
  const std::vector<T> scan = scan_of_block(list, warp_size);
  for (unsigned i = 0; i < threads; ++i) {
    const auto where = [&](const T& result, const T& wanted) {
      return std::to_string(shape.x) + " x " + std::to_string(shape.y) + " x " + std::to_string(shape.z) +
             " threads, " + std::to_string(warp_size) + " lanes, thread " + std::to_string(i) + ": " +
             std::to_string(values::widen(result)) + " is not " + std::to_string(values::widen(wanted));
    };
    const T before = i == 0 ? narrow<T>(0) : scan[i - 1];
    ASSERT_TRUE(same(got[i].sum, sum)) << where(got[i].sum, sum);
    ASSERT_TRUE(values::same_extreme(got[i].max, max)) << where(got[i].max, max);
    ASSERT_TRUE(values::same_extreme(got[i].min, min)) << where(got[i].min, min);
    ASSERT_TRUE(same(got[i].inclusive, scan[i])) << where(got[i].inclusive, scan[i]);
    ASSERT_TRUE(same(got[i].exclusive, before)) << where(got[i].exclusive, before);
  }
  ASSERT_TRUE(same(got[0].sum_in_first, sum));
  ASSERT_TRUE(values::same_extreme(got[0].max_in_first, max));
  ASSERT_TRUE(values::same_extreme(got[0].min_in_first, min));
}

template <class T>
class block_operations : public testing::Test {};
TYPED_TEST_SUITE(block_operations, values::numbers);

TYPED_TEST(block_operations, of_every_shape) {
  covers("block::sum block::max block::min block::prefix_sum", blocks::warp_sizes());
  using T = TypeParam;
  for (const unsigned W : blocks::warp_sizes()) {
    blocks::use_warp_size(W);
    unsigned round = 0;
    for (const dim3& shape : blocks::shapes(W)) {
      std::vector<T> list;
      for (unsigned i = 0; i < blocks::threads_of(shape); ++i)
        list.push_back(values::value<T>(values::sort::usual, i + 1024 * round));
      check(W, shape, list);
      if (this->HasFatalFailure()) return;
      ++round;
    }
  }
}

/// Blocks of one warp, of several, and of a piece of one.
std::vector<unsigned> sizes(unsigned W) {
  if (address_sanitized) return {1, W - 3, 3 * W};
  return {1, W - 3, W, W + 1, 3 * W, 4 * W + 7, largest_block};
}

TYPED_TEST(block_operations, of_every_sort_of_values) {
  covers("block::sum block::max block::min block::prefix_sum", blocks::warp_sizes());
  using T = TypeParam;
  for (const unsigned W : blocks::warp_sizes()) {
    blocks::use_warp_size(W);
    for (const unsigned threads : sizes(W)) {
      for (const values::sort sort : values::sorts) {
        std::vector<T> list;
        for (unsigned i = 0; i < threads; ++i) list.push_back(values::value<T>(sort, i));
        check(W, dim3(threads), list);
        if (this->HasFatalFailure()) return;
      }
    }
  }
}

/// The least and the greatest of a type, infinities left out.
template <class T>
T end_of_range(bool upper) {
  if constexpr (!values::is_narrow<T>) {
    return upper ? std::numeric_limits<T>::max() : std::numeric_limits<T>::lowest();
  } else {
    return narrow<T>(upper ? 65504 : -65504);
  }
}

TYPED_TEST(block_operations, find_the_one_that_differs_wherever_it_is) {
  using T = TypeParam;
  for (const unsigned W : blocks::warp_sizes()) {
    blocks::use_warp_size(W);
    const unsigned threads = 5 * W + 3;
    for (unsigned chosen = 0; chosen < threads; chosen += chosen % W == 0 || chosen % W == W - 2 ? 1 : W - 3) {
      for (const bool upper : {false, true}) {
        std::vector<T> list(threads, end_of_range<T>(!upper));
        list[chosen] = end_of_range<T>(upper);
        check(W, dim3(threads), list);
        if (this->HasFatalFailure()) return;
      }
    }
  }
}

template <class T>
class block_operations_on_floats : public block_operations<T> {};

using floats = types_to_test<testing::Types<float, double, __half, hip_bfloat16>, testing::Types<float, __half>>;
TYPED_TEST_SUITE(block_operations_on_floats, floats);

TYPED_TEST(block_operations_on_floats, know_infinities_nan_and_the_negative_zero) {
  using T = TypeParam;
  constexpr double nan = std::numeric_limits<double>::quiet_NaN(), infinity = std::numeric_limits<double>::infinity();
  for (const unsigned W : blocks::warp_sizes()) {
    blocks::use_warp_size(W);
    for (const unsigned threads : sizes(W)) {
      for (const double rule : {nan, -infinity, infinity, -0.0, 0.0, -3.0, 5.0}) {
        check(W, dim3(threads), std::vector<T>(threads, narrow<T>(rule)));
        for (const double exception : {nan, -infinity, infinity, -0.0, 0.0}) {
          for (const unsigned place : {threads / 2, 0U, threads - 1}) {
            std::vector<T> list(threads, narrow<T>(rule));
            list[place] = narrow<T>(exception);
            check(W, dim3(threads), list);
            if (this->HasFatalFailure()) return;
            if (threads > 8 * W) break;  // the ends of the largest blocks are like those of the others
          }
        }
      }
    }
  }
}

// A product is not fused with the first addition behind it.
template <class T>
__global__ void sum_products(const T* a, const T* b, T* sums) {
  const unsigned i = blocks::rank();
  sums[2 * i] = block::sum(a[i] * b[i]);
  sums[2 * i + 1] = block::prefix_sum(a[i] * b[i]);
}

template <class T>
void check_products(unsigned W, unsigned threads) {
  std::vector<T> a, b, products;
  for (unsigned i = 0; i < threads; ++i) {
    a.push_back(values::value<T>(values::sort::usual, i));
    b.push_back(values::value<T>(values::sort::usual, i + 5000));
    const volatile T product = a[i] * b[i];
    products.push_back(T{product});
  }
  array<T> left(a), right(b), sums(2 * threads);
  hipLaunchKernelGGL((sum_products<T>), dim3(1), dim3(threads), 0, nullptr, left.data(), right.data(), sums.data());
  blocks::finish();
  const std::vector<T> got = sums.values(), scan = scan_of_block(products, W);
  const T sum = sum_of_block(products, W);
  for (unsigned i = 0; i < threads; ++i) {
    ASSERT_TRUE(same(got[2 * i], sum)) << threads << " threads, thread " << i;
    ASSERT_TRUE(same(got[2 * i + 1], scan[i])) << threads << " threads, thread " << i;
  }
}

TEST(block_operations_again, round_products_before_they_add_them) {
  for (const unsigned W : blocks::warp_sizes()) {
    blocks::use_warp_size(W);
    for (const unsigned threads : sizes(W)) {
      check_products<float>(W, threads);
      check_products<double>(W, threads);
    }
  }
}

// Each pair of operations, one right after the other, in a loop: each call's results depend on the values of its own
// turn, so one that reads what another call left behind, or writes before all have read, is wrong.
constexpr unsigned operations = 9;

/// 1 if operation `which` gives a wrong result on values that depend on `turn`.
__device__ int wrong(unsigned which, int turn, unsigned rank, unsigned threads) {
  const int n = static_cast<int>(threads), i = static_cast<int>(rank);
  const int v = turn + i, all = n * turn + n * (n - 1) / 2, before = i * turn + i * (i - 1) / 2;
  switch (which) {
    case 0:
      return block::sum(v) != all;
    case 1:
      return block::max(v) != turn + n - 1;
    case 2:
      return block::min(v) != turn;
    case 3:
      return block::sum<false>(v) != all && rank == 0;
    case 4:
      return block::max<false>(v) != turn + n - 1 && rank == 0;
    case 5:
      return block::min<false>(v) != turn && rank == 0;
    case 6:
      return block::prefix_sum(v) != before + v;
    case 7:
      return block::prefix_sum<true>(v) != before;
    default: {
      const unsigned source = static_cast<unsigned>(turn) * 37 % threads;
      return block::broadcast(v, source) != turn + static_cast<int>(source);
    }
  }
}

__global__ void run_pairs(int* wrong_results, int turns) {
  const unsigned i = blocks::rank(), threads = blockDim.x * blockDim.y * blockDim.z;
  int count = 0;
  for (unsigned first = 0; first < operations; ++first) {
    for (unsigned second = 0; second < operations; ++second) {
      for (int turn = 0; turn < turns; ++turn) {
        count += wrong(first, turn, i, threads);
        count += wrong(second, turn + 1000, i, threads);
      }
    }
  }
  wrong_results[i + threads * blockIdx.x] = count;
}

TEST(block_operations_again, one_right_after_the_other_in_a_loop) {
  for (const unsigned W : blocks::warp_sizes()) {
    blocks::use_warp_size(W);
    for (const unsigned threads : {1U, W - 1, W + 1, 2 * W, 4 * W + 3, 8 * W}) {
      if (threads > largest_block) continue;
      constexpr unsigned grid = 3;
      array<int> wrong_results(grid * threads, -1);
      hipLaunchKernelGGL(run_pairs, dim3(grid), dim3(threads), 0, nullptr, wrong_results.data(), 4);
      blocks::finish();
      for (const int count : wrong_results.values()) ASSERT_EQ(count, 0) << threads << " threads, " << W << " lanes";
    }
  }
}

// Broadcasts move any type.

template <std::size_t size>
struct bytes {
  unsigned char content[size];
};

struct never_constructed {
  int number = 7;
  float other = 1;
};

template <class T>
__global__ void run_broadcast(const T* input, T* out, unsigned source) {
  const unsigned i = blocks::rank();
  out[i] = block::broadcast(input[i], source);
}

__global__ void run_default_broadcast(int* out) {
  const unsigned i = blocks::rank();
  out[i] = block::broadcast(static_cast<int>(i) + 100);
}

template <class T>
void check_broadcasts(unsigned W, dim3 shape) {
  const unsigned threads = blocks::threads_of(shape);
  std::vector<unsigned> sources{threads, threads + 1, ~0U};
  for (unsigned warp = 0; warp * W < threads; ++warp) {
    for (const unsigned lane : {0U, 1U, W / 2, W - 1}) sources.push_back(warp * W + lane);
  }
  std::vector<T> list(threads);
  for (unsigned i = 0; i < threads; ++i) {
    unsigned char content[sizeof(T)];
    for (unsigned at = 0; at < sizeof(T); ++at) content[at] = static_cast<unsigned char>(i * 37 + i / 7 + at * 11);
    if (std::is_same_v<T, bool>) content[0] = i % 3 == 1;
    std::memcpy(static_cast<void*>(&list[i]), content, sizeof(T));
  }
  array<T> input(list);
  for (const unsigned source : sources) {
    array<T> output(threads);
    hipLaunchKernelGGL((run_broadcast<T>), dim3(1), shape, 0, nullptr, input.data(), output.data(), source);
    blocks::finish();
    const std::vector<T> got = output.values();
    for (unsigned i = 0; i < threads; ++i) {
      const T& wanted = list[source < threads ? source : i];
      ASSERT_EQ(std::memcmp(&got[i], &wanted, sizeof(T)), 0)
          << sizeof(T) << " bytes, " << threads << " threads, source " << source << ", thread " << i;
    }
  }
}

template <class T>
class block_broadcast : public testing::Test {};

using movable = types_to_test<testing::Types<int, char, short, float, double, unsigned long long, __half, bytes<1>,
                                             bytes<3>, bytes<12>, bytes<33>, never_constructed>,
                              testing::Types<char, double, bytes<3>, bytes<33>, never_constructed>>;
TYPED_TEST_SUITE(block_broadcast, movable);

TYPED_TEST(block_broadcast, from_each_warp) {
  covers("block::broadcast", blocks::warp_sizes());
  for (const unsigned W : blocks::warp_sizes()) {
    blocks::use_warp_size(W);
    for (const dim3& shape :
         {dim3(1), dim3(W - 1), dim3(W), dim3(W + 1), dim3(3 * W + 5), dim3(5, 3, 7), dim3(largest_block)}) {
      check_broadcasts<TypeParam>(W, shape);
      if (this->HasFatalFailure()) return;
    }
  }
}

TEST(block_operations_again, a_broadcast_is_from_thread_0_unless_told_otherwise) {
  for (const unsigned W : blocks::warp_sizes()) {
    blocks::use_warp_size(W);
    for (const unsigned threads : {1U, W, 2 * W + 1}) {
      array<int> output(threads);
      hipLaunchKernelGGL(run_default_broadcast, dim3(1), dim3(threads), 0, nullptr, output.data());
      blocks::finish();
      for (const int each : output.values()) ASSERT_EQ(each, 100);
    }
  }
}

}  // namespace test_block
