#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The options around the checks: how many findings are told, which are accepted, both warp sizes, SARIF."""

import json
import os
import pathlib
import tempfile
import unittest

from puzzle_runs import module, warpz
from sarif import violations
from skips import main

HEAD = "__global__ void mine(float* output, const float* input, int size) {\n"
RIGHT = """const int i = blockIdx.x * blockDim.x + threadIdx.x;
const float mine = i < size ? input[i] : 0, next = __shfl_down(mine, 1);
const bool has_next = i + 1 < size && static_cast<int>(threadIdx.x) + 1 < warpSize;
if (i < size) output[i] = has_next ? next - mine : 0;
"""
FIRST = 6 + 1  # the line behind the right ones
MANY = HEAD + RIGHT + "if (threadIdx.x == 0) {\n" + "".join(f"output[size + {i}] = {i};\n" for i in range(20)) + "}}\n"
FOR_32 = HEAD + """float sum = input[blockIdx.x * blockDim.x + threadIdx.x];
for (int offset = 16; offset > 0; offset /= 2) sum += __shfl_xor(sum, offset);
output[blockIdx.x * blockDim.x + threadIdx.x] = sum;
}
"""


FOLDER = pathlib.Path()


def setUpModule():
    """One folder and one cache for all: each kernel is compiled once."""
    global FOLDER
    FOLDER = pathlib.Path(unittest.enterModuleContext(tempfile.TemporaryDirectory()))
    os.environ["XDG_CACHE_HOME"] = str(FOLDER / "cache")
    before = os.getcwd()
    unittest.addModuleCleanup(os.chdir, before)
    os.chdir(FOLDER)
    (FOLDER / "many of them.hip").write_text(MANY)
    (FOLDER / "for-32.hip").write_text(FOR_32)


MANY_RUN = ("--neighbor", "--size", 32, "--kernel", "many of them.hip")
FOR_32_RUN = ("--warp-sum", "--size", 128, "--kernel", "for-32.hip")


class Case(unittest.TestCase):
    def write(self, text, name):
        (FOLDER / name).write_text(text)
        return "--kernel", name

    def accept(self, text):
        (FOLDER / "accepted.txt").write_text(text)
        return "--suppress", "accepted.txt"

    def runs(self, *options, code):
        done = warpz(*options, "--format", "json")
        self.assertEqual(done.returncode, code, done.stderr)
        return json.loads(done.stdout)["runs"]

    def sarif(self, *options, code):
        done = warpz(*options, "--sarif", "out.sarif", "--quiet")
        self.assertEqual(done.returncode, code, done.stderr)
        log = json.loads((FOLDER / "out.sarif").read_text())
        self.assertEqual(violations(log), [])
        (run,) = log["runs"]
        self.assertEqual(run["invocations"][0]["exitCode"], code)
        return run


class LimitTest(Case):
    def test_so_many_places_are_told_and_the_others_counted(self):
        for limit, told in ((1, 1), (15, 15), (19, 19), (20, 20), (256, 20)):
            (run,) = self.runs(*MANY_RUN, "--findings-limit", limit, code=3)
            self.assertEqual([each["memory"]["index"] for each in run["findings"]], list(range(32, 32 + told)))
            self.assertEqual(run["findings_left_out"], 20 - told)

    def test_what_the_machine_has_no_room_for_is_counted_too(self):
        kernel = self.write(HEAD + "if (threadIdx.x == 0) {\n"
                            + "".join(f"output[size + {i}] = {i};\n" for i in range(300)) + "}}\n", "more.hip")
        (run,) = self.runs("--neighbor", *kernel, "--findings-limit", 256, code=3)
        self.assertEqual((len(run["findings"]), run["findings_left_out"]), (256, 44))

    def test_what_ends_the_kernel_is_always_told(self):
        kernel = self.write(HEAD + "output[size] = 1;\noutput[size + 1] = 1;\n__syncthreads();\n"
                            "if (threadIdx.x == 3) __trap(); }", "trap.hip")
        (run,) = self.runs("--neighbor", *kernel, "--findings-limit", 1, code=3)
        self.assertEqual([each["kind"] for each in run["findings"]], ["out_of_bounds", "crash"])
        self.assertGreater(run["findings_left_out"], 0)


