#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""--backend cpu,nvidia: a puzzle runs on both, with the hidden inputs, too, and the first bit that differs is shown."""

import json

from skips import main
from stand_in import StandInTest

BOTH = ("--neighbor", "--backend", "cpu,nvidia", "--device", "1")


class ComparedBackendsTest(StandInTest):
    def differences(self, behaviour, *options):
        """The messages and notes, the verdicts and the exit code."""
        out, err, code = self.run_with(behaviour, *BOTH, "--format", "json", *options)
        runs = json.loads(out)["runs"]
        self.assertEqual([run["backend"] for run in runs], ["cpu", "nvidia"], err)
        self.assertEqual([run["warp_size"] for run in runs], [32, 32])
        self.assertEqual(runs[0]["findings"], [])
        found = [(each["kind"], each["severity"], each["rule"], each["notes"]) for each in runs[1]["findings"]]
        return found, [run["verdict"] for run in runs], code

    def test_the_same_bits_are_no_finding(self):
        self.assertEqual(self.differences("subtracts"), ([], ["passed", "passed"], 0))
        out, err, code = self.run_with("subtracts", *BOTH)
        self.assertIn("OK Basic neighbor difference test passed! (cpu)\n", out)
        self.assertIn("OK Basic neighbor difference test passed! (nvidia)\n", out)
        self.assertRegex(err, r"\Arunning on nvidia: stand-in B\nrunning on cpu: CPU, 32 lanes")
        self.assertEqual(code, 0)

    def test_a_bit_is_told_where_both_are_right(self):
        """0 and -0 are equal, and not the same."""
        message = "output[31] is 0.0 (0x00000000) on cpu and -0.0 (0x80000000) on nvidia; 1 of 32 elements differ"
        self.assertEqual(self.differences("negative-zero"),
                         ([("backend_dependence", "warning", message, [])], ["passed", "passed"], 0))

    def test_the_hidden_inputs_are_compared(self):
        found, verdicts, code = self.differences("negative-zero-from-100")
        self.assertEqual((verdicts, code), (["passed", "passed"], 0))
        message = "output[99] is 0.0 (0x00000000) on cpu and -0.0 (0x80000000) on nvidia; 1 of 100 elements differ"
        self.assertEqual(found, [("backend_dependence", "warning", message, ["with --size 100"])])
        # With data of the user's own there are no hidden ones.
        self.assertEqual(self.differences("negative-zero-from-100", "--size", "50"), ([], ["passed", "passed"], 0))
        self.assertEqual(len(self.differences("negative-zero-from-100", "--size", "100")[0]), 1)

    def test_a_wrong_result_is_1(self):
        found, verdicts, code = self.differences("")
        self.assertEqual((verdicts, code), (["passed", "wrong_result"], 1))
        self.assertIn("output[0] is 1.0 (0x3f800000) on cpu and 0.0 (0x00000000) on nvidia; 31 of 32", found[0][2])

    def test_a_fault_of_the_gpu_is_3(self):
        out, _, code = self.run_with("faults", *BOTH, "--format", "json")
        self.assertEqual([run["verdict"] for run in json.loads(out)["runs"]], ["passed", "broken_rule"])
        self.assertEqual(code, 3)

    def test_the_warning_can_be_accepted(self):
        (self.folder / "accepted").write_text("backend_dependence: neighbor_difference\n")
        out, err, code = self.run_with("negative-zero", *BOTH, "--suppress", "accepted", "--format", "json")
        self.assertEqual(code, 0, err)
        self.assertEqual(json.loads(out)["runs"][1]["findings"][0]["suppressed_by"]["line"], 1)

    def test_what_is_for_one_backend_is_refused(self):
        for words, message in ((("--schedules", "3"), "--schedules does nothing with --backend cpu,nvidia"),
                               (("--warp-size", "both"), "--warp-size both does nothing with --backend cpu,nvidia"),
                               (("--bench",), "--backend cpu,nvidia and --bench cannot be combined")):
            out, err, code = self.run_with("", *BOTH, *words)
            self.assertEqual((out, code), ("", 2), err)
            self.assertIn(message, err)
        # The CPU machine checks, as it does alone.
        self.assertEqual(self.run_with("subtracts", *BOTH, "--check", "all")[2], 0)


if __name__ == "__main__":
    main()
