// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A user's own data: --input FILE.
//
// Reads numbers as text and one-dimensional NumPy arrays, tells them apart by their first bytes, and refuses what it
// cannot read whole, what has no element, and what a run would have no memory for. Every error is bad_input and names
// the file and the place in it.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "input/byte_source.hpp"

namespace warpz {

/// The numbers in a file; `-` is standard input, which can be read once. With `first`, only so many of them: what
/// follows is not read, and it is an error if there are fewer.
std::vector<float> read_input(const std::string& file, std::optional<std::size_t> first = {});

/// Numbers separated by blanks, line ends and single commas, as parse_float() reads them; a comma may follow the
/// last one.
std::vector<float> read_text(byte_source& source, std::optional<std::size_t> first = {});

/// A one-dimensional float32 or float64 array in NumPy's .npy format, version 1, 2 or 3, either byte order. Float64
/// is rounded to float; a finite number too large for that is an error.
std::vector<float> read_npy(byte_source& source, std::optional<std::size_t> first = {});

/// The first bytes of a .npy file.
inline constexpr std::string_view npy_magic = "\x93NUMPY";

}  // namespace warpz
