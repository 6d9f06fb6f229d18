#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The program as shells and scripts see it: where its words go, what they are, and how it ends."""

import json
import os
import pathlib
import re
import signal
import struct
import subprocess
import tempfile
import unittest

from puzzle_runs import CHOSEN, PROGRAM, PUZZLES, SOURCE, WARP_SIZES, module, warpz
from skips import main



def text(done):
    return done.stdout.decode(), done.stderr.decode(), done.returncode


class AllTest(unittest.TestCase):
    def test_all_prints_every_documented_text_and_ends_with_a_table(self):
        for warp_size in WARP_SIZES:
            out, err, code = text(warpz("--all", "--warp-size", warp_size))
            texts = out.split("\n\n")
            expected = [(SOURCE / f"expected/warp{warp_size}/{flag}.txt").read_text().rstrip("\n") for flag in PUZZLES]
            self.assertEqual(texts[:-1], expected)
            rows = texts[-1].splitlines()
            self.assertRegex(rows[0], r"^puzzle +result +time$")
            self.assertEqual([row.split()[:2] for row in rows[1:]], [[flag, "OK"] for flag in PUZZLES])
            for row in rows[1:]:
                self.assertRegex(row, r" \d+\.\d{3} ms$")
            self.assertEqual((err, code), ("", 0))

    def test_puzzles_run_in_the_order_given(self):
        out, _, _ = text(warpz("--quiet", "--partition", "--neighbor", "--partition"))
        titles = [PUZZLES[flag].title for flag in ("partition", "neighbor", "partition")]
        self.assertEqual(out.splitlines(), [f"OK {title} test passed!" for title in titles])


class OutputOptionsTest(unittest.TestCase):
    def test_emoji(self):
        self.assertEqual(text(warpz("--neighbor", "--emoji"))[0].splitlines()[-1],
                         "✅ Basic neighbor difference test passed!")
        self.assertEqual(text(warpz("--neighbor", "--emoji", *module("problem-neighbor")))[0].splitlines()[-1],
                         "❌ Basic neighbor difference test failed!")

    def test_quiet(self):
        self.assertEqual(text(warpz("--neighbor", "--average", "--quiet")),
                         ("OK Basic neighbor difference test passed!\nOK Moving average test passed!\n", "", 0))

    def test_long_lists_are_shortened_unless_full(self):
        short = text(warpz("--pair-swap", "--size", 1025))[0].splitlines()[2]
        self.assertEqual(short, "output: [1.0, 0.0, 3.0, ..., 1023.0, 1022.0, 1024.0]")
        whole = text(warpz("--pair-swap", "--size", 1024))[0].splitlines()[2]
        full = text(warpz("--pair-swap", "--size", 1025, "--full"))[0].splitlines()[2]
        self.assertEqual((whole.count(","), full.count(",")), (1023, 1024))

    def test_color(self):
        def colored(option, **variables):
            environment = {**os.environ, **variables}
            return b"\x1b[" in subprocess.run([PROGRAM, "--neighbor", "--color", option], env=environment,
                                              capture_output=True, timeout=600, check=False).stdout
        self.assertTrue(colored("always"))
        self.assertTrue(colored("always", NO_COLOR="1"))
        self.assertFalse(colored("never"))
        self.assertFalse(colored("auto"), "a pipe is no terminal")

    def test_what_a_kernel_prints_is_no_result(self):
        out, err, code = text(warpz("--pair-swap", "--format", "json", *module("wrong-other-prints")))
        self.assertEqual(json.loads(out)["runs"][0]["verdict"], "passed")
        self.assertEqual((err, code), ("lane 3 has 3\n", 0))


