# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A small tree for tests of the scripts: the real scripts, presets, CMake and compiler, a program of a few lines, and
stand-ins for apt, sudo and dpkg that only note how they were called."""

import os
import pathlib
import shutil
import subprocess
import tempfile
import unittest

SOURCE = pathlib.Path(__file__).resolve().parents[2]

CMAKE_LISTS = """cmake_minimum_required(VERSION 3.25)
# The compiler works, and nobody asks for its ABI: trying takes most of a configuration's time.
set(CMAKE_CXX_COMPILER_WORKS ON)
set(CMAKE_CXX_ABI_COMPILED ON)
project(warpz LANGUAGES CXX)
file(GLOB sources CONFIGURE_DEPENDS src/*.cpp puzzles/*/*.hip)
set_source_files_properties(${sources} PROPERTIES LANGUAGE CXX)
add_executable(warpz ${sources})
if(WARPZ_TESTS)
  enable_testing()
  add_test(NAME ${WARPZ_TEST_PREFIX}part COMMAND warpz)
  add_test(NAME ${WARPZ_TEST_PREFIX}compiler COMMAND ${CMAKE_COMMAND} -E echo <${CMAKE_CXX_COMPILER_ID} ${WARPZ_SANITIZE}>)
  add_test(NAME ${WARPZ_TEST_PREFIX}slow COMMAND ${CMAKE_CURRENT_BINARY_DIR}/slow)
  add_executable(slow EXCLUDE_FROM_ALL ${sources})
  set_tests_properties(${WARPZ_TEST_PREFIX}slow PROPERTIES LABELS full)
  add_custom_target(full_tests DEPENDS slow)
  add_custom_target(test_simt DEPENDS warpz)
endif()
"""

MAIN = """#include <cstdio>
extern int parts;
int main(int argc, char** argv) {
  std::printf("parts %d", parts);
  for (int i = 1; i < argc; ++i) std::printf(" <%s>", argv[i]);
  std::puts("");
  for (int c = 0; (c = std::getchar()) != EOF;) std::putchar(c);
  return argc > 1 ? 3 : 0;
}
"""

PARTS = "int parts = 0;\n"
ONE_MORE_PART = "extern int parts;\nstatic const int added = ++parts;\n"

HIDDEN = ("apt-get", "dpkg-query", "dpkg", "sudo")


def write(path, text, executable=False):
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)
    if executable:
        path.chmod(0o755)


class SmallTree(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        """A PATH with everything but a package manager."""
        cls.commands = tempfile.TemporaryDirectory()
        os.chmod(cls.commands.name, 0o755)
        for folder in ("/usr/local/bin", "/usr/bin", "/bin"):
            for entry in os.scandir(folder) if os.path.isdir(folder) else ():
                link = pathlib.Path(cls.commands.name, entry.name)
                if entry.name not in HIDDEN and not link.is_symlink():
                    link.symlink_to(entry.path)

    @classmethod
    def tearDownClass(cls):
        cls.commands.cleanup()

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name).resolve()
        self.folder.chmod(0o755)
        self.bin = self.folder / "bin"
        self.calls = self.folder / "calls"
        self.calls.touch()
        self.calls.chmod(0o666)
        self.tree = self.folder / "a tree"
        self.make_tree()
        self.path = f"{self.bin}:{self.commands.name}"
        self.stand_in("cmake", f'exec "{shutil.which("cmake")}" "$@"')

    def make_tree(self):
        shutil.copytree(SOURCE / "scripts", self.tree / "scripts")
        shutil.copy(SOURCE / "CMakePresets.json", self.tree)
        write(self.tree / "CMakeLists.txt", CMAKE_LISTS)
        write(self.tree / "src/main.cpp", MAIN)
        write(self.tree / "src/parts.cpp", PARTS)

    def stand_in(self, name, body):
        """A command that notes its arguments first."""
        write(self.bin / name, f'#!/bin/sh\necho "{name} $*" >>"{self.calls}"\n{body}\n', executable=True)

    def noted(self, command):
        return [line for line in self.calls.read_text().splitlines() if line.split()[0] == command]

    def environment(self, **more):
        kept = {name: os.environ[name] for name in ("HOME", "LANG", "CXX", "CXXFLAGS") if name in os.environ}
        return {**kept, "PATH": self.path, "TERM": "xterm", **more}

    def run_script(self, name, *arguments, command=None, user=None, cwd="/", given="", **environment):
        call = [command or str(self.tree / "scripts" / name), *arguments]
        if user is not None:
            call = ["setpriv", f"--reuid={user}", f"--regid={user}", "--clear-groups", *call]
        return subprocess.run(call, env=self.environment(**environment), cwd=cwd, text=True, timeout=120,
                              input=given, capture_output=True, check=False)

    def run_warpz(self, *arguments, **settings):
        return self.run_script("warpz", *arguments, **settings)

    def check(self, result, output, code=0):
        self.assertEqual((result.stdout, result.stderr, result.returncode), (output, "", code))

    def debian(self, *, user, lacking):
        """A Debian that lacks some packages, until apt is asked to install them."""
        self.stand_in("id", f"echo {user}")
        self.stand_in("dpkg", "")
        self.stand_in("dpkg-query", f'[ -e "{self.folder}/installed" ] && lacking= || lacking=" {" ".join(lacking)} "\n'
                      'shift 2; for name; do case "$lacking" in *" $name "*) ;; *) echo "$name installed" ;; esac; done')
        self.stand_in("apt-get", f'case "$*" in *install*) touch "{self.folder}/installed" ;; esac')

    def lack_the_packages(self):
        """Configuring fails, as it does where a library is not there."""
        self.stand_in("cmake", "echo 'CMake Error: no such library' >&2; exit 1")
