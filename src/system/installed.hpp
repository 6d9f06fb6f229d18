// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Where the program's own files lie: beside it where it was built, and in ../lib/warpz (or lib64, or with the
// architecture's name) where it is installed. Opens nothing.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace warpz {

/// Where a file or folder of this name may lie. The first place that exists counts.
std::vector<std::string> places_of(std::string_view name);

/// The first of the places that exists; empty where none does.
std::string first_existing(const std::vector<std::string>& places);

/// Where one of docs/ lies: that of an installed program, or by its name in the source tree.
std::string document(std::string_view name);

}  // namespace warpz
