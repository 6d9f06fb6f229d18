#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Traces for other programs: PNG, an animated picture, and trace events for Perfetto, compared with the JSON."""

import collections
import json
import pathlib
import re
import shutil
import struct
import subprocess
import tempfile
import unittest

from kernel_support import PROGRAM, STUCK, KernelTest
from skips import main

# Warp 0 has more to do before the barrier than the others.
UNEVEN = """__global__ void block_sum(float* output, const float* input, int size) {
  __shared__ float all[1024];
  const int t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
  all[t] = 0;
  if (t < warpSize)
    for (int k = 0; k < 3; ++k) all[t] += __shfl_xor(input[t], k + 1);
  __syncthreads();
  float sum = 0;
  for (int k = 0; k < blockDim.x; ++k) sum += i - t + k < size ? input[i - t + k] : 0;
  if (i < size) output[i] = sum + 0 * all[0];
}
"""


def warpz(*options):
    return subprocess.run([PROGRAM, *map(str, options)], capture_output=True, text=True, timeout=120, check=False)


class PerfettoTest(KernelTest):
    def both(self, *options):
        """The steps of the JSON trace, and the events."""
        for name in ("trace.json", "trace.perfetto.json"):
            self.run_kernel("--backend", "cpu", "--documented-only", "--trace", "-o", name, *options, puzzle="block-sum")
        (run,) = json.loads((self.folder / "trace.json").read_text())["traces"]
        return run, json.loads((self.folder / "trace.perfetto.json").read_text())["traceEvents"]

    def slices(self, events):
        for each in events:
            self.assertIn(each["ph"], "MXCisf")
            self.assertTrue({"name", "pid", "tid"} <= set(each))
            self.assertTrue(each["ph"] == "M" or each["ts"] >= 0)
        tracks = collections.defaultdict(list)
        for each in events:
            if each["ph"] == "X":
                tracks[each["tid"]].append(each)
        for track in tracks.values():
            for one, next_one in zip(track, track[1:]):
                # Lanes of one warp that wait at two places do so at the same time: one slice lies in the other.
                if (one["ts"], one["dur"]) != (next_one["ts"], next_one["dur"]):
                    self.assertLessEqual(one["ts"] + one["dur"], next_one["ts"])
        return tracks

    def test_each_warp_is_a_track_and_each_step_a_slice(self):
        self.write(UNEVEN)
        run, events = self.both()
        tracks = self.slices(events)
        warps = (run["threads"] + 31) // 32
        self.assertGreater(warps, 2)
        names = {each["tid"]: each["args"]["name"] for each in events if each["name"] == "thread_name"}
        self.assertEqual(names, {warp: f"warp {warp}" for warp in range(warps)})
        for warp in range(warps):
            self.assertEqual([(each["args"]["step"], each["name"].removeprefix("wait: ")) for each in tracks[warp]],
                             [(step["number"], step["operation"]) for step in run["steps"] if step["warp"] == warp])

    def test_waits_last_until_the_last_warp_comes(self):
        self.write(UNEVEN)
        run, events = self.both()
        tracks = self.slices(events)
        barriers = {step["number"]: step["warp"] for step in run["steps"] if step["kind"] == "barrier"}
        before = {warp: sum(step["warp"] == warp for step in run["steps"][:min(barriers) - 1]) for warp in set(barriers.values())}
        waits = {warp: each for warp, track in tracks.items() for each in track if each["args"]["step"] in barriers}
        # Nothing before it waits: each step took 1.
        for warp, each in waits.items():
            self.assertEqual((each["ts"], each["ts"] + each["dur"]), (before[warp], max(before.values()) + 1))
            is_last = before[warp] == max(before.values())
            self.assertEqual((each["cat"], each["name"].startswith("wait: ")), ("step" if is_last else "wait", not is_last))
        self.assertGreater(waits[1]["dur"], waits[0]["dur"])

    def test_what_never_completes_lasts_to_the_end(self):
        self.write(STUCK)
        _, events = self.both()
        tracks = self.slices(events)
        stuck = [track[-1] for track in tracks.values() if track[-1]["args"].get("end") == "never completes"]
        self.assertEqual(len(stuck), 3)
        self.assertEqual(len({each["ts"] + each["dur"] for each in stuck}), 1)
        self.assertEqual({each["name"] for each in events if each["ph"] == "i"}, {"found: diverged barrier"})

    def test_arrows_lead_from_the_writer_to_the_reader(self):
        run = json.loads(warpz("--block-prefix-sum", "--trace", "json").stdout)["traces"][0]
        events = json.loads(warpz("--block-prefix-sum", "--trace", "perfetto").stdout)["traceEvents"]
        tracks = self.slices(events)
        step_at = {(each["tid"], each["ts"] + 0.5): each["args"]["step"] for track in tracks.values() for each in track}
        ends = {(each["tid"], each["ts"] + each["dur"] - 0.5): each["args"]["step"] for track in tracks.values() for each in track}
        begins = {each["id"]: ends[each["tid"], each["ts"]] for each in events if each["ph"] == "s"}
        arrows = {(begins[each["id"]], step_at[each["tid"], each["ts"]]) for each in events if each["ph"] == "f"}
        warp_of = {step["number"]: step["warp"] for step in run["steps"]}
        wanted = {(lane["writer"]["step"], step["number"]) for step in run["steps"] for lane in step["lanes"]
                  if "writer" in lane and warp_of[lane["writer"]["step"]] != step["warp"]}
        self.assertGreater(len(wanted), 2)
        self.assertEqual(arrows, wanted)


