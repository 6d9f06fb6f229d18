// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compile/driver_options.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "compile/gpu_options.hpp"
#include "compile/user_flags.hpp"
#include "error.hpp"
#include "text/printable.hpp"

namespace warpz {
namespace {

namespace fs = std::filesystem;

/// nvcc's words for what Clang has, too.
struct other_name {
  std::string_view name, clangs;
};
constexpr other_name other_names[] = {{"--compile", "-c"},
                                      {"-dc", "-c"},
                                      {"--device-c", "-c"},
                                      {"-dw", "-c"},
                                      {"--device-w", "-c"},
                                      {"--preprocess", "-E"},
                                      {"--shared", "-shared"},
                                      {"--debug", "-g"},
                                      {"-G", "-g"},
                                      {"--device-debug", "-g"},
                                      {"--verbose", "-v"},
                                      {"--disable-warnings", "-w"},
                                      {"-lib", "--lib"},
                                      {"--generate-dependencies", "-M"},
                                      {"--generate-dependencies-with-compile", "-MD"},
                                      {"--generate-nonsystem-dependencies", "-MM"},
                                      {"--generate-nonsystem-dependencies-with-compile", "-MMD"}};

/// The same for options with a value, which is behind an equals sign or the next word, and behind Clang's own.
constexpr other_name other_names_with_values[] = {{"--output-file", "-o"},
                                                  {"--include-path", "-I"},
                                                  {"--system-include", "-isystem"},
                                                  {"-isystem", "-isystem"},
                                                  {"--pre-include", "-include"},
                                                  {"--library-path", "-L"},
                                                  {"--library", "-l"},
                                                  {"--define-macro", "-D"},
                                                  {"--undefine-macro", "-U"},
                                                  {"--optimize", "-O"},
                                                  {"--std", "-std="},
                                                  {"-std", "-std="},
                                                  {"--x", "-x"},
                                                  {"--dependency-output", "-MF"},
                                                  {"--dependency-target-name", "-MT"}};

/// Options whose value may be the next word, as Clang has them.
constexpr std::string_view with_next_word[] = {"-I",          "-D",
                                               "-U",          "-L",
                                               "-l",          "-o",
                                               "-x",          "-include",
                                               "-isystem",    "-iquote",
                                               "-MF",         "-MT",
                                               "-MQ",         "-idirafter",
                                               "-mllvm",      "-Xclang",
                                               "-imacros",    "-isysroot",
                                               "-T",          "-u",
                                               "-z",          "-e",
                                               "-target",     "-arch",
                                               "-Xassembler", "-Xpreprocessor",
                                               "--sysroot",   "--param",
                                               "-rpath",      "-iwithprefix",
                                               "-cxx-isystem"};

/// Their value is one word that begins right behind them.
constexpr std::string_view with_joined_value[] = {"-I", "-D", "-U", "-L", "-l", "-o", "-x"};

constexpr std::string_view kinds_of_nvccs_errors[] = {
    "all-warnings",          "cross-execution-space-call", "reorder",
    "default-stream-launch", "ext-lambda-captures-this",   "deprecated-declarations"};

constexpr std::string_view clangs_results[] = {"-E",
                                               "-M",
                                               "-MM",
                                               "-S",
                                               "-###",
                                               "-fsyntax-only",
                                               "-emit-llvm",
                                               "-dumpversion",
                                               "-dumpmachine",
                                               "--help",
                                               "-print-search-dirs"};

constexpr std::string_view code_of_gpus[] = {"-ptx",
                                             "--ptx",
                                             "-cubin",
                                             "--cubin",
                                             "-fatbin",
                                             "--fatbin",
                                             "--genco",
                                             "-optix-ir",
                                             "-cuda",
                                             "--cuda",
                                             "--cuda-device-only",
                                             "--offload-device-only"};

template <class List>
bool is_one_of(std::string_view word, const List& list) {
  return std::find(std::begin(list), std::end(list), word) != std::end(list);
}

bool is_source(std::string_view extension) {
  constexpr std::string_view extensions[] = {".hip", ".cu",  ".cpp", ".cc", ".cxx", ".C",
                                             ".c",   ".c++", ".CPP", ".i",  ".ii"};
  return is_one_of(extension, extensions);
}

class driver_parser {
 public:
  driver_parser(std::string_view program, std::span<const std::string> words)
      : is_nvcc_(fs::path(program).filename() == "nvcc") {
    all_ = without_option_files(with_option_files(words));
    rest_ = all_;
  }

