#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""No file of the user's is harmed: by reports, by the compiler's options, by links."""

import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "end_to_end"))

from kernel_support import KERNEL, RUNTIME, RunTest  # noqa: E402 (the path is set above)
from skips import main  # noqa: E402

PROGRAM_TEXT = RUNTIME + 'int main() { std::printf("ran\\n"); }\n'


class WrittenOverTest(RunTest):
    def setUp(self):
        super().setUp()
        self.write(PROGRAM_TEXT, "p.hip")
        self.write(KERNEL)
        (self.folder / "link.hip").symlink_to("p.hip")
        (self.folder / "numbers").write_text("1 2 3 4")
        self.before = self.files()

    def files(self):
        return {each.name: each.read_bytes() for each in self.folder.iterdir() if each.is_file()}

    def refuse(self, words, written, other):
        process = self.start(*words)
        out, err = process.communicate(timeout=60)
        self.assertEqual((out, process.returncode), (b"", 2), err)
        self.assertIn(f"warpz: {written} would write over the file of {other}\n", err.decode())
        self.assertEqual(self.files(), self.before)

    def test_a_source_or_the_data(self):
        self.refuse(["--run", "p.hip", "--output", "p.hip"], "--output p.hip", "--run")
        self.refuse(["--run", "p.hip", "--output", "./p.hip"], "--output ./p.hip", "--run")
        self.refuse(["--run", "p.hip", "--output", "link.hip"], "--output link.hip", "--run")
        self.refuse(["--run", "p.hip", "--junit", "p.hip"], "--junit p.hip", "--run")
        self.refuse(["--neighbor", "--kernel", "my.hip", "--sarif", "my.hip"], "--sarif my.hip", "--kernel")
        self.refuse(["--neighbor", "--input", "numbers", "--junit", "numbers"], "--junit numbers", "--input")

    def test_two_reports(self):
        self.refuse(["--neighbor", "--junit", "report", "--sarif", "./report"], "--sarif ./report", "--junit")
        out, err, code = self.run_program("p.hip", "--junit", "/dev/null", "--sarif", "/dev/null")
        self.assertEqual((out, code), ("ran\n", 0), err)

    def test_a_link_to_nothing_stays(self):
        link = self.folder / "latest"
        link.symlink_to("not-there")
        process = self.start("--neighbor", "--junit", "latest")
        _, err = process.communicate(timeout=60)
        self.assertEqual(process.returncode, 2, err)
        self.assertTrue(link.is_symlink())

    def test_the_compilers_options(self):
        (self.folder / "flags.txt").write_text("-g\n'-ostolen'")
        self.before = self.files()
        for flags, named in ((["-ostolen"], "-ostolen"), (["-MFstolen"], "-MFstolen"),
                             (["-Wl,-z,now,-ostolen"], "-Wl,-z,now,-ostolen"), (["-Wp,-MD,stolen"], "-Wp,-MD,stolen"),
                             (["@flags.txt"], "-ostolen")):
            out, err, code = self.run_program("p.hip", "--cxxflags", *flags)
            self.assertEqual((out, code), ("", 2), err)
            self.assertIn(f"--cxxflags: {named} is not possible with --run", err)
            self.assertEqual(self.files(), self.before)


if __name__ == "__main__":
    main()
