/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Compiles device code while a user's program runs, for HIP's run-time compilation and for modules that are sources. */
#pragma once

#include <stdint.h>

struct warpz_named_text {
  const char* name;
  const char* text;
};

struct warpz_named_bytes {
  const char* name;
  const char* bytes;
  uint64_t count;
};

struct warpz_device_source {
  struct warpz_named_text source;         /* its name as messages and findings have it */
  const char* folder;                     /* where its #include "..." looks first; null: nowhere */
  const struct warpz_named_text* headers; /* what it may include besides, by these names */
  const char* const* options;             /* a compiler's */
  const char* const* expressions; /* kernels and variables whose symbols are asked for; templates are instantiated */
  uint32_t header_count;
  uint32_t option_count;
  uint32_t expression_count;
  uint32_t warp_size;
  uint32_t is_relocatable;                 /* an object is made, which is linked later */
  const struct warpz_named_bytes* objects; /* these are linked, and there is no source */
  uint32_t object_count;
};

/* Receives what the compiler makes, each with `target`: the bytes of a shared object, or of an object,
 * and messages. */
struct warpz_device_code_receiver {
  void* target;
  void (*take_code)(void* target, const char* bytes, uint64_t count);
  void (*take_log)(void* target, const char* text, uint64_t count);
};

struct warpz_device_compiler {
  const void* compiler;
  const char* folder; /* for the program's modules, which findings' lines are read from; null: none */
  /* Returns 1, or 0 where the source does not compile. */
  int (*compile)(const void* compiler, const struct warpz_device_source* source,
                 const struct warpz_device_code_receiver* receiver);
};

/* The image has a variable of this name, and the expression's number behind it, whose address is that of the symbol's
 * text. */
#define WARPZ_EXPRESSION_PREFIX "__warpz_expression_"

/* A module's function of this name, with C linkage: the array of its images' addresses, and how many there are. */
#define WARPZ_IMAGES_FUNCTION "warpz_images_of_module"
