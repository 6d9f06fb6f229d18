# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""--run with the options about findings and orders: they mean what they mean with --kernel."""

import json
import shlex
import xml.etree.ElementTree

from kernel_support import NOTHING_LAUNCHED, PROGRAM, RUNTIME, RunTest
from sarif import violations
from sampling import long
from skips import main
from test_output_formats import SCHEMA, violations as json_violations

# Two halves of a warp shuffle for themselves, without a mask: right on AMD alone.
IN_BRANCHES = RUNTIME + """\
__global__ void halves(int* out) {
  int mine = threadIdx.x;
  if (mine < 16) {
    mine = __shfl(mine, 3);
  } else {
    mine = __shfl(mine, 20);
  }
  out[threadIdx.x] = mine;
}
int main() {
  int* out;
  hipMallocManaged(&out, 128);
  halves<<<1, 32>>>(out);
  hipDeviceSynchronize();
  std::printf("%d\\n", out[0]);
  hipFree(out);
  return 7;
}
"""

# Line 3 writes beside out, line 4 reads what nobody has written, and line 11 leaks.
SEVERAL = RUNTIME + """\
__global__ void wrong(int* out, const int* in) {
  out[threadIdx.x + 1] = 1;  // the scratch space
  if (in[threadIdx.x] == 3) out[0] = 2;
}
int main() {
  int *out, *in, *lost;
  hipMalloc(&out, 128);
  hipMalloc(&in, 128);
  for (int i = 0; i < 2; ++i) wrong<<<1, 32>>>(out, in);
  hipMalloc(&lost, 4);
  hipFree(out);
  hipFree(in);
  return 7;
}
"""

# The last one wins. Ascending it is lane 63; what the order decides then is chosen by the first argument.
ORDER = RUNTIME + """\
#include <cstdlib>
#include <ctime>
#include <string>
__global__ void last(int* out) { atomicExch(out, threadIdx.x); }
__global__ void hidden(int* first, int* out) {
  if (atomicAdd(first, 1) == 0 && threadIdx.x != 0) out[64] = 1;
}
int main(int count, char** words) {
  const std::string mode = count > 1 ? words[1] : "";
  timespec now;
  clock_gettime(CLOCK_REALTIME, &now);
  std::printf("at %ld.%09ld\\n", now.tv_sec, now.tv_nsec);
  std::fprintf(stderr, "said once\\n");
  int bytes = 0;
  while (std::getchar() != EOF) ++bytes;
  std::printf("%d bytes\\n", bytes);
  int *shared, *out, *lost;
  hipMallocManaged(&shared, 4);
  hipMalloc(&out, 256);
  *shared = 0;
  if (mode != "hidden") last<<<1, 64>>>(shared);
  hipDeviceSynchronize();
  const int winner = *shared;
  if (mode == "hidden") hidden<<<1, 64>>>(shared, out);
  hipMalloc(&lost, 8);
  if (mode != "leaks") hipFree(lost);
  if (mode == "leaks" && winner != 63) hipMalloc(&lost, 4);
  if (mode == "prints") std::printf("last %d\\n", winner);
  hipFree(shared);
  hipFree(out);
  if (mode == "aborts" && winner != 63) std::abort();
  return mode == "ends" && winner != 63 ? 9 : 7;
}
"""


