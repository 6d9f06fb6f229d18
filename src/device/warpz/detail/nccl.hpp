// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// NVIDIA's NCCL, or AMD's RCCL, which has the same functions: loaded when a program asks for several GPUs, so that one
// that has a single GPU needs neither the library nor its header. Host code.
#pragma once

#include <dlfcn.h>

#include <cstddef>
#include <stdexcept>
#include <string>
#include <vector>

#include "warpz/detail/platform.hpp"

namespace warpz {
namespace distributed {

/// What several GPUs could not do together: the call and the reason, in the words of whoever refused.
struct error : std::runtime_error {
  error(const char* failed_call, const char* error_name, const std::string& reason)
      : std::runtime_error(std::string(failed_call) + ": " + reason),
        call(failed_call),
        name(error_name),
        text(reason) {}

  std::string call, name, text;
};

}  // namespace distributed

namespace detail {

/// The functions that are used, as nccl.h declares them. Their types have been the same since NCCL 2.0.
class nccl {
 public:
  using communicator = void*;

  nccl() {
    constexpr bool is_amd = this_platform == platform::amd;
    constexpr const char* file = is_amd ? "librccl.so.1" : "libnccl.so.2";
    library_ = dlopen(file, RTLD_NOW | RTLD_LOCAL);
    if (library_ == nullptr) {
      throw distributed::error("dlopen", "",
                               std::string(dlerror()) + "; several GPUs exchange sums through it: install " +
                                   (is_amd ? "rccl (Debian: librccl1)" : "libnccl2"));
    }
    find(init_all_, "ncclCommInitAll");
    find(destroy_, "ncclCommDestroy");
    find(begin_group_, "ncclGroupStart");
    find(end_group_, "ncclGroupEnd");
    find(all_gather_, "ncclAllGather");
    find(error_text_, "ncclGetErrorString");
  }
  nccl(const nccl&) = delete;
  nccl& operator=(const nccl&) = delete;

  std::vector<communicator> communicators(const std::vector<int>& devices) const {
    std::vector<communicator> made(devices.size());
    check(init_all_(made.data(), static_cast<int>(devices.size()), devices.data()), "ncclCommInitAll");
    return made;
  }
  void destroy(communicator one) const { static_cast<void>(destroy_(one)); }

  void begin_group() const { check(begin_group_(), "ncclGroupStart"); }
  void end_group() const { check(end_group_(), "ncclGroupEnd"); }

  /// Within a group: each GPU sends `bytes` and gets those of all, in the GPUs' order.
  void all_gather(const void* sent, void* received, std::size_t bytes, communicator one, hipStream_t stream) const {
    constexpr int bytes_type = 0;  // ncclInt8
    check(all_gather_(sent, received, bytes, bytes_type, one, stream), "ncclAllGather");
  }

 private:
  template <class _Function>
  void find(_Function*& function, const char* name) const {
    function = reinterpret_cast<_Function*>(dlsym(library_, name));
    if (function == nullptr) throw distributed::error("dlsym", "", dlerror());
  }

  void check(int code, const char* call) const {
    if (code != 0) throw distributed::error(call, "", error_text_(code));
  }

  void* library_;  ///< never unloaded: it has threads of its own
  int (*init_all_)(communicator*, int, const int*) = nullptr;
  int (*destroy_)(communicator) = nullptr;
  int (*begin_group_)() = nullptr;
  int (*end_group_)() = nullptr;
  int (*all_gather_)(const void*, void*, std::size_t, int, communicator, hipStream_t) = nullptr;
  const char* (*error_text_)(int) = nullptr;
};

}  // namespace detail
}  // namespace warpz
