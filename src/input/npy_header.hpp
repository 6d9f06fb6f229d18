// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The header of a NumPy array file: a Python dictionary of three entries.
//
// Reads what NumPy writes, and any spelling of the same dictionary by other programs; refuses everything else with the
// reason. Format: https://numpy.org/doc/stable/reference/generated/numpy.lib.format.html
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace warpz {

struct npy_header {
  std::string descr;  ///< such as "<f4"; for a structured type, the text of its list
  bool fortran_order = false;
  std::vector<std::uint64_t> shape;
};

/// Reads the dictionary. Throws an error (bad_input) whose message begins with `name`.
npy_header parse_npy_header(std::string_view text, const std::string& name);

}  // namespace warpz
