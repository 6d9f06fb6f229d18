// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "trace/read_record.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <map>
#include <optional>
#include <tuple>
#include <unordered_map>
#include <utility>

#include "findings/module_variables.hpp"
#include "system/file_content.hpp"
#include "text/printable.hpp"

namespace warpz {
namespace {

constexpr unsigned max_lanes = 64;
constexpr unsigned max_threads = 1024;

constexpr std::uint64_t quiet_nan = 0x7fc0'0000;  ///< as a float's bits

bool is_access(const warpz_lane_event& event) {
  return event.kind == WARPZ_LANE_LOADS || event.kind == WARPZ_LANE_STORES || event.kind == WARPZ_LANE_CHANGES;
}

step_kind kind_of(const warpz_lane_event& event) {
  switch (event.kind) {
    case WARPZ_LANE_LOADS:
      return step_kind::load;
    case WARPZ_LANE_STORES:
      return step_kind::store;
    default:
      return (event.flags & WARPZ_CHANGE_IS_PLAIN) != 0 ? step_kind::update : step_kind::atomic;
  }
}

std::string_view operation_of(step_kind kind) {
  switch (kind) {
    case step_kind::load:
      return "load";
    case step_kind::store:
      return "store";
    case step_kind::update:
      return "update";
    default:
      return "atomic";
  }
}

/// What makes accesses of several lanes the same step: the kind, the code, the memory, and its number among those.
using step_key = std::tuple<std::uint8_t, std::uint64_t, std::uint32_t, std::uint32_t>;

/// Accesses of the lanes of one warp that are not yet steps.
struct pending_step {
  step_key key;
  std::map<unsigned, const warpz_lane_event*> lanes;
};

/// Puts the accesses of each lane, which are in its program's order, into one order of steps that all agree with.
template <class Key>
std::vector<pending_step> aligned(const std::vector<std::vector<const warpz_lane_event*>>& lanes, Key key_of) {
  std::vector<pending_step> steps;
  for (unsigned lane = 0; lane < lanes.size(); ++lane) {
    std::size_t next = 0;
    for (const warpz_lane_event* const event : lanes[lane]) {
      const step_key key = key_of(*event);
      const auto known = std::find_if(steps.begin() + static_cast<std::ptrdiff_t>(next), steps.end(),
                                      [&](const pending_step& each) { return each.key == key; });
      if (known != steps.end()) {
        known->lanes[lane] = event;
        next = static_cast<std::size_t>(known - steps.begin()) + 1;
      } else {
        steps.insert(steps.begin() + static_cast<std::ptrdiff_t>(next), {key, {{lane, event}}});
        ++next;
      }
    }
  }
  return steps;
}

/// A float that somebody would compute with.
bool looks_like_float(std::uint32_t bits) {
  const float value = std::bit_cast<float>(bits);
  return value == 0 || bits == quiet_nan || (std::fabs(value) > 1e-20F && std::fabs(value) < 1e20F);
}

/// Whether the values look like floats, or pairs of them where they have 8 bytes; of memory whose type is not known. A
/// double may well have an upper half like a float and a lower one of zeros.
bool look_like_floats(const std::map<unsigned, const warpz_lane_event*>& lanes) {
  bool any = false;
  for (const auto& [lane, event] : lanes) {
    // What a store finds there may be of any kind.
    for (const std::uint64_t word : {event->value, event->kind == WARPZ_LANE_STORES ? event->value : event->result}) {
      const auto first = static_cast<std::uint32_t>(word), second = static_cast<std::uint32_t>(word >> 32);
      if (!looks_like_float(first) || (event->bytes == 8 && !looks_like_float(second))) return false;
      any = any || (first << 1 != 0 && first != quiet_nan);
    }
  }
  return any;
}

bool is_of_variable(const warpz_lane_event& event) {
  return event.memory == WARPZ_MEMORY_SHARED || event.memory == WARPZ_MEMORY_VARIABLE;
}

class record_reader {
 public:
  record_reader(const warpz_lane_record& record, const code_location& code, const kernel_arguments& arguments)
      : code_(code), arguments_(arguments) {
    // Copies: a process that the kernel has started could still write there.
    const auto count = std::min<std::uint64_t>(record.event_count, WARPZ_MAX_LANE_EVENTS);
    events_.assign(record.events, record.events + count);
    const auto places = std::min<std::uint32_t>(record.place_count, WARPZ_MAX_LANE_PLACES);
    places_.assign(record.places, record.places + places);
    const auto buffers = std::min<std::uint32_t>(record.buffer_count, WARPZ_MAX_LANE_BUFFERS);
    buffers_.assign(record.buffers, record.buffers + buffers);
    buffer_names_.resize(buffers);
    result_.launch = record.launch;
    result_.kernel = printable(bounded(record.kernel));
    result_.warp_size = record.warp_size == max_lanes ? max_lanes : max_lanes / 2;
    result_.threads = std::min<unsigned>(record.threads, max_threads);
    std::copy(std::begin(record.grid), std::end(record.grid), result_.grid);
    std::copy(std::begin(record.block), std::end(record.block), result_.block);
    result_.left_out = record.left_out;
    accesses_.assign(result_.warps(), std::vector<std::vector<const warpz_lane_event*>>(result_.warp_size));
    returned_.assign(result_.warps(), 0);
    writers_.assign(events_.size(), 0);
    steps_.assign(events_.size(), 0);
    memory_numbers_.assign(events_.size(), 0);
  }

