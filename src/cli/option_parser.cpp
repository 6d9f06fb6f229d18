// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "cli/option_parser.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "cli/refusal.hpp"

namespace warpz {
namespace {

// More than a command line has.
constexpr int any_number = 1 << 20;

/// The value may have been an empty variable of a script.
void check_equals_sign(const option_row& row, std::string_view value) {
  if (row.kind == value_kind::none) refuse(fmt::format("--{} takes no value", row.name));
  if (value.empty()) refuse_missing_value(row);
}

/// Where CLI11 takes a value for what it is.
void check_word(const option_row& row, const std::string& text) {
  const bool is_file = row.kind == value_kind::file || row.kind == value_kind::files;
  if (text.empty() && row.kind != value_kind::choice)
    refuse(fmt::format("--{} is given an empty {}", row.name, is_file ? "file name" : "text"));
  if (is_file && text == "-" && !row.reads_standard_input)
    refuse(fmt::format("--{} takes the name of a file, not '-'", row.name), "A file of that name is ./-");
}

}  // namespace

option_parser::option_parser(std::span<const option_row> table, options& command)
    : table_(table), command_(command), known_(table.size()) {
  app_.set_help_flag();
  app_.allow_extras();
  // CLI11 has the values stored in this order: these two come before any value is checked.
  app_.add_flag_callback("--help", [] { throw CLI::CallForHelp(); });
  app_.add_flag_callback("--version", [] { throw CLI::CallForVersion("", 0); });
}

CLI::Option* option_parser::add(const option_row& row) {
  const std::string name = fmt::format("--{}", row.name);
  if (row.starts == action::help || row.starts == action::version) return app_.get_option(name);
  const auto store = [this, &row](const CLI::results_t& values) {
    for (const std::string& each : values)
      if (row.store != nullptr) row.store(command_, row, row.kind == value_kind::none ? "" : each);
    return true;
  };
  CLI::Option* const option = app_.add_option(name, store);
  option->multi_option_policy(CLI::MultiOptionPolicy::TakeLast);
  // Puzzles run in the order given, and as often.
  if (row.kind == value_kind::none) option->expected(0)->trigger_on_parse();
  if (!row.implied.empty()) option->expected(0, 1)->default_str(std::string(row.implied));
  if (row.kind == value_kind::files) option->expected(1, any_number);
  if (row.kind == value_kind::files || row.kind == value_kind::rest)
    option->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
  if (row.kind == value_kind::none) return option;
  option->check([this, &row](const std::string& value) {
    const std::string spelled = value.substr(0, value.find('='));
    const option_row* const other = find_option(table_, spelled);
    if (other != nullptr && row.kind != value_kind::rest)
      refuse_missing_value(row, other->kind == value_kind::rest ? spelled : value);
    check_word(row, value);
    return std::string();
  });
  return option;
}

command_words split_words(std::vector<std::string> words, std::span<const option_row> table) {
  command_words split;
  const auto mark = std::find(words.begin(), words.end(), end_of_options);
  if (mark != words.end()) split.arguments.assign(std::next(mark), words.end());
  words.erase(mark, words.end());
  for (auto word = words.begin(); word != words.end(); ++word) {
    const std::size_t sign = word->find('=');
    const option_row* const row = find_option(table, std::string_view(*word).substr(0, sign));
    if (row != nullptr && sign != std::string::npos) check_equals_sign(*row, std::string_view(*word).substr(sign + 1));
    if (row == nullptr || sign != std::string::npos) {
      split.own.push_back(std::move(*word));
      continue;
    }
    // CLI11 would take -help for -h -e -l -p, if it knew -h.
    const std::string name = fmt::format("--{}", row->name);
    const auto next = std::next(word);
    if (row->kind != value_kind::rest || next == words.end()) {
      split.own.push_back(name);
      continue;
    }
    for (auto flag = next; flag != words.end(); ++flag) {
      // An empty variable of a script adds no flag.
      if (flag->empty()) continue;
      check_word(*row, *flag);
      split.own.push_back(fmt::format("{}={}", name, *flag));
    }
    break;
  }
  return split;
}

std::optional<action> option_parser::parse(const std::vector<std::string>& own) {
  std::optional<action> at_once;
  std::vector<bool> is_named(table_.size());
  for (const std::string& word : own) {
    const option_row* const row = find_option(table_, std::string_view(word).substr(0, word.find('=')));
    if (row != nullptr) is_named[static_cast<std::size_t>(row - table_.data())] = true;
  }
  // CLI11 compares a new option with each that it knows: to add all of them takes longer than most kernels.
  for (std::size_t i = 0; i < table_.size(); ++i) {
    if (is_named[i]) known_[i] = add(table_[i]);
  }
  try {
    std::vector<std::string> reversed(own.rbegin(), own.rend());
    app_.parse(reversed);
  } catch (const CLI::CallForHelp&) {
    at_once = action::help;
  } catch (const CLI::CallForVersion&) {
    at_once = action::version;
  } catch (const CLI::ArgumentMismatch& problem) {
    // Any word is taken as a value, so only the last option can be without.
    const std::string_view spelled = std::string_view(own.back()).substr(0, own.back().find('='));
    const option_row* const last = find_option(table_, spelled);
    if (last == nullptr) refuse(problem.what());
    refuse_missing_value(*last);
  } catch (const CLI::ParseError& problem) {
    refuse(problem.what());
  }
  check_left_over();
  return at_once;
}

void option_parser::check_left_over() const {
  for (const std::string& word : app_.remaining(true)) refuse_word(word, word.size() > 1 && word[0] == '-', table_);
}

std::vector<given_option> option_parser::given() const {
  std::vector<given_option> list;
  std::vector<bool> is_listed(table_.size());
  for (const CLI::Option* const option : app_.parse_order()) {
    const auto place = static_cast<std::size_t>(std::find(known_.begin(), known_.end(), option) - known_.begin());
    if (is_listed[place]) continue;
    is_listed[place] = true;
    const option_row& row = table_[place];
    list.push_back({&row, row.kind == value_kind::none ? CLI::results_t() : option->reduced_results()});
  }
  return list;
}

}  // namespace warpz
