// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "report/memory_words.hpp"

#include <fmt/format.h>

#include <bit>
#include <ranges>
#include <string_view>
#include <utility>

#include "text/number.hpp"
#include "text/printable.hpp"

namespace warpz {
namespace {

std::string memory_name(const named_memory& memory) {
  return memory.name.empty() ? "memory without a name" : printable(memory.name);
}

/// The two runs with different values.
std::pair<std::string, std::string> two_runs(const symbolized_finding& finding) {
  switch (finding.record.kind) {
    case WARPZ_SCHEDULE_DEPENDENCE:
      return {"ascending order", fmt::format("order {}", finding.schedule)};
    case WARPZ_BLOCK_SIZE_DEPENDENCE:
      return {"the puzzle's blocks", fmt::format("blocks of {} threads", finding.block_threads)};
    default:
      return {"one run", "another"};
  }
}

/// The element's values in two runs, where these are the finding.
std::string values_text(const symbolized_finding& finding) {
  if (finding.record.has_values == 0) return {};
  const auto text = [&](std::uint32_t bits) {
    const float number = std::bit_cast<float>(bits);
    if (!finding.memory->floats) return fmt::format("{}", bits);
    return never_written(number) ? std::string("never written") : number_text(number);
  };
  const auto [one, other] = two_runs(finding);
  return fmt::format("; it is {} in {} and {} in {}", text(finding.record.values[0]), one,
                     text(finding.record.values[1]), other);
}

}  // namespace

std::string element_text(const named_memory& memory) {
  std::string name = memory_name(memory);
  if (!memory.is_array && memory.index == 0) return name;
  std::string indexes;
  std::int64_t index = memory.index;
  for (const std::uint64_t extent : std::ranges::reverse_view(memory.inner_extents)) {
    const auto size = static_cast<std::int64_t>(extent);
    const std::int64_t inner = (index % size + size) % size;
    indexes = fmt::format("[{}]{}", inner, indexes);
    index = (index - inner) / size;
  }
  return fmt::format("{}[{}]{}", name, index, indexes);
}

std::string extent_text(const named_memory& memory) {
  std::uint64_t outer = memory.elements;
  std::string inner;
  for (const std::uint64_t extent : memory.inner_extents) {
    outer /= extent;
    inner += fmt::format(" x {}", extent);
  }
  return fmt::format("{} has {}{} {}{}", memory_name(memory), outer, inner,
                     memory.element_bytes == 1 ? "byte" : "element", memory.elements == 1 ? "" : "s");
}

std::string memory_text(const symbolized_finding& finding) {
  const named_memory& memory = *finding.memory;
  if (!memory.is_array && memory.index == 0) {
    const bool is_shared = finding.record.memory == WARPZ_MEMORY_SHARED;
    return fmt::format("{} in {}{}", element_text(memory), is_shared ? "shared memory" : "the device's memory",
                       values_text(finding));
  }
  const bool is_misaligned = finding.record.kind == WARPZ_MISALIGNED && memory.element_bytes != 1;
  return fmt::format("{}; {}{}{}", element_text(memory), extent_text(memory),
                     is_misaligned ? fmt::format(" of {} bytes", memory.element_bytes) : "", values_text(finding));
}

}  // namespace warpz
