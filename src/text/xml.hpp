// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <string>
#include <string_view>

namespace warpz {

/// Text for an element's content or an attribute's value, in XML and in HTML. XML 1.0 cannot hold most control
/// characters, nor bytes that are not UTF-8; they become \xNN.
std::string xml_text(std::string_view text);

}  // namespace warpz
