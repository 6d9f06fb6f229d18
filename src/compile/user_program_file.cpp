// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compile/user_program_file.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <optional>
#include <utility>

#include "compile/instrumentation.hpp"
#include "compile/user_flags.hpp"
#include "compile/user_program_commands.hpp"
#include "error.hpp"
#include "source/launches.hpp"
#include "system/file_content.hpp"
#include "text/printable.hpp"

namespace warpz {
namespace {

namespace fs = std::filesystem;

class user_program_build {
 public:
  explicit user_program_build(const user_program_request& request)
      : request_(request),
        common_{request.flags, request.instrumented},
        compiler_(find_cpu_compiler(request.compiler, "--run")),
        cache_(request.cache_folder),
        compilers_(compiler_cache(request.cache_folder)) {}

  compiled_code make() const {
    const std::string key = key_text();
    if (std::optional<compiled_code> kept = cache_.find(key)) return *std::move(kept);
    const temp_dir work;
    const auto begin = time_of_changes_now();
    compiled_code code;
    std::vector<std::string> objects;
    const std::string macros =
        compiler_runner(request_.settings, request_.files.front(), work).macros_of(compiler_, compilers_);
    for (std::size_t i = 0; i < request_.files.size(); ++i) objects.push_back(compile(i, work, macros, code));
    const std::string result = work.file("program.so");
    const command link = user_program_link_command(compiler_, common_, objects, result);
    code.messages += compiler_runner(request_.settings, request_.files.front(), work).run(link, code.messages);
    add_objects(code, {&link, 1}, work);
    add_depfile(code, result + ".depfile", work);
    const std::optional<std::string> library = read_result(result);
    if (!library) throw error(exit_code::no_device, fmt::format("{} has made no program", printable(compiler_.file)));
    code.module = *library;
    if (inputs_unchanged(code, begin) && !looks_at_other_files(code, common_.flags)) cache_.keep(key, code);
    return code;
  }

 private:
  /// Compiles one file; returns the object's name.
  std::string compile(std::size_t number, const temp_dir& work, std::string_view macros, compiled_code& code) const {
    const std::string& file = request_.files[number];
    const compiler_runner runner(request_.settings, file, work);
    const std::string preprocessed = work.file(fmt::format("{}.ii", number));
    const std::string depfile = work.file(fmt::format("{}.depfile", number));
    const std::string rewritten = fmt::format("{}.program.ii", number);
    const std::string object = work.file(fmt::format("{}.o", number));
    code.messages += runner.run(preprocess_command(compiler_, common_, file, preprocessed, depfile), code.messages);
    work.write(rewritten, without_hip_syntax(read_result(preprocessed).value_or("")));
    const std::vector<command> commands =
        user_program_object_commands(compiler_, common_, macros, work.file(rewritten), object);
    for (std::size_t i = 0; i < commands.size(); ++i) {
      code.messages += runner.run(commands[i], code.messages);
      if (request_.instrumented && !finish_instrumented(work, commands[i])) ++i;
    }
    add_depfile(code, depfile, work);
    return object;
  }

  /// All that the result depends on, except the files that the compiler reads.
  std::string key_text() const {
    std::string key = "program\n";
    const auto add = [&key](std::string_view text) { key += fmt::format("{}:{}\n", text.size(), text); };
    const auto add_command = [&add](const command& each) {
      for (const std::string& word : each.words) add(word);
    };
    add(WARPZ_VERSION);
    std::error_code failed;
    add(fs::current_path(failed).string());
    add(compiler_.identity);
    for (const std::string& file : request_.files) {
      add_command(preprocess_command(compiler_, common_, file, "result", "depfile"));
      add(fingerprint(read_source(file, "--run")));
    }
    // Without macros: the compiler's identity determines them.
    for (const command& each : user_program_object_commands(compiler_, common_, {}, "source", "result"))
      add_command(each);
    add_command(user_program_link_command(compiler_, common_, {}, "result"));
    add(compiler_environment());
    return key;
  }

  const user_program_request& request_;
  const user_program_compilation common_;
  const cpu_compiler compiler_;
  const kernel_cache cache_;
  const kernel_cache compilers_;
};

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
  for (const std::string& file : request.files) read_source(file, "--run");
  compiled_code code = user_program_build(request).make();
  tell(request.settings, code.messages);
  compiled_user_program result{std::move(code.module), {}};
  for (const input_file& each : code.inputs) {
    if (!each.path.ends_with(".o")) result.inputs.push_back(each.path);
  }
  return result;
}

}  // namespace warpz
