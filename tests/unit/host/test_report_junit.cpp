// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// JUnit's XML, and the file it goes to: complete or untouched. A parser reads it in tests/end_to_end.
#include <fcntl.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <sstream>

#include "report/output_file.hpp"
#include "report_support.hpp"

namespace {

using namespace report_support;
namespace fs = std::filesystem;

class report_junit : public testing::Test {
 protected:
  report_junit() {
    char pattern[] = "/tmp/warpz-test-XXXXXX";
    folder = mkdtemp(pattern);
    file = folder / "report.xml";
  }
  ~report_junit() override { fs::remove_all(folder); }

  static std::string content(const fs::path& path) {
    std::ostringstream text;
    text << std::ifstream(path).rdbuf();
    return text.str();
  }
  std::size_t files_in_folder() const {
    return static_cast<std::size_t>(std::distance(fs::directory_iterator(folder), fs::directory_iterator()));
  }
  template <class Outcome>
  std::string reported(const std::vector<Outcome>& outcomes, const std::vector<std::string>& planned,
                       const error* stopped_by = nullptr) {
    const auto report = make_junit_report(file);
    report->begin(planned);
    for (const Outcome& each : outcomes) report->add(each);
    report->end(0, stopped_by);
    return content(file);
  }
  std::string told(const std::vector<puzzle_outcome>& outcomes, const std::vector<const puzzle*>& planned,
                   const error* stopped_by = nullptr) {
    return reported(outcomes, names_of(planned), stopped_by);
  }

