#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""SIGKILL and SIGTERM at the n-th system call of each of warpz's processes and of those that they start, by strace: no
process and no file is left. With scripts/test --full and scripts/soak for every n, on all cores; without, for a few that
are picked at random. WARPZ_PART=2/4 makes it the second of four parts, for as many machines."""

import collections
import functools
import itertools
import multiprocessing
import multiprocessing.util
import os
import random
import shutil
import sys
import time
import unittest
import zlib

from injection import PLACES, Bench
from sampling import FULL
from skips import main

SECONDS_PER_LINE = 30  # of progress
PART, PARTS = map(int, os.environ.get("WARPZ_PART", "1/1").split("/"))



@functools.cache
def bench():
    """This process's own."""
    made = Bench()
    multiprocessing.util.Finalize(None, made.doCleanups, exitpriority=1)
    made.setUp()
    return made


def places():
    return [(name, place) for name, (_, places) in bench().scenarios.items() for place in places]


def points_of(scenario_and_place):
    return bench().points(*scenario_and_place)


def inject(point):
    return bench().inject(point)


class Summary:
    def __init__(self, total):
        self.total = total
        self.counts = collections.defaultdict(collections.Counter)
        self.wrong = []
        self.begin = self.told = time.monotonic()

    def add(self, outcome):
        counts = self.counts[outcome.point.scenario, PLACES[outcome.point.place]]
        counts["tried"] += 1
        counts["ended"] += outcome.code != 0
        counts["processes"] += outcome.processes
        counts["files"] += len(outcome.files)
        if outcome.processes or outcome.files or outcome.wrong:
            self.wrong.append(outcome)
        now = time.monotonic()
        if now > self.told + SECONDS_PER_LINE:
            self.told = now
            done = sum(each["tried"] for each in self.counts.values())
            rest = (now - self.begin) / done * (self.total - done) / 60
            print(f"injected: {done} of {self.total}, {len(self.wrong)} wrong, {rest:.0f} minutes left", file=sys.stderr,
                  flush=True)

    def tell(self):
        in_all = sum(self.counts.values(), collections.Counter())
        for (scenario, place), counts in [*self.counts.items(), (("in all", ""), in_all)]:
            print(f"injected: {scenario + (', ' if place else '') + place:43} {counts['tried']:6} tried, "
                  f"{counts['ended']:6} ended by it, {counts['processes']} processes and {counts['files']} files left",
                  file=sys.stderr)


@unittest.skipUnless(shutil.which("strace"), "there is no strace")
class InjectedTest(unittest.TestCase):
    def test_each_process(self):
        processes = len(os.sched_getaffinity(0)) if FULL else 1
        # No bench but in the pool: one that is open when it is forked would be there twice.
        with multiprocessing.get_context("fork").Pool(processes) as pool:
            listed = pool.apply(places)
            if not FULL:
                listed = random.sample(listed, 8)  # other ones each time
            points = pool.map(points_of, listed, chunksize=1)
            for place, found in zip(listed, points):
                self.assertGreater(len(found), 20, place)
            chosen = points if FULL else [random.sample(each, 2) for each in points]
            chosen = [each for each in itertools.chain.from_iterable(chosen)
                      if zlib.crc32(repr(each).encode()) % PARTS == PART - 1]
            random.shuffle(chosen)
            summary = Summary(len(chosen))
            for outcome in pool.imap_unordered(inject, chosen):
                summary.add(outcome)
            pool.close()
            pool.join()
        summary.tell()
        self.assertEqual(summary.wrong, [], "\n".join(map(str, summary.wrong[:20])))


if __name__ == "__main__":
    main()