class SuppressTest(Case):
    def test_what_is_accepted_fails_nothing(self):
        accepted = self.accept("# Scratch space.\nout_of_bounds: many*.hip:*\n")
        done = warpz(*MANY_RUN, *accepted)
        self.assertEqual(done.returncode, 0)
        self.assertEqual(done.stderr, b"neighbor: suppressed: 20 out-of-bounds accesses (20 times)\n")
        (run,) = self.runs(*MANY_RUN, *accepted, code=0)
        self.assertEqual({tuple(each["suppressed_by"].items()) for each in run["findings"]},
                         {(("file", "accepted.txt"), ("line", 2), ("reason", "Scratch space."))})

    def test_what_is_not_accepted_still_fails_and_is_told_beside(self):
        accepted = self.accept("".join(f"out_of_bounds: many of them.hip:{FIRST + i}\n" for i in range(19)))
        done = warpz(*MANY_RUN, *accepted)
        self.assertEqual(done.returncode, 3)
        self.assertIn(f"writes 4 bytes at many of them.hip:{FIRST + 19}\n".encode(), done.stderr)
        self.assertIn(b"\nfound: 1 out-of-bounds access; suppressed: 19 out-of-bounds accesses (19 times)\n", done.stderr)
        self.assertNotIn(b"output[32]", done.stderr)

    def test_what_lies_beyond_the_limit_can_be_accepted(self):
        accepted = self.accept(f"out_of_bounds: many of them.hip:{FIRST + 19}\n")
        (run,) = self.runs(*MANY_RUN, *accepted, "--findings-limit", 1, code=3)
        self.assertEqual([(each["memory"]["index"], each["suppressed_by"] is None) for each in run["findings"]],
                         [(32, True), (51, False)])
        self.assertEqual(run["findings_left_out"], 18)

    def test_a_line_that_fits_nothing_is_told(self):
        accepted = self.accept("data_race: gone.hip:3  # was there\n")
        done = warpz("--neighbor", *accepted)
        self.assertEqual((done.returncode, done.stderr),
                         (0, b"warpz: --suppress accepted.txt:1: no finding matches data_race: gone.hip:3\n"))
        self.assertEqual(warpz("--neighbor", *accepted, "--quiet").stderr, b"")

    def test_a_wrong_line_is_refused(self):
        done = warpz("--neighbor", *self.accept("\nrace: gone.hip:3\n"))
        self.assertEqual((done.returncode, done.stdout), (2, b""))
        self.assertIn(b"warpz: --suppress accepted.txt:2: race is not a kind of finding\n", done.stderr)


class BothTest(Case):
    def test_right_with_32_and_wrong_with_64(self):
        runs = self.runs(*FOR_32_RUN, "--warp-size", "both", code=3)
        self.assertEqual([(each["warp_size"], each["verdict"], len(each["output"])) for each in runs],
                         [(32, "passed", 128), (64, "broken_rule", 128)])
        (found,) = runs[1]["findings"]
        self.assertEqual(found["kind"], "warp_size_dependence")
        told = found["warp_sizes"]
        self.assertEqual((told["right"], told["wrong"]), (32, 64))
        self.assertEqual([(each["file"], each["line"]) for each in told["hard_coded"]], [("for-32.hip", 3)])
        first = told["first_difference"]
        self.assertEqual((first["output"], first["expected"], first["right_output"]),
                         (runs[1]["output"][first["index"]], runs[1]["expected"][first["index"]],
                          runs[0]["output"][first["index"]]))
        self.assertEqual(warpz(*FOR_32_RUN, "--warp-size", 64).returncode, 1)

    def test_as_text(self):
        done = warpz(*FOR_32_RUN, "--warp-size", "both")
        self.assertEqual(done.stdout.count(b"\noutput: ["), 2)
        self.assertRegex(done.stdout,
                         rb"\nwarp-sum, 32 lanes +OK +[0-9.]+ ms\nwarp-sum, 64 lanes +FAIL broken rule +-\n\Z")
        self.assertRegex(done.stderr,
                         rb"\Abroken rule: warp-sum: right with 32 lanes in a warp, and wrong with 64\n")
        self.assertIn(b"\n  written for 32 lanes: at for-32.hip:3 for (int offset = 16;", done.stderr)

    def test_the_built_in_kernels_pass_with_both(self):
        done = warpz("--neighbor", "--warp-sum", "--warp-size", "both", "--quiet", "--junit", "out.xml")
        self.assertEqual((done.returncode, done.stderr), (0, b""))
        lines = done.stdout.decode().splitlines()
        self.assertEqual([line.rsplit(" (")[1] for line in lines], ["32 lanes)", "64 lanes)"] * 2)
        text = (FOLDER / "out.xml").read_text()
        self.assertRegex(text, r'tests="4" failures="0" errors="0" time="\S+" skipped="0"')
        self.assertIn('classname="warpz.cpu.warp64" name="warp-sum"', text)

    def test_a_gpu_has_one_size(self):
        done = warpz("--neighbor", "--backend", "amd", "--warp-size", "both")
        self.assertEqual(done.returncode, 2)
        self.assertIn(b"warpz: --warp-size both does nothing with --backend amd: only the CPU machine has both\n",
                      done.stderr)


