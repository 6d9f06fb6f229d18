#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The cache among strangers: nobody's files are removed, nobody's code is run, and no old code is taken for new."""

import os
import pathlib
import subprocess
import sys
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "end_to_end"))

from kernel_support import CLANG, CacheTest, KERNEL, RUNTIME, RunTest  # noqa: E402 (the path is set above)
from sampling import long  # noqa: E402 (the path is set above)
from skips import main  # noqa: E402

LONG_AGO = time.time() - 3600


class StrangersTest(CacheTest):
    def setUp(self):
        super().setUp()
        self.kernels = self.cache / "warpz/kernels"

    def old_files(self, folder):
        names = ("CMakeCache.txt", "libsimt.a", "notes.kernel.txt", "1-2.kernel", "x-0123456789abcdef.kernel",
                 "1-0123456789abcdef.kernel.way-too-long")
        files = [folder / name for name in names]
        for each in files:
            each.write_text("somebody's")
            os.utime(each, (LONG_AGO, LONG_AGO))
        return files

    def test_files_that_are_not_its_own_stay(self):
        self.kernels.mkdir(mode=0o700)
        files = self.old_files(self.kernels)
        elsewhere = self.folder / "elsewhere"
        elsewhere.write_text("somebody's")
        os.utime(elsewhere, (LONG_AGO, LONG_AGO))
        link = self.kernels / "1-0123456789abcdef.kernel.abcdef"
        link.symlink_to(elsewhere)
        os.utime(link, (LONG_AGO, LONG_AGO), follow_symlinks=False)
        own = self.kernels / "2-0123456789abcdef.kernel.abcdef"
        own.write_text("half")
        os.utime(own, (LONG_AGO, LONG_AGO))
        self.assert_compiles(True)
        for each in (*files, elsewhere):
            self.assertEqual(each.read_text(), "somebody's")
        self.assertFalse(own.exists(), "its own are removed")

    @long
    def test_a_folder_behind_a_link_keeps_its_files_too(self):
        target = self.folder / "build"
        target.mkdir(mode=0o700)
        self.kernels.symlink_to(target)
        files = self.old_files(target)
        self.assert_compiles(True)
        for each in files:
            self.assertTrue(each.exists(), each)

    def test_a_folder_on_its_path_that_others_may_write_to_is_refused_with_a_word(self):
        self.assert_compiles(True)
        headers = self.cache / "warpz/headers"
        headers.unlink()
        headers.mkdir(mode=0o700)
        for folder in (self.cache, self.cache / "warpz", self.kernels, headers):
            before = folder.stat().st_mode
            folder.chmod(0o777)
            calls = self.calls()
            out, err, code = self.run_kernel("--compiler", self.compiler)
            path = os.path.realpath(folder)
            self.assertEqual((err, code), (f"warpz: the cache is not used: {path} can be written to by others: "
                                           f"chmod go-w {path}\n", 0), out)
            self.assertGreater(self.calls(), calls)
            folder.chmod(before)
        self.assert_compiles(False)

    def test_an_entry_that_others_may_write_to_or_that_is_a_link_is_not_loaded(self):
        self.assert_compiles(True)
        entry, = self.entries()
        entry.chmod(0o622)
        self.assert_compiles(True)
        kept = self.folder / "kept"
        entry.rename(kept)
        entry.symlink_to(kept)
        self.assert_compiles(True)
        self.assertFalse(entry.is_symlink(), "it is replaced by a file")
        self.assert_compiles(False)

    @long
    def test_what_is_no_file_is_neither_read_nor_waited_for(self):
        self.assert_compiles(True)
        entry, = self.entries()
        entry.unlink()
        os.mkfifo(entry, 0o600)
        self.assert_compiles(True)
        entry.unlink()
        entry.mkdir()
        self.assert_compiles(True)
        self.assert_compiles(True)
        entry.rmdir()
        entry.symlink_to("/dev/zero")
        self.assert_compiles(True)

    def test_a_header_that_became_a_pipe_is_not_waited_for(self):
        self.assert_compiles(True)
        header = self.folder / "step.hpp"
        header.unlink()
        os.mkfifo(header)
        # Now the compiler waits for the pipe: it is called, and ended with warpz.
        calls = self.calls()
        process = self.start("--neighbor", "--quiet", "--kernel", "my.hip", "--compiler", self.compiler)
        try:
            for _ in range(600):
                if self.calls() > calls:
                    break
                time.sleep(0.1)
            self.assertGreater(self.calls(), calls, "warpz waits for the pipe itself")
        finally:
            process.terminate()
            process.communicate(timeout=600)


