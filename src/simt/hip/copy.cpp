// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "simt/hip/copy.hpp"

#include <cstdint>
#include <cstdio>
#include <cstring>

#include "simt/hip/allocations.hpp"
#include "simt/hip/errors.hpp"
#include "simt/hip/images.hpp"
#include "simt/hip/stream_order.hpp"
#include "simt/machine/machine.hpp"
#include "simt/machine/observer.hpp"
#include "simt/machine/schedule.hpp"

namespace simt {

bool is_direction(hipMemcpyKind kind) {
  const int number = kind;
  return (number >= hipMemcpyHostToHost && number <= hipMemcpyDefault) || number == hipMemcpyDeviceToDeviceNoCU;
}

side target_of(hipMemcpyKind kind) {
  if (kind == hipMemcpyDefault) return side::any;
  return kind == hipMemcpyHostToHost || kind == hipMemcpyDeviceToHost ? side::host : side::device;
}

side source_of(hipMemcpyKind kind) {
  if (kind == hipMemcpyDefault) return side::any;
  return kind == hipMemcpyHostToHost || kind == hipMemcpyHostToDevice ? side::host : side::device;
}

namespace {

/// The program's data as if it were other data: half of the words that are copied to the device differ by a bit, or all
/// of them by up to two, for a run that shows what depends on the data. Nothing differs for seeds before `first_seed`.
void vary_inputs(void* begin, std::size_t bytes, std::uint64_t first_seed = 1) {
  const std::uint64_t seed = current_settings().perturbation.inputs;
  memory_observer* const observer = host_memory_observer();
  if (observer == nullptr || !observer->may_vary(begin, bytes) || seed < first_seed) return;
  std::uint64_t state = seed;
  for (std::size_t at = 0; at + sizeof(std::uint32_t) <= bytes; at += sizeof(std::uint32_t)) {
    const std::uint64_t random = next_random(state);
    const std::uint32_t change = seed >= warpz_wide_inputs ? random % 4 : random % 2;
    if (change == 0) continue;
    std::uint32_t word = 0;
    std::memcpy(&word, static_cast<char*>(begin) + at, sizeof word);
    word ^= change;
    std::memcpy(static_cast<char*>(begin) + at, &word, sizeof word);
    observer->vary_input();
  }
}

void note_host_write(const void* begin, std::size_t bytes) {
  if (memory_observer* const observer = host_memory_observer()) observer->write_from_host(begin, bytes);
}

/// The host gets a copy of device memory at `target`.
void note_host_read(const void* target, const void* source, std::size_t bytes) {
  memory_observer* const observer = host_memory_observer();
  if (observer == nullptr) return;
  const auto memory = allocations::instance().find(target);
  if (!memory || memory->kind == memory_kind::host || memory->kind == memory_kind::registered)
    observer->read_from_host(source, bytes);
}

}  // namespace

hipError_t check_range(const range& asked) {
  const auto refuse_for = [&](const void* buffer, const char* reason) {
    return refuse(hipErrorInvalidValue, buffer, "%s %zu bytes %s %s", asked.request, asked.bytes, asked.end, reason);
  };
  if (asked.pointer == nullptr) return refuse_for(nullptr, "a null pointer");
  const auto found = allocations::instance().find(asked.pointer);
  if (!found && allocations::instance().is_absent(asked.pointer)) {
    return refuse_for(nullptr, "memory of a graph that has not allocated it, or has freed it,");
  }
  // The user program's own memory, of which nothing more is known.
  if (!found && asked.expected != side::device) return hipSuccess;
  if (!found) return refuse_for(nullptr, "memory that is not the device's");
  if (asked.expected == side::host && found->kind == memory_kind::device) {
    return refuse_for(asked.pointer, "memory that is the device's and not the host's, as the direction says,");
  }
  const std::size_t left = found->bytes_from(asked.pointer);
  if (asked.bytes <= left) return hipSuccess;
  char reason[64];
  std::snprintf(reason, sizeof reason,
                left == found->bytes ? "a buffer of %zu" : "a place %zu bytes before the end of a buffer", left);
  return refuse_for(asked.pointer, reason);
}

void copy_bytes(void* target, const void* source, std::size_t bytes) {
  note_host_read(target, source, bytes);
  std::memmove(target, source, bytes);
  const auto to = allocations::instance().find(target);
  const auto from = allocations::instance().find(source);
  if (to && to->kind == memory_kind::device && (!from || from->kind != memory_kind::device)) vary_inputs(target, bytes);
  note_host_write(target, bytes);
}

void note_copy(const row_range& target, const row_range& source) {
  note_work(source, false, work_kind::copy);
  note_work(target, true, work_kind::copy);
}

namespace {

row_range line_at(const void* begin, std::size_t bytes) {
  return {reinterpret_cast<std::uintptr_t>(begin), bytes, bytes, 1};
}

/// As check_range(), of what is written.
hipError_t check_target(const range& asked) {
  if (const hipError_t code = check_range(asked)) return code;
  const auto found = allocations::instance().find(asked.pointer);
  if (!found || !found->is_read_only) return hipSuccess;
  return refuse(hipErrorInvalidValue, asked.pointer, "%s %zu bytes %s memory that hipMemSetAccess has made read-only",
                asked.request, asked.bytes, asked.end);
}

/// Whether memory can be copied between the two; what cannot leaves the target as it is.
hipError_t check_both(const range& target, const range& source) {
  hipError_t code = check_target(target);
  if (code == hipSuccess) code = check_range(source);
  if (code != hipSuccess) note_refused_write(const_cast<void*>(target.pointer), target.bytes);
  return code;
}

hipError_t check_fill(const range& target) {
  const hipError_t code = check_target(target);
  if (code != hipSuccess) note_refused_write(const_cast<void*>(target.pointer), target.bytes);
  return code;
}

bool is_empty(const hipExtent& extent) { return extent.width == 0 || extent.height == 0 || extent.depth == 0; }

/// The rows that a fill writes, in bytes.
hipExtent extent_of(const fill& filling) {
  return {filling.plane.width * filling.plane.elementSize, filling.plane.height, filling.depth};
}

/// The pitch of a single row says nothing.
std::size_t pitch_of(const fill& filling) {
  return filling.plane.height == 1 ? extent_of(filling).width : filling.plane.pitch;
}

/// `end`: as in range.
hipError_t check_symbol(const void* symbol, const char* end, std::size_t size, std::size_t offset, std::size_t bytes) {
  if (!is_variable(symbol)) {
    return refuse(hipErrorInvalidSymbol, nullptr, "a copy %s what is no variable of the device", end);
  }
  if (offset <= size && bytes <= size - offset) return hipSuccess;
  if (offset == 0) {
    return refuse(hipErrorInvalidValue, nullptr, "a copy of %zu bytes %s a variable of %zu", bytes, end, size);
  }
  return refuse(hipErrorInvalidValue, nullptr, "a copy of %zu bytes %s byte %zu and on of a variable of %zu", bytes,
                end, offset, size);
}

}  // namespace

hipError_t refuse_direction() {
  return refuse(hipErrorInvalidMemcpyDirection, nullptr, "a copy in no direction that this call knows");
}

hipError_t validate(const line_copy& copy) {
  if (!is_direction(copy.kind)) return refuse_direction();
  if (copy.bytes == 0) return hipSuccess;
  constexpr const char* request = "a copy of";
  return check_both({request, "to", copy.target, copy.bytes, target_of(copy.kind)},
                    {request, "from", copy.source, copy.bytes, source_of(copy.kind)});
}

hipError_t run(const line_copy& copy) {
  const hipError_t code = validate(copy);
  if (code != hipSuccess || copy.bytes == 0) return code;
  note_copy(line_at(copy.target, copy.bytes), line_at(copy.source, copy.bytes));
  copy_bytes(copy.target, copy.source, copy.bytes);
  return code;
}

hipError_t validate(const symbol_copy& copy) {
  const side variable = copy.to_symbol ? target_of(copy.kind) : source_of(copy.kind);
  if (!is_direction(copy.kind) || variable == side::host) return refuse_direction();
  if (copy.bytes == 0) return hipSuccess;
  const hipError_t code = check_symbol(copy.symbol, copy.to_symbol ? "to" : "from", copy.size, copy.offset, copy.bytes);
  if (code != hipSuccess) return code;
  const side other = copy.to_symbol ? source_of(copy.kind) : target_of(copy.kind);
  return check_range({"a copy of", copy.to_symbol ? "from" : "to", copy.memory, copy.bytes, other});
}

hipError_t run(const symbol_copy& copy) {
  const hipError_t code = validate(copy);
  if (code != hipSuccess || copy.bytes == 0) return code;
  char* const variable = static_cast<char*>(device_address(copy.symbol)) + copy.offset;
  const row_range in_memory = line_at(copy.memory, copy.bytes), in_variable = line_at(variable, copy.bytes);
  copy.to_symbol ? note_copy(in_variable, in_memory) : note_copy(in_memory, in_variable);
  if (copy.to_symbol) {
    std::memmove(variable, copy.memory, copy.bytes);
    vary_inputs(variable, copy.bytes);
  } else {
    copy_bytes(copy.memory, variable, copy.bytes);
  }
  return hipSuccess;
}

hipError_t validate(const fill& filling) {
  const unsigned element_bytes = filling.plane.elementSize;
  if (element_bytes != 1 && element_bytes != 2 && element_bytes != 4) return hipErrorInvalidValue;
  if (filling.plane.width > SIZE_MAX / element_bytes) return hipErrorInvalidValue;
  const hipExtent extent = extent_of(filling);
  if (is_empty(extent)) return hipSuccess;
  if (extent.width > pitch_of(filling)) return hipErrorInvalidPitchValue;
  if (reinterpret_cast<std::uintptr_t>(filling.plane.dst) % element_bytes != 0) return hipErrorInvalidValue;
  std::size_t bytes = 0, planes = 0;
  if (__builtin_mul_overflow(pitch_of(filling), extent.height - 1, &bytes) ||
      __builtin_add_overflow(bytes, extent.width, &bytes) ||
      __builtin_mul_overflow(filling.plane_bytes, extent.depth - 1, &planes) ||
      __builtin_add_overflow(bytes, planes, &bytes)) {
    return hipErrorInvalidValue;
  }
  const char* const request = extent.height == 1 && extent.depth == 1 ? "a memset of" : "a memset of rows over";
  return check_fill({request, "in", filling.plane.dst, bytes, side::device});
}

hipError_t run(const fill& filling) {
  if (const hipError_t code = validate(filling)) return code;
  const hipExtent extent = extent_of(filling);
  if (is_empty(extent)) return hipSuccess;
  const unsigned element_bytes = filling.plane.elementSize;
  for (std::size_t z = 0; z < extent.depth; ++z) {
    const auto begin = reinterpret_cast<std::uintptr_t>(filling.plane.dst) + z * filling.plane_bytes;
    note_work({begin, extent.width, pitch_of(filling), extent.height}, true, work_kind::fill);
    for (std::size_t y = 0; y < extent.height; ++y) {
      char* const row = static_cast<char*>(filling.plane.dst) + z * filling.plane_bytes + y * pitch_of(filling);
      if (element_bytes == 1) std::memset(row, static_cast<int>(filling.plane.value), extent.width);
      for (std::size_t x = 0; element_bytes != 1 && x < extent.width; x += element_bytes) {
        std::memcpy(row + x, &filling.plane.value, element_bytes);
      }
      vary_inputs(row, extent.width, warpz_wide_inputs);
      note_host_write(row, extent.width);
    }
  }
  return hipSuccess;
}

}  // namespace simt
