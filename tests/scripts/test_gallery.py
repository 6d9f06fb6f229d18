#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""scripts/gallery: each puzzle's lanes.svg is what it draws, and a gallery has all that its index page names."""

import os
import pathlib
import re
import shutil
import subprocess
import tempfile
import unittest

from skips import main

SOURCE = pathlib.Path(os.environ["WARPZ_SOURCE_DIR"])
PROGRAM = os.environ["WARPZ_PROGRAM"]
PUZZLES = [file.parent for file in sorted(SOURCE.glob("puzzles/*/puzzle.cpp"))]
MAX_BYTES, MAX_BYTES_OF_ALL = 65_000, 2_100_000


def gallery(*arguments, script=SOURCE / "scripts/gallery"):
    return subprocess.run([script, "--program", PROGRAM, *arguments], capture_output=True, text=True, timeout=600,
                          check=False)


class OwnPicturesTest(unittest.TestCase):
    def test_each_puzzle_shows_its_picture(self):
        for puzzle in PUZZLES:
            text = (puzzle / "README.md").read_text()
            self.assertIn("](lanes.svg)\n", text, puzzle.name)
            self.assertRegex(text, rf"`scripts/warpz --{puzzle.name} ([^`]* )?--trace -o lanes\.svg`")

    def test_they_are_small(self):
        sizes = {puzzle.name: (puzzle / "lanes.svg").stat().st_size for puzzle in PUZZLES}
        self.assertEqual({name: size for name, size in sizes.items() if size > MAX_BYTES}, {})
        self.assertLess(sum(sizes.values()), MAX_BYTES_OF_ALL)

    # Another compiler puts the same line's instructions into another order.
    @unittest.skipUnless(shutil.which("clang++"), "clang++ is not installed")
    def test_they_are_what_is_drawn(self):
        done = gallery("--check")
        self.assertEqual((done.returncode, done.stderr), (0, ""))


class GalleryTest(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def test_all_that_the_index_names_is_there(self):
        done = gallery(self.folder / "made", "--puzzle", "pair-swap", "--puzzle", "partition")
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        page = (self.folder / "made/index.html").read_text()
        named = set(re.findall(r'(?:href|src)="([^"]*)"', page))
        made = {file.name for file in (self.folder / "made").iterdir()} - {"index.html"}
        self.assertEqual(named, made)
        self.assertEqual(len(made), 6)
        for lanes in ("32", "64"):
            self.assertIn(f"{lanes} lanes in a warp", (self.folder / f"made/pair-swap-{lanes}.svg").read_text())

    def test_a_picture_that_is_out_of_date(self):
        for part in ("scripts/gallery", "puzzles/pair-swap/puzzle.cpp", "puzzles/pair-swap/README.md"):
            (self.folder / part).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(SOURCE / part, self.folder / part)
        script, picture = self.folder / "scripts/gallery", self.folder / "puzzles/pair-swap/lanes.svg"
        self.assertEqual(gallery("--check", script=script).returncode, 1)
        self.assertEqual(gallery(script=script).returncode, 0)
        self.assertEqual(gallery("--check", script=script).returncode, 0)
        picture.write_text(picture.read_text().replace("lane ^ 1", "lane ^ 2"))
        done = gallery("--check", script=script)
        self.assertEqual(done.returncode, 1)
        self.assertIn("puzzles/pair-swap/lanes.svg is not what is drawn now", done.stderr)

    def test_what_is_refused(self):
        for arguments, message in ((("--puzzle", "nothing"), "there is no puzzle nothing"),
                                   ((self.folder, "--check"), "leave the folder out")):
            done = gallery(*arguments)
            self.assertEqual(done.returncode, 2)
            self.assertIn(message, done.stderr)


if __name__ == "__main__":
    main()
