// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <dlfcn.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>

#include "process/kernel_protocol.hpp"

namespace warpz {
namespace {

/// Finds the module; a null result has its reason in shared.load_error.
const warpz_module* load(const module_source& source, shared_pages& shared) {
  warpz_module_entry* entry = source.embedded;
  if (!source.file.empty()) {
    // A name without a slash would be searched for on the library path.
    const std::string path = source.file.find('/') == std::string::npos ? "./" + source.file : source.file;
    void* const library = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
    if (library == nullptr) {
      std::snprintf(shared.load_error, sizeof shared.load_error, "%s", dlerror());
      return nullptr;
    }
    void* const symbol = dlsym(library, "warpz_get_module");
    if (symbol == nullptr) {
      std::snprintf(shared.load_error, sizeof shared.load_error,
                    "%s is no kernel module, as it has no warpz_get_module: build it together with src/abi/module.hip",
                    source.file.c_str());
      return nullptr;
    }
    std::memcpy(&entry, &symbol, sizeof entry);
    Dl_info place{};
    if (dladdr(symbol, &place) != 0) shared.module_base = reinterpret_cast<std::uintptr_t>(place.dli_fbase);
  }
  const warpz_module* const module = entry != nullptr ? entry() : nullptr;
  if (module == nullptr) {
    std::snprintf(shared.load_error, sizeof shared.load_error, "the module gives no table of its functions");
    return nullptr;
  }
  if (module->version != WARPZ_MODULE_VERSION) {
    std::snprintf(
        shared.load_error, sizeof shared.load_error,
        "%s was built for version %u of the module interface, and this program has version %d: build it again",
        source.file.c_str(), module->version, WARPZ_MODULE_VERSION);
    return nullptr;
  }
  std::snprintf(shared.vendor, sizeof shared.vendor, "%s", module->vendor);
  return module;
}

/// Addresses without access on either side of a buffer: a page; where each access is watched so many that an index gone
/// wrong hardly leads past them.
std::uint64_t guard_bytes(std::uint32_t check) {
  // Not a power of two: what is 2^32 elements away shall not lie beside another buffer.
  return check == WARPZ_CHECK_ALL ? std::uint64_t{13} << 29 : static_cast<std::uint64_t>(sysconf(_SC_PAGESIZE));
}

/// Maps a buffer of the arena between pages without access, so that running off either end is noticed; so is writing to
/// one that is not writable.
void* map_guarded(const shared_buffer& buffer, bool writable, int arena_file, std::uint64_t guard) {
  const std::uint64_t length = buffer.room();
  void* const reserved =
      mmap(nullptr, length + 2 * guard, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (reserved == MAP_FAILED) return nullptr;
  // All pages at once: one by one, as the kernel comes to them, they would cost it more than its work.
  void* const mapped =
      mmap(static_cast<std::byte*>(reserved) + guard, length, writable ? PROT_READ | PROT_WRITE : PROT_READ,
           MAP_SHARED | MAP_FIXED | MAP_POPULATE, arena_file, static_cast<off_t>(buffer.offset));
  return mapped == MAP_FAILED ? nullptr : static_cast<std::byte*>(mapped) + buffer.lead();
}

void unmap_guarded(void* data, const shared_buffer& buffer, std::uint64_t guard) {
  munmap(static_cast<std::byte*>(data) - buffer.lead() - guard, buffer.room() + 2 * guard);
}

/// As long as it lives, what is printed goes nowhere.
class silence {
 public:
  explicit silence(bool wanted) {
    if (!wanted) return;
    std::fflush(stdout);
    const int nothing = open("/dev/null", O_WRONLY | O_CLOEXEC);
    before_ = fcntl(STDERR_FILENO, F_DUPFD_CLOEXEC, 0);
    for (const int each : {STDOUT_FILENO, STDERR_FILENO}) dup2(nothing, each);
    close(nothing);
  }
  ~silence() {
    if (before_ < 0) return;
    std::fflush(stdout);
    for (const int each : {STDOUT_FILENO, STDERR_FILENO}) dup2(before_, each);
    close(before_);
  }
  silence(const silence&) = delete;
  silence& operator=(const silence&) = delete;

 private:
  int before_ = -1;
};

void run(const warpz_module& module, shared_pages& shared, int arena_file) {
  void* buffers[max_arguments] = {};
  warpz_argument arguments[max_arguments];
  int status = WARPZ_OK;
  const std::uint64_t guard = guard_bytes(shared.launch.settings.check);
  bool written[max_arguments] = {};
  for (std::uint32_t i = 0; i < shared.launch.argument_count; ++i) {
    if (shared.arguments[i].kind == WARPZ_OUTPUT || shared.arguments[i].kind == WARPZ_STATE)
      written[shared.arguments[i].buffer] = true;
  }
  for (std::uint32_t i = 0; i < shared.buffer_count; ++i) {
    buffers[i] = map_guarded(shared.buffers[i], written[i], arena_file, guard);
    if (buffers[i] == nullptr) {
      std::snprintf(shared.result.error.call, sizeof shared.result.error.call, "mmap(%llu bytes)",
                    static_cast<unsigned long long>(shared.buffers[i].bytes));
      std::snprintf(shared.result.error.text, sizeof shared.result.error.text, "%s", strerror(errno));
      status = WARPZ_DEVICE_ERROR;
    }
  }
  for (std::uint32_t i = 0; i < shared.launch.argument_count; ++i) {
    kernel_argument& argument = shared.arguments[i];
    if (argument.kind == WARPZ_SCALAR) {
      arguments[i] = {argument.kind, argument.bytes, argument.scalar, 0};
    } else {
      arguments[i] = {argument.kind, shared.buffers[argument.buffer].bytes, buffers[argument.buffer], guard};
    }
  }
  if (status == WARPZ_OK) {
    shared.launch.kernel = shared.kernel;
    shared.launch.arguments = arguments;
    const silence quiet(shared.quiet);
    status = module.run(&shared.launch, &shared.result);
  }
  for (std::uint32_t i = 0; i < shared.buffer_count; ++i) {
    if (buffers[i] != nullptr) unmap_guarded(buffers[i], shared.buffers[i], guard);
  }
  // What the kernel printed belongs before what the parent prints about it.
  std::fflush(stdout);
  __atomic_store_n(&shared.status, status, __ATOMIC_RELEASE);
}

}  // namespace

void child_main(const module_source& source, shared_pages& shared, int channel, int arena_file) {
  const int nothing = open("/dev/null", O_RDONLY);
  if (nothing >= 0) dup2(nothing, STDIN_FILENO);
  // In a process group of its own this is a terminal's background, which may be forbidden to write.
  signal(SIGTTOU, SIG_IGN);
  // Standard output is for results; what a kernel prints is not one.
  dup2(STDERR_FILENO, STDOUT_FILENO);

  const warpz_module* const module = load(source, shared);
  char request = 0;
  while (read(channel, &request, 1) == 1) {
    if (module != nullptr && request == command::list_devices) {
      std::uint32_t count = 0;
      shared.status = module->devices(shared.devices, max_devices, &count, &shared.result.error);
      shared.device_count = count < max_devices ? count : max_devices;
    } else if (module != nullptr && request == command::prepare) {
      shared.status = module->prepare(shared.launch.device, &shared.result.error);
    } else if (module != nullptr && request == command::run) {
      run(*module, shared, arena_file);
    }
    if (module == nullptr) shared.status = WARPZ_DEVICE_ERROR;
    if (write(channel, &request, 1) != 1) break;
  }
  std::fflush(stdout);
  _exit(0);
}

}  // namespace warpz
