// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "learn/judgement.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <utility>

#include "error.hpp"
#include "learn/progress.hpp"
#include "process/another_warpz.hpp"
#include "report/progress_line.hpp"
#include "text/number.hpp"

namespace warpz {
namespace {

using nlohmann::json;

std::string text_of(const json& number) {
  if (number.is_string()) return number.get<std::string>();
  return number.is_null() ? "never written" : number_text(number.get<float>());
}

std::string element_of(const json& list, std::uint64_t index) {
  return index < list.size() ? text_of(list[index]) : "";
}

std::vector<judged_element> elements_of(const json& run, std::size_t rows) {
  const json& differences = run.at("first_differences");
  if (differences.empty()) return {};
  const std::uint64_t first = differences.front().at("index");
  const json &output = run.at("output"), &expected = run.at("expected"), &inputs = run.at("input_values");
  std::vector<judged_element> elements;
  if (first >= output.size()) {
    // The list is cut off before it.
    for (const json& each : differences) {
      elements.push_back({each.at("index"), "", text_of(each.at("output")), text_of(each.at("expected"))});
    }
    return elements;
  }
  const bool has_input = run.at("launch").at("inputs").size() == 1 && inputs.size() == output.size();
  const std::uint64_t end =
      std::min<std::uint64_t>(std::max<std::uint64_t>(first + (rows + 1) / 2, rows), output.size());
  for (std::uint64_t i = end - std::min<std::uint64_t>(rows, end); i < end; ++i) {
    elements.push_back({i, has_input ? element_of(inputs, i) : "", element_of(output, i), element_of(expected, i)});
  }
  return elements;
}

/// By the operation's name in HIP or in warpz's library.
bool is_shuffle(std::string_view operation) {
  return operation.find("shfl") != operation.npos || operation.find("shuffle") != operation.npos;
}

std::optional<cost_totals> costs_of(const json& costs) {
  if (costs.is_null()) return {};
  cost_totals all;
  for (const json& each : costs.at("kernels")) {
    const json& total = each.at("total");
    const json& shared = total.at("shared");
    all.collectives += total.at("collectives").get<std::uint64_t>();
    all.serial += total.at("atomics").at("serial").get<std::uint64_t>();
    all.barriers += total.at("barriers").get<std::uint64_t>();
    all.transactions += total.at("global").at("transactions").get<std::uint64_t>();
    for (const json& line : each.at("lines")) {
      const json& operation = line.at("operation");
      if (line.at("kind") == "collective" && operation.is_string() && is_shuffle(operation.get<std::string>()))
        all.shuffles += line.at("instructions").get<std::uint64_t>();
      if (line.at("memory") == "global") all.memory_instructions += line.at("instructions").get<std::uint64_t>();
    }
    all.conflicts += shared.at("passes").get<std::uint64_t>() - shared.at("fewest").get<std::uint64_t>();
  }
  return all;
}

/// The first error among the findings; empty where there is none.
std::string kind_of_first(const json& findings) {
  for (const json& each : findings) {
    if (each.at("severity") == "error" && each.at("suppressed_by").is_null() && each.at("on_purpose") == false)
      return each.at("kind");
  }
  return "";
}

/// The number of the block that the first finding is about, or else the first difference.
std::uint64_t block_of_interest(const json& run) {
  const json &findings = run.at("findings"), &differences = run.at("first_differences");
  const json none = json::array(), &groups = findings.empty() ? none : findings.front().at("groups");
  if (!groups.empty()) {
    const json &block = groups.front().at("block"), &grid = run.at("launch").at("grid");
    return block[0].get<std::uint64_t>() + grid[0].get<std::uint64_t>() * block[1].get<std::uint64_t>();
  }
  if (differences.empty() || differences.front().at("block").is_null()) return 0;
  return differences.front().at("block");
}

/// Also of the block, and the order, in which it was found.
std::string trace_options_of(const json& run) {
  std::string words = run.at("repeat");
  if (const std::uint64_t block = block_of_interest(run)) words += fmt::format(" --block {}", block);
  if (!run.at("findings").empty()) {
    const json& seed = run.at("findings").front().at("schedule_seed");
    if (!seed.is_null()) words += " --schedule-seed " + seed.dump();
  }
  return words;
}

void read_run(judgement& result, const json& run, std::size_t rows) {
  const std::string verdict = run.at("verdict");
  const std::string kind = kind_of_first(run.at("findings"));
  result.is_hidden = run.at("hidden_case");
  result.launches = run.at("launches");
  result.outcome = verdict != outcome_passed && !kind.empty() ? kind : result.is_hidden ? "hidden_case" : verdict;
  result.warp_size = run.at("warp_size");
  result.size = run.at("size");
  for (const json& each : run.at("passed_hidden"))
    result.passed_hidden.push_back({each.at("warp_size"), each.at("count")});
  if (const json& words = run.at("findings_text"); !words.is_null()) result.words = words;
  if (const json& time = run.at("milliseconds"); !time.is_null()) result.milliseconds = time;
  result.differing = run.at("mismatch_count");
  const json& input = run.at("input");
  result.input = input.at("source") == "pattern" ? fmt::format("pattern {}", input.at("pattern").get<std::string>())
                                                 : input.at("source").get<std::string>();
  result.trace_options = trace_options_of(run);
  result.elements = elements_of(run, rows);
  result.costs = costs_of(run.at("costs"));
}

/// "5 collectives", "no barrier".
std::string counted(std::uint64_t count, std::string_view noun) {
  if (count == 0) return fmt::format("no {}", noun);
  return fmt::format("{} {}{}", count, noun, count == 1 ? "" : "s");
}

}  // namespace

judgement read_judgement(std::string_view text, std::string_view messages, std::size_t rows) {
  judgement result;
  try {
    const json report = json::parse(text);
    result.code = report.at("exit_code");
    if (!report.at("runs").empty()) read_run(result, report.at("runs").front(), rows);
    if (const json& stopped = report.at("error"); !stopped.is_null()) {
      result.outcome = result.code == static_cast<int>(exit_code::does_not_compile) ? "does_not_compile" : "error";
      // It has written the same to standard error, behind what the compiler says.
      result.words = messages.empty() ? stopped.at("message").get<std::string>() + "\n" : std::string(messages);
    }
  } catch (const json::exception&) {
    result.outcome = "error";
    result.code = static_cast<int>(exit_code::no_device);
    result.words = messages.empty() ? "warpz ended without a word\n" : std::string(messages);
  }
  return result;
}

std::string running_text(std::string_view messages) {
  const std::size_t last = messages.rfind(running_words);
  if (last == messages.npos) return "";
  const std::string_view said = messages.substr(last);
  return std::string(said.substr(0, said.find('\n')));
}

std::string without_progress(std::string_view messages) {
  std::string kept;
  while (!messages.empty()) {
    const std::string_view line = messages.substr(0, messages.find('\n') + 1);
    const std::string_view whole = line.empty() ? messages : line;
    if (!whole.starts_with(running_words)) kept += whole;
    messages.remove_prefix(whole.size());
  }
  return kept;
}

std::string costs_text(const cost_totals& own, const std::optional<cost_totals>& solution) {
  std::string text;
  for (const cost_kind& each : cost_kinds) {
    if (each.is_part) continue;
    text += (text.empty() ? "" : ", ") + counted(own.*each.count, each.noun);
    const bool differs = solution && own.*each.count != *solution.*each.count;
    if (differs) text += fmt::format(" (the solution: {})", *solution.*each.count);
  }
  return text;
}

void apply_goals(judgement& one, const std::optional<cost_totals>& solution, std::span<const cost_goal> goals) {
  if (!one.passed() || !one.costs) return;
  for (const cost_goal& each : goals) {
    if (!each.most && !solution) continue;
    const std::uint64_t own = *one.costs.*each.kind->count, most = each.most ? *each.most : *solution.*each.kind->count;
    if (own <= most) continue;
    one.outcome = outcome_cost;
    one.code = static_cast<int>(exit_code::wrong_result);
    one.words += fmt::format("The goal is {}{}.\n", counted(most, each.kind->noun), most == 0 ? "" : " at most");
  }
}

judgement judge(std::vector<std::string> words) {
  another_warpz one(std::move(words));
  while (!one.is_over()) {
  }
  return read_judgement(one.output(), one.messages());
}

}  // namespace warpz
