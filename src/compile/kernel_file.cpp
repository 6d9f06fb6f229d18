// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compile/kernel_file.hpp"

#include <fmt/format.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <future>
#include <iterator>

#include "compile/compiler_output.hpp"
#include "compile/kernel_cache.hpp"
#include "compile/kernel_choice.hpp"
#include "compile/kernel_side.hpp"
#include "compile/work_folder.hpp"
#include "error.hpp"
#include "text/printable.hpp"

namespace warpz {
namespace {

namespace fs = std::filesystem;

// More than anybody writes, and less than a device that never ends.
constexpr std::size_t longest_source = std::size_t{16} << 20;
constexpr std::string_view byte_order_mark = "\xef\xbb\xbf";

/// What the compilers read beside their arguments.
constexpr const char* compiler_variables[] = {"CPATH",
                                              "C_INCLUDE_PATH",
                                              "CPLUS_INCLUDE_PATH",
                                              "GCC_EXEC_PREFIX",
                                              "COMPILER_PATH",
                                              "LANG",
                                              "LC_ALL",
                                              "LC_MESSAGES",
                                              "LIBRARY_PATH",
                                              "CCC_OVERRIDE_OPTIONS",
                                              "HIP_PATH",
                                              "HIPCC_COMPILE_FLAGS_APPEND",
                                              "ROCM_PATH",
                                              "NVCC_APPEND_FLAGS",
                                              "NVCC_PREPEND_FLAGS"};

std::string read_source(const std::string& name) {
  const auto refuse = [&](std::string_view why) {
    throw error(exit_code::bad_input, fmt::format("--kernel: {}: {}", printable(name), why));
  };
  std::error_code failed;
  if (fs::is_directory(name, failed)) refuse(std::strerror(EISDIR));
  errno = 0;
  std::ifstream file(name, std::ios::binary);
  if (!file) refuse(std::strerror(errno != 0 ? errno : EIO));
  std::string text(longest_source + 1, '\0');
  file.read(text.data(), static_cast<std::streamsize>(text.size()));
  if (file.bad()) refuse(std::strerror(EIO));
  text.resize(static_cast<std::size_t>(file.gcount()));
  if (text.size() > longest_source) refuse("it is larger than 16 MiB");
  // Only at the beginning of a file do compilers pass over it, and there stands something else.
  if (text.starts_with(byte_order_mark)) text.erase(0, byte_order_mark.size());
  return text;
}

std::optional<std::string> read_result(const std::string& file) {
  std::ifstream from(file, std::ios::binary);
  std::string bytes{std::istreambuf_iterator<char>(from), {}};
  if (!from || bytes.empty()) return {};
  return bytes;
}

/// `#include "..."` of the user's file looks beside it first.
std::string folder_of(const std::string& file) {
  const std::size_t slash = file.rfind('/');
  return slash == std::string::npos ? "." : file.substr(0, slash + 1);
}

class compilation_run {
 public:
  explicit compilation_run(const compile_request& how)
      : how_(how),
        source_{how.file, read_source(how.file), how.puzzles, how.entry},
        compiler_(find_cpu_compiler(how.compiler)),
        cache_(how.cache_folder) {}

  compiled_kernels make() {
    const std::string key = key_text();
    if (std::optional<compiled_kernels> kept = cache_.find(key)) return *std::move(kept);
    const work_folder work;
    const auto begin = fs::file_time_type::clock::now();
    compiled_kernels made;
    const std::string macros = macros_of_compiler(work);
    const std::vector<chosen_kernel> kernels = choose(work, macros, made.messages);
    for (const chosen_kernel& each : kernels) made.runs_as.push_back(each.runs_as);
    compilation of = described("module.hip", "module.so", work);
    work.write("module.hip", module_text(source_, kernels));
    const std::vector<command> commands = module_commands(compiler_, of, macros);
    compilation twin = described("module.hip", "twin.so", work);
    twin.dependencies = work.file("twin.rule");
    const std::vector<command> twins = how_.watched ? twin_commands(compiler_, twin, macros) : std::vector<command>();
    // At the same time, as it takes as long.
    std::future<command_end> compiled;
    if (!twins.empty()) compiled = std::async(std::launch::async, run_command, twins.front(), how_.seconds);
    for (const command& each : commands) made.messages += run(each, work, made.messages);
    const std::optional<std::string> module = read_result(of.result);
    if (!module) throw error(exit_code::no_device, fmt::format("{} has made no module", commands.back().words.front()));
    made.module = *module;
    // What is wrong with the file, the module itself has said.
    if (compiled.valid() && compiled.get().succeeded()) made.twin = link_twin(of, twin, twins);
    if (note_used(made, of, commands, work, begin)) cache_.keep(key, made);
    return made;
  }