  driver_job parse() {
    while (!rest_.empty()) {
      if (const std::size_t dropped = gpu_option_words(rest_)) {
        rest_ = rest_.subspan(dropped);
      } else {
        take(next());
      }
    }
    if (job_.result == driver_result::objects && job_.output && job_.sources.size() > 1) {
      throw error(exit_code::bad_input, "-o names one file, and -c makes one of each source",
                  "Compile the sources one by one, or without -o.");
    }
    if (job_.sources.empty() && job_.linked.empty() && job_.result != driver_result::clangs_own) {
      throw error(exit_code::bad_input, "no input file is named");
    }
    return std::move(job_);
  }

 private:
  /// nvcc's words for files of options as Clang's.
  static std::vector<std::string> with_option_files(std::span<const std::string> words) {
    std::vector<std::string> all;
    for (const std::string& each : words) {
      const bool is_value = !all.empty() && (all.back() == "--options-file" || all.back() == "-optf");
      if (is_value) all.pop_back();
      all.push_back(is_value ? "@" + each : each);
    }
    return all;
  }

  std::string next() {
    std::string word = rest_.front();
    rest_ = rest_.subspan(1);
    return word;
  }

  std::string value_of(std::string_view option) {
    if (rest_.empty()) {
      throw error(exit_code::bad_input, fmt::format("{} needs a value", printable(std::string(option))));
    }
    return next();
  }

  void take(const std::string& word) {
    if (!word.starts_with('-') || word == "-") return take_file(word);
    if (is_one_of(word, code_of_gpus)) {
      throw error(exit_code::bad_input, fmt::format("{} asks for a GPU's code, and the CPU machine runs none", word),
                  "hipModuleLoad and hiprtc compile sources while the program runs: docs/run.md.");
    }
    for (const other_name& each : other_names) {
      if (word == each.name && word != each.clangs) return take(std::string(each.clangs));
    }
    const std::string name = word.substr(0, word.find('='));
    for (const other_name& each : other_names_with_values) {
      if (name != each.name) continue;
      const std::string value = name.size() < word.size() ? word.substr(name.size() + 1) : value_of(name);
      return take_with_value(std::string(each.clangs), value);
    }
    if (name == "-Xcompiler" || name == "--compiler-options") {
      return add_parts(name.size() < word.size() ? word.substr(name.size() + 1) : value_of(name));
    }
    if (name == "-Xlinker" || name == "--linker-options") {
      return add_linked("-Wl," + (name.size() < word.size() ? word.substr(name.size() + 1) : value_of(name)));
    }
    if (name == "-Xarch_host") return job_.host_flags.push_back(value_of(name));
    if (name == "-Werror" && !rest_.empty() && is_one_of(rest_.front(), kinds_of_nvccs_errors)) next();
    if (word == "-Werror=all-warnings") return take("-Werror");
    if (is_one_of(word, with_next_word)) return take_with_value(word, value_of(word));
    for (const std::string_view each : with_joined_value) {
      if (word.starts_with(each)) return take_with_value(std::string(each), word.substr(each.size()));
    }
    take_alone(word);
  }

  void take_with_value(const std::string& option, const std::string& value) {
    if (option == "-o") {
      job_.output = value;
    } else if (option == "-x") {
      language_ = language_named(value);
    } else if (option == "-MF") {
      job_.dependencies_file = value;
    } else if (option == "-MT" || option == "-MQ") {
      job_.dependencies_flags.insert(job_.dependencies_flags.end(), {option, value});
    } else if (option == "-L" || option == "-l") {
      // What nvcc and hipcc link by themselves is in the machine.
      constexpr std::string_view own[] = {"cudart", "cudart_static", "cuda", "cudadevrt", "amdhip64"};
      if (option == "-L" || !is_one_of(value, own)) add_linked(option + value);
    } else if (option == "-T" || option == "-u" || option == "-z" || option == "-e" || option == "-rpath") {
      add_linked(option);
      add_linked(value);
    } else if (option == "-O" || option == "-std=") {
      job_.flags.push_back(option + value);
    } else {
      job_.flags.insert(job_.flags.end(), {option, value});
      const bool is_for_linker = option == "-target" || option == "--sysroot" || option == "-isysroot";
      if (is_for_linker) job_.both_flags.insert(job_.both_flags.end(), {option, value});
    }
  }

