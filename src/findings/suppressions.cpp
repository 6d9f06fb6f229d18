// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "findings/suppressions.hpp"

#include <fmt/format.h>
#include <fnmatch.h>

#include <algorithm>

#include "error.hpp"
#include "findings/kinds.hpp"
#include "input/byte_source.hpp"
#include "text/printable.hpp"

namespace warpz {
namespace {

constexpr std::string_view blanks = " \t\r";
/// Between a place and its line's text.
constexpr std::string_view code_mark = " | ";

std::string_view trimmed(std::string_view text) {
  const std::size_t begin = text.find_first_not_of(blanks);
  if (begin == std::string_view::npos) return {};
  return text.substr(begin, text.find_last_not_of(blanks) - begin + 1);
}

/// Where a comment begins: at a # after a blank, as a file name may contain one.
std::size_t comment_in(std::string_view line) {
  std::size_t at = line.find('#');
  while (at != std::string_view::npos && at != 0 && blanks.find(line[at - 1]) == std::string_view::npos)
    at = line.find('#', at + 1);
  return at;
}

/// No file of suppressions is larger; a device would never end.
constexpr std::size_t max_text = std::size_t{16} << 20;

std::string content_of(std::string_view option, const std::string& file) {
  byte_source source(file);
  std::string text;
  for (std::string_view part = source.look(1); !part.empty(); part = source.look(1)) {
    text += part;
    source.skip(part.size());
    if (text.size() <= max_text) continue;
    throw error(exit_code::bad_input, fmt::format("--{} {}: it is larger than 16 MiB", option, printable(file)));
  }
  return text;
}

bool fits(const std::string& pattern, const std::string& name) {
  return !name.empty() && fnmatch(pattern.c_str(), name.c_str(), 0) == 0;
}

/// The file, with all its folders or fewer of them, with the line or without.
bool fits_place(const std::string& pattern, std::string_view file, unsigned line) {
  if (file.empty()) return false;
  for (;;) {
    if (fits(pattern, std::string(file)) || fits(pattern, fmt::format("{}:{}", file, line))) return true;
    const std::size_t slash = file.find('/');
    if (slash == std::string_view::npos) return false;
    file.remove_prefix(slash + 1);
  }
}

bool fits_function(const std::string& pattern, const std::string& function) {
  return fits(pattern, function) || fits(pattern, function.substr(0, function.find('(')));
}

bool fits(const std::string& pattern, const symbolized_finding& found) {
  const warpz_finding& record = found.record;
  if (fits_function(pattern, std::string(bounded(record.kernel)))) return true;
  for (std::size_t i = 0; i < std::min<std::size_t>(record.group_count, WARPZ_FINDING_GROUPS); ++i) {
    const warpz_place& place = record.groups[i].place;
    if (fits_place(pattern, bounded(place.file), place.line)) return true;
  }
  if (found.contrast) {
    for (const source_line& line : found.contrast->hard_coded) {
      if (fits_place(pattern, line.file, line.line)) return true;
    }
  }
  for (const related_line& each : found.related) {
    if (fits_place(pattern, each.file, each.line)) return true;
  }
  if (fits_place(pattern, found.whole_file, 1)) return true;
  return std::any_of(found.stack.begin(), found.stack.end(), [&](const source_line& frame) {
    return fits_place(pattern, frame.file, frame.line) || fits_function(pattern, frame.function);
  });
}

/// A place of a finding: the file and line, or the kernel; and the line's text, if it is known.
struct finding_place {
  std::string words;
  std::string code = {};
};

finding_place place_of(std::string_view file, unsigned line, std::string_view code) {
  return {fmt::format("{}:{}", file, line), std::string(trimmed(code))};
}

/// The places of a finding whose lines may be known, the first one first.
std::vector<finding_place> known_places(const symbolized_finding& found) {
  std::vector<finding_place> places;
  for (std::size_t i = 0; i < std::min<std::size_t>(found.record.group_count, WARPZ_FINDING_GROUPS); ++i) {
    const warpz_place& place = found.record.groups[i].place;
    const std::string_view code = i < found.places.size() ? std::string_view(found.places[i].code) : "";
    if (!bounded(place.file).empty()) places.push_back(place_of(bounded(place.file), place.line, code));
  }
  for (const source_line& frame : found.stack) {
    if (!frame.file.empty()) places.push_back(place_of(frame.file, frame.line, frame.code));
  }
  for (const related_line& each : found.related) {
    if (!each.file.empty()) places.push_back(place_of(each.file, each.line, ""));
  }
  if (found.contrast) {
    for (const source_line& each : found.contrast->hard_coded) {
      if (!each.file.empty()) places.push_back(place_of(each.file, each.line, ""));
    }
  }
  return places;
}

/// Where a finding is, as a pattern that fits() matches.
finding_place first_place(const symbolized_finding& found) {
  const std::vector<finding_place> places = known_places(found);
  if (!places.empty()) return places.front();
  return {!found.whole_file.empty() ? found.whole_file : std::string(bounded(found.record.kernel))};
}

/// "histogram.hip" of "histogram.hip:12".
std::string without_line(const std::string& place) {
  const std::size_t colon = place.rfind(':');
  const bool has_line = colon != std::string::npos && colon + 1 < place.size() &&
                        place.find_first_not_of("0123456789*", colon + 1) == std::string::npos;
  return has_line ? place.substr(0, colon) : place;
}

/// Whether a line of this text, in that file, belongs to the finding.
bool fits_code(const std::string& pattern, const std::string& code, const symbolized_finding& found) {
  const std::vector<finding_place> places = known_places(found);
  return std::any_of(places.begin(), places.end(), [&](const finding_place& each) {
    return fits(code, each.code) && fits_place(without_line(pattern), without_line(each.words), 0);
  });
}

/// What matches these characters alone; a # behind a blank would begin a comment.
std::string as_pattern(std::string_view text) {
  std::string pattern;
  for (const char each : text) {
    if (each == '\n' || each == '\r' || each == '#') {
      pattern += '?';
      continue;
    }
    if (std::string_view("*?[]\\").find(each) != std::string_view::npos) pattern += '\\';
    pattern += each;
  }
  return pattern;
}

}  // namespace

void suppressions::read(std::string_view option, const std::string& file) {
  const std::string text = content_of(option, file);
  std::string reason_above;
  unsigned number = 0;
  for (std::string_view rest = text; !rest.empty();) {
    const std::string_view line = rest.substr(0, rest.find('\n'));
    rest.remove_prefix(std::min(line.size() + 1, rest.size()));
    ++number;
    const std::size_t hash = comment_in(line);
    const std::string_view comment =
        hash == std::string_view::npos ? std::string_view() : trimmed(line.substr(hash + 1));
    const std::string_view content = trimmed(line.substr(0, hash));
    if (content.empty()) {
      reason_above = comment;
      continue;
    }
    entries_.push_back(
        read_line(content, {file, number, comment.empty() ? reason_above : std::string(comment)}, option));
  }
}

suppressions::entry suppressions::read_line(std::string_view line, const suppressed_by& at, std::string_view option) {
  const auto refuse = [&](const std::string& problem, const std::string& advice) {
    throw error(exit_code::bad_input, fmt::format("--{} {}:{}: {}", option, printable(at.file), at.line, problem),
                advice);
  };
  const std::size_t colon = line.find(':');
  const std::string_view name = trimmed(line.substr(0, colon));
  const std::string_view rest = colon == std::string_view::npos ? std::string_view() : trimmed(line.substr(colon + 1));
  const std::string_view pattern = trimmed(rest.substr(0, rest.find(code_mark)));
  const std::string_view code = rest.find(code_mark) == rest.npos
                                    ? std::string_view()
                                    : trimmed(rest.substr(rest.find(code_mark) + code_mark.size()));
  if (pattern.empty()) {
    refuse(fmt::format("'{}' does not have the form KIND: PLACE", printable(line)),
           "For example, data_race: mine.hip:12. The place may be a glob.");
  }
  const finding_kind* const kind = kind_named(name);
  if (kind == nullptr) {
    refuse(fmt::format("{} is not a kind of finding", printable(name)),
           "docs/checks.md lists the kinds; --format json shows those of a run.");
  }
  if (kind->ends_kernel) {
    refuse(fmt::format("{} cannot be suppressed: it ends the kernel, so that there is no result", printable(name)),
           "Fix the kernel.");
  }
  return {kind->id, std::string(pattern), std::string(code), std::string(line), at, std::string(option)};
}

std::optional<suppressed_by> suppressions::match(const symbolized_finding& found) {
  for (entry& each : entries_) {
    if (each.kind != found.record.kind) continue;
    if (each.code.empty() ? !fits(each.pattern, found) : !fits_code(each.pattern, each.code, found)) continue;
    each.used = true;
    return each.place;
  }
  return recorded_in_.empty() ? std::nullopt : record(found);
}

std::optional<suppressed_by> suppressions::record(const symbolized_finding& found) {
  const finding_kind& kind = kind_of(found.record.kind);
  if (kind.ends_kernel) return {};
  const auto line = static_cast<unsigned>(recorded_count() + 1);
  const suppressed_by place{recorded_in_, line, {}};
  const finding_place first = first_place(found);
  // It could not be told from any other of its kind.
  if (first.words.empty()) return {};
  const std::string pattern = as_pattern(first.words), code = as_pattern(first.code);
  const std::string text = fmt::format("{}: {}{}{}", kind.name, pattern, code.empty() ? "" : code_mark, code);
  entries_.push_back({kind.id, pattern, code, text, place, {}, true});
  return place;
}

std::string suppressions::recorded_text() const {
  std::string text;
  for (const entry& each : entries_) {
    if (each.option.empty()) text += each.text + "\n";
  }
  return text;
}

std::size_t suppressions::recorded_count() const {
  return static_cast<std::size_t>(
      std::count_if(entries_.begin(), entries_.end(), [](const entry& each) { return each.option.empty(); }));
}

std::vector<std::string> suppressions::unused(std::string_view option) const {
  std::vector<std::string> sentences;
  for (const entry& each : entries_) {
    if (each.used || each.option != option) continue;
    sentences.push_back(
        fmt::format("{}:{}: no finding matches {}", printable(each.place.file), each.place.line, printable(each.text)));
  }
  return sentences;
}

}  // namespace warpz
