// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <dlfcn.h>
#include <fcntl.h>
#include <fmt/format.h>
#include <signal.h>
#include <sys/resource.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <optional>
#include <string>
#include <utility>

#include "process/confinement.hpp"
#include "process/first_values.hpp"
#include "process/kernel_protocol.hpp"
#include "process/mapped_buffers.hpp"
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

/// Drops what is printed where that is wanted. It goes to standard input, which is /dev/null: a confined process cannot
/// open that itself.
class silence {
 public:
  void set(bool wanted) {
    if (wanted == static_cast<bool>(before_)) return;
    std::fflush(stdout);
    if (wanted) before_ = os::descriptor(fcntl(STDERR_FILENO, F_DUPFD_CLOEXEC, 0));
    for (const int each : {STDOUT_FILENO, STDERR_FILENO}) dup2(wanted ? STDIN_FILENO : before_.number(), each);
    if (!wanted) before_.close();
  }

 private:
  os::descriptor before_;  ///< standard error, as it is without
};

/// What the process keeps from one run to the next.
class kept_state {
 public:
  mapped_buffers buffers;
  silence quiet;

  /// Before a run, so that it does not see what an earlier one has left in the module's variables. A GPU has those of
  /// its kernels.
  void begin_run(const warpz_module& module, const kernel_protocol& shared) {
    if (std::strcmp(module.vendor, "cpu") != 0) return;
    if (has_run_) return variables_.restore();
    // The module makes its list of kernels when it is first asked.
    static_cast<void>(module.kernel_count());
    const bool is_embedded = shared.module_base == 0;
    has_variables_ = is_embedded ? variables_.keep_own() : variables_.keep(reinterpret_cast<const void*>(module.run));
  }

  /// Whether the next run begins as in a new process.
  bool end_run() {
    buffers.finish();
    // What kernels take and never free adds up.
    constexpr long max_growth = 16 << 10;
    const long kilobytes = most_kilobytes();
    if (!has_run_) first_kilobytes_ = kilobytes;
    has_run_ = true;
    return has_variables_ && kilobytes - first_kilobytes_ <= max_growth;
  }

 private:
  /// Of memory that this process has had.
  static long most_kilobytes() {
    struct rusage used {};
    getrusage(RUSAGE_SELF, &used);
    return used.ru_maxrss;
  }

  first_values variables_;
  bool has_variables_ = false;
  bool has_run_ = false;
  long first_kilobytes_ = 0;
};

int run(const warpz_module& module, kernel_protocol& shared, kept_state& kept) {
  kept.begin_run(module, shared);
  if (!kept.buffers.map(shared)) return WARPZ_DEVICE_ERROR;
  warpz_argument arguments[max_arguments];
  for (std::uint32_t i = 0; i < shared.launch.argument_count; ++i) {
    kernel_argument& each = shared.arguments[i];
    arguments[i] = each.kind == WARPZ_SCALAR ? warpz_argument{each.kind, each.bytes, each.scalar, 0}
                                             : warpz_argument{each.kind, shared.buffers[each.buffer].bytes,
                                                              kept.buffers.data(each.buffer), kept.buffers.guard()};
  }
  shared.launch.kernel = shared.kernel;
  shared.launch.name = shared.name;
  shared.launch.arguments = arguments;
  shared.launch.settings.before_exit = child_process::end_body;
  shared.launch.settings.on_finding = finding_stream::send;
  kept.quiet.set(shared.quiet);
  const int status = module.run(&shared.launch, &shared.result);
  shared.is_as_new = kept.end_run();
  return status;
}

int find_kernel(const warpz_module& module, const char* identity) {
  for (std::uint32_t i = 0; i < module.kernel_count(); ++i) {
    if (std::strcmp(module.kernel_name(i), identity) == 0) return WARPZ_OK;
  }
  return WARPZ_UNKNOWN_KERNEL;
}

int serve(char request, const warpz_module& module, kernel_protocol& shared, kept_state& kept) {
  switch (request) {
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
      return run(module, shared, kept);
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
  kept_state kept;
  while (std::optional<os::message> request = os::receive_message(channel)) {
    if (request->attached) kept.buffers.use(std::move(request->attached));
    const int status = module != nullptr ? serve(request->byte, *module, shared, kept) : WARPZ_DEVICE_ERROR;
    // What the kernel printed belongs before what the parent prints about it.
    std::fflush(stdout);
    __atomic_store_n(&shared.status, status, __ATOMIC_RELEASE);
    if (write(channel, &request->byte, 1) != 1) break;
  }
}

}  // namespace warpz
