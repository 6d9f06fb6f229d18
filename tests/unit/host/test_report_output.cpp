// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Output that cannot be written is an error; exit codes and groups of reports.
#include <fcntl.h>
#include <signal.h>
#include <sys/wait.h>

#include <thread>

#include "exit_codes.hpp"
#include "report_support.hpp"

namespace {

using namespace report_support;

TEST(output_stream, text_of_any_length_arrives_in_order) {
  captured out;
  std::string all;
  for (const std::size_t length : {0, 1, 65535, 1, 65536, 65537, 300000, 3}) {
    const std::string text(length, static_cast<char>('a' + all.size() % 26));
    out.stream.write(text);
    all += text;
  }
  for (int i = 0; i < 30000; ++i) {
    out.stream.write(0.5F);
    all += "0.5";
  }
  out.stream.finish();
  EXPECT_EQ(out.text(), all);
}

TEST(output_stream, nothing_is_written_before_the_flush) {
  captured out;
  out.stream.write("abc");
  EXPECT_EQ(out.text(), "");
  out.stream.flush();
  EXPECT_EQ(out.text(), "abc");
}

TEST(output_stream, a_full_disk_is_an_error_once) {
  const int full = open("/dev/full", O_WRONLY | O_CLOEXEC);
  output_stream stream(full, "standard output");
  stream.write("x");
  EXPECT_EQ(failure([&] { stream.flush(); }), "standard output cannot be written: No space left on device");
  stream.write(std::string(100000, 'x'));
  stream.finish();
  output_stream longer(full, "standard output");
  EXPECT_NE(failure([&] { longer.write(std::string(100000, 'x')); }), "");
  close(full);
}

TEST(output_stream, a_closed_descriptor_is_an_error_even_if_nothing_was_written) {
  const int closed = open("/dev/null", O_WRONLY | O_CLOEXEC);
  close(closed);
  output_stream stream(closed, "standard output");
  EXPECT_EQ(failure([&] { stream.finish(); }), "standard output cannot be written: Bad file descriptor");
}

TEST(output_stream, a_reader_that_went_away_is_an_error) {
  const auto before = signal(SIGPIPE, SIG_IGN);
  int ends[2];
  ASSERT_EQ(pipe(ends), 0);
  close(ends[0]);
  output_stream stream(ends[1], "standard output");
  stream.write("x");
  EXPECT_THROW(stream.flush(), reader_left);
  close(ends[1]);
  signal(SIGPIPE, before);
}

TEST(output_stream, best_effort_says_nothing) {
  const int full = open("/dev/full", O_WRONLY | O_CLOEXEC);
  output_stream stream(full, "standard error", output_stream::on_failure::ignore);
  stream.write(std::string(100000, 'x'));
  stream.finish();
  close(full);
}

TEST(output_stream, a_slow_reader_on_a_descriptor_that_does_not_block) {
  int ends[2];
  ASSERT_EQ(pipe2(ends, O_NONBLOCK), 0);
  const std::string text(1 << 20, 'x');
  std::string read_back;
  std::thread reader([&] {
    char piece[50000];
    while (read_back.size() < text.size()) {
      const ssize_t got = read(ends[0], piece, sizeof piece);
      if (got > 0) read_back.append(piece, static_cast<std::size_t>(got));
      std::this_thread::sleep_for(std::chrono::microseconds(100));
    }
  });
  output_stream stream(ends[1], "standard output");
  stream.write(text);
  stream.flush();
  reader.join();
  EXPECT_EQ(read_back, text);
  close(ends[0]);
  close(ends[1]);
}

TEST(output_stream, a_closed_standard_stream_is_not_taken_by_the_next_file) {
  const pid_t child = fork();
  if (child == 0) {
    close(0);
    close(1);
    occupy_closed_standard_streams();
    char byte = 0;
    const bool unusable = read(0, &byte, 1) < 0 && write(1, "x", 1) < 0;
    const bool next_is_free = open("/dev/null", O_RDONLY | O_CLOEXEC) > 2;
    _exit(unusable && next_is_free && fcntl(2, F_GETFD) >= 0 ? 0 : 1);
  }
  int status = -1;
  ASSERT_EQ(waitpid(child, &status, 0), child);
  EXPECT_EQ(status, 0);
}

TEST(exit_codes, the_first_of_2_4_5_3_1) {
  const std::vector<int> order{2, 4, 5, 3, 1, 0};
  for (std::size_t i = 0; i < order.size(); ++i) {
    for (std::size_t j = i; j < order.size(); ++j) {
      const auto a = static_cast<exit_code>(order[i]), b = static_cast<exit_code>(order[j]);
      EXPECT_EQ(first_of(a, b), a);
      EXPECT_EQ(first_of(b, a), a);
    }
  }
}

TEST(exit_codes, of_verdicts) {
  EXPECT_EQ(exit_code_of(verdict::passed), exit_code::passed);
  EXPECT_EQ(exit_code_of(verdict::wrong_result), exit_code::wrong_result);
  EXPECT_EQ(exit_code_of(verdict::broken_rule), exit_code::broken_rule);
}

/// Writes down what it hears, and fails where told to.
class witness final : public report {
 public:
  witness(std::string& heard, bool fails) : heard_(heard), fails_(fails) {}
  void begin(const std::vector<std::string>& planned) override { hear("b" + std::to_string(planned.size())); }
  void add(const puzzle_outcome& result) override { hear("a" + std::to_string(result.size)); }
  void add(const user_program_outcome& result) override { hear("p" + std::to_string(result.warp_size)); }
  void add(const refused_run& refused) override { hear("r" + refused.file); }
  void end(int code, const error* stopped_by) override {
    hear("e" + std::to_string(code) + (stopped_by != nullptr ? "!" : ""));
  }

