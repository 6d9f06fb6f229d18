// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "trace/html.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>

#include "trace/json.hpp"
#include "trace/markup.hpp"
#include "trace/page.hpp"
#include "trace/svg.hpp"

namespace warpz {
namespace {

/// The picture as part of a page: without what stands before its root.
std::string inline_svg(const trace& run, std::uint64_t shown) {
  std::string picture = trace_svg({run}, shown);
  picture.erase(0, picture.find("<svg"));
  return picture;
}

/// JSON within a script element, which the text "</script>" would end.
std::string as_script(std::string text) {
  for (std::size_t at = 0; (at = text.find("</", at)) != std::string::npos; at += 3) text.replace(at, 2, "<\\/");
  for (std::size_t at = 0; (at = text.find("<!--", at)) != std::string::npos; at += 7)
    text.replace(at, 4, "\\u003c!--");
  return text;
}

std::string code_of(const std::vector<trace>& all) {
  std::string text;
  std::vector<std::string_view> written;
  for (const trace& run : all) {
    for (const source_file& file : run.sources) {
      if (file.lines.empty() || std::find(written.begin(), written.end(), file.name) != written.end()) continue;
      written.push_back(file.name);
      text +=
          fmt::format("<section class=\"code\" tabindex=\"0\" aria-label=\"Source\"><h2>{0}</h2><ol data-file=\"{0}\">",
                      escaped(file.name));
      for (std::size_t i = 0; i < file.lines.size(); ++i)
        text += fmt::format("<li value=\"{}\">{}</li>\n", i + 1, escaped(file.lines[i]));
      text += "</ol></section>\n";
    }
  }
  return text;
}

}  // namespace

std::string trace_html(const std::vector<trace>& all, std::uint64_t shown) {
  std::string title;
  for (const trace& run : all) {
    if (title.find(run.kernel) == std::string::npos) title += (title.empty() ? "" : ", ") + run.kernel;
  }
  title = escaped(title);
  std::string text = fmt::format(
      "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n<meta name=\"viewport\" "
      "content=\"width=device-width, initial-scale=1\">\n<title>{0}: lanes</title>\n<link rel=\"icon\" "
      "href=\"data:,\">\n<style>\n{1}</style>\n</head>\n<body>\n<header><h1>{0}</h1>\n<p>What each lane gives and "
      "gets, "
      "step by step, as warpz {2} has seen it.</p></header>\n",
      title, page_style, WARPZ_VERSION);
  text +=
      "<nav aria-label=\"Steps\">\n<button id=\"back\" aria-label=\"One step back\">&#9664;</button>\n<button "
      "id=\"next\" "
      "aria-label=\"One step on\">&#9654;</button>\n<button id=\"play\" aria-pressed=\"false\">Play</button>\n<input "
      "id=\"slider\" type=\"range\" min=\"1\" value=\"1\" aria-label=\"Step\">\n<output "
      "id=\"where\"></output>\n<button "
      "id=\"jump\"></button>\n<button id=\"tables\" aria-pressed=\"false\">Table</button>\n<button id=\"theme\" "
      "aria-pressed=\"false\">Dark</button>\n</nav>\n<p id=\"told\" role=\"status\"></p>\n<div "
      "id=\"list\"></div>\n<main>\n";
  text += code_of(all);
  for (const trace& run : all) {
    text += fmt::format("<section class=\"run\" aria-label=\"{}, {} lanes in a warp\">\n{}</section>\n",
                        escaped(run.kernel), run.warp_size, inline_svg(run, shown));
  }
  text += fmt::format(
      "</main>\n<script type=\"application/json\" id=\"data\">{}</script>\n<script>\n{}</script>\n</body>\n</html>\n",
      as_script(trace_json(all, shown)), page_script);
  return text;
}

}  // namespace warpz
