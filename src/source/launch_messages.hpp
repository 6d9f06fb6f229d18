// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What a compiler says about launches, in terms of the user's source instead of the C++ that launches have become.
//
// Text in, text out; it reads no file itself.
#pragma once

#include <functional>
#include <string>
#include <string_view>

namespace warpz {

/// The text of a source file that messages name; empty if it can't be read.
using source_reader = std::function<std::string(std::string_view file)>;

/// The messages, with or without colors, with the user's lines where lines are quoted that without_hip_syntax() has
/// made: the mark below stands at the same word, or at the launch. The same message twice in a row is there once.
std::string with_users_lines(std::string_view messages, const source_reader& read);

}  // namespace warpz
