// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "report/benchmark_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "report/report.hpp"
#include "text/printable.hpp"

namespace warpz {
namespace {

using json = nlohmann::ordered_json;

constexpr int bar_width = 30;

/// Columns of a line with all but the bar, and with that.
constexpr std::size_t width_with_range = 99, width_with_bar = width_with_range + 2 + bar_width;

double share_of_copy(const measurement& one, const benchmark& all) {
  return all.copy.rate() == 0 ? 0 : one.rate() / all.copy.rate();
}

/// The benchmark's rows: the copy, and then the kernels.
template <class Each>
void for_each_measurement(const benchmark& all, const Each& each) {
  each(all.copy);
  for (const measurement& one : all.measured) each(one);
}

/// Five significant digits, but nothing finer than 100 ns: runs differ by more than that.
std::string milliseconds(double value) {
  const int digits = value < 10 ? 4 : value < 100 ? 3 : value < 1000 ? 2 : 1;
  return fmt::format("{:.{}f}", value, digits);
}

}  // namespace

std::string benchmark_head(const benchmark& all, std::size_t columns) {
  const bool has_range = columns >= width_with_range;
  return fmt::format(
      "{}: {}\nms: {}; GB/s: all inputs and the output, each once\n\n{:<32}{:<8}{:>11}{:>11}{}{:>9}{:>9}\n",
      printable(all.backend), printable(all.device), has_range ? "median, least and greatest" : "median", "puzzle",
      "kernel", "elements", "ms", has_range ? "    least-greatest " : "", "GB/s", "of copy");
}

std::string benchmark_line(const measurement& one, const benchmark& all, std::size_t columns) {
  const std::string name = fmt::format("{:<32}{:<8}{:>11}", one.puzzle, one.kind, one.size);
  if (one.median == 0) return fmt::format("{}   {}: not measured\n", name, verdict_name(one.result));
  const double share = share_of_copy(one, all);
  std::string range, bar;
  if (columns >= width_with_range)
    range = fmt::format("{:>9}-{:<9}", milliseconds(one.least), milliseconds(one.greatest));
  if (columns >= width_with_bar) {
    const int length = std::clamp(static_cast<int>(share * bar_width + 0.5), 0, bar_width);
    bar = "  " + std::string(static_cast<std::size_t>(length), '#');
  }
  return fmt::format("{}{:>11}{}{:>9.1f}{:>8.1f}%{}\n", name, milliseconds(one.median), range, one.rate(), 100 * share,
                     bar);
}

std::string benchmark_csv(const benchmark& all) {
  std::string text =
      "puzzle,variant,kernel,elements,bytes,runs,median_ms,least_ms,greatest_ms,gb_per_second,share_of_copy,verdict\n";
  for_each_measurement(all, [&](const measurement& one) {
    text += fmt::format("{},{},{},{},{},{},{:.6f},{:.6f},{:.6f},{:.3f},{:.4f},{}\n", one.puzzle, one.kind, one.kernel,
                        one.size, one.bytes, one.runs, one.median, one.least, one.greatest, one.rate(),
                        share_of_copy(one, all), verdict_name(one.result));
  });
  return text;
}

std::string benchmark_json(const benchmark& all, int exit_code) {
  json rows = json::array();
  verdict worst = verdict::passed;
  for_each_measurement(all, [&](const measurement& one) {
    const bool is_known = one.median != 0;
    const auto or_null = [&](double value) { return is_known ? json(value) : json(); };
    worst = std::max(worst, one.result);
    rows.push_back(
        {{"puzzle", one.puzzle},
         {"variant", one.kind},
         {"kernel", one.kernel},
         {"backend", all.backend},
         {"device", all.device},
         {"warp_size", all.warp_size},
         {"size", one.size},
         {"bytes", one.bytes},
         {"runs", one.runs},
         {"milliseconds",
          {{"median", or_null(one.median)}, {"least", or_null(one.least)}, {"greatest", or_null(one.greatest)}}},
         {"gigabytes_per_second", or_null(one.rate())},
         {"share_of_copy", or_null(share_of_copy(one, all))},
         {"verdict", verdict_name(one.result)}});
  });
  const json document{
      {"version", json_format_version}, {"warpz", WARPZ_VERSION}, {"runs", json::array()}, {"benchmarks", rows},
      {"verdict", verdict_name(worst)}, {"exit_code", exit_code}, {"error", nullptr}};
  return document.dump(1, ' ', false, json::error_handler_t::replace) + "\n";
}

}  // namespace warpz