class WrongResultTest(unittest.TestCase):
    def test_says_where_and_what_to_do_next(self):
        out, err, code = text(warpz("--neighbor", "--size", 70, *module("wrong-neighbor-no-guard")))
        self.assertEqual(code, 1)
        self.assertEqual(out.splitlines()[-1], "FAIL Basic neighbor difference test failed!")
        lines = err.splitlines()
        self.assertEqual(lines[0], "wrong result: neighbor: 1 of 70 elements differs")
        self.assertEqual(lines[1].split(), ["index", "block", "warp", "lane", "output", "expected"])
        self.assertEqual(lines[2].split(), ["69", "2", "0", "5", str(-69.0 ** 2), "0.0"])
        self.assertRegex(lines[3], r"^  input, elements 61 to 69 of 70: \[3721\.0, 3844\.0, .*, 4761\.0\]$")
        self.assertRegex(lines[4], r"^next: .*warpz'? --neighbor --module ")

    def test_explains_the_name_of_a_list(self):
        self.assertIn("HostBuffer([...]) is how the Mojo GPU Puzzles print a list",
                      text(warpz("--broadcast-basic", "--kernel", SOURCE / "puzzles/broadcast-basic/problem.hip",
                                 "--documented-only"))[1])

    def test_the_suggested_commands_run_and_lead_somewhere_else(self):
        for name in ("problem-neighbor", "wrong-parallel-max-from-16", "wrong-neighbor-no-guard", "wrong-finding-half-a-warp"):
            flag = "parallel-max" if "max" in name else "neighbor"
            options = [f"--{flag}", *map(str, module(name)), "--size", "70"]
            for _ in range(4):
                done = subprocess.run([PROGRAM, *options], capture_output=True, text=True, timeout=600, check=False)
                self.assertIn(done.returncode, (0, 1, 3), done.stderr)
                if done.returncode == 0:
                    break
                suggested = re.search(r"^next: (.*)$", done.stderr, re.MULTILINE)
                if suggested is None:
                    self.assertEqual(done.returncode, 3, "only of a finding no run may tell more")
                    break
                command = suggested[1]
                words = subprocess.run(["sh", "-c", f"printf '%s\\0' {command}"], capture_output=True, text=True,
                                       check=True).stdout.split("\0")[:-1]
                self.assertNotEqual(options, words[1:], "the same again tells nothing")
                options = words[1:]


class BackendTest(unittest.TestCase):
    def test_the_cpu_by_name(self):
        self.assertEqual(warpz("--neighbor", "--backend", "cpu").stdout, warpz("--neighbor").stdout)

    def test_devices(self):
        out, err, code = text(warpz("--devices"))
        self.assertEqual((err, code), ("", 0))
        rows = [row.split() for row in out.splitlines()]
        self.assertEqual([row[:3] for row in rows[-2:]], [["cpu", "0", "32"], ["cpu", "1", "64"]])
        self.assertEqual(text(warpz("--devices", "--backend", "cpu"))[0].splitlines()[1:], out.splitlines()[-2:])

    def test_modules_that_are_none(self):
        with tempfile.TemporaryDirectory() as folder:
            source = pathlib.Path(folder, "mine.so")
            source.write_text("__global__ void kernel() {}\n")
            for file in (source, folder, f"{folder}/missing.so"):
                for _ in range(5):  # the reason comes from another process
                    out, err, code = text(warpz("--neighbor", "--module", file))
                    self.assertEqual((out, code), ("", 4))
                    self.assertIn(str(file), err)

    def test_a_module_for_other_kernels(self):
        _, err, code = text(warpz("--neighbor", *module("wrong-other-kernel")))
        self.assertEqual(code, 4)
        self.assertIn("the module has no kernel named neighbor_difference", err)
        self.assertIn("WARPZ_KERNEL(neighbor_difference);", err)


class InputTest(unittest.TestCase):
    def refused(self, content, *words, name="data", options=()):
        with tempfile.TemporaryDirectory() as folder:
            file = pathlib.Path(folder, name)
            file.write_bytes(content)
            out, err, code = text(warpz("--neighbor", "--input", file, *options))
        self.assertEqual((out, code), ("", 2), err)
        for word in words:
            self.assertIn(word, err)

    @staticmethod
    def npy(description, shape, data):
        header = f"{{'descr': '{description}', 'fortran_order': False, 'shape': {shape}, }}\n".encode()
        return b"\x93NUMPY\x01\x00" + struct.pack("<H", len(header)) + header + data

    def test_numbers_that_are_none(self):
        self.refused(b"", "contains no numbers")
        self.refused(b"1 2 three", "three")
        self.refused(b"1 2", "--size", options=("--size", 3))
        self.refused(b"1e39", "1e39")

    def test_arrays_that_cannot_be_read(self):
        self.refused(self.npy("<f4", "(4,)", b"\0" * 15), name="a.npy")
        self.refused(self.npy("<i4", "(4,)", b"\0" * 16), "<i4", name="a.npy")
        self.refused(self.npy("<f4", "(2, 2)", b"\0" * 16), "2", name="a.npy")
        self.refused(self.npy("<f4", f"({10 ** 15},)", b""), name="a.npy")
        self.refused(b"\x93NUMPY\x01", name="a.npy")

    def test_sizes_beyond_every_memory(self):
        # Twice an output and twice an input, of four bytes an element.
        is_beyond = 16 * 2147483584 > os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
        for size in (2147483584, 2147483585, 10 ** 30) if is_beyond else (10 ** 30,):
            out, err, code = text(warpz("--neighbor", "--size", size))
            self.assertEqual((out, code), ("", 2), err)
            self.assertIn(str(size), err)

    def test_files_that_cannot_be_opened(self):
        for file, word in (("/no/such", "No such file"), ("/", "directory")):
            out, err, code = text(warpz("--neighbor", "--input", file))
            self.assertEqual((out, code), ("", 2))
            self.assertIn(word, err)


