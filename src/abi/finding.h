/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* What the kernel side tells the host side when a kernel breaks a rule.
 *
 * Plain records of fixed size: they are written into memory shared with the parent process, also by a
 * signal handler of a child that is about to die, and a hostile kernel may have scribbled over them. The
 * reader therefore bounds every count and every string. */
#ifndef WARPZ_ABI_FINDING_H
#define WARPZ_ABI_FINDING_H

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
  WARPZ_ASSERTION = 6,           /* a device-side assert that does not hold */
  WARPZ_OUT_OF_BOUNDS = 7,       /* an access before or behind a buffer, or at a null pointer */
  WARPZ_MISALIGNED = 8,          /* an address that is no multiple of the access's size */
  WARPZ_UNINITIALISED_READ = 9,  /* a read of memory that nobody has written */
  WARPZ_DATA_RACE = 10,          /* accesses of two lanes that nothing orders, one of them a write */
  WARPZ_NOT_SHOWN = 11,          /* the puzzle is about a finding, and the kernel has none of this kind */

  WARPZ_UNDEFINED_LANE_VALUE = 12, /* what a lane got from one that takes no part decides what the kernel does */
  WARPZ_SCHEDULE_DEPENDENCE = 13,  /* a result that changes when lanes, warps or blocks run in another order */
  WARPZ_WARP_SIZE_DEPENDENCE = 14, /* right with 32 lanes in a warp and wrong with 64, or the other way round */
  WARPZ_USE_AFTER_FREE = 15,       /* an access to memory that was given back */
  WARPZ_DOUBLE_FREE = 16,          /* memory that is given back a second time */
  WARPZ_LEAK = 17,                 /* memory that is not given back when the program ends */
  WARPZ_OVER_LIMIT = 18,           /* more memory, output or processes than are allowed */

  WARPZ_BLOCK_SIZE_DEPENDENCE = 19 /* a result that changes in blocks of a size that the kernel says is right */
};

/* A warning does not fail the run. */
enum warpz_severity { WARPZ_ERROR = 0, WARPZ_WARNING = 1 };

/* Of a data race: how far its lanes are from each other, of all pairs of lanes at the two places the farthest. It
 * decides what would order them. */
enum warpz_relation { WARPZ_ONE_WARP = 1, WARPZ_ONE_BLOCK = 2, WARPZ_TWO_BLOCKS = 3 };

/* Which memory an access is about. */
enum warpz_memory {
  WARPZ_MEMORY_UNKNOWN = 0,
  WARPZ_MEMORY_ARGUMENT = 1,       /* a buffer that the kernel was given */
  WARPZ_MEMORY_SHARED = 2,         /* a __shared__ variable; the offset counts in the module's thread-local image */
  WARPZ_MEMORY_DYNAMIC_SHARED = 3, /* what the launch asked for */
  WARPZ_MEMORY_ALLOCATION = 5,     /* what the program has allocated */
  WARPZ_MEMORY_VARIABLE = 4        /* a variable of the kernel's file; the offset counts in the loaded module */
};

enum warpz_lane_state {
  WARPZ_LANE_WAITING = 1, /* at a collective or barrier, at `place` */
  WARPZ_LANE_EXITED = 2,  /* returned from the kernel */
  WARPZ_LANE_RUNNING = 3, /* executing; `place` only where it is known */
  WARPZ_LANE_YIELDED = 4, /* at an atomic or another scheduling point, at `place` */
  WARPZ_LANE_READY = 5,   /* free to go on, not yet resumed */
  WARPZ_LANE_READ = 6,    /* read, or is about to; so with the next two */
  WARPZ_LANE_WROTE = 7,
  WARPZ_LANE_ATOMIC = 8, /* accessed with an atomic operation */

  WARPZ_LANE_TOOK = 9,       /* got a value from a lane that takes no part, at `place` */
  WARPZ_LANE_ABSENT = 10,    /* not there: the block ends before it */
  WARPZ_LANE_NOT_NAMED = 11, /* left out by the mask */
  WARPZ_LANE_NEVER_SET = 12  /* has never set the variable at `place` */
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
  uint32_t bytes; /* of an access; 0 where it is not known */
  uint64_t code;  /* of an access: its address in the child process, from which the parent finds the place */
  struct warpz_place place;
};

enum { WARPZ_FINDING_GROUPS = 32, WARPZ_FINDING_FRAMES = 24, WARPZ_HISTORY_FRAMES = 12 };

struct warpz_finding {
  uint32_t kind; /* enum warpz_finding_kind */
  uint32_t signal;
  char kernel[64];
  char message[512]; /* one sentence: which rule was broken */
  uint64_t address;  /* the faulting address of a crash */
  uint32_t severity; /* enum warpz_severity */
  uint32_t repeats;  /* how often the same was found again, between the same places */
  uint32_t relation; /* enum warpz_relation; 0 where there is none */
  uint32_t memory;   /* enum warpz_memory */
  uint32_t argument; /* the number of the kernel's argument, from 0 */
  int64_t offset;    /* of the access in that memory, in bytes */
  uint64_t length;   /* of that memory, in bytes */

  uint32_t has_values;
  uint32_t values[2]; /* of an element that two runs made different: its bits in each */

  uint32_t group_count;
  uint32_t groups_left_out; /* further groups that did not fit */
  struct warpz_lane_group groups[WARPZ_FINDING_GROUPS];
  /* The crashed or spinning lane's call stack, innermost first, as addresses of the child process. */
  uint32_t frame_count;
  uint64_t frames[WARPZ_FINDING_FRAMES];
  /* Of memory that the program has allocated: the call stacks that made it and gave it back, as above; 0 behind. */
  uint64_t made_by[WARPZ_HISTORY_FRAMES];
  uint64_t released_by[WARPZ_HISTORY_FRAMES];
};

#ifdef __cplusplus
}
#endif

#endif
