// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compile/kernel_file.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <future>

#include "compile/cache_key.hpp"
#include "compile/cpu_code.hpp"
#include "compile/cuda_headers.hpp"
#include "compile/gpu_module.hpp"
#include "compile/kernel_selection.hpp"
#include "compile/linker.hpp"
#include "compile/mended_compilation.hpp"
#include "compile/precompiled_header.hpp"
#include "compile/temp_dir.hpp"
#include "error.hpp"
#include "puzzle/project_files.hpp"
#include "source/kernel_names.hpp"
#include "source/tokens.hpp"
#include "system/file_content.hpp"
#include "text/printable.hpp"

namespace warpz {
namespace {

namespace fs = std::filesystem;

/// Where `#include "..."` in the user's file looks first.
std::string folder_of(const std::string& file) {
  const std::size_t slash = file.rfind('/');
  return slash == std::string::npos ? "." : file.substr(0, slash + 1);
}

/// The names of files that a compilation reads and writes.
struct compilation_files {
  std::string source;
  std::string result;
  std::string dependencies;  ///< where the compiler writes which headers it has read
};

bool is_same_code(std::span<const token> a, std::span<const token> b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                    [](const token& one, const token& other) { return one.is(other.text); });
}

/// Throws error(does_not_compile) where an included file is the solution of one of the puzzles, wherever it lies and
/// whatever it is called. A copy that is pasted into the file itself can't be told from work of one's own.
void refuse_solutions(const compiled_code& code, const compile_request& request) {
  std::vector<std::vector<token>> solutions;
  for (const puzzle* const each : request.puzzles) {
    for (const char* const file : {"solution.hip", "shared.hip", "tuned.hip"}) {
      std::vector<token> tokens = tokens_of(text_of(*each, file));
      if (!tokens.empty()) solutions.push_back(std::move(tokens));
    }
  }
  const std::string own = fs::path(toolchain_part("device", "--kernel")).parent_path().native() + "/";
  for (const input_file& each : code.inputs) {
    // A system's headers and warpz's own are many and long.
    if ((each.path.starts_with("/usr/") || each.path.starts_with(own)) && !each.path.ends_with(".hip")) continue;
    std::error_code failed;
    if (fs::equivalent(each.path, request.file, failed)) continue;
    const std::string text = os::content_of(each.path).value_or("");
    const std::vector<token> tokens = tokens_of(text);
    if (std::none_of(solutions.begin(), solutions.end(),
                     [&](const std::vector<token>& solution) { return is_same_code(solution, tokens); }))
      continue;
    throw error(exit_code::does_not_compile,
                fmt::format("{} includes {}, which is the puzzle's own solution", printable(request.file),
                            printable(each.path)),
                "Write the kernel yourself: warpz hint helps.");
  }
}

class compilation_run {
 public:
  explicit compilation_run(const compile_request& request)
      : request_(request),
        source_{request.file, read_source(request.file), request.puzzles, request.entry},
        compiler_(find_cpu_compiler(request.compiler, "--kernel")),
        // A GPU's code is not looked at: the kernels are found in code for the CPU, as quickly as can be.
        code_{"--kernel", request.instrumented, request.debuggable},
        cache_(request.cache_folder),
        headers_(compiler_cache(request.cache_folder)) {}

