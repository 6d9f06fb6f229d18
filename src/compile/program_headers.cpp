// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compile/program_headers.hpp"

#include <cstdlib>
#include <filesystem>
#include <optional>
#include <sstream>
#include <string_view>
#include <utility>
#include <vector>

#include "compile/cache_key.hpp"
#include "compile/compiler_runner.hpp"
#include "compile/precompiled_header.hpp"
#include "compile/user_flags.hpp"
#include "source/source_beginning.hpp"

namespace warpz {
namespace {

namespace fs = std::filesystem;

/// The folders that the compiler searches for headers before warpz's own.
std::vector<std::string> searched_folders(const header_flags& flags) {
  std::vector<std::string> folders = flags.folders;
  for (const char* const name : {"CPATH", "CPLUS_INCLUDE_PATH"}) {
    const char* const value = std::getenv(name);
    std::istringstream list(value != nullptr ? value : "");
    for (std::string folder; std::getline(list, folder, ':');) folders.push_back(folder.empty() ? "." : folder);
  }
  return folders;
}

/// Reads a source up to HIP's header, and its own headers on the way.
class beginning_reader {
 public:
  beginning_reader(const cpu_compiler& compiler, std::vector<std::string> folders, const temp_dir& work)
      : compiler_(compiler), folders_(std::move(folders)), work_(work) {}

  bool begins_with_header(const std::string& source) { return read(source, 0) == source_beginning::stop::hip_header; }

 private:
  static constexpr unsigned max_depth = 8;
  using stop = source_beginning::stop;

  stop read(const std::string& file, unsigned depth) {
    if (depth == max_depth) return stop::other;
    const command question{
        {compiler_.file, "-cc1", "-x", "c++", "-print-dependency-directives-minimized-source", source_word(file)}, {}};
    const command_end asked = run_command(work_.command_in(question));
    if (!asked.succeeded() || asked.output.size() >= max_output) return stop::other;
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
  const std::vector<std::string> folders_;
  const temp_dir& work_;
};

}  // namespace

program_headers::program_headers(const std::string& cache_folder, const temp_dir& work)
    : cache_(compiler_cache(cache_folder)), has_cache_(!cache_folder.empty()), work_(work) {}

template <class Value>
Value program_headers::once(results<Value>& all, const std::string& key, const std::function<Value()>& make) {
  std::shared_future<Value> result;
  {
    const std::lock_guard lock(one_thread_);
    std::shared_future<Value>& known = all[key];
    // Who asks first makes it, and others wait for that.
    if (!known.valid()) known = std::async(std::launch::deferred, make).share();
    result = known;
  }
  return result.get();
}

std::string program_headers::header_for(const user_program_compilation& common, source_language language,
                                        code_side side, const std::string& source) {
  if (!has_cache_ || is_of_host_alone(language)) return {};
  const std::optional<header_flags> flags = flags_for_header(common.flags);
  if (!flags) return {};
  // CUDA's header comes before all sources.
  const bool comes_first =
      language == source_language::cuda || once<bool>(sources_, source, [&] {
        return beginning_reader(common.compiler, searched_folders(*flags), work_).begins_with_header(source);
      });
  if (!comes_first) return {};
  user_program_compilation wanted = common;
  wanted.flags = flags->words;
  cache_key key("program header");
  key.add(common.compiler.identity);
  key.add(compiler_environment());
  key.add(user_program_header_command(wanted, language, side, {"result", "depfile"}));
  return once<std::string>(headers_, key.text(), [&] {
    const std::string name = "header-" + fingerprint(key.text());
    const precompiled_files files{work_.file(name + ".pch"), work_.file(name + ".depfile")};
    const command making = user_program_header_command(wanted, language, side, files);
    return prepare_header(cache_, key.text(), making, files, work_).get();
  });
}

mended_compilation compile_object(const compiler_runner& runner, const temp_dir& work, program_headers& headers,
                                  const user_program_compilation& common, source_language language, code_side side,
                                  const object_files& files) {
  const command job = user_program_object_command(common, language, side, files);
  command_end ended;
  if (const std::string header = headers.header_for(common, language, side, files.source); !header.empty()) {
    ended = runner.run_to_end(with_header(job, header));
    if (ended.succeeded() || ended.end != command_end::cause::exited) return {ended};
  }
  return run_mended(runner, work, job, {}, ended);
}

}  // namespace warpz
