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

#include "compile/compiler_runner.hpp"
#include "compile/instrumentation.hpp"
#include "compile/kernel_cache.hpp"
#include "compile/kernel_selection.hpp"
#include "compile/precompiled_header.hpp"
#include "compile/temp_dir.hpp"
#include "compile/toolchain.hpp"
#include "error.hpp"
#include "process/held_signals.hpp"
#include "source/launch_bounds.hpp"
#include "system/file_content.hpp"
#include "text/printable.hpp"

namespace warpz {
namespace {

namespace fs = std::filesystem;

/// `#include "..."` of the user's file looks beside it first.
std::string folder_of(const std::string& file) {
  const std::size_t slash = file.rfind('/');
  return slash == std::string::npos ? "." : file.substr(0, slash + 1);
}

class compilation_run {
 public:
  explicit compilation_run(const compile_request& how)
      : how_(how),
        source_{how.file, read_source(how.file, "--kernel"), how.puzzles, how.entry},
        compiler_(find_cpu_compiler(how.compiler)),
        cache_(how.cache_folder),
        headers_(compiler_cache(how.cache_folder)) {}

  compiled_kernels make() {
    const std::string key = key_text();
    if (std::optional<compiled_kernels> kept = cache_.find(key)) return *std::move(kept);
    const temp_dir work;
    const compiler_runner steps(how_.settings, how_.file, work);
    const auto begin = fs::file_time_type::clock::now();
    compiled_kernels made;
    const std::string macros = steps.macros_of(compiler_, headers_);
    std::future<std::string> for_module = header_for(cpu_step::module, macros, work);
    std::string header = header_for(cpu_step::discovery, macros, work).get();
    const std::vector<chosen_kernel> kernels = choose(steps, work, macros, header, made.messages);
    for (const chosen_kernel& each : kernels) made.runs_as.push_back(each.runs_as);
    compilation of = described("module.hip", "module.so", work);
    if (!header.empty()) of.header = for_module.get();
    work.write("module.hip", module_text(source_, kernels));
    const std::vector<command> commands = module_commands(compiler_, of, macros);
    for (const command& each : commands) {
      made.messages += steps.run(each, made.messages);
      if (how_.instrumented) finish_instrumented(work, each);
    }
    const std::optional<std::string> module = read_result(of.result);
    if (!module) throw error(exit_code::no_device, fmt::format("{} has made no module", commands.back().words.front()));
    made.module = *module;
    note_depfile(made, of.dependencies, work);
    note_objects(made, commands, work);
    if (inputs_unchanged(made, begin)) cache_.keep(key, made);
    return made;
  }

  std::vector<unsigned> launch_bounds(const compiled_kernels& of) const {
    std::vector<unsigned> bounds;
    for (const std::string& kernel : of.runs_as) bounds.push_back(launch_bound_of(source_.text, kernel));
    return bounds;
  }

 private:
  compilation described(std::string_view source, std::string_view result, const temp_dir& in) const {
    return {in.file(source), in.file(result),   in.file("rule"),  folder_of(how_.file),
            how_.vendor,     how_.architecture, how_.instrumented};
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
    const compilation of{"source",    "result",          "rule",           folder_of(how_.file),
                         how_.vendor, how_.architecture, how_.instrumented};
    // Whose compiler it is says its identity.
    for (const command& each : module_commands(compiler_, of, {})) {
      for (const std::string& word : each.words) add(word);
      for (const std::string& variable : each.environment) add(variable);
      add(identity_of(each.words.front()));
    }
    add(compiler_environment());
    return key;
  }

  /// The precompiled header for one step, being made; nothing where the step, the compiler or the user has none.
  std::future<std::string> header_for(cpu_step step, std::string_view macros, const temp_dir& work) const {
    const bool has_step = step == cpu_step::discovery || how_.vendor == "cpu";
    if (!has_step || !has_headers(macros) || how_.cache_folder.empty()) {
      return std::async(std::launch::deferred, [] { return std::string(); });
    }
    const auto files = [this](const std::string& result, const std::string& rule) {
      return compilation{"", result, rule, "", "cpu", "", how_.instrumented};
    };
    const std::string name = fmt::format("header-{}", static_cast<int>(step));
    const compilation of = files(work.file(name + ".pch"), work.file(name + ".rule"));
    std::string key = fmt::format("header\n{}\n{}\n{}", WARPZ_VERSION, compiler_.identity, compiler_environment());
    for (const std::string& word : header_command(step, compiler_, files("result", "rule"), macros).words) {
      key += fmt::format("{}:{}\n", word.size(), word);
    }
    return prepare_header(headers_, std::move(key), header_command(step, compiler_, of, macros), of, work,
                          how_.settings.seconds);
  }

  /// The kernels to run. Their names are found on the CPU for a GPU as well, where the file allows it. The header is
  /// emptied where the file can't do with it.
  std::vector<chosen_kernel> choose(const compiler_runner& steps, const temp_dir& work, std::string_view macros,
                                    std::string& header, std::string& messages) const {
    const bool may_fail = how_.vendor != "cpu" && how_.entry;
    compilation of = described("discovery.hip", "discovery.o", work);
    of.header = header;
    work.write("discovery.hip", discovery_text(source_));
    command_end ended = run_command(discovery_command(compiler_, of, macros), how_.settings.seconds);
    if (!header.empty() && ended.end == command_end::cause::exited && ended.number != 0) {
      // It may lie beside its own copy of our headers. Else it is told what is wrong in the compiler's usual words.
      header.clear();
      of.header.clear();
      ended = run_command(discovery_command(compiler_, of, macros), how_.settings.seconds);
    }
    if (may_fail && ended.end == command_end::cause::exited && ended.number != 0) return named_kernels(source_);
    steps.check(ended, compiler_.file);
    messages = ended.output;
    return choose_kernels(source_, kernels_in(read_result(of.result).value_or("")));
  }

  const compile_request& how_;
  const kernel_source source_;
  const cpu_compiler compiler_;
  const kernel_cache cache_;
  const kernel_cache headers_;
};

}  // namespace

user_module::user_module(const compiled_kernels& made, std::vector<unsigned> launch_bounds)
    : module_(made.module), runs_as_(made.runs_as), launch_bounds_(std::move(launch_bounds)) {}

user_module::in_memory::in_memory(std::string_view bytes) {
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

user_module::in_memory::~in_memory() {
  if (descriptor_ >= 0) close(descriptor_);
}

std::string user_module::in_memory::file() const { return fmt::format("/proc/self/fd/{}", descriptor_); }

user_module compile_kernel(const compile_request& how) {
  // What is to be tidied up is younger, and so is gone before a signal acts.
  const held_signals held;
  compilation_run run(how);
  compiled_kernels made = run.make();
  tell(how.settings, made.messages);
  return user_module(made, run.launch_bounds(made));
}

}  // namespace warpz