 private:
  void hear(const std::string& text) {
    heard_ += text;
    if (fails_) throw error(exit_code::bad_input, text + " failed", "advice");
  }
  std::string& heard_;
  bool fails_;
};

TEST(report_group, all_members_hear_everything_even_if_one_fails) {
  std::string first, second, third;
  std::vector<std::unique_ptr<report>> members;
  members.push_back(std::make_unique<witness>(first, false));
  members.push_back(std::make_unique<witness>(second, true));
  members.push_back(std::make_unique<witness>(third, true));
  const auto group = make_report_group(std::move(members));
  const std::vector<float> one{1};
  const error reason(exit_code::no_device, "no");
  EXPECT_EQ(failure([&] { group->begin({"neighbor", "average"}); }), "b2 failed");
  EXPECT_EQ(failure([&] { group->add(passed(neighbor, 32, one)); }), "a1 failed");
  user_program_outcome of_program;
  of_program.warp_size = 64;
  EXPECT_EQ(failure([&] { group->add(of_program); }), "p64 failed");
  EXPECT_EQ(failure([&] { group->add(refused_run{&average, "f", reason}); }), "rf failed");
  EXPECT_EQ(failure([&] { group->end(4, &reason); }), "e4! failed");
  EXPECT_EQ(first, "b2a1p64rfe4!");
  EXPECT_EQ(second, first);
  EXPECT_EQ(third, first);
}

// An output that broke must not take the other reports with it, nor throw again at the end.
TEST(report_group, a_full_disk_for_one_leaves_the_other_complete) {
  const int full = open("/dev/full", O_WRONLY | O_CLOEXEC);
  output_stream broken_out(full, "standard output");
  captured out;
  std::vector<std::unique_ptr<report>> members;
  members.push_back(make_json_report(broken_out));
  members.push_back(make_json_report(out.stream));
  const auto group = make_report_group(std::move(members));
  const std::vector<float> one{1};
  group->begin({});
  EXPECT_EQ(failure([&] { group->add(passed(neighbor, 32, one)); }),
            "standard output cannot be written: No space left on device");
  group->end(2, nullptr);
  EXPECT_NE(out.text().find("\"exit_code\":2,\"error\":null}\n"), std::string::npos);
  close(full);
}

}  // namespace
