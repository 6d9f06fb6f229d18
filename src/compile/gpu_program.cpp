// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compile/gpu_program.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "compile/cache_key.hpp"
#include "compile/cuda_headers.hpp"
#include "compile/gpu_compilers.hpp"
#include "compile/side_by_side.hpp"
#include "compile/user_flags.hpp"
#include "error.hpp"
#include "text/printable.hpp"

namespace warpz {
namespace {

constexpr std::string_view option = "--run";

/// Whether the user says for which GPU, so that nothing else does.
bool names_architecture(const std::string& flag) {
  constexpr std::string_view options[] = {"-arch",          "--gpu-architecture", "-gencode",       "--generate-code",
                                          "--offload-arch", "--amdgpu-target",    "--cuda-gpu-arch"};
  const std::string_view name = std::string_view(flag).substr(0, flag.find('='));
  return std::find(std::begin(options), std::end(options), name) != std::end(options);
}

/// What is made of a source.
struct source_object {
  std::size_t number;  ///< the source's
  std::string object;
  std::string dependencies;
};

class gpu_program_build {
 public:
  explicit gpu_program_build(const gpu_program_request& request)
      : request_(request), is_amd_(request.vendor == "amd"), cache_(request.cache_folder) {
    has_hip_in_cu_ = has_hip_in_cu(request.files, temp_dir(), [&](const std::string& file) { return reading(file); });
    for (const std::string& file : request.files) {
      if (!is_amd_ || language(file) != source_language::cuda) continue;
      throw error(exit_code::bad_input, fmt::format("{} is CUDA, and an AMD GPU takes HIP", printable(file)),
                  "hipify-perl makes HIP of CUDA; --backend cpu runs CUDA as it is.");
    }
    const bool is_all_cuda = std::all_of(request.files.begin(), request.files.end(),
                                         [&](const std::string& file) { return is_of_nvcc(language(file)); });
    if (!is_amd_) toolkit_ = find_cuda_toolkit(option);
    compiler_ = is_all_cuda ? toolkit_.nvcc : find_hipcc(option);
  }

  compiled_code make() const {
    const std::string key = key_text();
    if (std::optional<compiled_code> kept = cache_.find(key)) {
      // They have been told when it was compiled.
      kept->messages.clear();
      return *std::move(kept);
    }
    const temp_dir work;
    const auto begin = begin_of_compilation();
    compiled_code code;
    std::vector<source_object> sources;
    for (std::size_t i = 0; i < request_.files.size(); ++i) {
      const std::string object = work.file(fmt::format("{}.o", i));
      sources.push_back({i, object, object + ".depfile"});
    }
    std::vector<compilation_step> steps;
    for (const source_object& each : sources) {
      steps.emplace_back([&](const compiler_settings& settings) {
        return compiler_runner(settings, request_.files[each.number], work).run(object_command(each), {});
      });
    }
    code.messages = run_side_by_side(request_.settings, steps);
    const std::string result = work.file("program");
    const compiler_runner linker(request_.settings, request_.files.front(), work);
    code.messages += linker.run(link_command(sources, result), code.messages);
    for (const source_object& each : sources) add_depfile(code, each.dependencies, work);
    add_depfile(code, result + ".depfile", work);
    code.module = read_result(result).value_or("");
    if (code.module.empty()) throw error(exit_code::no_device, fmt::format("{} wrote no program", compiler_));
    if (inputs_unchanged(code, begin) && !looks_at_other_files(code, all_flags())) cache_.keep(key, code);
    return code;
  }

 private:
  source_language language(const std::string& file) const { return language_of(file, request_.files, has_hip_in_cu_); }

  /// Clang alone is asked for what a source includes. Without it names of files alone tell their languages.
  static cpu_compiler asked_compiler() {
    try {
      return find_cpu_compiler({}, option);
    } catch (const error&) {
      return {};
    }
  }

  user_program_compilation reading(const std::string& file) const {
    user_program_compilation common{asked_, request_.flags, {option}, 0};
    const auto number = static_cast<std::size_t>(std::find(request_.files.begin(), request_.files.end(), file) -
                                                 request_.files.begin());
    if (number < request_.file_flags.size()) append(common.flags, request_.file_flags[number]);
    return common;
  }

