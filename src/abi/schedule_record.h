/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The decisions that make up an order of lanes, warps and blocks: where it differs from the ascending one.
 *
 * A party is a block of a launch, or a thread of one block. A thread stands at a point wherever others may go on in its
 * place: before it begins (point 0), and then at its first, second, ... access, collective, barrier or atomic. A block
 * has only point 0, as the others begin before or behind all of it. A decision lets one party pass a point before
 * another one passes its own. So it means the same whichever other decisions are left out.
 *
 * The record lies in memory that both processes share, zeros at first: pages that are not used cost nothing. A hostile
 * kernel may overwrite it, so the reader bounds every count and every number. */
#ifndef WARPZ_ABI_SCHEDULE_RECORD_H
#define WARPZ_ABI_SCHEDULE_RECORD_H

#include "finding.h"

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

enum { WARPZ_MAX_DECISIONS = 1 << 18, WARPZ_MAX_EXPLAINED = 16, WARPZ_MAX_TRAIL = 1 << 20, WARPZ_MAX_BASES = 1 << 14 };

struct warpz_decision {
  uint32_t launch;    /* its number in a user's program, from 1; 0: the kernel's only one */
  uint32_t of_blocks; /* 1: the parties are blocks of the launch; 0: threads of `block` */
  uint64_t block;     /* blocks count x first */
  uint32_t first;     /* this party passes its point `first_at` */
  uint32_t first_at;
  uint32_t held; /* before this one passes its point `held_at` */
  uint32_t held_at;
#if __cplusplus >= 202002L
  bool operator==(const warpz_decision&) const = default;
#endif
};

/* A thread passes a point. */
struct warpz_passing {
  uint32_t thread;
  uint32_t point;
};

/* What the threads of a block pass in the ascending order, one after the other: a part of `base`. */
struct warpz_base {
  uint32_t launch;
  uint64_t block;
  uint64_t begin;
  uint64_t count;
};

/* With a seed, an order is recorded; without one, the run takes the ascending order with these decisions, which are
 * sorted by launch, `of_blocks` and block. */
struct warpz_schedule_record {
  uint64_t decision_count;
  uint64_t left_out; /* decisions for which there was no room */

  /* What the threads of this block pass, one after the other. */
  uint32_t trail_launch;
  uint64_t trail_block;
  uint64_t trail_count; /* may exceed WARPZ_MAX_TRAIL; only the first ones are kept */

  /* Without a seed: where the two parties of the first decisions stand, each as a group of one lane. `state` is 0 where
   * the party has not come there. */
  struct warpz_lane_group first[WARPZ_MAX_EXPLAINED];
  struct warpz_lane_group held[WARPZ_MAX_EXPLAINED];

  /* The ascending order: a run without a seed and without decisions keeps it. All others then keep to it where nothing
   * else is decided, also when some lanes have gone first. Without it they go by the rules of the ascending order, by
   * which one that has gone first changes who comes next. */
  uint32_t keeps_base;
  uint32_t base_block_count;
  uint64_t base_count;
  struct warpz_base bases[WARPZ_MAX_BASES];

  struct warpz_decision decisions[WARPZ_MAX_DECISIONS];
  struct warpz_passing trail[WARPZ_MAX_TRAIL];
  struct warpz_passing base[WARPZ_MAX_TRAIL];
};

#ifdef __cplusplus
}
#endif

#endif
