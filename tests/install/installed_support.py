# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""For tests of what cmake --install puts in place: an installation that was moved since, and another project."""

import os
import pathlib
import subprocess
import tempfile
import unittest

SOURCE = pathlib.Path(os.environ["WARPZ_SOURCE_DIR"])
PROGRAM = pathlib.Path(os.environ["WARPZ_PROGRAM"])
CONSUMER = SOURCE / "tests/install/consumer"
CUDA = pathlib.Path(os.environ.get("CUDA_PATH", "/usr/local/cuda"))
os.environ.setdefault("CMAKE_GENERATOR", "Ninja")  # which is there; CMake's own choice is make


def call(*command, **environment):
    return subprocess.run([str(part) for part in command], env={**os.environ, **environment}, text=True,
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT, stdin=subprocess.DEVNULL, check=False)


class InstalledTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(folder.cleanup)
        cls.folder = pathlib.Path(folder.name)
        cls.build, cls.prefix = cls.folder / "library-build", cls.folder / "moved"
        installed = cls.folder / "installed"
        cls.succeed("cmake", "-S", SOURCE, "-B", cls.build, "-DWARPZ_PROGRAM=OFF",
                    f"-DCMAKE_INSTALL_PREFIX={installed}")
        cls.succeed("cmake", "--install", cls.build)
        cls.succeed("cmake", "--install", PROGRAM.parent, "--prefix", installed, "--component", "program")
        installed.rename(cls.prefix)

    @staticmethod
    def succeed(*command, **environment):
        done = call(*command, **environment)
        if done.returncode != 0:
            raise AssertionError(f"{' '.join(map(str, command))} ends with {done.returncode}:\n{done.stdout}")
        return done.stdout

    def configure(self, name, *options, **environment):
        """Another project, which may find the library in no other place than the prefix."""
        return call("cmake", "-S", CONSUMER, "-B", self.folder / name, f"-DCMAKE_PREFIX_PATH={self.prefix}",
                    "-DCMAKE_FIND_USE_PACKAGE_REGISTRY=OFF", *options, **environment)

    def build_and_run(self, name, *options, **environment):
        done = self.configure(name, *options, **environment)
        self.assertEqual(done.returncode, 0, done.stdout)
        self.succeed("cmake", "--build", self.folder / name, **environment)
        self.run_consumer(self.folder / name / "consumer")

    def run_consumer(self, program, **environment):
        self.assertRegex(self.succeed(program, **environment), r"^(right|no GPU)$")
