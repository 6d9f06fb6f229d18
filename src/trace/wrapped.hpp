// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Words in lines of a page's width.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace warpz {

inline constexpr std::size_t page_width = 80;

/// Breaks a list of words into lines of a page's width, the second and further ones behind their own indent.
std::string wrapped(std::span<const std::string> words, std::string_view indent, std::string_view further_indent);

std::vector<std::string> words_of(std::string_view text);

}  // namespace warpz
