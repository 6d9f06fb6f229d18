// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The GPUs that work on one array together (warpz/distributed.hpp): their streams, their memory for what they tell each
// other, and how they exchange it. Host code, for one thread at a time; each failure is thrown as distributed::error.
//
// Kernels read and write the memory of other GPUs, so all of them must have access to each other's (NVLink, Infinity
// Fabric, or PCIe between some). What all have to know is gathered through NCCL or RCCL.
//
// A group may as well name one GPU several times, which then poses as so many: for tests where there is one alone, and
// on the CPU machine. Each kernel is launched once for all of them, and copies stand in for NCCL.
#pragma once

#include <hip/hip_runtime.h>

#include <array>
#include <cstddef>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "warpz/detail/nccl.hpp"
#include "warpz/detail/peer_memory.hpp"
#include "warpz/distributed_array.hpp"

namespace warpz {
namespace distributed {

/// When a GPU sees what another one's kernel writes to its memory: as soon as it is written, or when that kernel has
/// ended.
enum class seen { at_once, at_end };

class gpu_group {
 public:
  /// HIP's numbers of the GPUs: all different, or all the same.
  explicit gpu_group(std::vector<int> gpus) : gpus_(std::move(gpus)), launches_(gpus_.size()), memory_(gpus_.size()) {
    if (gpus_.empty() || gpus_.size() > max_gpus) throw error("gpu_group", "", "a group has 1 to 16 GPUs");
    std::size_t same = 0;
    for (const int each : gpus_) same += each == gpus_[0];
    if (same == gpus_.size()) {
      launches_ = 1;
    } else if (same != 1) {
      throw error("gpu_group", "", "a group has different GPUs, or one several times");
    }
    for (unsigned i = 0; i < launches_; ++i) streams_.push_back(std::make_unique<stream_of_gpu>(gpus_[i]));
    if (launches_ == 1) return;
    for (unsigned i = 0; i < launches_; ++i) open_memory_of_others(i);
    nccl_ = std::make_unique<detail::nccl>();
    communicators_ = nccl_->communicators(gpus_);
  }
  ~gpu_group() {
    for (const detail::nccl::communicator each : communicators_) nccl_->destroy(each);
  }
  gpu_group(const gpu_group&) = delete;
  gpu_group& operator=(const gpu_group&) = delete;

  unsigned size() const { return static_cast<unsigned>(gpus_.size()); }
  /// HIP's number of a GPU of the group.
  int number_of(unsigned gpu) const { return gpus_[gpu]; }
  /// Where the group's work on a GPU is queued: work before it and behind it belongs there, too.
  hipStream_t stream(unsigned gpu) const { return streams_[launches_ == 1 ? 0 : gpu]->stream; }

  /// What is queued from here on begins on each GPU when all that was queued before has ended on all of them.
  void join() {
    if (launches_ == 1) return;
    for (const auto& each : streams_) {
      use(each->gpu);
      check(hipEventRecord(each->reached, each->stream), "hipEventRecord");
    }
    for (const auto& waiting : streams_) {
      use(waiting->gpu);
      for (const auto& each : streams_) {
        if (each != waiting) check(hipStreamWaitEvent(waiting->stream, each->reached, 0), "hipStreamWaitEvent");
      }
    }
  }

  /// Waits on the host until all that was queued has ended.
  void synchronize() const {
    for (const auto& each : streams_) {
      use(each->gpu);
      check(hipStreamSynchronize(each->stream), "hipStreamSynchronize");
    }
  }

  // What follows is for the operations.

  /// Calls launch(dim3(GPUs, blocks), stream, first GPU) for each launch that it takes; of the kernel's blocks,
  /// blockIdx.x counts the GPUs and blockIdx.y those of one GPU.
  template <class _Launch>
  void launch(std::size_t blocks, const _Launch& launch) {
    constexpr std::size_t most = 65535;
    const dim3 grid(size() / launches_, static_cast<unsigned>(blocks < most ? blocks : most));
    for (unsigned gpu = 0; gpu < launches_; ++gpu) {
      use(gpus_[gpu]);
      launch(grid, streams_[gpu]->stream, gpu);
      check(hipGetLastError(), "hipLaunchKernel");
    }
  }