  trace read() {
    for (std::size_t i = 0; i < events_.size(); ++i) {
      const warpz_lane_event& event = events_[i];
      if (event.thread >= result_.threads) continue;
      if (is_access(event)) {
        memory_numbers_[i] = event.argument;
        if (is_of_variable(event)) {
          const std::optional<named_memory> memory = memory_at(event);
          if (is_of_machine(event, memory)) continue;
          // Lanes may access several variables, or members of one, by the same code.
          if (memory)
            memory_numbers_[i] = variable_numbers_.try_emplace(memory->name, variable_numbers_.size()).first->second;
        }
        accesses_[warp_of(event)][lane_of(event)].push_back(&event);
        follow_memory(i);
      } else if (event.kind == WARPZ_WARP_MEETS || event.kind == WARPZ_WARP_WAITS) {
        // A barrier comes after all that the block's threads have done.
        for (unsigned warp = 0; warp < result_.warps(); ++warp) {
          if (event.kind == WARPZ_WARP_WAITS || warp == warp_of(event)) add_accesses(warp);
        }
        i = add_meeting(event, i);
      }
    }
    for (unsigned warp = 0; warp < result_.warps(); ++warp) add_accesses(warp);
    for (const written_part& each : written_) {
      result_.steps[each.step].lanes[each.lane].writer = {events_[each.writer].thread, steps_[each.writer]};
    }
    return std::move(result_);
  }

 private:
  unsigned warp_of(const warpz_lane_event& event) const { return event.thread / result_.warp_size; }
  unsigned lane_of(const warpz_lane_event& event) const { return event.thread % result_.warp_size; }
  std::size_t number_of(const warpz_lane_event& event) const {
    return static_cast<std::size_t>(&event - events_.data());
  }

  /// Who has written the memory that an event reads. Events are in the order in which they happened; steps of several
  /// warps need not be.
  void follow_memory(std::size_t number) {
    const warpz_lane_event& event = events_[number];
    // A word of four bytes; the memories of a kernel and its arguments are few.
    const auto word = [&](std::uint64_t byte) {
      return (std::uint64_t{event.memory} << 60) ^ (std::uint64_t{event.argument} << 52) ^
             ((static_cast<std::uint64_t>(event.offset) + byte) / 4);
    };
    if (event.kind != WARPZ_LANE_STORES) {
      const auto known = last_writes_.find(word(0));
      if (known != last_writes_.end()) writers_[number] = known->second + 1;
    }
    if (event.kind == WARPZ_LANE_LOADS) return;
    for (std::uint64_t byte = 0; byte < std::min<std::uint64_t>(event.bytes, sizeof event.value); byte += 4) {
      last_writes_[word(byte)] = number;
    }
  }

  trace_step new_step(unsigned warp) const {
    trace_step step;
    step.warp = warp;
    step.lanes.resize(result_.warp_size);
    for (unsigned lane = 0; lane < result_.warp_size; ++lane) {
      if ((result_.present_in(warp) >> lane & 1) == 0) continue;
      step.lanes[lane].state = (returned_[warp] >> lane & 1) != 0 ? lane_state::returned : lane_state::inactive;
    }
    return step;
  }

  /// Makes steps of what the lanes of a warp have accessed so far.
  void add_accesses(unsigned warp) {
    const auto key_of = [this](const warpz_lane_event& event) -> step_key {
      return {event.kind, event.code, event.memory, memory_numbers_[number_of(event)]};
    };
    for (const pending_step& each : aligned(accesses_[warp], key_of)) add_access(warp, each);
    for (auto& lane : accesses_[warp]) lane.clear();
  }

