// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "findings/symbols.hpp"

#include <cxxabi.h>
#include <link.h>

#include <cstdlib>
#include <map>
#include <memory>

#if WARPZ_HAS_LIBBACKTRACE

// libbacktrace comes with GCC, its header only in GCC's private folder; these are the parts used here.
extern "C" {
struct backtrace_state;
using backtrace_error_callback = void (*)(void* data, const char* message, int error_number);
using backtrace_full_callback = int (*)(void* data, std::uintptr_t pc, const char* file, int line,
                                        const char* function);
using backtrace_syminfo_callback = void (*)(void* data, std::uintptr_t pc, const char* name, std::uintptr_t value,
                                            std::uintptr_t size);
backtrace_state* backtrace_create_state(const char* file, int threaded, backtrace_error_callback, void* data);
int backtrace_pcinfo(backtrace_state*, std::uintptr_t pc, backtrace_full_callback, backtrace_error_callback,
                     void* data);
int backtrace_syminfo(backtrace_state*, std::uintptr_t pc, backtrace_syminfo_callback, backtrace_error_callback,
                      void* data);
}

extern "C" {
using phdr_callback = int (*)(dl_phdr_info* info, std::size_t size, void* data);
// The linker's names.
// NOLINTBEGIN(bugprone-reserved-identifier)
int __real_dl_iterate_phdr(phdr_callback callback, void* data);
int __wrap_dl_iterate_phdr(phdr_callback callback, void* data);
// NOLINTEND(bugprone-reserved-identifier)
}

namespace warpz {
namespace {

void ignore_error(void*, const char*, int) {}

/// Where this program lies in memory.
std::uint64_t own_base() {
  std::uint64_t base = 0;
  dl_iterate_phdr(
      [](dl_phdr_info* info, std::size_t, void* data) {
        *static_cast<std::uint64_t*>(data) = info->dlpi_addr;
        return 1;  // the program is the first
      },
      &base);
  return base;
}

/// The library reads the debug information of everything that is loaded, the C library's too where it is installed: ten
/// times as much as a kernel's. While this is set it hears of the program alone (see CMakeLists.txt: --wrap).
thread_local bool only_the_program = false;

/// What was read of a file is kept: the library offers no way to free it, and keeps the pointer to the name.
backtrace_state* state_for(const std::string& file) {
  static std::map<std::string, backtrace_state*> known;
  const auto [place, is_new] = known.try_emplace(file);
  if (is_new) {
    const char* const name = file.empty() ? nullptr : place->first.c_str();
    place->second = backtrace_create_state(name, 0, ignore_error, nullptr);
  }
  return place->second;
}

std::string demangled(const char* name) {
  if (name == nullptr) return {};
  int status = 0;
  const std::unique_ptr<char, decltype(&std::free)> text(abi::__cxa_demangle(name, nullptr, nullptr, &status),
                                                         std::free);
  return status == 0 ? text.get() : name;
}

/// The innermost function first: those inlined, and the one that they are inlined into.
std::vector<source_line> lines_of(backtrace_state* state, std::uint64_t address) {
  std::vector<source_line> lines;
  backtrace_pcinfo(
      state, address,
      [](void* data, std::uintptr_t, const char* name, int line, const char* function) {
        if (name == nullptr) return 0;
        static_cast<std::vector<source_line>*>(data)->push_back(
            {demangled(function), name, static_cast<unsigned>(line)});
        return 0;
      },
      ignore_error, &lines);
  return lines;
}

}  // namespace

std::vector<source_line> resolve_stack(std::span<const std::uint64_t> frames, const code_location& code) {
  std::vector<source_line> lines;
  only_the_program = true;
  backtrace_state* const state = state_for(code.file);
  // The library takes a named file for the running program, at the running program's place.
  const std::uint64_t shift = code.file.empty() ? 0 : own_base() - code.base;
  for (const std::uint64_t frame : frames) {
    if (state == nullptr) break;
    std::vector<source_line> found = lines_of(state, frame + shift);
    // A compiler gives some instructions no line, such as a loop's jump: then it is that of the one before.
    for (std::uint64_t back = 1; back < 64 && !found.empty() && found.front().line == 0; ++back)
      found = lines_of(state, frame + shift - back);
    lines.insert(lines.end(), found.begin(), found.end());
    // Clang's line tables leave the function itself, around what was inlined into it, to the symbol table.
    if (!lines.empty() && lines.back().function.empty()) {
      backtrace_syminfo(
          state, frame + shift,
          [](void* data, std::uintptr_t, const char* name, std::uintptr_t, std::uintptr_t) {
            static_cast<source_line*>(data)->function = demangled(name);
          },
          ignore_error, &lines.back());
    }
  }
  only_the_program = false;
  // The machine's own frames, and those that launch a kernel, are of no interest to whoever wrote it. Some of their
  // names are too long to be demangled.
  std::erase_if(lines, [](const source_line& line) {
    if (line.file.find("/simt/include/") != std::string::npos) return true;
    for (const char* const own : {"simt::", "4simt", "warpz::detail::", "5warpz6detail"}) {
      if (line.function.find(own) != std::string::npos) return true;
    }
    return false;
  });
  return lines;
}

}  // namespace warpz

int __wrap_dl_iterate_phdr(phdr_callback callback, void* data) {
  if (!warpz::only_the_program) return __real_dl_iterate_phdr(callback, data);
  struct first_only {
    phdr_callback callback;
    void* data;
  } call{callback, data};
  return __real_dl_iterate_phdr(
      [](dl_phdr_info* info, std::size_t size, void* given) {
        const auto& to = *static_cast<const first_only*>(given);
        to.callback(info, size, to.data);
        return 1;  // the program is the first
      },
      &call);
}

#else

namespace warpz {

std::vector<source_line> resolve_stack(std::span<const std::uint64_t>, const code_location&) { return {}; }

}  // namespace warpz

#endif