  compiled_code make() {
    if (std::optional<compiled_code> kept = find_kept()) {
      // They have been told when it was compiled.
      kept->messages.clear();
      return *std::move(kept);
    }
    const cache_turn turn = cache_.wait_for_turn(key_text());
    if (turn.has_waited) {
      if (std::optional<compiled_code> kept = find_kept()) return *std::move(kept);
    }
    const temp_dir work;
    const bool has_hip = has_hip_in_cu({&request_.file, 1}, work, [this](const std::string&) {
      return user_program_compilation{compiler_, {}, code_, 0};
    });
    language_ = language_of(request_.file, {}, has_hip);
    const std::string key = key_text();
    const compiler_runner runner(request_.settings, request_.file, work);
    const auto begin = begin_of_compilation();
    compiled_code code;
    runner.check_compiler(compiler_, headers_);
    const std::vector<chosen_kernel> kernels = find_kernels(runner, work, code);
    const std::string result = work.file("module.so");
    const std::vector<command> commands =
        is_for_cpu() ? std::vector<command>{link_module(runner, work, result)} : gpu_commands(work, kernels, result);
    for (const command& each : commands) code.messages += runner.run(each, code.messages);
    for (std::size_t i = 0; i < kernels.size(); ++i) {
      const listed_kernel& kernel = kernels[i].kernel;
      code.kernels.push_back({is_for_cpu() ? kernel.symbol : identity_of_kernel(i), short_name_of(kernels[i])});
      code.launch_bounds.push_back(kernel.launch_bound);
    }
    const std::optional<std::string> module = read_result(result);
    if (!module) throw error(exit_code::no_device, fmt::format("{} wrote no module", commands.back().words.front()));
    code.module = *module;
    add_depfile(code, work.file("depfile"), work);
    add_objects(code, commands, work);
    if (inputs_unchanged(code, begin) && !looks_at_other_files(code, {&source_.text, 1})) cache_.keep(key, code);
    return code;
  }

 private:
  std::optional<compiled_code> find_kept() {
    for (const bool has_hip : {false, true}) {
      if (has_hip && !has_name_of_cuda(request_.file)) break;
      language_ = language_of(request_.file, {}, has_hip);
      if (std::optional<compiled_code> kept = cache_.find(key_text())) return kept;
    }
    return {};
  }

  bool is_for_cpu() const { return request_.vendor == "cpu"; }

  /// Comes before the user's text. nvcc includes its header by itself.
  std::string_view first_header() const {
    return language_ == source_language::cuda ? "cuda_runtime.h" : "warpz/kernel.hpp";
  }

  /// Compiles the file's device code for the CPU, with warnings.
  command device_command(const compilation_files& files, const std::string& header) const {
    std::vector<std::string> words = code_words(compiler_, language_, code_side::device, code_);
    // Kernels compare threadIdx with an int, and have pragmas for other compilers.
    append(words, std::array<std::string, 5>{"-Wall", "-Wno-sign-compare", "-Wno-unknown-pragmas", "-iquote",
                                             folder_of(request_.file)});
    if (!header.empty()) append(words, std::array<std::string, 2>{"-include-pch", header});
    // The same source gives the same module, wherever the temporary files lie.
    const std::string work = files.source.substr(0, files.source.rfind('/') + 1);
    if (!work.empty()) words.push_back(fmt::format("-ffile-prefix-map={}=", work));
    append(words, std::array<std::string, 7>{"-MD", "-MF", files.dependencies, "-c", "-o", files.result, files.source});
    return {words, {}};
  }

  /// Compiles the file to an object, and chooses each puzzle's kernel in it.
  std::vector<chosen_kernel> find_kernels(const compiler_runner& runner, const temp_dir& work,
                                          compiled_code& code) const {
    const compilation_files files{work.file("module.hip"), work.file("module.o"), work.file("depfile")};
    work.write("module.hip", search_text(source_, first_header()));
    const std::string header = prepare_header(work).get();
    command_end ended = runner.run_to_end(device_command(files, header));
    const auto is_refused = [&ended] { return ended.end == command_end::cause::exited && ended.number != 0; };
    // The file may lie beside its own copy of warpz's headers. If not, the messages now are the usual ones.
    if (is_refused())
      ended = run_mended(runner, work, device_command(files, {}), {request_.file, files.source}, ended).end;
    if (!is_for_cpu() && request_.entry && is_refused()) return named_kernels(source_);
    runner.check(ended, compiler_.file);
    code.messages = ended.output;
    try {
      return choose_kernels(source_, kernels_in(read_result(files.result).value_or("")));
    } catch (const error&) {
      refuse_whole_program();
      throw;
    }
  }

  /// Says that a file without the right kernel was meant for --run, if it was.
  void refuse_whole_program() const {
    if (!is_whole_program(source_.text)) return;
    throw error(
        exit_code::does_not_compile,
        fmt::format("{} is a whole program: it has a main, and launches kernels itself", printable(source_.name)),
        fmt::format("warpz --run {} runs it.", printable(source_.name)));
  }

