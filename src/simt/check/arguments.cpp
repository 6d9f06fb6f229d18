// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "simt/check/arguments.hpp"

#include <cstdio>
#include <vector>

#include "abi/text.h"
#include "simt/check/block_memory.hpp"
#include "simt/check/reports.hpp"
#include "simt/check/shadow.hpp"

namespace simt {
namespace {

std::vector<check::region*>& arguments() {
  static auto* const list = new std::vector<check::region*>;
  return *list;
}

}  // namespace

bool check_argument(std::uint32_t number, void* data, std::size_t bytes, std::size_t guard, bool initialised,
                    bool writable) {
  if (current_settings().check != WARPZ_CHECK_ALL) return true;
  check::region memory{};
  memory.begin = reinterpret_cast<std::uintptr_t>(data);
  memory.bytes = bytes;
  memory.span_begin = memory.begin - guard;
  memory.span_end = memory.begin + bytes + guard;
  memory.kind = WARPZ_MEMORY_ARGUMENT;
  memory.argument = number;
  memory.initialised = initialised;
  memory.writable = writable;
  if (!check::make_shadow(memory)) return false;
  arguments().push_back(check::region_table::add_common(memory));
  return check::has_epochs();
}

void forget_arguments() {
  for (const check::region* const each : arguments()) check::region_table::remove_common(each);
  arguments().clear();
  check::renew_shared_memory();
}

namespace check {

void report_writer(const launch_request& request, unsigned warp_size) {
  const warpz_perturbation& perturbation = current_settings().perturbation;
  warpz_digest* const digest = current_sink().digest;
  if (perturbation.asks_writer == 0 || digest == nullptr) return;
  for (const region* const each : arguments()) {
    if (each->argument != perturbation.argument || perturbation.offset >= each->bytes) continue;
    const access_stamp written = each->last_write(each->begin + perturbation.offset);
    if (!written.exists()) return;
    const bool atomic = is_atomic_code(written.code());
    warpz_finding& record = digest->last;
    warpz_copy_beginning(record.kernel, sizeof record.kernel, request.name);
    record.group_count = 1;
    describe(record.groups[0], {written, atomic ? access_kind::atomic_write : access_kind::write}, 4, request.grid,
             warp_size);
  }
}

}  // namespace check
}  // namespace simt