  static bool is_of_nvcc(source_language one) {
    return one == source_language::cuda || one == source_language::host_of_cuda;
  }

  std::vector<std::string> all_flags() const {
    std::vector<std::string> all = request_.flags;
    for (const std::vector<std::string>& each : request_.file_flags) append(all, each);
    return all;
  }

  /// What compiling and linking begin with.
  std::vector<std::string> begin_words() const {
    std::vector<std::string> words = {compiler_};
    const std::vector<std::string> flags = all_flags();
    if (!std::any_of(flags.begin(), flags.end(), names_architecture))
      words.push_back(is_amd_ ? "--offload-arch=" + request_.architecture : nvcc_target(request_.architecture));
    // Flags of the host's compiler, such as -Wall.
    if (!is_amd_)
      append(words, std::array<std::string, 2>{"-forward-unknown-to-host-compiler", "-forward-unknown-to-host-linker"});
    return words;
  }

  std::vector<std::string> environment(const std::string& result) const {
    return is_amd_ ? amd_environment(result) : nvidia_environment(toolkit_, result);
  }

  command object_command(const source_object& files) const {
    std::vector<std::string> words = begin_words();
    append(words, std::array<std::string, 2>{"-std=c++17", "-O3"});
    const std::string& source = request_.files[files.number];
    const source_language written_in = language(source);
    if (is_amd_) {
      append(words, std::array<std::string, 2>{"-fdiagnostics-color=always", "-isystem"});
    } else {
      if (!is_of_host_alone(written_in)) append(words, std::array<std::string, 3>{"-x", "cu", "-lineinfo"});
      words.emplace_back("-isystem");
    }
    words.push_back(toolchain_part("device", option));
    if (!is_of_nvcc(written_in))
      append(words, std::array<std::string, 2>{"-include", toolchain_part("hip_on_cuda.hpp", option)});
    if (files.number < request_.file_flags.size()) append(words, request_.file_flags[files.number]);
    append(words, request_.flags);
    append(words, std::array<std::string, 6>{"-MD", "-MF", files.dependencies, "-c", "-o", files.object});
    words.push_back(source_word(source));
    return {words, environment(files.object)};
  }

  command link_command(const std::vector<source_object>& sources, const std::string& result) const {
    std::vector<std::string> words = begin_words();
    for (const source_object& each : sources) words.push_back(each.object);
    append(words, std::array<std::string, 2>{"-o", result});
    append(words, request_.flags);
    if (std::any_of(request_.flags.begin(), request_.flags.end(), names_linked_file)) {
      words.push_back(fmt::format("{}--dependency-file={}.depfile", is_amd_ ? "-Wl," : "-Xlinker=", result));
    }
    return {words, environment(result)};
  }

  /// All that the result depends on, except the files that the compiler reads.
  std::string key_text() const {
    cache_key key("program for a GPU");
    key.add_working_folder();
    key.add(identity_of(compiler_));
    for (std::size_t i = 0; i < request_.files.size(); ++i) {
      key.add(fingerprint(read_source(request_.files[i])));
      key.add(object_command({i, "object", "depfile"}));
    }
    key.add(link_command({}, "result"));
    key.add(compiler_environment());
    return key.text();
  }

  const gpu_program_request& request_;
  const bool is_amd_;
  const cpu_compiler asked_ = asked_compiler();
  bool has_hip_in_cu_ = false;
  const kernel_cache cache_;
  cuda_toolkit toolkit_;  ///< of NVIDIA's alone
  std::string compiler_;
};

}  // namespace

std::string compile_gpu_program(gpu_program_request request) {
  request.flags = checked_flags(request.flags);
  for (const std::string& file : request.files) read_source(file);
  const compiled_code code = gpu_program_build(request).make();
  refuse_written_inputs(code, request.settings);
  tell(request.settings, code.messages);
  return code.module;
}

}  // namespace warpz
