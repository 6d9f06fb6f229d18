// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// How a kernel is found in a module, and what it is called.
#pragma once

#include <string>

namespace warpz {

struct kernel_name {
  std::string identity;  ///< unique in the module
  std::string name;      ///< in the source, where several may have the same; findings use this one

  bool operator==(const kernel_name&) const = default;
};

}  // namespace warpz
