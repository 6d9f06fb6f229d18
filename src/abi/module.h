/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The interface between warpz and a kernel module.
 *
 * A module is a set of compiled kernels and the HIP host code that runs them. The module for the CPU is linked into
 * warpz; others are shared objects that export `warpz_get_module`. A module owns its devices' memory during a run and
 * nothing afterwards. It prints nothing and never exits on an error. One thread of a child process calls it. */
#ifndef WARPZ_ABI_MODULE_H
#define WARPZ_ABI_MODULE_H

#include "finding.h"
#include "settings.h"

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Grows with every change of this file, finding.h or settings.h; the loader refuses any other version. */
enum { WARPZ_MODULE_VERSION = 28 };

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

/* One kernel argument, in the kernel's order. A scalar is passed by value from `data`. An input or output is `bytes`
 * of host memory that the module copies to the device and, for an output, back. The kernel sees an output's previous
 * content. A state is an output that is zero before each launch, with which blocks pass values to each other. */
struct warpz_argument {
  uint32_t kind; /* enum warpz_argument_kind */
  uint64_t bytes;
  void* data;
  uint64_t guard; /* bytes on either side of a buffer that belong to no other buffer */
};

struct warpz_launch {
  const char* kernel; /* its identity in the module, as kernel_name() gives it */
  const char* name;   /* what findings call it; null: by its own name */
  uint32_t device;    /* index into the module's devices */
  uint32_t gpus;      /* devices that divide the array among themselves, from that one on: 1, or more where the kernel
                         has a way to; on the CPU machine, how many it poses as */
  uint32_t grid[3];
  uint32_t block[3];
  uint32_t shared_bytes; /* dynamic shared memory per block */
  uint32_t argument_count;
  const struct warpz_argument* arguments;
  uint32_t warm_ups;              /* untimed runs before the timed ones */
  uint32_t resets_outputs;        /* before each run; 0: they have what the last run has left */
  uint32_t repeats;               /* timed runs, at least 1 */
  struct warpz_settings settings; /* a GPU has its own rules and checks nothing */
};

/* One record is kept free for the finding that ends the kernel. Only records in use take memory: the caller clears the
 * counts before a run, and the writer of a record clears it first. */
enum { WARPZ_MAX_REPEATS = 256, WARPZ_MAX_FINDINGS = 257, WARPZ_MAX_ARGUMENTS = 16, WARPZ_SAMPLES = 64 };

/* The stage of a run, for a parent that finds it silent or gone: the kernel is to blame only while it runs. */
enum warpz_stage {
  WARPZ_PREPARING = 0,
  WARPZ_KERNEL_RUNNING = 1,
  WARPZ_FETCHING = 2,
  WARPZ_STOPPED = 3 /* the machine ends a user's program after a finding */
};

/* What a checked run reports about itself. */
struct warpz_digest {
  uint64_t blocks;           /* that have begun */
  uint64_t events;           /* uses of undefined values */
  uint32_t max_events;       /* the most events of one block */
  uint32_t max_compared;     /* the most constants that an unset variable is compared with, up to WARPZ_MAX_COMPARED */
  uint64_t steps;            /* accesses and collectives of all lanes */
  uint64_t hash;             /* hash of all steps, independent of the order of blocks */
  uint64_t copied;           /* hash of what a user's program has copied to the host */
  uint64_t unwritten;        /* bytes of that which nobody had written */
  uint64_t memory;           /* hash of device memory at the end of each launch, where perturbation.raced asks for it */
  uint64_t raced_reads;      /* of the race that perturbation.raced is about: reads behind the write */
  uint64_t raced_others;     /* and others of its accesses, whose values cannot be varied */
  uint64_t inputs;           /* words that perturbation.inputs has changed */
  uint64_t state;            /* a bit for each small part that the program copies or fills and a lane accesses by an
                              * atomic: a counter, a flag or a lock, which has to begin with its value */
  uint64_t mark;             /* hash of the place of the last perturbed event */
  struct warpz_finding last; /* that event's lane, and the first step that differed after it; or the writer that
                                asks_writer asked for */
};

/* What an argument of the kernel points to. */
struct warpz_element {
  uint32_t bytes; /* 0: the argument is no pointer */
  uint32_t is_float;
};

struct warpz_result {
  struct warpz_error error; /* set where run() returned WARPZ_DEVICE_ERROR or WARPZ_KERNEL_FAULT */
  uint32_t stage;           /* enum warpz_stage */
  uint32_t repeat_count;
  float milliseconds[WARPZ_MAX_REPEATS]; /* device time of each timed run */
  uint64_t progress;                     /* grows while a kernel makes progress, if the module can tell */
  uint64_t sampled[WARPZ_SAMPLES]; /* an instruction that a lane has executed lately, and the words on its stack */
  uint32_t finding_count;          /* may exceed WARPZ_MAX_FINDINGS; only the first ones are kept */
  uint32_t findings_left_out;      /* findings at other places, for which there was no room */
  uint32_t abandoned_launches;     /* that a divergence has ended, after which the program went on */
  struct warpz_finding findings[WARPZ_MAX_FINDINGS];
  struct warpz_digest digest;
  struct warpz_element elements[WARPZ_MAX_ARGUMENTS]; /* by the argument's number; set before the kernel runs */
};

enum warpz_status {
  WARPZ_OK = 0,
  WARPZ_DEVICE_ERROR = 1,    /* see error */
  WARPZ_UNKNOWN_KERNEL = 2,  /* the module has no kernel of that name, or none for several GPUs */
  WARPZ_WRONG_ARGUMENTS = 3, /* the kernel takes other arguments: their number or their sizes */
  WARPZ_KERNEL_FAULT = 4,    /* the device stopped the kernel, and this process can run no other: see error */
  WARPZ_NOT_CHECKED = 5      /* check is WARPZ_CHECK_ALL, and the kernels are not instrumented */
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
  /* Initialises a device, and checks that the kernels have code for it. Returns WARPZ_OK or WARPZ_DEVICE_ERROR. */
  int (*prepare)(uint32_t device, struct warpz_error* error);
  /* Runs the kernel warm_ups + repeats times. Returns an enum warpz_status. On the CPU a finding that stops the kernel
     ends the process once it is written to `result`. */
  int (*run)(const struct warpz_launch* launch, struct warpz_result* result);
  /* Prepares this process for a user's program, which has a main of its own and calls HIP itself: one device with
     warps of `warp_size` lanes, and these settings for all launches, over which blocks count on. Called before any of
     the program's code runs. Findings are written to `result` until the process ends. Returns WARPZ_OK, or
     WARPZ_DEVICE_ERROR where the module can only run kernels. The stage is that of its launches. */
  int (*begin_user_program)(uint32_t warp_size, const struct warpz_settings* settings, struct warpz_result* result);
  /* Whether code that reports each of its accesses is loaded. */
  int (*has_instrumented_code)(void);
};

/* The one symbol that a module exports. */
typedef const struct warpz_module* warpz_module_entry(void);
warpz_module_entry warpz_get_module;

#ifdef __cplusplus
}
#endif

#endif
