#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Two hundred runs on one cache, eight at a time, some of them killed, while what they compile is edited: each answer is
that of the source as it was while the run lasted."""

import collections
import itertools
import os
import random
import subprocess
import sys
import threading
import time

from ended_support import EndedTest
from kernel_support import CLANG, KERNEL, PROGRAM, RUNTIME, SECONDS
from skips import main

RUNS = 200
AT_ONCE = 8
SEED = 1


class SideBySideTest(EndedTest):
    def setUp(self):
        super().setUp()
        self.write(RUNTIME + '#include "version.hpp"\nint main() { std::printf("%d\\n", VERSION); }\n', "p.hip")
        # Right with an even number, wrong with an odd one.
        self.write('#include "version.hpp"\n' + KERNEL.replace("mine, 1", "mine, 1 + VERSION % 2"))
        self.random = random.Random(SEED)
        self.edits = []  # (from then on, at the latest; the version)
        self.numbers = itertools.count(1)
        self.left = itertools.count()
        self.lock = threading.Lock()
        self.counts = collections.Counter()
        self.wrong = []
        self.edit()

    def edit(self):
        """In place or by a new file, whose time may be an old one."""
        number = next(self.numbers)
        text = f"#define VERSION {number}\n"
        begun = time.monotonic()
        if self.random.random() < 0.3:
            self.write(text, "version.hpp")
        else:
            new = self.folder / "version.new"
            new.write_text(text)
            if self.random.random() < 0.5:
                os.utime(new, (1, 1))
            new.rename(self.folder / "version.hpp")
        self.edits.append((begun, time.monotonic(), number))

    def versions(self, begun, ended):
        """All that a run may have seen in this time."""
        edits = list(self.edits)
        nexts = [each[1] for each in edits[1:]] + [float("inf")]
        return [number for (first, _, number), gone in zip(edits, nexts) if first <= ended and gone >= begun]

    def run_one(self, number):
        with self.lock:
            is_program, killed_after = self.random.random() < 0.5, self.random.choice((None, None, self.random.random() * 2))
        words = ["--run", "p.hip"] if is_program else ["--neighbor", "--kernel", "my.hip", "--documented-only"]
        begun = time.monotonic()
        with subprocess.Popen([PROGRAM, *words, "--check", "off", "--compiler", CLANG], cwd=self.folder, env=self.environment,
                              stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
            try:
                out, err = process.communicate(timeout=killed_after or SECONDS)
            except subprocess.TimeoutExpired:
                process.kill()
                process.communicate(timeout=SECONDS)
                self.counts["killed"] += 1
                return
        possible = self.versions(begun, time.monotonic())
        # In the middle of being written in place, the header is empty.
        may_be_empty = len(possible) > 1
        if is_program:
            expected = {(0, f"{each}\n") for each in possible}
            answer = (process.returncode, out.decode())
        else:
            expected = {each % 2 for each in possible}
            answer = process.returncode
        self.counts["one possible" if len(possible) == 1 else "several possible"] += 1
        if answer not in expected and not (may_be_empty and process.returncode == 5):
            self.wrong.append((number, words, possible, answer, err.decode()))

    def runs(self):
        while (number := next(self.left)) < RUNS:
            self.run_one(number)

    def test_all_answers(self):
        before = self.files()
        threads = [threading.Thread(target=self.runs) for _ in range(AT_ONCE)]
        for each in threads:
            each.start()
        # After so many runs, not after some time: on a slow machine each would see many versions.
        next_edit = 0
        while any(each.is_alive() for each in threads):
            time.sleep(0.02)
            if self.counts.total() >= next_edit:
                next_edit = self.counts.total() + self.random.randrange(1, 4 * AT_ONCE)
                self.edit()
        for each in threads:
            each.join()
        print(self.counts, len(self.edits), "edits", file=sys.stderr)
        self.assertEqual(self.wrong, [])
        self.assertGreater(self.counts["one possible"], RUNS / 10)
        self.assert_nothing_left(before)


if __name__ == "__main__":
    main()
