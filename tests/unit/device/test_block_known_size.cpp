// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The operations of a block whose number of threads the call says: with the results of any block, and the scan that
// promises no order.
#include <type_traits>
#include <vector>

#include "block_results.hpp"
#include "covers.hpp"
#include "test_block_support.hpp"
#include "values.hpp"
#include "warpz/block.hpp"

namespace test_block_known_size {

namespace block = warpz::block;
using blocks::array;
using blocks::results;
using values::narrow;
using values::same;

template <class T>
struct type_of_values {
  using type = T;
};

template <unsigned threads>
using size_of_block = std::integral_constant<unsigned, threads>;

/// Calls check(type_of_values<T>, size_of_block<threads>) for each type: of one warp, of 2, 4 and 8, and of others;
/// of whole warps, and with a last one that has few threads or many.
template <class... Types, class Check>
void in_each_block(const Check& check) {
  const auto of_type = [&](auto type) {
    check(type, size_of_block<20>());
    check(type, size_of_block<33>());
    check(type, size_of_block<64>());
    check(type, size_of_block<100>());
    check(type, size_of_block<128>());
    check(type, size_of_block<192>());
    check(type, size_of_block<231>());
    check(type, size_of_block<250>());
    check(type, size_of_block<256>());
    check(type, size_of_block<1024>());
  };
  for (const unsigned lanes : blocks::warp_sizes()) {
    blocks::use_warp_size(lanes);
    (of_type(type_of_values<Types>()), ...);
    if (testing::Test::HasFatalFailure()) return;
  }
}

template <class T, unsigned threads>
__global__ void run_all_of_known(const T* input, results<T>* out, T* from_7) {
  const T v = input[threadIdx.x];
  out[threadIdx.x] = {block::sum<true, threads>(v),         block::max<true, threads>(v),
                      block::min<true, threads>(v),         block::sum<false, threads>(v),
                      block::max<false, threads>(v),        block::min<false, threads>(v),
                      block::prefix_sum<false, threads>(v), block::prefix_sum<true, threads>(v)};
  from_7[threadIdx.x] = block::broadcast<threads>(v, 7);
}

template <class T, unsigned threads>
void expect_those_of_any_block(values::sort sort) {
  std::vector<T> list;
  for (unsigned i = 0; i < threads; ++i) list.push_back(values::value<T>(sort, i));
  array<T> input(list), from_7(threads);
  array<results<T>> known(threads), unknown(threads);
  hipLaunchKernelGGL((run_all_of_known<T, threads>), dim3(1), dim3(threads), 0, nullptr, input.data(), known.data(),
                     from_7.data());
  hipLaunchKernelGGL(blocks::run_all<T>, dim3(1), dim3(threads), 0, nullptr, input.data(), unknown.data());
  blocks::finish();
  const std::vector<results<T>> got = known.values(), wanted = unknown.values();
  const std::vector<T> told = from_7.values();
  for (unsigned i = 0; i < threads; ++i) {
    const results<T>&one = got[i], &other = wanted[i];
    ASSERT_TRUE(same(one.sum, other.sum) && same(one.max, other.max) && same(one.min, other.min))
        << threads << ", " << i;
    ASSERT_TRUE(same(one.inclusive, other.inclusive) && same(one.exclusive, other.exclusive)) << threads << ", " << i;
    ASSERT_TRUE(same(told[i], list[7])) << threads << ", " << i;
  }
  ASSERT_TRUE(same(got[0].sum_in_first, wanted[0].sum) && same(got[0].max_in_first, wanted[0].max) &&
              same(got[0].min_in_first, wanted[0].min))
      << threads;
}

TEST(block_operations, know_the_number_of_threads) {
  covers("block::sum block::max block::min block::prefix_sum block::broadcast", blocks::warp_sizes(), "float");
  in_each_block<int, __half, long long, float, double>([](auto type, auto threads) {
    for (const values::sort sort : {values::sort::usual, values::sort::extreme, values::sort::negative_zero}) {
      expect_those_of_any_block<typename decltype(type)::type, decltype(threads)::value>(sort);
    }
  });
}

template <class T>
struct fast_results {
  T inclusive, exclusive, of_negative, of_unknown_size;
};

/// One call behind the other, as nothing else keeps them apart.
template <class T, unsigned threads>
__global__ void run_fast(const T* input, const T* negative, fast_results<T>* out) {
  const T v = input[threadIdx.x], opposite = negative[threadIdx.x];
  out[threadIdx.x] = {block::fast_prefix_sum<false, threads>(v), block::fast_prefix_sum<true, threads>(v),
                      block::fast_prefix_sum<false, threads>(opposite), block::fast_prefix_sum(v)};
}

/// Sums numbers so small that each sum of some of them is exact, in whichever order they are added.
template <class T, unsigned threads>
void expect_exact_sums() {
  std::vector<T> list, negative;
  std::vector<int> sums = {0};
  for (unsigned i = 0; i < threads; ++i) {
    const int number = static_cast<int>(i * i * 7 % 11) % 3 - 1;
    list.push_back(narrow<T>(number));
    negative.push_back(narrow<T>(-number));
    sums.push_back(sums.back() + number);
  }
  array<T> input(list), opposite(negative);
  array<fast_results<T>> output(threads);
  hipLaunchKernelGGL((run_fast<T, threads>), dim3(1), dim3(threads), 0, nullptr, input.data(), opposite.data(),
                     output.data());
  blocks::finish();
  const std::vector<fast_results<T>> got = output.values();
  for (unsigned i = 0; i < threads; ++i) {
    const int up_to_here = sums[i + 1];
    ASSERT_EQ(values::widen(got[i].inclusive), up_to_here) << threads << " threads, thread " << i;
    ASSERT_EQ(values::widen(got[i].exclusive), sums[i]) << threads << " threads, thread " << i;
    ASSERT_EQ(values::widen(got[i].of_negative), -up_to_here) << threads << " threads, thread " << i;
    ASSERT_EQ(values::widen(got[i].of_unknown_size), up_to_here) << threads << " threads, thread " << i;
  }
}

TEST(block_operations, scan_in_any_order) {
  covers("block::fast_prefix_sum", blocks::warp_sizes(), "float");
  in_each_block<int, __half, hip_bfloat16, long long, float, double>(
      [](auto type, auto threads) { expect_exact_sums<typename decltype(type)::type, decltype(threads)::value>(); });
}

}  // namespace test_block_known_size
