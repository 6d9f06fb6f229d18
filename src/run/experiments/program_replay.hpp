// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A whole user program that is run again from its beginning.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "process/user_program.hpp"
#include "run/experiments/replay.hpp"
#include "run/experiments/run_ahead.hpp"

namespace warpz {

class program_replay final : public replay {
 public:
  /// `on_rerun` is called before each run but the first.
  program_replay(user_program_run program, std::function<void()> on_rerun)
      : program_(std::move(program)), on_rerun_(std::move(on_rerun)) {}

  /// Runs the program for the first time; the result becomes the baseline. With `keep_output`, what it prints goes to
  /// `print`, and is kept for comparisons; else it goes to warpz's own standard output. `costs`: where costs are
  /// counted (abi/settings.h); null: nowhere.
  user_program_end run_first(bool keep_output, const std::function<void(std::string_view)>& print, void* costs);

  void expect(std::vector<variation> runs) override;
  const run_record& run(const variation& varied) override;
  /// Runs the program once more, so that lines that change by themselves do not count as different.
  void set_baseline() override;
  bool is_same() const override;
  void describe_difference(symbolized_finding& finding) const override { finding.notes = last_differences(); }
  bool confirm(const variation& varied, symbolized_finding& finding) override;
  bool differs_again(const variation& varied) override;

  /// A new replay of the same program, with the time limit that run_first() has set.
  program_replay fresh() const {
    program_replay same(program_, on_rerun_);
    same.has_effects_ = has_effects_;
    return same;
  }

  unsigned warp_size() const { return program_.warp_size; }

  /// How the baselines of two programs differ, as lines of text; empty if they do not. Runs both again to be sure.
  friend std::vector<std::string> baseline_differences(program_replay& one, program_replay& other);

 private:
  struct result {
    user_program_end end;
    std::string output;  ///< the beginning of what it printed, if that was kept

    template <class Archive>
    friend void fields(Archive& archive, result& one) {
      archive(one.end, one.output);
    }
  };

  /// Runs that were varied in the same way.
  struct same_runs {
    std::vector<user_program_end> ends;
    std::vector<std::string> outputs;

    void add(result one);
    bool always_ended_alike() const;
  };

  struct expected_run {
    variation varied;
    std::unique_ptr<run_ahead> ahead;  ///< null: it has not begun
  };

  static std::vector<std::string> differences(const std::string& name, const same_runs& one,
                                              const std::string& other_name, const same_runs& other,
                                              bool is_same_device = true);
  std::vector<std::string> last_differences() const {
    return differences(baseline_variation_.name, baseline_, last_variation_.name, last_);
  }
  static result run_once(user_program_run run, bool keep_output, const std::function<void(std::string_view)>& print);
  user_program_run varied_run(const variation& varied) const;
  result run_again(const variation& varied) const;
  void begin_expected();
  result run_ahead_of_time(const variation& varied) const;
  /// The result of the run with this variation that was made ahead; nothing where there is none.
  std::optional<result> take_expected(const variation& varied);

  user_program_run program_;
  std::function<void()> on_rerun_;
  variation baseline_variation_{{}, {}, {}, "in ascending order"};
  same_runs baseline_;
  variation last_variation_;
  same_runs last_;
  /// Whether a run changes more than what it prints, or may read what nobody has read yet. Then none is made ahead.
  std::shared_ptr<bool> has_effects_ = std::make_shared<bool>(false);
  std::size_t copies_ = 0;  ///< that make runs ahead at the same time
  std::vector<expected_run> expected_;
};

}  // namespace warpz
