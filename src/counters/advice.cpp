// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "counters/advice.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
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
  const unsigned ways = line.worst.ways;
  const std::uint64_t stride = distance(line);
  if (stride == 0) return fmt::format("{}-way bank conflict: lanes want different words of one bank", ways);
  // An odd number of elements leads through all banks.
  const std::uint64_t unit = std::max<std::uint64_t>(line.bytes, 4);
  if (stride < unit || (stride % unit == 0 && stride / unit % 2 == 1)) {
    return fmt::format("{}-way bank conflict: lanes {} bytes apart have banks of their own, but rows meet in one", ways,
                       stride);
  }
  if (stride >= row_bytes) {
    return fmt::format("{}-way bank conflict: lanes are {} bytes apart; pad each row by one element", ways, stride);
  }
  return fmt::format("{}-way bank conflict: lanes are {} bytes apart; neighbors should access neighboring words", ways,
                     stride);
}

/// Whether the line accesses a member of an array's element, as in `points[i].x`.
bool has_member_of_element(const line_cost& line) {
  for (std::size_t at = line.code.find("]."); at != line.code.npos; at = line.code.find("].", at + 1)) {
    if (at + 2 < line.code.size() && std::isalpha(static_cast<unsigned char>(line.code[at + 2])) != 0) return true;
  }
  return false;
}

std::string advice_on_transactions(const line_cost& line, unsigned warp_size) {
  const std::uint64_t stride = distance(line);
  if (stride == line.bytes) {
    return fmt::format("{} transactions where {} would do: the first address is no multiple of {}", line.worst.needed,
                       line.worst.fewest, transaction_bytes(warp_size));
  }
  if (stride > line.bytes && stride <= 2 * row_bytes && has_member_of_element(line)) {
    return fmt::format(
        "{} transactions where {} would do: lanes are {} bytes apart, in an array of structs; an array of its own for "
        "each member puts them side by side",
        line.worst.needed, line.worst.fewest, stride);
  }
  const std::string apart = stride == 0 ? "addresses are scattered" : fmt::format("lanes are {} bytes apart", stride);
  return fmt::format("{} transactions where {} would do: {}; neighbors should access neighboring elements",
                     line.worst.needed, line.worst.fewest, apart);
}

double per_instruction(std::uint64_t sum, const line_cost& line) {
  return static_cast<double>(sum) / static_cast<double>(line.instructions);
}

/// Atomics of lanes on one address, as far as that is not chance.
std::string advice_on_atomics(const line_cost& line) {
  if (line.worst.serial > 1 && 2 * line.serial >= line.lanes) {
    return fmt::format("{} of {} lanes change one address, one after the other: combine them in the warp first",
                       line.worst.serial, line.worst.lanes);
  }
  if (line.serial < 2 * line.instructions) return {};
  return fmt::format(
      "lanes change the same addresses, one after the other in {:.1f} steps: as of a histogram, give each {} private "
      "copies, and add them up at the end",
      per_instruction(line.serial, line), line.is_shared ? "warp, or each few of its lanes," : "block");
}

/// Few lanes, with idle ones between them.
std::string advice_on_idle_lanes(const line_cost& line, unsigned warp_size) {
  constexpr std::uint64_t few_instructions = 4;
  if (line.instructions < few_instructions || 2 * line.lanes > line.instructions * warp_size ||
      line.span < 2 * line.lanes)
    return {};
  return fmt::format(
      "{:.1f} of {} lanes are active, spread over {:.1f}: let neighboring threads do it, so that whole warps are left "
      "out",
      per_instruction(line.lanes, line), warp_size, per_instruction(line.span, line));
}

std::string advice_on_memory(const line_cost& line, unsigned warp_size) {
  if (line.kind == WARPZ_COST_ATOMIC) {
    if (std::string text = advice_on_atomics(line); !text.empty()) return text;
  }
  if (line.is_shared) {
    const bool has_conflict = line.worst.ways > 1 && 2 * line.worst.needed >= 3 * line.worst.fewest;
    return has_conflict ? advice_on_banks(line) : "";
  }
  // One transaction more in ten is not worth a sentence.
  if (10 * line.needed <= 11 * line.fewest) return {};
  // Where the lanes between are idle, they are the cause.
  std::string text = advice_on_idle_lanes(line, warp_size);
  return text.empty() ? advice_on_transactions(line, warp_size) : text;
}

}  // namespace

std::string advice_on(const line_cost& line, unsigned warp_size) {
  if (!line.is_access() || line.worst.fewest == 0) return {};
  std::string text = advice_on_memory(line, warp_size);
  return text.empty() ? advice_on_idle_lanes(line, warp_size) : text;
}

}  // namespace warpz
