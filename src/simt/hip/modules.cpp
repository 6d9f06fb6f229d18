// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Modules: which bytes are device code, where a source is looked for, and launches by a module's function.
#include "simt/hip/modules.hpp"

#include <dlfcn.h>
#include <fcntl.h>
#include <link.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <optional>
#include <sstream>
#include <string_view>

#include "hip/hip_runtime_api.h"
#include "simt/hip/allocations.hpp"
#include "simt/hip/devices.hpp"
#include "simt/hip/errors.hpp"
#include "simt/hip/handles.hpp"
#include "simt/hip/images.hpp"
#include "simt/machine/machine.hpp"

struct ihipModule_t : simt::loaded_module {};

namespace simt {
namespace {

namespace fs = std::filesystem;

/// Never destroyed: a program's static objects may use their modules late.
handles<ihipModule_t>& modules() {
  static auto* const all = new handles<ihipModule_t>;
  return *all;
}

constexpr std::string_view elf =
    "\x7f"
    "ELF";
/// What code of GPUs begins with: an ELF file for AMD's machine, which bytes 18 and 19 say, or a bundle of them.
constexpr std::string_view bundle = "__CLANG_OFFLOAD_BUNDLE__", compressed_bundle = "CCOB";
constexpr unsigned char amd_machine = 224;

/// An error's cause, on standard error: HIP has no text for it.
hipError_t refuse(hipError_t code, const std::string& cause) {
  std::fprintf(stderr, "%s%s", cause.c_str(), cause.empty() || cause.back() == '\n' ? "" : "\n");
  return finish(code);
}

hipError_t load(hipModule_t* module, const std::string& code) {
  const loaded_module loaded = load_device_code(code);
  if (loaded.library == nullptr) return finish(hipErrorInvalidImage);
  ihipModule_t added;
  static_cast<loaded_module&>(added) = loaded;
  *module = modules().add(added);
  return finish(hipSuccess);
}

hipError_t load_bytes(hipModule_t* module, std::string_view bytes, const char* name, const char* folder) {
  if (is_code_for_gpu(bytes)) {
    return refuse(hipErrorNoBinaryForGpu, std::string("warpz: ") + name +
                                              " is code for an AMD GPU, which the CPU machine cannot run: load the HIP "
                                              "source that it was made of");
  }
  if (bytes.substr(0, elf.size()) == elf) return load(module, std::string(bytes));
  const std::string text(bytes);
  warpz_device_source source{};
  source.source = {name, text.c_str()};
  source.folder = folder;
  const device_compilation compiled = compile_device_code(source);
  if (!compiled.succeeded) return refuse(hipErrorInvalidImage, compiled.log);
  return load(module, compiled.code);
}

/// How many bytes the image at this address has: an ELF file says where its table of sections ends, which is last; a
/// text ends with a zero.
std::size_t size_of_image(const char* image) {
  if (std::memcmp(image, elf.data(), elf.size()) != 0) return std::strlen(image);
  std::uint64_t sections = 0;
  std::uint16_t section_bytes = 0, section_count = 0;
  std::memcpy(&sections, image + 40, sizeof sections);
  std::memcpy(&section_bytes, image + 58, sizeof section_bytes);
  std::memcpy(&section_count, image + 60, sizeof section_count);
  return sections + std::size_t{section_bytes} * section_count;
}

/// The file itself, or a source beside it of which a build would have made it; empty where there is neither.
fs::path module_file(const fs::path& file) {
  std::error_code problem;
  if (fs::exists(file, problem)) return file;
  for (const char* const extension : {".hip", ".cpp", ".cu"}) {
    const fs::path source = fs::path(file).replace_extension(extension);
    if (fs::exists(source, problem)) return source;
  }
  return {};
}

const warpz_kernel_code* kernel_of(hipFunction_t function) { return kernel_at(function); }

/// The address of each argument in a buffer that has them as a struct would; nothing where it is too short.
std::optional<std::vector<void*>> arguments_in(void** extra, const warpz_kernel_code& code) {
  char* buffer = nullptr;
  const std::size_t* bytes = nullptr;
  for (; *extra != HIP_LAUNCH_PARAM_END; extra += 2) {
    if (*extra == HIP_LAUNCH_PARAM_BUFFER_POINTER)
      buffer = static_cast<char*>(extra[1]);
    else if (*extra == HIP_LAUNCH_PARAM_BUFFER_SIZE)
      bytes = static_cast<const std::size_t*>(extra[1]);
    else
      return {};
  }
  if (buffer == nullptr || bytes == nullptr) return {};
  std::vector<void*> arguments;
  std::size_t end = 0;
  for (std::uint32_t i = 0; i < code.argument_count; ++i) {
    const std::size_t alignment = code.arguments[i].alignment;
    const std::size_t begin = (end + alignment - 1) / alignment * alignment;
    end = begin + code.arguments[i].bytes;
    if (end > *bytes) return {};
    arguments.push_back(buffer + begin);
  }
  return arguments;
}

}  // namespace

bool is_code_for_gpu(std::string_view bytes) {
  if (bytes.substr(0, bundle.size()) == bundle || bytes.substr(0, compressed_bundle.size()) == compressed_bundle)
    return true;
  return bytes.size() > 18 && bytes.substr(0, elf.size()) == elf &&
         static_cast<unsigned char>(bytes[18]) == amd_machine;
}

device_compilation compile_device_code(warpz_device_source source) {
  device_compilation compiled;
  const warpz_device_compiler* const compiler = current_settings().compiler;
  if (compiler == nullptr) {
    compiled.log = "warpz: this process has no compiler of device code\n";
    return compiled;
  }
  source.warp_size = warp_size_of(current_device());
  const warpz_device_code_receiver receiver{&compiled,
                                            [](void* target, const char* bytes, std::uint64_t count) {
                                              static_cast<device_compilation*>(target)->code.append(bytes, count);
                                            },
                                            [](void* target, const char* text, std::uint64_t count) {
                                              static_cast<device_compilation*>(target)->log.append(text, count);
                                            }};
  compiled.succeeded = compiler->compile(compiler->compiler, &source, &receiver) != 0;
  return compiled;
}

namespace {

/// A new file for a module: in the folder for them, or in memory where the program may not write there. The descriptor,
/// and the path.
std::pair<int, std::string> new_module_file() {
  static std::atomic<unsigned> number = 0;
  const warpz_device_compiler* const compiler = current_settings().compiler;
  if (compiler != nullptr && compiler->folder != nullptr) {
    std::string path = compiler->folder + std::to_string(getpid()) + "-" + std::to_string(++number) + ".so";
    const int file = open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
    if (file >= 0) return {file, std::move(path)};
  }
  const int file = memfd_create("warpz-module", MFD_CLOEXEC);
  return {file, "/proc/self/fd/" + std::to_string(file)};
}

/// Where the library lies that has this address.
void note_module(const std::string& path, const void* address) {
  struct search {
    std::uintptr_t address, begin, end;
  } found{reinterpret_cast<std::uintptr_t>(address), 0, 0};
  dl_iterate_phdr(
      [](dl_phdr_info* info, std::size_t, void* data) {
        auto& wanted = *static_cast<search*>(data);
        std::uintptr_t end = 0;
        for (int i = 0; i < info->dlpi_phnum; ++i) {
          if (info->dlpi_phdr[i].p_type != PT_LOAD) continue;
          end =
              std::max<std::uintptr_t>(end, info->dlpi_addr + info->dlpi_phdr[i].p_vaddr + info->dlpi_phdr[i].p_memsz);
        }
        if (wanted.address < info->dlpi_addr || wanted.address >= end) return 0;
        wanted.begin = info->dlpi_addr;
        wanted.end = end;
        return 1;
      },
      &found);
  if (current_settings().on_module != nullptr) current_settings().on_module(path.c_str(), found.begin, found.end);
}

}  // namespace

void note_library(const void* address) {
  if (current_settings().on_module == nullptr) return;
  Dl_info place{};
  if (dladdr(address, &place) != 0) note_module(place.dli_fname, address);
}

loaded_module load_device_code(const std::string& code) {
  const auto [file, path] = new_module_file();
  if (file < 0) return {};
  for (std::string_view rest = code; !rest.empty();) {
    const ssize_t count = write(file, rest.data(), rest.size());
    if (count <= 0) break;
    rest.remove_prefix(static_cast<std::size_t>(count));
  }
  loaded_module loaded;
  loaded.library = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
  close(file);
  if (loaded.library == nullptr) {
    std::fprintf(stderr, "warpz: a module cannot be loaded: %s\n", dlerror());
    return {};
  }
  using images_function = const warpz_device_image* const*(std::size_t * count);
  auto* const images = reinterpret_cast<images_function*>(dlsym(loaded.library, WARPZ_IMAGES_FUNCTION));
  if (images == nullptr) {
    dlclose(loaded.library);
    return {};
  }
  std::size_t count = 0;
  const warpz_device_image* const* const first = images(&count);
  loaded.images.assign(first, first + count);
  for (const warpz_device_image* const each : loaded.images) register_image(*each);
  note_module(path, reinterpret_cast<const void*>(images));
  return loaded;
}

void unload_device_code(const loaded_module& module) {
  for (const warpz_device_image* const each : module.images) {
    for (std::uint32_t i = 0; i < each->variable_count; ++i)
      allocations::instance().remove(each->variables[i].address, memory_kind::symbol);
    forget_image(*each);
  }
  // The code stays: findings may name its lines.
}

}  // namespace simt

