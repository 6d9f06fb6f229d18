// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// __hip_atomic_load, __hip_atomic_store, __hip_atomic_fetch_add, …: with a memory order (__ATOMIC_RELAXED and so on)
// and a scope. All scopes mean the same here.
//
// Macros, since clang has built-in functions of these names, which are no scheduling points of the machine.
#pragma once

#include "hip/detail/atomics.h"

#ifndef __HIP_MEMORY_SCOPE_SINGLETHREAD
#define __HIP_MEMORY_SCOPE_SINGLETHREAD 1
#define __HIP_MEMORY_SCOPE_WAVEFRONT 2
#define __HIP_MEMORY_SCOPE_WORKGROUP 3
#define __HIP_MEMORY_SCOPE_AGENT 4
#define __HIP_MEMORY_SCOPE_SYSTEM 5
#endif

#define SIMT_SCOPED_ATOMIC(name, function, scope, ...)          \
  (static_cast<void>(static_cast<int>(scope)), \
   ::simt::hip::function(__VA_ARGS__, ::simt::hip::here(#name)))

#define __hip_atomic_load(address, order, scope) \
  SIMT_SCOPED_ATOMIC(__hip_atomic_load, atomic_load, scope, address, order)
#define __hip_atomic_store(address, value, order, scope) \
  SIMT_SCOPED_ATOMIC(__hip_atomic_store, atomic_store, scope, address, value, order)
#define __hip_atomic_exchange(address, value, order, scope) \
  SIMT_SCOPED_ATOMIC(__hip_atomic_exchange, atomic_exchange, scope, address, value, order)
#define __hip_atomic_compare_exchange_strong(address, expected, value, success, failure, scope)                       \
  SIMT_SCOPED_ATOMIC(__hip_atomic_compare_exchange_strong, atomic_compare_exchange, scope, address, expected, value, \
                     success, failure)
#define __hip_atomic_compare_exchange_weak(address, expected, value, success, failure, scope)                       \
  SIMT_SCOPED_ATOMIC(__hip_atomic_compare_exchange_weak, atomic_compare_exchange, scope, address, expected, value, \
                     success, failure)
#define __hip_atomic_fetch_add(address, value, order, scope) \
  SIMT_SCOPED_ATOMIC(__hip_atomic_fetch_add, atomic_add, scope, address, value, order)
#define __hip_atomic_fetch_sub(address, value, order, scope) \
  SIMT_SCOPED_ATOMIC(__hip_atomic_fetch_sub, atomic_sub, scope, address, value, order)
#define __hip_atomic_fetch_and(address, value, order, scope) \
  SIMT_SCOPED_ATOMIC(__hip_atomic_fetch_and, atomic_and, scope, address, value, order)
#define __hip_atomic_fetch_or(address, value, order, scope) \
  SIMT_SCOPED_ATOMIC(__hip_atomic_fetch_or, atomic_or, scope, address, value, order)
#define __hip_atomic_fetch_xor(address, value, order, scope) \
  SIMT_SCOPED_ATOMIC(__hip_atomic_fetch_xor, atomic_xor, scope, address, value, order)
#define __hip_atomic_fetch_min(address, value, order, scope) \
  SIMT_SCOPED_ATOMIC(__hip_atomic_fetch_min, atomic_min, scope, address, value, order)
#define __hip_atomic_fetch_max(address, value, order, scope) \
  SIMT_SCOPED_ATOMIC(__hip_atomic_fetch_max, atomic_max, scope, address, value, order)