 private:
  /// The module's twin, of whose commands the first was run; empty where it would be the same.
  std::string link_twin(const compilation& module, const compilation& twin,
                        const std::vector<command>& commands) const {
    const std::optional<std::string> object = read_result(object_of(twin));
    if (!object || object == read_result(object_of(module))) return {};
    const bool linked = std::all_of(commands.begin() + 1, commands.end(), [this](const command& each) {
      return run_command(each, how_.seconds).succeeded();
    });
    return linked ? read_result(twin.result).value_or("") : "";
  }

  compilation described(std::string_view source, std::string_view result, const work_folder& in) const {
    return {in.file(source), in.file(result),   in.file("rule"), folder_of(how_.file),
            how_.vendor,     how_.architecture, how_.watched};
  }

  /// All that the result depends on, except for the files that the compiler reads.
  std::string key_text() const {
    std::string key;
    const auto add = [&key](std::string_view text) { key += fmt::format("{}:{}\n", text.size(), text); };
    add(WARPZ_VERSION);
    add(how_.file);
    std::error_code failed;
    add(fs::current_path(failed).string());
    add(source_.text);
    add(how_.entry.value_or(""));
    add(discovery_text({"", "", how_.puzzles, {}}));
    for (const puzzle* const each : how_.puzzles) add(each->kernel);
    add(compiler_.identity);
    const compilation of{"source",    "result",          "rule",      folder_of(how_.file),
                         how_.vendor, how_.architecture, how_.watched};
    // Whose compiler it is, its identity says already.
    for (const command& each : module_commands(compiler_, of, {})) {
      for (const std::string& word : each.words) add(word);
      for (const std::string& variable : each.environment) add(variable);
      add(identity_of(each.words.front()));
    }
    for (const char* const name : compiler_variables) {
      const char* const value = std::getenv(name);
      add(value != nullptr ? fmt::format("{}={}", name, value) : "");
    }
    return key;
  }

  std::string macros_of_compiler(const work_folder& work) const {
    const command_end macros = run_command(macros_command(compiler_), how_.seconds);
    if (!macros.succeeded() || macros.output.find("__GNUC__") == std::string::npos) {
      if (macros.end == command_end::how::exited) {
        throw error(exit_code::bad_input,
                    fmt::format("{} is no C++ compiler that works like clang++ or g++", printable(compiler_.file)));
      }
      check(macros, compiler_.file, work);
    }
    return macros.output;
  }

  /// The kernels to run. Their names are found on the CPU for a GPU as well, where the file allows it.
  std::vector<chosen_kernel> choose(const work_folder& work, std::string_view macros, std::string& messages) const {
    const bool may_fail = how_.vendor != "cpu" && how_.entry;
    compilation of = described("discovery.hip", "discovery.o", work);
    work.write("discovery.hip", discovery_text(source_));
    const command_end ended = run_command(discovery_command(compiler_, of, macros), how_.seconds);
    if (may_fail && ended.end == command_end::how::exited && ended.number != 0) return named_kernels(source_);
    check(ended, compiler_.file, work);
    messages = ended.output;
    return choose_kernels(source_, kernels_in(read_result(of.result).value_or("")));
  }

