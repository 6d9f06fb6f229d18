// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Linked first into an instrumented module: an access before the beginning of its first variable hits this.
// src/instrument/red_zones.cpp makes the space behind each variable.
//
// One for each kind of variable: with a value, without one, and of a block (shared memory).
#include "abi/red_zone.h"

#define WARPZ_RED_ZONE(number) __asm__(WARPZ_RED_ZONE_NAME #number) __attribute__((used, aligned(256)))

static char with_value[4096] WARPZ_RED_ZONE(0) = {1};
static char without_value[4096] WARPZ_RED_ZONE(1);
static thread_local char of_block[4096] WARPZ_RED_ZONE(2);
