// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Text from outside (file names, a kernel's messages, what a user typed) made fit for a terminal, a shell or a file.
//
// Owns escaping. It never fails: bytes that cannot be shown become \xNN.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace warpz {

/// The text with control characters and invalid UTF-8 escaped, so that it can neither break a line nor steer a
/// terminal. After `limit` bytes it ends with `...`.
std::string printable(std::string_view text, std::size_t limit = 4096);

/// The length at which a message cuts off a wrong word.
inline constexpr std::size_t max_shown = 60;

/// The text as one word of a shell, quoted where necessary. Characters that printable() escapes need a shell of POSIX
/// 2024, such as bash: $'a\nb'.
std::string shell_word(std::string_view text);

/// The string in a record of fixed size, which may lack the zero at its end.
template <std::size_t N>
std::string_view bounded(const char (&record)[N]) {
  const std::string_view whole(record, N);
  return whole.substr(0, whole.find('\0'));
}

}  // namespace warpz
