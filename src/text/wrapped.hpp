// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Text in lines of a page's or a terminal's width. Widths are in columns of UTF-8 that has neither wide nor combining
// characters; escape sequences for colors take none.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace warpz {

/// The width of a page of text, and of a terminal whose width is not known.
inline constexpr std::size_t page_columns = 80;

std::size_t columns_of(std::string_view text);

/// How many bytes of the text fill so many columns, or all.
std::size_t bytes_of_columns(std::string_view text, std::size_t columns);

/// Words, which may have blanks, as lines of at most `width` columns, where words are not longer. The first line begins
/// with `indent`, all others with `further_indent`.
std::vector<std::string> wrapped(std::span<const std::string> words, std::size_t width, std::string_view indent,
                                 std::string_view further_indent);

/// What blanks part.
std::vector<std::string> words_of(std::string_view text);

/// Wraps what blanks part; all but the first line begin with `indent` blanks.
std::vector<std::string> wrapped(std::string_view words, std::size_t width, std::size_t indent = 0);

/// The text with its lines that are longer than `width` broken at blanks. What is broken off stands two columns further
/// to the right. Other lines stay as they are.
std::string fitted(std::string_view text, std::size_t width);

/// The label and a command for a shell on lines of at most `width` columns, where words are not longer: broken between
/// the command's words, with a backslash, so that it can be copied as it stands.
std::string broken_command(std::string_view label, std::string_view command, std::size_t width);

}  // namespace warpz
