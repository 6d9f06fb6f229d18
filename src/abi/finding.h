/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* What a module reports when a kernel breaks a rule.
 *
 * Plain records of fixed size, in memory shared with the parent process. A signal handler of a dying child may write
 * them, and a hostile kernel may overwrite them: the reader checks the bounds of every count and every string. */
#ifndef WARPZ_ABI_FINDING_H
#define WARPZ_ABI_FINDING_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

enum warpz_finding_kind {
  WARPZ_DIVERGED_COLLECTIVE = 1, /* lanes of a warp that cannot all reach a warp operation */
  WARPZ_DIVERGED_BARRIER = 2,    /* threads of a block that cannot all reach a barrier */
  WARPZ_WRONG_MASK = 3,          /* a lane whose mask does not name it, or is empty */
  WARPZ_NO_PROGRESS = 4,         /* no progress in the time limit: an endless loop or spin */
  WARPZ_CRASH = 5,               /* a signal: wild address, division by zero, abort, stack overflow */
  WARPZ_ASSERTION = 6,           /* a device-side assert that does not hold */
  WARPZ_OUT_OF_BOUNDS = 7,       /* an access before or past a buffer, or at a null pointer */
  WARPZ_MISALIGNED = 8,          /* an address that is not a multiple of the access's size */
  WARPZ_UNINITIALISED_READ = 9,  /* a read of memory that was never written */
  WARPZ_DATA_RACE = 10,          /* unordered accesses of two lanes, at least one a write */
  WARPZ_NOT_SHOWN = 11,          /* the puzzle asks for a finding that the kernel does not have */

  WARPZ_UNDEFINED_LANE_VALUE = 12, /* the result depends on an undefined value */
  WARPZ_SCHEDULE_DEPENDENCE = 13,  /* a result that depends on the order of lanes, warps or blocks */
  WARPZ_WARP_SIZE_DEPENDENCE = 14, /* a result that is right with one warp size only */
  WARPZ_USE_AFTER_FREE = 15,       /* an access to freed memory */
  WARPZ_DOUBLE_FREE = 16,          /* memory that is freed a second time */
  WARPZ_LEAK = 17,                 /* memory that is not freed when the user's program ends */
  WARPZ_OVER_LIMIT = 18,           /* more memory, output or processes than are allowed */

  WARPZ_BLOCK_SIZE_DEPENDENCE = 19, /* a result that depends on the block size, within the kernel's bound */
  WARPZ_INVALID_LAUNCH = 20,        /* a launch that devices refuse: too large a block, or too much shared memory */
  WARPZ_WARP_SIZE_ASSUMPTION = 21,  /* a line that is written for one warp size */
  WARPZ_UNCHECKED_ERROR = 22,       /* a call of the program fails, and nobody looks at its error */
  WARPZ_MISUSED_OPERATION = 23,     /* an operand that an operation of a warp excludes */
  WARPZ_UNDEFINED_ARITHMETIC = 24,  /* an overflow, a shift, a division or a conversion without a defined result */
  WARPZ_WAIT_WITHIN_WARP = 25,      /* a lane waits for a lane that waits for it where a warp goes on as one */
  WARPZ_ASYNC_RACE = 26,            /* an access that nothing orders behind work given to the device before */
  WARPZ_BACKEND_DEPENDENCE = 27     /* an output that is not the same on two backends */
};

/* A warning does not fail the run. */
enum warpz_severity { WARPZ_ERROR = 0, WARPZ_WARNING = 1 };

/* What the two lanes of a data race have in common. Of all pairs of lanes at the two places, the pair counts that has
 * least in common: it decides what would order them. */
enum warpz_relation { WARPZ_ONE_WARP = 1, WARPZ_ONE_BLOCK = 2, WARPZ_TWO_BLOCKS = 3 };

/* The work whose end nothing waits for. */
enum warpz_async_work {
  WARPZ_ASYNC_KERNEL = 1,
  WARPZ_ASYNC_COPY = 2,
  WARPZ_ASYNC_FILL = 3,
  WARPZ_ASYNC_ALLOCATION = 4
};

/* What the lanes of a data race do there, if that is known. It decides how to fix the race. */
enum warpz_race_pattern {
  WARPZ_RACE_UPDATE = 1,         /* both read the memory and write it again, at one place: an update that may be lost */
  WARPZ_RACE_CHECKED_READ = 2,   /* what a lane reads there its next compare-and-swap checks */
  WARPZ_RACE_FORWARDED_READ = 3, /* a lane overwrites what it has got from the lane that read it there */
  WARPZ_RACE_VOLATILE_FLAG = 4,  /* a lane polls by a volatile read what another lane sets */
  WARPZ_RACE_NO_FENCE = 5,       /* a barrier orders what another block hands over, where a fence should */
  WARPZ_RACE_EQUAL_DATA = 6,     /* both write the same value, which the code does not make the same on any data */
  WARPZ_RACE_UNUSED_VALUE = 7,   /* nothing depends on the value that is read */
  WARPZ_RACE_BEHIND_ATOMIC = 8   /* a plain access of what others have changed before an atomic that comes before it */
};

