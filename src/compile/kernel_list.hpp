// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The kernels of a compiled file, as Clang's plugin has listed them in it (src/instrument/device_code.cpp).
//
// Reads 64-bit ELF objects of this machine. Runs nothing of them, and parses no C++.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace warpz {

struct listed_kernel {
  std::string symbol;         ///< as the compiler has it
  std::string name;           ///< as in C++: "scale<float>", "mine::scale", "(anonymous namespace)::scale"
  std::string parameters;     ///< "float*, float const*, int"
  unsigned launch_bound = 0;  ///< the largest block, in threads, that __launch_bounds__ allows; 0: any

  bool operator==(const listed_kernel&) const = default;
};

/// The kernels in an object file, in its order; none in any other file.
std::vector<listed_kernel> kernels_in(std::string_view object);

/// The name that a symbol such as "_Z5scalePfi" has in C++, without parameters.
std::string name_of_symbol(const std::string& symbol);

}  // namespace warpz
