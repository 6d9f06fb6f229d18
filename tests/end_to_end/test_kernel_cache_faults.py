#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""--kernel: a cache in trouble troubles nobody."""

import subprocess

from kernel_support import KERNEL, SECONDS, CacheTest
from puzzle_runs import PROGRAM
from sampling import long
from skips import main


class FaultsTest(CacheTest):
    def test_a_spoilt_entry_is_made_again(self):
        self.assert_compiles(True)
        entry, = self.entries()
        good = entry.read_bytes()
        for spoilt in (b"", good[:len(good) // 2], good.replace(b"ELF", b"FLE", 1)):
            entry.write_bytes(spoilt)
            self.assert_compiles(True)
            # Under a sanitizer g++ makes names by chance, so the bytes need not be the same.
            self.assertNotEqual(entry.read_bytes(), spoilt)
            self.assert_compiles(False)

    @long
    def test_places_where_nothing_can_be_kept(self):
        (self.folder / "file").touch()
        for place in ("/proc/nowhere", str(self.folder / "file"), "relative"):
            self.assert_compiles(True, XDG_CACHE_HOME=place, HOME="/proc/nowhere")
        self.assertFalse((self.folder / "relative").exists())

    @long
    def test_the_home_folder(self):
        self.environment.pop("XDG_CACHE_HOME")
        self.assert_compiles(True, HOME=str(self.folder))
        self.assert_compiles(False, HOME=str(self.folder))
        self.assertEqual(len(list(self.folder.glob(".cache/warpz/kernels/*.kernel"))), 1)

    def mounted(self, options):
        """Runs with another file system as the cache."""
        mounting = f'mount {options} && shift && exec "$@"'
        words = ["unshare", "--map-root-user", "--mount", "sh", "-c", mounting, "sh", "-"]
        done = subprocess.run([*words, "true"], capture_output=True, cwd=self.folder, check=False)
        if done.returncode != 0:
            self.skipTest("no file system can be mounted here")
        return subprocess.run([*words, PROGRAM, "--neighbor", "--quiet", "--kernel", "my.hip", "--compiler",
                               self.compiler], capture_output=True, cwd=self.folder, env=self.environment,
                              timeout=SECONDS, check=False)

    def test_a_full_disk(self):
        done = self.mounted("-t tmpfs -o size=16k none cache")
        self.assertEqual(done.returncode, 0, done.stderr)
        done = self.mounted("-t tmpfs -o size=16k none temporary")
        self.assertEqual(done.returncode, 4, done.stderr)
        self.assertRegex(done.stderr.decode(), r"temporary files can't be written, \S+: No space left on device\n"
                                               r"TMPDIR names another folder")

    @long
    def test_a_read_only_cache_is_read(self):
        self.assert_compiles(True)
        before = self.calls()
        self.assertEqual(self.mounted("--bind -o ro cache cache").returncode, 0)
        self.assertEqual(self.calls(), before)
        self.write(KERNEL)
        self.assertEqual(self.mounted("--bind -o ro cache cache").returncode, 0)

    @long
    def test_several_at_once(self):
        processes = [self.start("--neighbor", "--quiet", "--kernel", "my.hip", "--compiler", self.compiler)
                     for _ in range(3)]
        for process in processes:
            out, err = process.communicate(timeout=SECONDS)
            self.assertEqual(process.returncode, 0, err)
            self.assertEqual(out, b"OK Basic neighbor difference test passed!\n")
        self.assertEqual(len(self.entries()), 1)
        self.assert_compiles(False)


if __name__ == "__main__":
    main()
