// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "process/device_error.hpp"

#include <cxxabi.h>
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <initializer_list>
#include <memory>

#include "abi/device_image.h"
#include "text/printable.hpp"

namespace warpz {
namespace {

/// Parts of the names that HIP and CUDA give to one kind of error, and what to try.
struct remedy {
  std::initializer_list<std::string_view> names;
  std::string_view advice;
};

// HIP's and CUDA's names differ: hipErrorOutOfMemory is cudaErrorMemoryAllocation.
const remedy remedies[] = {
    {{"OutOfMemory", "MemoryAllocation"}, "Try fewer elements (--size), or another device (--devices lists them)."},
    {{"NoBinaryForGpu", "NoKernelImage", "InvalidDeviceFunction", "InvalidImage", "InvalidKernelImage",
      "SharedObjectInitFailed", "UnsupportedPtxVersion", "JitCompiler"},
     "The kernel module has no code for this device: build it again with -DWARPZ_{}_ARCHS=... for the architecture "
     "that --devices shows."},
    {{"NoDevice", "InsufficientDriver", "NotInitialized", "InitializationError", "SystemDriverMismatch",
      "SystemNotReady", "CompatNotSupported", "StubLibrary", "InvalidDevice"},
     "Look at the driver's own tool ({}), or try --backend cpu."},
    {{"DevicesUnavailable", "DeviceAlreadyInUse", "ContextAlreadyInUse"},
     "Another process may hold the device: look at the driver's own tool ({}), or try --device N or --backend cpu."},
};

std::string_view fill_in(const remedy& which, std::string_view vendor) {
  if (which.advice.find("_ARCHS") != std::string_view::npos) return vendor == "nvidia" ? "NVIDIA" : "AMD";
  return vendor == "nvidia" ? "nvidia-smi" : "rocminfo";
}

std::string advice_for(std::string_view code, std::string_view vendor) {
  for (const remedy& each : remedies) {
    for (const std::string_view name : each.names) {
      if (code.find(name) == std::string_view::npos) continue;
      return fmt::format(fmt::runtime(each.advice), fill_in(each, vendor));
    }
  }
  return {};
}

bool is_readable(const std::string& file) { return !file.empty() && access(file.c_str(), R_OK) == 0; }

}  // namespace

std::string advice_for_unloaded(const std::string& file) {
  if (!is_readable(file)) return {};
  return "scripts/warpz --backend amd (or nvidia) builds a GPU's module. --backend cpu needs none.";
}

std::string advice_for_module(const std::string& file) {
  if (!is_readable(file)) return {};
  return "The GPU's runtime may say why above, for example that the module has no code for this device. Rebuild it "
         "with scripts/warpz --backend amd (or nvidia) for the architectures in -DWARPZ_AMD_ARCHS (or "
         "-DWARPZ_NVIDIA_ARCHS). --backend cpu needs no module.";
}

error device_error(const warpz_error& failure, std::string_view vendor) {
  std::string text(bounded(failure.call));
  const std::string_view code = bounded(failure.code);
  if (!code.empty()) text += fmt::format(": {}", code);
  text += fmt::format(" ({})", bounded(failure.text));
  return {exit_code::no_device, printable(text), advice_for(code, vendor)};
}

std::string with_source_name(std::string reason) {
  constexpr std::string_view suffix = WARPZ_DEVICE_SUFFIX;
  // In front of a kernel's name Clang means its half on the host, which launches it.
  constexpr std::string_view launching_half = "__device_stub__";
  if (const std::size_t at = reason.find(suffix); at != std::string::npos) reason.erase(at, suffix.size());
  const std::size_t begin = reason.rfind("_Z");
  if (begin == std::string::npos) return reason;
  const std::size_t end = std::min(reason.find_first_of(" )\n", begin), reason.size());
  int status = 0;
  const std::unique_ptr<char, decltype(&std::free)> name(
      abi::__cxa_demangle(reason.substr(begin, end - begin).c_str(), nullptr, nullptr, &status), std::free);
  if (status != 0) return reason;
  std::string readable = name.get();
  if (readable.starts_with(launching_half)) readable.erase(0, launching_half.size());
  return reason.substr(0, begin) + readable + reason.substr(end);
}

}  // namespace warpz
