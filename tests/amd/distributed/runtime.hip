// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What stands in for HIP's runtime and RCCL where kernels run in an emulator: each call of operations.hip's goes on to
// scripts/lib/amd_code/several_gpus.py, which has the GPUs' memory and streams. The shared library of the two files is
// called librccl.so.1, so that a program which loads RCCL finds this one.
#include <hip/hip_runtime_api.h>

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace {

/// The functions in Python: each returns 0, or else the launch has failed. Streams and communicators have numbers.
struct machine {
  void* (*allocate)(int gpu, std::size_t bytes);
  int (*release)(void* memory);
  int (*launch)(unsigned stream, const char* kernel, const unsigned* grid, const unsigned* block, void** arguments);
  int (*copy)(unsigned stream, void* to, const void* from, std::size_t bytes);
  int (*fill)(unsigned stream, void* to, int byte, std::size_t bytes);
  int (*record)(unsigned stream, unsigned event);
  int (*wait)(unsigned stream, unsigned event);
  int (*gather)(unsigned stream, unsigned group, unsigned rank, unsigned ranks, const void* sent, void* received,
                std::size_t bytes);
  int (*synchronize)(unsigned stream);
};
machine python;

int current_gpu = 0;
hipError_t last_error = hipSuccess;
std::vector<int> streams;  ///< the GPU of each; number 0 is nobody's
unsigned events = 0;

struct communicator {
  unsigned group, rank, ranks;
};
std::vector<communicator> communicators;
unsigned groups = 0;

struct call_configuration {
  dim3 grid, block;
  std::size_t shared;
  hipStream_t stream;
};
call_configuration pushed;

std::map<const void*, std::string>& kernels() {
  static std::map<const void*, std::string> names;
  return names;
}

/// Handles are numbers, counted from 1.
template <class Handle>
Handle handle_of(std::size_t number) {
  return reinterpret_cast<Handle>(static_cast<std::uintptr_t>(number));
}
unsigned number_of(const void* handle) { return static_cast<unsigned>(reinterpret_cast<std::uintptr_t>(handle)); }

hipError_t told(int result) {
  if (result != 0) last_error = hipErrorLaunchFailure;
  return result == 0 ? hipSuccess : last_error;
}

}  // namespace

extern "C" {

void set_machine(const machine* functions) {
  python = *functions;
  last_error = hipSuccess;
}

// The fat binary of operations.hip, compiled for the host alone, is elsewhere.
extern const char __hip_fatbin;
const char __hip_fatbin = 0;
void** __hipRegisterFatBinary(const void*) {
  static void* none = nullptr;
  return &none;
}
void __hipUnregisterFatBinary(void**) {}
void __hipRegisterFunction(void**, const void* function, char*, const char* name, unsigned, void*, void*, void*, void*,
                           int*) {
  kernels()[function] = name;
}

hipError_t __hipPushCallConfiguration(dim3 grid, dim3 block, std::size_t shared, hipStream_t stream) {
  pushed = {grid, block, shared, stream};
  return hipSuccess;
}
hipError_t __hipPopCallConfiguration(dim3* grid, dim3* block, std::size_t* shared, hipStream_t* stream) {
  *grid = pushed.grid;
  *block = pushed.block;
  *shared = pushed.shared;
  *stream = pushed.stream;
  return hipSuccess;
}

/// As on hardware, a kernel goes to a stream of the GPU that is in use.
hipError_t hipLaunchKernel(const void* function, dim3 grid, dim3 block, void** arguments, std::size_t,
                           hipStream_t stream) {
  const unsigned number = number_of(stream);
  if (number == 0 || streams.at(number - 1) != current_gpu) return last_error = hipErrorInvalidHandle;
  const unsigned blocks[] = {grid.x, grid.y, grid.z}, threads[] = {block.x, block.y, block.z};
  return told(python.launch(number, kernels().at(function).c_str(), blocks, threads, arguments));
}

hipError_t hipGetLastError() {
  const hipError_t last = last_error;
  last_error = hipSuccess;
  return last;
}
const char* hipGetErrorName(hipError_t) { return "error"; }
const char* hipGetErrorString(hipError_t) { return "the emulator's GPUs refused it"; }

hipError_t hipSetDevice(int gpu) {
  current_gpu = gpu;
  return hipSuccess;
}
hipError_t hipDeviceCanAccessPeer(int* can, int, int) {
  *can = 1;
  return hipSuccess;
}
hipError_t hipDeviceEnablePeerAccess(int, unsigned) { return hipSuccess; }

hipError_t hipMalloc(void** data, std::size_t bytes) {
  *data = python.allocate(current_gpu, bytes);
  return *data == nullptr ? hipErrorOutOfMemory : hipSuccess;
}
hipError_t hipExtMallocWithFlags(void** data, std::size_t bytes, unsigned) { return hipMalloc(data, bytes); }
hipError_t hipFree(void* data) { return data == nullptr ? hipSuccess : told(python.release(data)); }
hipError_t hipMemcpy(void* to, const void* from, std::size_t bytes, hipMemcpyKind) {
  return told(python.copy(0, to, from, bytes));
}
hipError_t hipMemcpyAsync(void* to, const void* from, std::size_t bytes, hipMemcpyKind, hipStream_t stream) {
  return told(python.copy(number_of(stream), to, from, bytes));
}
hipError_t hipMemset(void* to, int byte, std::size_t bytes) { return told(python.fill(0, to, byte, bytes)); }
hipError_t hipMemsetAsync(void* to, int byte, std::size_t bytes, hipStream_t stream) {
  return told(python.fill(number_of(stream), to, byte, bytes));
}

hipError_t hipStreamCreateWithFlags(hipStream_t* stream, unsigned) {
  streams.push_back(current_gpu);
  *stream = handle_of<hipStream_t>(streams.size());
  return hipSuccess;
}
hipError_t hipStreamDestroy(hipStream_t) { return hipSuccess; }
hipError_t hipStreamSynchronize(hipStream_t stream) { return told(python.synchronize(number_of(stream))); }
hipError_t hipEventCreateWithFlags(hipEvent_t* event, unsigned) {
  *event = handle_of<hipEvent_t>(++events);
  return hipSuccess;
}
hipError_t hipEventDestroy(hipEvent_t) { return hipSuccess; }
hipError_t hipEventRecord(hipEvent_t event, hipStream_t stream) {
  return told(python.record(number_of(stream), number_of(event)));
}
hipError_t hipStreamWaitEvent(hipStream_t stream, hipEvent_t event, unsigned) {
  return told(python.wait(number_of(stream), number_of(event)));
}

int ncclCommInitAll(void** made, int count, const int*) {
  ++groups;
  for (int rank = 0; rank < count; ++rank) {
    communicators.push_back({groups, static_cast<unsigned>(rank), static_cast<unsigned>(count)});
    made[rank] = handle_of<void*>(communicators.size());
  }
  return 0;
}
int ncclCommDestroy(void*) { return 0; }
int ncclGroupStart() { return 0; }
int ncclGroupEnd() { return 0; }
int ncclAllGather(const void* sent, void* received, std::size_t bytes, int, void* one, hipStream_t stream) {
  const communicator& mine = communicators.at(number_of(one) - 1);
  return python.gather(number_of(stream), mine.group, mine.rank, mine.ranks, sent, received, bytes);
}
const char* ncclGetErrorString(int) { return "the emulator's GPUs refused it"; }

}  // extern "C"
