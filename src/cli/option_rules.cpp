// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "cli/option_rules.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "cli/refusal.hpp"
#include "text/printable.hpp"

namespace warpz {
namespace {

bool has_value(const given_option& one, std::string_view value) {
  return value == any_value ? !is_default(one) : one.value() == value;
}

bool is_given(std::span<const given_option> given, std::string_view name, std::string_view value) {
  return std::any_of(given.begin(), given.end(),
                     [&](const given_option& each) { return each.row->name == name && has_value(each, value); });
}

/// "--quiet", "--color always".
std::string spelling(std::string_view name, std::string_view value) {
  return value == any_value ? fmt::format("--{}", name) : fmt::format("--{} {}", name, value);
}

const conflict* conflict_in(std::span<const conflict> column, const given_option& one,
                            std::span<const given_option> given) {
  const auto found = std::find_if(column.begin(), column.end(), [&](const conflict& each) {
    return has_value(one, each.row_value) && is_given(given, each.option, each.value) &&
           (each.unless.empty() || !is_given(given, each.unless, each.unless_value));
  });
  return found == column.end() ? nullptr : &*found;
}

[[noreturn]] void refuse_conflict(std::string problem, const conflict& found) {
  if (!found.reason.empty()) problem += fmt::format(": {}", found.reason);
  refuse(problem, std::string(found.advice));
}

/// "--kernel FILE".
std::string with_value(std::string_view name, std::span<const option_row> table) {
  const option_row& row = *find_option(table, fmt::format("--{}", name));
  const bool has_to_have_one = !row.takes.empty() && row.implied.empty();
  return has_to_have_one ? fmt::format("--{} {}", name, row.takes) : fmt::format("--{}", name);
}

void check_needs(const given_option& one, std::span<const given_option> given, std::span<const option_row> table) {
  const std::vector<std::string_view> needed = split_at_bars(one.row->needs);
  const auto is_there = [&](std::string_view name) { return is_given(given, name, any_value); };
  if (needed.empty() || std::any_of(needed.begin(), needed.end(), is_there)) return;
  std::vector<std::string> shown;
  shown.reserve(needed.size());
  for (const std::string_view each : needed) shown.push_back(with_value(each, table));
  refuse(fmt::format("--{} works only with {}", one.row->name, fmt::join(shown, " or ")));
}

/// An option among the words of another one that takes all up to `--`. Clang has no option of these names.
void check_rest(const given_option& one, std::span<const option_row> table) {
  if (one.row->kind != value_kind::rest) return;
  for (const std::string& word : one.values) {
    const option_row* const swallowed =
        word.starts_with("--") ? find_option(table, word.substr(0, word.find('='))) : nullptr;
    if (swallowed == nullptr || swallowed->name == "help" || swallowed->name == "version") continue;
    refuse(fmt::format("--{0} stands behind --{1}, where all words up to -- are for the compiler", swallowed->name,
                       one.row->name),
           fmt::format("Put it in front of --{}.", one.row->name));
  }
}

/// The option because of which another one, which these actions use, does nothing.
std::string_view cause_of(action chosen, unsigned users, const option_row* first) {
  if (chosen == action::latency && (users & with_benchmark) != 0) return "bench latency";
  if ((with_any_bench & set_of(chosen)) != 0) return "bench";
  return first == nullptr ? "kernel" : first->name;
}

}  // namespace

bool is_default(const given_option& one) {
  return one.row->kind != value_kind::none && one.value() == one.row->without.substr(0, one.row->without.find(','));
}

void check_action(std::span<const given_option> given, const options& command) {
  const option_row* first = nullptr;
  for (const given_option& one : given) {
    if (!one.row->starts) continue;
    if (first == nullptr) first = one.row;
    if (first->starts != one.row->starts)
      refuse(fmt::format("--{} and --{} cannot be combined", first->name, one.row->name));
  }
  const bool runs_code = ((with_code | with_any_bench) & set_of(command.action)) != 0;
  for (const given_option& one : given) {
    const unsigned users = one.row->used_by | (one.row->starts ? set_of(*one.row->starts) : 0);
    // Without a run an option can do no harm, but a script would wait for a file that is not written.
    const bool is_used = runs_code ? (users & set_of(command.action)) != 0 : !one.row->is_written;
    if (is_used || is_default(one)) continue;
    if (users == with_program) refuse(fmt::format("--{} works only with --run FILE", one.row->name));
    refuse(fmt::format("--{} does nothing with --{}", one.row->name, cause_of(command.action, users, first)));
  }
}

void check_combinations(std::span<const given_option> given, std::span<const option_row> table) {
  for (const given_option& one : given) {
    if (const conflict* const found = conflict_in(one.row->excludes, one, given)) {
      refuse_conflict(fmt::format("{} and {} cannot be combined", spelling(one.row->name, found->row_value),
                                  spelling(found->option, found->value)),
                      *found);
    }
    if (const conflict* const found = conflict_in(one.row->does_nothing_with, one, given)) {
      refuse_conflict(fmt::format("{} does nothing with {}", spelling(one.row->name, found->row_value),
                                  spelling(found->option, found->value)),
                      *found);
    }
    if (!is_default(one)) check_needs(one, given, table);
    check_rest(one, table);
  }
}

bool check_machine(std::span<const given_option> given, const device_options& device) {
  const backend_choice backend = device.backend;
  const auto one = std::find_if(given.begin(), given.end(), [&](const given_option& each) {
    const bool is_heeded = device.compared_with_cpu && each.row->cpu_does == cpu_checks;
    return !is_heeded && !each.row->cpu_value.empty() && has_value(each, each.row->cpu_value);
  });
  if (one == given.end()) return false;
  if (is_gpu(backend)) {
    refuse(fmt::format("{} does nothing with --backend {}{}: only the CPU machine {}",
                       spelling(one->row->name, one->row->cpu_value), device.compared_with_cpu ? "cpu," : "",
                       name_of(backend), one->row->cpu_does),
           "--backend cpu runs the same kernels there.");
  }
  return true;
}

std::string repeated_options(std::span<const given_option> given, std::span<const option_row> table) {
  std::string words;
  for (const option_row& row : table) {
    const auto one =
        std::find_if(given.begin(), given.end(), [&](const given_option& each) { return each.row == &row; });
    if (!row.is_repeated || one == given.end() || is_default(*one)) continue;
    words += fmt::format("{}--{}", words.empty() ? "" : " ", row.name);
    if (row.kind != value_kind::none) words += " " + shell_word(one->value());
  }
  return words;
}

}  // namespace warpz
