// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// hiprtc: programs that were compiled apart are linked together.
#include <elf.h>

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include "hip/hiprtc.h"
#include "simt/hip/handles.hpp"
#include "simt/hip/modules.hpp"

struct ihiprtcLinkState {
  struct object {
    std::string name, bytes;
  };
  /// Where the program wants messages.
  struct log_buffer {
    char* text = nullptr;
    std::size_t bytes = 0;
  };

  std::vector<object> objects;
  log_buffer log, errors;
  simt::device_compilation linked;
};

namespace simt {
namespace {

/// Never destroyed: a program's static objects may use them late.
handles<ihiprtcLinkState>& states() {
  static auto* const all = new handles<ihiprtcLinkState>;
  return *all;
}

bool is_bitcode(hiprtcJITInputType type) {
  return type == HIPRTC_JIT_INPUT_LLVM_BITCODE || type == HIPRTC_JIT_INPUT_LLVM_BUNDLED_BITCODE ||
         type == HIPRTC_JIT_INPUT_LLVM_ARCHIVES_OF_BUNDLED_BITCODE;
}

/// Whether it is what hiprtcGetBitcode gives.
bool is_object(const std::string& bytes) {
  Elf64_Ehdr header;
  if (bytes.size() < sizeof header) return false;
  std::memcpy(&header, bytes.data(), sizeof header);
  return std::memcmp(header.e_ident, ELFMAG, SELFMAG) == 0 && header.e_type == ET_REL && !is_code_for_gpu(bytes);
}

void set_option(ihiprtcLinkState& state, hiprtcJIT_option option, void* value) {
  const auto number = reinterpret_cast<std::uintptr_t>(value);
  if (option == HIPRTC_JIT_INFO_LOG_BUFFER) state.log.text = static_cast<char*>(value);
  if (option == HIPRTC_JIT_INFO_LOG_BUFFER_SIZE_BYTES) state.log.bytes = number;
  if (option == HIPRTC_JIT_ERROR_LOG_BUFFER) state.errors.text = static_cast<char*>(value);
  if (option == HIPRTC_JIT_ERROR_LOG_BUFFER_SIZE_BYTES) state.errors.bytes = number;
}

void write_log(const ihiprtcLinkState::log_buffer& buffer, const std::string& log) {
  if (buffer.text == nullptr || buffer.bytes == 0) return;
  const std::size_t length = std::min(log.size(), buffer.bytes - 1);
  std::memcpy(buffer.text, log.data(), length);
  buffer.text[length] = 0;
}

hiprtcResult refuse(hiprtcLinkState state, const char* name) {
  const std::string words =
      std::string(name) +
      " is code for a GPU, or none, and cannot be linked on the CPU machine: take what hiprtcGetBitcode gives, or "
      "nvrtcGetPTX for -rdc=true";
  std::fprintf(stderr, "warpz: %s\n", words.c_str());
  states().update(state, [&](const ihiprtcLinkState& each) {
    write_log(each.errors, words);
    return true;
  });
  return HIPRTC_ERROR_PROGRAM_CREATION_FAILURE;
}

hiprtcResult add(hiprtcLinkState state, const char* name, const std::string& bytes) {
  if (!is_object(bytes)) return refuse(state, name);
  const bool is_state = states().update(state, [&](ihiprtcLinkState& each) {
    each.objects.push_back({name, bytes});
    return true;
  });
  return is_state ? HIPRTC_SUCCESS : HIPRTC_ERROR_INVALID_INPUT;
}

void link(ihiprtcLinkState& state) {
  std::vector<warpz_named_bytes> objects;
  for (const auto& each : state.objects) objects.push_back({each.name.c_str(), each.bytes.data(), each.bytes.size()});
  warpz_device_source source{};
  source.source = {"the linked program", ""};
  source.objects = objects.data();
  source.object_count = static_cast<std::uint32_t>(objects.size());
  state.linked = compile_device_code(source);
  if (state.linked.succeeded) {
    // What no object defines shows when it is loaded.
    const loaded_module loaded = load_device_code(state.linked.code);
    state.linked.succeeded = loaded.library != nullptr;
    if (state.linked.succeeded) unload_device_code(loaded);
  }
  write_log(state.linked.succeeded ? state.log : state.errors, state.linked.log);
}

}  // namespace
}  // namespace simt

inline namespace hip_on_cpu {

using simt::states;

hiprtcResult hiprtcLinkCreate(unsigned option_count, hiprtcJIT_option* options, void** values, hiprtcLinkState* state) {
  if (state == nullptr) return HIPRTC_ERROR_INVALID_INPUT;
  if (option_count != 0 && (options == nullptr || values == nullptr)) return HIPRTC_ERROR_INVALID_INPUT;
  ihiprtcLinkState created;
  for (unsigned i = 0; i < option_count; ++i) simt::set_option(created, options[i], values[i]);
  *state = states().add(created);
  return HIPRTC_SUCCESS;
}

hiprtcResult hiprtcLinkAddData(hiprtcLinkState state, hiprtcJITInputType type, void* image, size_t bytes,
                               const char* name, unsigned, hiprtcJIT_option*, void**) {
  if (image == nullptr || bytes == 0 || !simt::is_bitcode(type) || !states().find(state)) {
    return HIPRTC_ERROR_INVALID_INPUT;
  }
  return simt::add(state, name != nullptr ? name : "a program", std::string(static_cast<const char*>(image), bytes));
}

hiprtcResult hiprtcLinkAddFile(hiprtcLinkState state, hiprtcJITInputType type, const char* path, unsigned,
                               hiprtcJIT_option*, void**) {
  if (path == nullptr || !simt::is_bitcode(type) || !states().find(state)) return HIPRTC_ERROR_INVALID_INPUT;
  std::ifstream file(path, std::ios::binary);
  if (!file) return HIPRTC_ERROR_PROGRAM_CREATION_FAILURE;
  return simt::add(state, path, std::string(std::istreambuf_iterator<char>(file), {}));
}

hiprtcResult hiprtcLinkComplete(hiprtcLinkState state, void** code, size_t* bytes) {
  if (code == nullptr || bytes == nullptr) return HIPRTC_ERROR_INVALID_INPUT;
  hiprtcResult result = HIPRTC_ERROR_INVALID_INPUT;
  states().update(state, [&](ihiprtcLinkState& each) {
    result = HIPRTC_ERROR_LINKING;
    if (each.objects.empty()) return true;
    simt::link(each);
    if (!each.linked.succeeded) return true;
    *code = each.linked.code.data();
    *bytes = each.linked.code.size();
    result = HIPRTC_SUCCESS;
    return true;
  });
  return result;
}

hiprtcResult hiprtcLinkDestroy(hiprtcLinkState state) {
  return states().remove(state) ? HIPRTC_SUCCESS : HIPRTC_ERROR_INVALID_INPUT;
}

}  // namespace hip_on_cpu