  command link_module(const compiler_runner& runner, const temp_dir& work, const std::string& result) const {
    const std::vector<std::string> objects = {work.file("module.o"), toolchain_part("module-cpu.o", code_.option)};
    const std::vector<std::string> linker =
        runner.linker_of(link_command(compiler_, code_, linker_result, linker_objects), compiler_, headers_);
    return linker.empty() ? link_command(compiler_, code_, result, objects) : link_command(linker, result, objects);
  }

  std::vector<command> gpu_commands(const temp_dir& work, const std::vector<chosen_kernel>& kernels,
                                    const std::string& result) const {
    work.write("module.hip", module_text(source_, kernels));
    return gpu_module_commands(gpu_job(work.file("module.hip"), result, work.file("depfile")));
  }

  gpu_compilation gpu_job(std::string source, std::string result, std::string dependencies) const {
    return {std::move(source),        std::move(result), std::move(dependencies),
            folder_of(request_.file), request_.vendor,   request_.architecture};
  }

  /// All that the result depends on, except the files that the compiler reads.
  std::string key_text() const {
    cache_key key("kernels");
    key.add_working_folder();
    key.add(request_.file);
    key.add(source_.text);
    key.add(request_.entry.value_or(""));
    key.add(search_text({"", "", request_.puzzles, {}}, first_header()));
    for (const puzzle* const each : request_.puzzles) key.add(each->kernel);
    std::vector<command> commands = {device_command({"source", "result", "depfile"}, {}),
                                     link_command(compiler_, code_, linker_result, linker_objects)};
    if (!is_for_cpu()) commands = gpu_module_commands(gpu_job("source", "result", "depfile"));
    for (const command& each : commands) {
      key.add(each);
      key.add(identity_of(each.words.front()));
    }
    key.add(identity_of(toolchain_part("instrument.so", code_.option)));
    key.add(compiler_environment());
    return key.text();
  }

  /// What the file begins with and can be precompiled for it.
  std::string beginning() const {
    if (language_ == source_language::cuda) return fmt::format("simt/include/{}", first_header());
    const auto includes = [this](std::string_view name) {
      return source_.text.find(fmt::format("#include \"warpz/{}\"", name)) != std::string::npos;
    };
    const bool has_block = includes("block.hpp"), has_sync = includes("sync.hpp");
    if (!has_block && !has_sync) return "device/warpz/kernel.hpp";
    return fmt::format("device/warpz/detail/begins_with_{}.hpp", has_block && has_sync ? "both"
                                                                 : has_block           ? "block"
                                                                                       : "sync");
  }

  /// Precompiles the source's beginning.
  command header_command(const std::string& source, const precompiled_files& files) const {
    std::vector<std::string> words = code_words(compiler_, language_, code_side::device, code_);
    append(words, precompiling_words(files));
    words.push_back(source);
    return {words, {}};
  }

  /// Starts to look for the precompiled header, or to make it; its path is empty where there is none.
  std::future<std::string> prepare_header(const temp_dir& work) const {
    if (request_.cache_folder.empty()) return std::async(std::launch::deferred, [] { return std::string(); });
    const std::string source = toolchain_part(beginning(), code_.option);
    cache_key key("header");
    key.add(compiler_.identity);
    key.add(compiler_environment());
    key.add(header_command(source, {"result", "depfile"}));
    const precompiled_files files{work.file("header.pch"), work.file("header.depfile")};
    return warpz::prepare_header(headers_, key.text(), header_command(source, files), files, work);
  }

  const compile_request& request_;
  const kernel_source source_;
  const cpu_compiler compiler_;
  const code_settings code_;
  source_language language_ = source_language::hip;
  const kernel_cache cache_;
  const kernel_cache headers_;
};

}  // namespace

user_module::user_module(const compiled_code& code)
    : module_(code.module), kernels_(code.kernels), launch_bounds_(code.launch_bounds) {}

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
  const compiled_code code = compilation_run(request).make();
  refuse_written_inputs(code, request.settings);
  if (request.own_includes) refuse_other_files(code, request.file);
  refuse_solutions(code, request);
  tell(request.settings, code.messages);
  return user_module(code);
}

}  // namespace warpz