  void take_alone(const std::string& word) {
    if (word == "-c") {
      if (job_.result == driver_result::linked) job_.result = driver_result::objects;
    } else if (is_one_of(word, clangs_results) || word.starts_with("-print-") || word.starts_with("--print-")) {
      job_.result = driver_result::clangs_own;
      job_.host_flags.push_back(word);
    } else if (word == "--lib") {
      job_.result = driver_result::archive;
    } else if (word == "-dlink" || word == "--device-link") {
      job_.result = driver_result::device_link;
    } else if (word == "-shared") {
      job_.is_shared = true;
    } else if (word == "-v") {
      job_.has_verbose = true;
    } else if (word == "-MD" || word == "-MMD") {
      job_.writes_dependencies = true;
      job_.dependencies_flags.push_back(word);
    } else if (word == "-MP" || word == "-MG") {
      job_.dependencies_flags.push_back(word);
    } else if (word == "-fPIE" || word == "-fpie") {
      // An executable, too, is a shared object, and is compiled with -fPIC.
    } else if (word == "-rdynamic" || word == "-pie" || word == "-no-pie" || word == "-s" || word.starts_with("-Wl,") ||
               word.starts_with("-static") || word.starts_with("-fuse-ld=")) {
      add_linked(word);
    } else {
      job_.flags.push_back(word);
      // What the linker's side of Clang takes no notice of does not matter.
      if (!word.starts_with("-W") && !word.starts_with("-std=")) job_.both_flags.push_back(word);
    }
  }

  /// What nvcc gives to the host's compiler, with commas between.
  void add_parts(std::string_view parts) {
    while (!parts.empty()) {
      const std::string_view part = parts.substr(0, parts.find(','));
      parts.remove_prefix(std::min(part.size() + 1, parts.size()));
      if (part.empty()) continue;
      job_.host_flags.emplace_back(part);
      job_.both_flags.emplace_back(part);
    }
  }

  void take_file(const std::string& file) {
    if (is_linked_file(file)) return add_linked(file);
    if (!language_ && file != "-" && !is_source(fs::path(file).extension().native())) return add_linked(file);
    job_.linked.push_back({file, job_.sources.size()});
    const source_language language = language_ ? *language_ : language_by_ending(file);
    job_.sources.push_back({file, language, language == source_language::cuda && !language_ && !is_nvcc_});
  }

  source_language language_by_ending(const std::string& file) const {
    if (has_name_of_cuda(file)) return source_language::cuda;
    if (file.ends_with(".c") || file.ends_with(".i"))
      return is_nvcc_ ? source_language::host_of_cuda : source_language::c;
    if (is_nvcc_ && !file.ends_with(".hip")) return source_language::host_of_cuda;
    return file.ends_with(".ii") ? source_language::host : source_language::hip;
  }

  static std::optional<source_language> language_named(std::string_view name) {
    if (name == "none") return {};
    if (name == "hip") return source_language::hip;
    if (name == "cu" || name == "cuda") return source_language::cuda;
    if (name == "c++") return source_language::host;
    if (name == "c") return source_language::c;
    throw error(exit_code::bad_input,
                fmt::format("-x {}: the languages are hip, cu, c++ and c", printable(std::string(name))));
  }

  void add_linked(const std::string& word) { job_.linked.push_back({word}); }

  const bool is_nvcc_;
  std::vector<std::string> all_;
  std::span<const std::string> rest_;
  std::optional<source_language> language_;
  driver_job job_;
};

}  // namespace

bool is_driver_name(std::string_view program) {
  constexpr std::string_view names[] = {"warpz-hipcc", "hipcc", "nvcc", "warpz-clang++"};
  return is_one_of(fs::path(program).filename().native(), names);
}

driver_job parse_driver_words(std::string_view program, std::span<const std::string> words) {
  return driver_parser(program, words).parse();
}

}  // namespace warpz
