/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* How the space is called that belongs to no variable, in front of a watched module's first ones. */
#pragma once

#define WARPZ_RED_ZONE_NAME "warpz_red_zone"
