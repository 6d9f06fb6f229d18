// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Where the kernel modules of GPU vendors lie, and which files show that a machine has such a GPU. Loads nothing.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace warpz {

/// In the order of --backend's choices.
enum class backend_choice { automatic, cpu, amd, nvidia };

std::string_view name_of(backend_choice backend);

/// Whether a GPU is asked for by its vendor.
constexpr bool is_gpu(backend_choice backend) {
  return backend == backend_choice::amd || backend == backend_choice::nvidia;
}

/// One GPU vendor on this machine and in this installation.
struct vendor {
  backend_choice backend = backend_choice::automatic;
  std::vector<std::string> device_nodes;  ///< a machine with a usable device has one of these
  std::vector<std::string> module_files;  ///< where its module may lie; the first file that exists counts

  bool has_device_node() const;
  std::optional<std::string> module_file() const;
};

/// The vendors in the order in which --backend auto tries them. Modules lie beside the program where it was built, and
/// in ../lib/warpz (or lib64, or with the architecture's name) where it is installed.
std::vector<vendor> vendors();

}  // namespace warpz
