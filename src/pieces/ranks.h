/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* What warpz needs of MPI. A module of its own has it (mpi/module.cpp), which is loaded under mpirun alone: warpz links
 * no MPI. */
#ifndef WARPZ_PIECES_RANKS_H
#define WARPZ_PIECES_RANKS_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

struct warpz_ranks {
  uint32_t version; /* WARPZ_RANKS_VERSION */
  /* Joins the others. Returns 0, or an error's number. */
  int (*begin)(int* rank, int* count);
  /* Sends a message, and does not wait until it has arrived. */
  void (*send)(int to, const void* bytes, uint64_t size);
  /* The size of the next message, and who has sent it; -1: there is none. */
  int64_t (*next)(int* from);
  void (*receive)(int from, void* bytes, uint64_t size);
  /* To be called where all ranks are still there: waits for all of them. */
  void (*end)(void);
  /* Ends the others and this process, wherever they are. */
  void (*abort)(int code);
};

enum { WARPZ_RANKS_VERSION = 1 };

/* The only name that the module gives out: "warpz_get_ranks". */
typedef const struct warpz_ranks* (*warpz_get_ranks_function)(void);

#ifdef __cplusplus
}
#endif

#endif
