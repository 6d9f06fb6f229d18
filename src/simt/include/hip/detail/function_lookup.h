// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Functions of HIP by their names.
#pragma once

#include "hip/detail/api_types.h"
#include "simt/lane.hpp"

enum hipDriverProcAddressQueryResult : int {
  HIP_GET_PROC_ADDRESS_SUCCESS = 0,
  HIP_GET_PROC_ADDRESS_SYMBOL_NOT_FOUND = 1,
  HIP_GET_PROC_ADDRESS_VERSION_NOT_SUFFICIENT = 2
};

enum hipDriverEntryPointQueryResult : int {
  hipDriverEntryPointSuccess = 0,
  hipDriverEntryPointSymbolNotFound = 1,
  hipDriverEntryPointVersionNotSufficent = 2
};

#define hipEnableDefault 0x0
#define hipEnableLegacyStream 0x1
#define hipEnablePerThreadDefaultStream 0x2

inline namespace hip_on_cpu {

/// hipErrorInvalidValue where there is no function of this name, or HIP's header makes it of others. The version and
/// the flags choose nothing: there is one of each.
SIMT_API hipError_t hipGetProcAddress(const char* symbol, void** function, int version, uint64_t flags,
                                      hipDriverProcAddressQueryResult* result = nullptr);
SIMT_API hipError_t hipGetDriverEntryPoint(const char* symbol, void** function, unsigned long long flags,
                                           hipDriverEntryPointQueryResult* result = nullptr);

}  // namespace hip_on_cpu
