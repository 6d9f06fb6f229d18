/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* How the CPU machine runs kernels: one struct, which options fill in and which travels whole to the machine. */
#ifndef WARPZ_ABI_SETTINGS_H
#define WARPZ_ABI_SETTINGS_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* What the machine checks, in the order of the choices of --check. */
enum warpz_check {
  WARPZ_CHECK_OFF = 0,         /* only what would keep the kernel from ending */
  WARPZ_CHECK_COLLECTIVES = 1, /* the lanes at collectives and barriers, too */
  WARPZ_CHECK_ALL = 2          /* every access of instrumented code, too: one block at a time, or a trial */
};

/* The vendor whose rules hold for HIP's functions of a warp, in the order of the choices of --rules. Without a mask,
 * AMD's functions take the active lanes, and NVIDIA's wait for the whole warp. With a mask, NVIDIA's do not wait for
 * lanes that have returned, and AMD's need them. Portable: the whole warp, or each lane that the mask names, arrives.
 */
enum warpz_rules { WARPZ_RULES_PORTABLE = 0, WARPZ_RULES_AMD = 1, WARPZ_RULES_NVIDIA = 2 };

/* Whether the checks of a whole program take its work to be as late as a GPU's may be, in the order of the choices of
 * --async. */
enum warpz_async { WARPZ_ASYNC_OFF = 0, WARPZ_ASYNC_ON = 1 };

enum { WARPZ_MAX_PLACES_LEFT_OUT = 8, WARPZ_MAX_COMPARED = 8, WARPZ_RECORD_BYTES = 1 << 26 };

/* What a run records of itself, for a comparison with another run. */
enum warpz_comparison {
  WARPZ_COMPARE_NOTHING = 0,
  WARPZ_COMPARE_DIGEST = 1, /* a hash of all accesses and collectives */
  WARPZ_COMPARE_RECORD = 2, /* also each step of the lanes of one block, kept for another run */
  WARPZ_COMPARE_STEPS = 3   /* also the first step of that block that differs from the record */
};

/* What is in memory that nobody has written: everywhere the same byte, or small whole numbers, 1 to 3, that differ from
 * place to place. Of the numbers 0 to 2 behind WARPZ_FILL_MIXED each gives a place another one. */
enum { WARPZ_FILL_BYTE = 0x100, WARPZ_FILL_MIXED = 0x200 };

/* What is done about one data race of a read and a write, to see whether anything depends on the value that is read. */
enum warpz_raced {
  WARPZ_RACED_NOTHING = 0,
  WARPZ_RACED_WATCH = 1, /* the digest has a hash of device memory, and counts the race's accesses */
  WARPZ_RACED_POISON = 2 /* also, what a lane reads behind the other lane's write has other bits: those of `poison` */
};

/* What a run of instrumented code does differently, so that a comparison with the first run shows what depends on it.
 * All zeros: nothing. An event is a use of an undefined value: a result that a lane gets from a lane that takes no
 * part, or a variable that the lane has not set. A block's events count from 0. */
struct warpz_perturbation {
  uint64_t schedule;               /* seed for the order of lanes, warps and blocks; 0: ascending */
  uint32_t descends;               /* instead, the order is descending */
  void* decisions;                 /* struct warpz_schedule_record (schedule_record.h), in memory that the runs share:
                                    * receives what `schedule` decides or, without one, decides; null: nothing */
  uint32_t raced;                  /* enum warpz_raced */
  uint64_t raced_places[2];        /* the code of that race, as offsets in the module, in ascending order */
  uint64_t inputs;                 /* seed by which data differs that a program copies to the device; 0: it does not.
                                    * From warpz_wide_inputs on by two bits of each word, also where it fills memory */
  uint64_t kept_inputs;            /* of these small parts nothing differs: warpz_digest.state */
  uint32_t comparison;             /* enum warpz_comparison */
  void* record;                    /* the record: WARPZ_RECORD_BYTES, zeros at first, in memory that the runs share */
  uint64_t undefined;              /* complement of the value of an event: 0, the default, sets all bits */
  uint64_t poison;                 /* complement of the value of the events before event `event` of block `block` */
  uint64_t spread;                 /* by which the poisons of events differ: a multiple of it, to be combined by xor */
  uint32_t takes_own;              /* a lane that reads from one that takes no part gets its own value as the poison */
  uint32_t compared;               /* a variable has as its poison the constant of this number, from 1, of those that
                                    * the code compares it with; 0: `poison` */
  uint64_t block;                  /* blocks count x first */
  uint32_t continue_block_numbers; /* from launch to launch; 0: each launch counts from 0 */
  uint32_t event;
  uint32_t left_out_count;
  uint64_t left_out[WARPZ_MAX_PLACES_LEFT_OUT]; /* events at these places keep `undefined`: warpz_digest.mark */
  uint64_t max_steps;                           /* the kernel is ended after so many steps of one block; 0: no limit */
  uint32_t fill;                                /* what device memory has that a user's program allocates: 0: what is
                                                 * there; WARPZ_FILL_BYTE + each byte, or WARPZ_FILL_MIXED + a number */
  uint32_t unset;                               /* the same of a block's shared memory when it begins */
  uint32_t asks_writer;                         /* report the last writer of argument `argument` at `offset` */
  uint32_t argument;
  uint64_t offset;
#if __cplusplus >= 202002L
  bool operator==(const warpz_perturbation&) const = default;
#endif
};

