#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""No file of the user's is harmed: by reports, by the compiler's options, by links."""

import os
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "end_to_end"))

from kernel_support import CLANG, KERNEL, PROGRAM, RUNTIME, RunTest  # noqa: E402 (the path is set above)
from sampling import long  # noqa: E402 (the path is set above)
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
        out, err = process.communicate(timeout=600)
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

    def test_what_is_read_by_way_of_another(self):
        self.write("-g", "flags.txt")
        self.before = self.files()
        for name in ("kernels/neighbor.hip", "kernels/prefix-sum/solution.hip"):
            self.write(KERNEL, name)
            self.refuse(["--kernel", "kernels", "--neighbor", "--junit", name], f"--junit {name}", "--kernel")
            self.assertEqual((self.folder / name).read_text(), KERNEL)
        self.refuse(["--run", "p.hip", "--junit", "flags.txt", "--cxxflags", "@flags.txt"], "--junit flags.txt", "--cxxflags")

    def test_an_included_header_stays(self):
        self.write("#pragma once\n", "own")
        self.write('#include "own"\n' + PROGRAM_TEXT, "p.hip")
        self.write('#include "own"\n' + KERNEL, "my.hip")
        self.before = self.files()
        for words in (("--run", "p.hip"), ("--neighbor", "--kernel", "my.hip")):
            for option in ("--junit", "--sarif"):
                process = self.start(*words, option, "own")
                _, err = process.communicate(timeout=600)
                self.assertEqual(process.returncode, 2, err)
                self.assertEqual(self.files(), self.before)
        process = self.start("--run", "p.hip", "--output", "own")
        _, err = process.communicate(timeout=600)
        self.assertEqual((process.returncode, err), (2, b"warpz: own would be written over, and is compiled\nName another file.\n"))
        self.assertEqual(self.files(), self.before)

    def test_a_header_that_does_not_compile_stays(self):
        self.write("#pragma once\nint missing(\n", "own.h")
        self.write('#include "own.h"\n' + PROGRAM_TEXT, "p.hip")
        self.before = self.files()
        for option in ("--junit", "--sarif", "--output"):
            process = self.start("--run", "p.hip", option, "own.h")
            _, err = process.communicate(timeout=600)
            self.assertEqual((process.returncode, err.decode()),
                             (2, f"warpz: {option} own.h would write over a source file\nName another file.\n"))
            self.assertEqual(self.files(), self.before)

    def test_two_reports(self):
        self.refuse(["--neighbor", "--junit", "report", "--sarif", "./report"], "--sarif ./report", "--junit")
        out, err, code = self.run_program("p.hip", "--junit", "/dev/null", "--sarif", "/dev/null")
        self.assertEqual((out, code), ("ran\n", 0), err)

    def test_a_link_to_nothing_stays(self):
        link = self.folder / "latest"
        link.symlink_to("not-there")
        process = self.start("--neighbor", "--junit", "latest")
        _, err = process.communicate(timeout=600)
        self.assertEqual(process.returncode, 2, err)
        self.assertTrue(link.is_symlink())

    def test_the_compilers_options(self):
        (self.folder / "flags.txt").write_text("-g\n'-ostolen'")
        self.before = self.files()
        alone = ["-ostolen", "-o", "-MFstolen", "-Wl,-z,now,-ostolen", "-Wl,-Map=stolen", "-Wl,@flags.txt",
                 "-Wp,-MD,stolen", "-Wa,-aln=stolen", "-save-temps", "--save-temps=cwd", "-fdump-tree-all=stolen",
                 "-ftime-trace=stolen", "-foptimization-record-file=stolen", "-serialize-diagnostics",
                 "--config=flags.txt", "-specs=flags.txt", "-fdiagnostics-format=sarif-file", "--preprocess", "-###", "--help", "--version",
                 "-fsyntax-only", "-print-search-dirs"]
        last = [["-Xlinker", "-ostolen"], ["-Xclang", "-dependency-file"],
                ["-Xpreprocessor", "-MFstolen"]]
        for flags, named in (*((each, each) for each in ([one] for one in alone)),
                             *((each, each) for each in last), (["@flags.txt"], ["-ostolen"])):
            out, err, code = self.run_program("p.hip", "--cxxflags", *flags)
            self.assertEqual((out, code), ("", 2), err)
            self.assertIn(f"--cxxflags: {' '.join(named)} is not possible with --run", err)
            self.assertEqual(self.files(), self.before)

    @long
    def test_what_is_written_beside_a_result_goes_with_it(self):
        flags = ["-g", "-MD", "-MMD", "-Wl,-z,now", "-Wl,-rpath=/nowhere", "-Wl,-as-needed", "-Xlinker", "-O1"]
        out, err, code = self.run_program("p.hip", "--check", "off", "--compiler", CLANG, "--cxxflags", *flags)
        self.assertEqual((out, code), ("ran\n", 0), err)
        self.assertEqual(self.files(), self.before)

    @long
    def test_names_that_compilers_take_for_options(self):
        for name in ("-dash.hip", "@at.hip"):
            self.write(PROGRAM_TEXT, name)
            self.assertEqual(self.run_program(name, "--check", "off", "--compiler", CLANG), ("ran\n", "", 0))
            self.write(KERNEL, name)
            self.assert_passes("--compiler", CLANG, file=name)

    def test_a_pipe_is_no_program(self):
        os.mkfifo(self.folder / "fifo")
        for name in ("fifo", "/dev/zero"):
            out, err, code = self.run_program(name)
            self.assertEqual((out, code), ("", 2), err)
            self.assertIn(f"warpz: --run: {name} is a pipe or a device, not a file\n", err)

    def test_output_that_is_closed(self):
        """It is lost, so this is an error, as it is where a puzzle's output is lost."""
        for run in ("--run p.hip --check off", "--run p.hip --check off --schedules 1", "--neighbor"):
            out, err, code = self.run_shell(f"{PROGRAM} {run} >&-")
            self.assertEqual((out, code), ("", 2), err)
            self.assertIn("warpz: standard output cannot be written: Bad file descriptor\nIt is closed: ", err)
        self.write(RUNTIME + "int main() {}\n", "silent.hip")
        self.assertEqual(self.run_shell(f"{PROGRAM} --run silent.hip --quiet --check off >&-"), ("", "", 0))

    @long
    def test_a_program_is_written_whole_or_not_at_all(self):
        """A full disk leaves what was there."""
        for each in ("disk", "old"):
            (self.folder / each).mkdir()
        out, err, code = self.run_shell(
            "unshare --map-root-user --mount sh -c 'mount -t tmpfs -o size=8k none disk && echo precious >disk/p.so && "
            f"{PROGRAM} --run p.hip --output disk/p.so --check off; echo $?; cat disk/p.so; ls disk'")
        if "unshare" in err or "mount" in err:
            self.skipTest("no file system can be mounted here")
        self.assertEqual((out, code), ("2\nprecious\np.so\n", 0), err)
        self.assertIn("--output disk/p.so cannot be written: No space left on device\n", err)


if __name__ == "__main__":
    main()
