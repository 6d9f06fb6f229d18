# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A copy of the last commit in which mutants are built and tested; the user's tree and build stay as they are."""

import contextlib
import enum
import os
import pathlib
import shutil
import signal
import subprocess
import tempfile

from .lines import git


class Result(enum.Enum):
    FOUND = "found by a test"
    SURVIVED = "survived"
    NOT_COMPILED = "did not compile"


class Trial:
    """One suite of tests/mutate.toml at work: its targets are built, its commands run until the first that fails."""

    def __init__(self, tree, options, limit):
        self.tree, self.build, self.options, self.limit = tree, tree / "build/mutate", options, limit

    def succeeds(self, *command):
        """False also where the command takes longer than the limit: all that it started ends then."""
        process = subprocess.Popen(list(map(str, command)), cwd=self.build, stdin=subprocess.DEVNULL,
                                   stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, start_new_session=True)
        try:
            return process.wait(self.limit) == 0
        except subprocess.TimeoutExpired:
            return False
        finally:
            with contextlib.suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGKILL)
            process.wait()

    def configure(self):
        self.build.mkdir(parents=True, exist_ok=True)
        launcher = ["-DCMAKE_CXX_COMPILER_LAUNCHER=ccache"] if shutil.which("ccache") else []
        return self.succeeds("cmake", "-G", "Ninja", "-S", self.tree, "-B", self.build, *launcher, *self.options)

    def builds(self, suite):
        return self.succeeds("cmake", "--build", self.build, "--target", *suite["targets"])

    def passes(self, suite):
        return all(self.succeeds(*command) for command in suite["commands"])

    def result(self, mutant, suite):
        file = self.tree / mutant.file
        before = file.read_text()
        lines = before.splitlines(keepends=True)
        lines[mutant.number - 1] = mutant.line + "\n"
        file.write_text("".join(lines))
        try:
            if not self.builds(suite):
                return Result.NOT_COMPILED
            return Result.SURVIVED if self.passes(suite) else Result.FOUND
        finally:
            file.write_text(before)


@contextlib.contextmanager
def copy_of_last_commit(tree):
    with tempfile.TemporaryDirectory(prefix="warpz-mutate-") as folder:
        copy = pathlib.Path(folder, "tree")
        git(tree, "worktree", "add", "--quiet", "--detach", str(copy), "HEAD")
        try:
            yield copy
        finally:
            git(tree, "worktree", "remove", "--force", str(copy))
