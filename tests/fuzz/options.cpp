// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The command line. An input is its words, one a line; a word that begins with a byte of 1 has in the next byte which
// option it begins with, so that options need not be spelled to be tried. A zero byte stands for a line's end in a
// word.
#include <algorithm>

#include "cli/option_table.hpp"
#include "fuzz/fuzz_support.hpp"
#include "input/size_limit.hpp"

namespace {

using namespace warpz;
using words = std::vector<std::string>;

// One of each kind: to the parser all others are like one of these.
constexpr puzzle plain{.number = 1, .flag = "neighbor", .kernel = "neighbor", .summary = "takes no more than numbers"};
constexpr puzzle with_pivot{.number = 2,
                            .flag = "partition",
                            .kernel = "partition",
                            .shared_kernel = "partition_shared",
                            .summary = "takes a pivot, and has both variants",
                            .documented_pivot = 3.0F};
constexpr puzzle with_shape{.number = 3,
                            .flag = "tiled-matmul",
                            .kernel = "tiled_matmul",
                            .summary = "takes a shape",
                            .documented_shape = matrix_shape{4, 4, 4}};
const puzzle_registration registrations[] = {puzzle_registration(plain), puzzle_registration(with_pivot),
                                             puzzle_registration(with_shape)};

const std::vector<option_row>& table() {
  static const std::vector<option_row> rows = option_table();
  return rows;
}

words words_of(std::string_view text) {
  words list;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    std::string word(text.substr(0, end));
    if (word.size() >= 2 && word[0] == 1) {
      const option_row& row = table()[static_cast<unsigned char>(word[1]) % table().size()];
      word.replace(0, 2, "--" + std::string(row.name));
    }
    std::replace(word.begin(), word.end(), '\0', '\n');
    list.push_back(word);
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return list;
}

struct outcome {
  std::optional<std::string> told;
  options asked;
};

outcome parsed(const words& list) {
  std::vector<const char*> arguments{"warpz"};
  for (const std::string& word : list) arguments.push_back(word.c_str());
  outcome found;
  found.told = fuzz::complaint([&] { found.action = parse(static_cast<int>(arguments.size()), arguments.data()); });
  return found;
}

const option_row* row_of(std::string_view name) {
  const auto row = std::find_if(table().begin(), table().end(), [name](const auto& each) { return each.name == name; });
  return row == table().end() ? nullptr : &*row;
}

/// The same with `--name=value` as two words. The words of a whole program, and what follows --, mean themselves.
words without_equals_signs(const words& list) {
  words made;
  bool own = true;
  for (const std::string& word : list) {
    if (word == "--" || word == "--cxxflags" || word.starts_with("--run")) own = false;
    const std::size_t sign = word.find('=');
    const bool option = own && word.starts_with("--") && sign != std::string::npos;
    const option_row* const row = option ? row_of(std::string_view(word).substr(2, sign - 2)) : nullptr;
    if (row != nullptr && row->kind != value_kind::none) {
      made.push_back(word.substr(0, sign));
      made.push_back(word.substr(sign + 1));
    } else {
      made.push_back(word);
    }
  }
  return made;
}

void check_values(const options& asked) {
  using fuzz::require;
  require(!asked.size || (*asked.size >= 1 && *asked.size <= max_elements), "--size is within its bounds");
  require(!asked.pivot || !std::isnan(*asked.pivot), "--pivot is a number");
  require(asked.settings.timeout_seconds >= 0.001 && asked.settings.timeout_seconds <= 86400,
          "--timeout is within its bounds");
  require(!asked.warp_size || *asked.warp_size == 32 || *asked.warp_size == 64, "--warp-size is one");
  require(!asked.schedules || (*asked.schedules >= 1 && *asked.schedules <= 10000), "--schedules is within its bounds");
  require(asked.findings_limit >= 1 && asked.findings_limit <= 256, "--findings-limit is within its bounds");
  require(!asked.shape || (asked.shape->m >= 1 && asked.shape->n >= 1 && asked.shape->k >= 1), "--shape is positive");
  for (const auto& name : {asked.input, asked.kernel, asked.entry, asked.compiler, asked.module, asked.output,
                           asked.junit, asked.sarif, asked.suppress})
    require(!name || !name->empty(), "no name is empty");
}

void check_sense(const options& asked) {
  using fuzz::require;
  if (asked.nothing_asked) return;
  const bool run = asked.action == action::run;
  require(run != asked.puzzles.empty(), "puzzles are there where they are run");
  require(std::count(asked.puzzles.begin(), asked.puzzles.end(), nullptr) == 0, "puzzles are known ones");
  require((asked.action == action::program) != asked.program.empty(), "a program's files are there where it is run");
  require(asked.action == action::program || asked.program_flags.empty(), "flags belong to a program");
  require(!(asked.input && asked.seed) && !(asked.size && asked.shape), "the data come from one place");
  require(!(asked.kernel && asked.module), "the kernels come from one place");
  require(!asked.entry || asked.kernel, "an entry belongs to a kernel");
  require(!asked.both_warp_sizes || !asked.warp_size, "both sizes are not one");
  if (asked.action != action::run && asked.action != action::program) return;
  require(!asked.quiet || !asked.full, "little and all are not printed at once");
  require(asked.format == output_format::text || !(asked.quiet || asked.full || asked.emoji), "JSON is JSON");
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const words list = words_of(fuzz::text_of(data, size));
  const outcome first = parsed(list);
  if (first.told) return 0;
  check_values(first.action);
  check_sense(first.action);
  const words split = without_equals_signs(list);
  if (split == list) return 0;
  const outcome other = parsed(split);
  fuzz::require(!other.told && other.action == first.action, "--name=value is --name value", other.told.value_or(""));
  return 0;
}
