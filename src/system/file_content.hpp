// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A whole file at once.
#pragma once

#include <optional>
#include <string>

namespace os {

/// The file's bytes; nothing where it cannot be read.
std::optional<std::string> content_of(const std::string& path);

}  // namespace os
