// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SARIF 2.1.0, as code hosts read it: one run, a rule for each kind of finding, a result for each finding and each
// wrong result. The place of the first lanes is its location; those of the others are related locations.
#include <fmt/format.h>

#include <map>
#include <nlohmann/json.hpp>
#include <utility>

#include "findings/kinds.hpp"
#include "report/details.hpp"
#include "report/finding_places.hpp"
#include "report/finding_words.hpp"
#include "report/output_file.hpp"
#include "report/report.hpp"
#include "text/printable.hpp"

namespace warpz {
namespace {

using json = nlohmann::ordered_json;

constexpr std::string_view wrong_result_rule = "wrong_result";

/// The run that a result is about.
struct subject {
  std::string name;  ///< the puzzle's or the user program's
  json properties;
  std::string kernel;  ///< the one that ran; empty: the one that the finding names
  std::string source;  ///< the file in which a result without a place of its own is shown; empty: in none
  unsigned warp_size = 0;
};

/// A file's name as a URI, which is relative if the name is.
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
std::uint64_t fingerprint_of(std::string_view text) {
  std::uint64_t hash = 0xcbf29ce484222325;
  for (const char c : text) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3;
  return hash;
}

json location_json(const finding_place& place) {
  return {{"physicalLocation",
           {{"artifactLocation", {{"uri", uri_of(place.file)}}}, {"region", {{"startLine", place.line}}}}}};
}

json suppression_json(std::string_view kind, const std::string& place, const std::string& reason) {
  json object{{"kind", kind}, {"status", "accepted"}};
  const std::string text = place.empty() ? reason : reason.empty() ? place : fmt::format("{} ({})", reason, place);
  object["justification"] = printable(text);
  return object;
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

/// Joins text that was broken into lines for a terminal.
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
  const auto add = [&](const finding_kind& kind) {
    rules.push_back(rule_json(kind.name, std::string(kind.rule), on_one_line(kind.fix)));
  };
  for (const finding_kind& each : finding_kinds()) add(each);
  add(kind_of(0));
  rules.push_back(rule_json(wrong_result_rule, "the kernel's result is not what the puzzle's reference computes",
                            "The message has the first elements that differ, and the lanes that write them."));
  return rules;
}

/// A result's message: the run, and what is wrong.
std::string message_of(const subject& about, std::string text) {
  while (text.ends_with('\n')) text.pop_back();
  return fmt::format("{}, {} lanes: {}", about.name, about.warp_size, text);
}

/// A place that stands for the whole file.
std::vector<finding_place> as_a_whole(const std::string& file) {
  return file.empty() ? std::vector<finding_place>() : std::vector<finding_place>{{file, 1, ""}};
}

class sarif_report final : public report {
 public:
  explicit sarif_report(const std::string& file) : file_("--sarif", file), rules_(rules_json()) {}

  void begin(const std::vector<std::string>&) override { file_.check(); }

  void add(const puzzle_outcome& result) override {
    const std::string_view flag = result.puzzle->flag;
    const subject about{std::string(flag),
                        {{"puzzle", flag}, {"backend", result.backend}, {"warpSize", result.warp_size}},
                        result.kernel,
                        result.source,
                        result.warp_size};
    for (const symbolized_finding& each : result.findings) add_finding(about, each);
    if (result.mismatch_count != 0) {
      add_wrong_result(about, wrong_result_text(result), fmt::format("{}|{}", flag, result.kernel));
    }
  }

  void add(const user_program_outcome& result) override {
    const subject about{printable(result.files.front()),
                        {{"program", printable_files(result)}, {"backend", "cpu"}, {"warpSize", result.warp_size}},
                        "",
                        result.files.front(),
                        result.warp_size};
    for (const symbolized_finding& each : result.findings) add_finding(about, each);
  }

  void add(const refused_run& refused) override { notify(refused.reason); }

  void end(int code, const error* stopped_by) override;

 private:
  /// Says why there are no results.
  void notify(const error& reason) {
    notifications_.push_back({{"level", "error"}, {"message", {{"text", printable(reason.what())}}}});
  }

