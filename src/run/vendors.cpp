// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "run/vendors.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <array>

#include "system/installed.hpp"

namespace warpz {
namespace {

bool exists(const std::string& path) { return access(path.c_str(), F_OK) == 0; }

}  // namespace

std::string_view name_of(backend_choice backend) {
  constexpr std::array<std::string_view, 4> names{"auto", "cpu", "amd", "nvidia"};
  return names[static_cast<std::size_t>(backend)];
}

bool vendor::has_device_node() const { return std::any_of(device_nodes.begin(), device_nodes.end(), exists); }

std::optional<std::string> vendor::module_file() const {
  const auto found = std::find_if(module_files.begin(), module_files.end(), exists);
  if (found == module_files.end()) return {};
  return *found;
}

std::vector<vendor> vendors() {
  return {
      // The first node may appear only when the driver is first used. /dev/dxg is Windows's GPU within WSL.
      {backend_choice::nvidia,
       {"/dev/nvidiactl", "/proc/driver/nvidia/version", "/dev/dxg"},
       places_of("libwarpz-nvidia.so")},
      {backend_choice::amd, {"/dev/kfd", "/dev/dxg"}, places_of("libwarpz-amd.so")},
  };
}

}  // namespace warpz
