// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// HIP's handles of memory and events for other processes, by the rules that hold within one: a handle can be made, and
// not be opened by the process that has made it. Another process cannot open it either, as its memory is its own.
#include <cstring>

#include <sys/types.h>
#include <unistd.h>

#include "simt/hip/allocations.hpp"
#include "simt/hip/errors.hpp"
#include "simt/hip/streams.hpp"

namespace simt {
namespace {

struct handle_content {
  char mark[8];
  pid_t process;
};

constexpr char memory_mark[8] = "memory", event_mark[8] = "event";

template <class Handle>
void make_handle(Handle& handle, const char (&mark)[8]) {
  static_assert(sizeof(handle_content) <= sizeof(Handle));
  handle_content content{};
  std::memcpy(content.mark, mark, sizeof mark);
  content.process = getpid();
  std::memset(&handle, 0, sizeof handle);
  std::memcpy(&handle, &content, sizeof content);
}

template <class Handle>
hipError_t open_handle(const Handle& handle, const char (&mark)[8]) {
  handle_content content{};
  std::memcpy(&content, &handle, sizeof content);
  if (std::memcmp(content.mark, mark, sizeof mark) != 0) return hipErrorInvalidValue;
  if (content.process == getpid()) {
    return simt::refuse(hipErrorInvalidContext, nullptr, "the opening of a handle in the process that has made it");
  }
  return simt::refuse(hipErrorMapFailed, nullptr,
                      "the opening of a handle of another process, which has memory of its own,");
}

}  // namespace
}  // namespace simt

inline namespace hip_on_cpu {

using simt::finish;

hipError_t hipIpcGetMemHandle(hipIpcMemHandle_t* handle, void* pointer) {
  const auto memory = simt::allocations::instance().find(pointer);
  if (handle == nullptr || !memory || memory->kind != simt::memory_kind::device) return finish(hipErrorInvalidValue);
  simt::make_handle(*handle, simt::memory_mark);
  return hipSuccess;
}

hipError_t hipIpcOpenMemHandle(void** pointer, hipIpcMemHandle_t handle, unsigned flags) {
  if (pointer == nullptr || flags != hipIpcMemLazyEnablePeerAccess) return finish(hipErrorInvalidValue);
  return finish(simt::open_handle(handle, simt::memory_mark));
}

// Nothing was ever opened.
hipError_t hipIpcCloseMemHandle(void*) { return finish(hipErrorInvalidValue); }

hipError_t hipIpcGetEventHandle(hipIpcEventHandle_t* handle, hipEvent_t event) {
  if (handle == nullptr || !simt::is_event(event)) return finish(hipErrorInvalidValue);
  if ((simt::flags_of(event) & hipEventInterprocess) == 0) return finish(hipErrorInvalidValue);
  simt::make_handle(*handle, simt::event_mark);
  return hipSuccess;
}

hipError_t hipIpcOpenEventHandle(hipEvent_t* event, hipIpcEventHandle_t handle) {
  if (event == nullptr) return finish(hipErrorInvalidValue);
  return finish(simt::open_handle(handle, simt::event_mark));
}

}  // namespace hip_on_cpu
