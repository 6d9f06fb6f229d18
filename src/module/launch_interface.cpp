// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What Clang's code for a program's host side calls, by Clang's names: registration of device code, and the
// configuration of launches. Linked into each program and hidden there, since a vendor's runtime has the same names.
#include <hip/hip_runtime_api.h>

#include <vector>

#include "simt/hip/images.hpp"

namespace {

/// What __hipRegisterFatBinary is given.
struct fat_binary {
  std::uint32_t magic;
  std::uint32_t version;
  const warpz_device_image* image;
  const void* unused;
};

struct launch_configuration {
  dim3 grid, block;
  size_t shared_bytes;
  hipStream_t stream;
};

/// A launch's arguments may launch in turn.
thread_local std::vector<launch_configuration> configurations;

const warpz_device_image& image_of(void** handle) { return *reinterpret_cast<const warpz_device_image*>(handle); }

}  // namespace

extern "C" {

// The header has the same name, in a namespace.
hipError_t launch_from_host(const void* kernel, dim3 grid, dim3 block, void** arguments, size_t shared_bytes,
                            hipStream_t stream) __asm__("hipLaunchKernel");

hipError_t launch_from_host(const void* kernel, dim3 grid, dim3 block, void** arguments, size_t shared_bytes,
                            hipStream_t stream) {
  return hipLaunchKernel(kernel, grid, block, arguments, shared_bytes, stream);
}

void** __hipRegisterFatBinary(const void* data) {
  const warpz_device_image* const image = static_cast<const fat_binary*>(data)->image;
  simt::register_image(*image);
  simt::note_library(image);
  return reinterpret_cast<void**>(const_cast<warpz_device_image*>(image));
}

void __hipUnregisterFatBinary(void** handle) { simt::forget_image(image_of(handle)); }

int __hipRegisterFunction(void** handle, const void* host, char*, const char* symbol, unsigned, void*, void*, void*,
                          void*, int*) {
  simt::register_kernel(image_of(handle), host, symbol);
  return hipSuccess;
}

void __hipRegisterVar(void** handle, void* host, char*, const char* symbol, int, size_t, int, int) {
  simt::register_variable(image_of(handle), host, symbol);
}

void __hipRegisterTexture(void** handle, const void* host, const void*, const char* symbol, int, int, int) {
  simt::register_variable(image_of(handle), host, symbol);
}

void __hipRegisterManagedVar(void** handle, void** host, void*, const char* symbol, size_t, unsigned) {
  simt::register_managed(image_of(handle), host, symbol);
}

unsigned __hipPushCallConfiguration(dim3 grid, dim3 block, size_t shared_bytes, hipStream_t stream) {
  configurations.push_back({grid, block, shared_bytes, stream});
  return 0;
}

unsigned __hipPopCallConfiguration(dim3* grid, dim3* block, size_t* shared_bytes, hipStream_t* stream) {
  const launch_configuration taken = configurations.back();
  configurations.pop_back();
  *grid = taken.grid;
  *block = taken.block;
  *shared_bytes = taken.shared_bytes;
  *stream = taken.stream;
  return hipSuccess;
}

}  // extern "C"