/* The memory of an access. */
enum warpz_memory {
  WARPZ_MEMORY_UNKNOWN = 0,
  WARPZ_MEMORY_ARGUMENT = 1,       /* a buffer among the kernel's arguments */
  WARPZ_MEMORY_SHARED = 2,         /* a __shared__ variable; the offset is in the module's thread-local image */
  WARPZ_MEMORY_DYNAMIC_SHARED = 3, /* the launch's dynamic shared memory */
  WARPZ_MEMORY_ALLOCATION = 5,     /* allocated by the user's program */
  WARPZ_MEMORY_VARIABLE = 4        /* a variable of the kernel's file; the offset is in the loaded module */
};

enum warpz_lane_state {
  WARPZ_LANE_WAITING = 1, /* at a collective or barrier, at `place` */
  WARPZ_LANE_EXITED = 2,  /* returned from the kernel */
  WARPZ_LANE_RUNNING = 3, /* executing; `place` if it is known */
  WARPZ_LANE_YIELDED = 4, /* at an atomic or another scheduling point, at `place` */
  WARPZ_LANE_READY = 5,   /* ready to run, not resumed yet */
  WARPZ_LANE_READ = 6,    /* read, or is about to; likewise the next two */
  WARPZ_LANE_WROTE = 7,
  WARPZ_LANE_ATOMIC = 8, /* accessed with an atomic operation */

  WARPZ_LANE_TOOK = 9,       /* got a value from a lane that takes no part, at `place` */
  WARPZ_LANE_ABSENT = 10,    /* does not exist: the block ends before it */
  WARPZ_LANE_NOT_NAMED = 11, /* left out by the mask */
  WARPZ_LANE_NEVER_SET = 12, /* has never set the variable at `place` */
  WARPZ_LANE_ELSEWHERE = 13  /* not there: the call takes the lanes that are */
};

/* A source position: the operation that a kernel called, and where. Unknown: empty strings and line 0. */
struct warpz_place {
  char operation[48];
  char file[256];
  uint32_t line;
  uint64_t mask; /* the lanes that the caller named; 0 if the operation has no mask */
};

/* Lanes of one warp that share a state and a place. */
struct warpz_lane_group {
  uint32_t block[3];
  uint32_t warp; /* within the block */
  uint64_t lanes;
  uint32_t state; /* enum warpz_lane_state */
  uint32_t bytes; /* that an access reads or writes; 0: unknown, or no access */
  uint64_t code;  /* where the code of an access is in the child, from which the parent finds the place; 0: no access */
  struct warpz_place place;
};

enum { WARPZ_FINDING_GROUPS = 32, WARPZ_FINDING_FRAMES = 24, WARPZ_HISTORY_FRAMES = 12 };

struct warpz_finding {
  uint32_t kind; /* enum warpz_finding_kind */
  uint32_t signal;
  char kernel[256];
  char message[512];             /* the broken rule, as one sentence */
  uint64_t address;              /* the faulting address of a crash */
  uint32_t severity;             /* enum warpz_severity */
  uint32_t repeats;              /* how often it was found again, at the same places */
  uint32_t launch;               /* its number in a user's program, from 1; 0: the finding is in none */
  uint32_t grid[3];              /* blocks of the launch; 0: unknown */
  uint32_t threads;              /* of each block of the launch; 0: unknown */
  uint32_t relation;             /* enum warpz_relation; 0: none */
  uint32_t pattern;              /* enum warpz_race_pattern; 0: unknown */
  uint32_t is_effect;            /* it follows from a data race: the memory was read before another lane wrote it */
  uint32_t is_withdrawn;         /* it has turned out to be none: the program has looked at the error later */
  struct warpz_place ordered_at; /* where both lanes of a data race last met in an operation that orders memory, before
                                    the two accesses; line 0: nowhere */
  uint32_t memory;               /* enum warpz_memory */
  uint32_t argument;             /* the number of the kernel's argument, from 0 */
  int64_t offset;                /* where in that memory the access is, in bytes */
  uint64_t length;               /* of that memory, in bytes */
  uint32_t element_bytes;        /* of what the kernel's argument points to that leads there; 0: unknown */

  uint32_t has_values;
  uint32_t values[2]; /* the bits, in each run, of an element that differs between two runs */

  uint32_t group_count;
  uint32_t groups_left_out; /* further groups that did not fit */
  struct warpz_lane_group groups[WARPZ_FINDING_GROUPS];
  /* The crashed or spinning lane's call stack, innermost first, as addresses of the child process. */
  uint32_t frame_count;
  uint64_t frames[WARPZ_FINDING_FRAMES];
  /* The call stacks of the allocation and the release of allocated memory, as above, followed by 0. */
  uint64_t allocated_at[WARPZ_HISTORY_FRAMES];
  uint64_t freed_at[WARPZ_HISTORY_FRAMES];
  /* Of WARPZ_ASYNC_RACE: where the program has given the earlier work to the device, as above, and what work it is. */
  uint64_t given_at[WARPZ_HISTORY_FRAMES];
  uint32_t earlier_work; /* enum warpz_async_work */
  uint32_t of_one_graph; /* both are nodes of one launch of a graph */
};

#ifdef __cplusplus
}
#endif

#endif
