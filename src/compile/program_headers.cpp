// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compile/program_headers.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include "compile/cache_key.hpp"
#include "compile/compiler_runner.hpp"
#include "compile/precompiled_header.hpp"
#include "source/source_beginning.hpp"

namespace warpz {
namespace {

namespace fs = std::filesystem;

/// What a header is compiled with, of what the user has asked for.
struct header_flags {
  std::vector<std::string> words;
  std::vector<std::string> folders;  ///< that are searched for headers
};

constexpr std::array<std::string_view, 4> folder_flags{"-I", "-isystem", "-iquote", "-idirafter"};
constexpr std::array<std::string_view, 4> other_flags_with_value{"-MF", "-MT", "-MQ", "-L"};
/// What is linked, and what is written for make.
constexpr std::array<std::string_view, 4> flags_of_others{"-l", "-L", "-Wl,", "-M"};
/// What all of a source is compiled with.
constexpr std::array<std::string_view, 7> common_flags{"-O", "-std=", "-W", "-f", "-m", "-g", "-pthread"};
constexpr std::array<std::string_view, 4> refused_flags{"-fplugin", "-fpass-plugin", "-fmodule", "-Wp,"};

template <std::size_t N>
bool begins_with_any(std::string_view word, const std::array<std::string_view, N>& beginnings) {
  return std::any_of(beginnings.begin(), beginnings.end(), [word](auto each) { return word.starts_with(each); });
}

template <std::size_t N>
bool is_among(std::string_view word, const std::array<std::string_view, N>& words) {
  return std::find(words.begin(), words.end(), word) != words.end();
}

/// Nothing where one of them may matter to a header in a way of its own.
std::optional<header_flags> flags_for_header(const std::vector<std::string>& flags) {
  header_flags result;
  for (std::size_t i = 0; i < flags.size(); ++i) {
    const std::string& word = flags[i];
    // In the same word or the next one.
    const auto value_of = [&](std::string_view name) {
      return word.size() > name.size() ? word.substr(name.size()) : i + 1 < flags.size() ? flags[++i] : "";
    };
    const auto* const folder =
        std::find_if(folder_flags.begin(), folder_flags.end(), [&word](auto each) { return word.starts_with(each); });
    if (folder != folder_flags.end()) {
      result.folders.push_back(value_of(*folder));
    } else if (is_among(word, other_flags_with_value)) {
      ++i;
    } else if (word.starts_with("-D")) {
      const std::string macro = value_of("-D");
      if (!is_own_macro(std::string_view(macro).substr(0, macro.find_first_of("=(")))) return {};
    } else if (begins_with_any(word, refused_flags)) {
      return {};
    } else if (begins_with_any(word, common_flags) && !word.starts_with("-Wl,")) {
      result.words.push_back(word);
    } else if (word.starts_with('-') && !begins_with_any(word, flags_of_others)) {
      return {};
    }
  }
  return result;
}

/// Reads a source up to HIP's header, and its own headers on the way.
class beginning_reader {
 public:
  beginning_reader(const cpu_compiler& compiler, const std::vector<std::string>& folders, const temp_dir& work)
      : compiler_(compiler), folders_(folders), work_(work) {}

  bool begins_with_header(const std::string& source) { return read(source, 0) == source_beginning::stop::hip_header; }

 private:
  static constexpr unsigned max_depth = 8;
  using stop = source_beginning::stop;

  stop read(const std::string& file, unsigned depth) {
    if (depth == max_depth) return stop::other;
    const command question{
        {compiler_.file, "-cc1", "-x", "c++", "-print-dependency-directives-minimized-source", source_word(file)}, {}};
    const command_end asked = run_command(work_.command_in(question));
    if (!asked.succeeded()) return stop::other;
    source_beginning beginning(asked.output);
    for (;;) {
      const stop end = beginning.next();
      if (end != stop::other_header && end != stop::hip_header) return end;
      const std::string own = own_header(beginning, file);
      // One of that name in the user's folders is another one.
      if (end == stop::hip_header) return own.empty() ? end : stop::other;
      if (own.empty() && is_of_system(beginning)) continue;
      if (own.empty() || beginning.is_conditional()) return stop::other;
      if (const stop inner = read(own, depth + 1); inner != stop::end) return inner;
    }
  }

  /// The user's file of this name; empty where there is none.
  std::string own_header(const source_beginning& beginning, const std::string& includer) const {
    std::vector<std::string> folders = folders_;
    if (beginning.is_quoted()) folders.insert(folders.begin(), fs::path(includer).parent_path());
    for (const std::string& each : folders) {
      std::error_code failed;
      std::string path = fs::path(each) / beginning.header();
      if (fs::is_regular_file(path, failed)) return path;
    }
    return {};
  }

  /// Whether it is a header of the system's or of warpz's own, by its name: libraries have folders.
  static bool is_of_system(const source_beginning& beginning) {
    const std::string_view name = beginning.header();
    return name.find('/') == name.npos || name.starts_with("sys/") || name.starts_with("hip/");
  }

  const cpu_compiler& compiler_;
  const std::vector<std::string>& folders_;
  const temp_dir& work_;
};

}  // namespace

program_headers::program_headers(const std::string& cache_folder, const temp_dir& work)
    : cache_(compiler_cache(cache_folder)), has_cache_(!cache_folder.empty()), work_(work) {}

std::string program_headers::header_for(const user_program_compilation& common, source_language language,
                                        code_side side, const std::string& source) {
  if (!has_cache_ || is_of_host_alone(language)) return {};
  const std::optional<header_flags> flags = flags_for_header(common.flags);
  if (!flags) return {};
  user_program_compilation wanted = common;
  wanted.flags = flags->words;
  cache_key key("program header");
  key.add(common.compiler.identity);
  key.add(compiler_environment());
  key.add(user_program_header_command(wanted, language, side, {"result", "depfile"}));
  std::shared_future<std::string> header;
  std::shared_future<bool> has_header;
  {
    const std::lock_guard lock(one_thread_);
    // Both sides of a source ask, and every source for one header.
    if (language == source_language::hip && !sources_.contains(source)) {
      const auto read = [compiler = common.compiler, folders = flags->folders, source, this] {
        return beginning_reader(compiler, folders, work_).begins_with_header(source);
      };
      sources_[source] = std::async(std::launch::async, read).share();
    }
    if (language == source_language::hip) has_header = sources_[source];
  }
  if (has_header.valid() && !has_header.get()) return {};
  {
    const std::lock_guard lock(one_thread_);
    std::shared_future<std::string>& made = headers_[key.text()];
    if (!made.valid()) {
      const std::string name = fmt::format("header-{}", headers_.size());
      const precompiled_files files{work_.file(name + ".pch"), work_.file(name + ".depfile")};
      made =
          prepare_header(cache_, key.text(), user_program_header_command(wanted, language, side, files), files, work_)
              .share();
    }
    header = made;
  }
  return header.get();
}

mended_compilation compile_object(const compiler_runner& runner, const temp_dir& work, program_headers& headers,
                                  const user_program_compilation& common, source_language language, code_side side,
                                  const object_files& files) {
  const command job = user_program_object_command(common, language, side, files);
  if (const std::string header = headers.header_for(common, language, side, files.source); !header.empty()) {
    const command_end ended = runner.run_to_end(with_header(job, header));
    if (ended.succeeded() || ended.end != command_end::cause::exited) return {ended};
  }
  return run_mended(runner, work, job);
}

}  // namespace warpz
