/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* A kernel as loops over the lanes of a warp: how Clang's plugin (src/instrument/lane_loops.hpp) and the machine
 * (src/simt/machine/lane_loops.cpp) work together.
 *
 * The kernel is cut at its stops: where lanes meet, pass a scheduling point, or return. From each stop a region of code
 * leads to the next ones. A region is a function that runs so many lanes of a warp, one after the other or several at
 * once, each to its next stop. What a lane keeps from one region to another is in the warp's frame, in arrays of lanes.
 *
 * Where a kernel has no operations of warps, its lanes are numbered through the block: a region may run all of it.
 */
#ifndef WARPZ_ABI_LANE_LOOPS_H
#define WARPZ_ABI_LANE_LOOPS_H

#include <stdint.h>

/* With which a region is called. */
struct warpz_lane_loop {
  const void* arguments; /* the kernel's: an array of addresses */
  char* frame;           /* the warp's, or the block's */
  uint64_t* value;       /* by lane, what it hands over at its next stop */
  uint64_t* argument;
  const uint64_t* result; /* by lane, what it has got at its last stop */
  uint64_t* named;        /* by lane, the lanes that its next stop names, where that differs */
  uint8_t* next;          /* by lane, the number of its next stop, where that differs */
  char* lanes;            /* the warp's or the block's, as struct lane */
  void* dynamic_shared;
  uint64_t first; /* the lanes to run in the first row of the block */
  uint64_t end;
  uint64_t rows; /* with the whole ones that follow */
  uint32_t x;    /* lane 0's threadIdx, if it were in the first row */
  uint32_t y;
  uint32_t z;
  uint32_t width; /* of a block, in lanes */
  uint32_t height;
};

enum warpz_stop {
  WARPZ_STOP_RETURN = 0, /* from the kernel */
  WARPZ_STOP_COLLECTIVE = 1,
  WARPZ_STOP_ACTIVE = 2, /* a collective of the active lanes */
  WARPZ_STOP_BARRIER = 3,
  WARPZ_STOP_YIELD = 4
};

/* A region and the stop before it. Stop 0 is the return, and region 0 begins the kernel. */
struct warpz_lane_region {
  void (*run)(const struct warpz_lane_loop*);
  /* The same for processors with AVX-512; may be null. */
  void (*run_wide)(const struct warpz_lane_loop*);
  int32_t only_stop;   /* the next one of all lanes; below 0: each lane's is in `next` */
  uint32_t tells_lane; /* it makes each lane the running one */
  uint32_t stop;       /* enum warpz_stop */
  uint32_t combine;    /* of a barrier: simt::combine */
  void (*op)(void);    /* of a collective: a simt::collective_op */
  uint64_t named;      /* of a collective; 0: each lane's is in `named` */
  const char* operation;
  const char* file;
  uint64_t line_source_and_type; /* as simt::detail::arrive() has it */
};

/* Null in place of the regions: the kernel runs without loops, and `reason` says why. */
struct warpz_lane_loops {
  const struct warpz_lane_region* regions;
  const char* reason;
  uint64_t frame_bytes; /* of a warp, or of a block */
  uint64_t of_block;    /* lanes are numbered through the block: they meet only at barriers of the block */
  uint64_t yields;      /* it has scheduling points, where a block may wait for another one */
};

#endif
