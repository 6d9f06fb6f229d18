// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Which kernels a compiled file has. The compiler says it: with WARPZ_MARK_KERNELS, __global__ puts a function into a
// section of its own, and its symbol there holds its name and what it takes.
//
// Reads 64-bit ELF objects of this machine. Runs nothing of them, and C++ is not parsed here.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace warpz {

struct kernel_symbol {
  std::string name;        ///< as C++ has it: "scale<float>", "mine::scale", "(anonymous namespace)::scale"
  std::string parameters;  ///< "float*, float const*, int"
  bool c_linkage = false;  ///< extern "C": nothing is known of its parameters

  bool operator==(const kernel_symbol&) const = default;
};

/// The section of the kernels; src/simt/include/hip/detail/host_defines.h names it too.
inline constexpr std::string_view kernel_section = "warpz_kernels";

/// The kernels in an object file, in its order. Of what is no such file, none.
std::vector<kernel_symbol> kernels_in(std::string_view object);

/// What a symbol says: of "_Z5scalePfi" the name and the parameters.
kernel_symbol kernel_symbol_of(const std::string& mangled);

}  // namespace warpz
