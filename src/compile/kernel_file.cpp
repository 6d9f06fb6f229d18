// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compile/kernel_file.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <future>

#include "compile/compiler_runner.hpp"
#include "compile/kernel_cache.hpp"
#include "compile/kernel_selection.hpp"
#include "compile/precompiled_header.hpp"
#include "compile/temp_dir.hpp"
#include "compile/toolchain.hpp"
#include "error.hpp"
#include "source/launch_bounds.hpp"
#include "source/launches.hpp"
#include "text/printable.hpp"

namespace warpz {
namespace {

namespace fs = std::filesystem;

/// Where `#include "..."` in the user's file looks first.
std::string folder_of(const std::string& file) {
  const std::size_t slash = file.rfind('/');
  return slash == std::string::npos ? "." : file.substr(0, slash + 1);
}

class compilation_run {
 public:
  explicit compilation_run(const compile_request& request)
      : request_(request),
        source_{request.file, read_source(request.file), request.puzzles, request.entry},
        compiler_(find_cpu_compiler(request.compiler)),
        cache_(request.cache_folder),
        headers_(compiler_cache_folder(request.cache_folder)) {}

  compiled_code make() {
    const std::string key = key_text();
    if (std::optional<compiled_code> kept = cache_.find(key)) {
      // They have been told when it was compiled.
      kept->messages.clear();
      return *std::move(kept);
    }
    const temp_dir work;
    const compiler_runner runner(request_.settings, request_.file, work);
    const auto begin = begin_of_compilation();
    compiled_code code;
    runner.check_version(compiler_, headers_);
    compilation job = described("module.hip", "module.so", work);
    const std::vector<command> commands =
        finds_kernels_at_once(job) ? compile_at_once(runner, work, job, code) : compile_twice(runner, work, job, code);
    const std::optional<std::string> module = read_result(job.result);
    if (!module) throw error(exit_code::no_device, fmt::format("{} wrote no module", commands.back().words.front()));
    code.module = *module;
    add_depfile(code, job.dependencies, work);
    add_objects(code, commands, work);
    if (inputs_unchanged(code, begin) && !looks_at_other_files(code, {&source_.text, 1})) cache_.keep(key, code);
    return code;
  }

  std::vector<unsigned> launch_bounds(const compiled_code& code) const {
    std::vector<unsigned> bounds;
    for (const kernel_name& each : code.kernels) bounds.push_back(launch_bound_of(source_.text, each.name));
    return bounds;
  }

 private:
  /// Finds the kernels in the module's own object. What registers them is compiled by itself, and mostly there already:
  /// it depends on the puzzles alone.
  std::vector<command> compile_at_once(const compiler_runner& runner, const temp_dir& work, compilation& job,
                                       compiled_code& code) const {
    job.header = header_for(cpu_step::module, work).get();
    job.linker = runner.linker_of(compiler_, headers_);
    work.write("module.hip", discovery_text(source_));
    std::future<std::string> registration = start_registration(job, work);
    command first = module_commands(compiler_, job).front();
    command_end ended = runner.run_to_end(first);
    if (!job.header.empty() && ended.end == command_end::cause::exited && ended.number != 0) {
      // The file may lie beside its own copy of warpz's headers. If not, the messages now are the usual ones.
      job.header.clear();
      first = module_commands(compiler_, job).front();
      ended = runner.run_to_end(first);
    }
    if (ended.end == command_end::cause::exited && ended.number != 0) refuse_whole_program();
    runner.check(ended, compiler_.file);
    code.messages = ended.output;
    const std::vector<kernel_symbol> found = kernels_in(read_result(object_of(job)).value_or(""));
    const std::vector<chosen_kernel> kernels = choose_kernels(source_, found);
    add_names(code, kernels);
    const auto has_c_linkage = [](const chosen_kernel& each) { return each.symbol.c_linkage; };
    if (std::any_of(kernels.begin(), kernels.end(), has_c_linkage)) {
      // Only the compiler knows what such a kernel takes.
      work.write("module.hip", module_text(source_, kernels));
      runner.run(first, code.messages);
    } else {
      job.registration = registration.get();
      for (std::size_t i = 0; i < kernels.size(); ++i)
        job.other_names.push_back({identity_of_kernel(i), kernels[i].symbol.mangled});
    }
    std::vector<command> commands = module_commands(compiler_, job);
    code.messages += runner.run(commands.back(), code.messages);
    return commands;
  }

