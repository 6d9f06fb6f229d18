// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "puzzle/random.hpp"

#include "puzzle/parts.hpp"

namespace warpz {

void fill_random(std::span<float> x, std::uint64_t seed) {
  fill_each(x, [seed](std::size_t i) {
    std::uint64_t mixed = seed + (i + 1) * 0x9E3779B97F4A7C15u;
    mixed = (mixed ^ (mixed >> 30)) * 0xBF58476D1CE4E5B9u;
    mixed = (mixed ^ (mixed >> 27)) * 0x94D049BB133111EBu;
    mixed ^= mixed >> 31;
    return static_cast<float>(static_cast<int>(mixed >> 55) - 256) / 4;
  });
}

}  // namespace warpz