  fs::path folder, file;
};

TEST_F(report_junit, passed_wrong_and_broken) {
  const std::vector<float> output{1}, right{2};
  warpz_finding record = finding(WARPZ_ASSERTION, "k", "k: assertion `a < b && c' does not hold");
  EXPECT_EQ(told({passed(neighbor, 32, right), wrong(average, 32, output, right), broken(partition, 64, 32, record)},
                 {&neighbor, &average, &partition}),
            "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
            "<testsuites name=\"warpz\" tests=\"4\" failures=\"1\" errors=\"2\" time=\"0.001\">\n"
            "  <testsuite name=\"warpz\" tests=\"4\" failures=\"1\" errors=\"2\" time=\"0.001\" skipped=\"0\">\n"
            "    <testcase classname=\"warpz.cpu.warp32\" name=\"neighbor\" time=\"0.000\"/>\n"
            "    <testcase classname=\"warpz.cpu.warp32\" name=\"average\" time=\"0.000\">\n"
            "      <failure type=\"wrong_result\" message=\"the only element differs\">the only element differs&#10;"
            "  index  block  warp  lane  output  expected&#10;"
            "      0      0     0     0     1.0       2.0&#10;</failure>\n"
            "    </testcase>\n"
            "    <testcase classname=\"warpz.cpu.warp64\" name=\"partition\" time=\"0.000\">\n"
            "      <error type=\"assertion\" message=\"k: assertion `a &lt; b &amp;&amp; c' does not hold\"></error>\n"
            "    </testcase>\n"
            "    <testcase classname=\"warpz.cpu.warp64\" name=\"partition: partition: failed assertion\" "
            "time=\"0.000\">\n"
            "      <error type=\"assertion\" message=\"k: assertion `a &lt; b &amp;&amp; c' does not hold\">"
            "k: assertion `a &lt; b &amp;&amp; c' does not hold&#10;  in kernel k&#10;</error>\n"
            "    </testcase>\n"
            "  </testsuite>\n"
            "</testsuites>\n");
}

TEST_F(report_junit, an_error_midway_and_what_was_not_run) {
  const std::vector<float> list{1};
  const error reason(exit_code::no_device, "it said \"no\"\x01\xff", "try <this>");
  const std::string text = told({passed(neighbor, 32, list)}, {&neighbor, &average, &partition}, &reason);
  EXPECT_NE(text.find("tests=\"3\" failures=\"0\" errors=\"1\""), std::string::npos) << text;
  EXPECT_NE(text.find(" skipped=\"1\">"), std::string::npos) << text;
  EXPECT_NE(
      text.find(
          "    <testcase classname=\"warpz\" name=\"average\" time=\"0.000\">\n"
          "      <error type=\"exit_code_4\" message=\"it said &quot;no&quot;\\x01\\xff\">try &lt;this&gt;</error>\n"
          "    </testcase>\n"
          "    <testcase classname=\"warpz\" name=\"partition\" time=\"0.000\">\n"
          "      <skipped/>\n"
          "    </testcase>\n"),
      std::string::npos)
      << text;
}

user_program_outcome program_outcome(unsigned warp_size, int code) {
  user_program_outcome created;
  created.files = {"src/my.hip", "other.hip"};
  created.warp_size = warp_size;
  created.exit_code = code;
  created.seconds = 0.5;
  return created;
}

TEST_F(report_junit, users_programs_with_each_warp_size) {
  user_program_outcome crashed = program_outcome(32, 139), found = program_outcome(64, 0);
  crashed.signal = SIGSEGV;
  found.result = verdict::broken_rule;
  found.findings.push_back({finding(WARPZ_LEAK, "", "")});
  const std::string name = "src/my.hip";
  const std::string text = reported<user_program_outcome>(
      {program_outcome(32, 0), program_outcome(64, 7), crashed, found}, {name, name, name, name, name});
  EXPECT_NE(text.find("tests=\"6\" failures=\"1\" errors=\"3\" time=\"2.000\" skipped=\"1\""), std::string::npos)
      << text;
  EXPECT_NE(
      text.find(
          "    <testcase classname=\"warpz.cpu.warp32\" name=\"src/my.hip\" time=\"0.500\"/>\n"
          "    <testcase classname=\"warpz.cpu.warp64\" name=\"src/my.hip\" time=\"0.500\">\n"
          "      <failure type=\"exit_code_7\" message=\"src/my.hip ended with exit code 7\"></failure>\n"
          "    </testcase>\n"
          "    <testcase classname=\"warpz.cpu.warp32\" name=\"src/my.hip\" time=\"0.500\">\n"
          "      <error type=\"SIGSEGV\" message=\"src/my.hip was ended by SIGSEGV (Segmentation fault), outside of "
          "any kernel\"></error>\n"
          "    </testcase>\n"
          "    <testcase classname=\"warpz.cpu.warp64\" name=\"src/my.hip\" time=\"0.500\">\n"
          "      <error type=\"leak\" message=\""),
      std::string::npos)
      << text;
}

/// In lane 0 at mine.hip:4.
symbolized_finding at_line_4(warpz_finding_kind kind, warpz_severity severity = WARPZ_ERROR) {
  symbolized_finding made{finding(kind, "k", "")};
  made.record.severity = severity;
  made.record.group_count = 1;
  made.record.groups[0].lanes = 1;
  made.record.groups[0].place.line = 4;
  std::strcpy(made.record.groups[0].place.file, "mine.hip");
  return made;
}

TEST_F(report_junit, a_case_for_each_finding_that_is_to_be_mended) {
  user_program_outcome found = program_outcome(64, 0);
  found.result = verdict::broken_rule;
  found.findings = {at_line_4(WARPZ_MISALIGNED), at_line_4(WARPZ_MISALIGNED), at_line_4(WARPZ_DATA_RACE, WARPZ_WARNING),
                    at_line_4(WARPZ_LEAK), at_line_4(WARPZ_LEAK)};
  found.findings[3].suppressed = suppressed_by{"known.txt", 1};
  found.findings[4].shown_on_purpose = true;
  const std::string text = reported<user_program_outcome>({found}, {"src/my.hip"});
  EXPECT_NE(text.find("tests=\"4\" failures=\"0\" errors=\"3\""), std::string::npos) << text;
  const std::string begin = "    <testcase classname=\"warpz.cpu.warp64\" name=\"";
  std::vector<std::string> names;
  for (std::size_t at = text.find(begin); at != text.npos; at = text.find(begin, at + 1)) {
    const std::size_t name = at + begin.size();
    names.push_back(text.substr(name, text.find('"', name) - name));
  }
  EXPECT_EQ(names, (std::vector<std::string>{"src/my.hip", "mine.hip:4: misaligned access",
                                             "mine.hip:4: misaligned access (2)", "mine.hip:4: data race (warning)"}));
  EXPECT_NE(text.find("data race (warning)\" time=\"0.000\">\n      <system-out>"), std::string::npos) << text;
}

TEST_F(report_junit, garbage_leaves_only_legal_characters) {
  warpz_finding record;
  std::memset(&record, 0xff, sizeof record);
  record.message[0] = '\x02';
  const std::string text = told({broken(neighbor, 32, 32, record)}, {&neighbor});
  for (const char c : text) EXPECT_TRUE(c == '\n' || (c >= ' ' && c <= '~'));
  EXPECT_NE(text.find("type=\"unknown\" message=\"\\x02\\xff"), std::string::npos);
}

TEST_F(report_junit, nothing_is_there_before_the_end) {
  const auto report = make_junit_report(file);
  report->begin({});
  EXPECT_EQ(files_in_folder(), 0U);
  report->end(0, nullptr);
  EXPECT_EQ(files_in_folder(), 1U);
}

TEST_F(report_junit, an_older_file_stays_until_the_new_one_is_complete_and_keeps_its_mode) {
  std::ofstream(file) << "old";
  chmod(file.c_str(), 0640);
  const fs::path link = folder / "link.xml";
  fs::create_symlink(file, link);
  const auto report = make_junit_report(link);
  report->begin({});
  EXPECT_EQ(content(file), "old");
  report->end(0, nullptr);
  EXPECT_EQ(content(file).substr(0, 5), "<?xml");
  EXPECT_TRUE(fs::is_symlink(link));
  EXPECT_EQ(fs::status(file).permissions(), fs::perms{0640});
  EXPECT_EQ(files_in_folder(), 2U);
}

TEST_F(report_junit, a_place_that_cannot_be_written_is_noticed_before_anything_runs) {
  const auto begin = [](const std::string& path) { make_junit_report(path)->begin({}); };
  EXPECT_EQ(failure([&] { begin(folder); }), "--junit " + folder.string() + " cannot be written: Is a directory");
  const std::string missing = folder / "none" / "a.xml";
  EXPECT_EQ(failure([&] { begin(missing); }), "--junit " + missing + " cannot be written: No such file or directory");
  std::ofstream(folder / "plain") << "";
  const std::string below = folder / "plain" / "a.xml";
  EXPECT_EQ(failure([&] { begin(below); }), "--junit " + below + " cannot be written: Not a directory");
  EXPECT_EQ(failure([&] { begin(""); }), "--junit  cannot be written: No such file or directory");
  EXPECT_EQ(failure([&] { begin(folder.string() + "/" + std::string(300, 'x')); }).substr(0, 9), "--junit /");
}

/// Root may write everywhere; for its lifetime this process is somebody else.
class not_root {
 public:
  explicit not_root(const fs::path& whose) {
    // In a container, another user may not even reach the folder.
    failed_ = was_root_ && (chown(whose.c_str(), nobody, nobody) != 0 || setresuid(nobody, nobody, 0) != 0 ||
                            access(whose.c_str(), W_OK | X_OK) != 0);
  }
  ~not_root() { static_cast<void>(!was_root_ || setresuid(0, 0, 0) == 0); }
  not_root(const not_root&) = delete;
  not_root& operator=(const not_root&) = delete;
  bool failed() const { return failed_; }

