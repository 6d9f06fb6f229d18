// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "counters/text.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "counters/advice.hpp"
#include "counters/totals.hpp"

namespace warpz {
namespace {

std::string several(std::string_view thing) {
  return fmt::format("{}{}", thing, thing.ends_with('s') || thing.ends_with('h') ? "es" : "s");
}

std::string counted(std::uint64_t count, std::string_view thing) {
  return fmt::format("{} {}", count, count == 1 ? std::string(thing) : several(thing));
}

/// "load, shared", "atomicAdd, global", "shuffle_xor".
std::string operation_text(const line_cost& line) {
  const std::string_view name = line.operation.empty() ? name_of(line.kind) : std::string_view(line.operation);
  return line.is_access() ? fmt::format("{}, {}", name, line.is_shared ? "shared" : "global") : std::string(name);
}

/// What is counted.
std::string_view unit_of(const line_cost& line) {
  if (line.is_access()) return line.is_shared ? "pass" : "transaction";
  return line.kind == WARPZ_COST_BARRIER ? "barrier" : "collective";
}

std::string place_text(const line_cost& line) {
  if (line.line == 0) return "(unknown line)";
  const std::size_t begin = std::min(line.code.find_first_not_of(" \t"), line.code.size());
  return fmt::format("{}:{}  {}", line.file, line.line, line.code.substr(begin));
}

/// `last`: what was said before of the same line of source, which is not said twice.
std::string row_text(const line_cost& line, unsigned warp_size, std::string& last) {
  const double active = static_cast<double>(line.lanes) / static_cast<double>(line.instructions);
  std::string text = fmt::format("  {:>8}  {:>5.1f}", line.instructions, active);
  text += line.is_access() ? fmt::format("  {:>8}  {:>8}", line.needed, line.fewest) : fmt::format("{:20}", "");
  text += fmt::format("  {}", operation_text(line));
  text += fmt::format(": {}", line.is_access() ? several(unit_of(line)) : std::string(unit_of(line)));
  if (line.kind == WARPZ_COST_ATOMIC) text += fmt::format("; {}", counted(line.serial, "serial step"));
  text += "\n";
  const std::string advice = advice_on(line, warp_size);
  if (advice.empty() || advice == last) return text;
  last = advice;
  return text + fmt::format("    ! {}\n", advice);
}

std::string shared_text(const total_costs& total) {
  if (total.shared.passes == 0) return "not accessed";
  const std::uint64_t conflicts = total.shared.passes - total.shared.fewest;
  return fmt::format("{}, {}", counted(total.shared.passes, "pass"),
                     conflicts == 0 ? "no bank conflicts" : fmt::format("{} of them for bank conflicts", conflicts));
}

std::string global_text(const total_costs& total, unsigned warp_size) {
  if (total.global.transactions == 0) return "not accessed";
  return fmt::format("{} of {} bytes, {} at best; {} of 128 bytes", counted(total.global.transactions, "transaction"),
                     transaction_bytes(warp_size), total.global.fewest,
                     counted(total.global.cache_lines, "cache line"));
}

std::string totals_text(const total_costs& total, unsigned warp_size) {
  const double possible = static_cast<double>(total.instructions) * warp_size;
  return fmt::format("in all\n  shared memory  {}\n  global memory  {}\n", shared_text(total),
                     global_text(total, warp_size)) +
         fmt::format("  instructions   {}, {}, {}{}; {:.1f} % of the lanes are active\n",
                     counted(total.collectives, "collective"), counted(total.barriers, "barrier"),
                     counted(total.atomics, "atomic"),
                     total.atomics == 0 ? "" : fmt::format(" in {}", counted(total.serial, "serial step")),
                     possible == 0 ? 100 : 100 * static_cast<double>(total.lanes) / possible);
}

std::string kernel_text(const kernel_costs& kernel, unsigned warp_size) {
  std::string text = fmt::format("Costs of {}: {}, {}, {} lanes in a warp, by {}'s rules\n\n", kernel.kernel,
                                 counted(kernel.launches, "launch"), counted(kernel.blocks, "block"), warp_size,
                                 rules_for(warp_size) == "amd" ? "AMD" : "NVIDIA");
  text += fmt::format("  {:>8}  {:>5}  {:>8}  {:>8}\n", "executed", "lanes", "needed", "fewest");
  const line_cost* last = nullptr;
  std::string said;
  for (const line_cost& each : kernel.lines) {
    const bool is_new = last == nullptr || last->file != each.file || last->line != each.line;
    if (is_new) {
      text += place_text(each) + "\n";
      said.clear();
    }
    text += row_text(each, warp_size, said);
    last = &each;
  }
  return text + totals_text(total_of(kernel), warp_size);
}

}  // namespace

std::string cost_sentence(const line_cost& line, unsigned warp_size) {
  std::string text = operation_text(line);
  if (line.is_access()) {
    text += fmt::format(": {}, {} at best", counted(line.needed, unit_of(line)), line.fewest);
  } else {
    text += fmt::format(": {}", counted(line.instructions, unit_of(line)));
  }
  if (line.lanes < line.instructions * warp_size)
    text += fmt::format(", by {:.1f} lanes on average",
                        static_cast<double>(line.lanes) / static_cast<double>(line.instructions));
  const std::string advice = advice_on(line, warp_size);
  return advice.empty() ? text : text + ". " + advice;
}

std::string costs_text(const run_costs& costs) {
  std::string text;
  for (const kernel_costs& each : costs.kernels)
    text += (text.empty() ? "" : "\n") + kernel_text(each, costs.warp_size);
  if (costs.left_out != 0)
    text += fmt::format("not counted: {} of lanes, for which there was no room\n", counted(costs.left_out, "access"));
  return text;
}

}  // namespace warpz
