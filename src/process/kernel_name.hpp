// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// How a kernel is found in a module, and what it is called.
#pragma once

#include <string>

namespace warpz {

struct kernel_name {
  std::string identity;  ///< no other kernel of the module has it
  std::string name;      ///< in the source, where others may have it, too; findings call it so

  bool operator==(const kernel_name&) const = default;
};

}  // namespace warpz
