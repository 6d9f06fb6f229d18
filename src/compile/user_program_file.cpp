// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compile/user_program_file.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <filesystem>
#include <fstream>

#include "compile/instrumentation.hpp"
#include "compile/user_program_commands.hpp"
#include "error.hpp"
#include "process/held_signals.hpp"
#include "source/launches.hpp"
#include "text/printable.hpp"

namespace warpz {
namespace {

namespace fs = std::filesystem;

/// What decides where the compilers' results go, which is not the user's to say.
constexpr std::array<std::string_view, 8> refused_flags{"-o", "-c", "-S", "-E", "-M", "-MM", "-MF", "-x"};

void check_flags(const std::vector<std::string>& flags) {
  for (const std::string& each : flags) {
    if (std::find(refused_flags.begin(), refused_flags.end(), each) == refused_flags.end()) continue;
    throw error(exit_code::bad_input, fmt::format("--cxxflags: {} is not possible with --run", printable(each)),
                "It takes what changes how a file is compiled or what it is linked with: -I, -D, -std=c++20, -l.");
  }
}

class user_program_build {
 public:
  explicit user_program_build(const user_program_request& how)
      : how_(how),
        common_{how.flags, how.instrumented},
        compiler_(find_cpu_compiler(how.compiler, "--run")),
        cache_(how.cache_folder),
        compilers_(compiler_cache(how.cache_folder)) {}

  compiled_kernels make() const {
    const std::string key = key_text();
    if (std::optional<compiled_kernels> kept = cache_.find(key)) return *std::move(kept);
    const temp_dir work;
    const auto begin = fs::file_time_type::clock::now();
    compiled_kernels made;
    std::vector<std::string> objects;
    const std::string macros =
        compiler_runner(how_.settings, how_.files.front(), work).macros_of(compiler_, compilers_);
    for (std::size_t i = 0; i < how_.files.size(); ++i) objects.push_back(compile(i, work, macros, made));
    const std::string result = work.file("program.so");
    const command link = user_program_link_command(compiler_, common_, objects, result);
    made.messages += compiler_runner(how_.settings, how_.files.front(), work).run(link, made.messages);
    note_objects(made, {&link, 1}, work);
    const std::optional<std::string> library = read_result(result);
    if (!library) throw error(exit_code::no_device, fmt::format("{} has made no program", printable(compiler_.file)));
    made.module = *library;
    if (inputs_unchanged(made, begin)) cache_.keep(key, made);
    return made;
  }

 private:
  /// The object made of one file.
  std::string compile(std::size_t number, const temp_dir& work, std::string_view macros, compiled_kernels& made) const {
    const std::string& file = how_.files[number];
    const compiler_runner steps(how_.settings, file, work);
    const std::string preprocessed = work.file(fmt::format("{}.ii", number));
    const std::string rule = work.file(fmt::format("{}.rule", number));
    const std::string rewritten = fmt::format("{}.program.ii", number);
    const std::string object = work.file(fmt::format("{}.o", number));
    made.messages += steps.run(preprocess_command(compiler_, common_, file, preprocessed, rule), made.messages);
    work.write(rewritten, without_hip_syntax(read_result(preprocessed).value_or("")));
    for (const command& each : user_program_object_commands(compiler_, common_, macros, work.file(rewritten), object)) {
      made.messages += steps.run(each, made.messages);
      if (how_.instrumented) finish_instrumented(work, each);
    }
    note_depfile(made, rule, work);
    return object;
  }

  /// All that the result depends on, except for the files that the compiler reads.
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
    for (const std::string& file : how_.files) {
      add_command(preprocess_command(compiler_, common_, file, "result", "rule"));
      add(fingerprint(read_source(file, "--run")));
    }
    // Whose compiler it is, its identity says already.
    for (const command& each : user_program_object_commands(compiler_, common_, {}, "source", "result"))
      add_command(each);
    add_command(user_program_link_command(compiler_, common_, {}, "result"));
    add(compiler_environment());
    return key;
  }

  const user_program_request& how_;
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

void write_user_program(const compiled_user_program& made, const std::string& file) {
  const auto write = [](const std::string& name, std::string_view bytes) {
    std::ofstream to(name, std::ios::binary | std::ios::trunc);
    to << bytes;
    to.close();
    if (!to) throw error(exit_code::bad_input, fmt::format("--output: {} can't be written", printable(name)));
  };
  std::string rule;
  const auto add = [&rule](std::string_view name) {
    for (const char c : name) rule += c == ' ' ? std::string("\\ ") : std::string(1, c);
  };
  add(file);
  rule += ':';
  for (const std::string& each : made.used) {
    rule += " \\\n ";
    add(each);
  }
  write(file, made.library);
  write(file + ".d", rule + "\n");
}

compiled_user_program compile_user_program(const user_program_request& how) {
  check_flags(how.flags);
  for (const std::string& file : how.files) read_source(file, "--run");
  // What is to be tidied up is younger, and so is gone before a signal acts.
  const held_signals held;
  compiled_kernels made = user_program_build(how).make();
  tell(how.settings, made.messages);
  compiled_user_program result{std::move(made.module), {}};
  for (const used_file& each : made.used) {
    if (!each.path.ends_with(".o")) result.used.push_back(each.path);
  }
  return result;
}

}  // namespace warpz
