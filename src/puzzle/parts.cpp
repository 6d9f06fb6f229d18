// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "puzzle/parts.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <future>
#include <memory>
#include <numeric>
#include <system_error>
#include <thread>
#include <utility>
#include <vector>

namespace warpz {
namespace {

/// Starting a thread takes about as long as reading so many elements.
constexpr std::size_t least_elements_of_part = std::size_t{1} << 16;

/// A key in the order of the elements; zeros of both signs have the same.
std::uint32_t sort_key(float element) {
  if (element != element) return ~0U;
  const auto bits = std::bit_cast<std::uint32_t>(element + 0.0F);
  return bits >> 31 != 0 ? ~bits : bits | 0x80000000;
}

/// One pass of a radix sort, by the byte of the key that begins at this bit.
void sort_by_byte(std::span<const float> x, std::span<float> sorted, unsigned first_bit) {
  using counts = std::array<std::size_t, 256>;
  constexpr std::size_t most_parts = 64;
  const std::size_t length = x.size() / most_parts + 1, parts = (x.size() + length - 1) / length;
  const auto byte_of = [first_bit](float element) { return sort_key(element) >> first_bit & 255; };
  std::vector<counts> places(parts);
  const auto for_each_element = [&](const auto& work) {
    for_each_part(parts, length, [&](std::size_t begin, std::size_t end) {
      for (std::size_t part = begin; part < end; ++part) {
        const std::size_t first = part * length;
        // A copy, as other cores write to the neighbors in memory.
        counts own = places[part];
        for (const float element : x.subspan(first, std::min(length, x.size() - first))) work(own, element);
        places[part] = own;
      }
    });
  };
  for_each_element([&](counts& own, float element) { ++own[byte_of(element)]; });
  std::size_t next = 0;
  for (std::size_t byte = 0; byte < 256; ++byte) {
    for (counts& each : places) next += std::exchange(each[byte], next);
  }
  for_each_element([&](counts& own, float element) { sorted[own[byte_of(element)]++] = element; });
}

}  // namespace

void for_each_part(std::size_t count, std::size_t elements,
                   const std::function<void(std::size_t begin, std::size_t end)>& work) {
  const std::size_t most = count * elements / least_elements_of_part;
  if (most < 2) return work(0, count);
  const std::size_t parts = std::clamp<std::size_t>(std::thread::hardware_concurrency(), 1, most);
  const auto end_of = [&](std::size_t part) { return count / parts * part + count % parts * part / parts; };
  // The destructor of each waits for its thread.
  std::vector<std::future<void>> others;
  std::size_t begun = 1;
  try {
    for (; begun < parts; ++begun)
      others.push_back(std::async(std::launch::async, work, end_of(begun), end_of(begun + 1)));
  } catch (const std::system_error&) {
    // The system gives no more threads: the rest is done in this one.
    work(end_of(begun), count);
  }
  work(0, end_of(1));
  for (std::future<void>& each : others) each.get();
}

double sum_in_parts(std::span<const float> x) {
  std::vector<double> sums(pieces_of(x.size()));
  for_each_piece(x.size(), [&](std::size_t i, std::size_t begin, std::size_t end) {
    sums[i] = std::accumulate(x.begin() + begin, x.begin() + end, 0.0);
  });
  return std::accumulate(sums.begin(), sums.end(), 0.0);
}

void sort_in_parts(std::span<const float> x, std::span<float> sorted) {
  const auto other = std::make_unique_for_overwrite<float[]>(x.size());
  const std::span<float> half_sorted(other.get(), x.size());
  sort_by_byte(x, half_sorted, 0);
  sort_by_byte(half_sorted, sorted, 8);
  sort_by_byte(sorted, half_sorted, 16);
  sort_by_byte(half_sorted, sorted, 24);
}

}  // namespace warpz
