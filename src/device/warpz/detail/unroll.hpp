// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Arrays that a GPU has to keep in registers. WARPZ_UNROLL stands before a loop over one; a CPU has no use for that.
//
// WARPZ_SET_IN_LOOP stands behind one that a loop is going to set. For the CPU machine it is set at once: its checks
// would take each of its elements for one that was never set, and run the kernel again to see what depends on them.
// A GPU's code would be another one, and has no use for that.
#pragma once

#ifdef __WARPZ_CPU__
#define WARPZ_UNROLL
#define WARPZ_SET_IN_LOOP \
  {}
#else
#define WARPZ_UNROLL _Pragma("unroll")
#define WARPZ_SET_IN_LOOP
#endif
