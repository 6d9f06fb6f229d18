#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""--trace perfetto, opened in catapult, the viewer of chrome://tracing, in headless Chromium. Debian's Chromium is built
without its own; Go's sources have a copy (golang-src)."""

import http.server
import itertools
import json
import pathlib
import tempfile
import threading
import unittest

from kernel_support import STUCK
from page_support import HAS_BROWSER, NO_BROWSER, start_browser, warpz
from skips import main

try:
    from selenium.webdriver.support.ui import WebDriverWait
except ImportError:
    pass

VIEWERS = [viewer.parent for place in ("cmd/trace", "internal/trace/traceviewer")
           for viewer in sorted(pathlib.Path("/usr/share").glob(f"go-*/src/{place}/static/trace_viewer_full.html"))]
# As the viewer is embedded by `go tool trace`.
PAGE = """<!doctype html>
<script src="webcomponents.min.js"></script>
<link rel="import" href="trace_viewer_full.html">
<script>
document.addEventListener("WebComponentsReady", async () => {
  try {
    const container = document.createElement("track-view-container");
    container.id = "track_view_container";
    const viewer = document.createElement("tr-ui-timeline-view");
    viewer.track_view_container = container;
    Polymer.dom(viewer).appendChild(container);
    Polymer.dom(document.body).appendChild(viewer);
    const model = new tr.Model();
    await new tr.importer.Import(model).importTracesWithProgressDialog([await (await fetch("trace")).text()]);
    viewer.model = model;
    window.opened = model;
  } catch (failure) {
    window.failed = String(failure.stack || failure);
  }
});
</script>
"""
# What it has understood. Its times are milliseconds.
UNDERSTOOD = """
const model = window.opened, slice = (each) => [each.title, each.args.step, 1000 * each.start, 1000 * each.duration];
return {
  warnings: model.importWarnings.map((each) => each.message),
  end: 1000 * model.bounds.max,
  processes: Object.values(model.processes).map((process) => ({
    name: process.name,
    tracks: Object.values(process.threads).map((each) => [each.name, each.sliceGroup.slices.map(slice)]),
    curves: Object.values(process.counters).map((each) => [each.name, each.series[0].samples.map((one) => one.value)]),
  })),
  arrows: model.flowEvents.map((each) => [each.startSlice.args.step, each.endSlice.args.step]),
};
"""


class Server(http.server.ThreadingHTTPServer):
    """Has the viewer, and one trace."""

    def __init__(self):
        super().__init__(("127.0.0.1", 0), Answers)
        self.trace = b""
        self.address = f"http://127.0.0.1:{self.server_port}/"


class Answers(http.server.BaseHTTPRequestHandler):
    def do_GET(self):
        name = self.path.strip("/")
        body = {"": PAGE.encode(), "trace": self.server.trace, "favicon.ico": b""}.get(name)
        if body is None:
            body = (VIEWERS[-1] / pathlib.Path(name).name).read_bytes()
        self.send_response(200)
        self.send_header("Content-Type", "text/javascript" if name.endswith(".js") else "text/html")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_):
        pass


