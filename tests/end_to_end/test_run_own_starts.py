# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Whole programs that start themselves again: the new process runs on the CPU machine, too, with the same options."""

import json

from kernel_support import NOTHING_FOUND, NOTHING_LAUNCHED, RUNTIME, RunTest
from puzzle_runs import PROGRAM as WARPZ
from skips import main
from test_output_formats import SCHEMA, violations

# Started with "child N", it writes N ints to 32 and ends with 7. Its first argument says how it starts itself before.
PROGRAM = RUNTIME + """\
#include <cstdlib>
#include <cstring>
#include <spawn.h>
#include <string>
#include <sys/wait.h>
#include <unistd.h>
__global__ void fill(int* out, int n) {
  if (threadIdx.x < n) out[threadIdx.x] = warpSize + SUMMAND;
}
int child(int n) {
  int *out, copy[32];
  if (hipMalloc(&out, sizeof copy) != hipSuccess) return 1;
  fill<<<1, 64>>>(out, n);
  if (hipMemcpy(copy, out, sizeof copy, hipMemcpyDeviceToHost) != hipSuccess) return 2;
  std::printf("child of %d ints: %d\\n", n, copy[0]);
  return hipFree(out) == hipSuccess ? 7 : 3;
}
int main(int count, char** arguments) {
  if (!std::strcmp(arguments[1], "child")) return child(std::atoi(arguments[2]));
  const std::string way = arguments[1];
  char* words[] = {arguments[0], (char*)"child", arguments[2], nullptr};
  char path[256] = {};
  if (readlink("/proc/self/exe", path, sizeof path - 1) < 0) return 4;
  int status = -1;
  pid_t id = 0;
  if (way == "execv") return execv(arguments[0], words);
  // By a process that does the same.
  if (way == "again") {
    if ((id = fork()) == 0) _exit(execl(path, arguments[0], "fork", arguments[2], (char*)nullptr) + 100);
    waitpid(id, &status, 0);
  }
  if (way == "link") return execv("/proc/self/exe", words);
  if (way == "execle") {
    char* variables[] = {(char*)"PATH=/usr/bin:/bin", nullptr};
    return execle(path, arguments[0], words[1], words[2], (char*)nullptr, variables);
  }
  if (way == "fork") {
    if ((id = fork()) == 0) _exit(execlp(arguments[0], arguments[0], words[1], words[2], (char*)nullptr) + 100);
    waitpid(id, &status, 0);
  } else if (way == "spawn") {
    if (posix_spawn(&id, arguments[0], nullptr, nullptr, words, environ) != 0) return 5;
    waitpid(id, &status, 0);
  } else if (way == "system") {
    status = std::system((std::string(arguments[0]) + " child " + arguments[2] + " 2>&1 | cat 1>&2").c_str());
    status = std::system(("./" + std::string(arguments[0]) + " child " + arguments[2]).c_str());
  } else if (way == "popen") {
    FILE* pipe = popen((std::string(arguments[0]) + " child " + arguments[2]).c_str(), "r");
    char line[100] = {};
    if (pipe == nullptr || std::fgets(line, sizeof line, pipe) == nullptr) return 6;
    std::printf("it says: %s", line);
    status = pclose(pipe);
  } else if (way == "other") {
    status = std::system("echo program.hip child");
  }
  std::printf("ended with %d\\n", WEXITSTATUS(status));
}
"""
SAYS = "child of 32 ints: {}\n"
SAYS_33 = "child of 33 ints: 132\n"


class OwnStarts(RunTest):
    def setUp(self):
        super().setUp()
        self.write(PROGRAM, "program.hip")

    def start(self, way, number=32, *options):
        return self.run_program("program.hip", *options, "--cxxflags", "-DSUMMAND=100", "--", way, number)

    def test_in_the_program_s_place(self):
        for way in ("execv", "link", "execle"):
            for lanes in (32, 64):
                with self.subTest(way=way, lanes=lanes):
                    out, _, code = self.start(way, 32, "--warp-size", lanes)
                    self.assertEqual((out, code), (SAYS.format(lanes + 100), 7))

    def test_beside_the_program(self):
        for way in ("fork", "spawn", "system"):
            with self.subTest(way=way):
                out, err, code = self.start(way, 32, "--warp-size", "64")
                self.assertEqual((out, code), (SAYS.format(164) + "ended with 7\n", 0))
                if way == "system":
                    self.assertIn(SAYS.format(164), err)
        out, _, code = self.start("popen")
        self.assertEqual((out, code), ("it says: " + SAYS.format(132) + "ended with 7\n", 0))

    def test_other_programs_are_what_they_are(self):
        self.assertEqual(self.start("other"), ("program.hip child\nended with 0\n", "", 0))

    def test_what_the_other_one_does_wrong_is_found(self):
        for way in ("execv", "fork", "popen"):
            with self.subTest(way=way):
                out, err, code = self.start(way, 33)
                self.assertEqual(code, 3)
                self.assertIn("program.hip:10", err)
                self.assertIn("in kernel fill", err)
                if way != "execv":
                    self.assertIn("a program that this one has started has broken a rule", err)
                    self.assertIn("ended with 3\n", out)

    def test_reports_of_the_first_one_have_it(self):
        for way in ("execv", "fork", "again"):
            with self.subTest(way=way):
                out, err, code = self.start(way, 33, "--format", "json", "--junit", "all.xml", "--sarif", "all.sarif",
                                            "--warp-size", "64")
                self.assertEqual(code, 3)
                self.assertEqual(err.count("broken rule: "), 1)
                report = json.loads(out)
                self.assertEqual(violations(report, SCHEMA), [])
                self.assertEqual((report["verdict"], report["exit_code"]), ("broken_rule", 3))
                first, started = report["runs"]
                self.assertEqual((first["verdict"], first["findings"], first["started_by_program"]),
                                 ("passed", [], False))
                self.assertEqual((started["verdict"], started["warp_size"], started["started_by_program"]),
                                 ("broken_rule", 64, True))
                self.assertEqual([each["kind"] for each in started["findings"]], ["out_of_bounds"])
                self.assertIn("program.hip:10", (self.folder / "all.xml").read_text())
                results = json.loads((self.folder / "all.sarif").read_text())["runs"][0]["results"]
                self.assertEqual([each["ruleId"] for each in results], ["out_of_bounds"])

    def test_options_are_the_same(self):
        self.write("out_of_bounds: program.hip:10\n", "known.txt")
        out, err, code = self.start("spawn", 33, "--suppress", "known.txt")
        self.assertEqual((out, code), (SAYS_33 + "ended with 7\n", 0))
        self.assertNotIn("broken rule", err)

    def test_says_that_nothing_was_found_in_either(self):
        done = self.run_shell(f"{WARPZ} --run program.hip --cxxflags -DSUMMAND=0 -- fork 32")
        self.assertIn(NOTHING_FOUND, done[1])
        self.assertIn(NOTHING_LAUNCHED, done[1])

    def test_a_confined_program_starts_nothing(self):
        # Where execv returns, it is with -1.
        self.assertEqual(self.start("execv", 32, "--confine"), ("", "", 255))


if __name__ == "__main__":
    main()
