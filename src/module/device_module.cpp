// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What device code is linked with that a program loads while it runs (simt/hip/modules.cpp): it finds the images.
#include <cstddef>

#include "abi/device_compiler.h"
#include "abi/device_image.h"

extern "C" __attribute__((visibility("default"))) const warpz_device_image* const* warpz_images_of_module(
    std::size_t* count) {
  *count = static_cast<std::size_t>(__stop_warpz_images - __start_warpz_images);
  return __start_warpz_images;
}