/* Which lanes are recorded for --trace (lane_record.h): those of one block. */
struct warpz_lane_recording {
  void* record; /* struct warpz_lane_record, in memory that the processes share; null: none are */
  uint64_t block;
  int32_t warp;    /* in the block; below 0: all */
  uint32_t launch; /* its number in a user's program, from 1; 0: the first that has the block */
#if __cplusplus >= 202002L
  bool operator==(const warpz_lane_recording&) const = default;
#endif
};

struct warpz_finding;
struct warpz_device_compiler;

struct warpz_settings {
  uint32_t check;            /* enum warpz_check */
  uint32_t rules;            /* enum warpz_rules */
  uint32_t async;            /* enum warpz_async */
  uint32_t workers;          /* blocks that run at once; 0: one per core */
  double timeout_seconds;    /* the machine stops a kernel that makes no progress for this long; 0: no limit */
  double time_limit_seconds; /* and a launch that takes longer than this, progress or not; 0: no limit */
  struct warpz_perturbation perturbation;
  uint32_t continue_after_divergence;    /* with the next launch; 0: a divergence ends the process */
  struct warpz_lane_recording recording; /* of instrumented code, with WARPZ_CHECK_ALL */
  void* costs; /* shared with the other process: struct warpz_cost_record (cost_record.h); null: none are counted */
  void (*before_exit)(int exit_code); /* called before the machine ends the process after a finding; null: nothing */
  void (*on_finding)(const struct warpz_finding* found); /* called with each one that is complete; null: nothing */
  const struct warpz_device_compiler* compiler;          /* device_compiler.h; null: there is none */
  /* Called with each file of device code that a program loads, and where it lies; null: nothing */
  void (*on_module)(const char* file, uint64_t begin, uint64_t end);
  char architecture[16]; /* the GPU that a device poses as, "gfx90a" or "sm_90"; empty: one with as many lanes */
  uint32_t rocm;         /* ROCm's version whose interface a program sees, 5 to 7; 0: HIP_VERSION's (hip_version.h) */
#if __cplusplus >= 202002L
  bool operator==(const warpz_settings&) const = default;
#endif
};

#ifdef __cplusplus
}

/* Of so many seeds of a schedule one lets the lanes of a warp go on in lockstep: each access of one lane is followed by
 * those of the others, and lanes that have left a loop in which lanes wait are behind it together. */
inline constexpr uint64_t warpz_lockstep_seeds = 4;
/* A kernel's limits count processor time, and of time in which it does not compute one part in so many. */
inline constexpr int warpz_time_of_idle = 8;

/* From this seed on perturbation.inputs varies more. */
inline constexpr uint64_t warpz_wide_inputs = 3;

/* Whether the order is another than the ascending one, or may be. */
inline bool warpz_varies_order(const warpz_perturbation& perturbation) {
  return perturbation.schedule != 0 || perturbation.descends != 0 || perturbation.decisions != nullptr;
}

/* The settings unless an option says otherwise. */
inline constexpr warpz_settings warpz_default_settings{WARPZ_CHECK_COLLECTIVES,
                                                       WARPZ_RULES_PORTABLE,
                                                       WARPZ_ASYNC_ON,
                                                       0,
                                                       10,
                                                       0,
                                                       {},
                                                       0,
                                                       {},
                                                       nullptr,
                                                       nullptr,
                                                       nullptr,
                                                       nullptr,
                                                       nullptr,
                                                       {},
                                                       0};
#endif

#endif
