#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What warpz says about itself, and that the README, docs/exit-codes.md and the sources say the same.

The environment names the program: WARPZ_PROGRAM."""

import os
import pathlib
import re
import shutil
import subprocess
import tempfile
import unittest

from puzzle_runs import CHOSEN, PASSED_HIDDEN
from skips import main

PROGRAM = pathlib.Path(os.environ["WARPZ_PROGRAM"])
SOURCE = pathlib.Path(__file__).resolve().parents[2]
SECONDS = 60


def warpz(*options):
    return subprocess.run([PROGRAM, *options], capture_output=True, text=True, timeout=SECONDS, check=False)


def sections(text):
    """The parts of the help by their headings."""
    found = {}
    for part in text.split("\n\n"):
        heading, *lines = part.splitlines()
        if heading.endswith(":"):
            found[heading[:-1]] = lines
    return found


def options_in(lines):
    """(spelling, text, default) of each option in a part of the help; the default is empty where none is told."""
    entries = []
    for line in lines:
        if line.startswith("  -"):
            spelling, _, text = line[2:].partition("  ")
            entries.append([spelling, text.strip()])
        else:
            entries[-1][1] = f"{entries[-1][1]} {line.strip()}".strip()
    split = [(spelling, re.fullmatch(r"(.*?)(?: \[default: (.*)\])?", text)) for spelling, text in entries]
    return [(spelling, match[1], match[2] or "") for spelling, match in split]


def readme_section(heading):
    text = (SOURCE / "README.md").read_text()
    return re.search(rf"^## {heading}\n(.*?)^## ", text, re.MULTILINE | re.DOTALL)[1]


def table_rows(text):
    """The cells of a Markdown table, without its first two lines."""
    lines = [line for line in text.splitlines() if line.startswith("|")]
    return [[cell.strip().replace("\\|", "|") for cell in re.split(r"(?<!\\)\|", line)[1:-1]] for line in lines[2:]]

NOTHING_ASKED = ("warpz: no puzzle is named\n"
                 "Name one, such as neighbor, or --all for all; warpz learn begins the course.\n")


class HelpTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.help = warpz("--help")
        cls.options_help = warpz("help", "options")
        cls.sections = sections(cls.options_help.stdout)
        cls.sections_of_help = {heading: "\n".join(lines) for heading, lines in sections(cls.help.stdout).items()}
        cls.groups = {heading: options_in(lines) for heading, lines in cls.sections.items()
                      if lines[0].startswith("  -")}
        cls.options = [option for group in cls.groups.values() for option in group]

    @unittest.skipUnless(shutil.which("groff"), "groff is not installed")
    def test_the_manual_page_fits_a_terminal(self):
        shown = subprocess.run(["groff", "-k", "-man", "-Tascii", "-P-cbou"], input=warpz("help", "man").stdout, capture_output=True,
                               text=True, check=True).stdout
        self.assertEqual([line for line in shown.splitlines() if len(line) > 80], [])
        self.assertRegex(shown, r"\n +--limit SECONDS\n +for all together \[default: none\]\n")

    def test_is_on_standard_output_and_a_success(self):
        self.assertEqual((self.help.returncode, self.help.stderr), (0, ""))
        self.assertEqual(warpz("-h").stdout, self.help.stdout)

    def test_is_on_standard_error_and_none_where_nothing_was_asked(self):
        for options in ((), ("--size", "5"), ("--",)):
            done = warpz(*options)
            self.assertEqual((done.returncode, done.stdout, done.stderr), (2, "", self.help.stdout + NOTHING_ASKED), options)

    def test_fits_a_screen(self):
        self.assertLessEqual(len(self.help.stdout.splitlines()), 24)

    def test_every_topic_that_it_names_is_one(self):
        topics = re.search(r"or of ([^.]+)\.", self.help.stdout)[1].replace("\n", " ").split(", ")
        commands = re.findall(r"^  (\w+) ", self.sections_of_help["Commands"], re.MULTILINE)
        self.assertGreaterEqual(len(topics), 8)
        self.assertGreaterEqual(len(commands), 6)
        for topic in [*topics, *commands, "neighbor"]:
            done = warpz("help", topic)
            self.assertEqual((done.returncode, done.stderr), (0, ""), topic)
            for line in done.stdout.splitlines():
                self.assertLessEqual(len(line), 82 if topic in ("output", "options") else 80, line)
        done = warpz("help", "outptu")
        self.assertEqual((done.returncode, done.stdout), (2, ""))

    def test_the_readme_has_the_same_commands(self):
        helped = re.findall(r"^  (\w+(?: \S+)?)  +(.*)$", self.sections_of_help["Commands"], re.MULTILINE)
        self.assertEqual([(name.strip("`"), text) for name, text in table_rows(readme_section("Commands"))], helped)

    def test_describes_a_puzzle(self):
        task = warpz("help", "neighbor").stdout
        self.assertIn("output[i] = input[i + 1] - input[i]", task)
        self.assertNotIn("Hint", task)
        self.assertEqual(warpz("--help", "--neighbor").stdout, task)
        self.assertEqual(task.splitlines()[1:3], ["goal: no more collectives than the solution", ""])

    def test_fits_80_columns(self):
        for line in self.options_help.stdout.splitlines():
            # The two signs of --emoji take two columns each.
            self.assertLessEqual(len(line) + sum(ord(c) > 0x2000 for c in line), 80, line)

    def test_summaries_stay_on_one_line(self):
        for line in self.sections["Puzzles, run in the order given"]:
            self.assertRegex(line, r"^  --\S+( .*)?$|^ {32}\S.*$")

    def test_there_are_groups_and_no_option_is_in_two(self):
        self.assertGreaterEqual(len(self.groups), 5)
        spellings = [spelling for spelling, _, _ in self.options]
        self.assertEqual(len(set(spellings)), len(spellings))
        self.assertGreaterEqual(len(spellings), 30)

    def test_the_readme_has_the_same_options_in_the_same_groups(self):
        """All options but the puzzles, which puzzles/README.md has."""
        flags = {f"--{folder.parent.name}" for folder in SOURCE.glob("puzzles/*/puzzle.cpp")}
        helped = {heading: [option for option in options if option[0] not in flags]
                  for heading, options in self.groups.items()}
        groups = {}
        for part in readme_section("Options").split("\n### ")[1:]:
            heading, _, rest = part.partition("\n")
            groups[heading] = [(spelling.strip("`"), text, default.strip("`"))
                               for spelling, text, default in table_rows(rest)]
        self.assertEqual(groups, helped)

    def test_the_list_has_the_puzzles_of_the_help(self):
        listed = [line.split("\t")[0] for line in warpz("--list").stdout.splitlines()]
        helped = [spelling for spelling, _, _ in self.groups["Puzzles, run in the order given"]]
        self.assertEqual(listed + ["--all"], helped)
        self.assertEqual(sorted(flag[2:] for flag in listed), sorted(
            folder.parent.name for folder in SOURCE.glob("puzzles/*/puzzle.cpp")))

    def test_every_example_runs(self):
        examples = [line[2:].split("  ")[0] for line in self.sections["Examples"]]
        self.assertGreaterEqual(len(examples), 4)
        with tempfile.TemporaryDirectory() as folder:
            os.symlink(PROGRAM.resolve(), pathlib.Path(folder, "warpz"))
            shutil.copy(SOURCE / "puzzles/neighbor/solution.hip", pathlib.Path(folder, "mine.hip"))
            pathlib.Path(folder, "a.hip").write_text("int other();\nint main() { return other(); }\n")
            pathlib.Path(folder, "b.hip").write_text("int other() { return 0; }\n")
            path = f"{folder}:{os.environ['PATH']}"
            for example in examples:
                done = subprocess.run(["bash", "-o", "pipefail", "-c", example], capture_output=True, text=True,
                                      timeout=SECONDS, check=False, cwd=folder, env={**os.environ, "PATH": path, "XDG_CACHE_HOME": folder})
                said = CHOSEN.sub(b"", done.stderr.encode()).removesuffix(b"warpz: nothing found, and no kernel was launched\n")
                said = PASSED_HIDDEN.sub(b"", said)
                self.assertEqual((done.returncode, said), (0, b""), example)


class ExitCodeTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        found = {heading: lines for heading, lines in sections(warpz("help", "exit-codes").stdout).items()
                 if heading.startswith("Exit codes")}
        (cls.heading, lines), = found.items()
        cls.codes = [line.split(maxsplit=1) for line in lines]

    def test_there_are_six(self):
        self.assertEqual([int(code) for code, _ in self.codes], list(range(6)))

    def test_the_readme_says_the_same(self):
        text = readme_section("Exit codes")
        self.assertEqual(table_rows(text), self.codes)
        self.assert_same_order(text)

    def test_the_documentation_says_the_same(self):
        text = (SOURCE / "docs/exit-codes.md").read_text()
        self.assertEqual(table_rows(text), self.codes)
        self.assert_same_order(text)

    def test_the_source_says_the_same(self):
        text = (SOURCE / "src/error.hpp").read_text()
        self.assertEqual([list(row) for row in re.findall(r"= (\d),? *///< (.*)", text)], self.codes)

    def assert_same_order(self, text):
        order = re.search(r"first of ([\d, ]+\d)", self.heading)[1]
        self.assertIn(f"first of {order}", " ".join(text.split()))


class VersionTest(unittest.TestCase):
    def test_is_that_of_the_project(self):
        version = re.search(r"project\(warpz VERSION (\S+)", (SOURCE / "CMakeLists.txt").read_text())[1]
        done = warpz("--version")
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        self.assertEqual(done.stdout.splitlines()[0], f"warpz {version}")


class ErrorTest(unittest.TestCase):
    """Errors of the command line as a user sees them; which there are is tests/unit/host/test_options.cpp's."""

    def test_are_on_standard_error_with_code_2(self):
        for options, text in (
                (("--neigbor",), "warpz: unknown option --neigbor\nDid you mean --neighbor?\n"),
                (("--watch",), "warpz: unknown option --watch\nwatch is a command: it comes first, without dashes.\n"),
                (("learn", "nieghbor"),
                 "warpz: no puzzle is called 'nieghbor'\nDid you mean neighbor? A new folder of this name is ./nieghbor\n"),
                (("nieghbor",), "warpz: 'nieghbor' is no command, no puzzle and no file\nDid you mean neighbor?\n"),
                (("wach",), "warpz: 'wach' is no command, no puzzle and no file\nDid you mean watch?\n"),
                (("--all", "nieghbor"), "warpz: unexpected word 'nieghbor'\nDid you mean --neighbor?\n"),
                (("a.hip", "b.hip"), "warpz: two files are named, a.hip and b.hip\n"
                                     "Judge one after the other, or the folder in which they are.\n"),
                (("--all", "--format", "jsn"),
                 "warpz: --format takes text or json, not 'jsn'\nDid you mean --format json?\n"),
                (("--all", "--size"), "warpz: --size needs a value: N\n"),
                (("--list", "--all"), "warpz: --list and --all cannot be combined\n"),
                (("--neighbor", "--input", "/no/such"), "warpz: cannot read '/no/such': No such file or directory\n")):
            done = warpz(*options)
            self.assertEqual((done.returncode, done.stdout, done.stderr), (2, "", text))

    def test_a_program_of_the_system_is_no_program_to_check(self):
        done = warpz("--run", "/bin/ls")
        self.assertEqual((done.returncode, done.stdout), (2, ""))
        self.assertRegex(done.stderr, "^warpz: /bin/ls: .*\n--run takes sources, or a program that --output or warpz-hipcc wrote[.]\n$")

    def test_a_program_that_was_cut_off_is_refused(self):
        with tempfile.TemporaryDirectory() as folder:
            part = pathlib.Path(folder) / "part"
            part.write_bytes(pathlib.Path(PROGRAM).read_bytes()[:20_000])
            done = warpz("--run", str(part))
        self.assertEqual((done.returncode, done.stdout), (2, ""))
        self.assertRegex(done.stderr, "^warpz: --run: the end of .*part is missing\nCompile it again, or copy it again[.]\n$")


if __name__ == "__main__":
    main()
