// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The parts of the page that are files of their own, in the folder page. CMakeLists.txt writes the other half.
#pragma once

#include <string_view>

namespace warpz {

extern const std::string_view page_style;
extern const std::string_view page_script;  ///< empty: what it is made of was missing when warpz was built

}  // namespace warpz
