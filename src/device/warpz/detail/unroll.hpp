// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// WARPZ_UNROLL before a loop over an array that a GPU has to keep in registers. A CPU has no use for that.
#pragma once

#ifdef __WARPZ_CPU__
#define WARPZ_UNROLL
#else
#define WARPZ_UNROLL _Pragma("unroll")
#endif
