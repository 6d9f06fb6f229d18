// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "report/roofline_svg.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <string_view>
#include <utility>
#include <vector>

#include "trace/markup.hpp"
#include "trace/svg_drawing.hpp"

namespace warpz {
namespace {

constexpr double left = 72, top = 70, plot_width = 430, least_height = 340, below = 66;
constexpr double list_x = left + plot_width + 56, list_line = 13, list_width = 370;

constexpr std::string_view roofline_style =
    "text{font:9.5px 'DejaVu Sans Mono',Menlo,Consolas,monospace;fill:#111}text.title{font-size:14px;font-weight:bold}"
    ".note{fill:#444}.x{text-anchor:middle}.y{text-anchor:end}.frame{fill:none;stroke:#555;stroke-width:.8}"
    ".grid{fill:none;stroke:#ddd;stroke-width:.8}.roof{fill:none;stroke:#111;stroke-width:2}"
    ".lead{fill:none;stroke:#999;stroke-width:.6}.point{stroke:#111;stroke-width:.8}";

/// How a variant is drawn.
struct look {
  std::string_view name;
  std::string_view colour;
  std::string_view shape;  ///< a path that starts at its middle
};

constexpr look looks[] = {
    {"copy", distance_colours[5], "m0-5l5 5l-5 5l-5-5z"},
    {"warp", distance_colours[3], "m-4 0a4 4 0 1 0 8 0a4 4 0 1 0-8 0z"},
    {"shared", distance_colours[0], "m-3.5-3.5h7v7h-7z"},
    {"tuned", distance_colours[1], "m0-4.5l4.5 8h-9z"},
    {"library", distance_colours[2], "m0 4.5l4.5-8h-9z"},
};

const look& look_of(std::string_view kind) {
  return *std::find_if(std::begin(looks), std::end(looks) - 1, [&](const look& each) { return each.name == kind; });
}

double intensity_of(const measurement& one) { return one.operations / static_cast<double>(one.bytes); }

/// A logarithmic axis over the powers of ten around the values that it has to show.
class log_axis {
 public:
  log_axis(double begin, double length) : begin_(begin), length_(length) {}
  void take(double value) {
    first_ = is_empty_ ? value : std::min(first_, value);
    last_ = is_empty_ ? value : std::max(last_, value);
    is_empty_ = false;
  }
  int first() const { return static_cast<int>(std::floor(std::log10(first_ / 1.2))); }
  int last() const { return std::max(first() + 1, static_cast<int>(std::ceil(std::log10(last_ * 1.2)))); }
  double place(double value) const {
    return begin_ + length_ * (std::log10(value) - first()) / static_cast<double>(last() - first());
  }
  double end() const { return std::pow(10.0, last()); }

 private:
  double begin_, length_;
  double first_ = 1, last_ = 1;
  bool is_empty_ = true;
};

class roofline_drawing {
 public:
  explicit roofline_drawing(const benchmark& all)
      : all_(all), x_(left, plot_width), y_(top + height_of(all), -height_of(all)) {
    for (const measurement* const each : shown()) {
      x_.take(intensity_of(*each));
      y_.take(each->operation_rate());
    }
    if (!has_roofs()) return;
    x_.take(ridge());
    y_.take(all.arithmetic->operation_rate());
  }

  std::string write() {
    const double height = top + height_of(all_) + below;
    add("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<svg xmlns=\"http://www.w3.org/2000/svg\" version=\"1.1\" "
        "width=\"{0:.0f}\" height=\"{1:.0f}\" viewBox=\"0 0 {0:.0f} {1:.0f}\" role=\"img\">\n<title>{2}</title>\n"
        "<desc>Operations a second above operations for each byte, and the roofs that memory and arithmetic set."
        "</desc>\n<defs><style>{3}</style></defs>\n<rect width=\"100%\" height=\"100%\" fill=\"#fff\"/>\n",
        list_x + list_width, height, escaped("Roofline of " + all_.device), roofline_style);
    note(svg_drawing::margin, 24, escaped(fmt::format("{}: {}", all_.backend, all_.device)), "title");
    note(svg_drawing::margin, 40,
         "an operation is an addition, a multiplication, a comparison or a move that the task asks for, of one number");
    add_axes();
    if (has_roofs()) add_roofs();
    add_kernels();
    add_legend(height - 14);
    return std::move(text_) + "</svg>\n";
  }

 private:
  template <class... Arguments>
  void add(fmt::format_string<Arguments...> format, Arguments&&... arguments) {
    fmt::format_to(std::back_inserter(text_), format, std::forward<Arguments>(arguments)...);
  }
  void note(double x, double y, std::string_view words, std::string_view classes = "note") {
    add("<text class=\"{}\" x=\"{:g}\" y=\"{:g}\">{}</text>\n", classes, tenth(x), tenth(y), words);
  }
  void line(std::string_view classes, double x, double y, double x2, double y2) {
    add("<path class=\"{}\" d=\"M{:g} {:g}L{:g} {:g}\"/>\n", classes, tenth(x), tenth(y), tenth(x2), tenth(y2));
  }

