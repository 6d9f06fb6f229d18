// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Random data for --random. It is the same on every machine, and does not depend on the number of elements.
#pragma once

#include <cstdint>
#include <span>

namespace warpz {

/// Fills x with multiples of 1/4 from -64 to 63.75, each of the 512 equally likely.
///
/// Element i is the (i + 1)-th output of splitmix64 seeded with `seed`: its upper nine bits, less 256, divided by 4.
/// (S. Vigna's splitmix64.c, after G. Steele, D. Lea, C. Flood: Fast splittable pseudorandom number generators, 2014.)
///
/// The reasons: sums of a warp and products of two such sums are exact in a float, so a wrong result is never rounding;
/// both signs and values on both sides of the usual pivots occur; and a warp usually has a few equal elements, on which
/// an unstable partition or a wrong maximum shows.
void fill_random(std::span<float> x, std::uint64_t seed);

}  // namespace warpz
