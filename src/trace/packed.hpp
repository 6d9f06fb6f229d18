// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What a page carries in few bytes. Traces say much the same again and again.
#pragma once

#include <string>
#include <string_view>

namespace warpz {

/// gzip, in base64: a browser's DecompressionStream unpacks it.
std::string packed(std::string_view text);

}  // namespace warpz
