// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The kernels in a file of Clang's intermediate code: found by the section that WARPZ_MARK_KERNELS puts them in, and
// given names by which code that was compiled by itself calls them, even those that are static.
//
// Text in, text out.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace warpz {

/// The section of the kernels; src/simt/include/hip/detail/qualifiers.h names it too.
inline constexpr std::string_view kernel_section = "warpz_kernels";

/// The symbols of the functions that this section has, in their order.
std::vector<std::string> functions_in_section(std::string_view code, std::string_view section);

/// Another name for a function of the code.
struct function_alias {
  std::string name;
  std::string symbol;   ///< the function's
  std::string similar;  ///< what the symbol of another function begins with that takes the same
};

/// The code with these names, too.
std::string with_aliases(std::string code, std::span<const function_alias> aliases);

}  // namespace warpz
