// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "findings/accessed_memory.hpp"

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <fstream>

#include "findings/device_sources.hpp"
#include "findings/module_variables.hpp"
#include "findings/source_text.hpp"
#include "system/file_content.hpp"
#include "text/printable.hpp"

namespace warpz {
namespace {

bool is_of_library(std::string_view file) { return file.find("device/warpz/") != std::string_view::npos; }

/// The file as the user named it. Compilers add the folder in which they were called.
std::string as_named(const std::string& file, const std::vector<std::string>& sources) {
  const std::string normal = std::filesystem::path(file).lexically_normal();
  const auto named = std::find_if(sources.begin(), sources.end(), [&](const std::string& each) {
    std::error_code failed;
    return normal == std::filesystem::absolute(each, failed).lexically_normal();
  });
  return named != sources.end() ? *named : normal;
}

constexpr std::string_view unnamed_namespace = "(anonymous namespace)::";

/// "scale" of "void mine::scale<float>(float*)".
std::string_view word_of(std::string_view name) {
  name = name.substr(0, name.find_first_of("<("));
  return name.substr(name.find_last_of(": ") + 1);
}

/// Below the kernel itself there are only the frames that launched it.
void end_with_kernel(std::vector<source_line>& stack, std::string_view kernel) {
  const auto is_kernel = [kernel](const source_line& line) {
    std::string_view name = line.function;
    // A user's kernel may be in a namespace, or made from a template: "void (anonymous
    // namespace)::scale<float>(float*)".
    if (const std::size_t unnamed = name.rfind(unnamed_namespace); unnamed != std::string_view::npos) {
      name.remove_prefix(unnamed + unnamed_namespace.size());
    }
    return word_of(name) == word_of(kernel);
  };
  const auto outermost = std::find_if(stack.rbegin(), stack.rend(), is_kernel);
  if (outermost != stack.rend()) stack.erase(outermost.base(), stack.end());
}

/// The program's own call that ended in an allocation or release.
source_line call_of(const std::uint64_t (&frames)[WARPZ_HISTORY_FRAMES], const code_location& code) {
  for (const std::uint64_t frame : frames) {
    if (frame == 0) break;
    for (source_line& line : resolve_stack({&frame, 1}, code)) {
      if (line.line == 0) continue;
      line.file = as_named(line.file, code.sources);
      return line;
    }
  }
  return {};
}

/// Where in the line the call of a function is that allocates; npos: none, or one of several.
std::size_t allocation_in(const std::string& text, unsigned column) {
  constexpr std::string_view function = "Malloc";
  const std::size_t first = text.find(function);
  if (first == std::string::npos || text.find(function, first + 1) == std::string::npos) return first;
  // The column counts in the preprocessed line, which may be another one.
  if (column == 0 || column > text.size()) return std::string::npos;
  const std::size_t end = text.find('(', column - 1);
  const std::size_t called = text.find(function, column - 1);
  const std::string_view call = std::string_view(text).substr(column - 1);
  const bool is_call = (call.starts_with("hip") || call.starts_with("cuda")) && called < end;
  return is_call ? called : std::string::npos;
}

/// "data" of a line such as `hipMalloc(&data, bytes)`.
std::string variable_of_allocation(const source_line& call) {
  std::ifstream source(call.file);
  std::string text;
  for (unsigned line = 0; line < call.line && std::getline(source, text); ++line) {
  }
  const std::size_t begin = text.find('&', std::min(allocation_in(text, call.column), text.size()));
  if (begin == std::string::npos) return "buffer";
  const std::size_t end = text.find_first_of(",) ", begin);
  return end == std::string::npos || end == begin + 1 ? "buffer" : text.substr(begin + 1, end - begin - 1);
}

/// Where two lanes have passed a barrier, and then one access is before it in the source and the other one behind it,
/// the one before belongs to the next round of a loop around all three.
std::optional<std::size_t> group_in_next_round(const symbolized_finding& found, const code_location& code) {
  const warpz_place& barrier = found.record.ordered_at;
  if (barrier.line == 0 || found.places.size() != 2) return {};
  if (!std::equal(std::begin(found.record.groups[0].block), std::end(found.record.groups[0].block),
                  found.record.groups[1].block)) {
    return {};
  }
  const std::string file = as_named(std::string(bounded(barrier.file)), code.sources);
  const source_line &a = found.places[0], &b = found.places[1];
  if (a.file != file || b.file != file || a.function != b.function) return {};
  if (a.line < barrier.line && barrier.line < b.line) return 0;
  if (b.line < barrier.line && barrier.line < a.line) return 1;
  return {};
}

std::string_view earlier_work(std::uint32_t work) {
  if (work == WARPZ_ASYNC_KERNEL) return "launched";
  if (work == WARPZ_ASYNC_ALLOCATION) return "allocated";
  return work == WARPZ_ASYNC_FILL ? "filled" : "copied";
}

}  // namespace

source_line find_place(warpz_lane_group& group, const code_location& code) {
  source_line place{{}, std::string(bounded(group.place.file)), group.place.line};
  if (group.code != 0) {
    std::vector<source_line> lines = resolve_stack({&group.code, 1}, code);
    std::erase_if(lines, [](const source_line& each) { return each.line == 0; });
    if (lines.empty()) return {};
    const auto own = std::find_if(lines.begin(), lines.end(), [](const auto& one) { return !is_of_library(one.file); });
    place = own != lines.end() ? *own : lines.front();
    place.file = as_named(place.file, code.sources);
    std::snprintf(group.place.file, sizeof group.place.file, "%s", place.file.c_str());
    group.place.line = place.line;
  }
  place.code = source_text(code, place.file, place.line);
  return place;
}

std::string argument_name(std::string_view signature, unsigned number) {
  for (; number != 0; --number) {
    const std::size_t comma = signature.find(',');
    if (comma == std::string_view::npos) return {};
    signature.remove_prefix(comma + 1);
  }
  const std::string_view argument = signature.substr(0, signature.find(','));
  const std::size_t before_name = argument.find_last_of(" *&");
  return before_name == std::string_view::npos ? "" : std::string(argument.substr(before_name + 1));
}

std::optional<named_memory> memory_of(const warpz_finding& finding, const kernel_arguments& arguments,
                                      const code_location& code) {
  named_memory named;
  switch (finding.memory) {
    case WARPZ_MEMORY_ARGUMENT: {
      if (arguments.signature.empty() || finding.argument >= arguments.elements.size()) return {};
      const warpz_element element = arguments.elements[finding.argument];
      named.name = argument_name(arguments.signature, finding.argument);
      named.floats = element.is_float != 0;
      count_elements(named, std::max(element.bytes, 1U), finding.offset, finding.length);
      return named;
    }
    case WARPZ_MEMORY_SHARED:
    case WARPZ_MEMORY_VARIABLE:
      return module_variables(os::content_of(code.file).value_or("")).memory_of(finding);
    case WARPZ_MEMORY_DYNAMIC_SHARED:
      named.name = "dynamic shared memory";
      count_elements(named, finding, 0, finding.offset, finding.length);
      return named;
    case WARPZ_MEMORY_ALLOCATION:
      // A wrong or missing free is about a whole buffer.
      if (finding.group_count == 0) return {};
      named.name = variable_of_allocation(call_of(finding.allocated_at, code));
      count_elements(named, finding, finding.element_bytes, finding.offset, finding.length);
      return named;
    default:
      return {};
  }
}

void symbolize(symbolized_finding& found, const code_location& code, const kernel_arguments& arguments) {
  warpz_finding& record = found.record;
  const std::size_t frames = std::min<std::size_t>(record.frame_count, WARPZ_FINDING_FRAMES);
  found.stack = resolve_stack({record.frames, frames}, code);
  end_with_kernel(found.stack, bounded(record.kernel));
  for (source_line& line : found.stack) {
    line.file = as_named(line.file, code.sources);
    line.code = source_text(code, line.file, line.line);
  }
  const std::size_t groups = std::min<std::size_t>(record.group_count, WARPZ_FINDING_GROUPS);
  for (std::size_t i = 0; i < groups; ++i) found.places.push_back(find_place(record.groups[i], code));
  found.in_next_round = group_in_next_round(found, code);
  found.memory = memory_of(record, arguments, code);
  if (record.memory == WARPZ_MEMORY_SHARED || record.memory == WARPZ_MEMORY_VARIABLE) {
    // The machine knows all variables as one piece.
    if (found.memory) record.offset = found.memory->index * static_cast<std::int64_t>(found.memory->element_bytes);
  }
  const auto note = [&](std::string_view event, const std::uint64_t(&calls)[WARPZ_HISTORY_FRAMES]) {
    const source_line call = call_of(calls, code);
    if (!call.file.empty()) found.related.push_back({std::string(event), call.file, call.line});
  };
  if (found.shrunk) {
    for (schedule_decision& each : found.shrunk->decisions) {
      for (schedule_party* const party : {&each.first, &each.held}) party->place = find_place(party->group, code);
    }
  }
  note(earlier_work(record.earlier_work), record.given_at);
  if (record.earlier_work != WARPZ_ASYNC_ALLOCATION) note("allocated", record.allocated_at);
  note("freed", record.freed_at);
  found.is_of_cuda = is_about_cuda(found, device_sources_in(code.file));
}

}  // namespace warpz
