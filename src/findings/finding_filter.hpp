// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What of a run's findings is told, and whether they fail it: the same for a puzzle's kernel and for a whole program.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <vector>

#include "findings/outcome.hpp"
#include "findings/suppressions.hpp"

namespace warpz {

/// What the user has said about findings.
struct finding_choice {
  std::size_t max_told = 15;
  suppressions* accepted = nullptr;  ///< findings that fail nothing; null: none
};

class finding_filter {
 public:
  explicit finding_filter(const finding_choice& how) : how_(how) {}

  /// What is known of a finding beside its record.
  struct circumstance {
    bool ended_run = false;  ///< is told whatever the limit is, and cannot be accepted
    bool on_purpose = false;
    std::uint64_t schedule = 0;
    unsigned block_threads = 0;
  };

  /// `resolve` puts it into words, and is asked to only where they are needed.
  void add(const warpz_finding& record, const circumstance& where, const std::function<symbolized_finding()>& resolve);

  /// One that the machine itself has not found; it is always told.
  void add(symbolized_finding made);

  /// So many more were found, of which nothing is known.
  void leave_out(std::uint32_t more);

  std::vector<symbolized_finding> all;
  std::uint32_t left_out = 0;
  bool fail = false;  ///< all of them count, also those beyond the limit

 private:
  finding_choice how_;
  std::size_t told_ = 0;
};

}  // namespace warpz
