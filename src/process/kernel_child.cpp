// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <dlfcn.h>
#include <fcntl.h>
#include <fmt/format.h>
#include <signal.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cerrno>
#include <cstddef>
#include <cstdio>
#include <cstring>
#include <deque>
#include <optional>
#include <string>

#include "process/confinement.hpp"
#include "process/first_values.hpp"
#include "process/kernel_protocol.hpp"
#include "system/descriptor.hpp"
#include "system/message.hpp"

namespace warpz {
namespace {

/// Writes why the module cannot be loaded.
std::nullptr_t refuse(kernel_protocol& shared, const std::string& reason) {
  std::snprintf(shared.load_error, sizeof shared.load_error, "%s", reason.c_str());
  return nullptr;
}

/// Loads the module from `path`; messages call it `file`.
warpz_module_entry* load_file(const std::string& path, const std::string& file, kernel_protocol& shared) {
  void* const library = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (library == nullptr) {
    std::string reason = dlerror();
    if (access(path.c_str(), R_OK) != 0)
      return refuse(shared, fmt::format("cannot read '{}': {}", file, std::strerror(errno)));
    if (reason.starts_with(path)) reason.replace(0, path.size(), file);
    return refuse(shared, reason);
  }
  void* const symbol = dlsym(library, "warpz_get_module");
  if (symbol == nullptr) {
    return refuse(
        shared,
        fmt::format(
            "{} is no kernel module, as it has no warpz_get_module: build it together with src/module/module.hip",
            file));
  }
  Dl_info place{};
  if (dladdr(symbol, &place) != 0) shared.module_base = reinterpret_cast<std::uintptr_t>(place.dli_fbase);
  warpz_module_entry* entry = nullptr;
  std::memcpy(&entry, &symbol, sizeof entry);
  return entry;
}

/// A path by which the file can be loaded.
std::string path_of(const std::string& file) {
  // A name without a slash would be searched for on the library path.
  return file.find('/') == std::string::npos ? "./" + file : file;
}

/// The module, whose file, if it has one, is at `path`. Null, with shared.load_error, where it cannot be used.
const warpz_module* load(const module_source& source, const std::string& path, kernel_protocol& shared) {
  warpz_module_entry* const entry = source.file.empty() ? source.embedded : load_file(path, source.file, shared);
  if (entry == nullptr) return nullptr;
  const warpz_module* const module = entry();
  if (module == nullptr) return refuse(shared, "the module gives no table of its functions");
  if (module->version != WARPZ_MODULE_VERSION) {
    return refuse(
        shared,
        fmt::format(
            "{} was built for version {} of the module interface, and this program has version {}: build it again",
            source.file, module->version, static_cast<int>(WARPZ_MODULE_VERSION)));
  }
  std::snprintf(shared.vendor, sizeof shared.vendor, "%s", module->vendor);
  return module;
}

/// The size of the inaccessible range on either side of a buffer: one page, or, where each access is checked, so many
/// that a wrong index is unlikely to lead past them.
std::uint64_t guard_bytes(std::uint32_t check) {
  // Not a power of two, so that no other buffer lies 2^32 elements away.
  return check == WARPZ_CHECK_ALL ? std::uint64_t{13} << 29 : static_cast<std::uint64_t>(sysconf(_SC_PAGESIZE));
}

/// A buffer mapped between inaccessible pages, so that an access past either end faults, as does a write to a buffer
/// that is not writable.
class mapped_buffer {
 public:
  mapped_buffer(const buffer_pages& pages, bool writable, int file, std::uint64_t guard)
      : pages_(pages), guard_(guard) {
    reserved_ = mmap(nullptr, reserved_bytes(), PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (reserved_ == MAP_FAILED) return;
    // All pages at once: one page fault for each would take longer than many kernels.
    mapped_ =
        mmap(static_cast<std::byte*>(reserved_) + guard, pages.room(), writable ? PROT_READ | PROT_WRITE : PROT_READ,
             MAP_SHARED | MAP_FIXED | MAP_POPULATE, file, static_cast<off_t>(pages.offset));
  }
  ~mapped_buffer() {
    if (reserved_ != MAP_FAILED) munmap(reserved_, reserved_bytes());
  }
  mapped_buffer(const mapped_buffer&) = delete;
  mapped_buffer& operator=(const mapped_buffer&) = delete;

  /// Null, with errno, where there is no memory.
  void* data() const { return mapped_ == MAP_FAILED ? nullptr : static_cast<std::byte*>(mapped_) + pages_.lead(); }

 private:
  std::uint64_t reserved_bytes() const { return pages_.room() + 2 * guard_; }

  const buffer_pages pages_;
  const std::uint64_t guard_;
  void* reserved_ = MAP_FAILED;
  void* mapped_ = MAP_FAILED;
};

/// Drops what is printed during its lifetime. It goes to standard input, which is /dev/null: a confined process cannot
/// open that itself.
class silence {
 public:
  explicit silence(bool wanted) {
    if (!wanted) return;
    std::fflush(stdout);
    before_ = os::descriptor(fcntl(STDERR_FILENO, F_DUPFD_CLOEXEC, 0));
    for (const int each : {STDOUT_FILENO, STDERR_FILENO}) dup2(STDIN_FILENO, each);
  }
  ~silence() {
    if (!before_) return;
    std::fflush(stdout);
    for (const int each : {STDOUT_FILENO, STDERR_FILENO}) dup2(before_.number(), each);
  }
  silence(const silence&) = delete;
  silence& operator=(const silence&) = delete;

