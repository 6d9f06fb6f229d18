#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""--kernel: the precompiled beginning of kernel files, which saves time and changes nothing else."""

import shutil

from kernel_support import CLANG, KERNEL, KernelTest
from puzzle_runs import SOURCE
from sampling import long
from skips import main

STEPS = 1  # that use the header
MADE = 1


class HeadersTest(KernelTest):
    def setUp(self):
        super().setUp()
        self.headers = self.cache / "warpz/headers"
        self.headers.unlink()
        self.headers.mkdir(mode=0o700)
        self.compiler, log = self.noting()
        self.calls = lambda: log.read_text().splitlines()
        self.write(KERNEL)

    def compile(self, *options, code=0, **more):
        """Standard error and exit code of a run that compiles, and how many headers it made and used."""
        before = len(self.calls())
        _, err, ended = self.run_kernel("--compiler", self.compiler, *options, **more)
        self.assertEqual(ended, code, err)
        made = [line for line in self.calls()[before:] if "-emit-pch" in line]
        used = [line for line in self.calls()[before:] if "-include-pch" in line]
        return err, len(made), len(used)

    def compile_another(self):
        name = f"{len(self.calls())}.hip"
        self.write(KERNEL, name)
        return self.compile("--check", "all", file=name)

    def test_made_once_and_used_by_every_file(self):
        self.assertEqual(self.compile("--check", "all"), ("", MADE, STEPS))
        self.assertEqual(len(self.entries()), 1, "no header among the kernels")
        self.assertEqual(self.compile_another(), ("", 0, STEPS))
        # The compiler says once whose it is, and links by the faster linker where there is one.
        self.assertEqual(sum("-dM" in line for line in self.calls()), 1)
        linked = [line for line in self.calls() if "-shared" in line]
        self.assertGreater(len(linked), 0)
        for line in linked:
            self.assertEqual("-fuse-ld=gold" in line, shutil.which("ld.gold") is not None)
        for each in self.headers.iterdir():
            each.write_bytes(each.read_bytes()[:-1000])
        self.assertEqual(self.compile_another(), ("", MADE, STEPS), "they were spoilt")
        self.headers.chmod(0o777)
        err, made, used = self.compile_another()
        self.assertEqual((made, used), (0, 0), "anybody may have written them")
        self.assertIn("warpz: the cache is not used: ", err)

    @long
    def test_each_set_of_flags_has_its_own(self):
        self.assertEqual(self.compile("--check", "off"), ("", MADE, STEPS))
        self.assertEqual(self.compile("--check", "all"), ("", 1, STEPS), "of the names it is the same one")
        self.assertEqual(self.compile("--check", "off", CPATH=str(self.folder)), ("", MADE, STEPS))

    @long
    def test_without_a_cache_there_are_none(self):
        self.assertEqual(self.compile("--no-cache"), ("", 0, 0))
        self.assertEqual(self.compile(XDG_CACHE_HOME="", HOME=""), ("", 0, 0))

    @long
    def test_one_that_cannot_be_made_is_done_without(self):
        compiler = self.script(f'case "$*" in *-emit-pch*) exit 1;; esac\nexec "{CLANG}" "$@"', "unable")
        self.assert_passes("--compiler", compiler)
        self.assertEqual([each for each in self.headers.iterdir() if each.stat().st_size > 100_000], [])

    def test_a_mistake_is_told_as_without_it(self):
        self.write(KERNEL.replace("blockDim", "blockDin"))
        with_it, _, used = self.compile(code=5)
        self.assertGreater(used, 0)
        self.assertEqual(self.compile("--no-cache", code=5)[0], with_it)

    @long
    def test_a_file_beside_its_own_copy_of_the_library(self):
        """It has the library twice then, which no compiler takes."""
        shutil.copytree(SOURCE / "src/device/warpz", self.folder / "warpz")
        self.write(f'#include "warpz/warp.hpp"\n{KERNEL}')
        _, made, used = self.compile()
        self.assertEqual((made, used), (MADE, STEPS), "what registers the kernels does not include the file")


if __name__ == "__main__":
    main()
