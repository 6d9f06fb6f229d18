/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The symbols of the red zones: the space before an instrumented module's first variables, which belongs to none. */
#pragma once

#define WARPZ_RED_ZONE_NAME "warpz_red_zone"
