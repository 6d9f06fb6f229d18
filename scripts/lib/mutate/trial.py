# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A copy of the last commit in which mutants are built and tested; the user's tree and build stay as they are."""

import contextlib
import enum
import fcntl
import os
import shutil
import signal
import subprocess

from .lines import git


ENDING = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)


class Result(enum.Enum):
    FOUND = "found by a test"
    SURVIVED = "survived"
    NOT_COMPILED = "did not compile"


class Trial:
    """One suite of tests/mutate.toml at work: its targets are built, its commands run until the first that fails."""

    def __init__(self, copy, options, limit):
        self.tree, self.build, self.options, self.limit = copy / "tree", copy / "build", options, limit

    def succeeds(self, *command, output=subprocess.DEVNULL):
        """False also where the command takes longer than the limit: all that it started ends then."""
        # A signal that ends this process acts once it is known what else there is to end.
        before = signal.pthread_sigmask(signal.SIG_BLOCK, ENDING)
        try:
            process = subprocess.Popen(list(map(str, command)), cwd=self.build, stdin=subprocess.DEVNULL, stdout=output,
                                       stderr=subprocess.DEVNULL, start_new_session=True,
                                       preexec_fn=lambda: signal.pthread_sigmask(signal.SIG_SETMASK, before))
            try:
                signal.pthread_sigmask(signal.SIG_SETMASK, before)
                return process.wait(self.limit) == 0
            except subprocess.TimeoutExpired:
                return False
            finally:
                with contextlib.suppress(ProcessLookupError):
                    os.killpg(process.pid, signal.SIGKILL)
                process.wait()
        finally:
            signal.pthread_sigmask(signal.SIG_SETMASK, before)

    def configure(self):
        self.build.mkdir(exist_ok=True)
        launcher = ["-DCMAKE_CXX_COMPILER_LAUNCHER=ccache"] if shutil.which("ccache") else []
        return self.succeeds("cmake", "-G", "Ninja", "-S", self.tree, "-B", self.build, *launcher, *self.options)

    def builds(self, suite, output=subprocess.DEVNULL):
        return self.succeeds("cmake", "--build", self.build, "--target", *suite["targets"], output=output)

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
def copy_of_last_commit(tree, folder):
    """Brings the clone in `folder` to the last commit of `tree`, whatever a run before has left there: its build is worth
    keeping. BlockingIOError: another run is at work there."""
    folder.mkdir(parents=True, exist_ok=True)
    with open(folder / "lock", "w", encoding="utf-8") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        copy = folder / "tree"
        if not (copy / ".git").exists():
            shutil.rmtree(copy, ignore_errors=True)
            subprocess.run(["git", "clone", "--quiet", "--shared", "--no-checkout", tree, copy], check=True)
        git(copy, "fetch", "--quiet", str(tree), "HEAD")
        git(copy, "checkout", "--quiet", "--force", "--detach", "FETCH_HEAD")
        yield folder
