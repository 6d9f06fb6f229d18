// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// How the outcomes of the puzzles are told: as the documents' text, as JSON, as JUnit's XML, as SARIF.
//
// A report knows neither backends nor options, runs nothing and decides nothing. It refuses to lose output
// silently: what cannot be written is an error.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <vector>

#include "error.hpp"
#include "findings/outcome.hpp"
#include "report/output_stream.hpp"

namespace warpz {

class report {
 public:
  report() = default;
  report(const report&) = delete;
  report& operator=(const report&) = delete;
  virtual ~report() = default;

  /// Once, before the first kernel runs. `planned` has one entry for each outcome to come, in that order, and
  /// stays valid until end(). Throws where the report could not be written.
  virtual void begin(std::span<const puzzle* const> planned) = 0;

  /// After each puzzle. The outcome's lists have to be valid during the call only.
  virtual void add(const outcome& of) = 0;

  /// Once, at the end, also when an error stopped the work after fewer outcomes than planned. `code` is what the
  /// program will end with; the error itself is told by main, but belongs into a file that a program reads.
  virtual void end(exit_code code, const error* stopped_by) = 0;
};

/// How a suggested command is put together, beside what the outcome itself tells.
struct suggestion_style {
  std::string program = "warpz";  ///< as a shell word
  std::string kept_options;       ///< shell words to repeat, other than of backend, device, warp size and data
  std::string device_options;     ///< shell words of the backend and device that the user chose
  std::string watched_options;    ///< shell words of the backend that watches every lane
  bool own_kernels = false;       ///< the user's compiled kernels, which run where they are built for and nowhere else
};

struct report_style {
  bool full = false;            ///< long lists in full
  bool quiet = false;           ///< only the last line of each puzzle
  bool tell_warp_size = false;  ///< where it is not the same for all
  bool emoji = false;
  bool color_out = false;
  bool color_err = false;
  suggestion_style suggestions = {};
};

/// Lists with more elements are shortened to their ends, unless style.full.
inline constexpr std::size_t max_listed_elements = 1024;

/// The documents' format: results on `out`, what went wrong on `err`. Keeps references.
std::unique_ptr<report> make_text_report(const report_style& style, output_stream& out, output_stream& err);

/// One JSON object on `out`, as docs/output.schema.json describes. Keeps a reference.
std::unique_ptr<report> make_json_report(output_stream& out);

/// JUnit's XML in a file, which is there completely after end() or left as it was.
std::unique_ptr<report> make_junit_report(const std::string& file);

/// SARIF 2.1.0 in a file, in the same way.
std::unique_ptr<report> make_sarif_report(const std::string& file);

/// Hands everything to each of several reports. One that fails does not keep the others from hearing of it; the
/// first error is thrown afterwards.
std::unique_ptr<report> make_report_group(std::vector<std::unique_ptr<report>> members);

}  // namespace warpz
