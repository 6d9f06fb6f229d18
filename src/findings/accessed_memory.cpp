// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "findings/accessed_memory.hpp"

#include <cxxabi.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <memory>

#include "abi/red_zone.h"
#include "system/elf_file.hpp"
#include "system/file_content.hpp"
#include "text/printable.hpp"

namespace warpz {
namespace {

/// "tile" of "_ZZ4mineE4tile", which is mine(...)::tile.
std::string short_name(const char* mangled) {
  int status = 0;
  const std::unique_ptr<char, decltype(&std::free)> text(abi::__cxa_demangle(mangled, nullptr, nullptr, &status),
                                                         std::free);
  std::string name = status == 0 ? text.get() : mangled;
  const std::size_t colons = name.rfind("::");
  return colons == std::string::npos ? name : name.substr(colons + 2);
}

bool is_of_library(std::string_view file) { return file.find("device/warpz/") != std::string_view::npos; }

/// Compilers tell the folder, too, in which they were called.
std::string as_named(const std::string& file, const std::string& source) {
  const std::string normal = std::filesystem::path(file).lexically_normal();
  std::error_code failed;
  if (!source.empty() && normal == std::filesystem::absolute(source, failed).lexically_normal()) return source;
  return normal;
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
    // A user's own may be in a namespace, or made from a template: "void (anonymous namespace)::scale<float>(float*)".
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
      line.file = as_named(line.file, code.source);
      return line;
    }
  }
  return {};
}

/// "data" of a line such as `hipMalloc(&data, bytes)`.
std::string variable_of_allocation(const source_line& call) {
  std::ifstream source(call.file);
  std::string text;
  for (unsigned line = 0; line < call.line && std::getline(source, text); ++line) {
  }
  const std::size_t begin = text.find('&', std::min(text.find("Malloc"), text.size()));
  if (begin == std::string::npos) return "buffer";
  const std::size_t end = text.find_first_of(",) ", begin);
  return end == std::string::npos || end == begin + 1 ? "buffer" : text.substr(begin + 1, end - begin - 1);
}

}  // namespace

void find_place(warpz_lane_group& group, const code_location& code) {
  if (group.code == 0) return;
  std::vector<source_line> lines = resolve_stack({&group.code, 1}, code);
  std::erase_if(lines, [](const source_line& each) { return each.line == 0; });
  if (lines.empty()) return;
  const auto own = std::find_if(lines.begin(), lines.end(), [](const auto& one) { return !is_of_library(one.file); });
  const source_line& chosen = own != lines.end() ? *own : lines.front();
  const std::string file = as_named(chosen.file, code.source);
  std::snprintf(group.place.file, sizeof group.place.file, "%s", file.c_str());
  group.place.line = chosen.line;
}

named_variable variable_at(std::string_view module, std::uint64_t offset, bool thread_local_one) {
  named_variable nearest;
  std::uint64_t least = ~std::uint64_t{0};
  for (const os::elf_symbol& each : os::elf_file(module).symbols()) {
    if (each.type != (thread_local_one ? STT_TLS : STT_OBJECT) || each.bytes == 0) continue;
    if (each.name.starts_with(WARPZ_RED_ZONE_NAME)) continue;
    const std::uint64_t end = each.begin + each.bytes;
    const std::uint64_t distance = offset < each.begin ? each.begin - offset : offset >= end ? offset - end + 1 : 0;
    if (distance >= least) continue;
    least = distance;
    nearest = {short_name(std::string(each.name).c_str()), each.begin, each.bytes};
  }
  return nearest;
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
  std::int64_t offset = finding.offset;
  std::uint64_t bytes = finding.length;
  // What the elements are only the access tells.
  const auto element_by_access = [&]() -> unsigned {
    const std::uint32_t access = finding.groups[0].bytes;
    return access != 0 && bytes % access == 0 && offset % access == 0 ? access : 1;
  };
  switch (finding.memory) {
    case WARPZ_MEMORY_ARGUMENT: {
      if (arguments.signature.empty() || finding.argument >= arguments.elements.size()) return {};
      const warpz_element element = arguments.elements[finding.argument];
      named.name = argument_name(arguments.signature, finding.argument);
      named.element_bytes = std::max(element.bytes, 1U);
      named.floats = element.is_float != 0;
      break;
    }
    case WARPZ_MEMORY_SHARED:
    case WARPZ_MEMORY_VARIABLE: {
      const bool shared = finding.memory == WARPZ_MEMORY_SHARED;
      const named_variable variable =
          variable_at(os::content_of(code.file).value_or(""), static_cast<std::uint64_t>(finding.offset), shared);
      const bool is_within = static_cast<std::uint64_t>(finding.offset) - variable.begin < variable.bytes;
      if (!is_within && finding.kind != WARPZ_OUT_OF_BOUNDS) return {};
      named.name = variable.name;
      offset -= static_cast<std::int64_t>(variable.begin);
      bytes = variable.bytes;
      named.element_bytes = element_by_access();
      break;
    }
    case WARPZ_MEMORY_DYNAMIC_SHARED:
      named.name = "dynamic shared memory";
      named.element_bytes = element_by_access();
      break;
    case WARPZ_MEMORY_ALLOCATION: {
      // A wrong or missing free is about a whole buffer.
      if (finding.group_count == 0) return {};
      named.name = variable_of_allocation(call_of(finding.allocated_at, code));
      named.element_bytes = element_by_access();
      break;
    }
    default:
      return {};
  }
  const auto size = static_cast<std::int64_t>(named.element_bytes);
  // Downwards, also before the beginning.
  named.index = offset >= 0 ? offset / size : -((-offset + size - 1) / size);
  named.elements = bytes / named.element_bytes;
  return named;
}

symbolized_finding symbolize(const warpz_finding& record, const code_location& code,
                             const kernel_arguments& arguments) {
  const std::size_t frames = std::min<std::size_t>(record.frame_count, WARPZ_FINDING_FRAMES);
  symbolized_finding found{record, resolve_stack({record.frames, frames}, code)};
  end_with_kernel(found.stack, bounded(record.kernel));
  for (source_line& line : found.stack) line.file = as_named(line.file, code.source);
  for (warpz_lane_group& group : found.record.groups) find_place(group, code);
  found.memory = memory_of(record, arguments, code);
  if (record.memory == WARPZ_MEMORY_SHARED || record.memory == WARPZ_MEMORY_VARIABLE) {
    // The machine knows all variables as one piece.
    if (found.memory)
      found.record.offset = found.memory->index * static_cast<std::int64_t>(found.memory->element_bytes);
  }
  const auto note = [&](std::string_view event, const std::uint64_t(&calls)[WARPZ_HISTORY_FRAMES]) {
    const source_line call = call_of(calls, code);
    if (!call.file.empty()) found.related.push_back({std::string(event), call.file, call.line});
  };
  note("allocated", record.allocated_at);
  note("freed", record.freed_at);
  return found;
}

}  // namespace warpz
