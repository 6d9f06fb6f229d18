// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "run/backend.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <span>
#include <tuple>

#include "error.hpp"
#include "system/installed.hpp"
#include "text/printable.hpp"

namespace warpz {
namespace {

/// A name in a record that a foreign module has filled.
template <std::size_t N>
std::string name_in(const char (&record)[N]) {
  return printable(bounded(record));
}

/// The reason and the advice on one line.
std::string with_advice(const error& reason) {
  return reason.advice().empty() ? reason.what() : fmt::format("{}. {}", reason.what(), reason.advice());
}

const vendor& find(const std::vector<vendor>& known, backend_choice backend) {
  return *std::find_if(known.begin(), known.end(), [&](const vendor& each) { return each.backend == backend; });
}

module_source module_of(const vendor& maker) {
  if (const std::optional<std::string> file = maker.module_file()) return {nullptr, *file};
  const std::string_view name = name_of(maker.backend);
  throw error(
      exit_code::no_device,
      fmt::format("there is no kernel module for {}: {} is missing", name,
                  maker.module_files.empty() ? fmt::format("libwarpz-{}.so", name) : maker.module_files.front()),
      maker.backend == backend_choice::amd
          ? "scripts/warpz --backend amd builds it, and installs hipcc if it can. --backend cpu needs neither."
          : "With the CUDA toolkit and hipcc installed, scripts/warpz --backend nvidia builds it. --backend cpu needs "
            "neither.");
}

/// The built-in kernels for the CPU.
module_source cpu_module(bool instrumented) {
  if (!instrumented) return {warpz_get_module, {}};
  const std::vector<std::string> places = places_of("libwarpz-checked.so");
  const std::string file = first_existing(places);
  if (!file.empty()) return {nullptr, file};
  throw error(
      exit_code::no_device,
      fmt::format("--check all needs {}, and it is missing", places.empty() ? "libwarpz-checked.so" : places.back()),
      "It is part of warpz: build or install warpz again.");
}

std::string numbers_text(std::size_t count) {
  return count == 1 ? "one device, number 0" : fmt::format("{} devices, numbers 0 to {}", count, count - 1);
}

/// Brings up the first of the process's devices that fits the request and works. If none does, the error says why the
/// first one does not.
std::uint32_t bring_up_one(kernel_process& kernels, std::span<const warpz_device> devices,
                           const device_request& request) {
  const std::string backend = printable(kernels.vendor());
  if (devices.empty()) {
    throw error(exit_code::no_device, fmt::format("there is no {} device", backend), "Try --backend cpu.");
  }
  if (request.number && *request.number >= devices.size()) {
    throw error(exit_code::no_device,
                fmt::format("--device {}: {} has {}", *request.number, backend, numbers_text(devices.size())),
                "--devices lists them.");
  }
  std::optional<error> reason;
  for (std::uint32_t i = request.number.value_or(0); i < devices.size(); ++i) {
    if (!request.warp_size || devices[i].warp_size == *request.warp_size) {
      try {
        kernels.prepare(i);
        return i;
      } catch (const error& failure) {
        if (!reason) reason = failure;
      }
    }
    if (request.number) break;
  }
  if (reason) throw error(*reason);
  const warpz_device& other = devices[request.number.value_or(0)];
  throw error(exit_code::no_device, fmt::format("{} has {} lanes per warp, but --warp-size asks for {}",
                                                name_in(other.name), other.warp_size, *request.warp_size));
}

/// The module's devices. Throws if the module is not for this backend; `automatic`: any.
std::vector<warpz_device> devices_of(kernel_process& kernels, backend_choice taken_for) {
  const std::span<const warpz_device> listed = kernels.devices();
  const std::string_view name = name_of(taken_for);
  if (taken_for != backend_choice::automatic && kernels.vendor() != name) {
    throw error(exit_code::no_device,
                fmt::format("the kernel module {} is for {}, not for {}", printable(kernels.module_name()),
                            printable(kernels.vendor()), name),
                fmt::format("scripts/warpz --backend {} builds one that is.", name));
  }
  return {listed.begin(), listed.end()};
}

chosen_device bring_up(module_source from, backend_choice taken_for, const device_request& request) {
  chosen_device result;
  from.debugged = request.debugged;
  from.confined = request.confined;
  from.limits = request.limits;
  from.seconds = request.seconds;
  result.kernels = std::make_unique<kernel_process>(std::move(from));
  const std::vector<warpz_device> devices = devices_of(*result.kernels, taken_for);
  result.number = bring_up_one(*result.kernels, devices, request);
  result.device = devices[result.number];
  return result;
}

/// "a is missing", "a, b and c are missing".
std::string missing_text(std::span<const std::string> files) {
  if (files.size() == 1) return files.front() + " is missing";
  return fmt::format("{} and {} are missing", fmt::join(files.first(files.size() - 1), ", "), files.back());
}

std::string memory_text(std::uint64_t bytes) {
  return fmt::format("{:.1f} GiB", static_cast<double>(bytes) / (1 << 30));
}

using device_columns = std::array<std::string, 7>;

/// Makes the columns as wide as their contents, except for reasons, whose rows have an empty second cell.
std::string columns_text(const std::vector<device_columns>& rows) {
  std::array<std::size_t, std::tuple_size_v<device_columns>> widths{};
  for (const device_columns& row : rows) {
    for (std::size_t i = 0; i < row.size(); ++i) {
      if (!row[1].empty()) widths[i] = std::max(widths[i], row[i].size());
    }
  }
  std::string text;
  for (const device_columns& row : rows) {
    std::string line;
    for (std::size_t i = 0; i < row.size(); ++i) {
      if (i != 1 || !row[1].empty()) line += fmt::format("{:<{}}  ", row[i], widths[i]);
    }
    line.erase(line.find_last_not_of(' ') + 1);
    text += line + "\n";
  }
  return text;
}

device_columns columns_of(const listed_device& listed) {
  if (!listed.number) return {listed.backend, "", fmt::format("not usable: {}", listed.problem)};
  const warpz_device& device = listed.device;
  return {listed.backend,
          std::to_string(*listed.number),
          std::to_string(device.warp_size),
          name_in(device.architecture),
          memory_text(device.memory_bytes),
          name_in(device.driver),
          name_in(device.name)};
}

/// Adds each device, with the reason if it cannot be brought up.
void add_devices(std::vector<listed_device>& listed, module_source from, backend_choice taken_for) {
  kernel_process kernels(std::move(from));
  const std::vector<warpz_device> devices = devices_of(kernels, taken_for);
  const std::string backend = printable(kernels.vendor());
  if (devices.empty()) listed.push_back({backend, {}, {}, "there is no device"});
  for (std::uint32_t i = 0; i < devices.size(); ++i) {
    listed.push_back({backend, i, devices[i], ""});
    try {
      kernels.prepare(i);
    } catch (const error& reason) {
      listed.back().problem = with_advice(reason);
    }
  }
}

}  // namespace

chosen_device choose_device(const device_request& request, const std::vector<vendor>& known) {
  if (request.module) return bring_up({nullptr, *request.module, request.compiled_from}, request.backend, request);
  if (request.backend == backend_choice::cpu)
    return bring_up(cpu_module(request.instrumented), backend_choice::cpu, request);
  if (request.backend != backend_choice::automatic) {
    return bring_up(module_of(find(known, request.backend)), request.backend, request);
  }

  std::vector<std::string> passed_over;
  for (const vendor& each : known) {
    if (!each.has_device_node()) continue;
    try {
      return bring_up(module_of(each), each.backend, request);
    } catch (const error& reason) {
      passed_over.push_back(fmt::format("{}: {}", name_of(each.backend), with_advice(reason)));
    }
  }
  try {
    chosen_device cpu = bring_up(cpu_module(request.instrumented), backend_choice::cpu, request);
    cpu.passed_over = std::move(passed_over);
    return cpu;
  } catch (const error& reason) {
    std::string text = reason.what();
    for (const std::string& each : passed_over) text += "\n  not on " + each;
    throw error(reason.code(), text, reason.advice());
  }
}

std::vector<listed_device> list_devices(const device_request& request, const std::vector<vendor>& known) {
  std::vector<listed_device> listed;
  if (request.module) {
    add_devices(listed, {nullptr, *request.module}, request.backend);
  } else if (request.backend == backend_choice::cpu) {
    add_devices(listed, {warpz_get_module, {}}, backend_choice::cpu);
  } else if (request.backend != backend_choice::automatic) {
    add_devices(listed, module_of(find(known, request.backend)), request.backend);
  } else {
    for (const vendor& each : known) {
      const std::string backend(name_of(each.backend));
      try {
        if (each.has_device_node()) {
          add_devices(listed, module_of(each), each.backend);
        } else {
          listed.push_back({backend, {}, {}, "no such GPU here: " + missing_text(each.device_nodes)});
        }
      } catch (const error& reason) {
        listed.push_back({backend, {}, {}, with_advice(reason)});
      }
    }
    add_devices(listed, {warpz_get_module, {}}, backend_choice::cpu);
  }
  return listed;
}

std::string devices_text(const std::vector<listed_device>& listed) {
  std::vector<device_columns> rows{{"backend", "device", "warp size", "architecture", "memory", "driver", "name"}};
  for (const listed_device& each : listed) {
    rows.push_back(columns_of(each));
    if (each.number && !each.problem.empty()) rows.push_back({"", "", fmt::format("not usable: {}", each.problem)});
  }
  return columns_text(rows);
}

}  // namespace warpz