inline namespace hip_on_cpu {

using simt::finish;

hipError_t hipModuleLoad(hipModule_t* module, const char* file) {
  if (module == nullptr || file == nullptr) return finish(hipErrorInvalidValue);
  const std::filesystem::path path = simt::module_file(file);
  std::ifstream stream(path, std::ios::binary);
  if (path.empty() || !stream) return finish(hipErrorFileNotFound);
  std::stringstream bytes;
  bytes << stream.rdbuf();
  const std::string folder = path.has_parent_path() ? path.parent_path().string() : ".";
  return simt::load_bytes(module, bytes.str(), path.c_str(), folder.c_str());
}

hipError_t hipModuleLoadData(hipModule_t* module, const void* image) {
  if (module == nullptr || image == nullptr) return finish(hipErrorInvalidValue);
  const auto* const bytes = static_cast<const char*>(image);
  return simt::load_bytes(module, {bytes, simt::size_of_image(bytes)}, "module", nullptr);
}

hipError_t hipModuleLoadDataEx(hipModule_t* module, const void* image, unsigned, hipJitOption*, void**) {
  return hipModuleLoadData(module, image);
}

hipError_t hipModuleUnload(hipModule_t module) {
  const auto found = simt::modules().find(module);
  if (!found) return finish(hipErrorInvalidHandle);
  simt::unload_device_code(*found);
  simt::modules().remove(module);
  return finish(hipSuccess);
}

hipError_t hipModuleGetFunction(hipFunction_t* function, hipModule_t module, const char* name) {
  if (function == nullptr || name == nullptr) return finish(hipErrorInvalidValue);
  const auto found = simt::modules().find(module);
  if (!found) return finish(hipErrorInvalidHandle);
  for (const warpz_device_image* const image : found->images) {
    for (std::uint32_t i = 0; i < image->kernel_count; ++i) {
      if (std::strcmp(image->kernels[i].symbol, name) != 0) continue;
      *function = reinterpret_cast<hipFunction_t>(const_cast<warpz_kernel_code*>(&image->kernels[i]));
      return finish(hipSuccess);
    }
  }
  return finish(hipErrorNotFound);
}

hipError_t hipModuleGetGlobal(hipDeviceptr_t* address, size_t* bytes, hipModule_t module, const char* name) {
  if (name == nullptr || (address == nullptr && bytes == nullptr)) return finish(hipErrorInvalidValue);
  const auto found = simt::modules().find(module);
  if (!found) return finish(hipErrorInvalidHandle);
  for (const warpz_device_image* const image : found->images) {
    for (std::uint32_t i = 0; i < image->variable_count; ++i) {
      const warpz_device_variable& each = image->variables[i];
      if (std::strcmp(each.symbol, name) != 0 || each.bytes == 0) continue;
      simt::allocations::instance().note(each.address, each.bytes, simt::memory_kind::symbol, 0);
      if (address != nullptr) *address = each.address;
      if (bytes != nullptr) *bytes = each.bytes;
      return finish(hipSuccess);
    }
  }
  return finish(hipErrorNotFound);
}

hipError_t hipModuleGetTexRef(textureReference** reference, hipModule_t module, const char* name) {
  if (reference == nullptr || name == nullptr || *name == '\0') return finish(hipErrorInvalidValue);
  void* address = nullptr;
  size_t bytes = 0;
  if (const hipError_t code = hipModuleGetGlobal(&address, &bytes, module, name)) return code;
  if (bytes != sizeof **reference) return finish(hipErrorNotFound);
  *reference = static_cast<textureReference*>(address);
  return hipSuccess;
}

hipError_t hipGetFuncBySymbol(hipFunction_t* function, const void* symbol) {
  if (function == nullptr) return finish(hipErrorInvalidValue);
  const warpz_kernel_code* const code = simt::kernel_at(symbol);
  if (code == nullptr) return finish(hipErrorInvalidDeviceFunction);
  *function = reinterpret_cast<hipFunction_t>(const_cast<warpz_kernel_code*>(code));
  return hipSuccess;
}

hipError_t hipFuncGetAttribute(int* value, hipFunction_attribute attribute, hipFunction_t function) {
  if (value == nullptr || attribute < 0 || attribute >= HIP_FUNC_ATTRIBUTE_MAX) return finish(hipErrorInvalidValue);
  const warpz_kernel_code* const code = simt::kernel_of(function);
  if (code == nullptr) return finish(hipErrorInvalidDeviceFunction);
  *value = 0;
  if (attribute == HIP_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK) {
    *value = static_cast<int>(code->max_threads != 0 ? code->max_threads : simt::max_threads_per_block);
  } else if (attribute == HIP_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES) {
    *value = static_cast<int>(simt::max_shared_bytes);
  }
  return finish(hipSuccess);
}

hipError_t hipModuleLaunchKernel(hipFunction_t function, unsigned grid_x, unsigned grid_y, unsigned grid_z,
                                 unsigned block_x, unsigned block_y, unsigned block_z, unsigned shared_bytes,
                                 hipStream_t stream, void** arguments, void** extra) {
  const warpz_kernel_code* const code = simt::kernel_of(function);
  if (code == nullptr) return finish(hipErrorInvalidHandle);
  if (arguments != nullptr && extra != nullptr) return finish(hipErrorInvalidValue);
  std::vector<void*> found;
  if (extra != nullptr) {
    std::optional<std::vector<void*>> in_buffer = simt::arguments_in(extra, *code);
    if (!in_buffer) return finish(hipErrorInvalidValue);
    found = *std::move(in_buffer);
    arguments = found.data();
  }
  return hipLaunchKernel(function, dim3(grid_x, grid_y, grid_z), dim3(block_x, block_y, block_z), arguments,
                         shared_bytes, stream);
}

hipError_t hipModuleLaunchCooperativeKernel(hipFunction_t function, unsigned grid_x, unsigned grid_y, unsigned grid_z,
                                            unsigned block_x, unsigned block_y, unsigned block_z, unsigned shared_bytes,
                                            hipStream_t stream, void** arguments) {
  if (simt::kernel_of(function) == nullptr) return finish(hipErrorInvalidHandle);
  return hipLaunchCooperativeKernel(function, dim3(grid_x, grid_y, grid_z), dim3(block_x, block_y, block_z), arguments,
                                    shared_bytes, stream);
}

hipError_t hipModuleOccupancyMaxPotentialBlockSize(int* grid_size, int* block_size, hipFunction_t function,
                                                   size_t shared_bytes, int block_size_limit) {
  return hipOccupancyMaxPotentialBlockSize(grid_size, block_size, static_cast<const void*>(function), shared_bytes,
                                           block_size_limit);
}

hipError_t hipModuleOccupancyMaxActiveBlocksPerMultiprocessor(int* blocks, hipFunction_t function, int block_size,
                                                              size_t shared_bytes) {
  return hipOccupancyMaxActiveBlocksPerMultiprocessor(blocks, static_cast<const void*>(function), block_size,
                                                      shared_bytes);
}

}  // namespace hip_on_cpu