 private:
  os::descriptor before_;
};

bool is_written(const kernel_argument& argument) {
  return argument.kind == WARPZ_OUTPUT || argument.kind == WARPZ_STATE;
}

/// Maps the buffers in their order. False, with shared.result.error, where there is no memory.
bool map_buffers(kernel_protocol& shared, int file, std::uint64_t guard, std::deque<mapped_buffer>& buffers) {
  bool writable[max_arguments] = {};
  for (std::uint32_t i = 0; i < shared.launch.argument_count; ++i) {
    if (is_written(shared.arguments[i])) writable[shared.arguments[i].buffer] = true;
  }
  for (std::uint32_t i = 0; i < shared.buffer_count; ++i) {
    buffers.emplace_back(shared.buffers[i], writable[i], file, guard);
    if (buffers.back().data() != nullptr) continue;
    warpz_error& error = shared.result.error;
    std::snprintf(error.text, sizeof error.text, "%s", strerror(errno));
    std::snprintf(error.call, sizeof error.call, "mmap(%llu bytes)",
                  static_cast<unsigned long long>(shared.buffers[i].bytes));
    return false;
  }
  return true;
}

/// So that no run sees what an earlier one has left in the module's variables. A GPU has those of its kernels.
void begin_with_first_values(const warpz_module& module, kernel_protocol& shared, first_values& variables) {
  if (shared.has_first_values) return variables.restore();
  if (shared.module_base == 0 || std::strcmp(module.vendor, "cpu") != 0) return;
  // The module makes its list of kernels when it is first asked.
  static_cast<void>(module.kernel_count());
  shared.has_first_values = variables.keep(reinterpret_cast<const void*>(module.run));
}

int run(const warpz_module& module, kernel_protocol& shared, int buffer_file, first_values& variables) {
  begin_with_first_values(module, shared, variables);
  const std::uint64_t guard = guard_bytes(shared.launch.settings.check);
  std::deque<mapped_buffer> buffers;
  if (!map_buffers(shared, buffer_file, guard, buffers)) return WARPZ_DEVICE_ERROR;
  warpz_argument arguments[max_arguments];
  for (std::uint32_t i = 0; i < shared.launch.argument_count; ++i) {
    kernel_argument& each = shared.arguments[i];
    arguments[i] = each.kind == WARPZ_SCALAR ? warpz_argument{each.kind, each.bytes, each.scalar, 0}
                                             : warpz_argument{each.kind, shared.buffers[each.buffer].bytes,
                                                              buffers[each.buffer].data(), guard};
  }
  shared.launch.kernel = shared.kernel;
  shared.launch.name = shared.name;
  shared.launch.arguments = arguments;
  shared.launch.settings.before_exit = child_process::end_body;
  shared.launch.settings.on_finding = finding_stream::send;
  const silence quiet(shared.quiet);
  return module.run(&shared.launch, &shared.result);
}

int find_kernel(const warpz_module& module, const char* identity) {
  for (std::uint32_t i = 0; i < module.kernel_count(); ++i) {
    if (std::strcmp(module.kernel_name(i), identity) == 0) return WARPZ_OK;
  }
  return WARPZ_UNKNOWN_KERNEL;
}

int serve(const os::message& request, const warpz_module& module, kernel_protocol& shared, first_values& variables) {
  switch (request.byte) {
    case message::list_devices: {
      std::uint32_t count = 0;
      const int status = module.devices(shared.devices, max_devices, &count, &shared.result.error);
      shared.device_count = count < max_devices ? count : max_devices;
      return status;
    }
    case message::prepare:
      return module.prepare(shared.launch.device, &shared.result.error);
    case message::find_kernel:
      return find_kernel(module, shared.kernel);
    case message::run:
      return run(module, shared, request.attached.number(), variables);
    default:
      return no_status;
  }
}

}  // namespace

void serve_kernels(const module_source& source, kernel_protocol& shared, int channel, int findings) {
  const int nothing = open("/dev/null", O_RDWR);
  if (nothing >= 0) dup2(nothing, STDIN_FILENO);
  // The process leads a group, which is in the terminal's background, where writing may be forbidden.
  signal(SIGTTOU, SIG_IGN);
  // Standard output is for results, not for what a kernel prints.
  dup2(STDERR_FILENO, STDOUT_FILENO);

  std::string path = path_of(source.file);
  os::descriptor file;
  if (source.confined) {
    allow_inspection();
    file = os::descriptor(open(path.c_str(), O_RDONLY | O_CLOEXEC));
    path = fmt::format("/proc/self/fd/{}", file.number());
    // Loading the module runs code, too.
    const confinement_gaps gaps = confine({{}, {channel, findings, file.number()}});
    std::snprintf(shared.unconfined, sizeof shared.unconfined, "%s", gaps.all.c_str());
    std::snprintf(shared.reads_all, sizeof shared.reads_all, "%s", gaps.reading.c_str());
  }
  const warpz_module* const module = load(source, path, shared);
  first_values variables;
  while (const std::optional<os::message> request = os::receive_message(channel)) {
    const int status = module != nullptr ? serve(*request, *module, shared, variables) : WARPZ_DEVICE_ERROR;
    // What the kernel printed belongs before what the parent prints about it.
    std::fflush(stdout);
    __atomic_store_n(&shared.status, status, __ATOMIC_RELEASE);
    if (write(channel, &request->byte, 1) != 1) break;
  }
}

}  // namespace warpz
