// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Work on large arrays by all cores, for references and comparisons.
#pragma once

#include <cstddef>
#include <functional>

namespace warpz {

/// Calls work(begin, end) for parts that make up the `count` items, on as many cores as there are; where the items,
/// of `elements` each, are few, once for all of them. What it throws in one part is thrown here. No two parts may write
/// to the same element, nor one what another reads.
void for_each_part(std::size_t count, std::size_t elements,
                   const std::function<void(std::size_t begin, std::size_t end)>& work);

}  // namespace warpz
