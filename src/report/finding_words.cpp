// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "report/finding_words.hpp"

#include <fmt/format.h>
#include <signal.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cctype>
#include <iterator>
#include <span>

#include "findings/kinds.hpp"
#include "findings/side_values.hpp"
#include "report/memory_words.hpp"
#include "report/operation_words.hpp"
#include "report/race_words.hpp"
#include "report/schedule_words.hpp"
#include "text/number.hpp"
#include "text/printable.hpp"

namespace warpz {
namespace {

bool is_bad_access(std::uint32_t signal_number) {
  return signal_number == static_cast<std::uint32_t>(SIGSEGV) || signal_number == static_cast<std::uint32_t>(SIGBUS);
}

std::string miss_rule(const symbolized_finding& finding) {
  const warpz_finding& record = finding.record;
  if (record.memory == WARPZ_MEMORY_UNKNOWN) return "a lane accesses memory at a null pointer";
  std::string_view memory = "a buffer";
  if (record.memory == WARPZ_MEMORY_SHARED || record.memory == WARPZ_MEMORY_VARIABLE)
    memory = finding.memory && !finding.memory->is_array ? "a variable" : "an array";
  if (record.memory == WARPZ_MEMORY_DYNAMIC_SHARED) memory = "the dynamic shared memory";
  return fmt::format("a lane accesses memory {} {}", record.offset < 0 ? "before the beginning of" : "past the end of",
                     memory);
}

std::string leak_rule(const warpz_finding& record) {
  if (record.length == 0) return std::string(kind_of(record.kind).rule);
  const std::string buffers =
      record.repeats == 0 ? "" : fmt::format(" in {} buffers", std::uint64_t{record.repeats} + 1);
  const bool one = record.length == 1;
  return fmt::format("{} byte{}{} {} never freed", record.length, one ? "" : "s", buffers, one ? "is" : "are");
}

/// "reads 4 bytes", "wrote".
std::string access_text(const warpz_lane_group& group, bool before) {
  std::string text = before ? "wrote" : "writes";
  if (group.state == WARPZ_LANE_READ) text = before ? "has read" : "reads";
  if (group.state == WARPZ_LANE_ATOMIC) text = before ? "has used an atomic" : "uses an atomic";
  if (group.bytes != 0) {
    text += fmt::format("{} {} byte{}", group.state == WARPZ_LANE_ATOMIC ? " of" : "", group.bytes,
                        group.bytes == 1 ? "" : "s");
  }
  return text;
}

std::string at_place(std::string_view file, unsigned line) {
  if (file.empty()) return {};
  const std::string shown = printable(file);
  return line != 0 ? fmt::format(" at {}:{}", shown, line) : fmt::format(" in {}", shown);
}

std::string state_text(const warpz_lane_group& group, bool is_second) {
  const bool one = std::has_single_bit(group.lanes);
  const std::string operation = printable(bounded(group.place.operation));
  std::string text;
  switch (group.state) {
    case WARPZ_LANE_WAITING:
      text = one ? "waits" : "wait";
      if (!operation.empty()) text += " in " + operation;
      break;
    case WARPZ_LANE_EXITED:
      return one ? "has returned from the kernel" : "have returned from the kernel";
    case WARPZ_LANE_RUNNING:
      text = one ? "runs" : "run";
      if (!operation.empty()) text += " " + operation;
      break;
    case WARPZ_LANE_YIELDED:
      text = one ? "was last seen" : "were last seen";
      if (!operation.empty()) text += " in " + operation;
      break;
    case WARPZ_LANE_READY:
      text = one ? "is free to go on" : "are free to go on";
      break;
    case WARPZ_LANE_READ:
    case WARPZ_LANE_WROTE:
    case WARPZ_LANE_ATOMIC:
      text = access_text(group, is_second);
      break;
    case WARPZ_LANE_TOOK:
      text = fmt::format("{} an undefined value in {}", one ? "gets" : "get", operation);
      break;
    case WARPZ_LANE_ABSENT:
      return one ? "is not there: the block ends before it" : "are not there: the block ends before them";
    case WARPZ_LANE_NEVER_SET:
      text = one ? "has never " : "have never ";
      text += operation.empty() ? "set the variable" : "written what it got from " + operation;
      break;
    case WARPZ_LANE_ELSEWHERE:
      return one ? "is elsewhere" : "are elsewhere";
    case WARPZ_LANE_NOT_NAMED:
      return one ? "is left out by the mask" : "are left out by the mask";
    default:
      text = one ? "is in an unknown state" : "are in an unknown state";
      break;
  }
  if (group.place.mask != 0) text += fmt::format(" (mask {:#x}: {})", group.place.mask, lanes_text(group.place.mask));
  return text + at_place(bounded(group.place.file), group.place.line);
}

std::string contrast_text(const warp_size_contrast& contrast) {
  std::string text = fmt::format("  with {} lanes: passed\n", contrast.right);
  if (contrast.mismatch_count != 0 && contrast.elements == 1) {
    text += fmt::format("  with {} lanes: the only element differs\n", contrast.wrong);
  } else if (contrast.mismatch_count != 0) {
    text += fmt::format("  with {} lanes: {} of {} elements {}\n", contrast.wrong, contrast.mismatch_count,
                        contrast.elements, contrast.mismatch_count == 1 ? "differs" : "differ");
  }
  if (contrast.first) {
    const std::string other = contrast.right_output
                                  ? fmt::format("{} with {} lanes", number_text(*contrast.right_output), contrast.right)
                                  : fmt::format("not there with {} lanes", contrast.right);
    text += fmt::format("  output[{}]: {} instead of {} with {} lanes, {}\n", contrast.first->index,
                        never_written(contrast.first->output) ? "never written" : number_text(contrast.first->output),
                        number_text(contrast.first->expected), contrast.wrong, other);
  }
  for (const source_line& line : contrast.hard_coded) {
    text += fmt::format("  written for {} lanes:{} {}\n", contrast.right, at_place(line.file, line.line),
                        printable(line.function, 80));
  }
  return text;
}

bool same_warp(const warpz_lane_group& a, const warpz_lane_group& b) {
  return std::equal(std::begin(a.block), std::end(a.block), std::begin(b.block)) && a.warp == b.warp;
}

/// Whether both have the same lanes in the same state at the same place, the second one in the next warp.
bool is_same_in_next_warp(const warpz_lane_group& a, const warpz_lane_group& b) {
  return std::equal(std::begin(a.block), std::end(a.block), std::begin(b.block)) && b.warp == a.warp + 1 &&
         a.lanes == b.lanes && a.state == b.state && a.bytes == b.bytes && a.place.line == b.place.line &&
         a.place.mask == b.place.mask && bounded(a.place.file) == bounded(b.place.file) &&
         bounded(a.place.operation) == bounded(b.place.operation);
}

/// How many warps in a row, from this group on, have one group each that says the same.
std::size_t warps_alike(std::span<const warpz_lane_group> groups, std::size_t first) {
  const auto is_alone = [&](std::size_t i) {
    return (i == 0 || !same_warp(groups[i - 1], groups[i])) &&
           (i + 1 == groups.size() || !same_warp(groups[i], groups[i + 1]));
  };
  std::size_t last = first;
  while (is_alone(last) && last + 1 < groups.size() && is_alone(last + 1) &&
         is_same_in_next_warp(groups[last], groups[last + 1]))
    ++last;
  return last - first + 1;
}

std::string kernel_text(const warpz_finding& record) {
  std::string text = fmt::format("in kernel {}", printable(bounded(record.kernel)));
  if (record.signal != 0) text += fmt::format(", by {}", signal_name(record.signal));
  if (has_address(record)) {
    text += fmt::format(" at address {:#x}{}", record.address, record.address == 0 ? " (a null pointer)" : "");
  }
  return text;
}

}  // namespace

std::string_view state_name(std::uint32_t state) {
  switch (state) {
    case WARPZ_LANE_WAITING:
      return "waiting";
    case WARPZ_LANE_EXITED:
      return "exited";
    case WARPZ_LANE_RUNNING:
      return "running";
    case WARPZ_LANE_YIELDED:
      return "yielded";
    case WARPZ_LANE_READY:
      return "ready";
    case WARPZ_LANE_READ:
      return "read";
    case WARPZ_LANE_WROTE:
      return "wrote";
    case WARPZ_LANE_ATOMIC:
      return "atomic";
    case WARPZ_LANE_TOOK:
      return "took";
    case WARPZ_LANE_ABSENT:
      return "absent";
    case WARPZ_LANE_NOT_NAMED:
      return "not_named";
    case WARPZ_LANE_NEVER_SET:
      return "never_set";
    case WARPZ_LANE_ELSEWHERE:
      return "elsewhere";
    default:
      return "unknown";
  }
}

std::string signal_name(std::uint32_t number) {
  switch (number) {
    case SIGSEGV:
      return "SIGSEGV";
    case SIGBUS:
      return "SIGBUS";
    case SIGFPE:
      return "SIGFPE";
    case SIGILL:
      return "SIGILL";
    case SIGTRAP:
      return "SIGTRAP";
    case SIGABRT:
      return "SIGABRT";
    case SIGKILL:
      return "SIGKILL";
    case SIGTERM:
      return "SIGTERM";
    case SIGINT:
      return "SIGINT";
    case SIGPIPE:
      return "SIGPIPE";
    case SIGSYS:
      return "SIGSYS";
    case SIGXCPU:
      return "SIGXCPU";
    case SIGXFSZ:
      return "SIGXFSZ";
    default:
      return fmt::format("signal {}", number);
  }
}

std::string rule_text(const symbolized_finding& finding) {
  const warpz_finding& record = finding.record;
  const std::string message = printable(bounded(record.message));
  if (!message.empty()) return message;
  if (record.kind == WARPZ_DATA_RACE) return race_rule(record);
  if (record.kind == WARPZ_OUT_OF_BOUNDS) return miss_rule(finding);
  if (record.kind == WARPZ_LEAK) return leak_rule(record);
  return std::string(kind_of(record.kind).rule);
}

namespace {

/// Text that names what HIP's runtime has, by the names that the source's own language has for it.
std::string in_language_of(const symbolized_finding& finding, std::string text) {
  if (!finding.is_of_cuda) return text;
  // All but the last have other names in CUDA, and not only another beginning.
  constexpr std::pair<std::string_view, std::string_view> names[] = {
      {"hipHostFree", "cudaFreeHost"},
      {"hipErrorOutOfMemory", "cudaErrorMemoryAllocation"},
      {"hipErrorInvalidHandle", "cudaErrorInvalidResourceHandle"},
      {"hipMemMap", "cuMemMap"},
      {"hipMemSetAccess", "cuMemSetAccess"},
      {"hip", "cuda"}};
  for (const auto& [hip, cuda] : names) {
    for (std::size_t at = text.find(hip); at != text.npos; at = text.find(hip, at + 1)) {
      const bool is_word = at == 0 || std::isalnum(static_cast<unsigned char>(text[at - 1])) == 0;
      const std::size_t end = at + hip.size();
      const bool goes_on = end < text.size() && std::isupper(static_cast<unsigned char>(text[end])) != 0;
      if (is_word && (goes_on || hip.size() > 3)) text.replace(at, hip.size(), cuda);
    }
  }
  return text;
}

std::string fix_in_hip(const symbolized_finding& finding) {
  const warpz_finding& record = finding.record;
  if (record.kind == WARPZ_DATA_RACE) return race_fix(finding);
  if (finding.repair && !finding.repair->advice.empty()) return finding.repair->advice;
  if (record.of_one_graph != 0) return "Let the node of the graph that comes later depend on the other one.";
  if (record.kind == WARPZ_UNDEFINED_LANE_VALUE && !bounded(record.message).empty()) {
    const auto groups = groups_of(record);
    const bool is_memory = std::any_of(groups.begin(), groups.end(), [](const warpz_lane_group& each) {
      return each.state == WARPZ_LANE_NEVER_SET && !bounded(each.place.operation).empty();
    });
    return is_memory ? "Write the memory before it is read: what malloc and new give holds arbitrary values."
                     : "Set the variable where it is declared, or in all branches.";
  }
  if (const std::string_view fix = operation_fix(record); !fix.empty()) return std::string(fix);
  if (record.kind == WARPZ_WARP_SIZE_DEPENDENCE && !finding.related.empty() &&
      std::all_of(finding.related.begin(), finding.related.end(),
                  [](const related_line& each) { return each.event == whole_warp_event; })) {
    return "If a row or a group of 32 lanes is meant: begin at 16, and give the shuffle the width 32.";
  }
  if (!finding.related.empty() && finding.related.front().event.ends_with(host_value_event)) {
    if (record.kind == WARPZ_WARP_SIZE_ASSUMPTION && finding.related.back().event == warp_size_read_event)
      return "On the host, take the warpSize that hipGetDeviceProperties tells.";
    return "The device's macros, such as __GFX9__, are not there when the host's code is compiled. On the host, take\n"
           "  the warpSize that hipGetDeviceProperties tells, and pass it on.";
  }
  if (std::any_of(finding.related.begin(), finding.related.end(),
                  [](const related_line& each) { return each.event == active_lanes_event; })) {
    return "Lanes of one branch or loop need not be together. Vote with __ballot_sync, or make a group with\n"
           "  binary_partition, where all lanes come, and pass on the result.";
  }
  if (record.kind == WARPZ_USE_AFTER_FREE && !bounded(record.message).empty()) {
    return "Launch the graph before, and let each node that uses the memory depend on the one that allocates it.";
  }
  if (record.kind == WARPZ_UNINITIALISED_READ && record.group_count == 0) {
    return "Write all of it first, by the kernel or hipMemset, or copy only what is written.";
  }
  if (record.kind == WARPZ_MISALIGNED && record.memory == WARPZ_MEMORY_DYNAMIC_SHARED) {
    return "Put the array of the widest type first, or round its offset up to a multiple of that type's size.";
  }
  if (record.kind == WARPZ_OUT_OF_BOUNDS && record.memory == WARPZ_MEMORY_ALLOCATION && record.offset >= 0 &&
      static_cast<std::uint64_t>(record.offset) < record.length) {
    return "Map memory there by hipMemMap, and let the device access it by hipMemSetAccess.";
  }
  if (record.kind == WARPZ_OUT_OF_BOUNDS && bounded(record.message).find("host program") != std::string_view::npos) {
    if (record.memory != WARPZ_MEMORY_VARIABLE)
      return "Copy it to memory of hipMalloc and give the kernel that, or allocate it by hipMallocManaged.";
    return "Copy it to memory of hipMalloc, or take the address of a __device__ variable from hipGetSymbolAddress.";
  }
  if (record.kind == WARPZ_OUT_OF_BOUNDS && record.memory == WARPZ_MEMORY_UNKNOWN) {
    if (record.groups[0].state == WARPZ_LANE_RUNNING)
      return "Compare each index with the array's length before its use.";
    return "Look where the pointer comes from, and what should have set it.";
  }
  // Only a bad address may come from a wrong index; and a stack that overflows faults at a bad address, too.
  const bool no_index =
      !is_bad_access(record.signal) || bounded(record.message).find("stack") != std::string_view::npos;
  return record.kind == WARPZ_CRASH && no_index ? "" : std::string(kind_of(record.kind).fix);
}

}  // namespace

std::string fix_text(const symbolized_finding& finding) { return in_language_of(finding, fix_in_hip(finding)); }

std::string group_text(const warpz_lane_group& group, bool came_before) {
  return fmt::format("{} {}", lanes_text(group.lanes), state_text(group, came_before));
}

bool has_address(const warpz_finding& record) {
  // Where only the end of the process is known, the record has no lanes and no address.
  return record.kind == WARPZ_CRASH && is_bad_access(record.signal) && (record.address != 0 || record.group_count != 0);
}

std::vector<unsigned> lanes_in(std::uint64_t mask) {
  std::vector<unsigned> lanes;
  for (; mask != 0; mask &= mask - 1) lanes.push_back(static_cast<unsigned>(std::countr_zero(mask)));
  return lanes;
}

std::string lanes_text(std::uint64_t mask) {
  if (mask == 0) return "no lanes";
  std::string text = std::has_single_bit(mask) ? "lane " : "lanes ";
  auto out = std::back_inserter(text);
  for (bool later = false; mask != 0; later = true) {
    const int first = std::countr_zero(mask);
    const int count = std::countr_one(mask >> first);
    const std::string_view before = later ? ", " : "";
    if (count == 1) {
      fmt::format_to(out, "{}{}", before, first);
    } else {
      fmt::format_to(out, "{}{}-{}", before, first, first + count - 1);
    }
    mask = first + count == 64 ? 0 : mask >> (first + count) << (first + count);
  }
  return text;
}

std::string block_text(const std::uint32_t (&block)[3]) {
  if (block[1] == 0 && block[2] == 0) return fmt::format("{}", block[0]);
  return fmt::format("({}, {}, {})", block[0], block[1], block[2]);
}

std::vector<std::string> note_lines(const symbolized_finding& finding) {
  std::vector<std::string> lines = finding.notes;
  for (const related_line& each : finding.related) lines.push_back(each.event + at_place(each.file, each.line));
  lines.insert(lines.end(), finding.likewise.begin(), finding.likewise.end());
  if (const std::string_view wider = wider_relation_text(finding.record); !wider.empty()) lines.emplace_back(wider);
  return lines;
}

/// Whether the finding is about a value, and its further parties depend on it.
bool depends_on_value(const warpz_finding& record) {
  return record.kind == WARPZ_UNDEFINED_LANE_VALUE || record.kind == WARPZ_MISUSED_OPERATION;
}

/// Marks the access or wait that is a different one with another value in place of the undefined one.
std::string_view dependence_text(const warpz_lane_group& group) {
  switch (group.state) {
    case WARPZ_LANE_WROTE:
    case WARPZ_LANE_ATOMIC:
    case WARPZ_LANE_READ:
    case WARPZ_LANE_WAITING:
      return ": this depends on the undefined value";
    default:
      return "";
  }
}

/// Whether a group shows an access that came before, and that the finding's own access does not come behind.
bool is_earlier(const warpz_finding& record, std::size_t group) {
  if (record.kind == WARPZ_ASYNC_RACE)
    return record.earlier_work == WARPZ_ASYNC_KERNEL && group + 1 == groups_of(record).size();
  return record.kind == WARPZ_DATA_RACE && group != 0;
}

std::string finding_text(const symbolized_finding& finding, const text_style& style) {
  const warpz_finding& record = finding.record;
  source_quotes quotes(style);
  std::string text = in_language_of(finding, rule_text(finding)) + "\n";
  if (!bounded(record.kernel).empty()) text += fmt::format("  {}\n", kernel_text(record));
  auto out = std::back_inserter(text);

  std::size_t width = 0;
  for (const warpz_lane_group& group : groups_of(record)) width = std::max(width, lanes_text(group.lanes).size());
  const std::span<const warpz_lane_group> groups = groups_of(record);
  for (std::size_t number = 0, warps = 1; number < groups.size(); number += warps) {
    const warpz_lane_group& group = groups[number];
    const bool is_race = record.kind == WARPZ_DATA_RACE || record.kind == WARPZ_ASYNC_RACE;
    warps = is_race ? 1 : warps_alike(groups, number);
    if (warps != 1) {
      fmt::format_to(out, "  block {}, warps {}-{}:\n", block_text(group.block), group.warp,
                     groups[number + warps - 1].warp);
    } else if (number == 0 || !same_warp(groups[number - 1], group)) {
      fmt::format_to(out, "  block {}, warp {}:\n", block_text(group.block), group.warp);
    }
    fmt::format_to(out, "    {:{}}  {}{}{}\n", lanes_text(group.lanes), std::min<std::size_t>(width, 24),
                   state_text(group, is_earlier(record, number)),
                   depends_on_value(record) ? dependence_text(group) : "",
                   finding.in_next_round == number ? ", in the next round of the loop" : "");
    if (number < finding.places.size()) text += quotes.next(finding.places[number], bounded(group.place.operation));
  }
  if (finding.memory) fmt::format_to(out, "  {}\n", memory_text(finding));
  if (finding.contrast) text += contrast_text(*finding.contrast);
  if (finding.schedule != 0) {
    const std::string blocks =
        finding.block_threads != 0 ? fmt::format(", in blocks of {} threads", finding.block_threads) : "";
    fmt::format_to(out, "  found with --schedule-seed {}{}\n", finding.schedule, blocks);
  }
  for (const std::string& each : schedule_lines(finding)) fmt::format_to(out, "  {}\n", each);
  for (const std::string& each : note_lines(finding)) fmt::format_to(out, "  {}\n", each);
  if (record.repeats != 0 && !kind_of(record.kind).rule_has_count) {
    fmt::format_to(out, "  and the same {} more time{}\n", record.repeats, record.repeats == 1 ? "" : "s");
  }
  if (finding.shown_on_purpose) text += "  The puzzle shows this on purpose.\n";
  if (record.groups_left_out != 0) {
    fmt::format_to(out, "  and {} more group{} of lanes\n", record.groups_left_out,
                   record.groups_left_out == 1 ? "" : "s");
  }

  for (std::size_t i = 0; i < finding.stack.size(); ++i) {
    source_line frame = finding.stack[i];
    // It is chance where in its loop a lane is stopped.
    if (record.kind == WARPZ_NO_PROGRESS) frame.column = 0;
    fmt::format_to(out, "  {} {}{}\n", i == 0 ? "there:      " : "called from:",
                   frame.function.empty() ? "(unknown function)" : printable(frame.function, 256),
                   at_place(frame.file, frame.line));
    if (i == 0) text += quotes.next(frame);
  }
  return text;
}

}  // namespace warpz