  static double height_of(const benchmark& all) {
    return std::max(least_height, list_line * static_cast<double>(all.measured.size() + 1));
  }

  /// The kernels that have times, the fastest first.
  std::vector<const measurement*> shown() const {
    std::vector<const measurement*> kernels{&all_.copy};
    for (const measurement& each : all_.measured) kernels.push_back(&each);
    std::erase_if(kernels, [](const measurement* each) { return each->median == 0; });
    std::stable_sort(kernels.begin(), kernels.end(), [](const measurement* one, const measurement* other) {
      return one->operation_rate() > other->operation_rate();
    });
    return kernels;
  }

  bool has_roofs() const { return all_.copy.median != 0 && all_.arithmetic && all_.arithmetic->median != 0; }
  /// Operations per byte above which arithmetic is the limit.
  double ridge() const { return all_.arithmetic->operation_rate() / all_.copy.rate(); }

  void add_axes() {
    const double bottom = top + height_of(all_);
    for (int power = x_.first(); power <= x_.last(); ++power) {
      const double x = x_.place(std::pow(10.0, power));
      line("grid", x, top, x, bottom);
      note(x, bottom + 14, fmt::format("{:g}", std::pow(10.0, power)), "note x");
    }
    for (int power = y_.first(); power <= y_.last(); ++power) {
      const double y = y_.place(std::pow(10.0, power));
      line("grid", left, y, left + plot_width, y);
      note(left - 6, y + 3, fmt::format("{:g}", std::pow(10.0, power)), "note y");
    }
    add("<path class=\"frame\" d=\"M{:g} {:g}h{:g}v{:g}h-{:g}z\"/>\n", left, top, plot_width, height_of(all_),
        plot_width);
    note(left + plot_width / 2, bottom + 28, "operations for each byte", "note x");
    note(svg_drawing::margin, top - 10, "billions of operations a second");
  }

  void add_roofs() {
    const double bandwidth = all_.copy.rate(), most = all_.arithmetic->operation_rate();
    // The line starts at the left edge, or at the lower edge where it is below the picture at the left.
    const double first = std::max(std::pow(10.0, x_.first()), std::pow(10.0, y_.first()) / bandwidth);
    add("<path class=\"roof\" d=\"M{:g} {:g}L{:g} {:g}H{:g}\"/>\n", tenth(x_.place(first)),
        tenth(y_.place(first * bandwidth)), tenth(x_.place(ridge())), tenth(y_.place(most)), left + plot_width);
    note(left + plot_width - 6, top + height_of(all_) - 8,
         fmt::format("roofs: copy {:.4g} GB/s, arithmetic {:.4g}", bandwidth, most), "note y");
  }

  void add_kernels() {
    double list_y = top + 6;
    for (const measurement* const each : shown()) {
      const look& drawn = look_of(each->kind);
      const double x = tenth(x_.place(intensity_of(*each))), y = tenth(y_.place(each->operation_rate()));
      const double share = all_.copy.rate() == 0 ? 0 : each->rate() / all_.copy.rate();
      const std::string name =
          each->kind == each->puzzle ? std::string(each->puzzle) : fmt::format("{} {}", each->puzzle, each->kind);
      add("<g class=\"kernel\" data-puzzle=\"{}\" data-variant=\"{}\">\n", each->puzzle, each->kind);
      line("lead", x, y, list_x - 12, list_y - 3);
      for (const auto& [at_x, at_y] : {std::pair(x, y), std::pair(list_x - 6, list_y - 3)})
        add("<path class=\"point\" fill=\"{}\" d=\"M{:g} {:g}{}\"/>\n", drawn.colour, at_x, at_y, drawn.shape);
      note(list_x + 4, list_y, escaped(name));
      note(list_x + list_width - 12, list_y, fmt::format("{:.4g} GB/s, {:.0f} %", each->rate(), 100 * share), "note y");
      add("</g>\n");
      list_y += list_line;
    }
  }

  void add_legend(double y) {
    double x = left;
    for (const look& each : looks) {
      const auto has_it = [&](const measurement* one) { return one->kind == each.name; };
      const auto kernels = shown();
      if (std::none_of(kernels.begin(), kernels.end(), has_it)) continue;
      add("<path class=\"point\" fill=\"{}\" d=\"M{:g} {:g}{}\"/>\n", each.colour, x, y - 3, each.shape);
      note(x + 10, y, each.name);
      x += 76;
    }
    note(list_x + 4, y, "%: of the copy's rate");
  }

  const benchmark& all_;
  log_axis x_, y_;
  std::string text_;
};

}  // namespace

std::string roofline_svg(const benchmark& all) { return roofline_drawing(all).write(); }

}  // namespace warpz
