#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""--kernel with a folder of solutions: each puzzle's own file is judged, and what is missing, misnamed or does not
compile is told without keeping the others from running."""

import json
import re
import xml.etree.ElementTree

from kernel_support import KERNEL, RunTest
from puzzle_runs import PROGRAM, PUZZLES, SOURCE
from skips import main

DOES_NOT_COMPILE = "__global__ void broken(float* output) { output[0] = nothing; }\n"


class KernelFolderTest(RunTest):
    def setUp(self):
        super().setUp()
        (self.folder / "hers/pair-swap").mkdir(parents=True)
        self.write(KERNEL, "hers/neighbor.hip")
        self.write(KERNEL, "hers/average.hip")  # another puzzle's
        solution = (SOURCE / "puzzles/pair-swap/solution.hip").read_text()
        self.write(solution, "hers/pair-swap/solution.hip")

    def run_folder(self, *options):
        process = self.start("--kernel", "hers", *options)
        out, err = process.communicate(timeout=300)
        return out.decode(), err.decode(), process.returncode

    def test_each_puzzle_has_its_own_file(self):
        out, err, code = self.run_folder("--quiet")
        self.assertEqual((out.splitlines(), code), (["OK Basic neighbor difference test passed!",
                                                     "FAIL Moving average test failed!",
                                                     "OK Butterfly pair swap test passed!"], 1), err)
        out, err, code = self.run_folder("--all")
        self.assertEqual(code, 1, err)
        self.assertEqual(re.findall("^(OK|FAIL) ", out, re.M), ["OK", "FAIL", "OK"])
        self.assertRegex(out, r"\npair-swap +OK +[\d.]+ ms\n$")
        self.assertIn(f"warpz: hers has no file for {len(PUZZLES) - 3} of {len(PUZZLES)} puzzles: --broadcast-basic, ",
                      err)
        quiet, quiet_err, code = self.run_folder("--all", "--quiet")
        self.assertEqual((quiet.splitlines()[3:], code), (["2 of 3 passed"], 1))
        self.assertIn("has no file for", quiet_err)
        # The suggested command judges the same file again.
        command = re.search(r"next: \S+ (--average .*)\n", err)[1]
        self.assertIn("--kernel hers", command)
        self.assertEqual(self.run_folder(*command.replace("--kernel hers", "").split())[2], 1, command)

    def test_puzzles_that_are_named_have_to_be_there(self):
        out, err, code = self.run_folder("--neighbor", "--pair-swap", "--quiet")
        self.assertEqual((len(out.splitlines()), code, "no file" in err), (2, 0, False), err)
        _, err, code = self.run_folder("--neighbor", "--warp-max")
        self.assertEqual((code, err.splitlines()[-2:]), (2, [
            "warpz: hers has no file for --warp-max",
            "Name each file after its puzzle's flag: hers/warp-max.hip or hers/warp-max/solution.hip for --warp-max."]))
        (self.folder / "empty").mkdir()
        _, err, code = self.run_shell(f"{PROGRAM} --kernel empty")
        self.assertEqual((code, "empty has no file for any puzzle" in err), (2, True), err)

    def test_all_puzzles_have_to_be_there_where_all_are_asked_for(self):
        (self.folder / "hers/average.hip").unlink()
        out, err, code = self.run_folder("--all", "--quiet")
        self.assertEqual((out.splitlines()[-1], code), ("2 of 2 passed", 1), err)
        self.assertIn(f"warpz: hers has no file for {len(PUZZLES) - 2} of", err)
        out, err, code = self.run_folder("--quiet")
        self.assertEqual((len(out.splitlines()), err, code), (2, "", 0))

    def test_a_file_says_for_which_warp_size_it_is(self):
        text = KERNEL.replace("threadIdx.x % warpSize + 1 < warpSize", "threadIdx.x % 32 < 31")
        self.write(text, "hers/neighbor.hip")
        self.assertEqual(self.run_folder("--neighbor")[2], 1)
        self.write("// warpz: --warp-size 32\n" + text, "hers/neighbor.hip")
        self.assertEqual(self.run_folder("--neighbor")[2], 0)

    def test_each_file_has_its_own_lines(self):
        out, err, _ = self.run_folder("--counters", "--format", "json")
        for run in json.loads(out)["runs"]:
            lines = [each for kernel in run["costs"]["kernels"] for each in kernel["lines"]]
            own = "hers/pair-swap/solution.hip" if run["puzzle"] == "pair-swap" else f"hers/{run['puzzle']}.hip"
            self.assertEqual({each["file"] for each in lines}, {own}, err)

    def test_what_does_not_compile_or_is_misnamed(self):
        self.write(DOES_NOT_COMPILE, "hers/average.hip")
        self.write(KERNEL, "hers/nieghbor.hip")
        out, err, code = self.run_folder()
        self.assertEqual((re.findall("^(OK|FAIL) ", out, re.M), code), (["OK", "FAIL", "OK"], 5), err)
        self.assertRegex(out, r"\naverage +error +-\n")
        self.assertIn("warpz: hers/average.hip does not compile\n", err)
        self.assertIn("warpz: hers/nieghbor.hip is left out: no puzzle has a file of this name. Did you mean neighbor.hip?\n",
                      err)

    def test_the_reports_have_it(self):
        self.write(DOES_NOT_COMPILE, "hers/average.hip")
        out, _, code = self.run_folder("--format", "json", "--junit", "j.xml", "--sarif", "s.sarif")
        whole = json.loads(out)
        self.assertEqual((code, whole["verdict"], whole["exit_code"], whole["error"]), (5, "error", 5, None))
        self.assertEqual([(each["puzzle"], each["verdict"]) for each in whole["runs"]],
                         [("neighbor", "passed"), ("average", "error"), ("pair-swap", "passed")])
        refused = whole["runs"][1]
        self.assertEqual((refused["kernel_file"], refused["error"]["message"], refused["error"]["exit_code"]),
                         ("hers/average.hip", "hers/average.hip does not compile", 5))
        cases = xml.etree.ElementTree.parse(self.folder / "j.xml").getroot().findall(".//testcase")
        self.assertEqual([(each.get("name"), [inner.tag for inner in each]) for each in cases],
                         [("neighbor", []), ("average", ["error"]), ("pair-swap", [])])
        run, = json.loads((self.folder / "s.sarif").read_text())["runs"]
        invocation, = run["invocations"]
        self.assertFalse(invocation["executionSuccessful"])
        self.assertIn("does not compile", invocation["toolExecutionNotifications"][0]["message"]["text"])


if __name__ == "__main__":
    main()
