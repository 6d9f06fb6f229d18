// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Pieces of work: the order of their results, who gets which, and what is left of a worker that dies.
#include "pieces/pieces.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <limits>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "error.hpp"
#include "findings/outcome_fields.hpp"
#include "pieces/bytes.hpp"
#include "pieces/hub.hpp"

namespace warpz {
namespace {

using namespace std::chrono_literals;

TEST(pieces, threads_hand_over_results_in_order) {
  for (const std::size_t threads : {1, 4}) {
    threads_runner runner(threads);
    std::vector<std::string> taken;
    runner.run(
        {100, 1}, [](std::size_t i) { return std::to_string(i * i); },
        [&](std::size_t i, std::string result) {
          EXPECT_EQ(i, taken.size());
          taken.push_back(std::move(result));
        });
    ASSERT_EQ(taken.size(), 100U);
    EXPECT_EQ(taken[0], "0");
    EXPECT_EQ(taken[7], "49");
    EXPECT_EQ(taken[99], "9801");
  }
}

TEST(pieces, an_error_is_thrown_when_its_turn_has_come) {
  threads_runner runner(3);
  std::size_t taken = 0;
  try {
    runner.run(
        {50, 1},
        [](std::size_t i) -> std::string {
          if (i == 20) throw error(exit_code::does_not_compile, "no", "yes");
          return "";
        },
        [&](std::size_t, const std::string&) { ++taken; });
    FAIL();
  } catch (const error& reason) {
    EXPECT_EQ(reason.code(), exit_code::does_not_compile);
    EXPECT_STREQ(reason.what(), "no");
    EXPECT_EQ(reason.advice(), "yes");
  }
  EXPECT_EQ(taken, 20U);
}

TEST(pieces, are_no_more_than_the_work_has) {
  EXPECT_EQ(threads_runner(4).pieces_for(10), 10U);
  EXPECT_EQ(threads_runner(4).pieces_for(1'000'000), 128U);
}

TEST(pieces, bytes_keep_a_finding) {
  symbolized_finding one{};
  one.record.kind = WARPZ_DATA_RACE;
  one.record.repeats = 7;
  one.module_base = 1ULL << 47;
  one.schedule = 12;
  one.notes = {"a", "", "b\n"};
  one.stack = {{"f", "k.hip", 3, 4, "x = y;"}};
  one.memory = named_memory{"tile", -1, 32, 4, true};
  one.contrast.emplace();
  one.contrast->first = mismatch{1, std::numeric_limits<float>::infinity(), 2, 3, 4, 5, false};
  one.pairs = {{{"g", "a.hip", 1}, {"h", "b.hip", 2}}};
  one.repair = source_repair{"k.hip", {{3, true, "__syncthreads();"}}, "add it"};
  std::vector<symbolized_finding> read;
  read_bytes(bytes_of(std::vector<symbolized_finding>{{}, one}), read);
  ASSERT_EQ(read.size(), 2U);
  EXPECT_EQ(read[0].notes.size(), 0U);
  EXPECT_FALSE(read[0].memory);
  EXPECT_EQ(read[1].record.kind, static_cast<std::uint32_t>(WARPZ_DATA_RACE));
  EXPECT_EQ(read[1].record.repeats, 7U);
  EXPECT_EQ(read[1].module_base, 1ULL << 47);
  EXPECT_EQ(read[1].schedule, 12U);
  EXPECT_EQ(read[1].notes, one.notes);
  EXPECT_EQ(read[1].stack[0].code, "x = y;");
  EXPECT_EQ(read[1].memory->index, -1);
  EXPECT_EQ(read[1].contrast->first->output, std::numeric_limits<float>::infinity());
  EXPECT_FALSE(read[1].contrast->first->placed);
  EXPECT_EQ(read[1].pairs[0].second.file, "b.hip");
  EXPECT_EQ(read[1].repair->edits, one.repair->edits);
}

TEST(pieces, bytes_that_are_cut_off_are_refused) {
  const std::string whole = bytes_of(std::string("twelve bytes"), std::uint64_t{3});
  for (std::size_t size = 0; size < whole.size(); ++size) {
    std::string text;
    std::uint64_t number = 0;
    EXPECT_THROW(read_bytes(whole.substr(0, size), text, number), error) << size;
  }
  // A size that no memory has.
  std::string text;
  EXPECT_THROW(read_bytes(bytes_of(~std::uint64_t{0}), text), error);
}

/// A hub and what it has answered to each worker.
class hub_talk {
 public:
  /// The worker asks for something at its first job, and has done a piece.
  void ask(std::size_t worker, std::optional<std::uint64_t> done = {}, std::uint64_t identity = 1) {
    piece_request request{1, 0, identity, 4, taken_[worker], worker == 0 || wants_results};
    if (done) request.done = {*done, "result " + std::to_string(*done)};
    hub_.ask(worker, std::move(request), now);
  }