class Findings(RunTest):
    @long
    def test_rules_of_a_vendor(self):
        self.write(IN_BRANCHES, "halves.hip")
        for rules, code in (("portable", 3), ("nvidia", 3), ("amd", 7)):
            out, err, ended = self.run_program("halves.hip", "--rules", rules)
            self.assertEqual((ended, out), (code, "3\n" if code == 7 else "0\n"), err)  # it goes on after a divergence
            self.assertEqual("wait in __shfl" in err, code == 3, err)

    def test_a_limit(self):
        self.write(SEVERAL, "several.hip")
        out, _, code = self.run_program("several.hip", "--findings-limit", 1, "--format", "json")
        run, = json.loads(out)["runs"]
        self.assertEqual((code, [each["kind"] for each in run["findings"]]), (3, ["uninitialised_read"]))
        self.assertEqual(run["findings_left_out"], 3)
        err = self.run_program("several.hip", "--findings-limit", 1)[1]
        self.assertIn("\nfound: 1 uninitialised read (64 times); 3 more elsewhere, not reported\n", err)

    def test_what_is_accepted_fails_nothing(self):
        self.write(SEVERAL, "several.hip")
        lines = ["out_of_bounds: several.hip:4  # scratch\n", "uninitialised_read: wrong\n", "leak: several.hip:12\n"]
        self.write("".join(lines) + "data_race: gone.hip\n", "accepted.txt")
        out, err, code = self.run_program("several.hip", "--suppress", "accepted.txt")
        self.assertEqual((out, code), ("", 7))
        self.assertEqual(err, "several.hip: suppressed: 1 out-of-bounds access (2 times), 1 uninitialised "
                              "read (64 times), 1 leak (warning)\nwarpz: --suppress accepted.txt:4: no finding matches "
                              "data_race: gone.hip\n")
        # Without any one of them it fails, and tells that one.
        for left_out, said in ((0, "past the end"), (1, "nobody has written"), (2, "never freed")):
            self.write("".join(lines[:left_out] + lines[left_out + 1:]), "accepted.txt")
            _, err, code = self.run_program("several.hip", "--suppress", "accepted.txt")
            # A leak is only a warning.
            self.assertEqual((code, err.count("\n  allocated at ")), (7 if said == "never freed" else 3, 1), err)
            self.assertIn(said, err)
        for rule, code, count in (("error", 3, 1), ("warn", 7, 1), ("off", 7, 0)):
            _, err, ended = self.run_program("several.hip", "--suppress", "accepted.txt", "--leaks", rule)
            self.assertEqual((ended, err.count("are never freed")), (code, count), err)
            self.assertEqual("warning: several.hip: " in err, rule == "warn", err)
        self.write("crash: several.hip\n", "accepted.txt")
        out, err, code = self.run_program("several.hip", "--suppress", "accepted.txt")
        self.assertEqual((out, code), ("", 2))
        self.assertIn("warpz: --suppress accepted.txt:1: crash cannot be suppressed", err)

    def sarif(self, *words, code, arguments=()):
        _, err, ended = self.run_program(*words, "--sarif", "out.sarif", "--", *arguments)
        self.assertEqual(ended, code, err)
        log = json.loads((self.folder / "out.sarif").read_text())
        self.assertEqual(violations(log), [])
        run, = log["runs"]
        self.assertEqual(run["invocations"][0]["exitCode"], code)
        return run

    def test_sarif_has_the_users_files(self):
        self.write(SEVERAL, "src/several.hip")
        self.write("leak: several.hip  # at exit\n", "accepted.txt")
        run = self.sarif("src/several.hip", "--suppress", "accepted.txt", code=3)
        found = {each["ruleId"]: each for each in run["results"]}
        self.assertEqual(sorted(found), ["leak", "out_of_bounds", "uninitialised_read"])

        def place(location):
            physical = location["physicalLocation"]
            return physical["artifactLocation"]["uri"], physical["region"]["startLine"]

        bounds = found["out_of_bounds"]
        self.assertEqual([place(each) for each in bounds["locations"] + bounds["relatedLocations"]],
                         [("src/several.hip", 4), ("src/several.hip", 9)])
        self.assertEqual(bounds["locations"][0]["logicalLocations"], [{"name": "wrong", "kind": "function"}])
        self.assertEqual(bounds["properties"], {"program": ["src/several.hip"], "backend": "cpu", "warpSize": 32})
        self.assertTrue(bounds["message"]["text"].startswith("src/several.hip, 32 lanes: a lane accesses memory"))
        self.assertEqual([place(each) for each in found["leak"]["locations"]], [("src/several.hip", 12)])
        self.assertEqual(found["leak"]["suppressions"][0]["justification"], "at exit (accepted.txt:1)")

    @long
    def test_sarif_of_what_is_about_the_whole_program_and_of_an_error(self):
        self.write(ORDER, "order.hip")
        run = self.sarif("order.hip", "--schedules", 3, arguments=["ends"], code=3)
        result, = run["results"]
        self.assertEqual((result["ruleId"], result["locations"][0]["physicalLocation"]["artifactLocation"]["uri"]),
                         ("schedule_dependence", "order.hip"))
        run = self.sarif("none.hip", code=2)
        self.assertIn("none.hip", run["invocations"][0]["toolExecutionNotifications"][0]["message"]["text"])
        out, err, code = self.run_program("order.hip", "--sarif", "none/out.sarif")
        self.assertEqual((out, code), ("", 2))
        self.assertIn("--sarif none/out.sarif cannot be written", err)

    def stopped(self, *words, code):
        """The error of the one JSON object, which is there without a run, too."""
        out, err, ended = self.run_program(*words, "--format", "json")
        self.assertEqual(ended, code, err)
        said = json.loads(out)
        self.assertEqual(json_violations(said, SCHEMA), [])
        self.assertEqual((said["runs"], said["verdict"], said["exit_code"], said["error"]["exit_code"]),
                         ([], "error", code, code))
        self.assertIn("warpz: " + said["error"]["message"], err)
        return said["error"]

    def test_json_of_an_error(self):
        self.assertIn("none.hip", self.stopped("none.hip", code=2)["message"])
        self.write("int main() { return undeclared; }\n", "wrong.hip")
        self.assertIn("wrong.hip", self.stopped("wrong.hip", code=5)["message"])
        self.assertIn("wrong.hip", self.stopped("wrong.hip", "--output", "wrong", code=5)["message"])

    @long
    def test_json_where_nothing_is_run(self):
        self.write(SEVERAL, "several.hip")
        out, _, code = self.run_program("several.hip", "--output", "several", "--format", "json")
        said = json.loads(out)
        self.assertEqual(json_violations(said, SCHEMA), [])
        self.assertEqual((said["runs"], said["verdict"], said["exit_code"], code), ([], "passed", 0, 0))

    def cases(self, *words, code, arguments=()):
        """The test cases of the JUnit file: class, name, the element that says what is wrong, and its type."""
        _, err, ended = self.run_program(*words, "--junit", "out.xml", "--", *arguments)
        self.assertEqual(ended, code, err)
        suite, = xml.etree.ElementTree.parse(self.folder / "out.xml").getroot()
        for each in suite:
            self.assertGreaterEqual(float(each.get("time")), 0)
        self.assertEqual(int(suite.get("tests")), len(suite))
        return [(each.get("classname"), each.get("name"), *((inner.tag, inner.get("type")) for inner in each))
                for each in suite]

    @long
    def test_junit_has_a_case_for_each_warp_size(self):
        self.write(SEVERAL, "several.hip")
        broken = "error", "uninitialised_read"
        cases = self.cases("several.hip", "--warp-size", "both", code=3)
        self.assertEqual([each for each in cases if each[1] == "several.hip"],
                         [("warpz.cpu.warp32", "several.hip", broken), ("warpz.cpu.warp64", "several.hip", broken)])
        lines = self.run_program("several.hip", "--warp-size", 64, "--quiet")[1].splitlines()[:-1]
        self.assertEqual(sorted(each[1].partition(" (")[0] for each in cases if each[0] == "warpz.cpu.warp64"),
                         sorted(["several.hip", *(line.partition(" (")[0] for line in lines)]))
        # Without a finding the program's own exit code says whether it has failed.
        failed = "failure", "exit_code_7"
        self.assertEqual(self.cases("several.hip", "--check", "off", code=7),
                         [("warpz.cpu.warp32", "several.hip", failed)])
        self.write("#include <cstdlib>\nint main() {}\n", "nothing.hip")
        self.assertEqual(self.cases("nothing.hip", "--warp-size", 64, code=0), [("warpz.cpu.warp64", "nothing.hip")])

    def test_junit_of_an_error(self):
        self.assertEqual(self.cases("none.hip", "--warp-size", "both", code=2),
                         [("warpz", "none.hip", ("error", "exit_code_2")), ("warpz", "none.hip", ("skipped", None))])
        out, err, code = self.run_program("none.hip", "--junit", "none/out.xml")
        self.assertEqual((out, code), ("", 2))
        self.assertIn("--junit none/out.xml cannot be written", err)

    def test_a_report_of_a_run_is_refused_where_there_is_none(self):
        out, err, code = self.run_program("order.hip", "--output", "order", "--junit", "out.xml")
        self.assertEqual((out, code), ("", 2))
        self.assertTrue(err.startswith("warpz: --junit does nothing with --output: the program is not run\n"), err)

    def test_options_of_a_run_do_no_harm_where_there_is_none(self):
        self.write("int main() { return 7; }\n", "seven.hip")
        _, err, code = self.run_program("seven.hip", "--output", "seven", "--rules", "amd", "--warp-size", 64, "--schedules", 2)
        self.assertEqual((err, code), ("", 0))
        self.assertEqual(self.run_program("seven")[2], 7)

    @long
    def test_quiet_has_a_line_for_each_finding_and_counts_them(self):
        self.write(SEVERAL, "several.hip")
        out, err, code = self.run_program("several.hip", "--quiet")
        self.assertEqual(code, 3)
        *lines, last = err.splitlines()
        self.assertGreater(len(lines), 1)
        for line in lines:
            self.assertRegex(line, r"\A(several\.hip:[0-9]+|several\.hip): [a-z][a-z -]*( \(warning\))?\Z")
        self.assertRegex(last, r"\Afound: [0-9]+ .* \([0-9]+ times?\)")

    @long
    def test_reports_are_as_wide_as_columns_says_or_80_columns(self):
        self.write(SEVERAL, "several.hip")
        narrow = {}
        for columns in ("", "50"):
            _, err, code = self.run_program("several.hip", COLUMNS=columns)
            self.assertEqual(code, 3)
            words = [line for line in err.splitlines() if not line.startswith("see: ")]
            narrow[columns] = max(map(len, words))
        self.assertLessEqual(narrow["50"], 50)
        self.assertTrue(70 < narrow[""] <= 80, narrow)

    def test_a_clean_run_says_that_nothing_is_found(self):
        self.write("int main() {}\n", "clean.hip")
        for options, said in (((), NOTHING_LAUNCHED), (("--quiet",), ""), (("--check", "off"), "")):
            done = self.run_shell(shlex.join([PROGRAM, "--run", "clean.hip", *options]))
            self.assertEqual(done, ("", said, 0), options)

    def test_the_backend_may_be_named(self):
        self.write("int main() {}\n", "clean.hip")
        self.assertEqual(self.run_program("clean.hip", "--backend", "cpu"), ("", "", 0))


