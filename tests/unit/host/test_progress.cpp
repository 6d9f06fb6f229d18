// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A learner's folder and the file that keeps what was tried.
#include "learn/progress.hpp"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <iterator>

#include "error.hpp"
#include "learn/working_copy.hpp"

namespace {

using namespace warpz;
namespace fs = std::filesystem;

class learner : public testing::Test {
 protected:
  learner() {
    std::string pattern = fs::temp_directory_path() / "warpz-learner-XXXXXX";
    folder_ = mkdtemp(pattern.data());
  }
  ~learner() override { fs::remove_all(folder_); }

  std::string path(const std::string& name) const { return folder_ + "/" + name; }
  std::string text_of(const std::string& name) const {
    std::ifstream file(path(name));
    return {std::istreambuf_iterator<char>(file), {}};
  }
  void write(const std::string& name, std::string_view text) const { std::ofstream(path(name)) << text; }

  std::string folder_;
  const course all_;
  const puzzle& neighbor_ = *find_puzzle("neighbor");
  const puzzle& average_ = *find_puzzle("average");
};

TEST_F(learner, finds_again_what_was_tried) {
  progress first(path("p"));
  first.add_attempt(neighbor_, "data_race");
  first.add_hint(neighbor_, 1);
  first.add_attempt(average_, outcome_passed);
  first.add_attempt(average_, "wrong_result");
  const progress again(path("p"));
  EXPECT_EQ(again.of(neighbor_).attempts, 1U);
  EXPECT_EQ(again.of(neighbor_).last, "data_race");
  EXPECT_EQ(again.of(neighbor_).hints, std::set<std::size_t>{1});
  EXPECT_FALSE(again.of(neighbor_).is_done);
  EXPECT_TRUE(again.of(average_).is_done);
  EXPECT_EQ(again.of(average_).last, "wrong_result");
  EXPECT_EQ(again.last(), &average_);
  EXPECT_EQ(text_of("p").find(progress::first_line), 0U);
}

TEST_F(learner, goes_on_with_a_puzzle_that_was_chosen_and_not_tried) {
  progress first(path("p"));
  first.add_attempt(neighbor_, "wrong_result");
  first.add_choice(average_);
  const progress again(path("p"));
  for (const progress* each : {&std::as_const(first), &again}) {
    EXPECT_EQ(each->of(average_).attempts, 0U);
    EXPECT_EQ(current_lesson(all_, *each).task, &average_);
  }
}

TEST(outcomes, are_told_in_words) {
  EXPECT_EQ(outcome_words(outcome_passed), "right");
  EXPECT_EQ(outcome_words(outcome_cost), "right, but too costly");
  EXPECT_EQ(outcome_words("hidden_case"), "wrong on another input");
  EXPECT_EQ(outcome_words("data_race"), "data race");
  EXPECT_EQ(outcome_words("does_not_compile"), "does not compile");
}

TEST_F(learner, begins_a_puzzle_again_after_a_reset) {
  progress one(path("p"));
  one.add_attempt(neighbor_, outcome_passed);
  one.add_hint(neighbor_, 0);
  one.add_reset(neighbor_);
  const progress again(path("p"));
  for (const progress* each : {&std::as_const(one), &again}) {
    EXPECT_FALSE(each->of(neighbor_).is_done);
    EXPECT_EQ(each->of(neighbor_).attempts, 0U);
    EXPECT_TRUE(each->of(neighbor_).hints.empty());
  }
}

TEST_F(learner, loses_no_more_than_the_line_that_a_crash_cut_off) {
  write("p",
        "2026-11-26 10:00:00 neighbor passed\nrubbish\n2026-11-26 10:00:01 no-puzzle passed\n2026-11-26 10:00:02 "
        "average pas");
  progress one(path("p"));
  EXPECT_TRUE(one.of(neighbor_).is_done);
  EXPECT_EQ(one.of(average_).attempts, 0U);
  one.add_attempt(average_, "crash");
  const progress again(path("p"));
  EXPECT_EQ(again.of(average_).last, "crash");
  EXPECT_TRUE(again.of(neighbor_).is_done);
}

TEST_F(learner, is_told_where_progress_cannot_be_kept) {
  progress one(path("no/such/folder"));
  EXPECT_THROW(one.add_attempt(neighbor_, "crash"), error);
}

TEST_F(learner, gets_a_copy_in_which_nothing_is_overwritten) {
  const std::string folder = path("copy");
  fs::create_directories(folder);
  write("copy/average.hip", "mine");
  const working_copy copy = working_copy::make(all_, folder, "warpz");
  EXPECT_EQ(text_of("copy/average.hip"), "mine");
  EXPECT_EQ(text_of("copy/neighbor.hip"), problem_of(neighbor_));
  EXPECT_NE(problem_of(neighbor_).find("neighbor_difference"), std::string_view::npos);
  EXPECT_FALSE(copy.is_begun(neighbor_));
  EXPECT_TRUE(copy.is_begun(average_));
  for (const puzzle* each : puzzles()) {
    EXPECT_TRUE(fs::exists(copy.file_of(*each)));
    EXPECT_TRUE(fs::exists(copy.task_file_of(*each)));
  }
  for (const fs::directory_entry& each : fs::recursive_directory_iterator(folder)) {
    EXPECT_EQ(each.path().string().find("solution"), std::string::npos);
  }
  write("copy/neighbor.hip", "mine, too");
  write("copy/progress.txt", "kept");
  working_copy::make(all_, folder, "warpz");
  EXPECT_EQ(text_of("copy/neighbor.hip"), "mine, too");
  EXPECT_EQ(text_of("copy/progress.txt"), "kept");
}

TEST_F(learner, finds_the_copy_from_a_folder_inside) {
  EXPECT_FALSE(working_copy::find(folder_));
  working_copy::make(all_, folder_, "warpz");
  EXPECT_TRUE(working_copy::find(folder_));
  const fs::path before = fs::current_path();
  fs::current_path(path("tasks"));
  const auto found = working_copy::find({});
  EXPECT_TRUE(found && fs::equivalent(found->folder(), folder_));
  fs::current_path("/");
  EXPECT_FALSE(working_copy::find({}));
  fs::current_path(before);
}

TEST_F(learner, keeps_each_file_that_a_reset_replaces) {
  const working_copy copy = working_copy::make(all_, folder_, "warpz");
  write("neighbor.hip", "first");
  EXPECT_EQ(copy.reset(neighbor_), path("neighbor.hip.1~"));
  write("neighbor.hip", "second");
  EXPECT_EQ(copy.reset(neighbor_), path("neighbor.hip.2~"));
  EXPECT_EQ(text_of("neighbor.hip"), problem_of(neighbor_));
  EXPECT_EQ(text_of("neighbor.hip.1~"), "first");
  EXPECT_EQ(text_of("neighbor.hip.2~"), "second");
  fs::remove(path("neighbor.hip"));
  EXPECT_EQ(copy.reset(neighbor_), "");
  EXPECT_EQ(text_of("neighbor.hip"), problem_of(neighbor_));
}

TEST_F(learner, is_led_to_the_next_puzzle_that_is_open) {
  progress done(path("p"));
  const auto next_after = [&](std::string_view flag) -> std::string {
    const lesson* const next = next_open(all_, done, flag.empty() ? nullptr : &all_.lesson_of(*find_puzzle(flag)));
    return next == nullptr ? "" : next->task->flag;
  };
  EXPECT_EQ(next_after(""), "neighbor");
  EXPECT_EQ(next_after("neighbor"), "average");
  done.add_attempt(average_, outcome_passed);
  EXPECT_EQ(next_after("neighbor"), "broadcast-basic");
  EXPECT_EQ(next_after(all_.lessons().back().task->flag), "neighbor");
  for (const puzzle* each : puzzles()) done.add_attempt(*each, outcome_passed);
  EXPECT_EQ(next_after("neighbor"), "");
}

TEST_F(learner, sees_what_is_done_tried_and_open) {
  progress done(path("p"));
  done.add_attempt(neighbor_, outcome_passed);
  done.add_attempt(average_, "data_race");
  done.add_attempt(average_, "does_not_compile");
  const std::string text = status_text(all_, done);
  EXPECT_NE(text.find("warp: 1 of 28 done\n  neighbor                       easy    done\n"
                      "  average                        easy    tried 2 times, last: does not compile\n"
                      "  broadcast-basic                easy    open\n"),
            std::string::npos)
      << text;
  EXPECT_NE(text.find("\n1 of " + std::to_string(puzzles().size()) + " done\n"), std::string::npos);
}

}  // namespace
