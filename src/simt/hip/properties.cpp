// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the two devices can do, in HIP's terms: properties and attributes. What the CPU does not have is 0.
#include <sys/utsname.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <fstream>
#include <string>
#include <thread>

#include "abi/architecture.hpp"
#include "simt/hip/arrays.hpp"
#include "simt/hip/devices.hpp"
#include "simt/hip/errors.hpp"
#include "simt/machine/machine.hpp"
#include "simt/machine/stacks.hpp"
#include "system/memory_limit.hpp"

namespace simt {
namespace {

constexpr int no_limit = 2147483647;

std::string machine_name() {
  utsname system{};
  if (uname(&system) != 0) return "CPU";
  std::string name = system.machine;
  std::replace(name.begin(), name.end(), '_', '-');
  return name;
}

/// The processor's name as the system knows it; empty where it does not.
std::string processor_model() {
  std::ifstream file("/proc/cpuinfo");
  for (std::string line; std::getline(file, line);) {
    if (line.rfind("model name", 0) != 0) continue;
    const std::size_t colon = line.find(": ");
    if (colon != std::string::npos) return line.substr(colon + 2);
  }
  return {};
}

/// The chosen one, on the device that has as many lanes.
std::string architecture_name(int device) {
  const unsigned lanes = warp_size_of(device);
  const char* const chosen = current_settings().architecture;
  const auto posed = warpz::architecture_of(chosen);
  if (posed && (posed->is_nvidia || posed->lanes == lanes)) return chosen;
  return std::string(warpz::default_architecture(lanes));
}

/// A core stands for a multiprocessor, within what a device of the machine can have.
int multiprocessors() {
  return std::clamp(static_cast<int>(std::thread::hardware_concurrency()), min_multiprocessors, max_multiprocessors);
}
static_assert(max_multiprocessors * max_threads_per_multiprocessor <= max_lanes_alive / 2);

int number(std::size_t size) { return static_cast<int>(size); }

void describe_images(hipDeviceProp_t& p) {
  p.textureAlignment = p.surfaceAlignment = texture_alignment;
  p.texturePitchAlignment = texture_pitch_alignment;
  p.maxTexture1DLinear = number(max_linear_elements);
  const int width = number(max_array_width), height = number(max_array_height), depth = number(max_array_depth);
  p.maxTexture1D = p.maxSurface1D = p.maxTextureCubemap = p.maxSurfaceCubemap = width;
  for (int* const of_1d_layered :
       {p.maxTexture1DLayered, p.maxSurface1DLayered, p.maxTextureCubemapLayered, p.maxSurfaceCubemapLayered}) {
    of_1d_layered[0] = width;
    of_1d_layered[1] = depth;
  }
  for (int* const of_2d : {p.maxTexture2D, p.maxTexture2DLinear, p.maxTexture2DGather, p.maxSurface2D, p.maxTexture3D,
                           p.maxTexture3DAlt, p.maxSurface3D, p.maxTexture2DLayered, p.maxSurface2DLayered}) {
    of_2d[0] = width;
    of_2d[1] = height;
  }
  p.maxTexture2DLinear[2] = p.memPitch > no_limit ? no_limit : number(p.memPitch);
  for (int* const of_3d :
       {p.maxTexture3D, p.maxTexture3DAlt, p.maxSurface3D, p.maxTexture2DLayered, p.maxSurface2DLayered}) {
    of_3d[2] = depth;
  }
  p.arch.hasSurfaceFuncs = 1;
}

hipDeviceProp_t describe(int device) {
  hipDeviceProp_t p{};
  static const std::string model = processor_model();
  std::snprintf(p.name, sizeof p.name, model.empty() ? "CPU, %u lanes%s" : "CPU, %u lanes (%s)", warp_size_of(device),
                model.c_str());
  // Programs compare what comes before the colon.
  const std::string name = architecture_name(device);
  std::snprintf(p.gcnArchName, sizeof p.gcnArchName, "%s:%s", name.c_str(), machine_name().c_str());
  std::memcpy(p.uuid.bytes, "warpz cpu lanes", sizeof p.uuid.bytes);
  p.uuid.bytes[15] = static_cast<char>(warp_size_of(device));
  const warpz::architecture posed = *warpz::architecture_of(name);
  p.major = static_cast<int>(posed.major);
  p.minor = static_cast<int>(posed.minor);
  if (!posed.is_nvidia) p.gcnArch = static_cast<int>(posed.major * 100 + posed.minor * 10 + posed.step);

  p.pciBusID = device;
  p.warpSize = static_cast<int>(warp_size_of(device));
  p.multiProcessorCount = multiprocessors();
  p.maxBlocksPerMultiProcessor = static_cast<int>(max_blocks_per_multiprocessor);
  p.maxThreadsPerMultiProcessor = static_cast<int>(max_threads_per_multiprocessor);
  p.maxThreadsPerBlock = max_threads_per_block;
  std::fill(std::begin(p.maxThreadsDim), std::end(p.maxThreadsDim), static_cast<int>(max_threads_per_block));
  p.maxGridSize[0] = static_cast<int>(max_grid_x);
  p.maxGridSize[1] = p.maxGridSize[2] = static_cast<int>(max_grid_yz);
  p.regsPerBlock = p.regsPerMultiprocessor = 65536;
  p.kernelExecTimeoutEnabled = current_settings().timeout_seconds > 0 ? 1 : 0;
  p.cooperativeLaunch = 1;
  p.unifiedFunctionPointers = 1;
  p.clockRate = p.clockInstructionRate = clock_kilohertz;

  // Read once: asking the system takes longer than running a small kernel.
  static const std::size_t memory = os::read_memory_limit().total;
  p.totalGlobalMem = memory;
  p.totalConstMem = no_limit;
  p.sharedMemPerBlock = p.sharedMemPerBlockOptin = max_shared_bytes;
  p.sharedMemPerMultiprocessor = p.maxSharedMemoryPerMultiProcessor = max_shared_bytes;
  p.l2CacheSize = static_cast<int>(std::max(0L, sysconf(_SC_LEVEL2_CACHE_SIZE)));
  p.memPitch = no_limit;
  p.globalL1CacheSupported = p.localL1CacheSupported = 1;

  describe_images(p);

  // Host and devices share one memory.
  p.integrated = 1;
  // But what malloc gives is out of a kernel's reach, as on most GPUs: pageableMemoryAccess stays 0.
  p.canMapHostMemory = 1;
  p.unifiedAddressing = 1;
  p.managedMemory = 1;
  p.concurrentManagedAccess = 1;
  p.directManagedMemAccessFromHost = 1;
  p.hostRegisterSupported = 1;
  p.memoryPoolsSupported = 1;
  p.canUseHostPointerForRegisteredMem = 1;
  p.hostNativeAtomicSupported = 1;
  p.isLargeBar = 1;

  p.arch.hasGlobalInt32Atomics = p.arch.hasGlobalFloatAtomicExch = 1;
  p.arch.hasSharedInt32Atomics = p.arch.hasSharedFloatAtomicExch = p.arch.hasFloatAtomicAdd = 1;
  p.arch.hasGlobalInt64Atomics = p.arch.hasSharedInt64Atomics = 1;
  p.arch.hasDoubles = 1;
  p.arch.hasWarpVote = p.arch.hasWarpBallot = p.arch.hasWarpShuffle = 1;
  p.arch.hasThreadFenceSystem = p.arch.hasSyncThreadsExt = p.arch.has3dGrid = 1;
  return p;
}

/// False for an attribute that has no number, or that HIP itself does not use.
bool attribute_of(const hipDeviceProp_t& p, hipDeviceAttribute_t attribute, int* value) {
  const auto answer = [value](auto number) {
    *value = static_cast<int>(std::min<unsigned long long>(static_cast<unsigned long long>(number), no_limit));
    return true;
  };
  switch (attribute) {
    case hipDeviceAttributeCanMapHostMemory:
      return answer(p.canMapHostMemory);
    case hipDeviceAttributeCanUseHostPointerForRegisteredMem:
      return answer(p.canUseHostPointerForRegisteredMem);
    case hipDeviceAttributeClockRate:
      return answer(p.clockRate);
    case hipDeviceAttributeClockInstructionRate:
      return answer(p.clockInstructionRate);
    case hipDeviceAttributeWallClockRate:
      return answer(clock_kilohertz);
    case hipDeviceAttributeComputeMode:
      return answer(p.computeMode);
    case hipDeviceAttributeConcurrentManagedAccess:
      return answer(p.concurrentManagedAccess);
    case hipDeviceAttributeCooperativeLaunch:
      return answer(p.cooperativeLaunch);
    case hipDeviceAttributeDirectManagedMemAccessFromHost:
      return answer(p.directManagedMemAccessFromHost);
    case hipDeviceAttributeGlobalL1CacheSupported:
      return answer(p.globalL1CacheSupported);
    case hipDeviceAttributeHostNativeAtomicSupported:
      return answer(p.hostNativeAtomicSupported);
    case hipDeviceAttributeHostRegisterSupported:
      return answer(p.hostRegisterSupported);
    case hipDeviceAttributeMemoryPoolsSupported:
    case hipDeviceAttributeCanUseStreamWaitValue:
    case hipDeviceAttributeVirtualMemoryManagementSupported:
      return answer(p.memoryPoolsSupported);
    case hipDeviceAttributeIntegrated:
      return answer(p.integrated);
    case hipDeviceAttributeIsLargeBar:
      return answer(p.isLargeBar);
    case hipDeviceAttributeKernelExecTimeout:
      return answer(p.kernelExecTimeoutEnabled);
    case hipDeviceAttributeL2CacheSize:
      return answer(p.l2CacheSize);
    case hipDeviceAttributeLocalL1CacheSupported:
      return answer(p.localL1CacheSupported);
    case hipDeviceAttributeComputeCapabilityMajor:
      return answer(p.major);
    case hipDeviceAttributeComputeCapabilityMinor:
      return answer(p.minor);
    case hipDeviceAttributeManagedMemory:
      return answer(p.managedMemory);
    case hipDeviceAttributeMaxBlocksPerMultiProcessor:
      return answer(p.maxBlocksPerMultiProcessor);
    case hipDeviceAttributeMaxBlockDimX:
      return answer(p.maxThreadsDim[0]);
    case hipDeviceAttributeMaxBlockDimY:
      return answer(p.maxThreadsDim[1]);
    case hipDeviceAttributeMaxBlockDimZ:
      return answer(p.maxThreadsDim[2]);
    case hipDeviceAttributeMaxGridDimX:
      return answer(p.maxGridSize[0]);
    case hipDeviceAttributeMaxGridDimY:
      return answer(p.maxGridSize[1]);
    case hipDeviceAttributeMaxGridDimZ:
      return answer(p.maxGridSize[2]);
    case hipDeviceAttributeMaxThreadsPerBlock:
      return answer(p.maxThreadsPerBlock);
    case hipDeviceAttributeMaxThreadsPerMultiProcessor:
      return answer(p.maxThreadsPerMultiProcessor);
    case hipDeviceAttributeMaxPitch:
      return answer(p.memPitch);
    case hipDeviceAttributeMultiprocessorCount:
    case hipDeviceAttributePhysicalMultiProcessorCount:
      return answer(p.multiProcessorCount);
    case hipDeviceAttributePageableMemoryAccess:
      return answer(p.pageableMemoryAccess);
    case hipDeviceAttributePageableMemoryAccessUsesHostPageTables:
      return answer(p.pageableMemoryAccessUsesHostPageTables);
    case hipDeviceAttributeMaxRegistersPerBlock:
      return answer(p.regsPerBlock);
    case hipDeviceAttributeMaxRegistersPerMultiprocessor:
      return answer(p.regsPerMultiprocessor);
    case hipDeviceAttributeMaxSharedMemoryPerBlock:
      return answer(p.sharedMemPerBlock);
    case hipDeviceAttributeSharedMemPerBlockOptin:
      return answer(p.sharedMemPerBlockOptin);
    case hipDeviceAttributeSharedMemPerMultiprocessor:
    case hipDeviceAttributeMaxSharedMemoryPerMultiprocessor:
      return answer(p.sharedMemPerMultiprocessor);
    case hipDeviceAttributeTotalConstantMemory:
      return answer(p.totalConstMem);
    case hipDeviceAttributeTotalGlobalMem:
      return answer(p.totalGlobalMem);
    case hipDeviceAttributeMaxTexture1DWidth:
      return answer(p.maxTexture1D);
    case hipDeviceAttributeMaxTexture1DLinear:
      return answer(p.maxTexture1DLinear);
    case hipDeviceAttributeMaxTexture1DLayered:
      return answer(p.maxTexture1DLayered[0]);
    case hipDeviceAttributeMaxTexture2DWidth:
      return answer(p.maxTexture2D[0]);
    case hipDeviceAttributeMaxTexture2DHeight:
      return answer(p.maxTexture2D[1]);
    case hipDeviceAttributeMaxTexture2DGather:
      return answer(p.maxTexture2DGather[0]);
    case hipDeviceAttributeMaxTexture2DLayered:
      return answer(p.maxTexture2DLayered[0]);
    case hipDeviceAttributeMaxTexture2DLinear:
      return answer(p.maxTexture2DLinear[0]);
    case hipDeviceAttributeMaxTexture3DWidth:
      return answer(p.maxTexture3D[0]);
    case hipDeviceAttributeMaxTexture3DHeight:
      return answer(p.maxTexture3D[1]);
    case hipDeviceAttributeMaxTexture3DDepth:
      return answer(p.maxTexture3D[2]);
    case hipDeviceAttributeMaxTexture3DAlt:
      return answer(p.maxTexture3DAlt[0]);
    case hipDeviceAttributeMaxTextureCubemap:
      return answer(p.maxTextureCubemap);
    case hipDeviceAttributeMaxTextureCubemapLayered:
      return answer(p.maxTextureCubemapLayered[0]);
    case hipDeviceAttributeMaxSurface1D:
      return answer(p.maxSurface1D);
    case hipDeviceAttributeMaxSurface1DLayered:
      return answer(p.maxSurface1DLayered[0]);
    case hipDeviceAttributeMaxSurface2D:
      return answer(p.maxSurface2D[0]);
    case hipDeviceAttributeMaxSurface2DLayered:
      return answer(p.maxSurface2DLayered[0]);
    case hipDeviceAttributeMaxSurface3D:
      return answer(p.maxSurface3D[0]);
    case hipDeviceAttributeMaxSurfaceCubemap:
      return answer(p.maxSurfaceCubemap);
    case hipDeviceAttributeMaxSurfaceCubemapLayered:
      return answer(p.maxSurfaceCubemapLayered[0]);
    case hipDeviceAttributeTextureAlignment:
      return answer(p.textureAlignment);
    case hipDeviceAttributeTexturePitchAlignment:
      return answer(p.texturePitchAlignment);
    case hipDeviceAttributeSurfaceAlignment:
      return answer(p.surfaceAlignment);
    case hipDeviceAttributeImageSupport:
      return answer(1);
    case hipDeviceAttributeUnifiedAddressing:
      return answer(p.unifiedAddressing);
    case hipDeviceAttributeFineGrainSupport:
      return answer(1);
    case hipDeviceAttributePciBusId:
      return answer(p.pciBusID);
    case hipDeviceAttributeWarpSize:
      return answer(p.warpSize);
    case hipDeviceAttributeMaxThreadsDim:
    case hipDeviceAttributeUnused1:
    case hipDeviceAttributeUnused2:
    case hipDeviceAttributeUnused3:
    case hipDeviceAttributeUnused4:
    case hipDeviceAttributeUnused5:
    case hipDeviceAttributeLuid:
    case hipDeviceAttributeLuidDeviceNodeMask:
    case hipDeviceAttributeHdpMemFlushCntl:
    case hipDeviceAttributeHdpRegFlushCntl:
      return false;
    default:
      break;
  }
  const int number = attribute;
  const auto is_between = [number](int first, int last) { return number >= first && number <= last; };
  if (is_between(hipDeviceAttributeEccEnabled, hipDeviceAttributeMemoryPoolSupportedHandleTypes) ||
      is_between(hipDeviceAttributeClockInstructionRate, hipDeviceAttributeWallClockRate)) {
    return answer(0);
  }
  return false;
}

}  // namespace
}  // namespace simt

inline namespace hip_on_cpu {

using simt::finish;

hipError_t hipGetDeviceProperties(hipDeviceProp_t* properties, int device) {
  if (properties == nullptr) return finish(hipErrorInvalidValue);
  if (!simt::is_device(device)) return finish(hipErrorInvalidDevice);
  *properties = simt::describe(device);
  return hipSuccess;
}

hipError_t hipDeviceGetAttribute(int* value, hipDeviceAttribute_t attribute, int device) {
  if (value == nullptr) return finish(hipErrorInvalidValue);
  if (!simt::is_device(device)) return finish(hipErrorInvalidDevice);
  return finish(simt::attribute_of(simt::describe(device), attribute, value) ? hipSuccess : hipErrorInvalidValue);
}

}  // namespace hip_on_cpu
