// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compile/user_program_commands.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <iterator>
#include <string_view>

#include "compile/instrumentation.hpp"

namespace warpz {
namespace {

constexpr std::string_view option = "--run";

/// Options with a word of their own behind them that only the preprocessor uses.
constexpr std::array<std::string_view, 7> preprocessing_pairs{"-include",   "-imacros", "-isystem",    "-iquote",
                                                              "-idirafter", "-iprefix", "-iwithprefix"};
constexpr std::array<std::string_view, 3> preprocessing_words{"-I", "-D", "-U"};

/// The user's flags without those for the preprocessor, which would include their files a second time.
std::vector<std::string> after_preprocessing(const std::vector<std::string>& flags) {
  std::vector<std::string> kept;
  for (std::size_t i = 0; i < flags.size(); ++i) {
    const std::string& each = flags[i];
    const bool is_pair =
        std::find(preprocessing_pairs.begin(), preprocessing_pairs.end(), each) != preprocessing_pairs.end();
    const auto begins = [&each](std::string_view with) { return each.starts_with(with); };
    const auto word = std::find_if(preprocessing_words.begin(), preprocessing_words.end(), begins);
    if (is_pair || (word != preprocessing_words.end() && each == *word)) {
      ++i;
    } else if (word == preprocessing_words.end()) {
      kept.push_back(each);
    }
  }
  return kept;
}

std::vector<std::string> common_words(const cpu_compiler& with) {
  return {with.file, "-std=c++17", "-fPIC", "-fdiagnostics-color=always"};
}

void append(std::vector<std::string>& to, const std::vector<std::string>& words) {
  to.insert(to.end(), words.begin(), words.end());
}

}  // namespace

command preprocess_command(const cpu_compiler& with, const user_program_compilation& how, const std::string& source,
                           const std::string& result, const std::string& rule) {
  std::vector<std::string> words = common_words(with);
  append(words, {"-E", "-DWARPZ_PROGRAM", "-isystem", toolchain_part("device", option), "-isystem",
                 toolchain_part("simt/include", option), "-MD", "-MF", rule});
  // What is inlined into kernels is not the same in instrumented code (simt/lane.hpp).
  if (how.instrumented) append(words, {"-fsanitize=thread"});
  append(words, how.flags);
  append(words, {"-o", result, "-x", "c++", source});
  return {words, {}};
}

std::vector<command> user_program_object_commands(const cpu_compiler& with, const user_program_compilation& how,
                                                  std::string_view macros, const std::string& source,
                                                  const std::string& result) {
  std::vector<std::string> words = common_words(with);
  // Kernels compare threadIdx with an int, and have pragmas for other compilers. A large local array must not jump over
  // the page that guards a lane's stack.
  append(words, {"-g1", "-Wall", "-Wno-sign-compare", "-Wno-unknown-pragmas", "-fstack-clash-protection",
                 how.instrumented ? "-O1" : "-O2"});
  // A compiler that sees a null pointer launched would take the access for one that never happens. And the program's
  // functions are its own, whatever else the process has by their names.
  append(words, {"-fno-delete-null-pointer-checks", "-fno-semantic-interposition"});
  if (is_clang(macros)) append(words, {"-Wno-unused-command-line-argument"});
  // Findings name files as the user did.
  std::error_code failed;
  append(words, {fmt::format("-fdebug-prefix-map={}=.", std::filesystem::current_path(failed).string())});
  const std::vector<std::string> flags = after_preprocessing(how.flags);
  append(words, flags);
  // Whatever the user hides, main has to be found.
  append(words, {"-fvisibility=default", "-c", "-x", "c++-cpp-output", source});
  if (!how.instrumented) {
    add_sanitizers(words);
    append(words, {"-o", result});
    return {{words, {}}};
  }
  std::vector<std::string> later = {with.file, "-fPIC", "-g1", "-fdiagnostics-color=always"};
  // The language is none any more.
  std::copy_if(flags.begin(), flags.end(), std::back_inserter(later),
               [](std::string_view each) { return !each.starts_with("-std="); });
  // Behind the user's flags: without these, nothing would be found.
  return instrumented_object_commands(words, later, result, macros);
}

command user_program_link_command(const cpu_compiler& with, const user_program_compilation& how,
                                  std::span<const std::string> objects, const std::string& result) {
  std::vector<std::string> words = {with.file, "-shared", "-Wl,-Bsymbolic", "-o", result};
  if (how.instrumented) append(words, {toolchain_part("red-zone.o", option)});
  words.insert(words.end(), objects.begin(), objects.end());
  append(words, after_preprocessing(how.flags));
  if (how.instrumented) add_instrumentation_link(words);
  add_sanitizers(words);
  add_linker(words);
  return {words, {}};
}

}  // namespace warpz
