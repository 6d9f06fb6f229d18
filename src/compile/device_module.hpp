// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Compiles device code that a user's program hands over while it runs, to a shared object that the program loads: for
// hiprtc, and for modules that are sources. It runs in the program's process.
#pragma once

#include <optional>
#include <string>

#include "abi/device_compiler.h"
#include "compile/cpu_code.hpp"
#include "compile/temp_dir.hpp"

namespace warpz {

/// Lives as long as the program runs.
class device_module_compiler {
 public:
  /// `requested` is the user's compiler, if any. A program that is confined may start none.
  device_module_compiler(std::optional<std::string> requested, code_settings code, std::string cache_folder,
                         bool is_confined)
      : requested_(std::move(requested)),
        code_(code),
        cache_folder_(std::move(cache_folder)),
        is_confined_(is_confined) {}
  device_module_compiler(const device_module_compiler&) = delete;
  device_module_compiler& operator=(const device_module_compiler&) = delete;

  /// For warpz_settings::compiler.
  const warpz_device_compiler* settings() const { return &settings_; }

 private:
  static int compile(const void* compiler, const warpz_device_source* source,
                     const warpz_device_code_receiver* receiver);

  const std::optional<std::string> requested_;
  const code_settings code_;
  const std::string cache_folder_;
  const bool is_confined_;
  const temp_dir modules_;
  const std::string folder_ = modules_.file("");
  const warpz_device_compiler settings_{this, folder_.c_str(), compile};
};

}  // namespace warpz
