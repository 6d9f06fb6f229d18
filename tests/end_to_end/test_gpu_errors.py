#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What a GPU can do to the program, with a stand-in for a vendor's module: the words, the exit code, what goes on."""

import json
import os
import shutil

from puzzle_runs import MODULES
from skips import main
from stand_in import StandInTest


class GpuErrorsTest(StandInTest):
    def test_a_module_beside_the_program_is_the_backend(self):
        out, err, code = self.run_with("", "--backend", "amd", "--neighbor")
        self.assertEqual(out.splitlines()[0], "WARP_SIZE:  64")
        self.assertEqual(code, 1, err)  # it computes nothing
        out, _, _ = self.run_with("", "--backend", "nvidia", "--device", "1", "--neighbor", "--format", "json")
        self.assertIn('"device":"stand-in B"', out)
        self.assertIn('"backend":"nvidia"', out)

    def test_a_wrong_result_leads_to_the_cpu_machine(self):
        _, err, _ = self.run_with("", "--backend", "amd", "--neighbor")
        self.assertRegex(err, r"next: .*warpz --neighbor --backend cpu --warp-size 64\n")

    def test_kernels_of_ones_own_stay_on_their_device(self):
        _, err, _ = self.run_with("", "--backend", "amd", "--device", "1", "--neighbor", "--module",
                                  str(MODULES / "stand-in-amd.so"))
        self.assertRegex(err, r"next: .*warpz --neighbor --module .*stand-in-amd.so'? --backend amd --device 1 --size 1\n")

    def test_a_device_that_is_not_there_is_4_and_nothing_is_printed(self):
        for behaviour, words in (("no-device", "hipGetDeviceCount(&found): hipErrorNoDevice"),
                                 ("no-code", "hipErrorNoBinaryForGpu"),
                                 ("driver-aborts", "was ended by signal 6 (Aborted)")):
            out, err, code = self.run_with(behaviour, "--backend", "amd", "--all")
            self.assertEqual((out, code), ("", 4), err)
            self.assertIn(words, err)

    def test_out_of_memory_is_4_with_what_to_try(self):
        _, err, code = self.run_with("out-of-memory", "--backend", "nvidia", "--neighbor")
        self.assertEqual(code, 4)
        self.assertIn("hipMalloc(&data_, argument.bytes): hipErrorOutOfMemory (out of memory)", err)
        self.assertIn("--size", err)

    def test_a_fault_is_3_and_leads_to_the_cpu_machine(self):
        for behaviour, words in (("faults", "cudaErrorIllegalAddress (an illegal memory access was encountered)"),
                                 ("aborts", "SIGABRT")):
            _, err, code = self.run_with(behaviour, "--backend", "nvidia", "--neighbor", "--warp-size", "32")
            self.assertEqual(code, 3, err)
            self.assertIn(words, err)
            self.assertRegex(err, r"next: .*warpz --neighbor --backend cpu\n")
        self.assertIn("Memory access fault by GPU node-1", err)

    def test_a_fault_does_not_keep_the_next_puzzle_from_running(self):
        out, err, code = self.run_with("faults-at-first-kernel", "--backend", "amd", "--neighbor", "--pair-swap",
                                       "--format", "json")
        self.assertEqual(code, 3, err)
        self.assertEqual([run["verdict"] for run in json.loads(out)["runs"]], ["broken_rule", "wrong_result"])

    def test_a_kernel_that_does_not_end_is_3_after_its_time(self):
        _, err, code = self.run_with("hangs", "--backend", "amd", "--neighbor", "--timeout", "0.5")
        self.assertEqual(code, 3, err)
        self.assertIn("did not end within 0.5 seconds", err)

    def test_a_driver_that_dies_while_no_kernel_runs_is_4(self):
        _, err, code = self.run_with("aborts-while-copying", "--backend", "amd", "--neighbor")
        self.assertEqual(code, 4, err)
        self.assertIn("while no kernel was running", err)

    def test_modules_that_do_not_fit(self):
        whole = (MODULES / "stand-in-amd.so").read_bytes()
        cases = {"truncated": (whole[:len(whole) // 2], "signal"), "empty": (b"", "file too short"),
                 "text": (b"no shared object\n" * 10, "invalid ELF header"),
                 "other version": ((MODULES / "stand-in-old.so").read_bytes(), "version")}
        module = self.folder / "libwarpz-amd.so"
        self.addCleanup(shutil.copy, MODULES / "stand-in-amd.so", module)
        for name, (content, words) in cases.items():
            with self.subTest(name):
                module.write_bytes(content)
                out, err, code = self.run_with("", "--backend", "amd", "--neighbor")
                self.assertEqual((out, code), ("", 4), err)
                self.assertIn("libwarpz-amd.so", err)
                self.assertIn(words, err)
                if name != "truncated":
                    self.assertIn("scripts/warpz --backend amd (or nvidia) builds a GPU's module", err)
                    self.assertNotIn("ARCHS", err)
        module.unlink()
        _, err, code = self.run_with("", "--backend", "amd", "--neighbor")
        self.assertEqual(code, 4)
        self.assertIn("there is no kernel module for amd", err)
        self.assertIn("scripts/warpz --backend amd", err)

    def test_auto_says_what_it_chose(self):
        _, err, code = self.run_with("", "--neighbor", "--warp-size", "64")
        if os.path.exists("/dev/kfd") or os.path.exists("/dev/nvidiactl") or os.path.exists("/dev/dxg"):
            self.skipTest("there is a GPU here")
        self.assertRegex(err, r"\Arunning on cpu: CPU, 64 lanes \(.*\)\n\Z")
        self.assertEqual(code, 0)
        for quiet in (("--quiet",), ("--backend", "cpu")):
            self.assertEqual(self.run_with("", "--neighbor", *quiet)[1], "")


if __name__ == "__main__":
    main()
