/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* What the lanes of one block do, event by event, for --trace: accesses with their values, and collectives with the
 * operand, the source and the result of each lane.
 *
 * The record lies in memory that both processes share, zeros at first: pages that are not used cost nothing. A hostile
 * kernel may overwrite it, so the reader checks every count, number and string. */
#ifndef WARPZ_ABI_LANE_RECORD_H
#define WARPZ_ABI_LANE_RECORD_H

#include "finding.h"

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

enum { WARPZ_MAX_LANE_EVENTS = 1000000, WARPZ_MAX_LANE_PLACES = 256, WARPZ_NO_LANE = 64 };
enum { WARPZ_MAX_LANE_BUFFERS = 256 };

enum warpz_lane_event_kind {
  WARPZ_LANE_LOADS = 1,
  WARPZ_LANE_STORES = 2,
  WARPZ_LANE_CHANGES = 3, /* an atomic, or a plain load and store of one element, as of += */
  WARPZ_WARP_MEETS = 4,   /* a collective; the parts of its lanes follow */
  WARPZ_LANE_TAKES_PART = 5,
  WARPZ_WARP_WAITS = 6 /* a barrier of the block; one for each warp */
};

/* What a collective does with the operands of its lanes. */
enum warpz_movement {
  WARPZ_MOVES = 1,    /* each lane gets the operand of one lane */
  WARPZ_VOTES = 2,    /* each lane gets the lanes whose operand is 1 */
  WARPZ_MATCHES = 3,  /* each lane gets the lanes whose operand is the same */
  WARPZ_COMBINES = 4, /* each lane gets all operands, combined */
  WARPZ_MEETS = 5,    /* no operand counts */
  WARPZ_DECIDES = 6   /* each lane gets 1 or 0, by whether any operand is 1, or all are */
};

/* The types of values, in the order of simt::value_type. */
enum warpz_value_type {
  WARPZ_BITS = 0,
  WARPZ_INT32 = 1,
  WARPZ_UINT32 = 2,
  WARPZ_INT64 = 3,
  WARPZ_UINT64 = 4,
  WARPZ_FLOAT32 = 5,
  WARPZ_FLOAT64 = 6,
  WARPZ_FLOAT16 = 7,
  WARPZ_BFLOAT16 = 8,
  WARPZ_FLOAT32_PAIR = 9 /* a complex number, for example */
};

enum warpz_lane_event_flag {
  WARPZ_RESULT_IS_UNDEFINED = 1, /* the source takes no part */
  WARPZ_VALUE_IS_UNKNOWN = 2,    /* the access was outside its memory, or never happened */
  WARPZ_CHANGE_IS_PLAIN = 4      /* no atomic */
};

struct warpz_lane_event {
  uint8_t kind;      /* enum warpz_lane_event_kind */
  uint8_t type;      /* for a collective: enum warpz_value_type */
  uint8_t movement;  /* for a collective: enum warpz_movement */
  uint8_t flags;     /* enum warpz_lane_event_flag */
  uint32_t thread;   /* in the block; for an event of a warp, its first thread */
  uint32_t bytes;    /* that an access reads or writes */
  uint32_t place;    /* for an event of a warp: its number among the places */
  uint32_t source;   /* for a lane's part: the lane whose operand it gets, or WARPZ_NO_LANE */
  uint32_t memory;   /* for an access: enum warpz_memory */
  uint32_t argument; /* the number of an argument; for an allocation, its number among the buffers */
  int64_t offset;    /* where in that memory an access is, in bytes */
  uint64_t value;  /* loaded or stored; after an atomic; an operand; for an event of a warp, the lanes that are there */
  uint64_t result; /* of a lane's part; before an atomic; for an event of a warp, the lanes that have returned */
  uint64_t code;   /* the address of an access's code; for an event of a warp, the lanes that the block has */
};

/* Memory that the program has allocated. */
struct warpz_lane_buffer {
  uint64_t begin; /* its address */
  uint64_t bytes;
  uint64_t allocated_at[WARPZ_HISTORY_FRAMES]; /* as in a finding */
};

struct warpz_lane_record {
  uint64_t event_count;
  uint64_t left_out; /* events for which there was no room */
  uint32_t place_count;
  uint32_t buffer_count;
  uint32_t launch; /* its number in a user's program, from 1 */
  uint32_t grid[3];
  uint32_t block[3]; /* the recorded block's place in the grid */
  uint32_t threads;  /* of the block; 0: it has not begun */
  uint32_t warp_size;
  char kernel[64];
  struct warpz_place places[WARPZ_MAX_LANE_PLACES]; /* their masks are the lanes that the call names, or 0: all */
  struct warpz_lane_buffer buffers[WARPZ_MAX_LANE_BUFFERS];
  struct warpz_lane_event events[WARPZ_MAX_LANE_EVENTS];
};

#ifdef __cplusplus
}
#endif

#endif
