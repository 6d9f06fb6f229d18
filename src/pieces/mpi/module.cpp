// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The module that is loaded under mpirun: messages between ranks.
#include <mpi.h>

#include <cstdint>
#include <list>
#include <vector>

#include "pieces/ranks.h"

namespace {

constexpr int message = 1;

/// A message on its way. A rank that has died never takes its own.
struct sent_message {
  std::vector<unsigned char> bytes;
  MPI_Request request = MPI_REQUEST_NULL;
};

std::list<sent_message>& sent() {
  static auto* const all = new std::list<sent_message>;  // never destroyed: MPI may still read them
  return *all;
}

void forget_arrived() {
  sent().remove_if([](sent_message& each) {
    int has_arrived = 0;
    MPI_Test(&each.request, &has_arrived, MPI_STATUS_IGNORE);
    return has_arrived != 0;
  });
}

int begin(int* rank, int* count) {
  if (const int failed = MPI_Init(nullptr, nullptr); failed != MPI_SUCCESS) return failed;
  // What goes to a rank that has died fails, and the others go on.
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
  MPI_Comm_rank(MPI_COMM_WORLD, rank);
  MPI_Comm_size(MPI_COMM_WORLD, count);
  return 0;
}

void send(int to, const void* bytes, std::uint64_t size) {
  forget_arrived();
  const auto* const first = static_cast<const unsigned char*>(bytes);
  sent_message& added = sent().emplace_back(sent_message{{first, first + size}});
  MPI_Isend(added.bytes.data(), static_cast<int>(size), MPI_BYTE, to, message, MPI_COMM_WORLD, &added.request);
}

std::int64_t next(int* from) {
  forget_arrived();
  int is_there = 0, size = 0;
  MPI_Status status;
  if (MPI_Iprobe(MPI_ANY_SOURCE, message, MPI_COMM_WORLD, &is_there, &status) != MPI_SUCCESS || is_there == 0)
    return -1;
  MPI_Get_count(&status, MPI_BYTE, &size);
  *from = status.MPI_SOURCE;
  return size;
}

void receive(int from, void* bytes, std::uint64_t size) {
  MPI_Recv(bytes, static_cast<int>(size), MPI_BYTE, from, message, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

void end() { MPI_Finalize(); }

void abort(int code) { MPI_Abort(MPI_COMM_WORLD, code); }

}  // namespace

extern "C" __attribute__((visibility("default"))) const warpz_ranks* warpz_get_ranks() {
  static const warpz_ranks all{WARPZ_RANKS_VERSION, begin, send, next, receive, end, abort};
  return &all;
}