  /// Finds the kernels by a compilation of its own, which also shows the warnings.
  std::vector<command> compile_twice(const compiler_runner& runner, const temp_dir& work, compilation& job,
                                     compiled_code& code) const {
    std::future<std::string> for_module = header_for(cpu_step::module, work);
    std::string header = header_for(cpu_step::discovery, work).get();
    const std::vector<chosen_kernel> kernels = choose(runner, work, header, code.messages);
    add_names(code, kernels);
    if (!header.empty()) job.header = for_module.get();
    work.write("module.hip", module_text(source_, kernels));
    std::vector<command> commands = module_commands(compiler_, job);
    for (const command& each : commands) code.messages += runner.run(each, code.messages);
    return commands;
  }

  static void add_names(compiled_code& code, const std::vector<chosen_kernel>& kernels) {
    for (std::size_t i = 0; i < kernels.size(); ++i) {
      code.kernels.push_back({identity_of_kernel(i), short_name_of(kernels[i])});
    }
  }

  /// Starts to compile what registers the kernels, or to look for it. The value is the object's path.
  std::future<std::string> start_registration(compilation job, const temp_dir& work) const {
    job.source = work.file("registration.hip");
    job.result = work.file("registration.o");
    job.dependencies = work.file("registration.depfile");
    job.quoted_folder.clear();
    const std::string text = registration_text(source_);
    work.write("registration.hip", text);
    const command making = registration_command(compiler_, job);
    std::string key =
        fmt::format("registration\n{}\n{}\n{}\n{}", WARPZ_VERSION, compiler_.identity, compiler_environment(), text);
    compilation named{"source", "result",           "depfile", "", "cpu", "", true, job.header.empty() ? "" : "header",
                      false,    request_.debuggable};
    for (const std::string& word : registration_command(compiler_, named).words) key += word + "\n";
    return prepare_header(headers_, std::move(key), making, job, work);
  }

  compilation described(std::string_view source, std::string_view result, const temp_dir& in) const {
    return {in.file(source), in.file(result),       in.file("depfile"),    folder_of(request_.file),
            request_.vendor, request_.architecture, request_.instrumented, {},
            false,           request_.debuggable};
  }

  /// All that the result depends on, except the files that the compiler reads.
  std::string key_text() const {
    std::string key;
    const auto add = [&key](std::string_view text) { key += fmt::format("{}:{}\n", text.size(), text); };
    add(WARPZ_VERSION);
    add(request_.file);
    std::error_code failed;
    add(fs::current_path(failed).string());
    add(source_.text);
    add(request_.entry.value_or(""));
    add(discovery_text({"", "", request_.puzzles, {}}));
    for (const puzzle* const each : request_.puzzles) add(each->kernel);
    const compilation job{"source",
                          "result",
                          "depfile",
                          folder_of(request_.file),
                          request_.vendor,
                          request_.architecture,
                          request_.instrumented,
                          {},
                          false,
                          request_.debuggable};
    for (const command& each : module_commands(compiler_, job)) {
      for (const std::string& word : each.words) add(word);
      for (const std::string& variable : each.environment) add(variable);
      add(identity_of(each.words.front()));
    }
    add(compiler_environment());
    return key;
  }

  /// What the file begins with and can be precompiled for it.
  std::string beginning() const {
    const auto includes = [this](std::string_view name) {
      return source_.text.find(fmt::format("#include \"warpz/{}\"", name)) != std::string::npos;
    };
    const bool has_block = includes("block.hpp"), has_sync = includes("sync.hpp");
    if (!has_block && !has_sync) return compilation{}.beginning;
    return fmt::format("warpz/detail/begins_with_{}.hpp", has_block && has_sync ? "both"
                                                          : has_block           ? "block"
                                                                                : "sync");
  }

