// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compile/instrumentation.hpp"

#include <algorithm>
#include <filesystem>
#include <optional>
#include <utility>

#include "compile/toolchain.hpp"
#include "source/allocations.hpp"
#include "source/constant_arrays.hpp"
#include "source/launch_limit_checks.hpp"
#include "source/misalignment.hpp"
#include "source/red_zones.hpp"
#include "source/unseen_accesses.hpp"
#include "source/unset_values.hpp"
#include "source/volatile_accesses.hpp"
#include "system/file_content.hpp"

namespace warpz {
namespace {

/// Of the intermediate code, of the options for the last step, and of the object.
constexpr std::string_view intermediate_ending = ".ll", options_ending = ".options", object_ending = ".o";
constexpr std::string_view without_passes = "-Xclang -disable-llvm-passes";

std::string file_beside(const std::string& object, std::string_view ending) {
  return object.substr(0, object.rfind('.')) + std::string(ending);
}

std::vector<std::string> words_in(std::string_view text) {
  std::vector<std::string> words;
  while (!text.empty()) {
    const std::string_view word = text.substr(0, text.find(' '));
    words.emplace_back(word);
    text.remove_prefix(std::min(word.size() + 1, text.size()));
  }
  return words;
}

}  // namespace

void add_instrumentation(std::vector<std::string>& words, std::string_view macros) {
  const std::vector<std::string> options =
      words_in(is_clang(macros) ? WARPZ_INSTRUMENTATION_CLANG : WARPZ_INSTRUMENTATION_GCC);
  words.insert(words.end(), options.begin(), options.end());
  add_sanitizer_macro(words);
}

void add_sanitizer_macro(std::vector<std::string>& words) {
  constexpr std::string_view sanitizers = WARPZ_SANITIZERS;
  if (sanitizers.find("address") != std::string_view::npos) words.emplace_back("-DSIMT_ADDRESS_SANITIZER=1");
}

void add_instrumentation_link(std::vector<std::string>& words) {
  const std::vector<std::string> options = words_in(WARPZ_INSTRUMENTATION_LINK);
  words.insert(words.end(), options.begin(), options.end());
}

std::string intermediate_of(const std::string& object) { return file_beside(object, intermediate_ending); }

std::vector<command> two_step_commands(std::vector<std::string> words, std::vector<std::string> later,
                                       const std::string& object) {
  const std::string intermediate = intermediate_of(object);
  // Before anything is optimized away.
  const std::vector<std::string> unchanged = words_in(without_passes);
  words.insert(words.end(), unchanged.begin(), unchanged.end());
  words.insert(words.end(), {"-S", "-emit-llvm", "-o", intermediate});
  later.insert(later.end(), {"-Qunused-arguments", "-x", "ir", "-c", intermediate, "-o", object});
  return {{words, {}}, {later, {}}};
}

std::vector<command> instrumented_object_commands(std::vector<std::string> words, std::vector<std::string> later,
                                                  const std::string& object, std::string_view macros) {
  add_instrumentation(words, macros);
  if (!is_clang(macros)) {
    words.insert(words.end(), {"-o", object});
    return {{words, {}}};
  }
  const std::string intermediate = intermediate_of(object);
  const std::vector<std::string> unchanged = words_in(without_passes);
  words.insert(words.end(), unchanged.begin(), unchanged.end());
  words.insert(words.end(), {"-S", "-emit-llvm", "-o", intermediate});
  add_instrumentation(later, macros);
  later.insert(later.end(), {"-Qunused-arguments", "-x", "ir", intermediate});
  std::vector<std::string> last = later;
  later.insert(later.end(), {"-S", "-emit-llvm", "-o", intermediate});
  last.insert(last.end(), {"@" + file_beside(object, options_ending), "-c", "-o", object});
  return {{words, {}}, {later, {}}, {last, {}}};
}

std::string result_of(const command& job) {
  const auto option = std::find(job.words.begin(), job.words.end(), "-o");
  return option == job.words.end() ? "" : *std::next(option);
}

bool finish_instrumented(const temp_dir& work, const command& finished) {
  const std::string file = result_of(finished);
  const bool is_object = file.ends_with(object_ending);
  if (!is_object && !file.ends_with(intermediate_ending)) return true;
  const std::optional<std::string> content = os::content_of(file);
  if (!content) return true;
  const std::string name = std::filesystem::path(file).filename();
  if (is_object) {
    work.write(name, with_red_zones(*content));
    return true;
  }
  const bool is_optimized = std::find(finished.words.begin(), finished.words.end(), "ir") != finished.words.end();
  if (is_optimized) {
    work.write(name, with_all_accesses(with_checked_alignment(*content)));
    return true;
  }
  const std::string code = with_accessed_constant_arrays(with_assumed_alignment(
      with_launch_limit_checks(with_volatile_accesses(with_unset_values(with_own_allocations(*content), name)))));
  work.write(name, code);
  const bool has_more = assumes_alignment(code) || may_have_unseen_accesses(code);
  work.write(file_beside(name, options_ending), has_more ? without_passes : "");
  return has_more;
}

}  // namespace warpz
