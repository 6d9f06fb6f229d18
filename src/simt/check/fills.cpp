// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "simt/check/fills.hpp"

#include <algorithm>
#include <cstring>

#include "abi/settings.h"

namespace simt::check {
namespace {

/// With its last number every other word is zero, so that words of 8 bytes are small, too.
std::uint32_t mixed_word(std::size_t index, std::uint32_t number) {
  constexpr std::uint32_t greatest = 3;
  if (number == greatest - 1 && index % 2 != 0) return 0;
  return 1 + static_cast<std::uint32_t>((index + number) % greatest);
}

}  // namespace

void fill_unwritten(void* begin, std::size_t bytes, std::uint32_t fill, std::size_t first_word) {
  if (fill == 0) return;
  if ((fill & WARPZ_FILL_MIXED) == 0) {
    std::memset(begin, static_cast<int>(fill & 0xff), bytes);
    return;
  }
  auto* const at = static_cast<unsigned char*>(begin);
  for (std::size_t done = 0; done < bytes; done += sizeof(std::uint32_t)) {
    const std::uint32_t word = mixed_word(first_word + done / sizeof word, fill & 0xff);
    std::memcpy(at + done, &word, std::min(sizeof word, bytes - done));
  }
}

}  // namespace simt::check
