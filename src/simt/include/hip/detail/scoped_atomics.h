// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// __hip_atomic_load, __hip_atomic_store, __hip_atomic_fetch_add, …: with a memory order (__ATOMIC_RELAXED and so on)
// and a scope. All scopes mean the same here.
//
// Macros, since clang has built-in functions of these names, which are no scheduling points of the machine.
#pragma once

#include "hip/detail/atomics.h"

SIMT_BOTH_SIDES_BEGIN

#ifndef __HIP_MEMORY_SCOPE_SINGLETHREAD
#define __HIP_MEMORY_SCOPE_SINGLETHREAD 1
#define __HIP_MEMORY_SCOPE_WAVEFRONT 2
#define __HIP_MEMORY_SCOPE_WORKGROUP 3
#define __HIP_MEMORY_SCOPE_AGENT 4
#define __HIP_MEMORY_SCOPE_SYSTEM 5
#endif

// The operands: (address[, value], order, scope), and for the comparing ones (address, pointer to the expected value,
// value, order, order of a failure, scope).
#define SIMT_SCOPED_ATOMIC(name, function, ...) ::simt::hip::function(::simt::hip::here(name), __VA_ARGS__)

#define __hip_atomic_load(...) SIMT_SCOPED_ATOMIC("__hip_atomic_load", atomic_load, __VA_ARGS__)
#define __hip_atomic_store(...) SIMT_SCOPED_ATOMIC("__hip_atomic_store", atomic_store, __VA_ARGS__)
#define __hip_atomic_exchange(...) SIMT_SCOPED_ATOMIC("__hip_atomic_exchange", atomic_exchange, __VA_ARGS__)
#define __hip_atomic_compare_exchange_strong(...) \
  SIMT_SCOPED_ATOMIC("__hip_atomic_compare_exchange_strong", atomic_compare_exchange, __VA_ARGS__)
#define __hip_atomic_compare_exchange_weak(...) \
  SIMT_SCOPED_ATOMIC("__hip_atomic_compare_exchange_weak", atomic_compare_exchange, __VA_ARGS__)
#define __hip_atomic_fetch_add(...) SIMT_SCOPED_ATOMIC("__hip_atomic_fetch_add", atomic_add, __VA_ARGS__)
#define __hip_atomic_fetch_sub(...) SIMT_SCOPED_ATOMIC("__hip_atomic_fetch_sub", atomic_sub, __VA_ARGS__)
#define __hip_atomic_fetch_and(...) SIMT_SCOPED_ATOMIC("__hip_atomic_fetch_and", atomic_and, __VA_ARGS__)
#define __hip_atomic_fetch_or(...) SIMT_SCOPED_ATOMIC("__hip_atomic_fetch_or", atomic_or, __VA_ARGS__)
#define __hip_atomic_fetch_xor(...) SIMT_SCOPED_ATOMIC("__hip_atomic_fetch_xor", atomic_xor, __VA_ARGS__)
#define __hip_atomic_fetch_min(...) SIMT_SCOPED_ATOMIC("__hip_atomic_fetch_min", atomic_min, __VA_ARGS__)
#define __hip_atomic_fetch_max(...) SIMT_SCOPED_ATOMIC("__hip_atomic_fetch_max", atomic_max, __VA_ARGS__)

SIMT_BOTH_SIDES_END
