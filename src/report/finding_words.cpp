// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "report/finding_words.hpp"

#include <fmt/format.h>
#include <signal.h>

#include <algorithm>
#include <array>
#include <bit>
#include <iterator>

#include "text/number.hpp"
#include "text/printable.hpp"

namespace warpz {
namespace {

struct kind_words {
  std::uint32_t kind;
  std::string_view name;
  std::string_view rule;
  std::string_view mending;
};

// The advice is broken into lines as it is printed, two columns in.
constexpr std::array kinds{
    kind_words{WARPZ_DIVERGED_COLLECTIVE, "diverged_collective",
               "lanes of a warp cannot all arrive at a warp operation",
               "Every lane named by the mask has to reach the same call. Take the call out of the branch\n"
               "  or loop that some lanes leave; lanes without an element take part with a neutral value."},
    kind_words{WARPZ_DIVERGED_BARRIER, "diverged_barrier", "threads of a block cannot all arrive at a barrier",
               "Every thread of the block has to reach the same barrier. Take it out of the branch, and\n"
               "  let no thread return before it."},
    kind_words{WARPZ_WRONG_MASK, "wrong_mask", "a lane calls an operation with a mask that does not name it",
               "A mask has to name every lane that makes the call, the caller too: lane n by bit n."},
    kind_words{WARPZ_NO_PROGRESS, "no_progress", "the kernel did not end",
               "Look at what ends the loop, and at who should change what it reads: that may be a lane of\n"
               "  the same warp, which waits for this one. A kernel that only needs longer gets it by\n"
               "  --timeout."},
    kind_words{WARPZ_CRASH, "crash", "the kernel crashed",
               "Compare each index with size before reading or writing there."},
    kind_words{WARPZ_ASSERTION, "assertion", "an assertion does not hold", ""},
    kind_words{WARPZ_OUT_OF_BOUNDS, "out_of_bounds", "a lane accesses memory outside of a buffer",
               "Compare each index with the buffer's length before reading or writing there."},
    kind_words{WARPZ_MISALIGNED, "misaligned", "a lane accesses an address that is no multiple of the access's size",
               "A wider type may only be read where its address is a multiple of its size: begin there, or\n"
               "  read the elements one by one."},
    kind_words{WARPZ_UNINITIALISED_READ, "uninitialised_read", "a lane reads memory that nobody has written",
               "Write it first, and let a barrier stand between the writing and another lane's reading.\n"
               "  Shared memory holds anything when a block begins."},
    kind_words{WARPZ_DATA_RACE, "data_race", "two lanes access the same memory, and nothing orders them",
               "Put what orders them between the two: syncwarp within a warp, a barrier within a block, a fence and\n"
               "  an atomic between blocks; or use atomics for both."},
    kind_words{WARPZ_NOT_SHOWN, "not_shown",
               "the puzzle is about a finding of --check all, and the kernel has none of this kind",
               "Keep the part of the kernel that shows what goes wrong."},
    kind_words{WARPZ_UNDEFINED_LANE_VALUE, "undefined_lane_value",
               "a lane uses what it got from a lane that takes no part, which is undefined",
               "Let every lane that is read take part and be named by the mask, or drop what was read from one\n"
               "  that does not: take a neutral value instead."},
    kind_words{WARPZ_SCHEDULE_DEPENDENCE, "schedule_dependence",
               "the result changes when lanes, warps or blocks run in another order",
               "Nothing decides who comes first: let each element depend on what is there in any order, or order\n"
               "  the lanes by a barrier."},
    kind_words{WARPZ_BLOCK_SIZE_DEPENDENCE, "block_size_dependence",
               "the result changes in blocks of another size, which __launch_bounds__ allows",
               "Ask for the size (blockDim.x) instead of writing it, or let __launch_bounds__ say what is right."},
    kind_words{WARPZ_WARP_SIZE_DEPENDENCE, "warp_size_dependence", "the result depends on the warp size",
               "Ask for the size (warpSize, warpz::warp_size()) instead of writing it: in loops over offsets,\n"
               "  widths, masks and lane numbers."},
    kind_words{WARPZ_USE_AFTER_FREE, "use_after_free", "a lane accesses memory that was given back",
               "Call hipFree when the last kernel that uses the memory has ended."},
    kind_words{WARPZ_DOUBLE_FREE, "double_free", "memory is given back a second time",
               "Give each buffer back once; a pointer that is set to nullptr then is safe to give back again."},
    kind_words{WARPZ_LEAK, "leak", "memory is never given back",
               "Call hipFree (hipHostFree) for it before the program ends, on every way out."},
    kind_words{WARPZ_OVER_LIMIT, "over_limit", "more memory, output or processes than are allowed",
               "Look at what ends the loop that asks for them. --memory-limit and --output-limit allow more of the\n"
               "  first two."},
};

const kind_words* words_for(std::uint32_t kind) {
  const auto found =
      std::find_if(kinds.begin(), kinds.end(), [kind](const kind_words& each) { return each.kind == kind; });
  return found != kinds.end() ? &*found : nullptr;
}

bool is_bad_access(std::uint32_t signal_number) {
  return signal_number == static_cast<std::uint32_t>(SIGSEGV) || signal_number == static_cast<std::uint32_t>(SIGBUS);
}

/// What orders lanes that are so far from each other.
std::string_view race_mending(const warpz_finding& of) {
  const auto groups = groups_of(of);
  const auto is_atomic = [](const warpz_lane_group& each) { return each.state == WARPZ_LANE_ATOMIC; };
  if (std::any_of(groups.begin(), groups.end(), is_atomic)) {
    return "An atomic orders nothing but itself. Make the other access atomic, too, or put a barrier\n"
           "  (between blocks: fences) between the two.";
  }
  const auto is_line = [&](const warpz_lane_group& each) {
    return each.place.line != 0 && each.place.line == groups[0].place.line &&
           bounded(each.place.file) == bounded(groups[0].place.file);
  };
  if (groups.size() == 2 && std::all_of(groups.begin(), groups.end(), is_line)) {
    return "Lanes do this to one element at the same time: use an atomic (atomicAdd), let one of them do it,\n"
           "  or give each an element of its own.";
  }
  switch (of.relation) {
    case WARPZ_ONE_WARP:
      return "Put warpz::syncwarp() (__syncwarp) between them. A shuffle or a vote brings lanes together\n"
             "  and orders no memory.";
    case WARPZ_ONE_BLOCK:
      return "Put warpz::barrier() (__syncthreads) between them, where all threads of the block come.";
    default:
      return "Blocks run in any order. Hand over with a fence and an atomic flag, add with atomics, or leave\n"
             "  each block memory of its own.";
  }
}

std::string race_rule(const warpz_finding& of) {
  const auto groups = groups_of(of);
  std::string_view who = "lanes";
  if (groups.size() == 2) {
    const bool one_block = std::equal(std::begin(groups[0].block), std::end(groups[0].block), groups[1].block);
    who = !one_block                         ? "two blocks"
          : groups[0].warp != groups[1].warp ? "two warps of one block"
                                             : "two lanes of one warp";
  }
  if (of.severity == WARPZ_WARNING) return fmt::format("{} write the same value at the same time", who);
  return fmt::format("{} access the same memory, and nothing orders them", who);
}

std::string miss_rule(const warpz_finding& of) {
  if (of.memory == WARPZ_MEMORY_UNKNOWN) return "a lane accesses memory at a null pointer";
  std::string_view what = "a buffer";
  if (of.memory == WARPZ_MEMORY_SHARED || of.memory == WARPZ_MEMORY_VARIABLE) what = "an array";
  if (of.memory == WARPZ_MEMORY_DYNAMIC_SHARED) what = "the dynamic shared memory";
  return fmt::format("a lane accesses memory {} {}", of.offset < 0 ? "before the beginning of" : "past the end of",
                     what);
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

std::string doing_text(const warpz_lane_group& group, bool is_second) {
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
      text = one ? "has never set the variable" : "have never set the variable";
      break;
    case WARPZ_LANE_NOT_NAMED:
      return one ? "is left out by the mask" : "are left out by the mask";
    default:
      text = one ? "is in an unknown state" : "are in an unknown state";
      break;
  }
  if (group.place.mask != 0) text += fmt::format(" (mask {:#x}: {})", group.place.mask, lanes_text(group.place.mask));
  return text + at_place(bounded(group.place.file), group.place.line);
}

std::string contrast_text(const warp_size_contrast& of) {
  std::string text = fmt::format("  with {} lanes: passed\n", of.right);
  if (of.mismatch_count != 0) {
    text += fmt::format("  with {} lanes: {} of {} elements {}\n", of.wrong, of.mismatch_count, of.elements,
                        of.mismatch_count == 1 ? "differs" : "differ");
  }
  if (of.first) {
    const std::string other = of.right_output ? fmt::format("{} with {} lanes", number_text(*of.right_output), of.right)
                                              : fmt::format("not there with {} lanes", of.right);
    text += fmt::format("  output[{}]: {} instead of {} with {} lanes, {}\n", of.first->index,
                        never_written(of.first->output) ? "never written" : number_text(of.first->output),
                        number_text(of.first->expected), of.wrong, other);
  }
  for (const source_line& line : of.hard_coded) {
    text += fmt::format("  written for {} lanes:{} {}\n", of.right, at_place(line.file, line.line),
                        printable(line.function, 80));
  }
  return text;
}

bool same_warp(const warpz_lane_group& a, const warpz_lane_group& b) {
  return std::equal(std::begin(a.block), std::end(a.block), std::begin(b.block)) && a.warp == b.warp;
}

/// The runs that made the values different.
std::pair<std::string, std::string> two_runs(const symbolized_finding& of) {
  switch (of.record.kind) {
    case WARPZ_SCHEDULE_DEPENDENCE:
      return {"ascending order", fmt::format("order {}", of.schedule)};
    case WARPZ_BLOCK_SIZE_DEPENDENCE:
      return {"the puzzle's blocks", fmt::format("blocks of {} threads", of.block_threads)};
    default:
      return {"one run", "another"};
  }
}

/// What two runs made of the element, where that is the finding.
std::string values_text(const symbolized_finding& of) {
  if (of.record.has_values == 0) return {};
  const auto text = [&](std::uint32_t bits) {
    const float number = std::bit_cast<float>(bits);
    if (!of.memory->floats) return fmt::format("{}", bits);
    return never_written(number) ? std::string("never written") : number_text(number);
  };
  const auto [one, other] = two_runs(of);
  return fmt::format("; it is {} in {} and {} in {}", text(of.record.values[0]), one, text(of.record.values[1]), other);
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

std::string_view kind_name(std::uint32_t kind) {
  const kind_words* const words = words_for(kind);
  return words != nullptr ? words->name : "unknown";
}

std::uint32_t kind_named(std::string_view name) {
  const auto found =
      std::find_if(kinds.begin(), kinds.end(), [name](const kind_words& each) { return each.name == name; });
  return found != kinds.end() ? found->kind : 0;
}

std::string_view kind_rule(std::uint32_t kind) {
  const kind_words* const words = words_for(kind);
  return words != nullptr ? words->rule : std::string_view();
}

std::string_view kind_mending(std::uint32_t kind) {
  const kind_words* const words = words_for(kind);
  return words != nullptr ? words->mending : std::string_view();
}

std::vector<std::uint32_t> known_kinds() {
  std::vector<std::uint32_t> all;
  for (const kind_words& each : kinds) all.push_back(each.kind);
  return all;
}

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

std::string rule_text(const warpz_finding& of) {
  const std::string message = printable(bounded(of.message));
  if (!message.empty()) return message;
  if (of.kind == WARPZ_DATA_RACE) return race_rule(of);
  if (of.kind == WARPZ_OUT_OF_BOUNDS) return miss_rule(of);
  const kind_words* const words = words_for(of.kind);
  return std::string(words != nullptr ? words->rule : "the kernel was stopped, and left no readable reason");
}

std::string_view mending(const warpz_finding& of) {
  const kind_words* const words = words_for(of.kind);
  if (words == nullptr) return {};
  if (of.kind == WARPZ_DATA_RACE) return race_mending(of);
  if (of.kind == WARPZ_UNDEFINED_LANE_VALUE && !bounded(of.message).empty()) {
    return "Set the variable where it is declared, or in all branches.";
  }
  if (of.kind == WARPZ_OUT_OF_BOUNDS && of.memory == WARPZ_MEMORY_UNKNOWN) {
    return "Look at where the pointer comes from, and who should have set it.";
  }
  // An index is to blame for a bad address only, and a used-up stack faults at one, too.
  const bool no_index = !is_bad_access(of.signal) || bounded(of.message).find("stack") != std::string_view::npos;
  return of.kind == WARPZ_CRASH && no_index ? std::string_view() : words->mending;
}

std::string group_text(const warpz_lane_group& group, bool came_before) {
  return fmt::format("{} {}", lanes_text(group.lanes), doing_text(group, came_before));
}

std::span<const warpz_lane_group> groups_of(const warpz_finding& of) {
  return {of.groups, std::min<std::size_t>(of.group_count, WARPZ_FINDING_GROUPS)};
}

bool has_address(const warpz_finding& of) {
  // The process's end alone, told by the parent, comes without lanes and without an address.
  return of.kind == WARPZ_CRASH && is_bad_access(of.signal) && (of.address != 0 || of.group_count != 0);
}

std::vector<unsigned> lanes_in(std::uint64_t mask) {
  std::vector<unsigned> lanes;
  for (; mask != 0; mask &= mask - 1) lanes.push_back(static_cast<unsigned>(std::countr_zero(mask)));
  return lanes;
}

std::string lanes_text(std::uint64_t mask) {
  if (mask == 0) return "no lanes";
  std::string text = std::has_single_bit(mask) ? "lane " : "lanes ";
  auto to = std::back_inserter(text);
  for (bool later = false; mask != 0; later = true) {
    const int first = std::countr_zero(mask);
    const int count = std::countr_one(mask >> first);
    const std::string_view before = later ? ", " : "";
    if (count == 1) {
      fmt::format_to(to, "{}{}", before, first);
    } else {
      fmt::format_to(to, "{}{}-{}", before, first, first + count - 1);
    }
    mask = first + count == 64 ? 0 : mask >> (first + count) << (first + count);
  }
  return text;
}

std::string block_text(const std::uint32_t (&block)[3]) {
  if (block[1] == 0 && block[2] == 0) return fmt::format("{}", block[0]);
  return fmt::format("({}, {}, {})", block[0], block[1], block[2]);
}

std::string memory_text(const named_memory& of) {
  const std::string name = of.name.empty() ? "memory without a name" : printable(of.name);
  const std::string_view unit = of.element_bytes == 1 ? "byte" : "element";
  return fmt::format("{}[{}]; {} has {} {}{}", name, of.index, name, of.elements, unit, of.elements == 1 ? "" : "s");
}

std::vector<std::string> note_lines(const symbolized_finding& of) {
  std::vector<std::string> lines = of.notes;
  for (const related_line& each : of.related) lines.push_back(each.event + at_place(each.file, each.line));
  return lines;
}

/// What of this depends on an undefined value.
std::string_view dependence_text(const warpz_lane_group& group) {
  switch (group.state) {
    case WARPZ_LANE_WROTE:
    case WARPZ_LANE_ATOMIC:
      return ": whether, where or what depends on the value";
    case WARPZ_LANE_READ:
    case WARPZ_LANE_WAITING:
      return ": whether or where depends on the value";
    default:
      return "";
  }
}

std::string finding_text(const symbolized_finding& of) {
  const warpz_finding& record = of.record;
  std::string text = rule_text(record) + "\n";
  if (!bounded(record.kernel).empty()) text += fmt::format("  {}\n", kernel_text(record));
  auto to = std::back_inserter(text);

  std::size_t width = 0;
  for (const warpz_lane_group& group : groups_of(record)) width = std::max(width, lanes_text(group.lanes).size());
  const warpz_lane_group* previous = nullptr;
  for (const warpz_lane_group& group : groups_of(record)) {
    if (previous == nullptr || !same_warp(*previous, group)) {
      fmt::format_to(to, "  block {}, warp {}:\n", block_text(group.block), group.warp);
    }
    fmt::format_to(to, "    {:{}}  {}{}\n", lanes_text(group.lanes), std::min<std::size_t>(width, 24),
                   doing_text(group, previous != nullptr && record.kind == WARPZ_DATA_RACE),
                   record.kind == WARPZ_UNDEFINED_LANE_VALUE ? dependence_text(group) : "");
    previous = &group;
  }
  if (of.memory) fmt::format_to(to, "  {}{}\n", memory_text(*of.memory), values_text(of));
  if (of.contrast) text += contrast_text(*of.contrast);
  if (of.schedule != 0) {
    const std::string blocks = of.block_threads != 0 ? fmt::format(", in blocks of {} threads", of.block_threads) : "";
    fmt::format_to(to, "  found with --schedule-seed {}{}\n", of.schedule, blocks);
  }
  for (const std::string& each : note_lines(of)) fmt::format_to(to, "  {}\n", each);
  if (record.repeats != 0) {
    fmt::format_to(to, "  and the same {} more time{}\n", record.repeats, record.repeats == 1 ? "" : "s");
  }
  if (of.shown_on_purpose) text += "  The puzzle shows this on purpose.\n";
  if (record.groups_left_out != 0) fmt::format_to(to, "  and {} more groups of lanes\n", record.groups_left_out);

  for (std::size_t i = 0; i < of.stack.size(); ++i) {
    const source_line& frame = of.stack[i];
    fmt::format_to(to, "  {} {}{}\n", i == 0 ? "there:      " : "called from:",
                   frame.function.empty() ? "(unknown function)" : printable(frame.function, 256),
                   at_place(frame.file, frame.line));
  }
  return text;
}

}  // namespace warpz
