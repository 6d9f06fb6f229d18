/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* What a run's accesses, collectives and barriers cost a GPU, place by place, for --counters: sums over all warps,
 * blocks and launches.
 *
 * The record lies in memory that both processes share, zeros at first. A hostile kernel may overwrite it, so the reader
 * checks every count, number and string. */
#ifndef WARPZ_ABI_COST_RECORD_H
#define WARPZ_ABI_COST_RECORD_H

#include "finding.h"

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

enum { WARPZ_MAX_COST_ROWS = 8192, WARPZ_MAX_COST_KERNELS = 128 };

/* In the order in which a line's rows are shown. */
enum warpz_cost_kind {
  WARPZ_COST_LOAD = 1,
  WARPZ_COST_STORE = 2,
  WARPZ_COST_ATOMIC = 3,
  WARPZ_COST_COLLECTIVE = 4,
  WARPZ_COST_BARRIER = 5
};

/* One place of one kernel. An instruction is what lanes of a warp do together, once. */
struct warpz_cost {
  uint32_t kernel;          /* its number among the kernels */
  uint32_t kind;            /* enum warpz_cost_kind */
  uint32_t is_shared;       /* an access to shared memory; else to global memory */
  uint32_t bytes;           /* that a lane accesses; the most, where it differs */
  uint64_t code;            /* for an access: its address in the process */
  struct warpz_place place; /* for a collective or barrier; for an atomic, only its operation */
  uint64_t instructions;
  uint64_t lanes;       /* active ones, of all instructions */
  uint64_t needed;      /* passes of shared memory, or transactions of global memory */
  uint64_t fewest;      /* that could do for the same bytes */
  uint64_t cache_lines; /* of 128 bytes, that accesses to global memory touch */
  uint64_t serial;      /* for atomics: the lanes on the address that most lanes of the instruction have */
  uint64_t span;        /* lanes from the first active one to the last, of all instructions */
  /* The same numbers for the one instruction that is furthest from the fewest: */
  uint32_t worst_needed;
  uint32_t worst_fewest;
  uint32_t worst_serial;
  uint32_t worst_lanes;
  uint32_t worst_ways;  /* of shared memory: passes of the group of lanes that takes most */
  int64_t worst_stride; /* bytes from each lane's address to the next one's; 0: not the same for most */
};

struct warpz_cost_kernel {
  char name[256];
  uint64_t launches;
  uint64_t blocks;
};

struct warpz_cost_record {
  uint32_t row_count;
  uint32_t kernel_count;
  uint64_t left_out; /* lanes' accesses for which there was no room */
  struct warpz_cost_kernel kernels[WARPZ_MAX_COST_KERNELS];
  struct warpz_cost rows[WARPZ_MAX_COST_ROWS];
};

#ifdef __cplusplus
}
#endif

#endif