@unittest.skipUnless(HAS_BROWSER, NO_BROWSER)
@unittest.skipUnless(VIEWERS, "golang-src, which has a trace viewer, is not installed")
class ViewerTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(cls.folder.cleanup)
        cls.server = Server()
        threading.Thread(target=cls.server.serve_forever, daemon=True).start()
        cls.addClassCleanup(cls.server.shutdown)
        cls.browser = start_browser(cls.folder.name)
        cls.addClassCleanup(cls.browser.quit)

    def open(self, *options):
        """The runs in a JSON trace, and what the viewer shows."""
        path, steps = pathlib.Path(self.folder.name, "trace.perfetto.json"), pathlib.Path(self.folder.name, "trace.json")
        for each in (path, steps):
            warpz(*options, "--backend", "cpu", "--documented-only", "--trace", "-o", each)
        self.server.trace = path.read_bytes()
        self.browser.get(self.server.address)
        WebDriverWait(self.browser, 120).until(lambda it: it.execute_script("return Boolean(window.opened || window.failed)"))
        self.assertIsNone(self.browser.execute_script("return window.failed"))
        self.assertEqual([each for each in self.browser.get_log("browser") if each["level"] == "SEVERE"], [])
        shown = self.browser.execute_script(UNDERSTOOD)
        self.assertEqual(shown["warnings"], [])
        return json.loads(steps.read_text())["traces"], shown

    def tracks(self, run, process):
        """The slices of each warp, by the numbers of their steps, whole microseconds long, one behind the other."""
        count = (run["threads"] + run["warp_size"] - 1) // run["warp_size"]
        self.assertEqual([name for name, _ in process["tracks"]], [f"warp {warp}" for warp in range(count)])
        self.assertEqual([name for name, _ in process["curves"]], [f"active lanes of warp {warp}" for warp in range(count)])
        tracks = []
        for warp, (_, events) in enumerate(process["tracks"]):
            slices = [each for each in events if each[1] is not None]
            self.assertEqual([step for _, step, _, _ in slices], [each["number"] for each in run["steps"] if each["warp"] == warp])
            rounded = [(title, step, round(start), round(start + duration)) for title, step, start, duration in slices]
            # Lanes of one warp may wait at two places at the same time.
            self.assertTrue(all(one[3] <= other[2] or one[2:] == other[2:] for one, other in itertools.pairwise(rounded)))
            tracks.append({step: (title, start, end) for title, step, start, end in rounded})
        return tracks

    def test_warps_are_tracks_and_waits_have_their_length(self):
        runs, shown = self.open("--block-prefix-sum", "--warp-size", "both")
        self.assertEqual([each["name"] for each in shown["processes"]],
                         [f"block_prefix_sum: block 0, {lanes} lanes in a warp" for lanes in (32, 64)])
        waits = 0
        for run, process in zip(runs, shown["processes"]):
            tracks = self.tracks(run, process)
            self.assertGreater(len(tracks), 1)
            for track, (_, lanes) in zip(tracks, process["curves"]):
                # At the end there are none.
                self.assertEqual(lanes, [sum(each["state"] == "active" for each in run["steps"][step - 1]["lanes"])
                                         for step in track] + [0])
            barriers = [each for each in run["steps"] if each["kind"] == "barrier"]
            warps = len(tracks)
            for meeting in zip(*[iter(barriers)] * warps):
                at = [tracks[each["warp"]][each["number"]] for each in meeting]
                last = max(start for _, start, _ in at) + 1
                for each, (title, start, end) in zip(meeting, at):
                    is_wait = start + 1 < last
                    waits += is_wait
                    self.assertEqual((title, end), (f"wait: {each['operation']}" if is_wait else each["operation"], last))
        self.assertGreater(waits, 2)

    def test_an_arrow_leads_from_the_writer_to_the_reader(self):
        (run,), shown = self.open("--block-prefix-sum")
        warp_of = {step["number"]: step["warp"] for step in run["steps"]}
        wanted = {(lane["writer"]["step"], step["number"]) for step in run["steps"] for lane in step["lanes"]
                  if "writer" in lane and warp_of[lane["writer"]["step"]] != step["warp"]}
        self.assertGreater(len(wanted), 2)
        self.assertEqual(set(map(tuple, shown["arrows"])), wanted)

    def test_what_never_completes_lasts_to_the_end(self):
        kernel = pathlib.Path(self.folder.name, "stuck.hip")
        kernel.write_text(STUCK)
        (run,), shown = self.open("--block-sum", "--kernel", kernel)
        (process,) = shown["processes"]
        tracks = self.tracks(run, process)
        stuck = [list(track.values())[-1] for track in tracks if list(track.values())[-1][0] == "wait: __syncthreads"]
        self.assertEqual(len(stuck), 3)
        self.assertEqual({end for _, _, end in stuck}, {round(shown["end"])})
        marks = {title for _, events in process["tracks"] for title, step, _, _ in events if step is None}
        self.assertEqual(marks, {"found: diverged barrier"})


if __name__ == "__main__":
    main()