class PictureTest(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    @unittest.skipUnless(shutil.which("rsvg-convert"), "rsvg-convert is not installed")
    def test_a_png_is_twice_as_large_as_the_picture(self):
        for name in ("lanes.png", "LANES.PNG"):
            done = warpz("--prefix-sum", "--trace", "-o", self.folder / name)
            self.assertEqual((done.returncode, done.stderr), (0, ""))
            data = (self.folder / name).read_bytes()
            self.assertEqual(data[:8], b"\x89PNG\r\n\x1a\n")
            size = re.search(r' width="(\d+)" height="(\d+)"', warpz("--prefix-sum", "--trace", "svg").stdout)
            self.assertEqual(struct.unpack(">II", data[16:24]), tuple(2 * int(side) for side in size.groups()))

    @unittest.skipUnless(shutil.which("rsvg-convert") and (shutil.which("magick") or shutil.which("convert")),
                         "rsvg-convert or ImageMagick is not installed")
    def test_a_gif_has_a_picture_for_each_step(self):
        done = warpz("--pair-swap", "--warp-size", "both", "--trace", "-o", self.folder / "lanes.gif")
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        data = (self.folder / "lanes.gif").read_bytes()
        size = re.search(r' width="(\d+)" height="(\d+)"', warpz("--pair-swap", "--warp-size", "both", "--trace", "svg").stdout)
        self.assertEqual((data[:6], struct.unpack("<HH", data[6:10])), (b"GIF89a", tuple(map(int, size.groups()))))
        # The graphic control extension of each: in hundredths of a second.
        delays = [struct.unpack("<H", each)[0] for each in re.findall(rb"\x21\xf9\x04.(..).\x00", data, re.DOTALL)]
        self.assertEqual(delays, [110, 110, 310])
        self.assertIn(b"NETSCAPE2.0\x03\x01\x00\x00", data)

    def test_without_the_program_it_names_the_package(self):
        programs = self.folder / "programs"
        programs.mkdir()
        for name, package in (("lanes.png", "librsvg2-bin"), ("lanes.gif", "librsvg2-bin"), ("lanes.gif", "imagemagick")):
            if package == "imagemagick":
                (programs / "rsvg-convert").write_text("#!/bin/sh\n")
                (programs / "rsvg-convert").chmod(0o755)
            done = subprocess.run([PROGRAM, "--neighbor", "--trace", "-o", self.folder / name], env={"PATH": str(programs)},
                                  capture_output=True, text=True, timeout=120, check=False)
            self.assertEqual((done.returncode, done.stdout), (2, ""))
            self.assertIn(package, done.stderr)
            self.assertEqual(list(self.folder.iterdir()), [programs])

    def test_an_animation_shows_one_step_after_the_other(self):
        still, moving = (warpz("--parallel-max", "--trace", kind).stdout for kind in ("svg", "animation"))
        (motion,) = re.findall(r'<style class="motion">(.*)</style>\n', moving)
        self.assertEqual(re.sub(r'<style class="motion">.*</style>\n', "", moving), still)
        times = re.findall(r"@keyframes s(\d+)\{0%\{opacity:\.12\}([\d.]+)%,100%\{opacity:1\}\}", motion)
        # The first of seven steps is there from the beginning.
        self.assertEqual([int(number) for number, _ in times], list(range(1, 7)))
        shown = [float(percent) for _, percent in times]
        self.assertEqual(shown, sorted(shown))
        self.assertLess(shown[-1], 100)
        self.assertTrue(motion.startswith("@media (prefers-reduced-motion:no-preference)"))

    def test_what_is_refused(self):
        for options, message in ((["--trace", "-o", "lanes.pdf"], "--trace draws no pdf file"),
                                 (["--trace", "-o", "lanes.bmp"], "--trace draws no bmp file"),
                                 (["--trace", "animation", "-o", "lanes.gif"], "needs --trace gif"),
                                 (["--trace", "gif"], "--trace gif needs -o FILE.gif"),
                                 (["--trace", "-o", "lanes.Jpg"], "--trace draws no jpg file"),
                                 (["--trace", "text", "-o", "lanes.png"], "needs --trace png"),
                                 (["--trace", "svg", "-o", "lanes.PNG"], "needs --trace png"),
                                 (["--trace", "png"], "--trace png needs -o FILE.png"),
                                 (["--trace", "--lanes", "40"], "a warp has 32, numbers 0 to 31"),
                                 (["--trace", "--lanes", "32-63", "--warp-size", "both"], "a warp has 32, numbers 0 to 31")):
            done = subprocess.run([PROGRAM, "--neighbor", *options], cwd=self.folder, capture_output=True, text=True,
                                  timeout=120, check=False)
            self.assertEqual((done.returncode, done.stdout), (2, ""), options)
            self.assertIn(message, done.stderr)
            self.assertEqual(list(self.folder.iterdir()), [])
        self.assertEqual(warpz("--neighbor", "--trace", "--lanes", "20-40").returncode, 0)
        self.assertEqual(warpz("--neighbor", "--trace", "--lanes", "40", "--warp-size", 64).returncode, 0)


if __name__ == "__main__":
    main()
