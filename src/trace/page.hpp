// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The parts of the page that are files of their own, page.css and page.js. CMakeLists.txt writes the other half.
#pragma once

#include <string_view>

namespace warpz {

extern const std::string_view page_style;
extern const std::string_view page_script;

}  // namespace warpz
