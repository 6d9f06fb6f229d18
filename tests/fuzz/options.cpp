// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The command line. An input is its words, one a line; a word that begins with a byte of 1 has in the next byte which
// option it begins with, so that options need not be spelled to be tried. A zero byte stands for a line's end in a
// word.
#include <algorithm>

#include "cli/option_setters.hpp"
#include "cli/option_table.hpp"
#include "fuzz/fuzz_support.hpp"
#include "input/size_limit.hpp"

namespace {

using namespace warpz;
using words = std::vector<std::string>;

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

struct parse_result {
  std::optional<std::string> complaint;
  options command;
};

parse_result parsed(const words& list) {
  std::vector<const char*> arguments{"warpz"};
  for (const std::string& word : list) arguments.push_back(word.c_str());
  parse_result found;
  found.complaint =
      fuzz::complaint([&] { found.command = parse(static_cast<int>(arguments.size()), arguments.data()); });
  return found;
}

const option_row* row_of(std::string_view name) {
  const auto row = std::find_if(table().begin(), table().end(), [name](const auto& each) { return each.name == name; });
  return row == table().end() ? nullptr : &*row;
}

/// The words with `--name=value` as two. Not behind --run, --cxxflags or --, where words may be no options of warpz;
/// nor with what would mean something else by itself: --, and --cxxflags, which takes more words then.
words without_equals_signs(const words& list) {
  words result;
  bool own = true;
  for (const std::string& word : list) {
    if (word == "--" || word == "--cxxflags" || word.starts_with("--run")) own = false;
    const std::size_t sign = word.find('=');
    const bool option = own && word.starts_with("--") && sign != std::string::npos;
    const option_row* const row = option ? row_of(std::string_view(word).substr(2, sign - 2)) : nullptr;
    const bool takes_one = row != nullptr && row->kind != value_kind::none && row->kind != value_kind::rest;
    if (takes_one && word.substr(sign + 1) != "--") {
      result.push_back(word.substr(0, sign));
      result.push_back(word.substr(sign + 1));
    } else {
      result.push_back(word);
    }
  }
  return result;
}

void check_values(const options& command) {
  using fuzz::require;
  require(!command.data.size || (*command.data.size >= 1 && *command.data.size <= max_elements),
          "--size is within its bounds");
  require(!command.data.pivot || !std::isnan(*command.data.pivot), "--pivot is a number");
  require(command.kernel.debugger || command.machine.settings.timeout_seconds >= 0.001,
          "only --debugger has no time limit");
  require(command.machine.settings.timeout_seconds <= 86400, "--timeout is within its bounds");
  require(!command.device.warp_size || *command.device.warp_size == 32 || *command.device.warp_size == 64,
          "--warp-size is one");
  require(!command.machine.schedules || *command.machine.schedules <= setters::max_schedules,
          "--schedules is within its bounds");
  require(command.findings.limit >= 1 && command.findings.limit <= 256, "--findings-limit is within its bounds");
  require(
      !command.data.shape || (command.data.shape->m >= 1 && command.data.shape->n >= 1 && command.data.shape->k >= 1),
      "--shape is positive");
  for (const auto& name :
       {command.data.input, command.kernel.file, command.kernel.entry, command.kernel.compiler, command.kernel.module,
        command.program.output, command.output.junit, command.output.sarif, command.findings.suppress})
    require(!name || !name->empty(), "no name is empty");
}

void check_sense(const options& command) {
  using fuzz::require;
  if (command.nothing_asked) return;
  const bool run = command.action == action::run || command.action == action::benchmark;
  require(run != command.puzzles.empty(), "puzzles are there where they are run");
  require(std::count(command.puzzles.begin(), command.puzzles.end(), nullptr) == 0, "puzzles are known ones");
  require((command.action == action::program) != command.program.files.empty(),
          "a program's files are there where it is run");
  require(!run || command.program.flags.empty(), "flags belong to a program");
  if (!run) return;
  require(!(command.data.input && command.data.seed) && !(command.data.size && command.data.shape),
          "the data come from one place");
  require(!(command.kernel.file && command.kernel.module), "the kernels come from one place");
  require(!command.kernel.entry || command.kernel.file, "an entry belongs to a kernel");
  require(!command.device.both_warp_sizes || !command.device.warp_size, "both sizes are not one");
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const words list = words_of(fuzz::text_of(data, size));
  const parse_result first = parsed(list);
  if (first.complaint) return 0;
  check_values(first.command);
  check_sense(first.command);
  const words split = without_equals_signs(list);
  if (split == list) return 0;
  const parse_result other = parsed(split);
  fuzz::require(!other.complaint && other.command == first.command, "--name=value is --name value",
                other.complaint.value_or(""));
  return 0;
}