class SarifTest(Case):
    def test_findings_with_their_places_and_fingerprints_that_stay_when_lines_move(self):
        run = self.sarif(*MANY_RUN, code=3)
        self.assertEqual([each["ruleId"] for each in run["results"]], ["out_of_bounds"] * 15)
        place = run["results"][2]["locations"][0]["physicalLocation"]
        self.assertEqual((place["artifactLocation"]["uri"], place["region"]["startLine"]),
                         ("many%20of%20them.hip", FIRST + 2))
        self.assertEqual({each["level"] for each in run["results"]}, {"error"})
        self.addCleanup(self.write, MANY, "many of them.hip")
        self.write("// a new line\n" + MANY, "many of them.hip")
        moved = self.sarif(*MANY_RUN, code=3)
        self.assertEqual(moved["results"][2]["locations"][0]["physicalLocation"]["region"]["startLine"], FIRST + 3)
        self.assertEqual(*([each["partialFingerprints"] for each in one["results"]] for one in (run, moved)))

    def test_both_parties_of_a_race_and_what_is_accepted(self):
        kernel = self.write(HEAD + "__shared__ float one;\none = threadIdx.x;\n__syncthreads();\n"
                            "output[threadIdx.x] = one;\none = 0;\n}\n", "race.hip")
        run = self.sarif("--neighbor", *kernel, *self.accept("data_race: race.hip:*  # known\n"), code=1)
        *races, wrong = run["results"]
        self.assertEqual({(each["ruleId"], each["level"], each["suppressions"][0]["justification"]) for each in races},
                         {("data_race", "none", "known (accepted.txt:1)")})
        lines = {(each["locations"][0]["physicalLocation"]["region"]["startLine"],
                  each["relatedLocations"][0]["physicalLocation"]["region"]["startLine"]) for each in races}
        self.assertIn((3, 3), lines)
        self.assertEqual((wrong["ruleId"], wrong["level"]), ("wrong_result", "error"))

    def test_no_findings_and_an_error(self):
        run = self.sarif("--neighbor", code=0)
        self.assertEqual(run["results"], [])
        advice = {rule["id"]: rule["help"]["text"] for rule in run["tool"]["driver"]["rules"]}
        self.assertEqual(advice["undefined_lane_value"],
                         "Use what a lane gives only where that lane takes part, as by i + 1 < size ? next : 0. Elsewhere "
                         "take a neutral value. docs/checks.md of warpz has an example, bad and good.")
        (FOLDER / "out.sarif").unlink()
        run = self.sarif("--neighbor", *module("nowhere"), code=4)
        (invocation,) = run["invocations"]
        self.assertFalse(invocation["executionSuccessful"])
        self.assertIn("nowhere", invocation["toolExecutionNotifications"][0]["message"]["text"])

    def test_a_place_that_cannot_be_written_stops_before_the_first_kernel(self):
        done = warpz("--neighbor", "--sarif", "none/out.sarif")
        self.assertEqual((done.returncode, done.stdout), (2, b""))
        self.assertIn(b"--sarif none/out.sarif cannot be written", done.stderr)

    def test_the_checker_sees_what_is_wrong(self):
        good = {"version": "2.1.0", "runs": []}
        self.assertEqual(violations(good), [])
        for bad in ({"version": "2.1.0"}, {**good, "version": "2.0.0"}, {**good, "more": 1}, {**good, "runs": [{}]},
                    {**good, "runs": {}}):
            self.assertNotEqual(violations(bad), [])


if __name__ == "__main__":
    main()
