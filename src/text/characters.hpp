// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Kinds of characters, independent of the locale.
#pragma once

namespace warpz {

constexpr bool is_digit(char c) { return c >= '0' && c <= '9'; }

/// A space, a tab, the end of a line or of a page.
constexpr bool is_blank(char c) { return c == ' ' || (c >= '\t' && c <= '\r'); }

}  // namespace warpz