class Orders(RunTest):
    def setUp(self):
        super().setUp()
        self.write(ORDER, "order.hip")

    def in_orders(self, mode, *options, stdin=""):
        """What was found, as JSON, and what was printed; the program's own exit code is 7."""
        out, err, code = self.run_program("order.hip", *options, "--format", "json", "--", mode, stdin=stdin)
        said = json.loads(out)
        self.assertEqual(json_violations(said, SCHEMA), [])
        run, = said["runs"]
        self.assertEqual(code, 3 if any(each["severity"] == "error" for each in run["findings"]) else 7)
        return run["findings"], err

    def test_what_is_printed_depends_on_the_order(self):
        (finding,), err = self.in_orders("prints", "--schedules", 4)
        seed = finding["schedule_seed"]
        self.assertEqual((finding["kind"], seed, finding["repeats"]), ("schedule_dependence", 1, 3))
        self.assertEqual(finding["notes"][:2], ["what it prints differs first in line 3:",
                                                "in ascending order: last 63"])
        self.assertRegex(finding["notes"][2], "in order 1: last [0-9]+")
        # What it prints when it is run again is seen by nobody. Its two streams have no order between them.
        self.assertEqual([err.count(each) for each in ("said once\n", " bytes\n")], [1, 1])
        self.assertRegex(err.replace("said once\n", ""), r"\Aat [0-9.]+\n0 bytes\nlast 63\nbroken rule: ")
        # The same seed shows the same.
        (again,), _ = self.in_orders("prints", "--schedule-seed", 1)
        self.assertEqual(again["notes"], finding["notes"])
        _, err, code = self.run_program("order.hip", "--schedule-seed", 1, "--", "prints")
        self.assertEqual(code, 3)
        # The last but one becomes the last one.
        self.assertRegex(err, "said once\nbroken rule: order.hip: the result changes when lanes, warps or blocks run in "
                              "another order\n  found with --schedule-seed 1\n  wrong when in block 0, lane 31 of warp 1 "
                              r"goes before lane 30 of warp 1 at order\.hip:6\n  1 of this order's \d+ decisions is enough"
                              "\n  what it prints differs first in line 3:\n")

    @long
    def test_how_it_ends_depends_on_the_order(self):
        (finding,), _ = self.in_orders("ends", "--schedule-seed", 5)
        self.assertEqual(finding["notes"], ["in ascending order: exit code 7", "in order 5: exit code 9"])
        (finding,), _ = self.in_orders("aborts", "--schedule-seed", 5)
        self.assertEqual(finding["notes"], ["in ascending order: exit code 7", "in order 5: ended by signal 6"])
        self.write("schedule_dependence: order.hip\n", "accepted.txt")
        accepted = self.run_program("order.hip", "--schedules", 2, "--suppress", "accepted.txt", "--", "ends")
        self.assertEqual(accepted[2], 7)

    def test_what_is_found_in_another_order_only(self):
        (finding,), _ = self.in_orders("hidden", "--schedules", 3)
        self.assertEqual((finding["kind"], finding["schedule_seed"]), ("out_of_bounds", 1))
        # Two leaks are two mistakes.
        leaks, _ = self.in_orders("leaks", "--schedules", 2)
        self.assertEqual([(each["kind"], each["schedule_seed"]) for each in leaks], [("leak", None), ("leak", 1)])
        self.assertNotEqual(leaks[0]["notes"], leaks[1]["notes"])

    @long
    def test_what_is_never_the_same_does_not_count(self):
        self.assertEqual(self.in_orders("nothing", "--schedules", 3)[0], [])
        # The first run is another one than all that come after it, which is not the order's doing.
        self.write(RUNTIME + """
            __global__ void nothing() {}
            int main() {
              std::FILE* const before = std::fopen("ran", "r");
              std::puts(before != nullptr ? "not the first" : "the first");
              if (before == nullptr) std::fclose(std::fopen("ran", "w"));
              nothing<<<1, 64>>>();
              return 0;
            }
            """, "first.hip")
        self.assertEqual(self.run_program("first.hip", "--schedules", 3), ("the first\n", "", 0))

    @long
    def test_each_run_reads_the_same(self):
        for stdin in ("", "x" * 100, "x" * 1000000):
            found, err = self.in_orders("nothing", "--schedules", 2, stdin=stdin)
            self.assertEqual(found, [])
            self.assertIn(f"\n{len(stdin)} bytes\n", err)
        # As it comes; from a file; and with both warp sizes.
        self.write("x" * 3000, "input")
        feed = "(printf a; sleep 0.5; printf b)"
        for given, count in ((f"{feed} |", 2), ("<input", 3000)):
            rest = "--run order.hip --warp-size both --schedules 1 -- nothing"
            command = f"{given} '{PROGRAM}' {rest}" if given.endswith("|") else f"'{PROGRAM}' {rest} {given}"
            out, err, code = self.run_shell(command)
            self.assertEqual((code, out.count(f"{count} bytes\n"), out.count("at ")), (7, 2, 2), err)


if __name__ == "__main__":
    main()
