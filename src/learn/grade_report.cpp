// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "learn/grade_report.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "learn/watch_view.hpp"
#include "text/printable.hpp"
#include "text/wrapped.hpp"
#include "text/xml.hpp"

namespace warpz {
namespace {

constexpr std::string_view student_title = "student";

std::string right_text(const graded_student& one) { return fmt::format("{}/{}", one.right(), one.files.size()); }

std::string padded(std::string_view text, std::size_t width) {
  const std::size_t used = columns_of(text);
  return std::string(text) + std::string(used < width ? width - used : 0, ' ');
}

/// What a student is told of a file.
std::string words_of(const graded_student& student, std::size_t task) {
  const graded_file& one = student.files[task];
  if (one.result == mark::missing) {
    std::string words = "There is no such file.\n";
    for (const left_out_file& each : student.handed_in.left_out) words += text_of(each, student.handed_in.folder);
    return words;
  }
  if (one.result == mark::not_attempted) return "The file is the problem as it was given.\n";
  return one.verdict.outcome.empty() ? one.verdict.words : verdict_text(one.verdict, {});
}

/// Quoted where it must be. A name that a table's program would take for a formula is text all the same.
std::string csv_cell(std::string_view text) {
  const bool is_formula = !text.empty() && std::string_view("=+-@\t\r").find(text.front()) != std::string_view::npos;
  std::string cell = is_formula ? "'" : "";
  cell += text;
  if (cell.find_first_of(",\"\r\n") == std::string::npos) return cell;
  std::string quoted = "\"";
  for (const char c : cell) quoted += c == '"' ? std::string("\"\"") : std::string(1, c);
  return quoted + "\"";
}

/// As files have it: a sign is for people.
std::string_view plain_name(mark one) { return one == mark::right ? "right" : mark_name(one); }

constexpr std::string_view page_begin = R"(<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>warpz: results</title>
<style>
:root { color-scheme: light dark; }
body { font: 15px/1.45 system-ui, sans-serif; margin: 16px; }
div { overflow-x: auto; }
table { border-collapse: collapse; }
th, td { border: 1px solid #8886; padding: 3px 10px; text-align: left; white-space: nowrap; vertical-align: top; }
.right { background: #2a83; }
.missing, .not { color: #888; }
.cost { background: #c903; }
.wrong, .rule, .does, .timeout { background: #d333; }
summary { cursor: pointer; }
pre { white-space: pre-wrap; font: 12px/1.4 monospace; }
td pre { width: 80ch; }
</style>
</head>
<body>
)";

}  // namespace

class_table::class_table(std::span<const puzzle* const> tasks, std::span<const submission> students,
                         std::size_t columns)
    : tasks_(tasks), name_width_(student_title.size()), columns_(columns) {
  for (const submission& each : students) name_width_ = std::max(name_width_, columns_of(printable(each.student)));
  for (const puzzle* const each : tasks)
    widths_.push_back(std::max(each->flag.size(), mark_name(mark::does_not_compile).size()));
  is_list_ = columns_of(head()) > columns;
}

std::string class_table::line(std::string_view student, std::span<const std::string> cells,
                              std::string_view right) const {
  std::string text = padded(student, name_width_);
  for (std::size_t i = 0; i < cells.size(); ++i) text += "  " + padded(cells[i], widths_[i]);
  return fmt::format("{}  {}\n", text, right);
}

std::string class_table::list(const graded_student& one) const {
  std::vector<std::vector<std::string_view>> flags_of(static_cast<std::size_t>(mark::not_judged) + 1);
  for (std::size_t i = 0; i < one.files.size(); ++i)
    flags_of[static_cast<std::size_t>(one.files[i].result)].push_back(tasks_[i]->flag);
  std::vector<std::string> words;
  for (std::size_t i = 0; i < flags_of.size(); ++i) {
    if (flags_of[i].empty()) continue;
    if (!words.empty()) words.back() += ';';
    const std::string_view colon = static_cast<mark>(i) == mark::right ? "" : ":";
    // A line does not end in a colon.
    words.push_back(fmt::format("{}{} {}", mark_name(static_cast<mark>(i)), colon, flags_of[i].front()));
    for (std::size_t flag = 1; flag < flags_of[i].size(); ++flag) {
      words.back() += ',';
      words.emplace_back(flags_of[i][flag]);
    }
  }
  constexpr std::size_t most_digits = 5;  // "59/59"
  const std::string begin =
      fmt::format("{}  {:<{}}", padded(printable(one.handed_in.student), name_width_), right_text(one), most_digits);
  return fmt::format("{}\n",
                     fmt::join(wrapped(words, columns_, begin + "  ", std::string(columns_of(begin) + 2, ' ')), "\n"));
}

std::string class_table::head() const {
  if (is_list_) return fmt::format("{}  right\n", padded(student_title, name_width_));
  std::vector<std::string> cells;
  for (const puzzle* const each : tasks_) cells.emplace_back(each->flag);
  return line(student_title, cells, "right");
}

std::string class_table::row(const graded_student& one) const {
  if (is_list_) return list(one);
  std::vector<std::string> cells;
  for (const graded_file& each : one.files) cells.emplace_back(mark_name(each.result));
  return line(printable(one.handed_in.student), cells, right_text(one));
}

std::string left_out_text(std::span<const graded_student> students) {
  std::string text;
  for (const graded_student& student : students) {
    for (const left_out_file& each : student.handed_in.left_out) {
      text += fmt::format("left out: {}/{}{}\n", printable(student.handed_in.student), printable(each.name),
                          each.meant.empty() ? "" : fmt::format(" ({}?)", each.meant));
    }
  }
  return text;
}

std::string copies_text(std::span<const likeness> copies) {
  std::string text;
  for (const likeness& each : copies) {
    text += fmt::format("alike: {} and {}, {} ({} %)\n", printable(each.first), printable(each.second), each.task->flag,
                        each.percent);
  }
  return text;
}

std::string class_csv(const class_results& results) {
  std::string text = "student";
  for (const puzzle* const each : results.tasks) text += fmt::format(",{}", each->flag);
  text += ",right\r\n";
  for (const graded_student& each : results.students) {
    text += csv_cell(printable(each.handed_in.student));
    for (const graded_file& file : each.files) text += fmt::format(",{}", plain_name(file.result));
    text += fmt::format(",{}\r\n", each.right());
  }
  return text;
}

std::string class_json(const class_results& results) {
  using json = nlohmann::ordered_json;
  json students = json::array(), copies = json::array();
  for (const graded_student& each : results.students) {
    json files = json::array();
    for (std::size_t i = 0; i < each.files.size(); ++i) {
      const graded_file& one = each.files[i];
      const std::string& path = each.handed_in.files[i];
      files.push_back({{"puzzle", results.tasks[i]->flag},
                       {"file", path.empty() ? json() : json(printable(path))},
                       {"result", plain_name(one.result)},
                       {"outcome", one.verdict.outcome.empty() ? json() : json(one.verdict.outcome)},
                       {"words", words_of(each, i)}});
    }
    json left_out = json::array();
    for (const left_out_file& one : each.handed_in.left_out) left_out.push_back(printable(one.name));
    students.push_back({{"student", printable(each.handed_in.student)},
                        {"right", each.right()},
                        {"files", files},
                        {"left_out", left_out}});
  }
  for (const likeness& each : results.copies) {
    copies.push_back({{"students", {printable(each.first), printable(each.second)}},
                      {"puzzle", each.task->flag},
                      {"percent", each.percent}});
  }
  const json whole{{"version", 1}, {"students", students}, {"alike", copies}};
  return whole.dump(1, ' ', false, json::error_handler_t::replace) + "\n";
}

std::string class_junit(const class_results& results) {
  std::string suites;
  for (const graded_student& each : results.students) {
    const std::string name = xml_text(each.handed_in.student);
    suites += fmt::format("  <testsuite name=\"{}\" tests=\"{}\" failures=\"{}\">\n", name, each.files.size(),
                          each.files.size() - each.right());
    for (std::size_t i = 0; i < each.files.size(); ++i) {
      const graded_file& one = each.files[i];
      suites += fmt::format("    <testcase classname=\"{}\" name=\"{}\"", name, results.tasks[i]->flag);
      suites += one.result == mark::right
                    ? "/>\n"
                    : fmt::format("><failure type=\"{0}\" message=\"{0}\">{1}</failure></testcase>\n",
                                  plain_name(one.result), xml_text(words_of(each, i)));
    }
    suites += "  </testsuite>\n";
  }
  return fmt::format("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites name=\"warpz\">\n{}</testsuites>\n",
                     suites);
}

std::string class_html(const class_results& results) {
  std::string text(page_begin);
  text += "<h1>Results</h1>\n<div><table>\n<tr><th>student</th>";
  for (const puzzle* const each : results.tasks) text += fmt::format("<th>{}</th>", each->flag);
  text += "<th>right</th></tr>\n";
  for (const graded_student& each : results.students) {
    text += fmt::format("<tr><th>{}</th>", xml_text(each.handed_in.student));
    for (std::size_t i = 0; i < each.files.size(); ++i) {
      const graded_file& file = each.files[i];
      const std::string_view name = plain_name(file.result);
      const std::string_view shown = mark_name(file.result);
      text += fmt::format("<td class=\"{}\">", name.substr(0, name.find(' ')));
      text += file.result == mark::right ? std::string(shown)
                                         : fmt::format("<details><summary>{}</summary><pre>{}</pre></details>", shown,
                                                       xml_text(words_of(each, i)));
      text += "</td>";
    }
    text += fmt::format("<td>{}</td></tr>\n", right_text(each));
  }
  text += "</table></div>\n";
  const std::string left_out = left_out_text(results.students);
  if (!left_out.empty()) text += fmt::format("<h2>Left out</h2>\n<pre>{}</pre>\n", xml_text(left_out));
  if (!results.copies.empty())
    text += fmt::format("<h2>Alike</h2>\n<pre>{}</pre>\n", xml_text(copies_text(results.copies)));
  return text + "</body>\n</html>\n";
}

}  // namespace warpz
