// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "run/backend.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string_view>

#include "error.hpp"
#include "text/printable.hpp"

namespace warpz {
namespace {

std::string_view name_of(backend_choice backend) {
  constexpr std::array<std::string_view, 4> names{"auto", "cpu", "amd", "nvidia"};
  return names[static_cast<std::size_t>(backend)];
}

/// The name of a record that a foreign module has filled.
template <std::size_t N>
std::string name_in(const char (&record)[N]) {
  return printable(bounded(record));
}

std::string memory_text(std::uint64_t bytes) {
  return fmt::format("{:.1f} GiB", static_cast<double>(bytes) / (1 << 30));
}

std::string table_of(session& kernels) {
  std::string text;
  const auto devices = kernels.devices();
  for (std::size_t i = 0; i < devices.size(); ++i) {
    const warpz_device& each = devices[i];
    text += fmt::format("{:<8} {:<7} {:<10} {:<12} {:>10}  {}\n", kernels.vendor(), i, each.warp_size,
                        name_in(each.architecture), memory_text(each.memory_bytes), name_in(each.name));
  }
  return text;
}

}  // namespace

module_source module_for(backend_choice backend, const std::optional<std::string>& file) {
  if (file) return {nullptr, *file};
  if (backend == backend_choice::automatic || backend == backend_choice::cpu) return {warpz_get_module, {}};
  throw error(
      exit_code::no_device,
      fmt::format("--backend {}: this version of warpz has no kernels for {} GPUs, it runs them on the CPU only",
                  name_of(backend), backend == backend_choice::amd ? "AMD" : "NVIDIA"),
      "Try --backend cpu, with --warp-size 32 or 64.");
}

std::uint32_t choose_device(session& of, backend_choice backend, std::optional<unsigned> warp_size) {
  const auto devices = of.devices();
  if (backend != backend_choice::automatic && of.vendor() != name_of(backend)) {
    throw error(exit_code::no_device, fmt::format("--backend {}: the kernel module {} is for {}", name_of(backend),
                                                  printable(of.module_file()), printable(of.vendor())));
  }
  if (devices.empty()) throw error(exit_code::no_device, fmt::format("there is no {} device", printable(of.vendor())));
  if (!warp_size) return 0;
  const auto found = std::find_if(devices.begin(), devices.end(),
                                  [&](const warpz_device& each) { return each.warp_size == *warp_size; });
  if (found == devices.end()) {
    throw error(exit_code::no_device, fmt::format("--warp-size {}: {} has {} lanes in a warp", *warp_size,
                                                  name_in(devices[0].name), devices[0].warp_size));
  }
  return static_cast<std::uint32_t>(found - devices.begin());
}

std::string devices_text(backend_choice backend, const std::optional<std::string>& file) {
  std::string text = fmt::format("{:<8} {:<7} {:<10} {:<12} {:>10}  {}\n", "backend", "device", "warp size",
                                 "architecture", "memory", "name");
  if (file || backend != backend_choice::automatic) {
    session kernels(module_for(backend, file));
    choose_device(kernels, backend, {});
    return text + table_of(kernels);
  }
  for (const backend_choice each : {backend_choice::cpu, backend_choice::amd, backend_choice::nvidia}) {
    try {
      session kernels(module_for(each, {}));
      text += table_of(kernels);
    } catch (const error&) {
      text += fmt::format("{:<8} none: this version of warpz has no kernels for it\n", name_of(each));
    }
  }
  return text;
}

}  // namespace warpz
