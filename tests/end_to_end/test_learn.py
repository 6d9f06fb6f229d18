#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A learner's whole session: the commands, and the screen of `warpz watch` in a terminal (tmux).

The environment names the program: WARPZ_PROGRAM."""

import os
import pathlib
import re
import shutil
import signal
import subprocess
import tempfile
import time
import unittest

from kernel_support import cache_with_headers
from sampling import FULL
from skips import main

PROGRAM = pathlib.Path(os.environ["WARPZ_PROGRAM"]).resolve()
SOURCE = pathlib.Path(__file__).resolve().parents[2]
PUZZLES = SOURCE / "puzzles"
COUNT = len(list(PUZZLES.glob("*/README.md")))
SLOW = SOURCE / "tests/corpus/slow_solutions"
SECONDS = 240  # nothing here takes so long, but a machine may be busy


class Learner(unittest.TestCase):
    """In a folder of its own, with the course in it."""

    def setUp(self):
        holder = tempfile.TemporaryDirectory()
        self.addCleanup(holder.cleanup)
        self.home = pathlib.Path(holder.name)
        self.course = self.home / "warpz-course"
        self.environment = {**os.environ, "XDG_CACHE_HOME": str(cache_with_headers(self.home)), "NO_COLOR": "1"}
        self.environment.pop("TMUX", None)

    def warpz(self, *words, code=0, folder=None, answer=None):
        done = subprocess.run([PROGRAM, *words], cwd=folder or self.home, env=self.environment, capture_output=True, text=True,
                              timeout=SECONDS, check=False, input=answer)
        self.assertEqual(done.returncode, code, done.stdout + done.stderr)
        return done

    def learn(self):
        self.warpz("learn")

    def solution(self, name, old="", new=""):
        text = (PUZZLES / name / "solution.hip").read_text()
        self.assertIn(old, text)
        return text.replace(old, new)

    def save(self, name, text):
        """As editors do: a new file takes the place of the old one."""
        new = self.course / (name + ".hip.new")
        new.write_text(text)
        new.rename(self.course / (name + ".hip"))


class Commands(Learner):
    def test_learn_begins_with_the_first_task_in_fifteen_lines(self):
        said = self.warpz("learn").stdout
        self.assertTrue(said.startswith(f"Neighbor difference: puzzle 1 of {COUNT}, chapter warp, easy\n"), said)
        self.assertLessEqual(len(said.splitlines()), 15)
        self.assertTrue(said.endswith(f"\nYour file, in a new folder: warpz-course/neighbor.hip\nNow type: {PROGRAM} watch\n"), said)
        self.assertIn("\nYour file: warpz-course/neighbor.hip\n", self.warpz("learn").stdout)
        self.assertIn("\nYour file: warpz-course/neighbor.hip\n", self.warpz("learn", "warpz-course").stdout)
        self.assertEqual({path.name for path in PUZZLES.iterdir() if path.is_dir()},
                         {path.stem for path in self.course.glob("*.hip")})
        for path in self.course.glob("*.hip"):
            self.assertEqual(path.read_bytes(), (PUZZLES / path.stem / "problem.hip").read_bytes())

    def test_learn_goes_on_and_overwrites_nothing(self):
        self.learn()
        self.save("neighbor", self.solution("neighbor"))
        self.warpz("warpz-course/neighbor.hip")
        said = self.warpz("learn").stdout
        self.assertTrue(said.startswith(f"1 of {COUNT} done. Here is the next:\n\nMoving average"), said)
        self.warpz("learn", "warpz-course")
        self.assertEqual((self.course / "neighbor.hip").read_text(), self.solution("neighbor"))
        self.assertIn("Warp vote", self.warpz("learn", "vote").stdout)

    def test_an_editor_finds_the_headers(self):
        self.learn()
        for name in ("neighbor", "device-sort"):
            done = subprocess.run(["clang++", "-fsyntax-only", "@compile_flags.txt", f"{name}.hip"], cwd=self.course,
                                  capture_output=True, text=True, check=False)
            self.assertEqual((done.returncode, done.stderr), (0, ""))

    def test_a_success_teaches_and_counts(self):
        self.learn()
        self.save("parallel-max", self.solution("parallel-max"))
        said = self.warpz("warpz-course/parallel-max.hip").stderr
        self.assertRegex(said, r"right on \d\d+ inputs that you have not seen, with 32 and with 64 lanes\n")
        self.assertIn("costs: 5 collectives, 8 memory transactions, no bank conflict, no barrier\n", said)
        self.assertRegex(said, r"next: \S+ learn \S+\n")
        self.assertRegex(self.warpz("status").stdout, r"\n  parallel-max +medium +done\n")

    def test_more_than_the_solution_needs_misses_the_goal(self):
        self.learn()
        self.assertIn("\ngoal: no more collectives than the solution\n", self.warpz("learn", "neighbor").stdout)
        self.save("neighbor", self.slow("neighbor"))
        said = self.warpz("warpz-course/neighbor.hip").stderr
        self.assertIn("costs: 2 collectives (the solution: 1), 8", said)
        self.assertIn("\nThe goal is 1 collective at most.\n", said)
        self.assertRegex(self.warpz("status").stdout, r"\n  neighbor +easy +tried once, last: right, but too costly\n")
        self.save("neighbor", self.solution("neighbor"))
        self.warpz("warpz-course/neighbor.hip")
        self.assertRegex(self.warpz("status").stdout, r"\n  neighbor +easy +done\n")
        # Without a goal it is only said.
        self.save("average", self.slow("average"))
        self.assertIn("costs: 6 collectives (the solution: 4), 16", self.warpz("warpz-course/average.hip").stderr)
        self.assertRegex(self.warpz("status").stdout, r"\n  average +easy +done\n")

    def test_every_goal_is_missed_by_a_kernel_that_costs_more(self):
        """And reached by the solution. One puzzle for each kind of cost, with --full all of them."""
        goals = self.goals()
        self.assertEqual(len(goals), 15)
        if not FULL:
            goals = [(name, goal) for goal, name in {goal: name for name, goal in reversed(goals)}.items()]
        for name, goal in goals:
            for student, text in (("slow", self.slow(name, goal)), ("right", self.solution(name))):
                folder = self.home / "class" / student
                folder.mkdir(parents=True, exist_ok=True)
                (folder / f"{name}.hip").write_text(text)
        found = self.warpz("grade", "class", code=1).stdout.splitlines()
        self.assertEqual([set(re.split(" {2,}", line)[1:-1]) for line in found[1:]], [{"✓"}, {"cost"}])

    def goals(self):
        """Each puzzle that has one, and the first cost of it."""
        found = [(readme.parent.name, re.search(r"Goal: no (?:more )?(\w+)", readme.read_text()))
                 for readme in sorted(PUZZLES.glob("*/README.md"))]
        return [(name, goal[1]) for name, goal in found if goal]

    def slow(self, name, goal="collectives"):
        """A kernel that is right; else the solution with one operation more, or with an access more by each thread."""
        if (SLOW / f"{name}.hip").exists():
            return (SLOW / f"{name}.hip").read_text()
        more = {"collectives": "  if (!warpz::warp::all(true)) return;\n",
                "barriers": "  __syncthreads();\n",
                "transactions": "  if (static_cast<const volatile float*>(a)[0] != a[0]) return;\n"}[goal]
        head, brace, rest = self.solution(name).partition(") {\n")
        while "__global__" not in head:
            more_head, brace, rest = rest.partition(") {\n")
            head += ") {\n" + more_head
        return head + brace + more + rest

    def test_what_proves_nothing_does_not_count(self):
        self.learn()
        said = self.warpz("warpz-course/neighbor.hip", code=1).stderr
        self.assertIn("not attempted: warpz-course/neighbor.hip is as it was given\n", said)
        self.save("neighbor", self.solution("neighbor"))
        self.warpz("warpz-course/neighbor.hip", "--size", "4")
        self.warpz("warpz-course/neighbor.hip", "--documented-only")
        self.warpz("neighbor")
        shutil.copy(self.course / "neighbor.hip", self.home / "elsewhere.hip")
        self.warpz("elsewhere.hip")
        self.assertIn(f"\n0 of {COUNT} done\n", self.warpz("status").stdout)
        self.assertRegex(self.warpz("status").stdout, r"\n  neighbor +easy +open\n")

    def test_a_puzzle_alone_is_not_the_learners_file(self):
        self.learn()
        said = "warpz: this is warpz's own solution; your file: warpz neighbor neighbor.hip\n"
        self.assertIn(said, self.warpz("neighbor", folder=self.course).stderr)
        self.assertNotIn(said, self.warpz("neighbor", "neighbor.hip", folder=self.course, code=1).stderr)
        self.assertNotIn(said, self.warpz("neighbor").stderr)

    def test_paths_are_short_in_a_folder_of_the_course(self):
        self.learn()
        said = self.warpz("learn", folder=self.course / "tasks").stdout
        self.assertIn("\nThe task: ../tasks/neighbor.txt\nYour file: ../neighbor.hip\n", said)

    def test_a_folder_is_judged_with_a_summary(self):
        self.learn()
        self.save("neighbor", self.solution("neighbor"))
        self.save("vote", "x" + self.solution("vote"))
        done = self.warpz("warpz-course", code=5)
        self.assertRegex(done.stdout, r"\npuzzle .*\nneighbor +OK .*\nvote +error +-\n\Z")
        self.assertIn(f"warpz: not attempted: {COUNT - 2} files, which are as given\n", done.stderr)
        self.assertRegex(self.warpz("status").stdout, r"neighbor +easy +done\n(.*\n)+  vote +medium +tried once, last: does not compile")

    def test_the_solution_is_no_answer(self):
        self.learn()
        self.save("neighbor", f'#include "{PUZZLES}/neighbor/solution.hip"\n')
        said = self.warpz("neighbor", "--kernel", self.course / "neighbor.hip", code=5).stderr
        self.assertIn("/neighbor/solution.hip, which is the puzzle's own solution ", " ".join(said.split()))
        said = self.warpz("warpz-course", code=5).stderr
        self.assertIn("/neighbor/solution.hip, which is the puzzle's own solution ", " ".join(said.split()))
        self.assertRegex(self.warpz("status").stdout, r"neighbor +easy +tried .*, last: does not compile")

    def test_hints_follow_the_last_outcome(self):
        self.learn()
        # Lanes past the array's end leave before the shuffle.
        self.save("neighbor", self.solution("neighbor", "  // Lanes past the end", "  if (global_i >= size) return;\n  //"))
        self.warpz("warpz-course/neighbor.hip", code=3)
        self.assertTrue(self.warpz("hint").stdout.startswith("Hint 1 of 3: lanes without an element\n"))
        self.assertTrue(self.warpz("hint", "neighbor").stdout.startswith("Hint 2 of 3: where the next element comes from\n"))
        self.assertTrue(self.warpz("hint").stdout.startswith("Hint 3 of 3: the two ends\n"))
        self.assertIn("you have seen all", self.warpz("hint").stdout)
        self.assertIn("--yes answers", self.warpz("hint", "--solution", code=2).stderr)
        self.assertEqual(self.warpz("hint", "--solution", "--yes").stdout, self.solution("neighbor"))

    def test_reset_keeps_the_file(self):
        self.learn()
        self.save("neighbor", "mine")
        self.assertIn("--yes answers", self.warpz("reset", "neighbor", code=2).stderr)
        self.assertEqual((self.course / "neighbor.hip").read_text(), "mine")
        self.warpz("reset", "neighbor", "--yes")
        self.assertEqual((self.course / "neighbor.hip.1~").read_text(), "mine")
        self.assertEqual((self.course / "neighbor.hip").read_text(), (PUZZLES / "neighbor/problem.hip").read_text())

    def test_a_file_of_the_course_is_named_where_it_is_asked_for_from_outside(self):
        self.learn()
        said = self.warpz("neighbor.hip", code=2).stderr
        self.assertEqual(said, "warpz: there is no neighbor.hip here\nIt is in the course: warpz warpz-course/neighbor.hip\n")
        self.assertIn("cannot read 'elsewhere.hip'", self.warpz("elsewhere.hip", code=2).stderr)

    def test_without_a_course_there_is_one_way_on(self):
        for command in ("watch", "hint", "status"):
            said = self.warpz(command, code=2).stderr
            self.assertEqual(said, f"warpz: there is no folder of the course here\n{PROGRAM} learn begins one.\n")

    def test_a_folder_that_cannot_be_written_is_named(self):
        (self.home / "file").write_text("")
        self.assertIn("cannot write file", self.warpz("learn", "file/course", code=2).stderr)


@unittest.skipUnless(shutil.which("tmux"), "tmux is not installed")
class Screen(Learner):
    """A terminal of 80 columns and 24 lines with a shell in it."""

    def setUp(self):
        super().setUp()
        self.learn()
        self.socket = self.home / "tmux"
        self.addCleanup(self.tmux, "kill-server")
        self.tmux("-f", "/dev/null", "new-session", "-d", "-x", "80", "-y", "24", "bash --norc --noprofile")
        self.tmux("set", "-g", "window-size", "manual")
        self.type("PS1='$ '; cd warpz-course; clear")
        self.wait_for(r"^\$ *$")
        self.before = self.settings()

    def tmux(self, *words):
        return subprocess.run(["tmux", "-S", self.socket, *words], cwd=self.home, env=self.environment, capture_output=True, text=True,
                              timeout=SECONDS, check=False).stdout

    def type(self, words):
        self.tmux("send-keys", "-l", words)
        self.tmux("send-keys", "Enter")

    def key(self, name):
        self.tmux("send-keys", name)

    def shown(self):
        return self.tmux("capture-pane", "-p").rstrip()

    def wait_for(self, pattern, seconds=60):
        """The screen that has it, and how long it took."""
        began = time.monotonic()
        while time.monotonic() < began + seconds:
            text = self.shown()
            if re.search(pattern, text, re.MULTILINE):
                return text, time.monotonic() - began
            time.sleep(0.05)
        self.fail(f"no {pattern} in:\n{text}")

    def settings(self):
        """Of the terminal, the page that it shows, and its cursor."""
        name = self.tmux("display", "-p", "#{pane_tty}").strip()
        with open(name) as terminal:
            stty = subprocess.run(["stty", "-a"], stdin=terminal, capture_output=True, text=True, check=True).stdout
        return stty, self.tmux("display", "-p", "#{alternate_on} #{cursor_flag} #{wrap_flag}")

    def watch(self):
        self.type(f"{PROGRAM} watch")
        self.wait_for(r"^h hint ")
        self.pid = int(subprocess.run(["pgrep", "-P", self.tmux("display", "-p", "#{pane_pid}").strip()], capture_output=True,
                                      text=True, check=True).stdout.split()[0])

    def assert_restored(self):
        """And a shell takes the next command. What is typed before is lost, as a terminal's own programs have it."""
        ended = time.monotonic() + SECONDS
        while time.monotonic() < ended and (self.tmux("display", "-p", "#{pane_current_command}").strip() != "bash" or
                                            self.settings() != self.before):
            time.sleep(0.05)
        self.type("echo shell $?")
        self.wait_for(r"^shell \d+$")
        self.assertEqual(self.settings(), self.before)

    def test_a_whole_session(self):
        self.watch()
        text, _ = self.wait_for("Not attempted: neighbor.hip is as it was given")
        self.assertRegex(text, rf"\Aneighbor: Neighbor difference +0 of {COUNT} done\n")
        self.save("neighbor", self.solution("neighbor", "next_val - current_val", "next_val"))
        text, _ = self.wait_for("^WRONG with 32 lanes: 30 elements differ")
        self.assertRegex(text, r"\n +0 +0\.0 +1\.0 +1\.0\n +1 +1\.0 +4\.0 +3\.0  <--\n")
        self.save("neighbor", self.solution("neighbor", "next_val - current_val", "next_val -"))
        self.wait_for(r"^DOES NOT COMPILE\n(.*\n)*neighbor\.hip:\d+:\d+: error:")
        self.save("neighbor", self.solution("neighbor", "  // Lanes past the end", "  if (global_i >= size) return;\n  //"))
        text, _ = self.wait_for(r"^BROKEN RULE with 32 lanes: diverged collective on 1 documented number")
        self.assertRegex(text, r"neighbor\.hip:\d+")
        # What is drawn is the input that the verdict is about.
        self.key("p")
        self.wait_for("for a browser: ")
        self.assertIn("31 lanes left", (self.course / "neighbor.html").read_text())
        self.key("h")
        text, _ = self.wait_for("^Hint 1 of 3: lanes without an element")
        self.assertIn("\nany other key: back\n", text)
        self.key("x")
        text, _ = self.wait_for("^BROKEN RULE")
        self.assertIn("\njudged when you save it: neighbor.hip\n", text)
        self.key("k")
        text, _ = self.wait_for(r"^any other key: back; all of it: tasks/neighbor\.txt")
        self.save("neighbor", self.solution("neighbor", "lane < warp::size() - 1", "lane < 31"))
        self.wait_for("^WRONG with 64 lanes, right with 32: 1 element differs on ")
        self.save("neighbor", self.solution("neighbor"))
        text, seconds = self.wait_for("^RIGHT")
        # It was told of the file, and did not look for it now and then. A busy machine takes longer for all.
        elsewhere = self.home / "elsewhere.hip"
        elsewhere.write_text(self.solution("neighbor") + "// compiled anew\n")
        began = time.monotonic()
        self.warpz(elsewhere)
        self.assertLess(seconds, max(10, 5 * (time.monotonic() - began)))
        self.assertRegex(text, "right on .* with 32 and with 64 lanes")
        self.assertIn("Next: average (key n)", text)
        self.assertIn(f"1 of {COUNT} done", text)
        self.key("n")
        self.wait_for(r"^average: Moving average")
        self.save("vote", self.solution("vote"))
        self.wait_for(r"^vote: (.*\n)*RIGHT")
        self.key("q")
        self.assert_restored()
        self.assertIn(f"\n2 of {COUNT} done.\nTo go on: {PROGRAM} watch\n", self.shown())
        self.type("clear")
        self.watch()
        text, _ = self.wait_for(rf"2 of {COUNT} done")
        self.assertRegex(text, r"\Amatch: ")
        self.key("n")
        self.wait_for(r"^stream-compaction: ")
        self.key("q")
        self.assert_restored()
        self.type("clear")
        # Nothing of it was tried, and it is the puzzle that was left.
        self.watch()
        self.wait_for(r"^stream-compaction: ")
        lines = [line.split(" ", 2)[2] for line in (self.course / "progress.txt").read_text().splitlines()[1:]]
        self.assertEqual(lines, ["neighbor wrong_result", "neighbor does_not_compile", "neighbor diverged_collective", "neighbor hint 2",
                                 "neighbor hidden_case", "neighbor passed", "average chosen", "vote passed",
                                 "stream-compaction chosen"])

    def test_all_that_is_begun_is_judged_by_one_key(self):
        self.save("neighbor", self.solution("neighbor"))
        self.save("average", self.solution("average", "current_val + next_val) / 2", "current_val - next_val) / 2"))
        self.watch()
        self.wait_for("^(RIGHT|WRONG)")
        self.key("a")
        text, _ = self.wait_for("all that is begun was judged")
        self.assertRegex(text, r"average +wrong\n +neighbor +right\n")
        # The screen stays with its puzzle, and finds it again, also where it is not begun.
        self.assertRegex(text, r"\Aneighbor: ")
        self.save("average", self.solution("average"))
        self.wait_for(r"^average: (.*\n)*RIGHT")
        self.key("n")
        self.wait_for(r"^broadcast-basic: ")
        self.key("a")
        text, _ = self.wait_for("all that is begun was judged")
        self.assertRegex(text, r"\Abroadcast-basic: ")
        self.assertRegex(text, r"neighbor +right\n +average +right\n")
        self.key("q")
        self.assert_restored()
        self.type("clear")
        self.watch()
        self.wait_for(r"^broadcast-basic: ")

    def test_a_loop_without_an_end_is_told_and_stopped(self):
        text = self.solution("neighbor", "  const int lane", "  for (volatile int i = 0; i >= 0;) {}\n  const int lane")
        self.save("neighbor", text)
        self.watch()
        line = text[:text.index("volatile")].count("\n") + 1
        self.wait_for(rf"^still running: line {line}, \d+ s")
        text, _ = self.wait_for("^BROKEN RULE with 32 lanes: kernel that did not end")
        self.assertRegex(text, r"neighbor\.hip:\d+")
        self.key("q")
        self.assert_restored()

    def test_it_fits_each_size(self):
        self.watch()
        for columns, rows in ((80, 24), (60, 15), (30, 8), (120, 50), (80, 24)):
            self.tmux("resize-window", "-x", str(columns), "-y", str(rows))
            keys = rf"(.*\n){{{rows - 1}}}h hint  k task[^\n]*\Z"
            text, _ = self.wait_for(rf"\Aneighbor: [^\n]{{0,{columns - 10}}}\n" + keys.replace(str(rows - 1), str(rows - 2)))
            self.assertLessEqual(max(map(len, text.splitlines())), columns)
            self.assertTrue("h hint  k task  t trace  p page  a all  n next  q quit".startswith(text.splitlines()[-1].rstrip()), text)

    def test_the_terminal_is_as_before_however_it_ends(self):
        for ending in ("q", "C-c", signal.SIGTERM, signal.SIGHUP, signal.SIGKILL):
            with self.subTest(ending=ending):
                self.watch()
                self.assertNotEqual(self.settings(), self.before)
                os.kill(self.pid, ending) if isinstance(ending, signal.Signals) else self.key(ending)
                self.assert_restored()
                self.type("clear")

    def test_it_can_be_stopped_and_continued(self):
        self.watch()
        self.key("C-z")
        self.wait_for(r"Stopped")
        self.assertEqual(self.settings(), self.before)
        self.type("fg")
        self.wait_for(r"^h hint ")
        self.key("q")
        self.assert_restored()

    def test_it_needs_a_terminal(self):
        said = self.warpz("watch", "warpz-course", code=2).stderr
        self.assertEqual(said, "warpz: watch needs a terminal, for its keys and its screen\n"
                               "Without one, judge a file: warpz FILE.hip\n")

    def test_a_trace_and_a_page(self):
        self.save("neighbor", self.solution("neighbor"))
        self.watch()
        self.wait_for("^RIGHT")
        self.key("p")
        self.wait_for(r"for a browser: \S*neighbor\.html")
        self.assertIn('data-file="neighbor.hip"', (self.course / "neighbor.html").read_text())
        self.key("t")
        self.wait_for(r"shuffle_down(.*\n)*arrows: move, q: back to warpz watch")
        self.key("q")
        self.wait_for(r"^judged when you save it: neighbor\.hip\nh hint ")

    def test_a_trace_on_a_system_without_less(self):
        self.save("neighbor", self.solution("neighbor"))
        only = self.home / "bin"
        only.mkdir()
        for folder in os.environ["PATH"].split(":"):
            for tool in pathlib.Path(folder).glob("*"):
                if tool.name != "less" and not (only / tool.name).is_symlink():
                    (only / tool.name).symlink_to(tool)
        self.type(f"PATH={only} {PROGRAM} watch")
        self.wait_for("^RIGHT")
        self.key("t")
        self.wait_for(r"shuffle_down(.*\n)*--More--")
        self.key("q")
        self.wait_for(r"^judged when you save it: neighbor\.hip\nh hint ")


if __name__ == "__main__":
    main()