 private:
  static constexpr uid_t nobody = 65534;
  const bool was_root_ = geteuid() == 0;
  bool failed_ = false;
};

TEST_F(report_junit, files_that_this_user_may_not_write_to) {
  const not_root user(folder);
  if (user.failed()) GTEST_SKIP() << "root may write everywhere, and cannot become another user who reaches " << folder;
  std::ofstream(file) << "old";
  chmod(file.c_str(), 0440);
  EXPECT_EQ(failure([&] { make_junit_report(file)->begin({}); }),
            "--junit " + file.string() + " cannot be written: Permission denied");
  // A folder that takes no new files: the file is written in place.
  chmod(file.c_str(), 0640);
  chmod(folder.c_str(), 0550);
  EXPECT_EQ(told({}, {}).substr(0, 5), "<?xml");
  chmod(folder.c_str(), 0750);
}

/// For its lifetime no file of this process may grow.
class no_room {
 public:
  no_room() : before_(signal(SIGXFSZ, SIG_IGN)) {
    getrlimit(RLIMIT_FSIZE, &limit_);
    const rlimit none{0, limit_.rlim_max};
    setrlimit(RLIMIT_FSIZE, &none);
  }
  ~no_room() {
    setrlimit(RLIMIT_FSIZE, &limit_);
    signal(SIGXFSZ, before_);
  }
  no_room(const no_room&) = delete;
  no_room& operator=(const no_room&) = delete;

 private:
  rlimit limit_{};
  void (*before_)(int);
};

TEST_F(report_junit, without_room_the_older_file_stays_and_nothing_else) {
  std::ofstream(file) << "old";
  const auto report = make_junit_report(file);
  report->begin({});
  const std::string message = [&] {
    const no_room now;
    return failure([&] { report->end(0, nullptr); });
  }();
  EXPECT_EQ(message, "--junit " + file.string() + " cannot be written: File too large");
  EXPECT_EQ(content(file), "old");
  EXPECT_EQ(files_in_folder(), 1U);
}

// Only with a pipe of the test's own: replacing a device by mistake would be felt by the whole machine.
TEST_F(report_junit, what_is_no_plain_file_is_written_in_place) {
  ASSERT_EQ(mkfifo(file.c_str(), 0600), 0);
  const int reader = open(file.c_str(), O_RDONLY | O_NONBLOCK | O_CLOEXEC);
  for (const bool checked : {true, false}) {
    output_file target("--junit", file);
    if (checked) target.check();
    target.replace("text");
    char read_back[8] = {};
    EXPECT_EQ(read(reader, read_back, sizeof read_back), 4);
    EXPECT_STREQ(read_back, "text");
    EXPECT_TRUE(fs::is_fifo(file));
    EXPECT_EQ(files_in_folder(), 1U);
  }
  close(reader);
}

TEST_F(report_junit, a_pipe_gets_the_text) {
  int ends[2];
  ASSERT_EQ(pipe2(ends, O_NONBLOCK | O_CLOEXEC), 0);
  output_file target("--junit", "/dev/fd/" + std::to_string(ends[1]));
  target.check();
  target.replace("text");
  char read_back[8] = {};
  EXPECT_EQ(read(ends[0], read_back, sizeof read_back), 4);
  EXPECT_STREQ(read_back, "text");
  close(ends[0]);
  close(ends[1]);
}

TEST_F(report_junit, a_descriptors_file_is_added_to) {
  const int descriptor = open(file.c_str(), O_WRONLY | O_CREAT | O_CLOEXEC, 0600);
  ASSERT_EQ(write(descriptor, "before\n", 7), 7);
  output_file target("--junit", "/dev/fd/" + std::to_string(descriptor));
  target.check();
  target.replace("after\n");
  close(descriptor);
  EXPECT_EQ(content(file), "before\nafter\n");
}

}  // namespace