  std::string run(const command& what, const work_folder& work, std::string_view said_before) const {
    const command_end ended = run_command(what, how_.seconds);
    if (!ended.succeeded()) tell(said_before);
    check(ended, what.words.front(), work);
    return ended.output;
  }

  void tell(std::string_view messages) const {
    if (!messages.empty()) how_.tell(how_.color ? std::string(messages) : without_colors(messages));
  }

  void check(const command_end& ended, const std::string& program, const work_folder& work) const {
    if (ended.succeeded()) return;
    const std::string file = printable(how_.file);
    switch (ended.end) {
      case command_end::how::exited:
        break;
      case command_end::how::killed:
        throw error(exit_code::no_device, fmt::format("{} was ended by signal {} ({}) while it compiled {}",
                                                      printable(program), ended.number, strsignal(ended.number), file));
      case command_end::how::overdue:
        tell(ended.output);
        throw error(exit_code::does_not_compile,
                    fmt::format("{}: {} did not end within {:g} seconds and was stopped", file, printable(program),
                                how_.seconds),
                    "A longer --timeout is one for the compiler too.");
      case command_end::how::interrupted:
        throw error(exit_code::does_not_compile, fmt::format("{}: interrupted", file));
      case command_end::how::not_started:
        throw error(exit_code::no_device,
                    fmt::format("{} can't be started: {}", printable(program), std::strerror(ended.number)));
    }
    work.check_room();
    tell(ended.output);
    throw error(exit_code::does_not_compile,
                ended.output.empty() ? fmt::format("{} does not compile: {} ended with exit code {} and said nothing",
                                                   file, printable(program), ended.number)
                                     : fmt::format("{} does not compile", file));
  }

  /// Notes what the result is made of. False where that may have changed since the compiler read it.
  static bool note_used(compiled_kernels& made, const compilation& of, const std::vector<command>& commands,
                        const work_folder& work, fs::file_time_type begin) {
    std::vector<std::string> files = files_in_rule(read_result(of.dependencies).value_or(""));
    for (const command& each : commands) {
      // The program's own objects, too.
      std::copy_if(each.words.begin() + 1, each.words.end(), std::back_inserter(files),
                   [](const std::string& word) { return word.ends_with(".o"); });
    }
    std::error_code failed;
    for (const std::string& file : files) {
      if (work.holds(file)) continue;
      made.used.push_back({file, fingerprint_of_file(file)});
      if (made.used.back().content.empty() || fs::last_write_time(file, failed) >= begin || failed) return false;
    }
    return true;
  }

  const compile_request& how_;
  const kernel_source source_;
  const cpu_compiler compiler_;
  const kernel_cache cache_;
};

}  // namespace

own_module::own_module(const compiled_kernels& made) : module_(made.module), twin_(made.twin), runs_as_(made.runs_as) {}

own_module::in_memory::in_memory(std::string_view bytes) {
  if (bytes.empty()) return;
  descriptor_ = memfd_create("warpz-kernel", MFD_CLOEXEC);
  for (std::string_view rest = bytes; descriptor_ >= 0 && !rest.empty();) {
    const ssize_t count = write(descriptor_, rest.data(), rest.size());
    if (count <= 0) {
      close(std::exchange(descriptor_, -1));
      break;
    }
    rest.remove_prefix(static_cast<std::size_t>(count));
  }
  if (descriptor_ < 0) {
    throw error(exit_code::no_device, fmt::format("no memory for the compiled kernel: {}", std::strerror(errno)));
  }
}

own_module::in_memory::~in_memory() {
  if (descriptor_ >= 0) close(descriptor_);
}

std::string own_module::in_memory::file() const {
  return descriptor_ >= 0 ? fmt::format("/proc/self/fd/{}", descriptor_) : "";
}

own_module compile_kernel(const compile_request& how) {
  // What is to be tidied up is younger, and so is gone before a signal acts.
  const signals_held held;
  compilation_run run(how);
  compiled_kernels made = run.make();
  if (!made.messages.empty()) how.tell(how.color ? made.messages : without_colors(made.messages));
  return own_module(made);
}

}  // namespace warpz
