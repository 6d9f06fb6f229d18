// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "app/device_choice.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "app/settings_from_options.hpp"
#include "text/printable.hpp"

namespace warpz {
namespace {

/// Without --backend, an option that only the CPU machine heeds chooses that one.
backend_choice backend_of(const options& command) {
  const bool is_open = command.device.backend == backend_choice::automatic;
  return is_open && command.device.needs_cpu_machine ? backend_choice::cpu : command.device.backend;
}

/// The device that --backend auto chose, and why none before it.
std::string chosen_text(const chosen_device& device) {
  std::string text =
      fmt::format("running on {}: {}\n", printable(device.kernels->vendor()), printable(bounded(device.device.name)));
  for (const std::string& reason : device.passed_over) text += fmt::format("  not on {}\n", reason);
  return text;
}

/// A device for the user's kernel, which was compiled for this vendor.
device_request user_device_request(const options& command, const user_module& user_kernels, unsigned warp_size,
                                   std::optional<std::uint32_t> number, std::string_view vendor) {
  device_request request{backend_of(command), user_kernels.file(command.kernel.debugger), warp_size, number,
                         *command.kernel.file};
  request.debugged = command.kernel.debugger;
  request.confined = vendor == name_of(backend_choice::cpu) && !command.kernel.debugger;
  request.limits = command.machine.limits;
  // A file's constructors get as long as its kernels, but loading takes a moment on a busy machine.
  constexpr double time_to_load = 10;
  if (const double timeout = command.machine.settings.timeout_seconds; request.confined) {
    request.seconds = timeout == 0 ? 0 : std::max(timeout, time_to_load);
  }
  return request;
}

/// Says if the user's kernel is not confined, or not completely, and why.
std::string unconfined_text(const kernel_process& kernels, const options& command) {
  if (command.kernel.debugger) return {};
  std::string reason = kernels.unconfined();
  if (kernels.vendor() != name_of(backend_choice::cpu)) reason = "on a GPU no kernel is";
  const std::string kernel = printable(*command.kernel.file);
  if (!reason.empty()) return fmt::format("warpz: {} is not confined: {}\n", kernel, reason);
  reason = kernels.reads_all();
  return reason.empty() ? "" : fmt::format("warpz: {} can read your files: {}\n", kernel, reason);
}

}  // namespace

device_request device_request_of(const options& command, std::optional<unsigned> warp_size) {
  const bool instrumented =
      !command.kernel.file && !command.kernel.module && command.machine.settings.check == WARPZ_CHECK_ALL;
  // With --kernel, this is only the device for which the file is compiled.
  const bool debugged = command.kernel.debugger && !command.kernel.file;
  return {backend_of(command), command.kernel.module, warp_size, command.device.number, {}, instrumented, debugged};
}

options on_cpu_machine(const options& command, const chosen_device& device) {
  options on_cpu = command;
  on_cpu.device.backend = backend_choice::cpu;
  on_cpu.device.number.reset();
  on_cpu.device.warp_size = device.device.warp_size;
  return on_cpu;
}

std::vector<std::optional<unsigned>> warp_sizes_of(const options& command) {
  if (command.device.both_warp_sizes) return {32, 64};
  return {command.device.warp_size};
}

std::vector<chosen_device> choose_devices(const options& command, bool is_reported, output_stream& err) {
  std::vector<chosen_device> devices;
  for (const auto& warp_size : warp_sizes_of(command)) {
    devices.push_back(choose_device(device_request_of(command, warp_size)));
  }
  const bool is_open = backend_of(command) == backend_choice::automatic && !command.kernel.module;
  if (is_reported && (is_open || command.device.compared_with_cpu) && !command.output.quiet) {
    write_notice(err, chosen_text(devices.front()));
  }
  return devices;
}

user_module compile_for(std::vector<chosen_device>& devices, const options& command, output_stream& err) {
  const chosen_device& device = devices.front();
  compile_request request;
  request.file = *command.kernel.file;
  request.puzzles = command.puzzles;
  request.entry = command.kernel.entry;
  request.own_includes = command.kernel.own_includes;
  request.compiler = command.kernel.compiler;
  request.vendor = device.kernels->vendor();
  request.instrumented =
      command.machine.settings.check == WARPZ_CHECK_ALL && request.vendor == name_of(backend_choice::cpu);
  request.architecture = bounded(device.device.architecture);
  request.cache_folder = cache_folder_of(command, err);
  request.settings = compiler_settings_of(command, err);
  request.debuggable = command.kernel.debugger;
  user_module compiled = compile_kernel(request);
  for (chosen_device& each : devices) {
    each = choose_device(user_device_request(command, compiled, each.device.warp_size, each.number, request.vendor));
  }
  if (!command.output.quiet) write_notice(err, unconfined_text(*devices.front().kernels, command));
  return compiled;
}

std::vector<device_request> hidden_devices(const chosen_device& first, const options& command,
                                           const user_module& user_kernels) {
  const std::string vendor = first.kernels->vendor();
  const auto request_of = [&](unsigned warp_size, std::optional<std::uint32_t> number) {
    return user_device_request(command, user_kernels, warp_size, number, vendor);
  };
  if (vendor != name_of(backend_choice::cpu)) return {request_of(first.device.warp_size, first.number)};
  if (command.device.warp_size) return {request_of(first.device.warp_size, {})};
  return {request_of(32, {}), request_of(64, {})};
}

}  // namespace warpz