  void add_access(unsigned warp, const pending_step& pending) {
    const warpz_lane_event& first = *pending.lanes.begin()->second;
    trace_step step = new_step(warp);
    step.kind = kind_of(first);
    step.operation = operation_of(step.kind);
    step.is_shared = first.memory == WARPZ_MEMORY_SHARED || first.memory == WARPZ_MEMORY_DYNAMIC_SHARED;
    const source_line& line = line_of(first.code);
    step.file = line.file;
    step.line = line.line;
    step.bytes = first.bytes;
    const bool looks_like_floats = look_like_floats(pending.lanes);
    std::vector<const warpz_lane_event*> in_order;
    for (const auto& [lane, event] : pending.lanes) in_order.push_back(event);
    std::sort(in_order.begin(), in_order.end());
    for (unsigned turn = 0; turn < in_order.size(); ++turn) step.lanes[lane_of(*in_order[turn])].turn = turn;
    for (const auto& [lane, event] : pending.lanes) {
      lane_part& part = step.lanes[lane];
      const std::size_t number = number_of(*event);
      steps_[number] = result_.steps.size();
      if (writers_[number] != 0) written_.push_back({result_.steps.size(), lane, writers_[number] - 1});
      const std::optional<named_memory> memory = memory_at(*event);
      const bool is_known = (event->flags & WARPZ_VALUE_IS_UNKNOWN) == 0;
      part.state = lane_state::active;
      part.after = {event->value, is_known};
      if (step.is_change()) part.before = {event->result, is_known};
      part.offset = event->offset;
      part.index = memory ? memory->index : event->offset;
      if (lane != pending.lanes.begin()->first) continue;
      if (memory) step.memory = memory->name;
      step.is_single_value = memory && !memory->is_array && memory->index == 0;
      const bool is_float = memory && memory->floats;
      const bool guessed = first.memory != WARPZ_MEMORY_ARGUMENT && looks_like_floats;
      step.type = event->bytes == 4   ? (is_float || guessed ? WARPZ_FLOAT32 : WARPZ_INT32)
                  : event->bytes == 8 ? (is_float || guessed ? WARPZ_FLOAT32_PAIR : WARPZ_INT64)
                                      : WARPZ_BITS;
    }
    result_.steps.push_back(std::move(step));
  }

  /// Returns the number of the last event that belongs to it.
  std::size_t add_meeting(const warpz_lane_event& head, std::size_t number) {
    const unsigned warp = warp_of(head);
    returned_[warp] = head.result;
    trace_step step = new_step(warp);
    if (head.place < places_.size()) {
      const warpz_place& place = places_[head.place];
      step.operation = printable(bounded(place.operation));
      step.file = printable(bounded(place.file));
      step.line = place.line;
      step.mask = place.mask;
    }
    step.kind = head.kind == WARPZ_WARP_WAITS ? step_kind::barrier : step_kind::collective;
    step.type = head.type <= WARPZ_FLOAT32_PAIR ? static_cast<warpz_value_type>(head.type) : WARPZ_BITS;
    if (head.movement >= WARPZ_MOVES && head.movement <= WARPZ_DECIDES) {
      step.movement = static_cast<warpz_movement>(head.movement);
    }
    if (step.is_vote()) step.type = WARPZ_UINT32;
    for (unsigned lane = 0; lane < result_.warp_size; ++lane) {
      lane_state& state = step.lanes[lane].state;
      const bool is_unnamed = step.mask != 0 && (step.mask >> lane & 1) == 0;
      if ((head.value >> lane & 1) != 0) {
        state = lane_state::active;
      } else if (state != lane_state::absent && is_unnamed) {
        state = lane_state::unnamed;
      }
    }
    while (step.kind == step_kind::collective && number + 1 < events_.size() &&
           events_[number + 1].kind == WARPZ_LANE_TAKES_PART) {
      add_part(step, events_[++number]);
    }
    step.pattern = step.movement == WARPZ_MOVES ? pattern_of(step, result_.present_in(warp)) : movement_pattern{};
    using kind = movement_pattern::kind;
    if (step.pattern.shape != kind::none && step.pattern.shape != kind::from_one &&
        step.pattern.shape != kind::from_part) {
      for (unsigned lane = 0; lane < result_.warp_size; ++lane) {
        step.lanes[lane].keeps_own = step.lanes[lane].source == lane;
      }
    }
    result_.steps.push_back(std::move(step));
    return number;
  }

  void add_part(trace_step& step, const warpz_lane_event& event) const {
    lane_part& part = step.lanes[lane_of(event)];
    part.takes_undefined = (event.flags & WARPZ_RESULT_IS_UNDEFINED) != 0;
    if (step.movement != WARPZ_MEETS) part.before = {event.value, true};
    part.after = {event.result, true, part.takes_undefined};
    if (event.source < result_.warp_size) part.source = event.source;
  }