  std::map<std::size_t, piece_answer> answers() {
    std::map<std::size_t, piece_answer> all;
    for (auto& [worker, answer] : hub_.answers(now)) {
      taken_[worker] += answer.results.size();
      all.emplace(worker, std::move(answer));
    }
    return all;
  }

  void lose(std::size_t worker) { hub_.lose(worker, "it has died"); }

  bool wants_results = false;
  piece_hub::clock::time_point now{};

 private:
  piece_hub hub_;
  std::map<std::size_t, std::uint64_t> taken_;
};

TEST(piece_hub, gives_each_piece_once_and_results_in_order) {
  hub_talk talk;
  // Nobody knows yet which job it is.
  talk.ask(1);
  EXPECT_TRUE(talk.answers().empty());
  talk.ask(0);
  auto first = talk.answers();
  EXPECT_EQ(first.at(0).piece, 0U);
  EXPECT_EQ(first.at(1).piece, 1U);
  talk.ask(1, 1);
  EXPECT_EQ(talk.answers().at(1).piece, 2U);
  talk.ask(1, 2);
  EXPECT_EQ(talk.answers().at(1).piece, 3U);
  talk.ask(1, 3);
  // The first piece may still be done, and a helper wants no results.
  EXPECT_TRUE(talk.answers().empty());
  talk.ask(0, 0);
  auto last = talk.answers();
  EXPECT_TRUE(last.at(0).is_over);
  EXPECT_EQ(last.at(0).results, (std::vector<std::string>{"result 0", "result 1", "result 2", "result 3"}));
  EXPECT_TRUE(last.at(1).is_over);
  EXPECT_TRUE(last.at(1).results.empty());
}

TEST(piece_hub, hands_all_results_to_helpers_at_the_end_of_a_job) {
  hub_talk talk;
  talk.wants_results = true;
  talk.ask(0);
  talk.answers();
  for (const std::uint64_t done : {0, 1, 2}) {
    talk.ask(0, done);
    talk.answers();
  }
  talk.ask(1);
  EXPECT_TRUE(talk.answers().empty());
  talk.ask(0, 3);
  EXPECT_EQ(talk.answers().at(1).results.size(), 4U);
}

TEST(piece_hub, gives_the_piece_of_a_dead_worker_to_another) {
  hub_talk talk;
  talk.ask(0);
  talk.ask(1);
  EXPECT_EQ(talk.answers().at(1).piece, 1U);
  talk.lose(1);
  talk.ask(0, 0);
  const piece_answer next = talk.answers().at(0);
  EXPECT_EQ(next.piece, 1U);
  EXPECT_EQ(next.notes, std::vector<std::string>{"it has died"});
}

TEST(piece_hub, gives_a_piece_again_if_its_worker_says_nothing) {
  hub_talk talk;
  talk.ask(0);
  talk.ask(1);
  talk.answers();
  for (const std::uint64_t done : {0, 2, 3}) {
    talk.ask(0, done);
    talk.answers();
  }
  talk.ask(2);
  talk.now += 1s;
  EXPECT_TRUE(talk.answers().empty());
  talk.now += 2s;
  EXPECT_EQ(talk.answers().at(2).piece, 1U);
  // Both do it: the first result counts, and the other one is no harm.
  talk.ask(2, 1);
  EXPECT_TRUE(talk.answers().at(0).is_over);
  talk.ask(1, 1);
  EXPECT_TRUE(talk.answers().at(1).is_over);
}

TEST(piece_hub, refuses_a_worker_with_other_work) {
  hub_talk talk;
  talk.ask(0);
  talk.ask(1, {}, 2);
  auto all = talk.answers();
  EXPECT_TRUE(all.at(1).is_refused);
  EXPECT_FALSE(all.at(1).piece);
  talk.ask(0, 0);
  EXPECT_EQ(talk.answers().at(0).notes.size(), 1U);
}

}  // namespace
}  // namespace warpz
