# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs of warpz that are ended in the middle, and what is left of them."""

import contextlib
import os
import pathlib
import signal
import sys
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "end_to_end"))

from kernel_support import KernelTest, SECONDS  # noqa: E402 (the path is set above)


def children(process):
    """Each thread has children of its own."""
    found = []
    with contextlib.suppress(OSError):
        for thread in sorted(os.listdir(f"/proc/{process}/task"), key=int):
            found += map(int, pathlib.Path(f"/proc/{process}/task/{thread}/children").read_text().split())
    return found


def descendants(process):
    return [each for child in children(process) for each in (child, *descendants(child))]


class EndedTest(KernelTest):
    def wait_until(self, condition, missing):
        end = time.monotonic() + SECONDS
        while not condition():
            self.assertLess(time.monotonic(), end, missing)
            time.sleep(0.005)

    def chain(self, process):
        """The process that was started, the second supervisor, and the one that does the work."""
        found = [process.pid]
        while len(found) < 3:
            self.wait_until(lambda: children(found[-1]) or process.poll() is not None, "a process of its own")
            self.assertIsNone(process.poll(), "it has ended")
            found.append(children(found[-1])[0])
        return found

    def files(self):
        """All files in the test's folder but those of the cache of headers and of a stand-in for a compiler."""
        return sorted(str(each.relative_to(self.folder)) for each in self.folder.rglob("*")
                      if not each.is_dir() and not {"headers", "store"} & set(each.parts))

    def assert_nothing_left(self, before, detail=""):
        self.wait_until(lambda: self.processes() == [], f"processes are left behind {detail}")
        new = [each for each in self.files() if each not in before and not each.endswith((".kernel", "kernels/lock"))]
        self.assertEqual((new, os.listdir(self.temporary)), ([], []), detail)

    def end(self, process, victim, number=signal.SIGKILL):
        os.kill(victim, number)
        out, err = process.communicate(timeout=SECONDS)
        return out.decode(), err.decode(), process.returncode
