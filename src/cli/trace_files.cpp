// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "cli/trace_files.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <string_view>
#include <utility>

#include "cli/refusal.hpp"

namespace warpz {
namespace {

bool has_extension(std::string_view file, std::string_view extension) {
  if (file.size() < extension.size()) return false;
  return std::equal(extension.begin(), extension.end(), file.end() - static_cast<std::ptrdiff_t>(extension.size()),
                    [](char one, char other) { return one == std::tolower(static_cast<unsigned char>(other)); });
}

/// What the extension of the trace's file says; text if it says nothing.
trace_format format_by_name(std::string_view file) {
  constexpr std::pair<std::string_view, trace_format> known[] = {{".perfetto.json", trace_format::perfetto},
                                                                 {".json", trace_format::json},
                                                                 {".svg", trace_format::svg},
                                                                 {".html", trace_format::html},
                                                                 {".png", trace_format::png},
                                                                 {".gif", trace_format::gif}};
  for (const auto& [extension, format] : known) {
    if (has_extension(file, extension)) return format;
  }
  for (const std::string_view picture :
       {".jpg", ".jpeg", ".webp", ".avif", ".bmp", ".tif", ".tiff", ".pdf", ".eps", ".apng", ".mp4", ".webm"}) {
    if (has_extension(file, picture))
      refuse(fmt::format("--trace draws no {} file", picture.substr(1)), "It draws .svg, .png, .gif and .html.");
  }
  return trace_format::text;
}

/// Bytes of one kind under the name of another would not open.
void check_trace_file(const trace_options& trace) {
  constexpr std::pair<std::string_view, trace_format> pixels[] = {{"png", trace_format::png},
                                                                  {"gif", trace_format::gif}};
  for (const auto& [name, format] : pixels) {
    const bool is_wanted = trace.format == format;
    if (is_wanted && !trace.file) refuse(fmt::format("--trace {0} needs -o FILE.{0}", name));
    if (!is_wanted && trace.file && has_extension(*trace.file, fmt::format(".{}", name)))
      refuse(fmt::format("-o with a name that ends with .{0} needs --trace {0}", name), "Or leave the format out.");
  }
}

}  // namespace

void choose_trace_format(trace_options& trace) {
  if (!trace.format) return;
  if (trace.format == trace_format::automatic) trace.format = format_by_name(trace.file.value_or(""));
  check_trace_file(trace);
}

}  // namespace warpz
