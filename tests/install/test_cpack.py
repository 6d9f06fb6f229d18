# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The packages that CPack writes of this build: what is in them, what they depend on, and that what lies in one runs
without the source tree. `scripts/try-offline` installs them in a bare Debian."""

import os
import pathlib
import re
import shutil
import subprocess
import tempfile
import unittest

from installed_support import PROGRAM, SOURCE, call
from skips import main

CLANG = os.environ["WARPZ_CLANG"]
MAJOR = re.search(r"clang version (\d+)", call(CLANG, "--version").stdout)[1]


@unittest.skipUnless(shutil.which("dpkg-deb") and shutil.which("dpkg-shlibdeps"), "dpkg-dev is not installed")
class CPackTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        holder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(holder.cleanup)
        cls.folder = pathlib.Path(holder.name)
        done = call("cpack", "--config", PROGRAM.parent / "CPackConfig.cmake", "-B", cls.folder)
        assert done.returncode == 0, done.stdout
        cls.deb, = cls.folder.glob("*.deb")
        cls.tarball, = cls.folder.glob("*.tar.gz")
        for command in (["dpkg-deb", "-x", cls.deb, cls.folder / "deb"],
                        ["tar", "-xf", cls.tarball, "-C", cls.folder]):
            done = call(*command)
            assert done.returncode == 0, done.stdout
        cls.roots = [cls.folder / "deb/usr", cls.folder / cls.tarball.name.removesuffix(".tar.gz")]

    def test_the_package_names_what_it_needs(self):
        depends = call("dpkg-deb", "-f", self.deb, "Depends").stdout
        for package in (f"clang-{MAJOR}", "less", "libdw1", "libseccomp2", "libc6"):
            self.assertRegex(depends, rf"(^|, ){re.escape(package)}\b")
        version = call("dpkg-deb", "-f", self.deb, "Version").stdout.strip()
        self.assertIn(f"project(warpz VERSION {version} ", (SOURCE / "CMakeLists.txt").read_text())

    def test_both_have_the_same_files_and_none_of_the_source_trees(self):
        files = [sorted(str(file.relative_to(root)) for file in root.rglob("*") if not file.is_dir()) for root in self.roots]
        self.assertEqual(*files)
        for wanted in ("bin/warpz", "share/man/man1/warpz.1", "share/bash-completion/completions/warpz",
                       "share/zsh/vendor-completions/_warpz", "share/fish/vendor_completions.d/warpz.fish",
                       "share/doc/warpz/docs/mcp.md", "share/doc/warpz/puzzles/README.md", "share/doc/warpz/README.md"):
            self.assertIn(wanted, {file.removesuffix(".gz") for file in files[0]})
        for root in self.roots:
            for link in (file for file in root.rglob("*") if file.is_symlink()):
                self.assertFalse(link.readlink().is_absolute(), link)
                self.assertTrue(link.resolve().is_relative_to(root.resolve()) and link.exists(), link)

    def test_what_is_installed_runs_without_the_source_tree(self):
        kernel = self.folder / "mine.hip"
        shutil.copy(SOURCE / "puzzles/neighbor/solution.hip", kernel)
        for root in self.roots:
            with self.subTest(root.name):
                warpz = root / "bin/warpz"
                run = lambda *words: subprocess.run([warpz, *words], cwd=self.folder, capture_output=True, text=True,
                                                    env={**os.environ, "XDG_CACHE_HOME": str(self.folder / root.name)},
                                                    check=False)
                self.assertEqual(run("--all", "--backend", "cpu", "--quiet").returncode, 0)
                done = run("neighbor", kernel, "--trace", "-o", "lanes.html", "--counters")
                self.assertEqual(done.returncode, 0, done.stderr)
                self.assertIn("mine.hip", (self.folder / "lanes.html").read_text())
                self.assertEqual(run("learn", f"course-{root.name}").returncode, 0)
                self.assertIn("Neighbor", run("help", "neighbor").stdout)

    @unittest.skipUnless(shutil.which("groff"), "groff is not installed")
    def test_the_manual_page_is_one(self):
        page = next(self.roots[1].glob("share/man/man1/warpz.1"))
        done = subprocess.run(["groff", "-Kutf8", "-man", "-ww", "-Tutf8", "-rLL=100n", page], capture_output=True, text=True, check=False)
        self.assertEqual((done.stderr, done.returncode), ("", 0))
        text = re.sub(r"\x1b\[[0-9;]*m|.\x08", "", done.stdout)
        help_text = call(PROGRAM, "help", "options").stdout
        for option in re.findall(r"^ +(?:-\w, )?(--[a-z-]+)", help_text.partition("\nData:")[2], re.MULTILINE):
            self.assertRegex(text, rf"(?m)^ +(-\w, )?{option}\b")
        for command in ("learn", "watch", "grade", "mcp", "help"):
            self.assertRegex(text, rf"(?m)^ +warpz {command}\b")


if __name__ == "__main__":
    main()
