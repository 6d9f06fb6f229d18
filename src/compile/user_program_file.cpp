// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compile/user_program_file.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <filesystem>
#include <fstream>
#include <optional>
#include <sstream>
#include <utility>

#include "abi/architecture.hpp"
#include "compile/cache_key.hpp"
#include "compile/complete_program.hpp"
#include "compile/cuda_headers.hpp"
#include "compile/linker.hpp"
#include "compile/program_headers.hpp"
#include "compile/side_by_side.hpp"
#include "compile/user_flags.hpp"
#include "compile/user_program_commands.hpp"
#include "error.hpp"
#include "process/device_error.hpp"
#include "process/user_program.hpp"
#include "system/elf_file.hpp"
#include "system/file_content.hpp"
#include "text/printable.hpp"

namespace warpz {
namespace {

namespace fs = std::filesystem;

/// Throws where a function is missing that is neither warpz's own nor in a library that the program is linked with.
void check_complete(const compiled_code& code, const user_program_request& request) {
  const temp_dir work;
  work.write("program.so", code.module);
  const std::string name = missing_function(work.file("program.so"));
  if (name.empty()) return;
  throw error(exit_code::does_not_compile,
              printable(with_source_name(fmt::format("{}: undefined symbol: {}", request.files.front(), name))),
              advice_for_missing(name));
}

/// A linker names the objects, which are none of the user's.
void refuse_two_mains(std::string_view linker_output) {
  for (const std::string_view words :
       {"multiple definition of `main'", "multiple definition of 'main'", "duplicate symbol: main"}) {
    if (linker_output.find(words) == linker_output.npos) continue;
    throw error(exit_code::does_not_compile, "two of the files have a main, and a program has one",
                "Run them one by one, or leave out what does not belong to the program.");
  }
}

/// What a source is compiled for.
std::vector<code_side> sides_of(source_language language) {
  if (language == source_language::host_of_cuda) return {code_side::host};
  return {code_side::host, code_side::device};
}

/// One compilation of one source.
struct source_side {
  std::string source;
  source_language language;
  code_side side;
  object_files files;
};

class user_program_build {
 public:
  explicit user_program_build(const user_program_request& request)
      : request_(request),
        compiler_(find_cpu_compiler(request.compiler, "--run")),
        cache_(request.cache_folder),
        compilers_(compiler_cache(request.cache_folder)) {}

  /// The program, and whether it is for this warp size only.
  std::pair<compiled_code, bool> make() {
    if (auto kept = find_kept()) {
      // They have been told when it was compiled.
      kept->first.messages.clear();
      return *std::move(kept);
    }
    const cache_turn turn = cache_.wait_for_turn(key_text(true));
    if (turn.has_waited) {
      if (auto kept = find_kept()) return *std::move(kept);
    }
    const temp_dir work;
    has_hip_in_cu_ =
        has_hip_in_cu(request_.files, work, [this](const std::string& file) { return with_flags_of(file); });
    check_architecture();
    const compiler_runner linker(request_.settings, request_.files.front(), work);
    const auto begin = begin_of_compilation();
    compiled_code code;
    linker.check_compiler(compiler_, compilers_);
    const user_program_compilation common = compilation_for(request_.warp_size);
    std::atomic<bool> has_constant_warp_size = false;
    const std::vector<std::string> objects = compile(work, code, has_constant_warp_size);
    const std::string result = work.file("program.so");
    const command link = link_command_for(linker, common, objects, result);
    const command_end linked = linker.run_to_end(link);
    if (!linked.succeeded()) refuse_two_mains(linked.output);
    code.messages += linker.output_of(linked, compiler_.file, code.messages);
    add_objects(code, {&link, 1}, work);
    add_depfile(code, result + ".depfile", work);
    const std::optional<std::string> library = read_result(result);
    if (!library) throw error(exit_code::no_device, fmt::format("{} wrote no program", printable(compiler_.file)));
    code.module = *library;
    std::vector<std::string> all_flags = common.flags;
    for (const std::vector<std::string>& each : request_.file_flags) append(all_flags, each);
    // Until ROCm 7 warpSize is a constant.
    const bool asks =
        (request_.rocm != 0 && request_.rocm < 7) || has_constant_warp_size || asks_for_warp_size(code, all_flags);
    if (inputs_unchanged(code, begin) && !looks_at_other_files(code, all_flags)) cache_.keep(key_text(asks), code);
    return {std::move(code), asks};
  }

 private:
  std::optional<std::pair<compiled_code, bool>> find_kept() {
    const bool may_have_hip_in_cu = std::any_of(request_.files.begin(), request_.files.end(), has_name_of_cuda);
    for (const bool has_hip : {false, true}) {
      if (has_hip && !may_have_hip_in_cu) break;
      has_hip_in_cu_ = has_hip;
      for (const bool asks : {false, true}) {
        if (std::optional<compiled_code> kept = cache_.find(key_text(asks))) return std::pair{*std::move(kept), asks};
      }
    }
    return {};
  }

  source_language language(const std::string& file) const { return language_of(file, request_.files, has_hip_in_cu_); }

  void check_architecture() const {
    const std::string& name = request_.architecture;
    const bool is_cuda = std::any_of(request_.files.begin(), request_.files.end(), [this](const std::string& each) {
      return language(each) == source_language::cuda;
    });
    if (name.empty() || is_cuda == architecture_of(name)->is_nvidia) return;
    throw error(
        exit_code::bad_input,
        fmt::format("--arch {}: {} is {}", name, printable(request_.files.front()), is_cuda ? "CUDA" : "HIP"),
        is_cuda ? "CUDA runs on sm_70, sm_80, sm_90 and the like." : "HIP runs on gfx90a, gfx1100 and the like.");
  }

