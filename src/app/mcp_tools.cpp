// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "app/mcp_tools.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstddef>

#include "error.hpp"
#include "puzzle/puzzle.hpp"
#include "source/kernel_names.hpp"
#include "system/file_content.hpp"
#include "text/printable.hpp"

namespace warpz {
namespace {

using json = nlohmann::ordered_json;

enum tool_set : unsigned { for_check = 1, for_costs = 2, for_trace = 4, for_all = 7 };

struct tool {
  std::string_view name;
  tool_set bit;
  const char* help;
};

constexpr std::array tool_rows{
    tool{"check", for_check,
         "Compiles a HIP program, or a kernel for one of warpz's puzzles, and runs it on a CPU machine that behaves as "
         "a "
         "GPU of 32 and of 64 lanes per warp. Reports data races, diverged lanes, undefined values, accesses out of "
         "bounds and wrong results, with the lanes and lines. No GPU is needed."},
    tool{"costs", for_costs,
         "Counts what each source line costs a GPU, by the vendors' published rules: bank conflicts, memory "
         "transactions, idle lanes, collectives, barriers, atomics. 32 lanes: NVIDIA's rules, 64 lanes: AMD's."},
    tool{"trace", for_trace,
         "Shows step by step what the lanes of one block do: values, and which lane gets them from which."},
};

/// How the value of a parameter is written.
enum class value { text, texts, count, seconds, flag, lanes };

struct parameter {
  const char* name;
  value type;
  const char* option;  ///< of warpz, which takes the value; empty: it is read here
  unsigned taken_by;   ///< tools
  const char* help;
};

constexpr double usual_seconds = 120;

constexpr std::array tool_parameters{
    parameter{"files", value::texts, "", for_all,
              "The HIP source files. A file with a main is a program; any other has the kernel for a puzzle."},
    parameter{"puzzle", value::text, "", for_all,
              "The puzzle that judges the kernel. Without it, the one whose kernel has the same name."},
    parameter{"warp_size", value::lanes, "--warp-size", for_all, "Lanes in a warp: 32, 64 or both"},
    parameter{"size", value::count, "--size", for_all,
              "Elements that the puzzle runs on. Without it the kernel is judged on hidden inputs, too."},
    parameter{"schedules", value::count, "--schedules", for_check,
              "Also run in so many other orders of lanes, warps and blocks, and compare the results."},
    parameter{"line", value::count, "", for_costs, "Tell the costs of this line alone."},
    parameter{"steps", value::text, "--steps", for_trace, "These steps alone, such as 1-40"},
    parameter{"lanes", value::text, "--lanes", for_trace, "These lanes alone, such as 0-7"},
    parameter{"block", value::count, "--block", for_trace, "The block of the grid; without it, block 0"},
    parameter{"warp", value::count, "--warp", for_trace, "The warp of the block; without it, all"},
    parameter{"launch", value::count, "--launch", for_trace, "The launch of the program, counted from 1"},
    parameter{"arguments", value::texts, "", for_all, "The program's arguments"},
    parameter{"confine", value::flag, "", for_all,
              "Whether the program is kept from writing files and from reading others than the working folder's; "
              "kernels always are. Without it, true."},
    parameter{"seconds", value::seconds, "", for_all, "How long all of it may take; without it, 120"},
};

json schema_of(const parameter& one) {
  json schema{{"description", one.help}};
  switch (one.type) {
    case value::text:
      schema["type"] = "string";
      break;
    case value::texts:
      schema["type"] = "array";
      schema["items"] = {{"type", "string"}};
      break;
    case value::count:
      schema["type"] = "integer";
      schema["minimum"] = 0;
      break;
    case value::seconds:
      schema["type"] = "number";
      schema["exclusiveMinimum"] = 0;
      break;
    case value::flag:
      schema["type"] = "boolean";
      break;
    case value::lanes:
      schema["enum"] = {32, 64, "both"};
      break;
  }
  const std::string_view name = one.name;
  if (name == "files") schema["minItems"] = 1;
  if (name == "puzzle") {
    for (const puzzle* each : puzzles()) schema["enum"].push_back(each->flag);
  }
  return schema;
}

bool fits(const json& given, const parameter& one) {
  const auto is_text = [](const json& each) { return each.is_string(); };
  switch (one.type) {
    case value::text:
      return given.is_string();
    case value::texts:
      return given.is_array() && std::all_of(given.begin(), given.end(), is_text);
    case value::count:
      return given.is_number_integer() && given >= 0;
    case value::seconds:
      return given.is_number() && given > 0;
    case value::flag:
      return given.is_boolean();
    case value::lanes:
      return given == 32 || given == 64 || given == "32" || given == "64" || given == "both";
  }
  return false;
}

[[noreturn]] void refuse(const std::string& problem) { throw error(exit_code::bad_input, problem); }

const tool& tool_named(std::string_view name) {
  const auto found =
      std::find_if(tool_rows.begin(), tool_rows.end(), [&](const tool& each) { return each.name == name; });
  if (found == tool_rows.end()) refuse(fmt::format("there is no tool '{}'", printable(name, max_shown)));
  return *found;
}

void check_arguments(const tool& called, const json& arguments) {
  if (!arguments.is_object()) refuse("the arguments of a tool are an object");
  for (const auto& [name, given] : arguments.items()) {
    const auto known = std::find_if(
        tool_parameters.begin(), tool_parameters.end(),
        [&, &key = name](const parameter& each) { return each.name == key && (each.taken_by & called.bit) != 0; });
    if (known == tool_parameters.end())
      refuse(fmt::format("{} takes no '{}'", called.name, printable(name, max_shown)));
    if (!fits(given, *known)) refuse(fmt::format("'{}' is not of the type that its schema says", name));
  }
  if (!arguments.contains("files") || arguments["files"].empty()) refuse("'files' is missing");
}

/// A name that begins with a dash would be taken for an option.
std::string file_word(const std::string& name) { return name.starts_with('-') ? "./" + name : name; }

/// The words from the puzzle or --run to the last file.
std::vector<std::string> subject_words(const json& arguments) {
  const auto files = arguments["files"].get<std::vector<std::string>>();
  const bool is_program = !arguments.contains("puzzle") && (files.size() > 1 || [&] {
    const auto text = os::content_of(files.front());
    return text && has_main(*text);
  }());
  if (!is_program && files.size() > 1) refuse("a puzzle takes the kernel of one file");
  std::vector<std::string> words;
  if (is_program) {
    words.emplace_back("--run");
  } else if (arguments.contains("puzzle")) {
    const std::string name = arguments["puzzle"];
    if (find_puzzle(name) == nullptr) refuse(fmt::format("no puzzle is called '{}'", printable(name, max_shown)));
    words.push_back("--" + name);
  }
  if (!is_program) words.emplace_back("--kernel");
  for (const std::string& each : files) words.push_back(file_word(each));
  if (is_program && arguments.value("confine", true)) words.emplace_back("--confine");
  return words;
}

std::string word_of(const json& given) { return given.is_string() ? given.get<std::string>() : given.dump(); }

/// "3 of 32 elements differ: output[5] is 1.0 instead of 2.0"
std::string difference_text(const json& run) {
  const json& first = run.at("first_differences");
  if (first.empty()) return {};
  const json &given = first.front().at("output"), &expected = first.front().at("expected");
  return fmt::format(": {} element{} wrong; output[{}] is {} instead of {}", run.at("mismatch_count").dump(),
                     run.at("mismatch_count") == 1 ? " is" : "s are", first.front().at("index").dump(),
                     given.is_null() ? "never written" : word_of(given), word_of(expected));
}

std::string verdict_text(const json& run) {
  std::string name = run.contains("program") ? word_of(run.at("program").front()) : word_of(run.at("puzzle"));
  std::string verdict = word_of(run.at("verdict"));
  std::replace(verdict.begin(), verdict.end(), '_', ' ');
  std::string text = fmt::format("{} with {} lanes: {}", name, run.at("warp_size").dump(), verdict);
  if (run.contains("program"))
    return text + (run.at("exit_code").is_null() ? "" : fmt::format(", exit code {}", run.at("exit_code").dump())) +
           "\n";
  text += difference_text(run);
  if (run.at("hidden_case"))
    text += fmt::format("\nIt is right on the documented input; this one has {} element{}.", run.at("size").dump(),
                        run.at("size") == 1 ? "" : "s");
  for (const json& each : run.at("passed_hidden")) {
    text +=
        fmt::format("\nright on {} hidden inputs with {} lanes", each.at("count").dump(), each.at("warp_size").dump());
  }
  text += "\n";
  if (run.at("findings_text").is_string()) text += word_of(run.at("findings_text"));
  return text;
}

/// Removes the costs of all other lines.
void keep_line(json& run, std::int64_t line) {
  if (!run.at("costs").is_object()) return;
  for (json& kernel : run.at("costs").at("kernels")) {
    json& lines = kernel.at("lines");
    lines.erase(std::remove_if(lines.begin(), lines.end(), [&](const json& each) { return each.at("line") != line; }),
                lines.end());
  }
}

std::string line_cost_text(const json& each) {
  std::string text = fmt::format("  {}", word_of(each.at("kind")));
  for (const char* const key : {"memory", "operation"})
    if (each.at(key).is_string()) text += fmt::format(", {}", word_of(each.at(key)));
  const auto instructions = each.at("instructions").get<std::uint64_t>();
  text += fmt::format(": executed {} times", instructions);
  if (instructions != 0)
    text += fmt::format(" with {:.1f} lanes", each.at("lanes").get<double>() / static_cast<double>(instructions));
  if (!each.at("needed").is_null()) {
    text += fmt::format("; {} {}, {} at best", each.at("needed").dump(),
                        each.at("memory") == "shared" ? "passes" : "transactions", each.at("fewest").dump());
  }
  if (!each.at("serial").is_null()) text += fmt::format("; {} steps one after the other", each.at("serial").dump());
  if (each.at("advice").is_string()) text += fmt::format("\n  ! {}", word_of(each.at("advice")));
  return text + "\n";
}

std::string costs_text(const json& run) {
  if (!run.at("costs").is_object()) return "no costs: a finding stopped the kernel\n";
  std::string text;
  for (const json& kernel : run.at("costs").at("kernels")) {
    std::string last;
    text += fmt::format("costs of {}, by {}'s rules:\n", word_of(kernel.at("kernel")),
                        run.at("costs").at("rules") == "amd" ? "AMD" : "NVIDIA");
    for (const json& each : kernel.at("lines")) {
      std::string place = each.at("file").is_string()
                              ? fmt::format("{}:{}", word_of(each.at("file")), each.at("line").dump())
                              : "(unknown line)";
      if (const std::string code = each.at("code").is_string() ? word_of(each.at("code")) : ""; !code.empty())
        place += "  " + code.substr(std::min(code.find_first_not_of(" \t"), code.size()));
      if (place != last) text += place + "\n";
      last = std::move(place);
      text += line_cost_text(each);
    }
    if (kernel.at("lines").empty()) text += "nothing that is counted\n";
  }
  return text;
}

json result_json(std::string text, bool is_error) {
  return {{"content", json::array({{{"type", "text"}, {"text", std::move(text)}}})}, {"isError", is_error}};
}

/// Text from a user's program may be anything.
std::string as_utf8(std::string_view text) {
  const std::string quoted = json(std::string(text)).dump(-1, ' ', false, json::error_handler_t::replace);
  return json::parse(quoted).get<std::string>();
}

/// A trace, or what an error says: a page of text that an agent can read at once.
std::string bounded_text(std::string_view text) {
  constexpr std::size_t most = 100'000;
  if (text.size() <= most) return as_utf8(text);
  return as_utf8(text.substr(0, most)) + "\n... the rest is left out: ask for fewer steps or lanes\n";
}

}  // namespace

json tools_json() {
  json list = json::array();
  for (const tool& each : tool_rows) {
    json properties = json::object();
    for (const parameter& one : tool_parameters)
      if ((one.taken_by & each.bit) != 0) properties[one.name] = schema_of(one);
    list.push_back(
        {{"name", each.name},
         {"description", each.help},
         {"inputSchema",
          {{"type", "object"}, {"properties", properties}, {"required", {"files"}}, {"additionalProperties", false}}}});
  }
  return list;
}

tool_request tool_request_of(std::string_view name, const json& arguments) {
  const tool& called = tool_named(name);
  check_arguments(called, arguments);
  tool_request request{std::string(name), subject_words(arguments), arguments.value("seconds", usual_seconds)};
  const bool is_program = request.words.front() == "--run";
  const auto add = [&](std::initializer_list<const char*> more) {
    request.words.insert(request.words.end(), more.begin(), more.end());
  };
  for (const parameter& each : tool_parameters) {
    if (*each.option != '\0' && arguments.contains(each.name))
      request.words.push_back(fmt::format("{}={}", each.option, word_of(arguments[each.name])));
  }
  if (!arguments.contains("warp_size") && called.bit != for_trace) add({"--warp-size=both"});
  if (called.bit == for_trace) {
    add({"--trace=text"});
  } else {
    add({"--format=json"});
  }
  if (called.bit == for_costs) add({"--counters"});
  if (called.bit != for_check && !is_program) add({"--documented-only"});
  add({"--backend=cpu"});
  if (arguments.contains("line")) request.line = arguments["line"].get<std::int64_t>();
  if (!arguments.contains("arguments")) return request;
  if (!is_program) refuse("a kernel for a puzzle takes no arguments");
  add({"--"});
  for (const json& each : arguments["arguments"]) request.words.push_back(each);
  return request;
}

json tool_result(const tool_request& request, std::string_view output, std::string_view messages) {
  if (request.tool == "trace") return result_json(bounded_text(fmt::format("{}{}", messages, output)), output.empty());
  json told = json::parse(output, nullptr, false);
  if (!told.is_object() || !told.contains("runs")) return failed_tool_result(bounded_text(messages));
  if (told.at("error").is_object()) return failed_tool_result(bounded_text(messages));
  std::string text;
  for (json& run : told.at("runs")) {
    // What an agent would have to read past: the differences are told by themselves.
    for (const char* const list : {"output", "expected", "input_values"}) run.erase(list);
    if (request.line) keep_line(run, *request.line);
    text += verdict_text(run);
    if (request.tool == "costs") text += costs_text(run);
  }
  json result = result_json(text + bounded_text(messages), false);
  result["structuredContent"] = {
      {"verdict", told.at("verdict")}, {"exit_code", told.at("exit_code")}, {"runs", std::move(told.at("runs"))}};
  return result;
}

json failed_tool_result(const std::string& reason) { return result_json(reason, true); }

}  // namespace warpz
