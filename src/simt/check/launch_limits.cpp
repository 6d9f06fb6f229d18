// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "simt/check/launch_limits.hpp"

#include <cstdio>

#include "simt/machine/block.hpp"
#include "simt/machine/machine.hpp"

namespace simt::check {
namespace {

template <class... Numbers>
void publish_rule(const block& current, access_finding found, warpz_severity severity, const char* format,
                  Numbers... numbers) {
  char rule[256];
  std::snprintf(rule, sizeof rule, format, static_cast<unsigned long long>(numbers)...);
  found.rule = rule;
  found.severity = severity;
  publish(found, current);
}

}  // namespace

void check_threads(const block& current, std::uint64_t bound, access_finding found) {
  if (current.lane_count() <= bound) return;
  publish_rule(current, found, WARPZ_ERROR,
               "a launch has blocks of %llu threads, and the kernel's __launch_bounds__ allows %llu",
               current.lane_count(), bound);
}

void check_shared_memory(const block& current, std::uint64_t static_bytes, access_finding found) {
  const std::uint64_t dynamic_bytes = current.request().dynamic_shared_bytes;
  const std::uint64_t bytes = static_bytes + dynamic_bytes;
  if (bytes > max_shared_bytes) {
    publish_rule(current, found, WARPZ_ERROR,
                 "a block has %llu bytes of static and %llu of dynamic shared memory; a device gives at most %llu",
                 static_bytes, dynamic_bytes, max_shared_bytes);
    return;
  }
  if (current.warp_size() != 32 || current_settings().rules == WARPZ_RULES_AMD) return;
  const bool is_allowed = dynamic_bytes != 0 && dynamic_bytes <= current.request().allowed_shared_bytes;
  if (static_bytes > unasked_shared_bytes) {
    publish_rule(current, found, WARPZ_WARNING,
                 "a block has %llu bytes of static shared memory; NVIDIA's compilers refuse more than %llu",
                 static_bytes, unasked_shared_bytes);
  } else if (bytes > unasked_shared_bytes && dynamic_bytes <= unasked_shared_bytes && !is_allowed) {
    publish_rule(
        current, found, WARPZ_WARNING,
        "a block has %llu bytes of static and %llu of dynamic shared memory; NVIDIA's devices give more than %llu "
        "only after hipFuncSetAttribute with hipFuncAttributeMaxDynamicSharedMemorySize",
        static_bytes, dynamic_bytes, unasked_shared_bytes);
  }
}

}  // namespace simt::check