  /// The linker's own. With flags for it it is the compiler's, which would be asked anew for each set of them.
  command link_command_for(const compiler_runner& runner, const user_program_compilation& common,
                           std::span<const std::string> objects, const std::string& result) const {
    if (links_without_flags(common)) {
      user_program_compilation plain = common;
      plain.flags.clear();
      const std::vector<std::string> linker =
          runner.linker_of(user_program_link_command(plain, linker_objects, linker_result), compiler_, compilers_);
      if (!linker.empty()) return link_command(linker, result, objects);
    }
    return user_program_link_command(common, objects, result);
  }

  user_program_compilation compilation_for(unsigned warp_size) const {
    return {compiler_,
            request_.flags,
            {"--run", request_.instrumented, request_.debuggable, request_.architecture, request_.rocm},
            warp_size};
  }

  /// A file's own flags come first: the user's may say otherwise.
  user_program_compilation with_flags_of(const std::string& file) const {
    user_program_compilation one = compilation_for(request_.warp_size);
    const auto number = static_cast<std::size_t>(std::find(request_.files.begin(), request_.files.end(), file) -
                                                 request_.files.begin());
    if (number >= request_.file_flags.size()) return one;
    const std::vector<std::string>& own = request_.file_flags[number];
    one.flags.insert(one.flags.begin(), own.begin(), own.end());
    return one;
  }

  /// Returns the objects' names. Adds the compilers' messages and the files that they have read to `code`.
  std::vector<std::string> compile(const temp_dir& work, compiled_code& code,
                                   std::atomic<bool>& has_constant_warp_size) const {
    std::vector<source_side> sides;
    for (std::size_t i = 0; i < request_.files.size(); ++i) {
      const std::string& source = request_.files[i];
      const source_language written_in = language(source);
      for (const code_side side : sides_of(written_in)) {
        const std::string file = work.file(fmt::format("{}.{}", i, side == code_side::host ? "host" : "device"));
        sides.push_back({source, written_in, side, {source, file + ".o", file + ".depfile"}});
      }
    }
    program_headers headers(request_.cache_folder, work);
    std::vector<compilation_step> steps;
    std::vector<std::string> objects;
    for (const source_side& each : sides) {
      objects.push_back(each.files.object);
      steps.emplace_back([&](const compiler_settings& settings) {
        const compiler_runner runner(settings, each.source, work);
        const mended_compilation ended =
            compile_object(runner, work, headers, with_flags_of(each.source), each.language, each.side, each.files);
        if (ended.has_constant_warp_size) has_constant_warp_size = true;
        return runner.output_of(ended.end, compiler_.file, {});
      });
    }
    code.messages += run_side_by_side(request_.settings, steps);
    for (const source_side& each : sides) add_depfile(code, each.files.dependencies, work);
    return objects;
  }

  /// All that the result depends on, except the files that the compiler reads. Many programs are the same for all warp
  /// sizes.
  std::string key_text(bool asks_for_warp_size) const {
    cache_key key("program");
    key.add_working_folder();
    const user_program_compilation common = compilation_for(asks_for_warp_size ? request_.warp_size : 0);
    key.add(compiler_.identity);
    key.add(identity_of(toolchain_part("instrument.so", common.code.option)));
    for (const std::string& file : request_.files) {
      key.add(fingerprint(read_source(file)));
      const source_language written_in = language(file);
      for (const code_side side : sides_of(written_in)) {
        user_program_compilation one = with_flags_of(file);
        one.warp_size = common.warp_size;
        key.add(user_program_object_command(one, written_in, side, {file, "object", "depfile"}));
      }
    }
    key.add(user_program_link_command(common, {}, "result"));
    key.add(compiler_environment());
    return key.text();
  }

  const user_program_request& request_;
  const cpu_compiler compiler_;
  const kernel_cache cache_;
  const kernel_cache compilers_;
  bool has_hip_in_cu_ = false;
};

}  // namespace

namespace {

/// It may have been meant for the program.
[[noreturn]] void refuse_missing_file(const std::string& file) {
  throw error(exit_code::bad_input, fmt::format("cannot read '{}': {}", printable(file), std::strerror(ENOENT)),
              fmt::format("If it is an argument of the program, put -- before it: -- {}", printable(shell_word(file))));
}

}  // namespace

bool is_compiled_user_program(const std::string& file) {
  constexpr std::string_view elf =
      "\x7f"
      "ELF";
  char begin[elf.size()] = {};
  std::ifstream(file, std::ios::binary).read(begin, sizeof begin);
  return std::string_view(begin, sizeof begin) == elf;
}

std::string compiled_user_program::depfile(std::string_view file) const {
  std::string text;
  const auto add = [&text](std::string_view name) {
    for (const char c : name) text += c == ' ' ? std::string("\\ ") : std::string(1, c);
  };
  add(file);
  text += ':';
  for (const std::string& each : inputs) {
    text += " \\\n ";
    add(each);
  }
  return text + "\n";
}

compiled_user_program compile_user_program(user_program_request request) {
  request.flags = checked_flags(request.flags);
  for (const std::string& file : request.files) {
    std::error_code failed;
    if (&file != &request.files.front() && !fs::exists(file, failed)) refuse_missing_file(file);
    read_source(file);
  }
  auto [code, asks_for_warp_size] = user_program_build(request).make();
  refuse_written_inputs(code, request.settings);
  tell(request.settings, code.messages);
  if (request.has_to_be_complete) check_complete(code, request);
  compiled_user_program result{std::move(code.module), {}, asks_for_warp_size};
  for (const input_file& each : code.inputs) {
    if (!each.path.ends_with(".o")) result.inputs.push_back(each.path);
  }
  return result;
}

}  // namespace warpz