  void add_finding(const subject& about, const symbolized_finding& found);

  /// `text` says what is wrong; `identity` stays the same as long as the mistake does.
  void add_wrong_result(const subject& about, const std::string& text, const std::string& identity);

  json result_json(const subject& about, std::string_view rule, const std::string& text,
                   const std::vector<finding_place>& locations) const;
  void push(json result, const std::string& identity);

  output_file file_;
  json rules_;
  json results_ = json::array();
  json notifications_ = json::array();
  std::map<std::string, unsigned> seen_;
};

void sarif_report::add_finding(const subject& about, const symbolized_finding& found) {
  const warpz_finding& record = found.record;
  const std::vector<finding_place> own = places_of(found);
  std::vector<finding_place> locations = own;
  for (finding_place& each : schedule_places_of(found)) locations.push_back(std::move(each));
  if (locations.empty()) locations = as_a_whole(about.source);
  subject named = about;
  if (named.kernel.empty()) named.kernel = bounded(record.kernel);
  json result = result_json(named, kind_of(record.kind).name, finding_text(found, {quoting::none}), locations);
  // A finding that does not fail the run has no severity: SARIF allows one for the kind `fail` only.
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
  std::string identity = fmt::format("{}|{}", kind_of(record.kind).name, bounded(record.kernel));
  // Not by where an order was shrunk to.
  for (const finding_place& each : own.empty() ? as_a_whole(about.source) : own)
    identity += "|" + each.file.substr(each.file.find_last_of('/') + 1);
  for (const warpz_lane_group& group : groups_of(record))
    identity += fmt::format("|{}", bounded(group.place.operation));
  if (found.memory) identity += "|" + found.memory->name;
  push(std::move(result), identity);
}

void sarif_report::add_wrong_result(const subject& about, const std::string& text, const std::string& identity) {
  json result = result_json(about, wrong_result_rule, text, as_a_whole(about.source));
  result["kind"] = "fail";
  result["level"] = "error";
  push(std::move(result), fmt::format("{}|{}", wrong_result_rule, identity));
}

void sarif_report::end(int code, const error* stopped_by) {
  if (dynamic_cast<const compiled_file_kept*>(stopped_by) != nullptr) return;
  if (stopped_by != nullptr) notify(*stopped_by);
  json invocation{{"executionSuccessful", notifications_.empty()}, {"exitCode", code}};
  if (!notifications_.empty()) invocation["toolExecutionNotifications"] = notifications_;
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

json sarif_report::result_json(const subject& about, std::string_view rule, const std::string& text,
                               const std::vector<finding_place>& locations) const {
  std::size_t index = 0;
  while (rules_[index]["id"] != rule) ++index;
  json main = json::array(), related = json::array();
  if (!locations.empty()) {
    json place = location_json(locations.front());
    if (!about.kernel.empty()) {
      place["logicalLocations"] = json::array({{{"name", printable(about.kernel)}, {"kind", "function"}}});
    }
    main.push_back(place);
  }
  for (std::size_t i = 1; i < locations.size(); ++i) {
    json place{{"id", i}};
    place.update(location_json(locations[i]));
    place["message"] = {{"text", locations[i].text}};
    related.push_back(place);
  }
  return {{"ruleId", rule},    {"ruleIndex", index},          {"message", {{"text", message_of(about, text)}}},
          {"locations", main}, {"relatedLocations", related}, {"properties", about.properties}};
}

/// The identity has no line number, as lines move. Equal identities are numbered.
void sarif_report::push(json result, const std::string& identity) {
  const unsigned number = ++seen_[identity];
  result["partialFingerprints"] = {{"warpz/v1", fmt::format("{:016x}:{}", fingerprint_of(identity), number)}};
  results_.push_back(std::move(result));
}

}  // namespace

std::unique_ptr<report> make_sarif_report(const std::string& file) { return std::make_unique<sarif_report>(file); }

}  // namespace warpz
