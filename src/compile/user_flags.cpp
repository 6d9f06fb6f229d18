// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compile/user_flags.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <span>
#include <string_view>
#include <utility>

#include "error.hpp"
#include "source/source_beginning.hpp"
#include "system/file_content.hpp"
#include "text/printable.hpp"

namespace warpz {
namespace {

// Options of Clang and its linkers. A value is in the same word or the next one.
/// What is made instead of a program.
constexpr std::string_view refused_words[] = {"-c",         "-S",           "-E",
                                              "-M",         "-MM",          "--compile",
                                              "--assemble", "--preprocess", "--dependencies",
                                              "-emit-ast",  "-emit-llvm",   "--user-dependencies",
                                              "-###",       "-help",        "-fsyntax-only",
                                              "--version",  "--analyze",    "--analyzer-output"};
/// What is written, and where; and files that hold further options.
constexpr std::string_view refused_beginnings[] = {"-o",
                                                   "--output",
                                                   "-x",
                                                   "--language",
                                                   "-MF",
                                                   "-MJ",
                                                   "-dump",
                                                   "-auxbase",
                                                   "-aux-info",
                                                   "-save-temps",
                                                   "--save-temps",
                                                   "-serialize-diag",
                                                   "--serialize-diag",
                                                   "-fdump-",
                                                   "-fopt-info-",
                                                   "-foptimization-record-file",
                                                   "-ftime-trace=",
                                                   "-fdiagnostics-format=sarif-file",
                                                   "-fdiagnostics-format=json-file",
                                                   "-fdiagnostics-add-output",
                                                   "-fdiagnostics-set-output",
                                                   "-fcrash-diagnostics-dir",
                                                   "-fproc-stat-report=",
                                                   "-fmodule-output",
                                                   "-fmodules-cache-path",
                                                   "-index-store-path",
                                                   "-gen-cdb-fragment-path",
                                                   "-specs",
                                                   "--specs",
                                                   "--config",
                                                   "--help",
                                                   "-print-",
                                                   "--print-",
                                                   "-wrapper"};
/// What is refused among words for the preprocessor, the assembler and the linker: -Wl,-z,now,-ofile.
constexpr std::string_view refused_passed_on[] = {"@",
                                                  "-o",
                                                  "--output",
                                                  "-M",
                                                  "--M",
                                                  "-dependency-file",
                                                  "--dependency-file",
                                                  "-out-implib",
                                                  "--out-implib",
                                                  "-reproduce",
                                                  "--reproduce",
                                                  "-time-trace",
                                                  "--time-trace",
                                                  "--print-symbol-counts",
                                                  "--lto-obj-path",
                                                  "-plugin-opt",
                                                  "--plugin-opt"};
/// The next word is passed on.
constexpr std::string_view passing_on[] = {"-Xlinker", "-Xpreprocessor", "-Xassembler", "-Xclang", "--for-linker"};

bool is_among(std::string_view word, std::span<const std::string_view> list) {
  return std::find(list.begin(), list.end(), word) != list.end();
}

bool begins_with_any(std::string_view word, std::span<const std::string_view> beginnings) {
  return std::any_of(beginnings.begin(), beginnings.end(), [word](auto each) { return word.starts_with(each); });
}

bool writes_passed_on(std::string_view word) {
  // The assembler's listing: -aln=file.
  return begins_with_any(word, refused_passed_on) || (word.starts_with("-a") && word.find('=') != word.npos);
}

bool writes(std::string_view flag) {
  constexpr std::string_view with_commas[] = {"-Wl,", "-Wp,", "-Wa,", "--for-linker="};
  if (!begins_with_any(flag, with_commas)) {
    return is_among(flag, refused_words) || begins_with_any(flag, refused_beginnings);
  }
  for (std::size_t end = flag.find_first_of(",="); end != flag.npos; end = flag.find(',', end + 1)) {
    if (writes_passed_on(flag.substr(end + 1))) return true;
  }
  return false;
}

void check(const std::vector<std::string>& flags) {
  for (std::size_t i = 0; i < flags.size(); ++i) {
    const bool is_passed_on = i > 0 && is_among(flags[i - 1], passing_on);
    if (!(is_passed_on ? writes_passed_on(flags[i]) : writes(flags[i]))) continue;
    throw error(exit_code::bad_input,
                fmt::format("--cxxflags: {}{} is not possible with --run",
                            is_passed_on ? printable(flags[i - 1]) + " " : "", printable(flags[i])),
                "It takes what changes how a file is compiled or what it is linked with: -I, -D, -std=c++20, -l.");
  }
}

}  // namespace

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

std::vector<std::string> without_option_files(std::span<const std::string> flags, unsigned depth) {
  constexpr unsigned max_depth = 20;
  std::vector<std::string> all;
  for (const std::string& each : flags) {
    const auto text = each.starts_with("@") ? os::content_of(each.substr(1)) : std::nullopt;
    if (!text) {
      all.push_back(each);
      continue;
    }
    if (depth == max_depth) {
      throw error(exit_code::bad_input, fmt::format("{}, a file of options, includes itself", printable(each)));
    }
    const std::vector<std::string> inner = without_option_files(option_words(*text), depth + 1);
    all.insert(all.end(), inner.begin(), inner.end());
  }
  return all;
}

std::vector<std::string> checked_flags(const std::vector<std::string>& flags) {
  std::vector<std::string> single;
  for (const std::string& each : flags) {
    // A blank alone may be one of a folder's name or of a macro's text.
    if (each.starts_with('-') && each.find(" -") != std::string::npos) {
      const std::vector<std::string> several = option_words(each);
      single.insert(single.end(), several.begin(), several.end());
    } else if (!each.empty()) {
      single.push_back(each);
    }
  }
  std::vector<std::string> all = without_option_files(single);
  check(all);
  return all;
}

bool is_linked_file(const std::filesystem::path& file) {
  constexpr std::string_view extensions[] = {".o", ".obj", ".a", ".so", ".lo"};
  return is_among(file.extension().native(), extensions) || file.filename().native().find(".so.") != std::string::npos;
}

std::vector<std::string> without_linked_files(std::span<const std::string> flags) {
  constexpr std::string_view with_value[] = {"-D",       "-I",      "-L",         "-MF",      "-MQ",     "-MT",
                                             "-isystem", "-iquote", "-idirafter", "-include", "-Xclang", "-Xlinker"};
  std::vector<std::string> kept;
  for (const std::string& each : flags) {
    const bool is_value = !kept.empty() && is_among(kept.back(), with_value);
    if (is_value || each.starts_with('-') || !is_linked_file(each)) kept.push_back(each);
  }
  return kept;
}

bool is_for_compiling(const std::string& flag) {
  constexpr std::string_view beginnings[] = {"-D", "-I", "-O", "-W", "-std="};
  return flag.size() > 2 && begins_with_any(flag, beginnings) && !flag.starts_with("-Wl,");
}

bool names_linked_file(const std::string& flag) {
  return !flag.starts_with("-") || flag.starts_with("-l") || flag.starts_with("-Wl,") || flag == "-Xlinker";
}

std::optional<header_flags> flags_for_header(const std::vector<std::string>& flags) {
  constexpr std::string_view folder_flags[] = {"-I", "-isystem", "-iquote", "-idirafter"};
  constexpr std::string_view with_value[] = {"-MF", "-MT", "-MQ", "-L"};
  // What is linked, and what is written for make.
  constexpr std::string_view of_others[] = {"-l", "-L", "-Wl,", "-M"};
  // What all of a source is compiled with.
  constexpr std::string_view common[] = {"-O", "-std=", "-W", "-f", "-m", "-g", "-pthread"};
  constexpr std::string_view refused[] = {"-fplugin", "-fpass-plugin", "-fmodule", "-Wp,"};
  header_flags result;
  for (std::size_t i = 0; i < flags.size(); ++i) {
    const std::string& word = flags[i];
    // In the same word or the next one.
    const auto value_of = [&](std::string_view name) {
      return word.size() > name.size() ? word.substr(name.size()) : i + 1 < flags.size() ? flags[++i] : "";
    };
    const auto* const folder = std::find_if(std::begin(folder_flags), std::end(folder_flags),
                                            [&word](auto each) { return word.starts_with(each); });
    if (folder != std::end(folder_flags)) {
      result.folders.push_back(value_of(*folder));
    } else if (is_among(word, with_value)) {
      ++i;
    } else if (word.starts_with("-D")) {
      const std::string macro = value_of("-D");
      if (!is_own_macro(std::string_view(macro).substr(0, macro.find_first_of("=(")))) return {};
    } else if (begins_with_any(word, refused)) {
      return {};
    } else if (begins_with_any(word, of_others) || !word.starts_with('-')) {
      continue;
    } else if (begins_with_any(word, common)) {
      result.words.push_back(word);
    } else {
      return {};
    }
  }
  return result;
}

}  // namespace warpz
