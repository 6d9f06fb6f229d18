/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* What the device code of one source has: its kernels and its variables. Clang's plugin (src/instrument) writes one
 * such image for each source; the machine finds in it what the host's code registers and launches. It stands where HIP
 * has the code of a GPU, so that __hipRegisterFatBinary() is called with it. */
#pragma once

#include <stdint.h>

enum { WARPZ_DEVICE_IMAGE_VERSION = 6 };

struct warpz_lane_loops;

struct warpz_kernel_argument {
  uint32_t bytes;
  uint32_t element_bytes; /* of what it points to; 0: it is no pointer, or one to void */
  uint32_t is_float;      /* it points to float */
  uint32_t alignment;     /* in bytes */
};

struct warpz_kernel_code {
  const char* symbol;                   /* as the compiler has it */
  const char* name;                     /* as findings call it */
  void (*entry)(const void* arguments); /* reads an array of addresses, one for each argument */
  const struct warpz_kernel_argument* arguments;
  uint32_t argument_count;
  uint32_t max_threads;                 /* of a block, by __launch_bounds__; 0: any */
  const struct warpz_lane_loops* loops; /* abi/lane_loops.h; null: the code is checked, and has none */
};

/* A variable of the device: __device__, __constant__ or __managed__. */
struct warpz_device_variable {
  const char* symbol;
  void* address;
  uint64_t bytes;
};

struct warpz_device_image {
  uint32_t version;
  uint32_t kernel_count;
  uint32_t variable_count;
  const struct warpz_kernel_code* kernels;
  const struct warpz_device_variable* variables;
};

/* Where each image has its address. */
#define WARPZ_IMAGE_SECTION "warpz_images"
#ifdef __cplusplus
extern "C" {
#endif
/* The linker's names for its ends in this program or library; null where no device code is linked. */
extern const struct warpz_device_image* const __start_warpz_images[] __attribute__((weak, visibility("hidden")));
extern const struct warpz_device_image* const __stop_warpz_images[] __attribute__((weak, visibility("hidden")));
#ifdef __cplusplus
}
#endif
/* Text, for readers of an object file: for each kernel a line of its symbol, its parameters and the most threads of a
 * block, with tabs between. */
#define WARPZ_KERNEL_LIST_SECTION "warpz_kernel_list"
/* Text, likewise: for each file that device code is in, its path and its language, "hip" or "cuda". */
#define WARPZ_SOURCES_SECTION "warpz_sources"

/* Text, likewise: for each line of a source that is written for warps of one size, the file, the folder that it may be
 * relative to, the line's number, the size in lanes, why, and 1 where an operation of a warp or a lane's number is
 * there, or 0 where so many threads may as well be a tile. The why is empty where the line may be a step of code for
 * larger warps. A size of 0 is that of a loop over a warp of any size in a source that has 32 as a number, too: what is
 * meant may be groups of 32 lanes. Rows of a file and a folder alone name the sources themselves. */
#define WARPZ_WARP_SIZE_LIST_SECTION "warpz_warp_size_list"

/* Text, likewise, of each side of a source: where it uses a constant by its name. The source's file and its folder, the
 * side ("host", "device"), the constant's name and value, the using line's file, its folder and its number, and "size"
 * where the host launches, allocates or copies by it. The lines that read warpSize have that name and the value 0. */
#define WARPZ_SIDE_VALUES_SECTION "warpz_side_values"

/* Text, likewise, of the variables of the device and of the members of those that are classes: the variable's symbol
 * and its size, ".member" or ".member.member" (empty: the variable itself), where in the variable that begins and its
 * size, the size of an element (of what is no array its own) and, of an array, how many there are of them: "32 33" of
 * tile[32][33]. Sizes are in bytes. */
#define WARPZ_VARIABLES_SECTION "warpz_variables"

/* Behind the names under which sources refer to each other's device code. */
#define WARPZ_DEVICE_SUFFIX ".device"
