// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Device code that is loaded or compiled while a program runs.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "abi/device_compiler.h"
#include "abi/device_image.h"

namespace simt {

struct device_compilation {
  bool succeeded = false;
  std::string code;  ///< a shared object, or an object
  std::string log;
};

/// Whether it is code that only an AMD GPU can run.
bool is_code_for_gpu(std::string_view bytes);

/// Compiles the source for the current device. Fails, with a message, where this process has no compiler.
device_compilation compile_device_code(warpz_device_source source);

/// A loaded shared object with device code.
struct loaded_module {
  void* library = nullptr;  ///< dlopen()'s; null where there is none
  std::vector<const warpz_device_image*> images;
};

/// Loads the code and registers its images.
loaded_module load_device_code(const std::string& code);
void unload_device_code(const loaded_module& module);

}  // namespace simt
