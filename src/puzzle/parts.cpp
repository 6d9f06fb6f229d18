// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "puzzle/parts.hpp"

#include <algorithm>
#include <future>
#include <system_error>
#include <thread>
#include <vector>

namespace warpz {
namespace {

/// To start a thread takes about as long as to look at so many elements.
constexpr std::size_t least_elements_of_part = std::size_t{1} << 16;

}  // namespace

void for_each_part(std::size_t count, std::size_t elements,
                   const std::function<void(std::size_t begin, std::size_t end)>& work) {
  const std::size_t most = count * elements / least_elements_of_part;
  if (most < 2) return work(0, count);
  const std::size_t parts = std::clamp<std::size_t>(std::thread::hardware_concurrency(), 1, most);
  const auto end_of = [&](std::size_t part) { return count / parts * part + count % parts * part / parts; };
  // Each waits for its thread when it is destroyed.
  std::vector<std::future<void>> others;
  std::size_t begun = 1;
  try {
    for (; begun < parts; ++begun)
      others.push_back(std::async(std::launch::async, work, end_of(begun), end_of(begun + 1)));
  } catch (const std::system_error&) {
    // There are no more threads to have: the rest is done here.
    work(end_of(begun), count);
  }
  work(0, end_of(1));
  for (std::future<void>& each : others) each.get();
}

}  // namespace warpz
