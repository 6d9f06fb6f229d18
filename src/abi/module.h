/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The seam between the host program and the kernels: a kernel module.
 *
 * A module is a set of compiled kernels and the HIP host code that runs them. The one for the CPU is
 * linked into `warpz`; others are shared objects that export `warpz_get_module`. A module owns its devices'
 * memory during a run and nothing afterwards; it prints nothing and never exits on an error. It is called
 * in a child process, by one thread. */
#ifndef WARPZ_ABI_MODULE_H
#define WARPZ_ABI_MODULE_H

#include "finding.h"

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Grows with every change of this file or of finding.h; the loader refuses another one. */
enum { WARPZ_MODULE_VERSION = 9 };

/* A failed API call in the vendor's own words. */
struct warpz_error {
  char call[128]; /* "hipMalloc(&data, bytes)" */
  char code[64];  /* "hipErrorOutOfMemory" */
  char text[256]; /* the vendor's description */
};

struct warpz_device {
  char name[128];
  char architecture[64]; /* "gfx90a", "sm_90", "x86-64" */
  char driver[64];
  uint32_t warp_size;
  uint32_t compute_units;
  uint64_t memory_bytes;
};

enum warpz_argument_kind { WARPZ_SCALAR = 1, WARPZ_INPUT = 2, WARPZ_OUTPUT = 3, WARPZ_STATE = 4 };

/* One kernel argument, in the kernel's order. A scalar is passed by value from `data`; an input or output is
 * `bytes` of host memory that the module brings to the device and, for an output, back. An output's
 * previous content reaches the kernel. A state is an output that is zero before each launch: what blocks hand
 * each other. */
struct warpz_argument {
  uint32_t kind; /* enum warpz_argument_kind */
  uint64_t bytes;
  void* data;
  uint64_t guard; /* of a buffer: so many bytes before it and behind it are nobody else's */
};

/* What the CPU machine looks for. */
enum warpz_check {
  WARPZ_CHECK_COLLECTIVES = 0, /* lanes that do not meet as they should */
  WARPZ_CHECK_OFF = 1,         /* only what would keep the kernel from ending */
  WARPZ_CHECK_ALL = 2          /* every access, too; the kernels are compiled for it */
};

/* Whose rules the CPU machine holds the operations of a warp to; portable is right by both. */
enum warpz_rules { WARPZ_RULES_PORTABLE = 0, WARPZ_RULES_AMD = 1, WARPZ_RULES_NVIDIA = 2 };
enum { WARPZ_MAX_PLACES_LEFT_OUT = 8, WARPZ_RECORD_BYTES = 1 << 26 };

/* What a run notes of itself, so that it can be compared with another one. */
enum warpz_tracing {
  WARPZ_TRACE_NOTHING = 0,
  WARPZ_TRACE_DIGEST = 1,  /* a number in which all accesses and all meetings of lanes are */
  WARPZ_TRACE_RECORD = 2,  /* also each step of the lanes of one block, kept for another run */
  WARPZ_TRACE_COMPARE = 3  /* also where that block first does something else than was recorded */
};

/* How the CPU machine is to run a watched kernel differently: what depends on it shows by comparing. An event is a
 * undefined value: a result that a lane gets from one that takes no part, or a variable that a lane has not set; a
 * block's events count from 0. */
struct warpz_perturbation {
  uint64_t schedule;  /* a seed for the order of lanes, warps and blocks; 0: ascending */
  uint32_t tracing;   /* enum warpz_tracing */
  void* record;       /* what is recorded: WARPZ_RECORD_BYTES, zeros at first, in memory that the runs share */
  uint64_t undefined; /* the value of an event, each bit turned around: 0, the default, sets all bits */
  uint64_t poison;    /* the same of the events before event `event` of block `block` */
  uint64_t block;     /* blocks count x first */
  uint32_t counts_on; /* blocks count on from launch to launch */
  uint32_t event;
  uint32_t left_out_count;
  uint64_t left_out[WARPZ_MAX_PLACES_LEFT_OUT]; /* events at these places stay as they are: warpz_trace.mark */
  uint64_t max_steps;                          /* the kernel is ended after so many of one block; 0: no limit */
  uint32_t asks_writer; /* whether to tell who wrote the argument of this number at this offset last */
  uint32_t argument;
  uint64_t offset;
};

