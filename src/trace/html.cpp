// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "trace/html.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>

#include "counters/text.hpp"
#include "trace/json.hpp"
#include "trace/markup.hpp"
#include "trace/packed.hpp"
#include "trace/page.hpp"
#include "trace/svg.hpp"

namespace warpz {
namespace {

/// Takes the headline, the style, the version, and the kernels where the headline is another one.
constexpr std::string_view page_head = R"(<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>{0}</title>
<link rel="icon" href="data:,">
<style>
{1}</style>
</head>
<body>
<header><h1>{0}</h1>
<p>{3} each lane gives and gets, step by step, as warpz {2} has seen it. Arrow keys step, the space bar plays.</p>
</header>
<section id="finding" aria-label="Finding" hidden></section>
<nav aria-label="Steps">
<button id="back" aria-label="One step back">&#9664;</button>
<button id="next" aria-label="One step on">&#9654;</button>
<button id="play" aria-pressed="false">Play</button>
<input id="slider" type="range" min="1" value="1" aria-label="Step">
<output id="where"></output>
<button id="jump"></button>
<button id="tables" aria-pressed="false">Table</button>
<button id="png" title="Save the picture as PNG">PNG</button>
<button id="animation" title="Save the picture as an SVG file whose steps come one after the other">Animation</button>
<button id="theme">Dark</button>
</nav>
<p id="told" role="status">A browser of 2023 or later shows the lanes here, if it may run this page's script.</p>
<details id="legend" open><summary>Legend</summary></details>
)";

/// The traces, and behind each zero byte a run's picture, as part of a page: without what stands before its root.
std::string data_of(const std::vector<trace>& all, std::uint64_t shown) {
  std::string data = trace_json(all, shown);
  for (const trace& run : all) {
    const std::string picture = animated_svg({run}, shown);
    data += '\0';
    data += std::string_view(picture).substr(picture.find("<svg"));
  }
  return packed(data);
}

/// What the line costs in each run, one below the other.
std::string costs_of(const std::vector<trace>& all, const std::string& file, unsigned line) {
  std::string text;
  for (const trace& run : all) {
    if (!run.costs) continue;
    const std::string lanes = all.size() > 1 ? fmt::format("{} lanes: ", run.warp_size) : "";
    for (const kernel_costs& kernel : run.costs->kernels) {
      for (const line_cost& each : kernel.lines) {
        if (each.file == file && each.line == line)
          text += fmt::format("<small class=\"cost\">{}{}</small>", lanes,
                              escaped(cost_sentence(each, run.costs->warp_size)));
      }
    }
  }
  return text;
}

/// The files that the kernel was given in; what they include is folded.
std::string code_of(const std::vector<trace>& all) {
  std::string text = "<div id=\"code\">\n";
  std::vector<std::string_view> written;
  for (const trace& run : all) {
    for (const source_file& file : run.sources) {
      if (file.lines.empty() || std::find(written.begin(), written.end(), file.name) != written.end()) continue;
      written.push_back(file.name);
      const std::string name = escaped(file.name);
      text += file.is_include
                  ? fmt::format("<details class=\"code\"><summary>{}</summary>", name)
                  : fmt::format("<section class=\"code\" tabindex=\"0\" aria-label=\"Source\"><h2>{}</h2>", name);
      text += fmt::format("<ol data-file=\"{}\">", name);
      for (std::size_t i = 0; i < file.lines.size(); ++i)
        text += fmt::format("<li value=\"{}\">{}{}</li>\n", i + 1, escaped(file.lines[i]),
                            costs_of(all, file.name, static_cast<unsigned>(i + 1)));
      text += file.is_include ? "</ol></details>\n" : "</ol></section>\n";
    }
  }
  const bool has_costs = std::any_of(all.begin(), all.end(), [](const trace& run) { return run.costs.has_value(); });
  if (has_costs)
    text += "<section id=\"banks\" aria-label=\"Banks\" hidden><h2></h2><p></p><svg role=\"img\"></svg></section>\n";
  return text + "</div>\n";
}

}  // namespace

std::string trace_html(const std::vector<trace>& all, std::uint64_t shown) {
  std::string kernels, headline;
  for (const trace& run : all) {
    if (kernels.find(run.kernel) == std::string::npos) kernels += (kernels.empty() ? "" : ", ") + run.kernel;
    if (headline.empty() && !run.explanations.empty()) headline = run.explanations.front().headline;
  }
  std::string text = fmt::format(page_head, escaped(headline.empty() ? kernels : headline), page_style, WARPZ_VERSION,
                                 headline.empty() ? "What" : escaped(kernels) + ": what");
  text += all.size() > 1 ? "<main class=\"several\">\n" : "<main>\n";
  text += code_of(all);
  for (const trace& run : all) {
    text += fmt::format("<section class=\"panel\" aria-label=\"{}, {} lanes in a warp\"></section>\n",
                        escaped(run.kernel), run.warp_size);
  }
  text += fmt::format(
      "<div id=\"list\"></div>\n</main>\n<script type=\"text/plain\" id=\"data\">{}</script>\n<script "
      "type=\"module\">\n{}</script>\n</body>\n"
      "</html>\n",
      data_of(all, shown), page_script);
  return text;
}

}  // namespace warpz