  const source_line& line_of(std::uint64_t code) {
    const auto [known, is_new] = lines_.try_emplace(code);
    if (is_new) {
      warpz_lane_group group{};
      group.code = code;
      find_place(group, code_);
      known->second = {{}, printable(bounded(group.place.file)), group.place.line};
    }
    return known->second;
  }

  /// The memory of an access by its name, and which element it is.
  std::optional<named_memory> memory_at(const warpz_lane_event& event) {
    warpz_finding about{};
    about.memory = event.memory;
    about.argument = event.argument;
    about.offset = event.offset;
    about.group_count = 1;
    about.groups[0].bytes = event.bytes;
    if (event.memory == WARPZ_MEMORY_ALLOCATION) return buffer_at(about);
    if (!is_of_variable(event)) return memory_of(about, arguments_, code_);
    if (!variables_) variables_.emplace(os::content_of(code_.file).value_or(""));
    about.kind = WARPZ_OUT_OF_BOUNDS;
    return variables_->memory_of(about);
  }

  /// Memory that the program has allocated. Buffers of one name, such as those of a loop, are told from each other.
  std::optional<named_memory> buffer_at(warpz_finding& about) {
    if (about.argument >= buffers_.size()) return {};
    const warpz_lane_buffer& buffer = buffers_[about.argument];
    about.length = buffer.bytes;
    std::string& name = buffer_names_[about.argument];
    // To look it up takes long.
    if (name.empty()) {
      std::copy(std::begin(buffer.allocated_at), std::end(buffer.allocated_at), about.allocated_at);
      name = memory_of(about, arguments_, code_).value_or(named_memory{}).name;
      const auto namesakes = ++names_[name];
      if (namesakes > 1) name += fmt::format("#{}", namesakes);
    }
    const unsigned size = std::max(about.groups[0].bytes, 1U);
    const auto index = about.offset / static_cast<std::int64_t>(size);
    return named_memory{name, index, buffer.bytes / size, size};
  }

  /// Constants of the headers, which the kernel does not name.
  static bool is_of_machine(const warpz_lane_event& event, const std::optional<named_memory>& memory) {
    return event.memory == WARPZ_MEMORY_VARIABLE && event.kind == WARPZ_LANE_LOADS && !memory;
  }

  struct written_part {
    std::size_t step;
    unsigned lane;
    std::size_t writer;  ///< the number of its event
  };

  std::vector<warpz_lane_event> events_;
  std::vector<warpz_place> places_;
  const code_location& code_;
  const kernel_arguments& arguments_;
  trace result_;
  std::vector<std::vector<std::vector<const warpz_lane_event*>>> accesses_;  ///< for each warp and each of its lanes
  std::vector<std::uint64_t> returned_;                         ///< how many lanes of each warp have returned
  std::unordered_map<std::uint64_t, std::size_t> last_writes_;  ///< the number of the event that wrote a word last
  std::vector<std::size_t> writers_;  ///< for each event, the number of the one that wrote what it reads, plus 1
  std::vector<std::size_t> steps_;    ///< for each access, its step
  std::vector<std::uint32_t> memory_numbers_;  ///< for each access, which of the memories of its kind
  std::map<std::string, std::uint32_t, std::less<>> variable_numbers_;
  std::vector<written_part> written_;
  std::map<std::uint64_t, source_line> lines_;
  std::optional<module_variables> variables_;  ///< read when the first one is accessed
  std::vector<warpz_lane_buffer> buffers_;
  std::vector<std::string> buffer_names_;  ///< empty: not yet looked up
  std::map<std::string, unsigned> names_;  ///< how many buffers have each
};

bool is_same_step(const trace_step& a, const trace_step& b) {
  return a.kind == b.kind && a.warp == b.warp && a.operation == b.operation && a.line == b.line && a.file == b.file;
}

void mark(lane_value& value, const lane_value& other) {
  if (value.is_known && (!other.is_known || value.bits != other.bits)) value.is_undefined = true;
}

}  // namespace

trace read_record(const warpz_lane_record& record, const code_location& code, const kernel_arguments& arguments) {
  return record_reader(record, code, arguments).read();
}

void mark_undefined(trace& one, const trace& other) {
  bool is_same = true;
  for (std::size_t i = 0; i < one.steps.size(); ++i) {
    trace_step& step = one.steps[i];
    is_same = is_same && i < other.steps.size() && is_same_step(step, other.steps[i]);
    for (std::size_t lane = 0; lane < step.lanes.size(); ++lane) {
      const lane_part nothing;
      const lane_part& twin = is_same && lane < other.steps[i].lanes.size() ? other.steps[i].lanes[lane] : nothing;
      mark(step.lanes[lane].before, twin.before);
      mark(step.lanes[lane].after, twin.after);
    }
  }
}

}  // namespace warpz
