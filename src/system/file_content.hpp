// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A whole file at once.
#pragma once

#include <cstddef>
#include <optional>
#include <string>

#include "system/descriptor.hpp"

namespace os {

/// Larger files are not read.
inline constexpr std::size_t max_content = std::size_t{1} << 30;

/// The bytes of a regular file; nothing where it cannot be read, or is a pipe or a device, which may never end.
std::optional<std::string> content_of(const std::string& path);

/// The bytes of an open file, from its position on.
std::optional<std::string> content_of(const descriptor& file);

}  // namespace os
