// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The manual page, warpz(1), from the same tables as --help.
#pragma once

#include <string>

namespace warpz {

/// In the language of man(7).
std::string manual_page();

}  // namespace warpz
