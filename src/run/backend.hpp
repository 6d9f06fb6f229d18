// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Which kernel module a run uses, and which of its devices.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "process/kernel_process.hpp"
#include "run/vendors.hpp"

namespace warpz {

/// What the command line asks for.
struct device_request {
  backend_choice backend = backend_choice::automatic;
  std::optional<std::string> module;    ///< a file to take the kernels from
  std::optional<unsigned> warp_size;    ///< lanes a warp must have
  std::optional<std::uint32_t> number;  ///< the device's number among its backend's
  std::string compiled_from = {};       ///< the source from which the module was compiled just now
  bool instrumented = false;            ///< the built-in kernels have to be the instrumented ones
  bool debugged = false;                ///< the kernels run in this process, for a debugger
  bool confined = false;                ///< the module is a stranger's code for the CPU: its process is confined
  process_limits limits = {};           ///< for loading the module, which may run code
  /// The time limit for loading the module; 0: none.
  double seconds = module_source::device_seconds;
};

/// A device that is up, and the kernel_process that holds it.
struct chosen_device {
  std::unique_ptr<kernel_process> kernels;
  std::uint32_t number = 0;
  warpz_device device = {};
  /// For each backend that was tried before and could not be used: its name and the reason.
  std::vector<std::string> passed_over;
};

/// The first device that works and has the requested warp size and number: of the requested module or backend, else
/// of the vendors in their order, else the CPU's. A vendor without a device node is not tried. Throws error(no_device)
/// where there is none.
chosen_device choose_device(const device_request& request, const std::vector<vendor>& known = vendors());

/// A line of --devices.
struct listed_device {
  std::string backend;
  std::optional<std::uint32_t> number;  ///< nothing: there is no device, and the problem says why
  warpz_device device{};
  std::string problem;  ///< why it cannot be used; empty: it can
};

/// All devices of the backends asked for, and the reasons why some cannot be used. Throws an error (no_device) where
/// the one backend or module asked for cannot be loaded.
std::vector<listed_device> list_devices(const device_request& request, const std::vector<vendor>& known = vendors());

/// The devices as a table for people.
std::string devices_text(const std::vector<listed_device>& listed);

}  // namespace warpz
