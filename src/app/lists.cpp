// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "app/lists.hpp"

#include <nlohmann/json.hpp>

#include "puzzle/puzzle.hpp"
#include "report/report.hpp"
#include "text/printable.hpp"

namespace warpz {
namespace {

using json = nlohmann::ordered_json;

std::string document(std::string_view key, json entries) {
  const json object{{"version", json_format_version}, {"warpz", WARPZ_VERSION}, {key, std::move(entries)}};
  return object.dump(-1, ' ', false, json::error_handler_t::replace) + "\n";
}

json text_or_null(std::string_view text) { return text.empty() ? json() : json(printable(text)); }

json device_json(const listed_device& listed) {
  json object{{"backend", listed.backend}, {"device", nullptr},
              {"warp_size", nullptr},      {"architecture", nullptr},
              {"memory_bytes", nullptr},   {"driver", nullptr},
              {"name", nullptr},           {"problem", text_or_null(listed.problem)}};
  if (!listed.number) return object;
  const warpz_device& device = listed.device;
  object["device"] = *listed.number;
  object["warp_size"] = device.warp_size;
  object["architecture"] = text_or_null(bounded(device.architecture));
  object["memory_bytes"] = device.memory_bytes;
  object["driver"] = text_or_null(bounded(device.driver));
  object["name"] = text_or_null(bounded(device.name));
  return object;
}

}  // namespace

std::string list_json() {
  json entries = json::array();
  for (const puzzle* each : puzzles()) {
    entries.push_back({{"puzzle", each->flag},
                       {"title", each->title},
                       {"summary", each->summary},
                       {"kernel", each->kernel},
                       {"parameters", signature_of(*each)}});
  }
  return document("puzzles", std::move(entries));
}

std::string devices_json(const std::vector<listed_device>& listed) {
  json entries = json::array();
  for (const listed_device& each : listed) entries.push_back(device_json(each));
  return document("devices", std::move(entries));
}

std::string text_json(std::string_view text) { return document("text", text); }

}  // namespace warpz
