#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""scripts/warpz and the setup behind it, on a small tree of its own."""

import os
import pty
import shutil
import signal
import subprocess
import time

from sampling import long
from small_tree import CMAKE_LISTS, ONE_MORE_PART, PARTS, SmallTree, write
from skips import main

NOBODY = 65534


class SetupTest(SmallTree):
    # Building.

    def test_prints_the_programs_output_only_and_passes_on_arguments_and_code(self):
        self.check(self.run_warpz("--a b", ""), "parts 0 <--a b> <>\n", 3)

    @long
    def test_the_program_reads_what_the_script_is_given(self):
        self.check(self.run_warpz("--input", "-", given="1 2 3\n"), "parts 0 <--input> <->\n1 2 3\n", 3)
        self.check(self.run_warpz("--input", "-", given="4\n"), "parts 0 <--input> <->\n4\n", 3)

    def test_nothing_is_built_when_nothing_changed(self):
        self.check(self.run_warpz(), "parts 0\n")
        self.calls.write_text("")
        self.check(self.run_warpz(), "parts 0\n")
        self.assertEqual(self.calls.read_text(), "")

    @long
    def test_every_kind_of_change_is_built(self):
        self.check(self.run_warpz(), "parts 0\n")
        steps = [
            ("a changed file", lambda: write(self.tree / "src/parts.cpp", "int parts = 1;\n"), 1),
            ("an added file", lambda: write(self.tree / "src/more.cpp", ONE_MORE_PART), 2),
            ("an added puzzle", lambda: write(self.tree / "puzzles/new/kernel.hip", ONE_MORE_PART), 3),
            ("a changed puzzle", lambda: write(self.tree / "puzzles/new/kernel.hip", ONE_MORE_PART + "static const "
                                               "int again = ++parts;\n"), 4),
            ("a removed puzzle", lambda: shutil.rmtree(self.tree / "puzzles/new"), 2),
            ("a removed file", lambda: (self.tree / "src/more.cpp").unlink(), 1),
            ("a changed CMake file", lambda: write(self.tree / "CMakeLists.txt", CMAKE_LISTS +
                                                   "target_compile_definitions(warpz PRIVATE parts=other)\n"), 1),
        ]
        for name, change, parts in steps:
            with self.subTest(name):
                time.sleep(0.02)
                self.calls.write_text("")
                change()
                self.check(self.run_warpz(), f"parts {parts}\n")
                self.assertTrue(self.noted("cmake"))

    @long
    def test_works_through_links_and_from_any_folder(self):
        link = self.folder / "linked warpz"
        link.symlink_to("a tree/scripts/warpz")
        self.check(self.run_warpz(command=str(link)), "parts 0\n")
        self.check(self.run_warpz(command="../scripts/warpz", cwd=self.tree / "src"), "parts 0\n")
        self.check(self.run_warpz(command="./linked warpz", cwd=self.folder), "parts 0\n")
        self.assertTrue((self.tree / "build/warpz").exists())

    @long
    def test_a_moved_tree_is_built_anew(self):
        self.check(self.run_warpz(), "parts 0\n")
        self.tree = self.tree.rename(self.folder / "moved")
        write(self.tree / "src/parts.cpp", "int parts = 7;\n")
        self.check(self.run_warpz(), "parts 7\n")

    @long
    def test_a_build_folder_that_another_tree_used_is_built_anew(self):
        other = self.folder / "other tree"
        shutil.copytree(self.tree, other)
        write(other / "src/parts.cpp", "int parts = 8;\n")
        shared = str(self.folder / "shared")
        self.check(self.run_warpz(WARPZ_BUILD_DIR=shared), "parts 0\n")
        self.check(self.run_warpz(command=str(other / "scripts/warpz"), WARPZ_BUILD_DIR=shared), "parts 8\n")

    @long
    def test_the_program_is_told_the_name_that_was_typed(self):
        write(self.tree / "src/main.cpp", "#include <cstdio>\nint main(int, char** argv) { std::puts(argv[0]); }\n")
        self.check(self.run_warpz(command="./scripts/warpz", cwd=self.tree), "./scripts/warpz\n")

    @long
    def test_builds_where_it_is_told_to(self):
        self.check(self.run_warpz(WARPZ_BUILD_DIR="elsewhere", cwd=self.folder), "parts 0\n")
        self.assertTrue((self.folder / "elsewhere/warpz").exists())
        self.assertFalse((self.tree / "build").exists())

    def test_leaves_another_projects_build_folder_alone(self):
        cache = self.folder / "other/CMakeCache.txt"
        write(cache, "CMAKE_PROJECT_NAME:STATIC=other\n")
        result = self.run_warpz(WARPZ_BUILD_DIR=str(cache.parent))
        self.assertEqual((result.stdout, result.returncode), ("", 2))
        self.assertIn("another project's build folder", result.stderr)
        self.assertEqual([entry.name for entry in cache.parent.iterdir()], ["CMakeCache.txt"])

    def test_two_at_once_build_once(self):
        call = [str(self.tree / "scripts/warpz")]
        both = [subprocess.Popen(call, env=self.environment(), text=True, stdout=subprocess.PIPE,
                                 stderr=subprocess.PIPE) for _ in range(2)]
        for process in both:
            self.assertEqual(process.communicate(timeout=120), ("parts 0\n", ""))
        self.assertEqual(len([call for call in self.noted("cmake") if "--build" in call]), 1)

    def test_an_interrupted_build_is_fixed_by_the_next_call(self):
        for interrupt, code in ((signal.SIGINT, 130), (signal.SIGTERM, 143), (signal.SIGKILL, -signal.SIGKILL)):
            with self.subTest(interrupt.name):
                self.interrupt_the_compiler(interrupt, code)
                self.check(self.run_warpz(), "parts 0\n")

    def interrupt_the_compiler(self, interrupt, code):
        # It waits in the middle of an object file, so the interrupt finds it there. After a kill it stays for a
        # while, as a real one may, and the next call has to wait for it.
        shutil.rmtree(self.tree / "build", ignore_errors=True)
        (self.folder / "go").unlink(missing_ok=True)
        self.calls.write_text("")
        compiler = shutil.which("g++")
        self.stand_in("g++", f'case "$*" in *parts.cpp*) [ -e "{self.folder}/go" ] || '
                             f'{{ echo half >"$(echo "$*" | sed "s/.* -o \\([^ ]*\\).*/\\1/")"; exec sleep 4; }} ;; esac'
                             f'\nexec "{compiler}" "$@"')
        process = subprocess.Popen([str(self.tree / "scripts/warpz")], start_new_session=True, text=True,
                                   env=self.environment(CXX=str(self.bin / "g++")), stdout=subprocess.PIPE,
                                   stderr=subprocess.PIPE)
        deadline = time.monotonic() + 60
        while not any("parts.cpp" in call for call in self.noted("g++")) and time.monotonic() < deadline:
            time.sleep(0.05)
        os.killpg(process.pid, interrupt)
        output, errors = process.communicate(timeout=600)
        self.assertEqual((output, errors.replace("Terminated\n", ""), process.returncode), ("", "", code))
        (self.folder / "go").touch()

    @long
    def test_a_half_written_configuration_is_begun_anew(self):
        write(self.tree / "build/CMakeCache.txt", "CMAKE_GENERATOR:INTERNAL=Unix Makefiles\n")
        self.check(self.run_warpz(), "parts 0\n")

    # What goes wrong.

    @long
    def test_a_build_that_fails_shows_the_compilers_words_and_the_log(self):
        write(self.tree / "src/parts.cpp", "int parts = nonsense;\n")
        result = self.run_warpz()
        self.assertEqual((result.stdout, result.returncode), ("", 4))
        self.assertIn("scripts/warpz: the build failed.", result.stderr)
        self.assertIn("nonsense", result.stderr)
        self.assertIn(str(self.tree / "build/setup.log"), result.stderr)
        self.assertIn("nonsense", (self.tree / "build/setup.log").read_text())
        write(self.tree / "src/parts.cpp", PARTS)
        self.check(self.run_warpz(), "parts 0\n")

    def test_a_kernel_that_does_not_compile_has_its_own_code(self):
        write(self.tree / "puzzles/new/kernel.hip", "nonsense\n")
        self.assertEqual(self.run_warpz().returncode, 5)

    def user_who_may_not_write(self):
        """A user who can read the tree and not write to it: another one for root, else this one."""
        self.tree.chmod(0o555)
        self.addCleanup(self.tree.chmod, 0o755)
        if os.geteuid() != 0:
            return None
        if not shutil.which("setpriv"):
            self.skipTest("root needs setpriv to become another user")
        if self.run_script("", "-r", str(self.tree), command="/usr/bin/test", user=NOBODY).returncode != 0:
            self.skipTest(f"another user than root cannot reach {self.tree}")
        return NOBODY

    @long
    def test_says_what_to_do_about_a_read_only_tree(self):
        user = self.user_who_may_not_write()
        result = self.run_warpz(user=user)
        self.assertEqual((result.stdout, result.returncode), ("", 4))
        self.assertIn("can't be written to", result.stderr)
        self.assertIn("WARPZ_BUILD_DIR=", result.stderr)
        self.assertNotIn(".cache/warpz", result.stderr, "that folder is the cache's, which cleans up there")
        theirs = self.folder / "theirs"
        theirs.mkdir()
        if user is not None:
            os.chown(theirs, user, user)
        self.check(self.run_warpz(user=user, WARPZ_BUILD_DIR=str(theirs)), "parts 0\n")
        # What somebody with the right to has built serves those without it.
        self.tree.chmod(0o755)
        self.check(self.run_warpz(), "parts 0\n")
        self.tree.chmod(0o555)
        self.check(self.run_warpz(user=user), "parts 0\n")

    def test_progress_is_one_line_on_a_terminal_and_leaves_nothing(self):
        try:
            ours, theirs = pty.openpty()
        except OSError as problem:
            self.skipTest(f"there is no terminal to show it on: {problem}")
        process = subprocess.Popen([str(self.tree / "scripts/warpz")], env=self.environment(), text=True,
                                   stdout=subprocess.PIPE, stderr=theirs)
        os.close(theirs)
        seen = b""
        while True:
            try:
                seen += os.read(ours, 4096)
            except OSError:  # the other side is closed
                break
        os.close(ours)
        self.assertEqual((process.communicate()[0], process.returncode), ("parts 0\n", 0))
        self.assertIn(b"configuring", seen)
        self.assertRegex(seen, rb"building \d/\d")
        self.assertNotIn(b"\n", seen)
        self.assertTrue(seen.endswith(b"\r\033[K"))

    # Packages.

    def test_root_installs_what_is_missing_and_no_more(self):
        self.debian(user=0, lacking=["libfmt-dev", "ninja-build", "fish"])
        self.check(self.run_warpz(), "parts 0\n")
        calls = self.noted("apt-get")
        self.assertEqual(len(calls), 1)
        self.assertTrue(calls[0].endswith(" install libfmt-dev ninja-build"), calls)
        self.assertEqual(len(self.noted("dpkg-query")), 1)

    @long
    def test_package_lists_are_fetched_where_they_are_needed(self):
        self.debian(user=0, lacking=["cmake"])
        self.stand_in("apt-get", f'case "$*" in *update*) touch "{self.folder}/lists" ;; '
                                 f'*) [ -e "{self.folder}/lists" ] ;; esac')
        self.check(self.run_warpz(), "parts 0\n")
        self.assertEqual([call.split()[-1] for call in self.noted("apt-get")], ["cmake", "update", "cmake"])

    def test_says_what_apt_said_when_it_fails(self):
        self.debian(user=0, lacking=["cmake"])
        self.stand_in("apt-get", "echo 'E: no network'; exit 100")
        result = self.run_warpz()
        self.assertEqual((result.stdout, result.returncode), ("", 4))
        self.assertIn("apt could not install: cmake", result.stderr)
        self.assertIn("E: no network", result.stderr)

    def test_a_user_with_sudo_installs_with_it(self):
        self.debian(user=1000, lacking=["cmake"])
        self.stand_in("sudo", 'shift; exec "$@"')
        self.check(self.run_warpz(), "parts 0\n")
        self.assertTrue(any("apt-get" in call and call.startswith("sudo -n ") for call in self.noted("sudo")))

    def test_nobody_is_asked_for_a_password_without_a_terminal(self):
        self.debian(user=1000, lacking=["cmake", "g++"])
        self.stand_in("sudo", "exit 1")
        self.lack_the_packages()
        result = self.run_warpz()
        self.assertEqual((result.stdout, result.returncode), ("", 4))
        self.assertIn("sudo apt-get install cmake g++\n", result.stderr)
        self.assertEqual(self.noted("sudo"), ["sudo -n true"])
        self.assertFalse(self.noted("apt-get"))

    def test_says_which_packages_a_user_without_sudo_needs(self):
        self.debian(user=1000, lacking=["cmake", "g++"])
        self.lack_the_packages()
        result = self.run_warpz()
        self.assertEqual((result.stdout, result.returncode), ("", 4))
        self.assertIn("sudo apt-get install cmake g++\n", result.stderr)

    @long
    def test_builds_without_the_packages_where_that_works(self):
        self.debian(user=1000, lacking=["cmake"])
        self.check(self.run_warpz(), "parts 0\n")

    def test_names_the_packages_of_other_distributions(self):
        self.lack_the_packages()
        result = self.run_warpz()
        self.assertEqual((result.stdout, result.returncode), ("", 4))
        for line in ("sudo apt-get install g++ clang-19 llvm-19-dev cmake", "sudo dnf install gcc-c++ clang llvm-devel cmake",
                     "sudo pacman -S --needed gcc clang llvm cmake"):
            self.assertIn(line, result.stderr)
        self.assertNotIn("libgtest-dev", result.stderr)


if __name__ == "__main__":
    main()
