// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Students' folders, and the tables of a class.
#include "learn/submissions.hpp"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "error.hpp"
#include "learn/grade_report.hpp"

namespace {

using namespace warpz;
namespace fs = std::filesystem;

class submissions : public testing::Test {
 protected:
  submissions() {
    std::string pattern = fs::temp_directory_path() / "warpz-class-XXXXXX";
    folder_ = mkdtemp(pattern.data());
  }
  ~submissions() override { fs::remove_all(folder_); }

  void write(const std::string& name, std::string_view text) const {
    fs::create_directories(fs::path(folder_ + "/" + name).parent_path());
    std::ofstream(folder_ + "/" + name) << text;
  }
  std::vector<std::string> given(const std::string& name) const { return {folder_ + "/" + name}; }

  std::string folder_;
  std::vector<const puzzle*> tasks_{find_puzzle("neighbor"), find_puzzle("vote")};
};

TEST_F(submissions, are_the_folders_inside_or_the_folder_itself) {
  write("class/bob/vote.hip", "x");
  write("class/ann/neighbor/solution.hip", "x");
  write("class/ann/other.hip", "x");
  write("class/.git/neighbor.hip", "x");
  write("class/notes.txt", "x");
  const auto all = find_submissions(given("class"), tasks_);
  ASSERT_EQ(all.size(), 2U);
  EXPECT_EQ(all[0].student, "ann");
  EXPECT_EQ(all[0].files, (std::vector<std::string>{folder_ + "/class/ann/neighbor/solution.hip", ""}));
  EXPECT_EQ(all[1].files, (std::vector<std::string>{"", folder_ + "/class/bob/vote.hip"}));
  EXPECT_EQ(puzzles_in(given("class")), tasks_);
  const auto one = find_submissions(given("class/bob/"), tasks_);
  ASSERT_EQ(one.size(), 1U);
  EXPECT_EQ(one[0].student, "bob");
  EXPECT_THROW(find_submissions(given("nobody"), tasks_), error);
}

TEST_F(submissions, leave_out_what_no_puzzle_is_called) {
  write("class/ann/vote.hip", "x");
  write("class/ann/neighbor/solution.hip", "x");
  write("class/ann/neighbor/problem.hip", "x");
  write("class/ann/VOTE.hip", "x");
  write("class/ann/week/vote.hip", "x");
  write("class/ann/week/further/vote.hip", "x");
  write("class/ann/.trash/vote.hip", "x");
  write("class/ann/xyzzy.hip", "x");
  write("class/ann/vote.hip.1~", "x");
  const auto told = [&](bool is_deep) {
    std::string all;
    for (const left_out_file& each : left_out_files(folder_ + "/class/ann", is_deep)) all += text_of(each, "ann/");
    return all;
  };
  const std::string here = "ann/VOTE.hip is left out: no puzzle has a file of this name. Did you mean vote.hip?\n";
  const std::string other = "ann/xyzzy.hip is left out: no puzzle has a file of this name\n";
  EXPECT_EQ(told(false), here + other);
  EXPECT_EQ(
      told(true),
      here + "ann/week/vote.hip is left out: no puzzle has a file of this name. Did you mean vote.hip?\n" + other);
}

TEST_F(submissions, that_have_little_of_their_own_are_no_copies) {
  for (const std::string student : {"ann", "bob"}) {
    write("class/" + student + "/neighbor.hip",
          "__global__ void neighbor_difference(float* o, const float* i, int n) { o[0] = i[0]; }");
  }
  EXPECT_TRUE(find_copies(find_submissions(given("class"), tasks_), tasks_).empty());
}

/// A body of so many statements, each of another form.
std::string body(int count, int seed) {
  std::string text;
  for (int i = 0; i < count; ++i) {
    const int number = (i + seed) * 7;
    text += "x = " + std::to_string(number) + " * y + " + std::to_string(number + 1) + ";\n";
  }
  return text;
}

TEST_F(submissions, are_copies_where_most_is_the_same) {
  write("class/ann/vote.hip", body(40, 0));
  write("class/bob/vote.hip", body(38, 0) + body(2, 1000));
  write("class/cem/vote.hip", body(40, 500));
  const auto found = find_copies(find_submissions(given("class"), tasks_), tasks_);
  ASSERT_EQ(found.size(), 1U);
  EXPECT_EQ(found[0].first + found[0].second, "annbob");
  EXPECT_EQ(found[0].task->flag, "vote");
  EXPECT_GE(found[0].percent, 80U);
  EXPECT_LT(found[0].percent, 100U);
}

TEST_F(submissions, make_a_table_and_a_file_for_others) {
  const class_results results{tasks_,
                              {{{"zo\xC3\xAB", "", {"", ""}}, {{mark::right, {}}, {mark::rule, {}}}},
                               {{"=1,\"2\"", "", {"", ""}}, {{mark::missing, {}}, {mark::not_attempted, {}}}}},
                              {}};
  const std::vector<submission> students{results.students[0].handed_in, results.students[1].handed_in};
  const class_table table(tasks_, students);
  EXPECT_EQ(table.head(), "student  neighbor          vote              right\n");
  EXPECT_EQ(table.row(results.students[0]), "zo\xC3\xAB      ✓                 rule              1/2\n");
  const class_table narrow(tasks_, students, 30);
  EXPECT_EQ(narrow.head(), "student  right\n");
  EXPECT_EQ(narrow.row(results.students[0]), "zo\xC3\xAB      1/2    ✓ neighbor;\n                rule: vote\n");
  EXPECT_EQ(narrow.row(results.students[1]),
            "=1,\"2\"   0/2    not attempted: vote;\n                missing: neighbor\n");
  EXPECT_EQ(class_csv(results),
            "student,neighbor,vote,right\r\nzo\xC3\xAB,right,rule,1\r\n\"'=1,\"\"2\"\"\",missing,not attempted,0\r\n");
}

}  // namespace