  /// Starts to make the precompiled header for one step; its path is empty where there is none.
  std::future<std::string> header_for(cpu_step step, const temp_dir& work) const {
    const bool has_step = step == cpu_step::discovery || request_.vendor == "cpu";
    if (!has_step || request_.cache_folder.empty()) {
      return std::async(std::launch::deferred, [] { return std::string(); });
    }
    const auto files = [this](const std::string& result, const std::string& depfile) {
      return compilation{
          "", result, depfile, "", "cpu", "", request_.instrumented, {}, false, request_.debuggable, beginning()};
    };
    const std::string name = fmt::format("header-{}", static_cast<int>(step));
    const compilation job = files(work.file(name + ".pch"), work.file(name + ".depfile"));
    std::string key = fmt::format("header\n{}\n{}\n{}", WARPZ_VERSION, compiler_.identity, compiler_environment());
    for (const std::string& word : header_command(step, compiler_, files("result", "depfile")).words) {
      key += fmt::format("{}:{}\n", word.size(), word);
    }
    return prepare_header(headers_, std::move(key), header_command(step, compiler_, job), job, work);
  }

  /// The kernels to run. For a GPU, too, they are found by a compiler for the CPU, if the file allows it. Clears the
  /// header where the file does not compile with it.
  std::vector<chosen_kernel> choose(const compiler_runner& runner, const temp_dir& work, std::string& header,
                                    std::string& messages) const {
    const bool may_fail = request_.vendor != "cpu" && request_.entry;
    compilation job = described("discovery.hip", "discovery.o", work);
    job.header = header;
    work.write("discovery.hip", discovery_text(source_));
    command_end ended = runner.run_to_end(discovery_command(compiler_, job));
    if (!header.empty() && ended.end == command_end::cause::exited && ended.number != 0) {
      // The file may lie beside its own copy of warpz's headers. If not, the messages now are the usual ones.
      header.clear();
      job.header.clear();
      ended = runner.run_to_end(discovery_command(compiler_, job));
    }
    if (may_fail && ended.end == command_end::cause::exited && ended.number != 0) return named_kernels(source_);
    if (ended.end == command_end::cause::exited && ended.number != 0) refuse_whole_program();
    runner.check(ended, compiler_.file);
    messages = ended.output;
    return choose_kernels(source_, kernels_in(read_result(job.result).value_or("")));
  }

  /// Of a file that does not compile, says so if it was meant for --run.
  void refuse_whole_program() const {
    if (!is_whole_program(source_.text)) return;
    throw error(
        exit_code::does_not_compile,
        fmt::format("{} is a whole program: it has a main, and launches kernels itself", printable(source_.name)),
        fmt::format("warpz --run {} runs it.", printable(source_.name)));
  }

  const compile_request& request_;
  const kernel_source source_;
  const cpu_compiler compiler_;
  const kernel_cache cache_;
  const kernel_cache headers_;
};

}  // namespace

user_module::user_module(const compiled_code& code, std::vector<unsigned> launch_bounds)
    : module_(code.module), kernels_(code.kernels), launch_bounds_(std::move(launch_bounds)) {}

user_module::in_memory::in_memory(std::string_view bytes) {
  descriptor_ = memfd_create("warpz-kernel", MFD_CLOEXEC | MFD_ALLOW_SEALING);
  for (std::string_view rest = bytes; descriptor_ >= 0 && !rest.empty();) {
    const ssize_t count = write(descriptor_, rest.data(), rest.size());
    if (count <= 0) {
      close(std::exchange(descriptor_, -1));
      break;
    }
    rest.remove_prefix(static_cast<std::size_t>(count));
  }
  // Its own code could change it for the next run, and for what reads the lines of findings.
  constexpr int fixed = F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_WRITE | F_SEAL_SEAL;
  if (descriptor_ < 0 || fcntl(descriptor_, F_ADD_SEALS, fixed) != 0) {
    throw error(exit_code::no_device, fmt::format("no memory for the compiled kernel: {}", std::strerror(errno)));
  }
}

user_module::in_memory::~in_memory() {
  if (descriptor_ >= 0) close(descriptor_);
}

std::string user_module::in_memory::file(bool debugged) const {
  // The descriptor of that number may be another file in a debugger. A child may not look into this process.
  return fmt::format("/proc/{}/fd/{}", debugged ? std::to_string(getpid()) : "self", descriptor_);
}

user_module compile_kernel(const compile_request& request) {
  compilation_run run(request);
  compiled_code code = run.make();
  tell(request.settings, code.messages);
  return user_module(code, run.launch_bounds(code));
}

}  // namespace warpz
