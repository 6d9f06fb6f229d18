// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Reserved addresses, and memory that is created apart from them and mapped there.
//
// Memory is a file without a name, so that it can be mapped at several addresses at a time. What is not mapped, or not
// accessible, is inaccessible to the process, too.
#pragma once

#include <hip/hip_runtime_api.h>

#include <map>
#include <memory>
#include <mutex>
#include <vector>

#include "simt/hip/devices.hpp"
#include "system/descriptor.hpp"

struct ihipMemGenericAllocationHandle {
  os::descriptor file;
  std::size_t bytes;
  hipMemAllocationProp properties;
  unsigned references = 1;  ///< of the program
  unsigned mappings = 0;
  bool is_unset = true;  ///< it was never accessible
};

namespace simt {

/// What sizes and addresses have to be multiples of.
std::size_t address_granularity();

class virtual_memory {
 public:
  /// The process's.
  static virtual_memory& instance();

  hipError_t reserve(void** pointer, std::size_t bytes, std::size_t alignment, void* wanted);
  hipError_t give_back(void* pointer, std::size_t bytes);

  hipError_t create(hipMemGenericAllocationHandle_t* handle, std::size_t bytes, const hipMemAllocationProp& properties);
  hipError_t release(hipMemGenericAllocationHandle_t handle);
  hipError_t retain(hipMemGenericAllocationHandle_t* handle, const void* address);
  /// The memory whose file this is.
  hipError_t retain(hipMemGenericAllocationHandle_t* handle, int file);

  /// What `use` returns for the memory; hipErrorInvalidValue where the program has no such handle.
  template <class Use>
  hipError_t apply(hipMemGenericAllocationHandle_t handle, Use use) {
    const std::lock_guard<std::mutex> lock(mutex_);
    return is_handle(handle) ? use(*handle) : hipErrorInvalidValue;
  }

  hipError_t map(void* pointer, std::size_t bytes, hipMemGenericAllocationHandle_t handle);
  hipError_t unmap(void* pointer, std::size_t bytes);
  hipError_t set_access(void* pointer, std::size_t bytes, const hipMemAccessDesc* accesses, std::size_t count);
  hipError_t access(const void* address, int device, hipMemAccessFlags* flags);

 private:
  struct reservation {
    std::size_t bytes;
    char* mapped_begin;  ///< with what surrounds it
    std::size_t mapped_bytes;
  };
  struct mapping {
    char* begin;
    std::size_t bytes;
    hipMemGenericAllocationHandle_t memory;
    hipMemAccessFlags accesses[max_device_number] = {};

    /// A device can do as much; no device can do more.
    hipMemAccessFlags access() const;
  };

  bool is_handle(hipMemGenericAllocationHandle_t handle) const;
  bool is_reserved(const char* begin, std::size_t bytes) const;
  bool is_mapped(const char* begin, std::size_t bytes) const;
  mapping* mapping_at(const void* address);
  std::vector<mapping*> mappings_in(char* begin, std::size_t bytes);
  void drop_unused(hipMemGenericAllocationHandle_t handle);
  void make_accessible(mapping& changed);

  std::mutex mutex_;
  std::map<char*, reservation> reservations_;
  std::map<char*, mapping> mappings_;
  std::map<hipMemGenericAllocationHandle_t, std::unique_ptr<ihipMemGenericAllocationHandle>> memories_;
};

}  // namespace simt
