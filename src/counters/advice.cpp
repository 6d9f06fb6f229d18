// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "counters/advice.hpp"

#include <fmt/format.h>

#include <cstdint>

#include "counters/totals.hpp"

namespace warpz {
namespace {

/// Lanes at least so far apart are in rows of a tile; closer ones in fields of a struct or every other element.
constexpr std::uint64_t row_bytes = 64;

std::uint64_t distance(const line_cost& line) {
  const auto stride = static_cast<std::uint64_t>(line.worst.stride);
  return line.worst.stride < 0 ? 0 - stride : stride;
}

std::string advice_on_banks(const line_cost& line) {
  const std::uint64_t ways = (std::uint64_t{line.worst.needed} + line.worst.fewest - 1) / line.worst.fewest;
  const std::uint64_t stride = distance(line);
  if (stride == 0) return fmt::format("{}-way bank conflict: lanes want different words of one bank", ways);
  if (stride >= row_bytes) {
    return fmt::format("{}-way bank conflict: lanes are {} bytes apart; pad each row by one element", ways, stride);
  }
  return fmt::format("{}-way bank conflict: lanes are {} bytes apart; neighbors should access neighboring words", ways,
                     stride);
}

std::string advice_on_transactions(const line_cost& line, unsigned warp_size) {
  const std::uint64_t stride = distance(line);
  if (stride == line.bytes) {
    return fmt::format("{} transactions where {} would do: the first address is no multiple of {}", line.worst.needed,
                       line.worst.fewest, transaction_bytes(warp_size));
  }
  const std::string apart = stride == 0 ? "addresses are scattered" : fmt::format("lanes are {} bytes apart", stride);
  return fmt::format("{} transactions where {} would do: {}; neighbors should access neighboring elements",
                     line.worst.needed, line.worst.fewest, apart);
}

}  // namespace

std::string advice_on(const line_cost& line, unsigned warp_size) {
  if (!line.is_access() || line.worst.fewest == 0) return {};
  if (line.kind == WARPZ_COST_ATOMIC && line.worst.serial > 1 && 2 * line.worst.serial >= line.worst.lanes) {
    return fmt::format("{} of {} lanes change one address, one after the other: combine them in the warp first",
                       line.worst.serial, line.worst.lanes);
  }
  if (line.is_shared) return line.worst.needed >= 2 * line.worst.fewest ? advice_on_banks(line) : "";
  // One transaction more in ten is not worth a sentence.
  return 10 * line.needed > 11 * line.fewest ? advice_on_transactions(line, warp_size) : "";
}

}  // namespace warpz