struct warpz_launch {
  const char* kernel;
  uint32_t device; /* index into the module's devices */
  uint32_t grid[3];
  uint32_t block[3];
  uint32_t shared_bytes; /* dynamic shared memory per block */
  uint32_t argument_count;
  const struct warpz_argument* arguments;
  uint32_t warm_ups;      /* untimed runs before the timed ones */
  uint32_t repeats;       /* timed runs, at least 1 */
  double timeout_seconds; /* a kernel that makes no progress for so long is stopped; 0: no limit */
  uint32_t check;         /* enum warpz_check; GPUs check nothing */
  uint32_t rules;         /* enum warpz_rules; GPUs have their own */
  struct warpz_perturbation perturbation;
};

/* Of the findings one is kept for what may yet end the kernel. Memory is used only by those that there are: whoever
 * runs a kernel clears the counts before, and who fills a record clears it. */
enum { WARPZ_MAX_REPEATS = 256, WARPZ_MAX_FINDINGS = 257 };

/* What a run is at, for whoever finds it silent or gone: only what happens while the kernel runs is the kernel's
 * doing. */
enum warpz_stage { WARPZ_PREPARING = 0, WARPZ_KERNEL_RUNNING = 1, WARPZ_FETCHING = 2 };

/* What a watched run tells of itself. */
struct warpz_trace {
  uint64_t blocks;           /* that have begun */
  uint64_t events;           /* undefined values */
  uint32_t max_events;      /* of one block */
  uint64_t steps;            /* accesses and meetings of all lanes */
  uint64_t digest;           /* of them all, and the same whatever order blocks run in */
  uint64_t mark;             /* of the place of the last event that was varied */
  struct warpz_finding last; /* about that event: whose it is, and what was done differently then; or the writer
                                asked for */
};

struct warpz_result {
  struct warpz_error error; /* filled where run() did not return 0 */
  uint32_t stage;           /* enum warpz_stage */
  uint32_t repeat_count;
  float milliseconds[WARPZ_MAX_REPEATS]; /* device time of each timed run */
  uint64_t progress;                     /* grows while a kernel makes progress, where the module can tell */
  uint32_t finding_count;                /* may exceed WARPZ_MAX_FINDINGS; only the first ones are kept */
  uint32_t findings_left_out;            /* further ones at other places, for which there was no room */
  struct warpz_finding findings[WARPZ_MAX_FINDINGS];
  struct warpz_trace trace;
};

enum warpz_status {
  WARPZ_OK = 0,
  WARPZ_DEVICE_ERROR = 1,    /* see error */
  WARPZ_UNKNOWN_KERNEL = 2,  /* the module has no kernel of that name */
  WARPZ_WRONG_ARGUMENTS = 3, /* the kernel takes other arguments: their number or their sizes */
  WARPZ_KERNEL_FAULT = 4,    /* the device stopped the kernel, and takes no more from this process: see error */
  WARPZ_NOT_CHECKED = 5      /* WARPZ_CHECK_ALL was asked for, and the kernels are not compiled for it */
};

/* How a whole program is run. */
struct warpz_program {
  uint32_t warp_size;     /* of the one device that it finds */
  double timeout_seconds; /* as in a launch */
  uint32_t check;         /* enum warpz_check */
  uint32_t rules;         /* enum warpz_rules */
  struct warpz_perturbation perturbation; /* for all its launches, over which blocks count on */
};

struct warpz_module {
  uint32_t version;      /* WARPZ_MODULE_VERSION */
  const char* vendor;    /* "cpu", "amd" or "nvidia" */
  const char* toolchain; /* compiler and its version */
  uint32_t (*kernel_count)(void);
  const char* (*kernel_name)(uint32_t index);
  /* Fills up to `capacity` devices; returns WARPZ_OK and the number of all devices in *count, or
     WARPZ_DEVICE_ERROR. */
  int (*devices)(struct warpz_device* devices, uint32_t capacity, uint32_t* count, struct warpz_error* error);
  /* Brings a device up, and makes sure that the kernels have code for it. Returns WARPZ_OK or
     WARPZ_DEVICE_ERROR. */
  int (*prepare)(uint32_t device, struct warpz_error* error);
  /* Runs the kernel warm_ups + repeats times. Returns an enum warpz_status. On the CPU a finding that stops
     the kernel ends the process after it was written to `result`. */
  int (*run)(const struct warpz_launch* launch, struct warpz_result* result);
  /* Makes this process ready for a program that brings its own main and calls HIP itself; called before any of its code
     runs. What is found is written to `result` until the process ends. Returns WARPZ_OK; WARPZ_DEVICE_ERROR where only
     kernels can be run. */
  int (*begin_program)(const struct warpz_program* program, struct warpz_result* result);
};

/* The one symbol that a module exports. */
typedef const struct warpz_module* warpz_module_entry(void);
warpz_module_entry warpz_get_module;

#ifdef __cplusplus
}
#endif

#endif
