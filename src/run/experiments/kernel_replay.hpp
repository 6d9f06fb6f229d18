// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A kernel that has run is run again on the same data, one thing being different, and the two runs are compared.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "findings/located_finding.hpp"
#include "process/kernel_process.hpp"
#include "puzzle/plan.hpp"

namespace warpz {

/// The first 32-bit word that two runs made different.
struct data_difference {
  std::uint32_t argument;  ///< the kernel's, from 0
  std::uint64_t offset;    ///< in bytes
  std::uint64_t length;    ///< of the argument, in bytes
  std::uint32_t first;     ///< what the first run has there
  std::uint32_t other;
};

/// Whether the last of the findings, which stopped the code, are the same. Where lanes are when the time runs out is
/// chance.
bool same_stop(std::span<const warpz_finding> a, std::span<const warpz_finding> b);

/// The finding is about this element.
void set_element(warpz_finding& of, const data_difference& where);

/// Holds what the first run wrote, and puts it back in the end. Until told otherwise, it is what others are compared
/// with.
class kernel_replay {
 public:
  /// `first` is what came of the run that has just ended.
  kernel_replay(kernel_process& on, const kernel_run& what, const kernel_result& first);
  ~kernel_replay();
  kernel_replay(const kernel_replay&) = delete;
  kernel_replay& operator=(const kernel_replay&) = delete;

  /// False where the first run has left no data to work on.
  bool possible() const;

  /// The runs to come are of so many blocks, of so many threads.
  void set_blocks(const plan& from);

  /// What the kernel prints is not printed again.
  kernel_result run(const warpz_perturbation& perturbation, double timeout_seconds);

  /// What the first run has written as argument `number`.
  std::span<const std::byte> first_written(std::uint32_t number) const { return first_[number]; }

  /// The run that has just ended, and what it wrote, is what others are compared with from now on.
  void compare_with(const kernel_result& last);

  /// Whether the run that has just ended came to the same end and wrote the same.
  bool is_same(const kernel_result& last) const;

  std::optional<data_difference> difference() const;

 private:
  void reset();

  kernel_process& on_;
  kernel_run what_;
  using data = std::vector<std::vector<std::byte>>;  ///< by the number of the argument; empty of those only read
  data written() const;

  const data first_;
  std::optional<data> other_;  ///< what is compared with, if it is not the first
  kernel_result compared_;
};

}  // namespace warpz
