// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// How many elements a run may have. Too many are refused before anything is allocated, because Linux would grant the
// memory and kill some process later.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

namespace warpz {

/// Kernels take the size as an int, which has to hold the numbers of the last warp's threads, too.
inline constexpr std::uint64_t max_elements = 2'147'483'584;

/// A run holds the input, a copy of it that the kernel cannot change, the output and the expected result.
inline constexpr std::uint64_t bytes_per_element = 4 * sizeof(float);

/// Numbers from a file are also kept for the next puzzles.
inline constexpr std::uint64_t bytes_per_given_element = bytes_per_element + sizeof(float);

/// Bytes that a run needs beside its elements.
inline constexpr std::uint64_t bytes_beside = std::uint64_t{64} << 20;

/// The elements of a run for which this process still has memory.
std::uint64_t affordable_elements(std::uint64_t bytes_each = bytes_per_element);

/// Throws an error (bad_input) if a run with so many elements is impossible: `subject` begins the sentence ("--size
/// 4000000000", "'x.npy'"). Looks at the memory only where the elements are many.
void check_elements(std::uint64_t elements, const std::string& subject, std::uint64_t bytes_each = bytes_per_element);

}  // namespace warpz