class StandardOutputTest(unittest.TestCase):
    ACTIONS = (["--all"], ["--neighbor", "--format", "json"], ["--list"], ["--help"], ["--version"], ["--devices"],
               ["--completion", "bash"])

    def check(self, done, words):
        self.assertEqual(done.returncode, 2, words)
        self.assertIn(b"standard output cannot be written", done.stderr, words)

    @unittest.skipUnless(os.path.exists("/dev/full"), "there is no /dev/full")
    def test_a_full_disk(self):
        for words in self.ACTIONS:
            with open("/dev/full", "wb", buffering=0) as full:
                self.check(subprocess.run([PROGRAM, *words], stdout=full, stderr=subprocess.PIPE, timeout=600,
                                          check=False), words)

    def test_a_closed_one(self):
        for words in self.ACTIONS:
            self.check(subprocess.run(["sh", "-c", '"$0" "$@" >&-', PROGRAM, *words], stderr=subprocess.PIPE, timeout=600,
                                      check=False), words)

    def test_a_closed_standard_input_or_error_changes_no_result(self):
        right = warpz("--neighbor").stdout
        for closed in ("<&-", "2>&-", "<&- 2>&-"):
            done = subprocess.run(["sh", "-c", f'"$0" "$@" {closed}', PROGRAM, "--neighbor"], stdout=subprocess.PIPE,
                                  timeout=600, check=False)
            self.assertEqual((done.stdout, done.returncode), (right, 0), closed)

    def test_a_reader_that_went_away(self):
        for words in self.ACTIONS:
            reader, writer = os.pipe()
            os.close(reader)
            # Python ignores SIGPIPE, and a child would inherit that.
            done = subprocess.run([PROGRAM, *words], stdout=writer, stderr=subprocess.PIPE, timeout=600, check=False,
                                  restore_signals=True)
            os.close(writer)
            # It has seen enough, so this needs no message.
            self.assertEqual((done.returncode, CHOSEN.sub(b"", done.stderr)), (2, b""), words)


class EndTest(unittest.TestCase):
    def test_nothing_asked_shows_the_help_and_says_what_is_missing(self):
        out, err, code = text(warpz())
        self.assertEqual((out, code), ("", 2))
        self.assertIn("Usage: warpz", err)
        self.assertIn("no puzzle is named", err.splitlines()[-2])

    def test_an_interrupt_ends_the_kernel_too(self):
        process = subprocess.Popen([PROGRAM, "--neighbor", "--timeout", "30", *map(str, module("wrong-finding-endless-loop"))],
                                   stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        child = process.pid
        while len(os.listdir(f"/proc/{child}/task")) == 1:  # until the kernel has threads of its own
            children = pathlib.Path(f"/proc/{child}/task/{child}/children").read_text()
            child = int(children.split()[0]) if children else child
            signal.sigtimedwait([], 0.01)
        process.send_signal(signal.SIGINT)
        self.assertEqual(process.wait(timeout=600), -signal.SIGINT)
        for _ in range(100):  # ten seconds, long before the kernel would be stopped by itself
            state = pathlib.Path(f"/proc/{child}/stat")
            if not state.exists() or ") Z" in state.read_text():
                break
            signal.sigtimedwait([], 0.1)
        else:
            self.fail("the kernel's process outlives the program")

    def test_two_at_once(self):
        runs = [subprocess.Popen([PROGRAM, "--all", "--quiet", "--size", "5000", "--random", "3"], stdout=subprocess.PIPE)
                for _ in range(4)]
        outputs = {run.communicate(timeout=600)[0] for run in runs}
        self.assertEqual(len(outputs), 1)
        self.assertEqual({run.returncode for run in runs}, {0})


if __name__ == "__main__":
    main()
