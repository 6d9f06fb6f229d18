// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SARIF 2.1.0, as code hosts read it, of puzzles and of whole programs: one run, a rule for each kind of finding, a
// result for each finding and each wrong result, with the place of the first party as its location and those of the
// others beside it.
#pragma once

#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "error.hpp"
#include "findings/outcome.hpp"
#include "report/output_file.hpp"

namespace warpz {

struct sarif_party;

/// What a result is about.
struct sarif_subject {
  std::string name;  ///< of the puzzle or the program
  nlohmann::ordered_json properties;
  std::string kernel;  ///< that was run; empty: the one that the finding names
  std::string source;  ///< the file in which a result without a place of its own is shown; empty: in none
  unsigned warp_size = 0;
};

class sarif_log {
 public:
  explicit sarif_log(const std::string& file);

  /// Throws where the file could not be written.
  void check() { file_.check(); }

  void add_finding(const sarif_subject& of, const symbolized_finding& found);

  /// `text` says what is wrong, and `identity` is the same as long as it is the same mistake.
  void add_wrong_result(const sarif_subject& of, const std::string& text, const std::string& identity);

  /// The file is there completely then, or as it was. `code` is what the program will end with.
  void write(int code, const error* stopped_by);

 private:
  nlohmann::ordered_json result_json(const sarif_subject& of, std::string_view rule, const std::string& text,
                                     const std::vector<sarif_party>& parties) const;
  void push(nlohmann::ordered_json result, const std::string& identity);

  output_file file_;
  nlohmann::ordered_json rules_;
  nlohmann::ordered_json results_ = nlohmann::ordered_json::array();
  std::map<std::string, unsigned> seen_;
};

}  // namespace warpz
