// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Finds the kernels of a compiled file. With WARPZ_MARK_KERNELS, __global__ puts a function into a section of its own,
// where its symbol has its name and its parameters.
//
// Reads 64-bit ELF objects of this machine. Runs nothing of them, and parses no C++.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace warpz {

struct kernel_symbol {
  std::string name;          ///< as in C++: "scale<float>", "mine::scale", "(anonymous namespace)::scale"
  std::string parameters;    ///< "float*, float const*, int"
  bool c_linkage = false;    ///< extern "C": its parameters are unknown
  std::string mangled = {};  ///< "_Z5scaleIfEvPfPKfi"

  bool operator==(const kernel_symbol&) const = default;
};

/// The kernels in an object file, in its order; none in any other file.
std::vector<kernel_symbol> kernels_in(std::string_view object);

/// The name and the parameters in a symbol such as "_Z5scalePfi".
kernel_symbol kernel_symbol_of(const std::string& mangled);

}  // namespace warpz
