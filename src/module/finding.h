/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* What the kernel side tells the host side when a kernel breaks a rule.
 *
 * Plain records of fixed size: they are written into memory shared with the parent process, also by a
 * signal handler of a child that is about to die, and a hostile kernel may have scribbled over them. The
 * reader therefore bounds every count and every string. */
#ifndef WARPZ_MODULE_FINDING_H
#define WARPZ_MODULE_FINDING_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

enum warpz_finding_kind {
  WARPZ_DIVERGED_COLLECTIVE = 1, /* lanes of a warp that cannot all arrive at a warp operation */
  WARPZ_DIVERGED_BARRIER = 2,    /* threads of a block that cannot all arrive at a barrier */
  WARPZ_WRONG_MASK = 3,          /* a lane that calls with a mask that does not name it, or names nobody */
  WARPZ_NO_PROGRESS = 4,         /* the time for progress ran out: an endless loop or spin */
  WARPZ_CRASH = 5,               /* a signal: wild address, division by zero, abort, stack overflow */
  WARPZ_ASSERTION = 6            /* a device-side assert that does not hold */
};

enum warpz_lane_state {
  WARPZ_LANE_WAITING = 1, /* at a collective or barrier, at `place` */
  WARPZ_LANE_EXITED = 2,  /* returned from the kernel */
  WARPZ_LANE_RUNNING = 3, /* executing; `place` only where it is known */
  WARPZ_LANE_YIELDED = 4, /* at an atomic or another scheduling point, at `place` */
  WARPZ_LANE_READY = 5    /* free to go on, not yet resumed */
};

/* A source position: the operation a kernel called and where. Unknown: empty strings and line 0. */
struct warpz_place {
  char operation[48];
  char file[256];
  uint32_t line;
  uint64_t mask; /* the lanes the caller named; 0 where the operation has no mask */
};

/* Lanes of one warp that share a state and a place. */
struct warpz_lane_group {
  uint32_t block[3];
  uint32_t warp; /* within the block */
  uint64_t lanes;
  uint32_t state; /* enum warpz_lane_state */
  struct warpz_place place;
};

enum { WARPZ_FINDING_GROUPS = 32, WARPZ_FINDING_FRAMES = 24 };

struct warpz_finding {
  uint32_t kind; /* enum warpz_finding_kind */
  uint32_t signal;
  char kernel[64];
  char message[512]; /* one sentence: which rule was broken */
  uint64_t address;  /* the faulting address of a crash */
  uint32_t group_count;
  uint32_t groups_left_out; /* further groups that did not fit */
  struct warpz_lane_group groups[WARPZ_FINDING_GROUPS];
  /* The crashed or spinning lane's call stack, innermost first, as addresses of the child process. */
  uint32_t frame_count;
  uint64_t frames[WARPZ_FINDING_FRAMES];
};

#ifdef __cplusplus
}
#endif

#endif