class StaleTest(RunTest):
    PROGRAM_TEXT = RUNTIME + 'extern "C" int answer();\nint main() {{ std::printf("%d\\n", {}); }}\n'

    def answers(self, *flags):
        out, err, code = self.run_program("p.hip", "--compiler", CLANG, "--cxxflags", *flags)
        self.assertEqual(code, 0, err)
        return out.strip()

    def library(self, answer):
        self.write(f'extern "C" int answer() {{ return {answer}; }}\n', "answer.cpp")
        subprocess.run([CLANG, "-fPIC", "-c", "answer.cpp"], cwd=self.folder, check=True)
        (self.folder / "libanswer.a").unlink(missing_ok=True)
        subprocess.run(["ar", "rc", "libanswer.a", "answer.o"], cwd=self.folder, check=True)

    def test_a_library_that_changed(self):
        self.write(self.PROGRAM_TEXT.format("answer()"), "p.hip")
        for flags in (["-L.", "-lanswer"], [str(self.folder / "libanswer.a")]):
            self.library(1)
            self.assertEqual(self.answers(*flags), "1")
            self.library(2)
            self.assertEqual(self.answers(*flags), "2")

    @long
    def test_a_file_of_options_that_changed(self):
        self.write(self.PROGRAM_TEXT.format("ANSWER"), "p.hip")
        for answer in ("1", "2"):
            self.write(f"-DANSWER={answer}\n", "inner.txt")
            self.write("@inner.txt", "flags.txt")
            self.assertEqual(self.answers("@flags.txt"), answer)

    @long
    def test_files_that_the_code_looks_at_itself(self):
        found = '#if __has_include("extra.h")\n#define FOUND 2\n#else\n#define FOUND 1\n#endif\n'
        self.write(found + self.PROGRAM_TEXT.format("FOUND"), "p.hip")
        self.assertEqual(self.answers("-g"), "1")
        self.write("", "extra.h")
        self.assertEqual(self.answers("-g"), "2")
        self.write(self.PROGRAM_TEXT.format("included[0]").replace(
            "int main", 'asm(".data\\nincluded: .incbin \\"answer.bin\\"\\n.text");\n'
            'extern "C" __attribute__((visibility("hidden"))) char included[];\nint main'), "p.hip")
        for answer in (7, 8):
            (self.folder / "answer.bin").write_bytes(bytes([answer]))
            self.assertEqual(self.answers("-g"), str(answer))
        self.write(self.PROGRAM_TEXT.format("included[0]").replace(
            "int main", 'asm(".data\\n.include \\"answer.s\\"\\n.text");\n'
            'extern "C" __attribute__((visibility("hidden"))) char included[];\nint main'), "p.hip")
        for answer in (7, 8):
            self.write(f"included: .byte {answer}\n", "answer.s")
            self.assertEqual(self.answers("-g"), str(answer))


class ReplacedTest(CacheTest):
    def assert_not_kept(self, exchange, done):
        """The compiler is followed by a command, after which the kernel is wrong: the second run has to see it."""
        exchanging = self.script(f'{self.compiler} "$@"; code=$?\n'
                                 f'[ ! -e {self.folder}/other ] || case "$*" in *module.hip*) {exchange};; esac\n'
                                 "exit $code", "exchanging")
        out, err, code = self.run_kernel("--compiler", exchanging)
        self.assertEqual((err, code), ("", 0), out)
        self.assertTrue(done(), "the compiler has exchanged the header")
        _, _, code = self.run_kernel("--compiler", exchanging)
        self.assertNotEqual(code, 0, "the wrong step shows")

    def test_another_folder_in_place_of_the_header_s(self):
        (self.folder / "other").mkdir()
        self.write("#define STEP 2\n", "other/step.hpp")
        self.write("#define STEP 1\n", "one/step.hpp")
        self.write('#include "used/step.hpp"\n' + KERNEL.replace("mine, 1", "mine, STEP"))
        used, one, other = (self.folder / name for name in ("used", "one", "other"))
        used.symlink_to("one")
        self.assert_not_kept(f"ln -sfn other {used}", lambda: os.readlink(used) == "other")
        used.unlink()
        one.rename(used)
        self.assert_not_kept(f"mv {used} {one}; mv {other} {used}", one.exists)

    def test_an_older_header_that_is_moved_there_while_the_compiler_runs(self):
        older = self.folder / "older.hpp"
        older.write_text("#define STEP 2\n")
        os.utime(older, (LONG_AGO, LONG_AGO))
        moving = self.script(f'{self.compiler} "$@"; code=$?\n'
                             f'[ ! -e {older} ] || case "$*" in *module.hip*) mv {older} {self.folder}/step.hpp;; esac\n'
                             "exit $code", "moving")
        out, err, code = self.run_kernel("--compiler", moving)
        self.assertEqual((err, code), ("", 0), out)
        self.assertFalse(older.exists(), "the compiler has replaced the header")
        _, _, code = self.run_kernel("--compiler", moving)
        self.assertNotEqual(code, 0, "the wrong step shows")


if __name__ == "__main__":
    main()
