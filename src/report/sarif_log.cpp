// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "report/sarif_log.hpp"

#include <fmt/format.h>

#include <utility>
#include <vector>

#include "report/finding_words.hpp"
#include "text/printable.hpp"

namespace warpz {

/// A place in the source, and who is there.
struct sarif_party {
  std::string file;
  unsigned line = 0;
  std::string what;
};

namespace {

constexpr std::string_view wrong_result_rule = "wrong_result";

using json = nlohmann::ordered_json;

/// A file's name as a URI, relative where the name is.
std::string uri_of(std::string_view file) {
  constexpr std::string_view kept = "-._~/";
  std::string uri = file.starts_with('/') ? "file://" : "";
  while (file.starts_with("./")) file.remove_prefix(2);
  for (const char c : file) {
    const bool plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
    if (plain || kept.find(c) != std::string_view::npos) {
      uri += c;
    } else {
      uri += fmt::format("%{:02X}", static_cast<unsigned char>(c));
    }
  }
  return uri;
}

/// FNV-1a: the same on every machine and in every build.
std::uint64_t hash_of(std::string_view text) {
  std::uint64_t hash = 0xcbf29ce484222325;
  for (const char c : text) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3;
  return hash;
}

/// Those of the finding whose place is known, the one that it is about first.
std::vector<sarif_party> parties_of(const symbolized_finding& of) {
  std::vector<sarif_party> all;
  for (const warpz_lane_group& group : groups_of(of.record)) {
    const std::string file = printable(bounded(group.place.file));
    if (file.empty() || group.place.line == 0) continue;
    all.push_back({file, group.place.line, group_text(group, !all.empty())});
  }
  for (const source_line& frame : of.stack) {
    if (frame.file.empty() || frame.line == 0) continue;
    all.push_back({frame.file, frame.line, frame.function.empty() ? "called from here" : printable(frame.function)});
  }
  for (const related_line& each : of.related) all.push_back({each.file, each.line, each.event + " here"});
  if (of.contrast) {
    for (const source_line& line : of.contrast->hard_coded) {
      all.push_back({line.file, line.line, fmt::format("written for {} lanes", of.contrast->right)});
    }
  }
  return all;
}

json location_json(const sarif_party& of) {
  return {
      {"physicalLocation", {{"artifactLocation", {{"uri", uri_of(of.file)}}}, {"region", {{"startLine", of.line}}}}}};
}

json suppression_json(std::string_view kind, const std::string& where, const std::string& reason) {
  json made{{"kind", kind}, {"status", "accepted"}};
  const std::string text = where.empty() ? reason : reason.empty() ? where : fmt::format("{} ({})", reason, where);
  made["justification"] = printable(text);
  return made;
}

json rule_json(std::string_view id, const std::string& says, std::string_view help) {
  const std::string text =
      fmt::format("{}{}docs/checks.md of warpz has an example, bad and good.", help, help.empty() ? "" : " ");
  return {{"id", id},
          {"name", id},
          {"shortDescription", {{"text", says}}},
          {"fullDescription", {{"text", says}}},
          {"help", {{"text", text}, {"markdown", text}}},
          {"defaultConfiguration", {{"level", "error"}}}};
}

/// Text that was broken into lines for a terminal.
std::string on_one_line(std::string_view text) {
  std::string joined;
  for (const char c : text) {
    if (c == '\n') continue;
    if (c == ' ' && (joined.empty() || joined.back() == ' ')) continue;
    joined += c;
  }
  return joined;
}

json rules_json() {
  json rules = json::array();
  for (const std::uint32_t kind : known_kinds()) {
    rules.push_back(rule_json(kind_name(kind), std::string(kind_rule(kind)), on_one_line(kind_mending(kind))));
  }
  rules.push_back(rule_json("unknown", "the kernel was stopped, and left no readable reason", ""));
  rules.push_back(rule_json(wrong_result_rule, "the kernel's result is not what the puzzle's reference computes",
                            "The message has the first elements that differ, and whose they are."));
  return rules;
}

/// What a result says, after what it is about.
std::string message_of(const sarif_subject& of, std::string text) {
  while (text.ends_with('\n')) text.pop_back();
  return fmt::format("{}, {} lanes: {}", of.name, of.warp_size, text);
}

/// The file as a whole.
std::vector<sarif_party> as_a_whole(const std::string& file) {
  return file.empty() ? std::vector<sarif_party>() : std::vector<sarif_party>{{file, 1, ""}};
}

}  // namespace

sarif_log::sarif_log(const std::string& file) : file_("--sarif", file), rules_(rules_json()) {}

void sarif_log::add_finding(const sarif_subject& of, const symbolized_finding& found) {
  const warpz_finding& record = found.record;
  std::vector<sarif_party> parties = parties_of(found);
  if (parties.empty()) parties = as_a_whole(of.source);
  sarif_subject subject = of;
  if (subject.kernel.empty()) subject.kernel = bounded(record.kernel);
  json result = result_json(subject, kind_name(record.kind), finding_text(found), parties);
  // What fails nothing has no severity, and only a result of another kind than fail may have none.
  const bool accepted = found.suppressed || found.shown_on_purpose;
  result["kind"] = accepted ? "informational" : "fail";
  result["level"] = accepted ? "none" : record.severity == WARPZ_WARNING ? "warning" : "error";
  result["occurrenceCount"] = std::uint64_t{1} + record.repeats;
  if (found.suppressed) {
    result["suppressions"] = json::array({suppression_json(
        "external", fmt::format("{}:{}", found.suppressed->file, found.suppressed->line), found.suppressed->reason)});
  } else if (found.shown_on_purpose) {
    result["suppressions"] = json::array({suppression_json("inSource", "", "The puzzle shows this on purpose.")});
  }
  std::string identity = fmt::format("{}|{}", kind_name(record.kind), bounded(record.kernel));
  for (const sarif_party& each : parties) identity += "|" + each.file.substr(each.file.find_last_of('/') + 1);
  for (const warpz_lane_group& group : groups_of(record))
    identity += fmt::format("|{}", bounded(group.place.operation));
  if (found.memory) identity += "|" + found.memory->name;
  push(std::move(result), identity);
}

void sarif_log::add_wrong_result(const sarif_subject& of, const std::string& text, const std::string& identity) {
  json result = result_json(of, wrong_result_rule, text, as_a_whole(of.source));
  result["kind"] = "fail";
  result["level"] = "error";
  push(std::move(result), fmt::format("{}|{}", wrong_result_rule, identity));
}

void sarif_log::write(int code, const error* stopped_by) {
  json invocation{{"executionSuccessful", stopped_by == nullptr}, {"exitCode", code}};
  if (stopped_by != nullptr) {
    invocation["toolExecutionNotifications"] =
        json::array({{{"level", "error"}, {"message", {{"text", printable(stopped_by->what())}}}}});
  }
  const json run{{"tool", {{"driver", {{"name", "warpz"}, {"semanticVersion", WARPZ_VERSION}, {"rules", rules_}}}}},
                 {"invocations", json::array({invocation})},
                 {"columnKind", "unicodeCodePoints"},
                 {"results", results_}};
  const json whole{
      {"$schema", "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"},
      {"version", "2.1.0"},
      {"runs", json::array({run})}};
  file_.replace(whole.dump(1, ' ', false, json::error_handler_t::replace) + "\n");
}

json sarif_log::result_json(const sarif_subject& of, std::string_view rule, const std::string& text,
                            const std::vector<sarif_party>& parties) const {
  std::size_t index = 0;
  while (rules_[index]["id"] != rule) ++index;
  json locations = json::array(), related = json::array();
  if (!parties.empty()) {
    json location = location_json(parties.front());
    if (!of.kernel.empty()) {
      location["logicalLocations"] = json::array({{{"name", printable(of.kernel)}, {"kind", "function"}}});
    }
    locations.push_back(location);
  }
  for (std::size_t i = 1; i < parties.size(); ++i) {
    json location{{"id", i}};
    location.update(location_json(parties[i]));
    location["message"] = {{"text", parties[i].what}};
    related.push_back(location);
  }
  return {{"ruleId", rule},         {"ruleIndex", index},          {"message", {{"text", message_of(of, text)}}},
          {"locations", locations}, {"relatedLocations", related}, {"properties", of.properties}};
}

/// The place of a result may move with the lines around it; equal ones are told apart by their order.
void sarif_log::push(json result, const std::string& identity) {
  const unsigned number = ++seen_[identity];
  result["partialFingerprints"] = {{"warpz/v1", fmt::format("{:016x}:{}", hash_of(identity), number)}};
  results_.push_back(std::move(result));
}

}  // namespace warpz
