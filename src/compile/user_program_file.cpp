// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compile/user_program_file.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <filesystem>
#include <fstream>
#include <optional>
#include <utility>

#include "compile/instrumentation.hpp"
#include "compile/user_program_commands.hpp"
#include "error.hpp"
#include "process/held_signals.hpp"
#include "source/launches.hpp"
#include "system/file_content.hpp"
#include "text/printable.hpp"

namespace warpz {
namespace {

namespace fs = std::filesystem;

/// Options for where the compilers' results go, which warpz decides.
constexpr std::array<std::string_view, 7> refused_flags{"-c", "-S", "-E", "-M", "-MM", "-x", "-save-temps"};
/// The same, with a value in the same word or the next one.
constexpr std::array<std::string_view, 8> refused_beginnings{
    "-o", "--output", "-MF", "-MJ", "-dumpdir", "-dumpbase", "-save-temps=", "-serialize-diag"};
/// The same among the words that are passed on: -Wl,-z,now,-ofile.
constexpr std::array<std::string_view, 6> refused_passed_on{"-o",    "--output",          "-Map",
                                                            "--Map", "--dependency-file", "-M"};

template <class List>
bool begins_with_any(std::string_view word, const List& beginnings) {
  return std::any_of(beginnings.begin(), beginnings.end(), [word](auto each) { return word.starts_with(each); });
}

bool leads_results_elsewhere(std::string_view flag) {
  if (begins_with_any(flag, std::array<std::string_view, 3>{"-Wl,", "-Wp,", "-Wa,"})) {
    for (std::size_t comma = flag.find(','); comma != flag.npos; comma = flag.find(',', comma + 1)) {
      if (begins_with_any(flag.substr(comma + 1), refused_passed_on)) return true;
    }
    return false;
  }
  return std::find(refused_flags.begin(), refused_flags.end(), flag) != refused_flags.end() ||
         begins_with_any(flag, refused_beginnings);
}

void check_flags(const std::vector<std::string>& flags) {
  for (const std::string& each : flags) {
    if (!leads_results_elsewhere(each)) continue;
    throw error(exit_code::bad_input, fmt::format("--cxxflags: {} is not possible with --run", printable(each)),
                "It takes what changes how a file is compiled or what it is linked with: -I, -D, -std=c++20, -l.");
  }
}

/// The words in a file of options: between blanks, with quotes and backslashes as compilers read them.
std::vector<std::string> option_words(std::string_view text) {
  std::vector<std::string> words;
  std::string word;
  bool is_open = false;
  char quote = '\0';
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    const bool is_blank = quote == '\0' && std::string_view(" \t\r\n\f\v").find(c) != std::string_view::npos;
    if (is_blank) {
      if (std::exchange(is_open, false)) words.push_back(std::exchange(word, {}));
      continue;
    }
    is_open = true;
    if (c == '\\' && i + 1 < text.size()) {
      word += text[++i];
    } else if (c == quote) {
      quote = '\0';
    } else if (quote == '\0' && (c == '\'' || c == '"')) {
      quote = c;
    } else {
      word += c;
    }
  }
  if (is_open) words.push_back(word);
  return words;
}

/// The flags with the contents of files in place of words such as @FILE, as compilers do it: then they are checked, and
/// the cache knows them.
std::vector<std::string> without_option_files(const std::vector<std::string>& flags, unsigned depth = 0) {
  constexpr unsigned max_depth = 20;
  std::vector<std::string> all;
  for (const std::string& each : flags) {
    const auto text = each.starts_with("@") ? os::content_of(each.substr(1)) : std::nullopt;
    if (!text) {
      all.push_back(each);
      continue;
    }
    if (depth == max_depth) {
      throw error(exit_code::bad_input, fmt::format("--cxxflags: {} includes itself", printable(each)));
    }
    const std::vector<std::string> inner = without_option_files(option_words(*text), depth + 1);
    all.insert(all.end(), inner.begin(), inner.end());
  }
  return all;
}

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
    const auto begin = std::chrono::system_clock::now();
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

void write_user_program(const compiled_user_program& program, const std::string& file) {
  const auto write = [](const std::string& name, std::string_view bytes) {
    std::ofstream stream(name, std::ios::binary | std::ios::trunc);
    stream << bytes;
    stream.close();
    if (!stream) throw error(exit_code::bad_input, fmt::format("--output: {} can't be written", printable(name)));
  };
  std::string depfile;
  const auto add = [&depfile](std::string_view name) {
    for (const char c : name) depfile += c == ' ' ? std::string("\\ ") : std::string(1, c);
  };
  add(file);
  depfile += ':';
  for (const std::string& each : program.inputs) {
    depfile += " \\\n ";
    add(each);
  }
  write(file, program.library);
  write(file + ".d", depfile + "\n");
}

compiled_user_program compile_user_program(user_program_request request) {
  request.flags = without_option_files(request.flags);
  check_flags(request.flags);
  for (const std::string& file : request.files) read_source(file, "--run");
  // Outlives the temporary files, so that a signal acts only after they are removed.
  const held_signals held;
  compiled_code code = user_program_build(request).make();
  tell(request.settings, code.messages);
  compiled_user_program result{std::move(code.module), {}};
  for (const input_file& each : code.inputs) {
    if (!each.path.ends_with(".o")) result.inputs.push_back(each.path);
  }
  return result;
}

}  // namespace warpz
