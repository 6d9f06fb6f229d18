// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The device code of this process: which kernel a launch means by an address, and where a variable of the device is.
//
// A module's images (abi/device_image.h) are registered when it is loaded. A host's address stands for a kernel or a
// variable after the host's code has said so; without a host's code, a kernel's record is its address.
#pragma once

#include "abi/device_image.h"
#include "simt/lane.hpp"

namespace simt {

/// Throws nothing; an image of another version is refused with a message, as nothing of it can be known.
SIMT_API void register_image(const warpz_device_image& image);
/// Says of the library that has this address that it has device code, whose lines findings may name.
SIMT_API void note_library(const void* address);
/// Forgets the image and all that stands for something in it.
SIMT_API void forget_image(const warpz_device_image& image);

// `symbol` is the name that the kernel or variable has in the image. What the image lacks stays unknown.
SIMT_API void register_kernel(const warpz_device_image& image, const void* host, const char* symbol);
SIMT_API void register_variable(const warpz_device_image& image, const void* host, const char* symbol);
/// The host and the device share the variable: both of its pointers get its address.
SIMT_API void register_managed(const warpz_device_image& image, void** host, const char* symbol);

/// Null where no kernel is known by this address.
const warpz_kernel_code* kernel_at(const void* address);

/// Whether the host calls a variable of the device by this address.
bool is_variable(const void* host);

/// Where the variable is that the host calls by this address: on the device, if it is one of the device's.
void* device_address(const void* host);

}  // namespace simt
