// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The Markdown of the puzzles' READMEs as text for a terminal: paragraphs, lists, code, links. Headings, tables and
// HTML stay as they are.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace warpz {

/// What blank lines part, each without them. A block of code is one, blank lines inside included.
std::vector<std::string> markdown_blocks(std::string_view markdown);

/// One block as lines of at most `width` columns, where words are not longer. Code is broken
/// where several blanks part it from a note.
std::vector<std::string> terminal_lines(std::string_view block, std::size_t width);

/// All blocks, with a blank line between them, each line ended.
std::string terminal_text(std::string_view markdown, std::size_t width);

}  // namespace warpz
