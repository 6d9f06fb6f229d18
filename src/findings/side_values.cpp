// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "findings/side_values.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cstdio>
#include <map>
#include <optional>
#include <string>
#include <utility>

#include "abi/device_image.h"
#include "findings/plugin_lists.hpp"
#include "system/elf_file.hpp"
#include "system/file_content.hpp"

namespace warpz {
namespace {

constexpr std::string_view lane_count = "warpSize";

struct use {
  std::int64_t value = 0;
  std::string file;
  unsigned line = 0;
  bool is_size = false;
};

/// What one source says about a name: on each side the line that tells most.
struct named_value {
  std::optional<use> host, device;
};

void keep_best(std::optional<use>& known, const use& one) {
  if (!known || (one.is_size && !known->is_size)) known = one;
}

bool is_called_warp(std::string_view name) {
  std::string lower(name);
  std::transform(lower.begin(), lower.end(), lower.begin(),
                 [](unsigned char each) { return static_cast<char>(std::tolower(each)); });
  return lower.find("warp") != lower.npos || lower.find("wave") != lower.npos;
}

bool is_warp(std::int64_t value) { return value == 32 || value == 64; }

/// How much a difference tells: of the warp size itself, then of what is computed from it; 0: nothing.
int weight_of(const named_value& one) {
  const std::int64_t a = one.host->value, b = one.device->value;
  const bool is_double = a > 0 && b > 0 && (a == 2 * b || b == 2 * a);
  if (!is_double) return 0;
  const bool is_of_warp = is_warp(a) && is_warp(b);
  if (one.host->is_size) return is_of_warp ? 3 : 2;
  return is_of_warp ? 1 : 0;
}

symbolized_finding finding_of(std::string_view name, const use& host, const use& device, bool is_error) {
  const bool is_read = device.value == 0;
  symbolized_finding found{};
  warpz_finding& record = found.record;
  record.kind = is_error ? WARPZ_WARP_SIZE_DEPENDENCE : WARPZ_WARP_SIZE_ASSUMPTION;
  if (!is_error) record.severity = WARPZ_WARNING;
  const std::string message =
      is_read ? fmt::format("the host takes a warp for {} lanes, and the device asks warpSize", host.value)
              : fmt::format("{} is {} for the host and {} for the device", name, host.value, device.value);
  std::snprintf(record.message, sizeof record.message, "%s", message.c_str());
  found.related.push_back({fmt::format("{} is {}{}", name, host.value, host_value_event), host.file, host.line});
  found.related.push_back(
      {is_read ? std::string(warp_size_read_event) : fmt::format("{} is {} for the device", name, device.value),
       device.file, device.line});
  return found;
}

}  // namespace

std::vector<symbolized_finding> disagreements_in(std::string_view list, unsigned warp_size) {
  std::map<std::string, std::map<std::string, named_value, std::less<>>> sources;
  for (const std::vector<std::string_view>& each : rows_of_list(list)) {
    if (each.size() != 9) continue;
    named_value& one = sources[fmt::format("{}/{}", each[1], each[0])][std::string(each[3])];
    keep_best(each[2] == "host" ? one.host : one.device,
              {number_in(each[4]), std::string(each[5]), static_cast<unsigned>(number_in(each[7])), each[8] == "size"});
  }
  std::vector<symbolized_finding> found;
  for (const auto& [source, names] : sources) {
    const std::pair<const std::string, named_value>* best = nullptr;
    for (const auto& each : names) {
      if (!each.second.host || !each.second.device) continue;
      const int weight = weight_of(each.second);
      if (weight > (best != nullptr ? weight_of(best->second) : 0)) best = &each;
    }
    if (best != nullptr) {
      found.push_back(finding_of(best->first, *best->second.host, *best->second.device, weight_of(best->second) > 1));
      continue;
    }
    const auto reads = names.find(lane_count);
    if (warp_size != 64 || reads == names.end() || !reads->second.device) continue;
    for (const auto& [name, one] : names) {
      if (!one.host || one.device || !one.host->is_size || one.host->value != 32 || !is_called_warp(name)) continue;
      found.push_back(finding_of(name, *one.host, *reads->second.device, false));
      break;
    }
  }
  return found;
}

std::vector<symbolized_finding> disagreements_of_sides(const code_location& code, unsigned warp_size) {
  const std::string bytes = os::content_of(code.file).value_or("");
  return disagreements_in(os::elf_file(bytes).content_of_section(WARPZ_SIDE_VALUES_SECTION), warp_size);
}

}  // namespace warpz
