// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A kernel that is run again on the same data.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <vector>

#include "process/kernel_process.hpp"
#include "run/experiments/replay.hpp"

namespace warpz {

/// What a kernel_replay needs to know from its owner.
struct replay_callbacks {
  /// Called before each run.
  std::function<void()> on_rerun;
  /// The first element of two outputs that differs by more than rounding.
  std::function<std::optional<std::size_t>(std::span<const float> first, std::span<const float> other)> first_different;
  /// A plan in larger blocks; nothing if the kernel does not allow them or the seed chooses none.
  std::function<std::optional<plan>(std::uint64_t seed)> larger_blocks;
};

/// Keeps what the first run wrote, and restores it at the end of the lifetime.
class kernel_replay final : public replay {
 public:
  /// `first` is the result of the run that has just ended. Keeps references to the process and the callbacks.
  kernel_replay(kernel_process& process, const kernel_run& run, const kernel_result& first,
                const replay_callbacks& callbacks);
  ~kernel_replay() override;
  kernel_replay(const kernel_replay&) = delete;
  kernel_replay& operator=(const kernel_replay&) = delete;

  bool possible() const override;
  const run_record& run(const variation& varied) override;
  void set_baseline() override;
  bool is_same() const override;
  void describe_difference(symbolized_finding& finding) const override;
  bool has_other_result() const override;
  /// Describes the element, and the lanes that write it last in either run.
  bool confirm(const variation& varied, symbolized_finding& finding) override;
  std::optional<plan> larger_blocks(std::uint64_t seed) const override { return callbacks_.larger_blocks(seed); }

 private:
  using data = std::vector<std::vector<std::byte>>;  ///< by the argument's number; empty if the kernel only reads it

  /// A 32-bit word of an argument that two runs made different.
  struct different_word {
    std::uint32_t argument;  ///< its number, from 0
    std::uint64_t offset;    ///< in bytes
    std::uint64_t length;    ///< the argument's, in bytes
    std::uint32_t first;
    std::uint32_t other;
  };

  static void set_element(warpz_finding& finding, const different_word& word);
  data written() const;
  void reset_outputs();
  std::uint64_t vary_inputs(std::uint64_t seed);
  std::optional<different_word> difference() const;
  std::span<const float> first_output() const;
  std::span<const float> output() const;
  std::optional<std::size_t> different_element() const;
  void add_writer(variation varied, std::uint64_t offset, symbolized_finding& finding);

  kernel_process& process_;
  const kernel_run first_run_;
  const replay_callbacks& callbacks_;
  std::optional<data> first_;     ///< copied when the kernel is first run again
  std::optional<data> baseline_;  ///< nothing: what the first run wrote
  run_record baseline_record_;
  run_record last_;
  bool differs_by_itself_ = false;  ///< the result differs also without any variation
};

}  // namespace warpz
