// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compile/instrumentation.hpp"

#include <algorithm>
#include <filesystem>
#include <optional>

#include "compile/toolchain.hpp"
#include "source/constant_arrays.hpp"
#include "source/red_zones.hpp"
#include "source/unset_values.hpp"
#include "system/file_content.hpp"

namespace warpz {
namespace {

constexpr std::string_view intermediate_ending = ".ll", object_ending = ".o";

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
  constexpr std::string_view sanitizers = WARPZ_SANITIZERS;
  if (sanitizers.find("address") != std::string_view::npos) words.emplace_back("-DSIMT_ADDRESS_SANITIZER=1");
}

void add_instrumentation_link(std::vector<std::string>& words) {
  const std::vector<std::string> options = words_in(WARPZ_INSTRUMENTATION_LINK);
  words.insert(words.end(), options.begin(), options.end());
}

std::vector<command> instrumented_object_commands(std::vector<std::string> words, std::vector<std::string> later,
                                                  const std::string& object, std::string_view macros) {
  add_instrumentation(words, macros);
  if (!is_clang(macros)) {
    words.insert(words.end(), {"-o", object});
    return {{words, {}}};
  }
  const std::string intermediate = object.substr(0, object.rfind('.')) + std::string(intermediate_ending);
  // Before anything is optimized away.
  words.insert(words.end(), {"-S", "-emit-llvm", "-Xclang", "-disable-llvm-passes", "-o", intermediate});
  add_instrumentation(later, macros);
  later.insert(later.end(), {"-Qunused-arguments", "-x", "ir", "-c", intermediate, "-o", object});
  return {{words, {}}, {later, {}}};
}

void finish_instrumented(const temp_dir& work, const command& finished) {
  const auto option = std::find(finished.words.begin(), finished.words.end(), "-o");
  if (option == finished.words.end()) return;
  const std::string& file = *std::next(option);
  const bool is_intermediate = file.ends_with(intermediate_ending);
  if (!is_intermediate && !file.ends_with(object_ending)) return;
  std::optional<std::string> content = os::content_of(file);
  if (!content) return;
  const std::string name = std::filesystem::path(file).filename();
  work.write(name, is_intermediate ? with_accessed_constant_arrays(with_unset_values(*content, name))
                                   : with_red_zones(*std::move(content)));
}

}  // namespace warpz