  /// Memory on each GPU for the operation that is queued next; the first `zeros` bytes of it are cleared. Waits where
  /// it has to grow.
  template <class _Tp>
  per_gpu<_Tp*> memory(seen written, std::size_t bytes, std::size_t zeros) {
    per_gpu<_Tp*> all{};
    for (unsigned gpu = 0; gpu < size(); ++gpu) {
      use(gpus_[gpu]);
      memory_of_gpu& mine = memory_[gpu][written == seen::at_once];
      if (mine.bytes < bytes) mine.allocate(written, bytes);
      if (zeros != 0) check(hipMemsetAsync(mine.data, 0, zeros, stream(gpu)), "hipMemsetAsync");
      all.of[gpu] = static_cast<_Tp*>(mine.data);
    }
    return all;
  }

  /// Each GPU has written `bytes` of a buffer, at the place that its number gives; now it gets those of all others.
  template <class _Tp>
  void all_gather(const per_gpu<_Tp*>& buffer, std::size_t bytes) {
    const auto part = [&](unsigned holder, unsigned writer) {
      return reinterpret_cast<char*>(buffer[holder]) + writer * bytes;
    };
    if (nccl_) {
      nccl_->begin_group();
      for (unsigned gpu = 0; gpu < size(); ++gpu) {
        nccl_->all_gather(part(gpu, gpu), buffer[gpu], bytes, communicators_[gpu], stream(gpu));
      }
      return nccl_->end_group();
    }
    for (unsigned holder = 0; holder < size(); ++holder) {
      for (unsigned writer = 0; writer < size(); ++writer) {
        if (writer == holder) continue;
        check(hipMemcpyAsync(part(holder, writer), part(writer, writer), bytes, hipMemcpyDeviceToDevice, stream(0)),
              "hipMemcpyAsync");
      }
    }
  }

 private:
  static void check(hipError_t code, const char* call) {
    if (code != hipSuccess) throw error(call, hipGetErrorName(code), hipGetErrorString(code));
  }
  static void use(int gpu) { check(hipSetDevice(gpu), "hipSetDevice"); }

  void open_memory_of_others(unsigned gpu) const {
    use(gpus_[gpu]);
    for (const int other : gpus_) {
      if (other == gpus_[gpu]) continue;
      int can = 0;
      check(hipDeviceCanAccessPeer(&can, gpus_[gpu], other), "hipDeviceCanAccessPeer");
      if (can == 0) {
        throw error(
            "hipDeviceCanAccessPeer", "",
            "GPU " + std::to_string(gpus_[gpu]) + " has no access to the memory of GPU " + std::to_string(other));
      }
      const hipError_t code = hipDeviceEnablePeerAccess(other, 0);
      if (code == hipErrorPeerAccessAlreadyEnabled) {
        static_cast<void>(hipGetLastError());
      } else {
        check(code, "hipDeviceEnablePeerAccess");
      }
    }
  }

  struct stream_of_gpu {
    explicit stream_of_gpu(int number) : gpu(number) {
      use(gpu);
      check(hipStreamCreateWithFlags(&stream, hipStreamNonBlocking), "hipStreamCreateWithFlags");
      check(hipEventCreateWithFlags(&reached, hipEventDisableTiming), "hipEventCreateWithFlags");
    }
    ~stream_of_gpu() {
      static_cast<void>(hipSetDevice(gpu));
      if (reached != nullptr) static_cast<void>(hipEventDestroy(reached));
      if (stream != nullptr) static_cast<void>(hipStreamDestroy(stream));
    }
    stream_of_gpu(const stream_of_gpu&) = delete;
    stream_of_gpu& operator=(const stream_of_gpu&) = delete;

    int gpu;
    hipStream_t stream = nullptr;
    hipEvent_t reached = nullptr;
  };

  struct memory_of_gpu {
    memory_of_gpu() = default;
    ~memory_of_gpu() { static_cast<void>(hipFree(data)); }
    memory_of_gpu(const memory_of_gpu&) = delete;
    memory_of_gpu& operator=(const memory_of_gpu&) = delete;

    void allocate(seen written, std::size_t wanted) {
      check(hipFree(data), "hipFree");
      data = nullptr;
      bytes = 0;
      check(written == seen::at_once ? detail::allocate_seen_at_once(&data, wanted) : hipMalloc(&data, wanted),
            "hipMalloc");
      bytes = wanted;
    }

    void* data = nullptr;
    std::size_t bytes = 0;
  };

  const std::vector<int> gpus_;
  std::size_t launches_;  ///< how often a kernel is launched: for each GPU, or once for all that a single GPU poses as
  std::vector<std::unique_ptr<stream_of_gpu>> streams_;
  std::vector<std::array<memory_of_gpu, 2>> memory_;
  std::unique_ptr<detail::nccl> nccl_;
  std::vector<detail::nccl::communicator> communicators_;
};

}  // namespace distributed
}  // namespace warpz
